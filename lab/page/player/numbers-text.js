// SPDX-License-Identifier: GPL-2.0-only

/** Times and speeds as texts. */

/**
 * @param {number} t s
 * @param {number} speed at which it runs: the slower, the more decimals can be seen to change
 * @returns {string} without the unit
 */
export function timeText(t, speed) {
  const decimals = Math.min(6, Math.max(2, Math.ceil(2 - Math.log10(speed))));
  return t.toFixed(decimals);
}

/**
 * @param {number} speed simulated seconds in a real one
 * @returns {string} in words
 */
export function speedText(speed) {
  if (speed === 1) return "real time";
  const factor = speed > 1 ? speed : 1 / speed;
  const text = factor.toLocaleString("en", { maximumSignificantDigits: 3 });
  return `${text}\u00d7 ${speed > 1 ? "faster" : "slower"}`;
}
