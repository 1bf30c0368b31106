// What the reader asks for, and which samples that leaves.

const ANY = "";
const VERDICTS = [
  [ANY, "any"], ["passed", "passed"], ["failed", "failed"], ["recoverable", "failed, recoverable"],
  ["lost", "failed, not recoverable"], ["unjudged", "unjudged"], ["not run", "not run"],
];
const SYMBOLS = { passed: "\u2713", failed: "\u2717", recoverable: "\u25d0", unjudged: "?", "not run": "\u2013" };

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
    slices: index.dimensions.map((_, place) => number(`slice-${place}`)),
  };
}

function verdictFits(state, wanted) {
  if (wanted === ANY || wanted === state) return true;
  if (wanted === "failed") return state === "recoverable";
  return wanted === "lost" && state === "failed";
}

function fits(sample, filter) {
  if (filter.task !== null && sample.task !== filter.task) return false;
  if (!filter.verdicts.every((wanted, column) => verdictFits(stateOf(sample, column), wanted))) return false;
  if (filter.code !== null) {
    const answers = filter.codeColumn === null ? sample.answers : [sample.answers[filter.codeColumn]];
    if (!answers.some((answer) => answer !== null && answer.codes.includes(filter.code))) return false;
  }
  if (!filter.slices.every((wanted, place) => wanted === null || sample.groups[place] === wanted)) return false;
  return !filter.search || haystacks[sample.number].includes(filter.search);
}
