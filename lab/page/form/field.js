// SPDX-License-Identifier: GPL-2.0-only

/** One option in the form: its text or choice, a slider, the paper's values, the way back. */

import { element } from "../dom.js";
import { factsOf, nameParts } from "./field-name.js";
import { wordsOf } from "./fields.js";
import { makeStops, nearestStop, parseQuantity } from "./quantity.js";

/** @typedef {import("../engine/laboratory.js").Option} Option */
/** @typedef {import("./values-menu.js").ValuesMenu} ValuesMenu */

export class Field {
  /** Called with the option's text after it changed; an empty one is the default. */
  onChange = (/** @type {string} */ _text) => {};

  #option;
  #stops;
  #paper;
  #element;
  /** @type {HTMLInputElement | HTMLSelectElement} */
  #entry;
  /** @type {HTMLInputElement | null} */
  #slider = null;
  /** What was shown last: the option's text. */
  #shown = "";
  #reset;
  #error;
  #why;

  /**
   * @param {Option} option its row in the option table
   * @param {string[]} paper the values that the paper's figures sweep
   * @param {ValuesMenu} menu shows them
   * @param {string} [prefix] of the ids of its elements
   */
  constructor(option, paper, menu, prefix = "option") {
    this.#option = option;
    this.#paper = paper;
    const isNumber = option.kind === "whole" || option.kind === "real";
    this.#stops = isNumber ? makeStops(option, paper) : [];
    const id = `${prefix}-${option.name}`;
    const words = option.choices ?? option.segment_choices;
    this.#entry = words?.length ? makeSelect(words) : makeInput(option);
    this.#entry.id = id;
    this.#entry.setAttribute("aria-describedby", `${id}-help ${id}-error ${id}-why`);
    this.#entry.addEventListener("change", () => this.onChange(this.text));
    this.#error = element("p", { id: `${id}-error`, class: "field-error" });
    this.#why = element("p", { id: `${id}-why`, class: "field-why" });
    this.#reset = this.#makeReset();
    this.#element = element("div", { class: "field", "data-option": option.name }, [
      element("div", { class: "field-name" }, [makeLabel(option, id), this.#reset]),
      makeHelp(option, `${id}-help`),
      element("div", { class: "field-entry" }, [
        this.#entry,
        ...(isNumber ? [this.#makeMenuButton(menu)] : []),
      ]),
      ...this.#makeSlider(),
      this.#why,
      this.#error,
    ]);
    this.show("");
  }

  /** @returns {HTMLElement} what stands in the form */
  get element() {
    return this.#element;
  }

  /** @returns {string} what is written in it; empty for the default */
  get text() {
    const text = this.#entry.value.trim();
    return text === this.#option.default ? "" : text;
  }

  /** @param {string} text of the option; empty for the default */
  show(text) {
    const value = text || this.#option.default;
    // A default that is a rule in words is no value to go on from.
    const isRule = text === "" && this.#option.default_value === undefined;
    if (this.#entry instanceof HTMLSelectElement) addChoice(this.#entry, value);
    // What is being written stays when an earlier change is loaded.
    const isWritten = this.#entry === document.activeElement && text === this.#shown;
    if (!isWritten) this.#entry.value = isRule ? "" : value;
    this.#shown = text;
    this.#element.classList.toggle("changed", text !== "");
    this.#reset.disabled = text === "";
    this.#showSlider(parseQuantity(value, this.#option.unit));
  }

  /** @param {number | null} value the resolved one, where the text itself tells no number */
  showResolved(value) {
    if (this.text === "" && value !== null) this.#showSlider(value);
  }

  /** @returns {boolean} whether an error of it is shown */
  get isRefused() {
    return this.#entry.getAttribute("aria-invalid") === "true";
  }

  /** @param {string} message one line; empty: none */
  showError(message) {
    this.#error.textContent = message;
    this.#entry.setAttribute("aria-invalid", String(message !== ""));
    this.#element.classList.toggle("invalid", message !== "");
  }

  /** @param {string} why it does not matter now; empty: it does */
  disable(why) {
    this.#why.textContent = why;
    this.#element.classList.toggle("disabled", why !== "");
    for (const control of this.#element.querySelectorAll("input, select, button")) {
      if (control === this.#reset) continue; // A value that does nothing can still be taken back.
      /** @type {HTMLInputElement} */ (control).disabled = why !== "";
    }
  }

  focus() {
    this.#entry.focus();
  }

  #makeReset() {
    const { name } = this.#option;
    const title = `Back to the default of ${name}, ${this.#option.default}`;
    const reset = element("button", { type: "button", class: "icon reset", title }, ["↺"]);
    reset.setAttribute("aria-label", title);
    reset.addEventListener("click", () => {
      this.onChange("");
      this.#entry.focus();
    });
    return /** @type {HTMLButtonElement} */ (reset);
  }

  /** @param {ValuesMenu} menu */
  #makeMenuButton(menu) {
    const label = `Values of ${this.#option.name}`;
    const button = element("button", { type: "button", class: "icon values", title: label }, ["▾"]);
    button.setAttribute("aria-label", label);
    button.setAttribute("aria-haspopup", "dialog");
    // One stop of Tab for a number, since the keys of its entry do the same.
    button.tabIndex = -1;
    this.#entry.setAttribute("aria-keyshortcuts", "Alt+ArrowDown");
    this.#entry.addEventListener("keydown", (event) => {
      const { altKey, key } = /** @type {KeyboardEvent} */ (event);
      if (!altKey || key !== "ArrowDown") return;
      event.preventDefault();
      button.click();
    });
    button.addEventListener("click", () => {
      const current = this.text || this.#option.default;
      menu.open(/** @type {HTMLElement} */ (button), this.#option, this.#paper, current, (text) => {
        this.onChange(text === this.#option.default ? "" : text);
      });
    });
    return button;
  }

