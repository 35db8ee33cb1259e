// SPDX-License-Identifier: GPL-2.0-only

/** Which field one line of the engine is about. */

/** @typedef {import("../address/scenario.js").Draft} Draft */
/** @typedef {{name: string, index: number}} Fault name: empty where no field is named; index: of an
 *           item of "session", "background" or "fault" */

/**
 * The engine quotes what it refuses in one of these ways:
 *
 *     "eta": "-1" is not a number; ...
 *     --tcp=foo is not for ...
 *     "sessions"[1] "mode": "zz" is unknown; ...      "background"[0] ...   "faults"[0] ...
 *     --session 'window=1B' is below ...              --background 'tcp=x' ...   --fault ...
 *
 * @param {string} message the line; empty: no fault
 * @param {string[]} names of the options that have a field
 * @param {Draft} draft what the engine was asked for
 * @returns {Fault}
 */
export function findFault(message, names, draft) {
  const listed = /^"(sessions|background|faults)"\[(\d+)\]/.exec(message);
  if (listed) {
    const isSession = listed[1] === "sessions";
    // The first session of the engine's list is the flat one.
    const index = Number(listed[2]) - (isSession ? 1 : 0);
    return { name: isSession ? "session" : listed[1] === "faults" ? "fault" : "background", index };
  }
  const quoted = /^--(session|background|fault) '([^']*)'/.exec(message);
  if (quoted) {
    const name = /** @type {"session" | "background" | "fault"} */ (quoted[1]);
    const index = draft[name].findIndex((text) => text.includes(quoted[2] ?? ""));
    return { name, index: Math.max(0, index) };
  }
  const named = /^(?:"([\w-]+)":|--([\w-]+)=)/.exec(message);
  const name = named?.[1] ?? named?.[2] ?? "";
  return { name: names.includes(name) ? name : "", index: -1 };
}
