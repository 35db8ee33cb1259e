// SPDX-License-Identifier: GPL-2.0-only

/** One option in the form: its text or choice, a slider, the paper's values, the way back. */

import { element } from "../dom.js";
import { factsOf, nameParts } from "./field-name.js";
import { wordsOf } from "./fields.js";
import { makeStops, nearestStop, parseQuantity } from "./quantity.js";

/** @typedef {import("../engine/laboratory.js").Option} Option */
/** @typedef {import("../engine/laboratory.js").Variant} Variant */
/** @typedef {import("./values-menu.js").ValuesMenu} ValuesMenu */

/** The words of a kind of option that has no list of them. @type {Record<string, string[]>} */
const SWITCHED = { switch: ["on", "off"] };

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
  /** @type {Variant | undefined} what is otherwise for it now */
  #variant;

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
    const words = option.choices ?? option.segment_choices ?? SWITCHED[option.kind];
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
    return this.#chosen(this.#entry.value.trim());
  }

  /** @returns {string} what holds where nothing is written */
  get #default() {
    return this.#variant?.default ?? this.#option.default;
  }

  /**
   * @param {string} text that is written or chosen
   * @returns {string} of the option; empty for the default, as far as that is sure
   */
  #chosen(text) {
    return text === this.#option.default && !this.#variant ? "" : text;
  }

  /** @param {Variant | undefined} variant what is otherwise for it from now on */
  vary(variant) {
    if (variant === this.#variant) return;
    this.#variant = variant;
    const { choices, segment_choices: usual } = this.#option;
    const words = choices ?? variant?.segment_choices ?? usual;
    // A switch keeps its words
    if (this.#entry instanceof HTMLSelectElement && words) {
      this.#entry.replaceChildren();
      for (const word of words) addChoice(this.#entry, word);
    }
    const title = this.#resetTitle;
    this.#reset.title = title;
    this.#reset.setAttribute("aria-label", title);
  }

  /** @param {string} text of the option; empty for the default */
  show(text) {
    const value = text || this.#default;
    // A default that is a rule in words is no value to go on from.
    const isRule = text === "" && !this.#variant && this.#option.default_value === undefined;
    if (this.#entry instanceof HTMLSelectElement) addChoice(this.#entry, value);
    // What is being written stays when an earlier change is loaded.
    const isWritten = this.#entry === document.activeElement && text === this.#shown;
    if (!isWritten) this.#entry.value = isRule ? "" : value;
    this.#shown = text;
    this.#element.classList.toggle("changed", text !== "");
    this.#reset.disabled = text === "";
    this.#showSlider(parseQuantity(value, this.#option.unit));
  }

  /** @param {unknown} value the resolved one, where the text itself does not give it */
  showResolved(value) {
    if (this.#shown !== "") return;
    if (typeof value === "number") this.#showSlider(value);
    // A default that depends on other options
    const word = typeof value === "boolean" ? (value ? "on" : "off") : value;
    const isWord = typeof word === "string" && this.#entry instanceof HTMLSelectElement;
    if (isWord && this.#variant && this.#entry !== document.activeElement) {
      this.#entry.value = word;
    }
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

  /** @param {boolean} isIdle whether it is out of sight, as it has no effect */
  hide(isIdle) {
    this.#element.hidden = isIdle;
  }

  focus() {
    this.#entry.focus();
  }

  /** @returns {string} what the way back leads to */
  get #resetTitle() {
    return `Reset to the default of ${this.#option.name}, ${this.#default}`;
  }

  #makeReset() {
    const title = this.#resetTitle;
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
      const current = this.text || this.#default;
      menu.open(/** @type {HTMLElement} */ (button), this.#option, this.#paper, current, (text) => {
        this.onChange(this.#chosen(text));
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
    if (stop) this.onChange(this.#chosen(stop.text));
  }

  /**
   * Arrow keys go to the next round value.
   * @param {Event} event
   */
  #nudge(event) {
    const { key, altKey } = /** @type {KeyboardEvent} */ (event);
    if (altKey) return;
    const value = parseQuantity(this.text || this.#default, this.#option.unit);
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
    this.#slider.setAttribute("aria-valuetext", this.text || this.#default);
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