  #makeSlider() {
    if (this.#stops.length < 3) return [];
    const slider = /** @type {HTMLInputElement} */ (
      element("input", { type: "range", min: "0", max: String(this.#stops.length - 1), step: "1" })
    );
    slider.setAttribute("aria-label", this.#option.name);
    slider.tabIndex = -1;
    slider.addEventListener("input", () => this.#choose(Number(slider.value)));
    this.#slider = slider;
    this.#entry.addEventListener("keydown", (event) => this.#nudge(event));
    return [slider];
  }

  /** @param {number} index of a stop */
  #choose(index) {
    const stop = this.#stops[Math.min(this.#stops.length - 1, Math.max(0, index))];
    if (stop) this.onChange(stop.text === this.#option.default ? "" : stop.text);
  }

  /**
   * Arrow keys go to the next round value.
   * @param {Event} event
   */
  #nudge(event) {
    const { key, altKey } = /** @type {KeyboardEvent} */ (event);
    if (altKey) return;
    const value = parseQuantity(this.text || this.#option.default, this.#option.unit);
    if (value === null || (key !== "ArrowUp" && key !== "ArrowDown")) return;
    event.preventDefault();
    const above = this.#stops.findIndex((stop) => stop.value > value * 1.000001);
    const below = this.#stops.filter((stop) => stop.value < value * 0.999999).length - 1;
    const index = key === "ArrowUp" ? above : below;
    if (index >= 0) this.#choose(index);
  }

  /** @param {number | null} value in the SI unit */
  #showSlider(value) {
    if (!this.#slider || value === null) return;
    const index = nearestStop(this.#stops, value);
    if (this.#slider.value !== String(index)) this.#slider.value = String(index);
    this.#slider.setAttribute("aria-valuetext", this.text || this.#option.default);
  }
}

/** @param {string[]} choices */
function makeSelect(choices) {
  const select = document.createElement("select");
  for (const choice of choices) addChoice(select, choice);
  return select;
}

/**
 * @param {HTMLSelectElement} select
 * @param {string} choice one that an address may hold and the table does not: the engine refuses it
 */
function addChoice(select, choice) {
  if ([...select.options].some((option) => option.value === choice)) return;
  select.append(element("option", { value: choice }, [choice]));
}

/** @param {Option} option */
function makeInput(option) {
  const input = document.createElement("input");
  input.type = "text";
  input.autocomplete = "off";
  input.spellcheck = false;
  input.placeholder = option.default;
  return input;
}

/**
 * @param {Option} option
 * @param {string} id of its entry
 */
function makeLabel(option, id) {
  return element("label", { for: id, class: "field-label" }, nameParts(option));
}

/**
 * @param {Option} option
 * @param {string} id
 */
function makeHelp(option, id) {
  const facts = factsOf(option);
  return element("p", { id, class: "field-help", title: facts }, [
    wordsOf(option).help,
    element("span", { class: "visually-hidden" }, [`. ${facts}`]),
  ]);
}
