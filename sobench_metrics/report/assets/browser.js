// The page comes to life: filters, the list a page at a time, the chosen sample.

const PAGE = 50;
const DELAY = 120; // milliseconds without a key before a search starts
let found = [];
let page = 0;
let asked = 0;

function listItem(sample) {
  const columns = visibleColumns();
  const states = columns.map((column) => `${column.letter} ${stateOf(sample, column.place)}`).join(", ");
  const button = element("button", {
    type: "button", "data-sample": sample.number, "aria-label": `${visible(sample.id)}: ${states}`,
    "aria-current": shownSample === sample ? "true" : null,
  },
  element("span", { class: "name" }, sample.id),
  sample.title ? element("span", { class: "title" }, sample.title) : null,
  element("span", { class: "chips" }, columns.map((column) => chip(column.letter, stateOf(sample, column.place), false))));
  button.addEventListener("click", () => choose(sample, true));
  return element("li", {}, button);
}

function choose(sample, focus) {
  for (const button of document.querySelectorAll("#list button[aria-current]")) button.removeAttribute("aria-current");
  const own = document.querySelector(`#list button[data-sample="${sample.number}"]`);
  if (own) own.setAttribute("aria-current", "true");
  showSample(sample, focus).catch(failed);
}

// The neighbours of the shown sample change with the filter.
function renewTurn() {
  const line = document.querySelector("#detail .turn");
  if (line) line.replaceChildren(neighbour(shownSample, -1, "Previous sample"), neighbour(shownSample, 1, "Next sample"), line.lastChild);
}

// Choose a sample that may stand on another page of the list.
function turnTo(sample) {
  const wanted = Math.floor(found.indexOf(sample) / PAGE);
  if (wanted !== page) {
    page = wanted;
    showList();
  }
  choose(sample, true);
}

function showList() {
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  page = Math.min(page, pages - 1);
  const list = document.getElementById("list");
  list.replaceChildren(...found.slice(page * PAGE, (page + 1) * PAGE).map(listItem));
  list.scrollTop = 0;
  document.getElementById("count").textContent =
    `${found.length.toLocaleString("en")} of ${counted(index.samples.length, "sample")}`;
  const turn = (text, to) => {
    const button = element("button", { type: "button", disabled: to < 0 || to >= pages }, text);
    button.addEventListener("click", () => { page = to; showList(); });
    return button;
  };
  document.getElementById("pages").replaceChildren(...(pages > 1
    ? [turn("Previous", page - 1), element("span", { class: "faint" }, `page ${page + 1} of ${pages}`), turn("Next", page + 1)]
    : []));
}

async function applyFilters() {
  const turn = ++asked;
  const form = document.getElementById("filters");
  const filter = chosen(form);
  const count = document.getElementById("count");
  if (filter.search && !haystacks) {
    await openHaystacks((share) => { count.textContent = `Unpacking texts for the search: ${Math.round(100 * share)} %`; });
  }
  if (turn !== asked) return; // another key was pressed meanwhile
  found = index.samples.filter((sample) => fits(sample, filter));
  page = 0;
  showList();
  if (shownSample) renewTurn();
  document.body.dataset.filtered = String(turn);
}

function failed(error) {
  const state = document.getElementById("state");
  state.hidden = false;
  state.className = "warn";
  state.textContent = `The samples cannot be shown: ${error.message}`;
}

function moveInList(event) {
  const buttons = [...document.querySelectorAll("#list button")];
  const at = buttons.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined || !buttons[to]) return;
  event.preventDefault();
  buttons[to].focus();
}

function toggleColumn(box) {
  document.body.classList.toggle(`without-${box.value}`, !box.checked);
  if (!index) return;
  applyFilters().catch(failed);
  if (shownSample) showSample(shownSample, false).catch(failed);
}

function filterByCode(code) {
  const form = document.getElementById("filters");
  if (!index) return;
  form.reset();
  form.elements.code.value = String(index.codes.indexOf(code));
  applyFilters().catch(failed);
  document.getElementById("samples").scrollIntoView();
  form.elements.code.focus({ preventScroll: true });
}

function wire() {
  const form = document.getElementById("filters");
  let waiting = null;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => applyFilters().catch(failed));
  form.addEventListener("reset", () => setTimeout(() => applyFilters().catch(failed)));
  form.addEventListener("input", (event) => {
    if (event.target.name !== "search") return;
    clearTimeout(waiting);
    waiting = setTimeout(() => applyFilters().catch(failed), DELAY);
  });
  document.getElementById("list").addEventListener("keydown", moveInList);
}

function wireTables() {
  for (const box of document.querySelectorAll(".toggle")) box.addEventListener("change", () => toggleColumn(box));
  for (const button of document.querySelectorAll("button.code")) {
    button.addEventListener("click", () => filterByCode(button.dataset.code));
  }
  for (const choice of document.querySelectorAll("select.figure")) {
    choice.addEventListener("change", () => {
      for (const block of document.querySelectorAll(`#slices-${choice.dataset.view} > [data-figure]`)) {
        block.hidden = block.dataset.figure !== choice.value;
      }
    });
  }
}

async function start() {
  wireTables();
  const state = document.getElementById("state");
  if (typeof DecompressionStream === "undefined") {
    state.className = "warn";
    state.textContent = "This browser cannot unpack the samples: open the page in Chrome 80, Firefox 113, Safari 16.4 or newer.";
    return;
  }
  index = await openIndex();
  buildFilters(document.getElementById("filters"));
  wire();
  document.getElementById("browser").hidden = false;
  state.hidden = true;
  await applyFilters();
  document.body.dataset.ready = "true";
}

start().catch(failed);
