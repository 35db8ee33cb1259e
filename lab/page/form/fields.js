// SPDX-License-Identifier: GPL-2.0-only

/**
 * Which options the form shows, in which group and order: names alone. What an option is called,
 * allows and does is told by the option table.
 */

/** @typedef {import("../engine/laboratory.js").Option} Option */

/** @typedef {{title: string, names: string[]}} Group */

/** Shown at once. */
const FIRST_GROUPS = [
  {
    title: "Tuning",
    names: ["mode", "parallelism", "chunk-parallelism", "eta", "gamma", "alpha", "beta"],
  },
  { title: "Bottleneck", names: ["bandwidth", "delay", "queue", "queue-discipline"] },
  { title: "TCP", names: ["stack", "tcp", "window", "ecn"] },
  { title: "File", names: ["file-size", "chunk-size"] },
  { title: "Access links", names: ["access-bandwidth", "access-delay"] },
];

/** Not shown: there is one engine in the page. */
const HIDDEN = ["engine"];

/** Lists of sessions and connections are edited by a part of their own; the page reads no files. */
const ELSEWHERE = ["output", "traffic"];

/**
 * @param {Option[]} options the option table
 * @returns {{first: Group[], more: Group}} what the form shows; names that the table lacks are left
 *          out, and options that leave no choice; details of an option are in its group; those that
 *          no group has come under "more"
 */
export function arrange(options) {
  const shown = options.filter(
    ({ name, kind, scope, choices }) =>
      kind !== "list" &&
      !ELSEWHERE.includes(scope) &&
      !HIDDEN.includes(name) &&
      choices?.length !== 1,
  );
  const names = new Set(shown.map(({ name }) => name));
  const first = FIRST_GROUPS.map(({ title, names: wanted }) => ({
    title,
    names: [
      ...wanted.filter((name) => names.has(name)),
      // Details of what one of them turns on
      ...shown
        .filter(({ needs }) => needs !== undefined && wanted.includes(needs.options[0] ?? ""))
        .map(({ name }) => name),
    ],
  }));
  const placed = new Set(first.flatMap((group) => group.names));
  const rest = [...names].filter((name) => !placed.has(name));
  return {
    first: first.filter((group) => group.names.length),
    more: { title: "More", names: rest },
  };
}

/**
 * @typedef {object} Words how an option is called
 * @property {string} label words in place of a name that is only a letter's; else empty
 * @property {string} sign the Latin letter that charts and readings have for it; may be empty
 * @property {string} symbol what the papers call it, Greek letters, too; may be empty
 * @property {string} help what the label leaves unsaid
 */

/**
 * Nobody knows beforehand what gamma is: such an option is called by what its help says of it.
 *
 * @param {Option} option
 * @returns {Words}
 */
export function wordsOf({ name, help, modes = [] }) {
  const lettered = /^([A-Z]\d?|tau), (.*)$/.exec(help);
  if (lettered) {
    const [, letter = "", rest = ""] = lettered;
    const greek = GREEK[letter];
    return { label: "", sign: greek ? "" : letter, symbol: greek ?? letter, help: rest };
  }
  const symbol = GREEK[name] ?? "";
  const label = help.replace(/ \([^()]*\)$/, "");
  // A formula is no name.
  if (!symbol || /[<=>]/.test(label)) return { label: "", sign: "", symbol, help };
  return { label, sign: "", symbol, help: `only in mode ${modes.join(", ")}` };
}

/** @type {Record<string, string>} letters by their names */
const GREEK = { tau: "τ", eta: "η", gamma: "γ", alpha: "α", beta: "β" };
