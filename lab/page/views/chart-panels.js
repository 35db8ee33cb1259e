// SPDX-License-Identifier: GPL-2.0-only

import { bandPath, extremesPath, linePath, stepsPath } from "./chart-paths.js";
/** The panels of the charts: what each draws, up to where, and what it says of one moment. */
import { rtt } from "./chart-rtt.js";
import { bars, flowSeries, flowsOf, HIDDEN_LINE, scaled } from "./chart-series.js";
import { binAt, intervalAt, largest, largestStep, valueAt } from "./chart-traces.js";
import { withAlpha } from "./colours.js";
import { byFlow } from "./flow-names.js";
import {
  duration,
  NOTHING,
  queueingDelay,
  rate,
  significant,
  size,
  unitFor,
  whole,
} from "./quantities.js";

/** @typedef {import("./chart-traces.js").Traces} Traces */
/** @typedef {{sessions: {mode?: string}[], background: object[], stack?: string}} Flows as much of a scenario */

/**
 * @typedef {object} Sheet what the panels draw from, exchanged with every update
 * @property {Traces} traces
 * @property {import("./time-view.js").Span} span of time that is shown
 * @property {import("./view-types.js").Scenario} scenario
 * @property {import("./colours.js").Theme} theme
 * @property {import("./colours.js").Styles} styles
 * @property {boolean} ssthresh whether it is shown
 * @property {boolean} flight whether data in flight is shown
 * @property {boolean} segments whether cwnd is counted in segments, else in bytes
 * @property {Set<string>} hidden groups of connections
 * @property {() => Sheet | null} [peer] of charts that have the same axes; without it there are none
 *
 * @typedef {object} Measure of an axis
 * @property {string} unit without a prefix
 * @property {number} per what is one of it
 *
 * @typedef {object} Line a horizontal line of reference
 * @property {number} value
 * @property {string} label
 * @property {string} [short] where there is little width
 *
 * @typedef {object} Panel
 * @property {string} name
 * @property {string} title
 * @property {string} unit without a prefix
 * @property {number} height that its plot likes, CSS pixels
 * @property {(scenario: Flows) => boolean} [isOf] whether it is there; without it always
 * @property {(sheet: Sheet) => object[]} series uPlot's; paths read the sheet
 * @property {(sheet: Sheet) => ArrayLike<number>[]} [data] of the series, where paths do not have them
 * @property {(sheet: Sheet) => number} top of the axis
 * @property {(sheet: Sheet) => Line[]} lines
 * @property {(sheet: Sheet) => Measure} [measure] in place of the unit
 * @property {(sheet: Sheet) => string} [of] what stands behind the unit in its title
 * @property {(sheet: Sheet) => string} [note] written into the plot
 * @property {(sheet: Sheet, time: number) => string} readout
 */

/** More dashed lines than this take too long to draw. */
const MOST_DASHED = 32;

/** @type {Panel} */
const windows = {
  name: "cwnd",
  title: "cwnd of each connection",
  unit: "B",
  height: 190,
  measure: ({ segments, traces }) =>
    segments ? { unit: "segments", per: traces.charts.segment } : { unit: "B", per: 1 },
  series: (sheet) => [
    ...(withThresholds(sheet)
      ? sheet.traces.windows.map((_, index) => thresholdSeries(sheet, index))
      : []),
    ...(withFlight(sheet)
      ? sheet.traces.windows.map((_, index) => flightSeries(sheet, index))
      : []),
    ...sheet.traces.windows.map((_, index) => windowSeries(sheet, index)),
  ],
  // Beyond W a window grows without use (nothing more is sent): no axis need follow it there.
  top: (sheet) => {
    const shown = visible(sheet);
    const buffer = largest([buffersOf(sheet.scenario)]);
    const most = largestWindow(sheet);
    const thresholds = withThresholds(sheet) ? largest(shown.map(({ ssthresh }) => ssthresh)) : 0;
    const wanted = Math.max(most, thresholds <= 2 * most ? thresholds : 0, 1000);
    return 1.08 * (sheet.traces.charts.moving ? wanted : Math.min(wanted, 1.5 * buffer));
  },
  lines: ({ scenario, traces }) => {
    const sizes = new Set(buffersOf(scenario));
    return sizes.size === 1 && !traces.charts.moving
      ? [{ value: [...sizes][0], label: "W, the most in flight", short: "W" }]
      : [];
  },
  note: (sheet) => {
    if (sheet.scenario.stack === "linux") return withFlight(sheet) ? "pale: in flight" : "";
    if (sheet.traces.charts.moving) return "limited by the receiver's window";
    const beyond = largestWindow(sheet) > topOf(windows, sheet);
    return beyond ? "along the top: cwnd above W, without effect" : "";
  },
  readout: (sheet, time) => {
    const { traces, scenario } = sheet;
    const bin = binAt(traces, time);
    const buffers = buffersOf(scenario);
    let sum = 0;
    for (const { session, last } of traces.charts.windows) {
      const most = traces.charts.moving ? Infinity : buffers[session];
      if (Number.isFinite(last[bin])) sum += Math.min(last[bin], most);
    }
    if (traces.total === 1) return windowText(sheet, traces.windows[0].last[bin]);
    const [drawn, total] = [traces.windows.length, traces.total];
    return `together ${windowText(sheet, sum)}${drawn < total ? `, ${drawn} of ${total} drawn` : ""}`;
  },
};

