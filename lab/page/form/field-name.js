// SPDX-License-Identifier: GPL-2.0-only

/** What stands in front of an option's field: words where the name has none, and the name. */

import { element } from "../dom.js";
import { wordsOf } from "./fields.js";
import { describeRange } from "./quantity.js";

/** @typedef {import("../engine/laboratory.js").Option} Option */

/**
 * @param {Option} option
 * @returns {(Node | string)[]}
 */
export function nameParts(option) {
  const { label, sign } = wordsOf(option);
  if (label) return [label, " ", element("span", { class: "option-name" }, [option.name])];
  return sign ? [option.name, " ", element("i", { class: "symbol" }, [sign])] : [option.name];
}

/**
 * @param {Option} option
 * @returns {string} a line: default, range, and what the papers call it
 */
export function factsOf(option) {
  const range = describeRange(option);
  const { symbol } = wordsOf(option);
  const facts = [`Default: ${option.default}.`];
  for (const { option: other, value, default: text } of option.variants ?? []) {
    facts.push(`With ${other} ${value}: ${text}.`);
  }
  if (range) facts.push(`Allowed: ${range}.`);
  if (symbol) facts.push(`In the papers: ${symbol}.`);
  return facts.join(" ");
}
