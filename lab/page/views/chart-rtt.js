// SPDX-License-Identifier: GPL-2.0-only

/** The panel of round-trip times: of each flow, and what they are while nothing waits. */
import { bandPath, linePath } from "./chart-paths.js";
import { flowSeries, flowsOf } from "./chart-series.js";
import { binAt, largest } from "./chart-traces.js";
import { withAlpha } from "./colours.js";
import { byFlow } from "./flow-names.js";
import { duration } from "./quantities.js";

/** @typedef {import("./chart-panels.js").Panel} Panel */

/** Of more flows there is no RTT (see frame.js). */
const MOST_RTTS = 16;
/** With a lower RTT its axis is in microseconds, s. */
const LEAST_FOR_MS = 4e-3;

/** @type {Panel} */
export const rtt = {
  name: "rtt",
  title: "smoothed RTT",
  unit: "s",
  height: 80,
  // Of the papers' hosts the room is for N, or for the shares of several flows
  isOf: (scenario) =>
    scenario.stack === "linux"
      ? flowsOf(scenario) <= MOST_RTTS
      : flowsOf(scenario) === 1 && scenario.sessions.every(({ mode }) => mode === "fixed"),
  measure: ({ traces }) =>
    Math.min(...traces.charts.idle) < LEAST_FOR_MS
      ? { unit: "µs", per: 1e-6 }
      : { unit: "ms", per: 1e-3 },
  of: ({ scenario }) => (flowsOf(scenario) > 1 ? " of each flow" : ""),
  series: (sheet) =>
    sheet.traces.charts.rtts.flatMap((_, flow) => [
      {
        ...flowSeries(sheet, flow, 0),
        fill: () => withAlpha(sheet.styles.of(flow, 0).colour, 0.2),
        paths: (/** @type {any} */ chart) => {
          const { times, rtts } = sheet.traces.charts;
          return bandPath(chart, times, rtts[flow].min, rtts[flow].max);
        },
      },
      {
        ...flowSeries(sheet, flow, 1.5),
        paths: (/** @type {any} */ chart) => {
          const { times, rtts } = sheet.traces.charts;
          return linePath(chart, times, rtts[flow].last, 1);
        },
      },
    ]),
  top: ({ traces: { charts } }) =>
    1.2 * Math.max(largest(charts.rtts.map(({ max }) => max)), ...charts.idle),
  lines: ({ traces, scenario }) => {
    const least = [...new Set(traces.charts.idle)];
    if (least.length > 1) return [];
    const target = targetOf(scenario);
    return [
      { value: least[0], label: "empty queues", short: "R" },
      ...(target > 0 ? [{ value: least[0] + target, label: "target of the queue" }] : []),
    ];
  },
  readout: ({ traces, scenario }, time) => {
    const { rtts, idle } = traces.charts;
    const bin = binAt(traces, time);
    const texts = rtts.map(({ last }) => duration(last[bin]));
    const wait = rtts[0]?.last[bin] - idle[0];
    const alone = rtts.length === 1 && Number.isFinite(wait);
    return `${byFlow(scenario, texts)}${alone ? `, ${duration(Math.max(0, wait))} more than R` : ""}`;
  },
};

/**
 * @param {import("./view-types.js").Scenario} scenario
 * @returns {number} how long packets may wait in its queue by its discipline, s; 0: it has no such rule
 */
function targetOf({ queue_discipline: discipline, codel_target_s: codel, pie_target_s: pie }) {
  if (discipline === "pie") return pie ?? 0;
  return discipline === "codel" || discipline === "fq-codel" ? (codel ?? 0) : 0;
}
