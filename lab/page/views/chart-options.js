// SPDX-License-Identifier: GPL-2.0-only

import { drawMarks } from "./chart-faults.js";
/** A panel as uPlot's options: axes, scales, cursor, lines of reference. */
import { BARE_HEIGHT, TIME_HEIGHT } from "./chart-heights.js";
import { dataOf, measureOf, PANELS, topOf } from "./chart-panels.js";
import { withAlpha } from "./colours.js";
import { isCounted, plainNumbers, prefixFor, unitFor } from "./quantities.js";

/** @typedef {import("./chart-panels.js").Panel} Panel */
/** @typedef {import("./chart-panels.js").Sheet} Sheet */

/**
 * @typedef {object} Size of a panel
 * @property {number} width CSS pixels
 * @property {number} height of plot and axis, CSS pixels
 * @property {boolean} last whether the time is written below it
 *
 * @typedef {object} Hands what the reader does on a chart
 * @property {string} key of the charts whose cursors go together
 * @property {(chart: any) => void} cursor
 * @property {(chart: any) => void} select
 * @property {() => void} whole
 */

const AXIS_WIDTH = 44;
const LABEL_WIDTH = 16;
/** Of the name of the time, within TIME_HEIGHT. */
const LABEL_HEIGHT = 15;
/** In a narrower plot a line's words would meet the note at the left, CSS pixels. */
const LEAST_FOR_WORDS = 460;
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 1e5, 1e6];

/**
 * @param {Panel} panel
 * @param {Sheet} sheet kept, and read whenever the chart is drawn
 * @param {Size} size
 * @param {Hands | null} hands none: only a picture is wanted
 * @returns {any} uPlot's options
 */
export function panelOptions(panel, sheet, { width, height, last }, hands) {
  const { theme } = sheet;
  return {
    width,
    height,
    // at the right, half of the longest label of a time
    padding: [6, 24 * theme.scale, 0, 0],
    legend: { show: false },
    cursor: hands === null ? { show: false } : cursor(hands),
    scales: {
      x: { time: false, range: () => [sheet.span.begin, sheet.span.end] },
      y: { range: () => [0, topOf(panel, sheet)] },
    },
    axes: [timeAxis(theme, last), valueAxis(measureOf(panel, sheet), theme)],
    series: [{}, ...panel.series(sheet).map((one) => scaled(one, theme.scale))],
    hooks: {
      drawAxes: [(/** @type {any} */ chart) => drawLines(chart, panel.lines(sheet), theme)],
      draw: [
        (/** @type {any} */ chart) => drawNow(chart, sheet),
        (/** @type {any} */ chart) => labelLines(chart, panel.lines(sheet), theme),
        (/** @type {any} */ chart) => {
          const note = panel.note?.(sheet) ?? "";
          if (note !== "")
            write(chart, note, chart.bbox.top + 11 * devicePixelRatio * theme.scale, theme, true);
        },
        (/** @type {any} */ chart) => drawMarks(chart, sheet, panel === PANELS[0]),
      ],
      setCursor: hands === null ? [] : [hands.cursor],
      setSelect: hands === null ? [] : [hands.select],
    },
  };
}

/**
 * @param {Panel} panel
 * @param {Sheet} sheet
 * @param {Size} size
 * @returns {any} a uPlot that has drawn itself at once, off screen
 */
export function pictured(panel, sheet, size) {
  const options = panelOptions(panel, sheet, size, null);
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
 * @param {any} series
 * @param {number} scale of the page's text
 * @returns {any} the series with its line as much wider
 */
function scaled(series, scale) {
  return { ...series, width: series.width * scale };
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
  const { scale } = theme;
  const axis = {
    stroke: theme.muted,
    font: axisFont(theme),
    grid: { stroke: theme.faint, width: 1 },
    ticks: { stroke: theme.faint, width: 1, size: 5, show: last },
    space: 64 * scale,
  };
  if (!last) return { ...axis, size: BARE_HEIGHT * scale, values: () => [] };
  const label = {
    label: "simulated time (s)",
    labelFont: axisFont(theme),
    labelSize: LABEL_HEIGHT * scale,
    labelGap: 0,
  };
  const size = (TIME_HEIGHT - LABEL_HEIGHT) * scale;
  return { ...axis, ...label, size, gap: 2, values: plainNumbers(1) };
}

/** @param {import("./colours.js").Theme} theme */
function axisFont({ font, scale }) {
  return `${12 * scale}px ${font}`;
}

/**
 * @param {import("./chart-panels.js").Measure} measure
 * @param {import("./colours.js").Theme} theme
 * @param {boolean} [labelled] whether the unit stands beside it
 * @returns {any}
 */
export function valueAxis({ unit, per }, theme, labelled = false) {
  const { scale } = theme;
  const font = axisFont(theme);
  const label = (/** @type {any} */ chart) => unitFor(unit, chart.scales.y.max);
  return {
    stroke: theme.muted,
    font,
    ...(labelled ? { label, labelFont: font, labelSize: LABEL_WIDTH * scale, labelGap: 0 } : {}),
    size: AXIS_WIDTH * scale,
    gap: 3,
    grid: { stroke: theme.faint, width: 1 },
    ticks: { stroke: theme.faint, width: 1, size: 4 },
    space: (/** @type {any} */ chart) =>
      Math.max(12 * scale, Math.min(26 * scale, chart.bbox.height / devicePixelRatio / 2.6)),
    values: (
      /** @type {any} */ chart,
      /** @type {number[]} */ splits,
      /** @type {any[]} */ ...rest
    ) =>
      plainNumbers(isCounted(unit) ? per : prefixFor(chart.scales.y.max).by)(
        chart,
        splits,
        ...rest,
      ),
    ...(isCounted(unit) ? { incrs: WHOLE_STEPS.map((step) => step * per) } : {}),
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
  const isNarrow = chart.bbox.width < LEAST_FOR_WORDS * devicePixelRatio * theme.scale;
  for (const { value, label, short = label } of lines) {
    if (value > chart.scales.y.max || label === "") continue;
    const y = chart.valToPos(value, "y", true);
    const away = 8 * devicePixelRatio * theme.scale;
    write(
      chart,
      isNarrow ? short : label,
      y - 2 * away < chart.bbox.top ? y + away : y - away,
      theme,
    );
  }
}

/**
 * @param {any} chart
 * @param {string} text on a ground of its own
 * @param {number} y of its middle, canvas pixels
 * @param {import("./colours.js").Theme} theme
 * @param {boolean} [left] at the left; else at the right
 */
function write(chart, text, y, theme, left = false) {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio * theme.scale;
  ctx.save();
  ctx.font = `${Math.round(11 * ratio)}px ${theme.font}`;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  const width = ctx.measureText(text).width;
  const away = (left ? 18 : 5) * ratio;
  const x = left ? bbox.left + away : bbox.left + bbox.width - away - width;
  ctx.fillStyle = withAlpha(theme.background, 0.8);
  ctx.fillRect(x - 2 * ratio, y - 7 * ratio, width + 4 * ratio, 14 * ratio);
  ctx.fillStyle = theme.muted;
  ctx.fillText(text, x, y);
  ctx.restore();
}

/**
 * @param {any} chart
 * @param {Sheet} sheet
 */
function drawNow(chart, { traces, span: { begin, end }, theme }) {
  const bin = (end - begin) / 500;
  if (traces.now <= begin || traces.now >= end - bin) return;
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
