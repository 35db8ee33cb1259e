// SPDX-License-Identifier: GPL-2.0-only

/**
 * The state of the page as the part of its address behind "#", readable: option texts as on the
 * command line, then the moment, the speed, what the charts show, and the lesson or their list.
 *
 *     #mode=aimd&bandwidth=1Gbps&session=mode%3Dmi,delay%3D30ms&t=12.5&speed=0.1&view=last:10
 */

import { withoutDefaults } from "./scenario.js";

/** @typedef {import("../engine/laboratory.js").Option} Option */
/** @typedef {import("../engine/laboratory.js").View} View */
/** @typedef {import("./scenario.js").Draft} Draft */

/**
 * @typedef {object} Address
 * @property {Draft} draft the scenario
 * @property {number} t simulated time, s
 * @property {number} speed simulated seconds in a real one
 * @property {View} view what the charts show
 * @property {string} lesson id of the lesson that is open; empty: none
 * @property {number} step of the lesson, from 0
 * @property {boolean} list whether the list of lessons is shown instead
 * @property {Draft | null} versus a second scenario, which it is compared with
 */

/** Speeds that there are: least and largest, simulated seconds in a real one. */
export const SPEEDS = { least: 0.0001, most: 10000 };

/** The longest time that the page goes to, s: some four months. */
const LONGEST = 1e7;

/** @returns {Address} of an empty address */
export function defaultAddress() {
  return {
    draft: { texts: {}, session: [], background: [], fault: [] },
    t: 0,
    speed: 1,
    view: { kind: "whole" },
    lesson: "",
    step: 0,
    list: false,
    versus: null,
  };
}

/**
 * @param {string} hash "#..." or empty
 * @param {Option[]} options the option table
 * @returns {Address}
 * @throws {Error} one line naming what is wrong; option texts are the engine's to judge
 */
export function parseAddress(hash, options) {
  const address = defaultAddress();
  const single = options.filter(({ kind, scope }) => kind !== "list" && scope !== "traffic");
  const names = new Set(single.map(({ name }) => name));
  const seen = new Set();
  for (const part of hash.replace(/^#/, "").split("&")) {
    if (part === "") continue;
    const [name, text] = splitPart(part);
    if (seen.has(name) && !LISTS.includes(name)) throw new Error(`${name} is given twice`);
    seen.add(name);
    if (names.has(name)) address.draft.texts[name] = text;
    else if (name === "versus") address.versus = parseAddress(text, options).draft;
    else readPageState(address, name, text);
  }
  address.draft.texts = withoutDefaults(address.draft.texts, options);
  return address;
}

/**
 * @param {Address} address
 * @returns {string} "#..."; empty where all is at its default
 */
export function formatAddress(address) {
  const start = defaultAddress();
  const parts = partsOf(address.draft);
  if (address.t !== start.t) parts.push(["t", numberText(address.t)]);
  if (address.speed !== start.speed) parts.push(["speed", numberText(address.speed)]);
  const view = formatView(address.view);
  if (view !== formatView(start.view)) parts.push(["view", view]);
  if (address.lesson) parts.push(["lesson", address.lesson]);
  if (address.lesson && address.step !== 0) parts.push(["step", numberText(address.step)]);
  if (address.list) parts.push(["lessons", LIST]);
  if (address.versus) parts.push(["versus", joined(partsOf(address.versus))]);
  return parts.length ? `#${joined(parts)}` : "";
}

/**
 * @param {Draft} draft
 * @returns {[string, string][]} names and texts
 */
function partsOf(draft) {
  /** @type {[string, string][]} */
  const parts = Object.entries(draft.texts);
  for (const text of draft.session) parts.push(["session", text]);
  for (const text of draft.background) parts.push(["background", text]);
  for (const text of draft.fault) parts.push(["fault", text]);
  return parts;
}

/** @param {[string, string][]} parts */
function joined(parts) {
  return parts.map(([name, text]) => `${name}=${encode(text)}`).join("&");
}

/** What the key "lessons" may be. */
const LIST = "list";

const LISTS = ["session", "background", "fault"];

/**
 * @param {string} part "name=text", escaped
 * @returns {[string, string]}
 */
function splitPart(part) {
  const at = part.indexOf("=");
  try {
    const name = decodeURIComponent(at < 0 ? part : part.slice(0, at));
    if (at < 0) throw new Error(`"${name}" has no value`);
    return [name, decodeURIComponent(part.slice(at + 1))];
  } catch (error) {
    if (error instanceof URIError) throw new Error(`"${part}" has a broken % sign`);
    throw error;
  }
}

/**
 * @param {Address} address is filled
 * @param {string} name
 * @param {string} text
 */
function readPageState(address, name, text) {
  switch (name) {
    case "session":
    case "background":
    case "fault":
      address.draft[name].push(text);
      break;
    case "t":
      address.t = readNumber(name, text, 0, LONGEST);
      break;
    case "speed":
      address.speed = readNumber(name, text, SPEEDS.least, SPEEDS.most);
      break;
    case "view":
      address.view = parseView(text);
      break;
    case "lesson":
      address.lesson = text;
      break;
    case "step":
      address.step = Math.floor(readNumber(name, text, 0, 1000));
      break;
    case "lessons":
      if (text !== LIST) throw new Error(`lessons=${text} is not allowed; allowed: ${LIST}`);
      address.list = true;
      break;
    default:
      throw new Error(`"${name}" is neither an option of a run nor a key of this page`);
  }
}

/**
 * @param {string} name
 * @param {string} text
 * @param {number} least
 * @param {number} most
 */
function readNumber(name, text, least, most) {
  const value = numberOf(text);
  if (!(value >= least && value <= most)) {
    throw new Error(`${name}=${text} is not allowed; allowed: a number from ${least} to ${most}`);
  }
  return value;
}

/**
 * @param {string} text
 * @returns {number} not a number where it is none without a sign
 */
function numberOf(text) {
  return /^\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

/** @param {View} view */
function formatView(view) {
  if (view.kind === "last") return `last:${numberText(view.seconds)}`;
  if (view.kind === "span") return `span:${numberText(view.begin)}:${numberText(view.end)}`;
  return view.kind;
}

/**
 * @param {string} text "whole", "last:SECONDS" or "span:BEGIN:END"
 * @returns {View}
 * @throws {Error} it is none of these
 */
function parseView(text) {
  const [kind, ...numbers] = text.split(":");
  const [first = Number.NaN, second = Number.NaN] = numbers.map(numberOf);
  if (kind === "whole" && numbers.length === 0) return { kind };
  if (kind === "last" && numbers.length === 1 && first > 0 && first <= LONGEST)
    return { kind, seconds: first };
  if (kind === "span" && numbers.length === 2 && first < second && second <= LONGEST) {
    return { kind, begin: first, end: second };
  }
  throw new Error(
    `view=${text} is not allowed; allowed: whole, last:SECONDS or span:BEGIN:END with BEGIN < END`,
  );
}

/**
 * Times are whole nanoseconds in the engine, so that nothing is lost.
 * @param {number} value
 */
function numberText(value) {
  return String(Math.round(value * 1e9) / 1e9);
}

/** @param {string} text */
function encode(text) {
  return encodeURIComponent(text).replaceAll("%2C", ",").replaceAll("%3A", ":");
}
