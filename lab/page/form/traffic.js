// SPDX-License-Identifier: GPL-2.0-only

/**
 * Further sessions, background connections or faults: a list of items with fields. Outside it each
 * is a text in the syntax of --session, --background and --fault, "mode=aimd,delay=30ms".
 */

import { itemOfText } from "../address/scenario.js";
import { element } from "../dom.js";
import { TrafficItem } from "./traffic-item.js";

/** @typedef {import("../engine/laboratory.js").Option} Option */
/** @typedef {import("./fault.js").Fault} Fault */

/**
 * @typedef {object} TrafficWords what the page calls things, and what it offers first
 * @property {string} title of the list
 * @property {string} add its button
 * @property {string} item one of the list
 * @property {number} from the number of its first item: the first session is the form's own
 * @property {string} start the text of a new item
 * @property {string} least the text of one of which nothing is set: a command line needs some
 * @property {string[]} first names of options with a field at once
 */

export class TrafficList {
  /** Called with all texts after one changed. */
  onChange = (/** @type {string[]} */ _texts) => {};

  #option;
  #words;
  #shared;
  /** @type {string[]} */
  #texts = [];
  /** @type {TrafficItem[]} */
  #items = [];
  #rows = element("div", { class: "traffic-rows" });
  #add;
  #element;
  /** @type {(member: Option) => string[] | undefined} */
  #choices = wordsFor;
  #offered = "";

  /**
   * @param {Option} option of kind list, with members
   * @param {TrafficWords} words
   * @param {Option[]} [shared] options of the first session, which a further one takes over
   */
  constructor(option, words, shared = []) {
    this.#option = option;
    this.#words = words;
    this.#shared = new Set(shared.map(({ name }) => name));
    this.#add = element("button", { type: "button", class: "button small" }, [words.add]);
    this.#add.addEventListener("click", () => {
      this.onChange([...this.#texts, this.#isAllowed(words.start) ? words.start : words.least]);
      this.#items.at(-1)?.focus();
    });
    this.#element = element("div", { class: "traffic", "data-option": option.name }, [
      element("h3", {}, [words.title]),
      element("p", { class: "field-help" }, [`${option.help}.`]),
      this.#rows,
      this.#add,
    ]);
  }

  /** @returns {HTMLElement} what stands in the form */
  get element() {
    return this.#element;
  }

  /**
   * @param {string[]} texts
   * @param {(member: Option) => string[] | undefined} choices the words that an option has now
   */
  show(texts, choices = this.#choices) {
    this.#choices = choices;
    const offered = JSON.stringify((this.#option.members ?? []).map(choices));
    if (this.#items.length !== texts.length || offered !== this.#offered) {
      this.#offered = offered;
      this.#items = texts.map((_, index) => this.#makeItem(index));
      this.#rows.replaceChildren(...this.#items.map((item) => item.element));
    }
    this.#texts = [...texts];
    this.#items.forEach((item, index) => {
      item.show(texts[index] ?? "");
    });
  }

  /** @param {Fault[]} faults that are about its items */
  showErrors(faults) {
    this.#items.forEach((item, index) => {
      item.showErrors(faults.filter((fault) => fault.index === index));
    });
  }

  /** @param {string} text of an item @returns {boolean} whether its options have such words now */
  #isAllowed(text) {
    return Object.entries(itemOfText(text)).every(([name, word]) => {
      const member = this.#option.members?.find((one) => one.name === name);
      return member ? (this.#choices(member)?.includes(word) ?? true) : true;
    });
  }

  /** @param {number} index */
  #makeItem(index) {
    const { item: kind, first, least, from } = this.#words;
    const label = `${kind} ${index + from}`;
    const title = `Remove ${label}`;
    const remove = element(
      "button",
      { type: "button", class: "icon", title, "aria-label": title },
      ["×"],
    );
    remove.addEventListener("click", () => {
      this.onChange(this.#texts.filter((_, place) => place !== index));
      this.#add.focus();
    });
    const unset = (/** @type {Option} */ member) =>
      this.#shared.has(member.name) ? "as the first session" : member.default;
    const members = this.#option.members ?? [];
    const id = `traffic-${this.#option.name}-${index}`;
    const choices = this.#choices;
    const item = new TrafficItem(label, id, { members, first, unset, choices, remove });
    item.onChange = (text) => {
      this.onChange(this.#texts.map((one, place) => (place === index ? text || least : one)));
    };
    return item;
  }
}

/** @param {Option} member @returns {string[] | undefined} the words that it usually has */
export function wordsFor(member) {
  return member.choices ?? member.segment_choices;
}
