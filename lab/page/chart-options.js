// SPDX-License-Identifier: GPL-2.0-only

/** A panel as uPlot's options: axes, scales, cursor, lines of reference. */
import { dataOf } from "./chart-panels.js";
import { withAlpha } from "./colours.js";
import { prefixFor } from "./quantities.js";

/** @typedef {import("./chart-panels.js").Panel} Panel */
/** @typedef {import("./chart-panels.js").Sheet} Sheet */

/**
 * @typedef {object} Hands what the reader does on a chart
 * @property {string} key of the charts whose cursors go together
 * @property {(chart: any) => void} cursor
 * @property {(chart: any) => void} select
 * @property {() => void} whole
 */

const AXIS_WIDTH = 58;
const TIME_HEIGHT = 38;
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 1e5, 1e6];
const BARE_HEIGHT = 8;

/**
 * @param {Panel} panel
 * @param {Sheet} sheet kept, and read whenever the chart is drawn
 * @param {number} width CSS pixels
 * @param {boolean} last whether the time is written below it
 * @param {Hands | null} hands none: only a picture is wanted
 * @returns {any} uPlot's options
 */
export function panelOptions(panel, sheet, width, last, hands) {
  const { theme } = sheet;
  const height = panelHeight(panel, last);
  return {
    width,
    height,
    padding: [6, 12, 0, 0],
    legend: { show: false },
    cursor: hands === null ? { show: false } : cursor(hands),
    scales: {
      x: { time: false, range: () => [sheet.traces.charts.begin, sheet.traces.charts.end] },
      y: { range: () => [0, panel.top(sheet)] },
    },
    axes: [timeAxis(theme, last), valueAxis(panel, theme)],
    series: [{}, ...panel.series(sheet)],
    hooks: {
      drawAxes: [(/** @type {any} */ chart) => drawLines(chart, panel.lines(sheet), theme)],
      draw: [
        (/** @type {any} */ chart) => drawNow(chart, sheet),
        (/** @type {any} */ chart) => labelLines(chart, panel.lines(sheet), theme),
        (/** @type {any} */ chart) => {
          const note = panel.note?.(sheet) ?? "";
          if (note !== "") write(chart, note, chart.bbox.top + 11 * devicePixelRatio, theme);
        },
      ],
      setCursor: hands === null ? [] : [hands.cursor],
      setSelect: hands === null ? [] : [hands.select],
    },
  };
}

/**
 * @param {Panel} panel
 * @param {boolean} last
 * @returns {number} of plot and axis, CSS pixels
 */
export function panelHeight(panel, last) {
  return panel.height + (last ? TIME_HEIGHT : BARE_HEIGHT);
}

/**
 * @param {Panel} panel
 * @param {Sheet} sheet
 * @param {number} width
 * @param {boolean} last
 * @returns {any} a uPlot that has drawn itself at once, off screen
 */
export function pictured(panel, sheet, width, last) {
  const options = panelOptions(panel, sheet, width, last, null);
  const { uPlot } = /** @type {any} */ (globalThis);
  return new uPlot(options, dataOf(panel, sheet), drawnAtOnce);
}

/**
 * @param {any} chart
 * @param {() => void} begin
 */
export function drawnAtOnce(chart, begin) {
  chart.batch(begin);
}

/**
 * @param {Hands} hands
 * @returns {any}
 */
function cursor({ key, whole }) {
  const passing = (/** @type {string} */ type) => type === "mousemove" || type === "mouseleave";
  return {
    y: false,
    points: { show: false },
    drag: { x: true, y: false, setScale: false },
    sync: { key, setSeries: false, scales: ["x", null], filters: { pub: passing, sub: passing } },
    bind: {
      dblclick: () => () => {
        whole();
        return null;
      },
    },
  };
}

/**
 * @param {import("./colours.js").Theme} theme
 * @param {boolean} last
 * @returns {any}
 */
export function timeAxis(theme, last) {
  const axis = {
    stroke: theme.muted,
    font: `12px ${theme.font}`,
    grid: { stroke: theme.faint, width: 1 },
    ticks: { stroke: theme.faint, width: 1, size: 5, show: last },
    space: 64,
  };
  if (!last) return { ...axis, size: BARE_HEIGHT, values: () => [] };
  const label = { label: "simulated time (s)", labelFont: `12px ${theme.font}`, labelSize: 15, labelGap: 0 };
  return { ...axis, ...label, size: TIME_HEIGHT - 15, gap: 2, values: plainNumbers(1) };
}