/** @type {Panel} */
const queue = {
  name: "queue",
  title: "queue",
  unit: "packets",
  height: 90,
  series: (sheet) => [
    {
      ...HIDDEN_LINE,
      width: 0,
      fill: () => withAlpha(sheet.theme.text, 0.2),
      paths: (/** @type {any} */ chart) => {
        const { times, queue: trace } = sheet.traces.charts;
        return bandPath(chart, times, trace.min, trace.max);
      },
    },
    {
      ...HIDDEN_LINE,
      width: 1.5,
      stroke: () => sheet.theme.text,
      paths: (/** @type {any} */ chart) => {
        const { times, queue: trace } = sheet.traces.charts;
        return linePath(chart, times, trace.last, 1);
      },
    },
  ],
  top: (sheet) => {
    const most = largest([sheet.traces.charts.queue.max]);
    const limit = sheet.scenario.queue_packets;
    return most > limit / 4 ? limit * 1.1 : Math.max(4, most * 1.2);
  },
  lines: ({ scenario }) => [
    { value: scenario.queue_packets, label: "limit" },
    ...(scenario.queue_discipline === "red"
      ? [
          { value: scenario.red_max_threshold_packets, label: "RED max" },
          { value: scenario.red_min_threshold_packets, label: "RED min" },
        ]
      : []),
  ],
  readout: ({ traces, scenario }, time) => {
    const bin = binAt(traces, time);
    const { min, max, last } = traces.charts.queue;
    if (!Number.isFinite(last[bin])) return NOTHING;
    const wait = duration(queueingDelay(last[bin], scenario));
    return `${whole(last[bin])} (${whole(min[bin])} to ${whole(max[bin])}), ${wait} to wait`;
  },
};

/** @type {Panel} */
const drops = {
  name: "drops",
  title: "drops",
  unit: "packets",
  height: 64,
  series: (sheet) => [
    ...(sheet.scenario.ecn ? [bars(() => sheet.theme.mark)] : []),
    bars(() => sheet.theme.alert),
  ],
  data: ({ scenario, traces: { charts } }) =>
    scenario.ecn ? [dropsAndMarks(charts), charts.drops] : [charts.drops],
  of: ({ scenario, traces: { charts } }) => {
    const width = (charts.end - charts.begin) / charts.times.length;
    const marks = scenario.ecn ? " and marks" : "";
    return `${marks}${Number.isFinite(width) ? ` in ${significant(width * 1000)}\u00a0ms each` : ""}`;
  },
  note: ({ scenario }) => (scenario.ecn ? "red: dropped, violet: marked" : ""),
  top: ({ traces: { charts } }) => Math.max(2, largest([dropsAndMarks(charts)]) * 1.15),
  lines: () => [],
  readout: ({ scenario, traces }, time) => {
    const { times, drops: counts, marks } = traces.charts;
    const bin = binAt(traces, time);
    if (times.length === 0) return NOTHING;
    return `${whole(counts[bin])}${scenario.ecn ? `, marked ${whole(marks[bin])}` : ""}`;
  },
};

