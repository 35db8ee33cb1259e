// SPDX-License-Identifier: GPL-2.0-only

/**
 * A scenario in two shapes: as the engine takes it (a line of `./gridftp run --batch`), and as the
 * form, the address and the command line have it: flat texts, and a text for every further session
 * and background connection in the syntax of --session and --background.
 */

/** @typedef {import("../engine/laboratory.js").Scenario} Scenario */
/** @typedef {import("../engine/laboratory.js").Option} Option */
/** @typedef {Record<string, string>} Texts option texts by option name */

/**
 * @typedef {object} Draft
 * @property {Texts} texts options that differ from their defaults
 * @property {string[]} session further sessions, "mode=aimd,delay=30ms"
 * @property {string[]} background background connections, "tcp=newreno"
 * @property {string[]} fault what goes wrong, "kind=dtp-dies,at=5s"
 */

/** @returns {Draft} nothing but defaults */
export function emptyDraft() {
  return { texts: {}, session: [], background: [], fault: [] };
}

/**
 * @param {Draft} draft
 * @returns {Scenario} as the engine takes it
 */
export function toScenario(draft) {
  /** @type {Scenario} */
  const scenario = { ...draft.texts };
  if (draft.session.length > 0) scenario.sessions = [{}, ...draft.session.map(itemOfText)];
  if (draft.background.length > 0) scenario.background = draft.background.map(itemOfText);
  if (draft.fault.length > 0) scenario.faults = draft.fault.map(itemOfText);
  return scenario;
}

/**
 * @param {Scenario} scenario as the engine takes it
 * @param {Option[]} options the option table
 * @returns {Draft} the same, flat
 * @throws {Error} it has a first session that flat options cannot say
 */
export function toDraft(scenario, options) {
  const { sessions = [], background = [], faults = [], ...flat } = scenario;
  const [first = {}, ...further] = sessions;
  const own = stringTexts(first);
  if ("delay" in own) {
    throw new Error(
      `"sessions"[0] "delay": "${own.delay}": the first session has the path's delay`,
    );
  }
  const shared = stringTexts(flat);
  const defaults = Object.fromEntries(
    options.map((option) => [
      option.name,
      variantOf(option, { ...shared, ...own })?.default ?? option.default,
    ]),
  );
  // On a command line a further session takes after the first one, in a batch after the flat texts.
  const kept = Object.keys(own).map((name) => [name, shared[name] ?? defaults[name] ?? ""]);
  return {
    texts: withoutDefaults({ ...shared, ...own }, options),
    session: further.map((/** @type {Texts} */ item) =>
      textOfItem({ ...Object.fromEntries(kept), ...item }),
    ),
    background: background.map(textOfItem),
    fault: faults.map(textOfItem),
  };
}

/**
 * @param {Draft} draft
 * @returns {string} the command line that simulates the same
 */
export function commandLine(draft) {
  const words = ["./gridftp run"];
  for (const [name, text] of Object.entries(draft.texts))
    words.push(shellWord(`--${name}=${text}`));
  for (const text of draft.session) words.push(`--session ${shellWord(text)}`);
  for (const text of draft.background) words.push(`--background ${shellWord(text)}`);
  for (const text of draft.fault) words.push(`--fault ${shellWord(text)}`);
  return words.join(" ");
}

/**
 * @param {Texts} texts
 * @param {Option[]} options
 * @returns {Texts} those that are not the default's, in the order of the table. Where the default
 *   depends on another option every text is kept: it may depend on more than that
 */
export function withoutDefaults(texts, options) {
  const order = new Map(options.map((option, index) => [option.name, index]));
  const defaults = new Map(
    options
      .filter((option) => !variantOf(option, texts))
      .map((option) => [option.name, option.default]),
  );
  return Object.fromEntries(
    Object.entries(texts)
      .filter(([name, text]) => text !== defaults.get(name))
      .sort(([a], [b]) => (order.get(a) ?? order.size) - (order.get(b) ?? order.size)),
  );
}

/**
 * @param {Option} option
 * @param {Texts} texts of the scenario
 * @returns {import("../engine/laboratory.js").Variant | undefined} what is otherwise there for the option
 */
export function variantOf({ variants }, texts) {
  return variants?.find(({ option, value }) => texts[option] === value);
}

/**
 * @param {string} text "mode=aimd,delay=30ms"
 * @returns {Texts} what the engine is asked; a word that is none is for it to refuse
 */
export function itemOfText(text) {
  /** @type {Texts} */
  const item = {};
  for (const word of text.split(",").map((part) => part.trim())) {
    if (word === "") continue;
    const at = word.indexOf("=");
    item[at < 0 ? word : word.slice(0, at).trim()] = at < 0 ? "" : word.slice(at + 1).trim();
  }
  return item;
}

/**
 * @param {Record<string, unknown>} item
 * @returns {string} "mode=aimd,delay=30ms"
 */
export function textOfItem(item) {
  return Object.entries(item)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
}

/**
 * @param {Record<string, unknown>} values
 * @returns {Texts}
 */
function stringTexts(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** @param {string} word */
function shellWord(word) {
  return /^[\w=,.:+/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
