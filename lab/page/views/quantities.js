// SPDX-License-Identifier: GPL-2.0-only

/** Numbers with their units, as people read them. */

const LARGE = ["", "k", "M", "G", "T"];
const SMALL = ["", "m", "µ", "n"];
/** What stands where there is no number. */
export const NOTHING = "–";

/**
 * A number with three significant digits; whole ones stay whole.
 * @param {number} value
 * @param {number} [digits]
 * @returns {string}
 */
export function significant(value, digits = 3) {
  if (!Number.isFinite(value)) return NOTHING;
  const size = Math.abs(value);
  if (size >= 10 ** (digits - 1)) return String(Math.round(value));
  if (size === 0) return "0";
  const rounded = Number(size.toPrecision(digits)); // 0.9996 is 1.00, not 1.000
  const places = digits - 1 - Math.floor(Math.log10(rounded));
  return value.toFixed(Math.min(places, 9));
}

/**
 * @param {number | null | undefined} value
 * @param {string} unit
 * @param {number} [digits]
 * @returns {string} with a decimal prefix: 95 100 000 bit/s is "95.1 Mbit/s"
 */
function prefixed(value, unit, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return NOTHING;
  let rest = value;
  let step = 0;
  while (Math.abs(rest) >= 999.5 && step < LARGE.length - 1) {
    rest /= 1000;
    step += 1;
  }
  return `${significant(rest, digits)}\u00a0${LARGE[step]}${unit}`;
}

/**
 * @param {number} most
 * @returns {{prefix: string, by: number}} the decimal prefix for values up to this one
 */
export function prefixFor(most) {
  const step =
    most >= 1000 ? Math.min(LARGE.length - 1, Math.floor(Math.log10(most) / 3 + 1e-9)) : 0;
  return { prefix: LARGE[step], by: 1000 ** step };
}

const COUNTED = new Set(["connections", "packets", "segments", "ms", "µs"]);

/**
 * @param {string} unit
 * @returns {boolean} whether it takes no prefix
 */
export function isCounted(unit) {
  return COUNTED.has(unit);
}

/**
 * @param {string} unit
 * @param {number} most
 * @returns {string} with the prefix that suits values up to this one
 */
export function unitFor(unit, most) {
  return isCounted(unit) ? unit : `${prefixFor(most).prefix}${unit}`;
}

/**
 * @param {number | null | undefined} bps
 * @returns {string}
 */
export function rate(bps) {
  return prefixed(bps, "bit/s");
}

/**
 * @param {number | null | undefined} value
 * @returns {string} a rate or size as it was set: "100 Mbit/s", not "100.0"
 */
export function plainRate(value) {
  return plain(rate(value));
}

/**
 * @param {number | null | undefined} bytes
 * @returns {string}
 */
export function size(bytes) {
  return prefixed(bytes, "B");
}

/**
 * @param {number | null | undefined} seconds
 * @returns {string} with the prefix that suits: "20.1 ms"
 */
export function duration(seconds) {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return NOTHING;
  if (seconds === 0) return "0\u00a0s";
  let rest = seconds;
  let step = 0;
  while (Math.abs(rest) < 0.9995 && step < SMALL.length - 1) {
    rest *= 1000;
    step += 1;
  }
  return `${significant(rest)}\u00a0${SMALL[step]}s`;
}

/**
 * @param {number} packets that wait at the bottleneck
 * @param {{packet_size_bytes: number, bandwidth_bps: number}} path
 * @returns {number} how long the bottleneck transmits them if all are full packets, s
 */
export function queueingDelay(packets, { packet_size_bytes: bytes, bandwidth_bps: bps }) {
  return (packets * bytes * 8) / bps;
}

/**
 * @param {number | null | undefined} seconds
 * @returns {string} a duration as it was set: "10 ms"
 */
export function plainDuration(seconds) {
  return plain(duration(seconds));
}

/**
 * @param {number | null | undefined} share
 * @returns {string} of 1, as per cent
 */
export function percent(share) {
  if (share === null || share === undefined || !Number.isFinite(share)) return NOTHING;
  if (share === 0) return "0\u00a0%";
  const value = share * 100;
  return `${value >= 99.95 ? Math.round(value) : value.toFixed(value < 1 ? 2 : 1)}\u00a0%`;
}

/**
 * @param {number} count
 * @returns {string} a whole number, its thousands set apart
 */
export function whole(count) {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/**
 * @param {number} seconds
 * @param {number} [span] of what is shown: the shorter, the more digits
 * @returns {string} a moment of simulated time
 */
export function moment(seconds, span = 10) {
  const places = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.max(span, 1e-6)))));
  return `${seconds.toFixed(places)}\u00a0s`;
}

/**
 * @param {string} text
 * @returns {string} without the zeros behind the point
 */
function plain(text) {
  return text.replace(/(\.\d*?)0+(?=\D)/, "$1").replace(/\.(?=\D)/, "");
}

/**
 * @param {number} scale values are divided by it
 * @returns {(chart: any, splits: number[], ...rest: any[]) => string[]} labels of an axis; rest: its
 *   number, its space, its step
 */
export function plainNumbers(scale) {
  return (_chart, splits, ...[, , step]) => {
    const places = placesOf(step / scale);
    return splits.map((value) => {
      const number = value / scale;
      return number >= 1e5 ? `${number / 1000}k` : number.toFixed(places);
    });
  };
}

/**
 * @param {number} step of an axis
 * @returns {number} decimals with which its multiples are written as they are, at most 9: a step of
 *   0.25 takes two
 */
function placesOf(step) {
  let places = 0;
  while (places < 9 && Math.abs(Math.round(step * 10 ** places) / 10 ** places / step - 1) > 1e-6) {
    places += 1;
  }
  return places;
}
