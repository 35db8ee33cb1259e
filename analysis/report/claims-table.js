// SPDX-License-Identifier: GPL-2.0-only

// Sorts the table of claims by a column, and filters its rows. Without it the table is whole.

const table = /** @type {HTMLTableElement} */ (document.getElementById("claims"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("filter"));
if (table && form) {
  sortable(table);
  filterable(table, form);
}

/** @param {HTMLTableElement} table gets a button in each heading */
function sortable(table) {
  const headings = [...(table.tHead?.rows[0]?.cells ?? [])];
  for (const [column, heading] of headings.entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const rising = heading.ariaSort !== "ascending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.ariaSort = rising ? "ascending" : "descending";
      sort(table.tBodies[0], column, rising ? 1 : -1);
    });
  }
}

/**
 * @param {HTMLTableSectionElement} body
 * @param {number} column
 * @param {1 | -1} sign
 */
function sort(body, column, sign) {
  const { compare } = new Intl.Collator("en", { numeric: true });
  const rows = [...body.rows].map((row) => ({ row, text: row.cells[column].textContent ?? "" }));
  rows.sort((a, b) => sign * compare(a.text, b.text));
  body.append(...rows.map(({ row }) => row));
}

/**
 * @param {HTMLTableElement} table
 * @param {HTMLFormElement} form with fields paper, verdict and text; is shown
 */
function filterable(table, form) {
  const rows = [...table.tBodies[0].rows];
  const status = form.querySelector("[role=status]");
  const filter = () => {
    const { paper = "", verdict = "", text = "" } = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, String(value)]),
    );
    const words = text.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const said = (row.textContent ?? "").toLowerCase();
      row.hidden =
        !["", row.dataset.paper].includes(paper) ||
        !["", row.dataset.verdict].includes(verdict) ||
        !words.every((word) => said.includes(word));
    }
    const shown = rows.filter((row) => !row.hidden).length;
    if (status) status.textContent = `${shown} of ${rows.length} claims`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("reset", () => setTimeout(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();
}
