// What the reader asks for, and which samples that leaves.

const ANY = "";
const VERDICTS = [
  [ANY, "any"], ["passed", "passed"], ["failed", "failed"], ["recoverable", "failed, recoverable"],
  ["lost", "failed, not recoverable"], ["unjudged", "unjudged"], ["skipped", "skipped"], ["not run", "not run"],
];
const SYMBOLS = { passed: "\u2713", failed: "\u2717", recoverable: "\u25d0", unjudged: "?", skipped: "\u2192", "not run": "\u2013" };

function stateOf(sample, column) {
  const answer = sample.answers[column];
  return answer === null ? "not run" : index.states[answer.state];
}

function select(name, label, options) {
  const made = element("select", { name }, options.map(([value, text]) => element("option", { value }, text)));
  return element("label", {}, label, made);
}

function buildFilters(form) {
  form.append(
    element("label", { class: "wide" }, "Search in ids, prompts and answers",
      element("input", { type: "search", name: "search", autocomplete: "off", spellcheck: "false" })),
  );
  if (index.tasks.length > 1) {
    form.append(select("task", "Task", [[ANY, "all"], ...index.tasks.map((name, place) => [String(place), name])]));
  }
  index.columns.forEach((column, place) => {
    const made = select(`verdict-${place}`, `${column.letter} ${column.model}`.slice(0, 28), VERDICTS);
    made.setAttribute("data-column", column.letter);
    form.append(made);
  });
  if (index.codes.length) {
    form.append(select("code", "Finding", [[ANY, "any"], ...index.codes.map((code, place) => [String(place), code])]));
    if (index.columns.length > 1) {
      form.append(select("code-column", "Finding in", [
        [ANY, "any run"], ...index.columns.map((column, place) => [String(place), column.letter]),
      ]));
    }
  }
  const taken = new Set(index.samples.flatMap((sample) => sample.answers.flatMap((answer) => (answer ? answer.steps : []))));
  if (taken.size) {
    form.append(select("step", "Recoverable by", [[ANY, "any step"], ...Object.keys(index.steps)
      .map((name, place) => [String(place), name]).filter(([place]) => taken.has(Number(place)))]));
  }
  if (index.columns.length > 1) {
    form.append(select("disagree", "Runs", [[ANY, "alike or not"], ["1", "of different verdicts"]]));
  }
  form.append(element("button", { type: "reset" }, "Clear"));
  if (index.dimensions.length) {
    const more = element("div", { class: "more" }, index.dimensions.map(([name, groups], place) =>
      select(`slice-${place}`, name, [[ANY, "all"], ...groups.map((group, number) => [String(number), group])])));
    form.append(element("details", {}, element("summary", {}, "Slices"), more));
  }
}

function chosen(form) {
  const data = new FormData(form);
  const number = (name) => (data.get(name) ? Number(data.get(name)) : null);
  return {
    search: String(data.get("search") || "").trim().toLowerCase(),
    task: number("task"),
    verdicts: index.columns.map((_, place) => String(data.get(`verdict-${place}`) || ANY)),
    code: number("code"),
    codeColumn: number("code-column"),
    step: number("step"),
    disagree: data.get("disagree") === "1",
    slices: index.dimensions.map((_, place) => number(`slice-${place}`)),
  };
}

function verdictFits(state, wanted) {
  if (wanted === ANY || wanted === state) return true;
  if (wanted === "failed") return state === "recoverable";
  return wanted === "lost" && state === "failed";
}

// Whether one run passed where another failed; a run that did not ask the sample has no say.
function disagree(sample) {
  const states = visibleColumns().map((column) => stateOf(sample, column.place));
  return states.includes("passed") && states.some((state) => state === "failed" || state === "recoverable");
}

function fits(sample, filter) {
  if (filter.task !== null && sample.task !== filter.task) return false;
  if (!filter.verdicts.every((wanted, column) => verdictFits(stateOf(sample, column), wanted))) return false;
  if (filter.code !== null) {
    const answers = filter.codeColumn === null ? sample.answers : [sample.answers[filter.codeColumn]];
    if (!answers.some((answer) => answer !== null && answer.codes.includes(filter.code))) return false;
  }
  if (filter.step !== null && !sample.answers.some((answer) => answer !== null && answer.steps.includes(filter.step))) return false;
  if (filter.disagree && !disagree(sample)) return false;
  if (!filter.slices.every((wanted, place) => wanted === null || sample.groups[place] === wanted)) return false;
  return !filter.search || haystacks[sample.number].includes(filter.search);
}