/** @type {Panel} */
const goodput = {
  name: "goodput",
  title: "goodput",
  of: ({ traces }) => lengthOf(traces),
  note: ({ traces }) => (hasChunks(traces) ? "thick: mean of a chunk" : ""),
  unit: "bit/s",
  height: 96,
  series: (sheet) => [
    ...sheet.traces.goodputs.map((_, flow) => ({
      ...stepSeries(sheet, flow, "goodputs", 3),
      alpha: 0.45,
    })),
    ...sheet.traces.charts.intervals.goodputs.map((_, flow) => ({
      ...flowSeries(sheet, flow, 1.25),
      paths: (/** @type {any} */ chart) => {
        const { times, goodputs } = sheet.traces.charts.intervals;
        return linePath(chart, times, goodputs[flow], 1);
      },
    })),
  ],
  top: ({ traces, scenario, span: { begin, end } }) => {
    const most = Math.max(
      largest(traces.charts.intervals.goodputs),
      ...traces.goodputs.map((one) => largestStep(one, begin, end)),
    );
    const bandwidth = scenario.bandwidth_bps;
    return most > bandwidth / 6 || most === 0 ? Math.max(bandwidth, most) * 1.12 : most * 1.3;
  },
  lines: ({ scenario }) => [{ value: scenario.bandwidth_bps, label: "B" }],
  readout: ({ traces, scenario }, time) => {
    const { goodputs } = traces.charts.intervals;
    const at = intervalAt(traces, time);
    const texts = goodputs.map((values) => rate(values[at]));
    const chunk = goodputs.length === 1 ? valueAt(traces.goodputs[0], time) : null;
    return byFlow(scenario, texts) + (chunk === null ? "" : `, chunk: ${rate(chunk)}`);
  },
};

/** @type {Panel} */
const fairness = {
  name: "fairness",
  title: "Jain's index",
  of: ({ scenario }) => ` (1: all equal, 1/${flowsOf(scenario)}: one has all)`,
  unit: "",
  height: 44,
  isOf: (scenario) => flowsOf(scenario) > 1,
  series: (sheet) => [
    {
      ...HIDDEN_LINE,
      width: 1.5,
      stroke: () => sheet.theme.text,
      paths: (/** @type {any} */ chart) => {
        const { times, jain } = sheet.traces.charts.intervals;
        return linePath(chart, times, jain, 1);
      },
    },
  ],
  top: () => 1.12,
  lines: () => [{ value: 1, label: "" }],
  readout: ({ traces }, time) => {
    const value = traces.charts.intervals.jain[intervalAt(traces, time)];
    return value === undefined ? NOTHING : significant(value, 2);
  },
};

/** @type {Panel} */
const parallelism = {
  name: "parallelism",
  title: "N",
  unit: "connections",
  height: 80,
  // Where N cannot change the boxes of the clients show it, and the room is for other panels
  isOf: (scenario) => scenario.sessions.some((session) => session.mode !== "fixed"),
  series: (sheet) =>
    sheet.traces.parallelism.map((_, session) => stepSeries(sheet, session, "parallelism", 2)),
  top: ({ traces, span: { begin, end } }) => {
    return 1.2 * Math.max(2, ...traces.parallelism.map((one) => largestStep(one, begin, end)));
  },
  lines: () => [],
  readout: ({ traces, scenario }, time) =>
    byFlow(
      scenario,
      traces.parallelism.map((steps) => String(valueAt(steps, time) ?? NOTHING)),
    ),
};

/** From the top to the bottom. */
export const PANELS = [windows, queue, drops, rtt, goodput, fairness, parallelism];

/**
 * @param {Panel} panel
 * @param {Flows} scenario
 * @returns {boolean} whether it says anything of that
 */
export function isOf(panel, scenario) {
  return panel.isOf?.(scenario) ?? true;
}

/**
 * @param {Panel} panel
 * @param {Sheet} sheet
 * @returns {number} top of its axis: the higher one of charts that have the same axes
 */
export function topOf(panel, sheet) {
  const peer = sheet.peer?.();
  return Math.max(panel.top(sheet), peer ? panel.top(peer) : 0);
}

/**
 * @param {Panel} panel
 * @param {Sheet} sheet
 * @returns {ArrayLike<number>[]} uPlot's data: paths are drawn from the traces, bars from here
 */
export function dataOf(panel, sheet) {
  const { times } = sheet.traces.charts;
  return [times, ...(panel.data?.(sheet) ?? panel.series(sheet).map(() => times))];
}

/**
 * @param {Panel} panel
 * @param {Sheet} sheet
 * @returns {Measure}
 */
export function measureOf({ unit, measure }, sheet) {
  return measure?.(sheet) ?? { unit, per: 1 };
}

/**
 * @param {Panel} panel
 * @param {Sheet} sheet
 * @returns {string} its title with the unit
 */
export function headingOf(panel, sheet) {
  const { unit } = measureOf(panel, sheet);
  const shown =
    unit === "connections" || unit === "" ? "" : `, ${unitFor(unit, topOf(panel, sheet))}`;
  return `${panel.title}${shown}${panel.of?.(sheet) ?? ""}`;
}

/**
 * @param {Pick<Sheet, "segments" | "traces">} sheet
 * @param {number} bytes
 * @returns {string} of a window, as its axis counts
 */
