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
  { title: "Bottleneck", names: ["bandwidth", "delay", "queue"] },
  { title: "TCP", names: ["window", "tcp"] },
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
 *          out, and options that leave no choice; those that no group names come under "more"
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
    names: wanted.filter((name) => names.has(name)),
  }));
  const placed = new Set(first.flatMap((group) => group.names));
  const rest = [...names].filter((name) => !placed.has(name));
  return {
    first: first.filter((group) => group.names.length),
    more: { title: "More", names: rest },
  };
}

/**
 * @param {Option} option
 * @returns {{symbol: string, help: string}} its help, and the sign that the paper has for it where
 *          the help begins with one ("B, bandwidth of ...")
 */
export function splitHelp(option) {
  const match = /^([A-Z]\d?|tau), (.*)$/.exec(option.help);
  const symbol = match?.[1] ?? (option.name in GREEK ? option.name : "");
  return { symbol: GREEK[symbol] ?? symbol, help: greek(match?.[2] ?? option.help) };
}

/** @type {Record<string, string>} */
const GREEK = { tau: "τ", eta: "η", gamma: "γ", alpha: "α", beta: "β" };

/** @param {string} help */
function greek(help) {
  return help.replace(/\b(tau|eta|gamma|alpha|beta)\b/g, (word) => GREEK[word] ?? word);
}
