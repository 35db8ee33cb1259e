// SPDX-License-Identifier: GPL-2.0-only

/** Which stretch of simulated time the charts show, and how to come to another. */

/** @typedef {import("../engine/laboratory.js").View} View */
/** @typedef {{begin: number, end: number}} Span */

/** No stretch shorter than this is shown, s. */
const SHORTEST = 1e-4;

/**
 * @param {View} view
 * @param {Span} shown
 * @param {number} now
 * @param {number} factor of the length: below 1 goes nearer
 * @returns {View}
 */
export function zoomed(view, shown, now, factor) {
  const length = Math.max(SHORTEST, (shown.end - shown.begin) * factor);
  if (view.kind === "last") return { kind: "last", seconds: rounded(length) };
  const centre = (shown.begin + Math.min(shown.end, Math.max(now, shown.begin))) / 2;
  const begin = Math.max(0, centre - length / 2);
  if (factor > 1 && begin === 0 && length >= now) return { kind: "whole" };
  return span(begin, begin + length);
}

/**
 * @param {Span} shown
 * @param {number} by share of its length; below 0 is earlier
 * @returns {View}
 */
export function moved(shown, by) {
  const length = shown.end - shown.begin;
  const begin = Math.max(0, shown.begin + by * length);
  return span(begin, begin + length);
}

/**
 * @param {View} view
 * @param {{charts: Span}} traces as far as they go
 * @returns {Span} what the charts' axis shows: all that was asked for, of the future, too
 */
export function spanOf(view, { charts }) {
  return view.kind === "span" ? view : charts;
}

/**
 * @param {number} one
 * @param {number} other
 * @returns {View} from the earlier to the later
 */
export function between(one, other) {
  const begin = Math.max(0, Math.min(one, other));
  return span(begin, Math.max(begin + SHORTEST, one, other));
}

/**
 * @param {View} one
 * @param {View} other
 * @returns {boolean}
 */
export function sameView(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * @param {number} begin
 * @param {number} end
 * @returns {View} as exact as can be seen: it stands in the address
 */
function span(begin, end) {
  const places = Math.max(0, Math.ceil(3 - Math.log10(end - begin)));
  return { kind: "span", begin: Number(begin.toFixed(places)), end: Number(end.toFixed(places)) };
}

/**
 * @param {number} length
 * @returns {number} to three digits: it stands in the address
 */
function rounded(length) {
  return Number(length.toPrecision(3));
}
