// SPDX-License-Identifier: GPL-2.0-only

/** A text area for code: Tab indents, and leaves it after Escape; Enter keeps the indentation. */

const INDENTATION = "  ";

/** @param {HTMLTextAreaElement} area */
export function bindEditor(area) {
  let isLeaving = false;
  area.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Tab" && !event.shiftKey && !isLeaving) {
      event.preventDefault();
      insert(INDENTATION);
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      insert(`\n${indentationAt(area)}`);
    }
    // Shift on its way to Shift+Tab is no other key.
    if (event.key !== "Shift") isLeaving = event.key === "Escape";
  });
  area.addEventListener("blur", () => {
    isLeaving = false;
  });
}

/** @param {string} text in place of the selection, to be undone as what was typed is */
function insert(text) {
  document.execCommand("insertText", false, text);
}

/** @param {HTMLTextAreaElement} area @returns {string} spaces that the line of the cursor begins with */
function indentationAt({ value, selectionStart }) {
  const begin = value.lastIndexOf("\n", selectionStart - 1) + 1;
  return /^ */.exec(value.slice(begin, selectionStart))?.[0] ?? "";
}
