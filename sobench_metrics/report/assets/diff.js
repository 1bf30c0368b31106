// Target against answers, place by place, every run in a column of its own.

const OUTCOMES = {
  match: "match", mismatch: "differs", wrong_kind: "wrong kind", missing: "missing", extra: "extra",
  ignored: "not counted", more: "",
};
const OF_SCHEMA = { match: "no finding", mismatch: "finding" };
const QUIET = ["match", "ignored"];

// The rows of all runs as one list: those of the first in its order, others behind the place they follow there.
function mergedRows(letters, answers) {
  const rows = [];
  const known = new Map();
  const notes = [];
  for (const letter of letters) {
    let before = -1;
    for (const [path, label, kind, outcome, target, given, reason] of answers[letter].diff) {
      if (outcome === "more") {
        notes.push(`${letter}: ${reason}`);
        continue;
      }
      let row = known.get(path);
      if (!row) {
        row = { path, label, kind, target, cells: {} };
        known.set(path, row);
        rows.splice(before + 1, 0, row);
        before += 1;
      } else {
        before = rows.indexOf(row);
      }
      if (!row.target && target) row.target = target;
      row.cells[letter] = [outcome, given === 1 ? target : given, reason];
    }
  }
  return { rows, notes };
}

function pathCell(row) {
  const cut = row.path.lastIndexOf("/");
  const up = cut >= 0 ? row.path.slice(0, cut + 1) : "";
  const label = row.label && row.label !== "exact" ? ` ${row.label}` : "";
  return element("th", { scope: "row", class: "path" },
    element("span", { class: "up" }, up), cut >= 0 ? row.path.slice(cut + 1) : "(whole answer)",
    label ? element("small", {}, label) : null);
}

function cell(found, ofSchema) {
  if (!found) return element("td", {}, "");
  const [outcome, given, reason] = found;
  const told = (ofSchema && OF_SCHEMA[outcome]) || OUTCOMES[outcome] || outcome;
  return element("td", { class: `o-${outcome}`, "data-outcome": outcome },
    element("span", { class: "told" }, told),
    given === null ? null : element("bdi", {}, given),
    reason ? element("span", { class: "why" }, reason) : null);
}

function diffTable(letters, answers, ofSchema) {
  const { rows, notes } = mergedRows(letters, answers);
  if (!rows.length) return [element("p", { class: "faint" }, "No data could be read from these answers.")];
  const head = element("tr", {},
    element("th", { scope: "col" }, "field"), element("th", { scope: "col" }, ofSchema ? "asked for" : "target"),
    letters.map((letter) => element("th", { scope: "col" }, letter)));
  const body = rows.map((row) => element("tr", {}, pathCell(row),
    element("td", {}, element("bdi", {}, row.target)), letters.map((letter) => cell(row.cells[letter], ofSchema))));
  const table = element("table", { class: "diff" }, element("thead", {}, head), element("tbody", {}, body));
  const alike = body.filter((_, place) => Object.values(rows[place].cells).every(([outcome]) => QUIET.includes(outcome)));
  const box = element("input", { type: "checkbox", class: "only-differing" });
  box.addEventListener("change", () => { for (const line of alike) line.hidden = box.checked; });
  return [
    alike.length && alike.length < body.length ? element("label", { class: "facts" }, box,
      ` only the ${counted(body.length - alike.length, "place")} where a run fails`) : null,
    element("div", { class: "diffbox", tabindex: "0", role: "region", "aria-label": "Field by field" }, table),
    ...notes.map((note) => element("p", { class: "faint" }, note)),
  ].filter(Boolean);
}
