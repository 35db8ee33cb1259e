// SPDX-License-Identifier: GPL-2.0-only

/**
 * Further sessions, or background connections: a list of texts in the syntax of --session and
 * --background, "mode=aimd,delay=30ms".
 */

import { element } from "../dom.js";

/** @typedef {import("../engine/laboratory.js").Option} Option */

/**
 * @typedef {object} TrafficWords what the page calls things
 * @property {string} title of the list
 * @property {string} add its button
 * @property {string} item one of the list
 * @property {string} start the text of a new item
 * @property {string} example of the syntax
 */

export class TrafficList {
  /** Called with all texts after one changed. */
  onChange = (/** @type {string[]} */ _texts) => {};

  #option;
  #item;
  #rows;
  #element;

  /**
   * @param {Option} option of kind list, with members
   * @param {TrafficWords} words
   */
  constructor(option, words) {
    this.#option = option;
    this.#item = words.item;
    this.#rows = element("ul", { class: "traffic-rows" });
    const add = element("button", { type: "button", class: "button small" }, [words.add]);
    add.addEventListener("click", () => {
      this.onChange([...this.texts, words.start]);
      this.#inputs().at(-1)?.select();
    });
    const help = element("p", { id: this.#helpId, class: "field-help" }, [
      `${option.help}. Written as ${words.example}`,
    ]);
    const names = (option.members ?? []).map(({ name }) => name);
    const keys = element("details", { class: "traffic-keys" }, [
      element("summary", {}, ["What may be named"]),
      names.join(", "),
    ]);
    this.#element = element("div", { class: "traffic", "data-option": option.name }, [
      element("h3", {}, [words.title]),
      help,
      keys,
      this.#rows,
      add,
    ]);
  }

  /** @returns {HTMLElement} what stands in the form */
  get element() {
    return this.#element;
  }

  /** @returns {string[]} what is written */
  get texts() {
    return this.#inputs().map((input) => input.value.trim());
  }

  /** @param {string[]} texts */
  show(texts) {
    const inputs = this.#inputs();
    if (inputs.length === texts.length) {
      inputs.forEach((input, i) => {
        input.value = texts[i] ?? "";
      });
      return;
    }
    this.#rows.replaceChildren(...texts.map((text, index) => this.#makeRow(text, index)));
  }

  /**
   * @param {string} message one line; empty: none
   * @param {number} index of the item that it is about
   */
  showError(message, index) {
    this.#inputs().forEach((input, i) => {
      const own = i === index ? message : "";
      input.setAttribute("aria-invalid", String(own !== ""));
      const error = input.closest("li")?.querySelector(".field-error");
      if (error) error.textContent = own;
    });
  }

  get #helpId() {
    return `traffic-${this.#option.name}-help`;
  }

  #inputs() {
    return [...this.#rows.querySelectorAll("input")];
  }

  /**
   * @param {string} text
   * @param {number} index
   */
  #makeRow(text, index) {
    const id = `traffic-${this.#option.name}-${index}`;
    const label = `${this.#item} ${index + 1}`;
    const input = /** @type {HTMLInputElement} */ (
      element("input", { type: "text", id, autocomplete: "off", spellcheck: "false" })
    );
    input.value = text;
    input.setAttribute("aria-label", label);
    input.setAttribute("aria-describedby", `${id}-error ${this.#helpId}`);
    input.addEventListener("change", () => this.onChange(this.texts));
    const title = `Remove ${label}`;
    const remove = element(
      "button",
      { type: "button", class: "icon", title, "aria-label": title },
      ["×"],
    );
    remove.addEventListener("click", () => {
      this.onChange(this.texts.filter((_, i) => i !== index));
    });
    return element("li", {}, [
      element("div", { class: "field-entry" }, [input, remove]),
      element("p", { class: "field-error", id: `${id}-error` }),
    ]);
  }
}