export function windowText({ segments, traces }, bytes) {
  if (!segments || !Number.isFinite(bytes)) return size(bytes);
  return `${significant(bytes / traces.charts.segment)}\u00a0segments`;
}

/**
 * @param {Sheet} sheet
 * @returns {boolean}
 */
function withThresholds({ ssthresh, traces }) {
  return ssthresh && traces.few;
}

/**
 * @param {import("./view-types.js").Scenario} scenario
 * @returns {number[]} W of each session and background
 */
function buffersOf({ sessions, background }) {
  return [...sessions, ...background].map(({ window_bytes }) => window_bytes);
}

/**
 * @param {Sheet} sheet
 * @returns {number} of those that are shown
 */
function largestWindow(sheet) {
  return largest(visible(sheet).map(({ max, last }) => (max.length > 0 ? max : last)));
}

/**
 * @param {Sheet} sheet
 * @returns {import("../engine/laboratory.js").ChartData["windows"][number][]}
 */
function visible({ traces, styles, hidden }) {
  return traces.windows.filter((one) => !hidden.has(styles.group(one)));
}

/**
 * @param {Sheet} sheet
 * @param {number} index
 * @returns {object}
 */
function windowSeries(sheet, index) {
  const { few, windows: all } = sheet.traces;
  const style = sheet.styles.of(all[index].session, all[index].connection);
  return {
    ...HIDDEN_LINE,
    show: !sheet.hidden.has(sheet.styles.group(all[index])),
    width: few ? 1.5 : 1,
    alpha: few ? 1 : 0.7,
    dash: few || sheet.traces.total <= MOST_DASHED ? scaled(style.dash) : [],
    stroke: style.colour,
    paths: (/** @type {any} */ chart) => {
      const { charts, windows: traces, stride } = sheet.traces;
      if (few) return extremesPath(chart, charts.times, traces[index]);
      return linePath(chart, charts.times, traces[index].last, stride);
    },
  };
}

/**
 * @param {Sheet} sheet
 * @param {number} index
 * @returns {object}
 */
function thresholdSeries(sheet, index) {
  const { few, windows: all } = sheet.traces;
  const style = sheet.styles.of(all[index].session, all[index].connection);
  return {
    ...HIDDEN_LINE,
    show: !sheet.hidden.has(sheet.styles.group(all[index])),
    width: 1,
    alpha: 0.6,
    dash: scaled([4, 4]),
    stroke: style.colour,
    paths: (/** @type {any} */ chart) => {
      const { charts, windows: traces, stride } = sheet.traces;
      return linePath(chart, charts.times, traces[index].ssthresh, few ? 1 : stride);
    },
  };
}

/**
 * @param {Sheet} sheet
 * @returns {boolean}
 */
function withFlight({ flight, traces }) {
  return flight && traces.few;
}

/**
 * @param {Sheet} sheet
 * @param {number} index
 * @returns {object}
 */
function flightSeries(sheet, index) {
  const { windows: all } = sheet.traces;
  return {
    ...HIDDEN_LINE,
    show: !sheet.hidden.has(sheet.styles.group(all[index])),
    width: 2.5,
    alpha: 0.4,
    stroke: sheet.styles.of(all[index].session, all[index].connection).colour,
    paths: (/** @type {any} */ chart) => {
      const { charts, windows: traces } = sheet.traces;
      return linePath(chart, charts.times, traces[index].flight, 1);
    },
  };
}

/**
 * @param {Traces["charts"]} charts
 * @returns {Uint32Array} how many packets the queue has dropped or marked in each bin
 */
function dropsAndMarks({ drops: counts, marks }) {
  return counts.map((count, bin) => count + marks[bin]);
}

/**
 * @param {Sheet} sheet
 * @param {number} flow sessions, then backgrounds
 * @param {"goodputs" | "parallelism"} which
 * @param {number} width CSS pixels
 * @returns {object}
 */
function stepSeries(sheet, flow, which, width) {
  return {
    ...flowSeries(sheet, flow, width),
    paths: (/** @type {any} */ chart) => stepsPath(chart, sheet.traces[which][flow]),
  };
}

/**
 * @param {Traces} traces
 * @returns {string} how long the intervals are in which goodput is counted, as titles say it
 */
function lengthOf({ charts: { intervals } }) {
  const length = intervals.ends[0] - intervals.begins[0];
  return Number.isFinite(length) ? ` in ${duration(length)} each` : "";
}

/**
 * @param {Traces} traces
 * @returns {boolean} whether any is complete
 */
function hasChunks({ goodputs }) {
  return goodputs.some((chunks) => chunks.length > 0);
}
