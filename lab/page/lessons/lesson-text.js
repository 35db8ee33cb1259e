// SPDX-License-Identifier: GPL-2.0-only

/** Small texts and elements of the lessons. */

import { element } from "../dom.js";

/**
 * @param {string} html rendered by lab/lessons.py, in which no HTML of a lesson's author is left
 * @param {string} tag
 * @param {string} name class
 * @returns {HTMLElement}
 */
export function rendered(html, tag, name) {
  const made = element(tag, { class: name });
  made.innerHTML = html;
  return made;
}

/** @param {number} value @returns {string} three digits and more, as they are read */
export function numberText(value) {
  return value.toLocaleString("en", { maximumSignificantDigits: 3 });
}

/** @param {number} value @param {string} unit @returns {string} */
export function quantityText(value, unit) {
  return unit === "%" ? `${numberText(value)} %` : `${numberText(value)} ${unit}`;
}

/** @param {boolean} good @param {string} text @returns {HTMLElement} told by a sign and a word */
export function verdict(good, text) {
  const sign = element("span", { class: "lesson-sign", "aria-hidden": "true" }, [good ? "✓" : "✗"]);
  const name = good ? "lesson-verdict lesson-good" : "lesson-verdict lesson-bad";
  return element("p", { class: name }, [sign, ` ${text}`]);
}

/**
 * @param {string} text
 * @param {() => void} clicked
 * @param {string} [name] classes
 * @returns {HTMLButtonElement}
 */
export function button(text, clicked, name = "button") {
  const made = element("button", { type: "button", class: name }, [text]);
  made.addEventListener("click", clicked);
  return /** @type {HTMLButtonElement} */ (made);
}

/**
 * @param {{handout: string, answers: string}} printed where the pages of a lesson for print are
 * @returns {HTMLElement} a menu with both
 */
export function printMenu({ handout, answers }) {
  const link = (/** @type {string} */ href, /** @type {string} */ text) =>
    element("li", {}, [element("a", { href, target: "_blank", rel: "noopener" }, [text])]);
  return element("details", { class: "lesson-print" }, [
    element("summary", { class: "button" }, ["Print"]),
    element("ul", { class: "panel" }, [
      link(handout, "Handout"),
      link(answers, "Answers, for teachers"),
    ]),
  ]);
}

/**
 * @param {string} legend
 * @param {{text: string}[]} choices text: HTML of the lesson
 * @param {string} name of the group
 * @returns {{fields: HTMLElement, chosen: () => number}} chosen: the index, -1 for none
 */
export function choiceFields(legend, choices, name) {
  const inputs = choices.map((_, index) =>
    element("input", { type: "radio", name, value: String(index) }),
  );
  const rows = choices.map(({ text }, index) =>
    element("label", { class: "lesson-choice" }, [inputs[index], rendered(text, "span", "")]),
  );
  const fields = element("fieldset", { class: "lesson-fields" }, [
    element("legend", { class: "visually-hidden" }, [legend]),
    ...rows,
  ]);
  const chosen = () => inputs.findIndex((input) => /** @type {HTMLInputElement} */ (input).checked);
  return { fields, chosen };
}

/**
 * @param {string} label
 * @param {{unit: string, minimum: number, maximum: number}} question
 * @returns {{fields: HTMLElement, value: () => number}} value: NaN where it is no such number
 */
export function numberField(label, { unit, minimum, maximum }) {
  const input = /** @type {HTMLInputElement} */ (
    element("input", {
      type: "number",
      step: "any",
      inputmode: "decimal",
      min: String(minimum),
      max: String(maximum),
    })
  );
  const fields = element("label", { class: "lesson-number" }, [
    element("span", {}, [label]),
    input,
    element("span", {}, [unit]),
  ]);
  const value = () => {
    const number = input.value.trim() === "" ? NaN : Number(input.value);
    return number >= minimum && number <= maximum ? number : NaN;
  };
  return { fields, value };
}

/**
 * @param {{unit: string, minimum: number, maximum: number}} question
 * @returns {string} what to say of a number that is none
 */
export function numberWanted({ unit, minimum, maximum }) {
  return `Write a number from ${minimum} to ${maximum} ${unit}.`;
}
