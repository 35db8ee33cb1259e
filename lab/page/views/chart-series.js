// SPDX-License-Identifier: GPL-2.0-only

/** Parts of uPlot's series that several panels have in common. */

/** @typedef {import("./chart-panels.js").Sheet} Sheet */

/** What a series has whose line its own path draws. */
export const HIDDEN_LINE = { points: { show: false }, auto: false, pxAlign: 0 };

/**
 * @param {import("./chart-panels.js").Flows} scenario
 * @returns {number} sessions and backgrounds
 */
export function flowsOf({ sessions, background }) {
  return sessions.length + background.length;
}

/**
 * @param {() => string} fill
 * @returns {object} a series of bars
 */
export function bars(fill) {
  const paths = /** @type {any} */ (globalThis).uPlot.paths.bars({ size: [1, 12, 2] });
  return { ...HIDDEN_LINE, width: 0, fill, paths };
}

/**
 * @param {Sheet} sheet
 * @param {number} flow sessions, then backgrounds
 * @param {number} width CSS pixels
 * @returns {object} without paths
 */
export function flowSeries(sheet, flow, width) {
  const style = sheet.styles.of(flow, 0);
  return {
    ...HIDDEN_LINE,
    width,
    show:
      sheet.styles.flows === 1 ||
      !sheet.hidden.has(sheet.styles.group({ session: flow, connection: 0 })),
    dash: scaled(style.dash),
    stroke: style.colour,
  };
}

/**
 * @param {number[]} dash CSS pixels
 * @returns {number[]} canvas pixels: uPlot leaves dashes as they are
 */
export function scaled(dash) {
  return dash.map((part) => part * devicePixelRatio);
}
