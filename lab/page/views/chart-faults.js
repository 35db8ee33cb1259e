// SPDX-License-Identifier: GPL-2.0-only

/** Marks on the charts: when a fault strikes and how long it lasts, when a client begins anew. */
import { withAlpha } from "./colours.js";
import { lasts } from "./dumbbell-faults.js";

/** @typedef {import("./chart-panels.js").Sheet} Sheet */
/** @typedef {{at: number, text: string, alert: boolean}} Mark */

/**
 * @param {Pick<Sheet, "scenario" | "traces">} sheet
 * @returns {Mark[]} those that have come
 */
export function marksOf({ scenario, traces }) {
  const struck = (scenario.faults ?? []).map(({ at_s, kind }) => ({
    at: at_s,
    text: kind,
    alert: true,
  }));
  const begun = traces.restarts.map((at) => ({ at, text: "restart", alert: false }));
  return [...struck, ...begun].filter(({ at }) => at <= traces.now);
}

/**
 * @param {any} chart a uPlot
 * @param {Sheet} sheet
 * @param {boolean} named whether the words stand beside the marks
 */
export function drawMarks(chart, sheet, named) {
  const marks = marksOf(sheet);
  if (marks.length === 0) return;
  const { ctx, bbox } = chart;
  const { theme, span, traces, scenario } = sheet;
  const ratio = devicePixelRatio;
  const place = (/** @type {number} */ time) =>
    chart.valToPos(Math.min(span.end, Math.max(span.begin, time)), "x", true);
  ctx.save();
  ctx.fillStyle = withAlpha(theme.alert, 0.1);
  for (const fault of scenario.faults ?? []) {
    if (fault.kind === "data-reset") continue;
    const end = lasts(fault, traces.now) ? traces.now : fault.at_s + fault.for_s;
    if (end <= fault.at_s || fault.at_s > traces.now) continue;
    const x = place(fault.at_s);
    ctx.fillRect(x, bbox.top, place(end) - x, bbox.height);
  }
  ctx.font = `${Math.round(11 * ratio)}px ${theme.font}`;
  ctx.textBaseline = "bottom";
  let row = 0;
  for (const { at, text, alert } of marks) {
    if (at < span.begin || at > span.end) continue;
    const x = place(at);
    ctx.strokeStyle = alert ? theme.alert : theme.text;
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash(alert ? [] : [3 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (!named) continue;
    const width = ctx.measureText(text).width;
    const right = x + width + 6 * ratio > bbox.left + bbox.width;
    const left = right ? x - 4 * ratio - width : x + 4 * ratio;
    // Above one another, from the axis on: at the top are the words of the lines
    const y = bbox.top + bbox.height - (2 + 13 * (row % 3)) * ratio;
    ctx.textAlign = "left";
    ctx.fillStyle = withAlpha(theme.background, 0.8);
    ctx.fillRect(left - ratio, y - 12 * ratio, width + 2 * ratio, 12 * ratio);
    ctx.fillStyle = ctx.strokeStyle;
    ctx.fillText(text, left, y);
    row += 1;
  }
  ctx.restore();
}
