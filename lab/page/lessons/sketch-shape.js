// SPDX-License-Identifier: GPL-2.0-only

/** The shape of a curve over time: how often it falls, how far, and around which mean. */

/**
 * @typedef {object} Shape
 * @property {number | null} period mean time from peak to peak; null with fewer than two peaks
 * @property {number} height mean of the peaks less mean of the valleys; 0 without both
 * @property {number} mean over the time
 */

/** What rises or falls by less than this share of the whole range is no tooth. */
const TOOTH = 0.25;

/** A curve whose range is less than this share of its mean is flat. */
const FLAT = 0.1;

/**
 * @param {number[]} x ascending
 * @param {number[]} y
 * @returns {Shape}
 */
export function shapeOf(x, y) {
  const mean = meanOf(x, y);
  const range = Math.max(...y) - Math.min(...y);
  if (range <= FLAT * Math.abs(mean)) return { period: null, height: 0, mean };
  const { peaks, valleys } = turnsOf(x, y, TOOTH * range);
  const last = peaks.length - 1;
  const between = average(peaks.map(({ value }) => value)) - average(valleys.map((v) => v.value));
  return {
    period: last > 0 ? (peaks[last].time - peaks[0].time) / last : null,
    height: peaks.length > 0 && valleys.length > 0 ? between : 0,
    mean,
  };
}

/**
 * @param {number[]} x
 * @param {number[]} y
 * @param {number} least how far it has to turn back for a peak or a valley
 */
function turnsOf(x, y, least) {
  /** @type {{time: number, value: number}[]} */
  const peaks = [];
  /** @type {{time: number, value: number}[]} */
  const valleys = [];
  let highest = 0;
  let lowest = 0;
  let rising = true;
  for (let at = 1; at < y.length; at += 1) {
    if (y[at] >= y[highest]) highest = at;
    if (y[at] <= y[lowest]) lowest = at;
    if (rising && y[at] <= y[highest] - least) {
      // Where a curve begins with a fall, nothing says that it had risen before.
      if (highest > 0) peaks.push({ time: x[highest], value: y[highest] });
      rising = false;
      lowest = at;
    } else if (!rising && y[at] >= y[lowest] + least) {
      valleys.push({ time: x[lowest], value: y[lowest] });
      rising = true;
      highest = at;
    }
  }
  return { peaks, valleys };
}

/** @param {number[]} x @param {number[]} y @returns {number} with straight lines in between */
function meanOf(x, y) {
  let area = 0;
  for (let at = 1; at < x.length; at += 1) {
    area += ((y[at] + y[at - 1]) / 2) * (x[at] - x[at - 1]);
  }
  return area / (x[x.length - 1] - x[0]);
}

/** @param {number[]} values @returns {number} */
function average(values) {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/**
 * @param {Shape} mine
 * @param {Shape} right
 * @param {number} near the share of the right value that one may be away
 * @returns {{name: keyof Shape, mine: number | null, right: number | null, near: boolean}[]}
 */
export function compareShapes(mine, right, near) {
  const names = /** @type {(keyof Shape)[]} */ (["period", "height", "mean"]);
  return names.map((name) => {
    const [own, other] = [mine[name], right[name]];
    const both = own !== null && other !== null;
    const close = both ? Math.abs(own - other) <= near * Math.abs(other) : own === other;
    return { name, mine: own, right: other, near: close };
  });
}
