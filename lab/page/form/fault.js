// SPDX-License-Identifier: GPL-2.0-only

/** Which fields what the engine refuses is about: it names one value at a time. */

import { itemOfText, textOfItem } from "../address/scenario.js";

/** @typedef {import("../address/scenario.js").Draft} Draft */

/**
 * @typedef {object} Fault
 * @property {string} name of the option; empty where no field is named
 * @property {number} index of an item of "session", "background" or "fault"; else -1
 * @property {string} member option of that item; empty where none is named
 * @property {string} message the engine's line
 */

/** So many are looked for: a form with more of them has another problem. */
const MOST = 24;

const LISTS = /** @type {const} */ (["session", "background", "fault"]);

/**
 * The engine quotes what it refuses in one of these ways:
 *
 *     "eta": "-1" is not a number; ...
 *     --tcp=foo is not for ...
 *     "sessions"[1] "mode": "zz" is unknown; ...      "background"[0] ...   "faults"[0] ...
 *     --session 'window=1B' is below ...              --background 'tcp=x' ...   --fault ...
 *
 * @param {string} message the line
 * @param {string[]} names of the options that have a field
 * @param {Draft} draft what the engine was asked for
 * @returns {Fault}
 */
export function findFault(message, names, draft) {
  const none = { name: "", index: -1, member: "", message };
  const listed = /^"(sessions|background|faults)"\[(\d+)\](?: "([\w-]+)")?/.exec(message);
  if (listed) {
    const [, list, place, member = ""] = listed;
    const isSession = list === "sessions";
    // The first session of the engine's list is the flat one.
    const index = Number(place) - (isSession ? 1 : 0);
    const name = isSession ? "session" : list === "faults" ? "fault" : "background";
    return { ...none, name, index, member };
  }
  const quoted = /^--(session|background|fault) '([^']*)'/.exec(message);
  if (quoted) {
    const name = /** @type {"session" | "background" | "fault"} */ (quoted[1]);
    const text = quoted[2] ?? "";
    const index = Math.max(
      0,
      draft[name].findIndex((item) => item.includes(text)),
    );
    return { ...none, name, index, member: text.split("=")[0] ?? "" };
  }
  const named = /^(?:"([\w-]+)":|--([\w-]+)=)/.exec(message);
  const name = named?.[1] ?? named?.[2] ?? "";
  return names.includes(name) ? { ...none, name } : none;
}

/**
 * Finds everything that is refused: asks again without what was named, until nothing is.
 *
 * @param {Draft} draft
 * @param {string[]} names of the options that have a field
 * @param {(draft: Draft) => Promise<string>} check the engine's line; empty: all is well
 * @returns {Promise<Fault[]>} each once, in the engine's order
 */
export async function findFaults(draft, names, check) {
  /** @type {Fault[]} */
  const faults = [];
  let left = draft;
  while (faults.length < MOST) {
    const message = await check(left);
    if (message === "") break;
    const fault = findFault(message, names, left);
    const others = without(left, fault);
    faults.push(fault);
    if (!others) break;
    left = others;
  }
  return faults;
}

/**
 * @param {Draft} draft
 * @param {Fault} fault
 * @returns {Draft | null} the draft without what is at fault; null where that is not in it
 */
function without(draft, { name, index, member }) {
  const list = LISTS.find((one) => one === name);
  if (!list) {
    const { [name]: found, ...texts } = draft.texts;
    return found === undefined ? null : { ...draft, texts };
  }
  const { [member]: found, ...item } = itemOfText(draft[list][index] ?? "");
  if (found === undefined) return null;
  const items = draft[list].map((text, place) => (place === index ? textOfItem(item) : text));
  return { ...draft, [list]: items };
}
