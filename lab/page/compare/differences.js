// SPDX-License-Identifier: GPL-2.0-only

/** Two scenarios as texts: in which options they differ, and one that is told by what is otherwise. */

import { parseAddress } from "../address/address.js";
import { withoutDefaults } from "../address/scenario.js";

/** @typedef {import("../address/scenario.js").Draft} Draft */
/** @typedef {import("../engine/laboratory.js").Option} Option */

/** @type {("session" | "background" | "fault")[]} */
const LISTS = ["session", "background", "fault"];

/**
 * @param {Draft} one
 * @param {Draft} other
 * @param {Option[]} options the option table
 * @returns {{name: string, one: string, other: string}[]} what differs, in the order of the table
 */
export function differences(one, other, options) {
  const rows = options
    .filter(({ name }) => name in one.texts || name in other.texts)
    .map(({ name, default: usual }) => ({
      name,
      one: one.texts[name] ?? usual,
      other: other.texts[name] ?? usual,
    }));
  for (const list of LISTS) {
    const count = Math.max(one[list].length, other[list].length);
    for (let place = 0; place < count; place += 1) {
      rows.push({
        name: `${list} ${place + (list === "session" ? 2 : 1)}`,
        one: one[list][place] ?? "none",
        other: other[list][place] ?? "none",
      });
    }
  }
  return rows.filter((row) => row.one !== row.other);
}

/**
 * @param {string} text options that are otherwise, as "mode=aimd delay=40ms", with or without dashes; or
 *   a link of the laboratory
 * @param {Draft} base what they are otherwise than
 * @param {Option[]} options the option table
 * @returns {Draft}
 * @throws {Error} one line naming what is wrong
 */
export function readRival(text, base, options) {
  const at = text.indexOf("#");
  if (at >= 0) return parseAddress(text.slice(at), options).draft;
  const words = text.split(/[\s&]+/).filter(Boolean);
  const state = words.map((word) => word.replace(/^--/, "").split("=").map(encodeURIComponent));
  const { draft } = parseAddress(state.map((parts) => parts.join("=")).join("&"), options);
  const named = state.map(([name]) => decodeURIComponent(name));
  // Values that are the default's are no texts of a draft: they take away the base's
  const kept = Object.entries(base.texts).filter(([name]) => !named.includes(name));
  return {
    texts: withoutDefaults({ ...Object.fromEntries(kept), ...draft.texts }, options),
    session: named.includes("session") ? draft.session : base.session,
    background: named.includes("background") ? draft.background : base.background,
    fault: named.includes("fault") ? draft.fault : base.fault,
  };
}
