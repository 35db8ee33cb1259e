// SPDX-License-Identifier: GPL-2.0-only

/** The window of each connection at the moment that the pointer is on, in a box beside it. */
import { sample } from "./chart-controls.js";
import { windowText } from "./chart-panels.js";
import { binAt } from "./chart-traces.js";
import { moment } from "./quantities.js";

/** @typedef {import("./chart-panels.js").Sheet} Sheet */

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
    const rows = valuesAt(sheet, time);
    if (rows.length < 2) {
      this.hide();
      return;
    }
    const { styles, span } = sheet;
    const shown = rows.slice(0, MOST).flatMap(({ session, connection, name, text }) => {
      const value = document.createElement("b");
      value.textContent = text;
      return [sample(styles.of(session, connection)), name, value].map(cell);
    });
    const title = document.createElement("p");
    const more = rows.length > MOST ? `, ${MOST} of ${rows.length} connections` : "";
    title.textContent = `cwnd at ${moment(time, span.end - span.begin)}${more}`;
    const table = document.createElement("div");
    table.className = rows.length > ONE_COLUMN ? "charts-values-two" : "";
    table.append(...shown);
    this.box.replaceChildren(title, table);
    this.box.classList.toggle("charts-values-left", left);
    this.box.hidden = false;
  }
}

/**
 * @param {Pick<Sheet, "traces" | "styles" | "hidden" | "segments">} sheet
 * @param {number} time s
 * @returns {{session: number, connection: number, name: string, text: string}[]} of those that are open
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
 * @param {Node | string} content
 * @returns {HTMLElement}
 */
function cell(content) {
  const made = document.createElement("span");
  made.append(content);
  return made;
}
