// SPDX-License-Identifier: GPL-2.0-only

/**
 * The window of each connection at the moment that the pointer is on, and the goodput of each flow, in a box
 * beside it.
 */
import { sample } from "./chart-controls.js";
import { windowText } from "./chart-panels.js";
import { binAt, intervalAt } from "./chart-traces.js";
import { moment, rate } from "./quantities.js";

/** @typedef {import("./chart-panels.js").Sheet} Sheet */
/** @typedef {{session: number, connection: number, name: string, text: string}} Row */

/** With more connections than that, these alone. */
const MOST = 24;
const ONE_COLUMN = 8;

export class ChartValues {
  /** @param {HTMLElement} element that the charts are in; the box lies over it */
  constructor(element) {
    this.box = document.createElement("div");
    this.box.className = "charts-values";
    this.box.setAttribute("aria-hidden", "true");
    this.box.hidden = true;
    element.append(this.box);
  }

  hide() {
    this.box.hidden = true;
  }

  /**
   * @param {Sheet} sheet
   * @param {number} time s
   * @param {boolean} left whether it stands at the left, the pointer being at the right
   */
  show(sheet, time, left) {
    const windows = valuesAt(sheet, time);
    const flows = goodputsAt(sheet, time);
    if (windows.length < 2 && flows.length < 2) {
      this.hide();
      return;
    }
    const { styles, span } = sheet;
    const more = windows.length > MOST ? `, ${MOST} of ${windows.length} connections` : "";
    this.box.replaceChildren(
      ...part(`cwnd at ${moment(time, span.end - span.begin)}${more}`, styles, windows),
      ...part("goodput at that time", styles, flows),
    );
    this.box.classList.toggle("charts-values-left", left);
    this.box.hidden = false;
  }
}

/**
 * @param {Pick<Sheet, "traces" | "styles" | "hidden" | "segments">} sheet
 * @param {number} time s
 * @returns {Row[]} of those that are open
 */
export function valuesAt(sheet, time) {
  const { traces, styles, hidden } = sheet;
  const bin = binAt(traces, time);
  return traces.charts.windows
    .filter((one) => Number.isFinite(one.last[bin]) && !hidden.has(styles.group(one)))
    .map(({ session, connection, last }) => ({
      session,
      connection,
      name: styles.connectionName({ session, connection }),
      text: windowText(sheet, last[bin]),
    }));
}

/**
 * @param {Pick<Sheet, "traces" | "styles" | "hidden">} sheet
 * @param {number} time s
 * @returns {Row[]} of the flows, in the interval of that time, those that are on; none of one alone
 */
export function goodputsAt({ traces, styles, hidden }, time) {
  const { goodputs } = traces.charts.intervals;
  const at = intervalAt(traces, time);
  const rows = goodputs.map((values, session) => ({
    session,
    connection: 0,
    name: styles.name({ session, connection: 0 }),
    text: rate(values[at]),
  }));
  return goodputs.length < 2
    ? []
    : rows.filter(
        (row) => Number.isFinite(goodputs[row.session][at]) && !hidden.has(styles.group(row)),
      );
}

/**
 * @param {string} title
 * @param {import("./colours.js").Styles} styles
 * @param {Row[]} rows
 * @returns {HTMLElement[]} a title and a table; none without rows
 */
function part(title, styles, rows) {
  if (rows.length === 0) return [];
  const head = document.createElement("p");
  head.textContent = title;
  const table = document.createElement("div");
  table.className = rows.length > ONE_COLUMN ? "charts-values-two" : "";
  table.append(
    ...rows.slice(0, MOST).flatMap(({ session, connection, name, text }) => {
      const value = document.createElement("b");
      value.textContent = text;
      return [sample(styles.of(session, connection)), name, value].map(cell);
    }),
  );
  return [head, table];
}

/**
 * @param {Node | string} content
 * @returns {HTMLElement}
 */
function cell(content) {
  const made = document.createElement("span");
  made.append(content);
  return made;
}
