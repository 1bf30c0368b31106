// One sample: what was asked, its picture, the diff, and every answer with its findings.

let shownSample = null;

function chip(letter, state, words) {
  const text = `${letter} ${SYMBOLS[state]}${words ? ` ${state}` : ""}`;
  return element("span", { class: `chip s-${state.replace(" ", "")}`, title: `${letter} ${state}` }, text);
}

function visibleColumns() {
  return index.columns.map((column, place) => ({ ...column, place }))
    .filter((column) => !document.body.classList.contains(`without-${column.letter}`));
}

function picture(sample) {
  if (sample.picture < 0) return [];
  const block = document.getElementById(`picture-${sample.picture}`);
  if (!block) return [element("p", { class: "faint" }, index.pictures.why_not[sample.picture])];
  const image = element("img", {
    src: `data:image/jpeg;base64,${block.textContent}`, alt: `Picture of ${visible(sample.id)}: ${visible(sample.title)}`,
    width: block.dataset.width, height: block.dataset.height,
  });
  return [element("figure", {}, image, element("figcaption", {}, "made smaller for this page"))];
}

function number(value) {
  if (Array.isArray(value)) return `${value[0].toLocaleString("en")}/${value[1].toLocaleString("en")}`;
  return value === null || value === undefined ? "\u2013" : String(Math.round(value * 1000) / 1000);
}

function findings(title, listed) {
  if (!listed || !listed.length) return [];
  return [element("p", { class: "faint" }, title), element("ul", { class: "findings" },
    listed.map(([code, path, message]) => element("li", {},
      code ? element("b", {}, code) : null, code ? " " : null,
      path ? element("code", {}, path) : null, path ? " " : null, message)))];
}

function recovery(recovered) {
  if (!recovered) return [];
  const [there, steps, reason, value, left] = recovered;
  const told = element("p", {}, element("span", { class: `chip s-${there ? "recoverable" : "failed"}` },
    there ? "recoverable" : "not recoverable"), ` ${reason}`);
  const list = steps.length ? [element("ul", { class: "findings" }, steps.map((code) =>
    element("li", {}, element("b", {}, code), index.steps[code] ? ` ${index.steps[code]}` : "")))] : [];
  const data = value ? [folded("Data as the tolerant reading takes them", () => longText(value, left, "Recovered data"))] : [];
  return [told, ...list, ...data];
}

function answerSection(sample, column, answer) {
  const state = stateOf(sample, column.place);
  const heading = element("h5", {}, element("span", { class: `letter l${column.place % 8}` }, column.letter),
    ` ${column.model} `, chip(column.letter, state, true));
  if (!answer) return element("section", {}, heading, element("p", { class: "faint" }, "This run did not ask this sample."));
  const names = index.figures[sample.task];
  const figures = names.map((name, place) => `${name} ${number(sample.answers[column.place].values[place])}`);
  const facts = Object.entries(answer.facts).map(([name, value]) => `${name}: ${value}`);
  const text = answer.text === null
    ? [element("p", { class: "faint" }, "There is no answer.")]
    : answer.text[0] === "" ? [element("p", { class: "faint" }, "The answer is empty.")]
      : longText(answer.text[0], answer.text[1], `Answer of ${column.letter}`);
  return element("section", { "data-answer": column.letter }, heading,
    element("p", { class: "facts" }, [...figures, ...facts].join(" \u00b7 ")),
    findings("Findings", answer.findings), findings("Strict findings, no part of the official verdict", answer.strict),
    recovery(answer.recovered), text,
    answer.prompt ? folded("Prompt of this run, another than the sample's", () =>
      longText(answer.prompt[0], answer.prompt[1], "Prompt")) : null);
}

// A button to the sample before or behind in the list as it is filtered now.
function neighbour(sample, step, words) {
  const at = found.indexOf(sample);
  const other = at < 0 ? null : found[at + step];
  const button = element("button", { type: "button", disabled: !other }, words);
  button.addEventListener("click", () => turnTo(other));
  return button;
}

async function showSample(sample, focus) {
  shownSample = sample;
  const { row, answers } = await texts(sample);
  if (shownSample !== sample) return; // another one was chosen meanwhile
  const detail = document.getElementById("detail");
  const columns = visibleColumns();
  const letters = columns.map((column) => column.letter).filter((letter) => answers[letter]);
  const ofSchema = index.kinds[sample.task] === "ifstruct";
  const heading = element("h3", { tabindex: "-1" }, sample.id);
  const slices = index.dimensions.map(([name, groups], place) => [name, groups[sample.groups[place]]])
    .filter(([, group]) => group !== undefined)
    .map(([name, group]) => element("span", { class: "badge note" }, `${name}: ${group}`));
  const diffed = letters.some((letter) => answers[letter].diff.length);
  detail.replaceChildren(
    element("div", { class: "turn" }, neighbour(sample, -1, "Previous sample"), neighbour(sample, 1, "Next sample"),
      element("a", { href: "#list-pane" }, "To the list")),
    heading,
    element("p", {}, element("span", { class: "faint" }, `${index.tasks[sample.task]} `), ...slices),
    element("div", { class: "chips" }, columns.map((column) => chip(column.letter, stateOf(sample, column.place), true))),
    element("div", { class: "asked" }, picture(sample), element("div", {},
      row.title ? longText(row.title, 0, "What is asked") : [],
      row.prompt[0] ? folded("Prompt as it was sent", () => longText(row.prompt[0], row.prompt[1], "Prompt")) : null,
      row.texts.map(([name, text, left]) => folded(name, () => longText(text, left, name))))),
    ...(diffed ? [element("h4", {}, ofSchema ? "Answers against the schema" : "Answers against the target"),
      ...diffTable(letters, answers, ofSchema)] : []),
    element("h4", {}, "Answers"),
    element("div", { class: "answers" }, columns.map((column) => answerSection(sample, column, answers[column.letter]))),
  );
  detail.dataset.shown = sample.id;
  if (focus) {
    heading.focus({ preventScroll: true });
    const top = detail.getBoundingClientRect().top;
    if (top < 0 || top > innerHeight / 2) detail.scrollIntoView();
  }
}