/**
 * @param {{unit: string}} panel
 * @param {import("./colours.js").Theme} theme
 * @returns {any}
 */
export function valueAxis({ unit }, theme) {
  const counts = unit === "connections" || unit === "packets";
  const scale = (/** @type {any} */ chart) => (counts ? { prefix: "", by: 1 } : prefixFor(chart.scales.y.max));
  return {
    stroke: theme.muted,
    font: `12px ${theme.font}`,
    label: (/** @type {any} */ chart) => `${scale(chart).prefix}${unit}`,
    labelFont: `12px ${theme.font}`,
    labelSize: 16,
    labelGap: 0,
    size: AXIS_WIDTH - 16,
    gap: 3,
    grid: { stroke: theme.faint, width: 1 },
    ticks: { stroke: theme.faint, width: 1, size: 4 },
    space: 26,
    values: (/** @type {any} */ chart, /** @type {number[]} */ splits, ...rest) =>
      plainNumbers(scale(chart).by)(chart, splits, ...rest),
    ...(counts ? { incrs: WHOLE_STEPS } : {}),
  };
}

/**
 * @param {number} scale values are divided by it
 * @returns {(chart: any, splits: number[], ...rest: any[]) => string[]} labels of an axis; rest: its
 *   number, its space, its step
 */
export function plainNumbers(scale) {
  return (_chart, splits, ...[, , step]) => {
    const places = Math.max(0, Math.min(9, -Math.floor(Math.log10(step / scale) + 1e-9)));
    return splits.map((value) => {
      const number = value / scale;
      return number >= 1e5 ? `${number / 1000}k` : number.toFixed(places);
    });
  };
}

/**
 * @param {any} chart
 * @param {import("./chart-panels.js").Line[]} lines
 * @param {import("./colours.js").Theme} theme
 */
export function drawLines(chart, lines, theme) {
  const { ctx, bbox, scales } = chart;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = theme.muted;
  ctx.lineWidth = ratio;
  ctx.setLineDash([8 * ratio, 4 * ratio]);
  for (const { value } of lines) {
    if (value > scales.y.max) continue;
    const y = chart.valToPos(value, "y", true);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

/**
 * What the lines are, over the traces: these run below the words as well.
 * @param {any} chart
 * @param {import("./chart-panels.js").Line[]} lines
 * @param {import("./colours.js").Theme} theme
 */
export function labelLines(chart, lines, theme) {
  for (const { value, label } of lines) {
    if (value > chart.scales.y.max) continue;
    write(chart, label, chart.valToPos(value, "y", true) - 8 * devicePixelRatio, theme);
  }
}

/**
 * @param {any} chart
 * @param {string} text at the right, on a ground of its own
 * @param {number} y of its middle, canvas pixels
 * @param {import("./colours.js").Theme} theme
 */
function write(chart, text, y, theme) {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  const right = bbox.left + bbox.width - 3 * ratio;
  ctx.save();
  ctx.font = `${Math.round(11 * ratio)}px ${theme.font}`;
  ctx.textAlign = "right";
  ctx.textBaseline = "middle";
  const width = ctx.measureText(text).width + 4 * ratio;
  ctx.fillStyle = withAlpha(theme.background, 0.8);
  ctx.fillRect(right - width, y - 7 * ratio, width + 2 * ratio, 14 * ratio);
  ctx.fillStyle = theme.muted;
  ctx.fillText(text, right - 2 * ratio, y);
  ctx.restore();
}

/**
 * @param {any} chart
 * @param {Sheet} sheet
 */
function drawNow(chart, { traces, theme }) {
  const { begin, end } = traces.charts;
  const half = (end - begin) / traces.charts.times.length;
  if (traces.now <= begin || traces.now >= end - half) return;
  const { ctx, bbox } = chart;
  const x = chart.valToPos(traces.now, "x", true);
  ctx.save();
  ctx.strokeStyle = theme.text;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
