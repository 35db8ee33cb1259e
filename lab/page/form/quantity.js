// SPDX-License-Identifier: GPL-2.0-only

/**
 * Numbers with units, as far as sliders need them. What a text means and whether it is allowed is
 * the engine's to say: nothing here refuses a text.
 */

/** @typedef {import("../engine/laboratory.js").Option} Option */
/** @typedef {{value: number, text: string}} Stop a place where a slider holds */

/** Units of each dimension, smallest first: [name, so many of the SI unit]. */
const UNITS = {
  "bit/s": /** @type {[string, number][]} */ ([
    ["bps", 1],
    ["kbps", 1e3],
    ["Mbps", 1e6],
    ["Gbps", 1e9],
    ["Tbps", 1e12],
  ]),
  s: /** @type {[string, number][]} */ ([
    ["ns", 1e-9],
    ["us", 1e-6],
    ["ms", 1e-3],
    ["s", 1],
  ]),
  bytes: /** @type {[string, number][]} */ ([
    ["B", 1],
    ["kB", 1e3],
    ["MB", 1e6],
    ["GB", 1e9],
    ["TB", 1e12],
  ]),
};

/** @type {[string, number][]} */
const BINARY_UNITS = [
  ["B", 1],
  ["KiB", 2 ** 10],
  ["MiB", 2 ** 20],
  ["GiB", 2 ** 30],
];

/** What a slider holds at within a decade: round numbers, about evenly spaced on a log scale. */
const MANTISSAS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8];
const BINARY_MANTISSAS = [1, 1.5];

/** Up to here every whole number is a stop: that of connections, packets, segments. */
const EVERY_WHOLE = 16;

/**
 * @param {string} text as on a command line
 * @param {string} unit the option's SI unit; empty for a plain number
 * @returns {number | null} in that unit; null for a text that is no such number
 */
export function parseQuantity(text, unit) {
  const match = /^(\d+(?:\.\d+)?)([A-Za-z/]*)$/.exec(text.trim());
  if (!match) return null;
  const [, digits, suffix] = match;
  const known = [...unitsOf(unit), ...(unit === "bytes" ? BINARY_UNITS : [])];
  const found = known.find(([name]) => name === suffix);
  if (found) return Number(digits) * found[1];
  return suffix === "" || (unit === "packets" && suffix === "p") ? Number(digits) : null;
}

/**
 * @param {number} value in the SI unit
 * @param {string} unit the option's SI unit
 * @param {string} example a text of the option, whose manner of units is followed
 * @returns {string} as on a command line
 */
function formatQuantity(value, unit, example) {
  const units = isBinary(example) ? BINARY_UNITS : unitsOf(unit);
  if (units.length === 0 || value === 0) return tidy(value) + suffixOf(example);
  const fitting = units.filter(([, factor]) => value >= factor * 0.9999999);
  const [name, factor] = fitting.at(-1) ?? /** @type {[string, number]} */ (units[0]);
  return tidy(value / factor) + name;
}

/**
 * The places where an option's slider holds: around the paper's values and the default, within
 * what the option table allows.
 *
 * @param {Option} option a number
 * @param {string[]} paper the values that the paper's figures sweep
 * @returns {Stop[]} ascending; empty if the option suits no slider
 */
export function makeStops(option, paper) {
  const known = [option.default, ...paper]
    .map((text) => parseQuantity(text, option.unit))
    .filter((value) => value !== null);
  const example = option.default;
  const top = option.maximum ?? Number.POSITIVE_INFINITY;
  const values =
    option.kind === "real" && top <= 1
      ? linearValues(option)
      : logValues(option, known, paper.length > 0);
  const stops = values
    .filter((value) => isAllowed(value, option))
    .map((value) => ({ value, text: formatQuantity(value, option.unit, example) }));
  return stops.filter((stop, index) => index === 0 || stop.text !== stops[index - 1]?.text);
}

/**
 * @param {Stop[]} stops ascending, at least one
 * @param {number} value
 * @returns {number} the index of the nearest stop, on a log scale where there is one
 */
export function nearestStop(stops, value) {
  const place = (/** @type {number} */ x) => (x > 0 ? Math.log(x) : -1e9);
  let best = 0;
  for (let i = 1; i < stops.length; ++i) {
    const here = Math.abs(place(/** @type {Stop} */ (stops[i]).value) - place(value));
    const there = Math.abs(place(/** @type {Stop} */ (stops[best]).value) - place(value));
    if (here < there) best = i;
  }
  return best;
}

/**
 * @param {Option} option a number
 * @returns {string} its range in words
 */
export function describeRange(option) {
  const { minimum, maximum } = option;
  if (minimum === undefined || maximum === undefined) return "";
  const text = (/** @type {number} */ value) => formatQuantity(value, option.unit, option.default);
  const low = `${option.open_minimum ? "above" : "from"} ${text(minimum)}`;
  return `${low} to ${option.open_maximum ? "below " : ""}${text(maximum)}`;
}

/**
 * @param {string} unit
 * @returns {[string, number][]}
 */
function unitsOf(unit) {
  return unit in UNITS ? UNITS[/** @type {keyof typeof UNITS} */ (unit)] : [];
}

/** @param {string} example */
function suffixOf(example) {
  return /^[\d.]+([A-Za-z/]*)$/.exec(example)?.[1] ?? "";
}

/** @param {string} example */
function isBinary(example) {
  return /\d[KMGT]iB$/.test(example);
}

/** @param {number} value */
function tidy(value) {
  return String(Number(value.toPrecision(6)));
}

/** @param {Option} option between 0 and 1 */
function linearValues(option) {
  const low = option.minimum ?? 0;
  const high = option.maximum ?? 1;
  return Array.from({ length: 21 }, (_, i) => Number((low + ((high - low) * i) / 20).toFixed(6)));
}

/**
 * @param {Option} option
 * @param {number[]} known its default and the paper's values, where they are numbers
 * @param {boolean} swept whether the paper's figures sweep it
 * @returns {number[]}
 */
function logValues(option, known, swept) {
  const positive = known.filter((value) => value > 0);
  if (positive.length === 0) return [];
  const low = Math.max(option.minimum ?? 0, Math.min(...positive) / 10);
  const high = Math.max(...positive) * (swept ? 10 : 100);
  const binary = isBinary(option.default);
  const base = binary ? 2 : 10;
  const values = [];
  for (let k = Math.floor(Math.log(low) / Math.log(base)) - 1; base ** k <= high; ++k) {
    for (const mantissa of binary ? BINARY_MANTISSAS : MANTISSAS) {
      const value = Number((mantissa * base ** k).toPrecision(9));
      if (value >= low * 0.999 && value <= high * 1.001) values.push(value);
    }
  }
  const counted = option.kind === "whole" && ["", "packets", "segments"].includes(option.unit);
  return counted ? wholeValues(values, option) : values;
}

/**
 * @param {number[]} values ascending
 * @param {Option} option
 */
function wholeValues(values, option) {
  const first = Math.max(1, option.minimum ?? 1, Math.ceil(values[0] ?? 1));
  const every = Array.from({ length: Math.max(0, EVERY_WHOLE - first + 1) }, (_, i) => first + i);
  return [...every, ...values.filter((v) => v > EVERY_WHOLE && Number.isInteger(v))];
}

/**
 * @param {number} value
 * @param {Option} option
 */
function isAllowed(value, option) {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = option;
  if (value < minimum || (option.open_minimum && value === minimum)) return false;
  return value < maximum || (!option.open_maximum && value === maximum);
}
