"use strict";
// Texts of models reach the page through here alone: as text nodes, signs that hide or turn others made visible.

const SIGNS = /\r\n|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const SHOWN_AT_FIRST = 3000;

function visible(text) {
  return String(text).replace(SIGNS, (sign) => {
    if (sign === "\r\n") return "\n";
    const code = sign.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `\u27e6U+${code.toString(16).toUpperCase().padStart(4, "0")}\u27e7`;
  });
}

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    made.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(2)) {
    if (child === null || child === undefined) continue;
    made.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return made;
}

function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

// The beginning of a text, a button for the rest, and how much the page does not hold.
function longText(text, leftOut, label) {
  const box = element("div", { class: "text", tabindex: "0", role: "region", "aria-label": label });
  const parts = [box];
  const whole = visible(text);
  if (whole.length <= SHOWN_AT_FIRST * 1.2) {
    box.textContent = whole;
  } else {
    box.textContent = whole.slice(0, SHOWN_AT_FIRST) + "\u2026";
    const more = element("button", { type: "button", class: "show-all" }, `Show all ${counted(text.length, "character")}`);
    more.addEventListener("click", () => {
      box.textContent = whole;
      more.remove();
      box.focus();
    });
    parts.push(more);
  }
  if (leftOut > 0) {
    parts.push(element("p", { class: "faint" }, `${counted(leftOut, "further character")} not held by this page.`));
  }
  return parts;
}

function folded(summary, build) {
  const made = element("details", {}, element("summary", {}, summary));
  made.addEventListener("toggle", () => made.open && made.childElementCount === 1 && made.append(...build()), {});
  return made;
}
