// SPDX-License-Identifier: GPL-2.0-only

/**
 * uPlot's path builders for traces: bins with NaN where there is nothing, and steps of their own times.
 * (uPlot's builders take null for nothing, and a clip for each gap.)
 */

/** @typedef {{stroke: Path2D | null, fill: Path2D | null, clip: null, flags: number}} Paths */
/**
 * @typedef {object} Projection values to canvas pixels
 * @property {number} x0
 * @property {number} kx
 * @property {number} y0
 * @property {number} ky
 * @property {number} roof what is beyond the axis is drawn along its end
 */
/** @typedef {{begin: number, end: number, value: number}} Step */

/**
 * @param {any} chart a uPlot
 * @returns {Projection}
 */
function projection(chart) {
  const { x, y } = chart.scales;
  const { left, top, width, height } = chart.bbox;
  const kx = width / (x.max - x.min);
  const ky = -height / (y.max - y.min);
  return { kx, ky, x0: left - x.min * kx, y0: top + height - y.min * ky, roof: top + 1 };
}

/**
 * @param {any} chart
 * @param {Float64Array} times
 * @param {Float32Array} values
 * @param {number} stride every how many bins
 * @returns {Paths}
 */
export function linePath(chart, times, values, stride) {
  const { x0, kx, y0, ky, roof } = projection(chart);
  const stroke = new Path2D();
  let drawing = false;
  for (let bin = 0; bin < times.length; bin += stride) {
    const value = values[bin];
    if (Number.isFinite(value)) {
      const px = x0 + kx * times[bin];
      const py = Math.max(roof, y0 + ky * value);
      if (drawing) stroke.lineTo(px, py);
      else stroke.moveTo(px, py);
      drawing = true;
    } else drawing = false;
  }
  return { stroke, fill: null, clip: null, flags: 0 };
}

/**
 * A line that shows in each bin how far up and down the value went.
 * @param {any} chart
 * @param {Float64Array} times
 * @param {{min: Float32Array, max: Float32Array, last: Float32Array}} trace
 * @returns {Paths}
 */
export function extremesPath(chart, times, { min, max, last }) {
  const { x0, kx, y0, ky, roof } = projection(chart);
  const at = (/** @type {number} */ value) => Math.max(roof, y0 + ky * value);
  const stroke = new Path2D();
  let before = Number.NaN;
  for (let bin = 0; bin < times.length; bin += 1) {
    const value = last[bin];
    if (Number.isFinite(value)) {
      const px = x0 + kx * times[bin];
      // Coming from below the top is met first, and the bottom after it: so falls a window.
      const start = Number.isFinite(before) ? max[bin] : min[bin];
      if (Number.isFinite(before)) stroke.lineTo(px, at(start));
      else stroke.moveTo(px, at(start));
      if (min[bin] !== start) stroke.lineTo(px, at(min[bin]));
      if (value !== min[bin]) stroke.lineTo(px, at(value));
    }
    before = value;
  }
  return { stroke, fill: null, clip: null, flags: 0 };
}

/**
 * @param {any} chart
 * @param {Float64Array} times
 * @param {Float32Array} low
 * @param {Float32Array} high
 * @returns {Paths} the ground between the two
 */
export function bandPath(chart, times, low, high) {
  const { x0, kx, y0, ky } = projection(chart);
  const fill = new Path2D();
  for (let from = 0; from < times.length; from += 1) {
    if (!Number.isFinite(low[from])) continue;
    let to = from;
    while (to + 1 < times.length && Number.isFinite(low[to + 1])) to += 1;
    fill.moveTo(x0 + kx * times[from], y0 + ky * high[from]);
    for (let bin = from + 1; bin <= to; bin += 1)
      fill.lineTo(x0 + kx * times[bin], y0 + ky * high[bin]);
    for (let bin = to; bin >= from; bin -= 1) fill.lineTo(x0 + kx * times[bin], y0 + ky * low[bin]);
    fill.closePath();
    from = to;
  }
  return { stroke: null, fill, clip: null, flags: 0 };
}

/**
 * @param {any} chart
 * @param {Step[]} steps in the order of time
 * @returns {Paths}
 */
export function stepsPath(chart, steps) {
  const { x0, kx, y0, ky } = projection(chart);
  const { min, max } = chart.scales.x;
  const stroke = new Path2D();
  let drawing = false;
  for (const { begin, end, value } of steps) {
    if (end < min || begin > max || !Number.isFinite(value)) continue;
    const py = y0 + ky * value;
    if (drawing) stroke.lineTo(x0 + kx * begin, py);
    else stroke.moveTo(x0 + kx * begin, py);
    stroke.lineTo(x0 + kx * end, py);
    drawing = true;
  }
  return { stroke, fill: null, clip: null, flags: 0 };
}
