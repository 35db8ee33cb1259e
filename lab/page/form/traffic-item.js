// SPDX-License-Identifier: GPL-2.0-only

/** One further session, background connection or fault: a field for each of its options. */

import { itemOfText, textOfItem } from "../address/scenario.js";
import { element } from "../dom.js";
import { describeRange } from "./quantity.js";

/** @typedef {import("../engine/laboratory.js").Option} Option */
/** @typedef {import("./fault.js").Fault} Fault */
/** @typedef {HTMLInputElement | HTMLSelectElement} Entry */

export class TrafficItem {
  /** Called with the item's text after it changed, in the syntax of --session. */
  onChange = (/** @type {string} */ _text) => {};

  #label;
  #id;
  #members;
  #unset;
  #choices;
  /** @type {Map<string, {entry: Entry, error: HTMLElement}>} fields by option name */
  #fields = new Map();
  #rows = element("div", { class: "traffic-fields" });
  #more = document.createElement("select");
  #error;
  /** @type {Record<string, string>} as it was shown last */
  #texts = {};

  /**
   * @param {string} label as "session 1"
   * @param {string} id that begins the ids of its elements
   * @param {{members: Option[], first: string[], unset: (member: Option) => string,
   *   choices: (member: Option) => string[] | undefined, remove: HTMLElement}} parts its options,
   *   those with a field at once, what holds where one is not set, the words of one, and the button
   *   that takes the item away
   */
  constructor(label, id, { members, first, unset, choices, remove }) {
    this.#label = label;
    this.#id = id;
    this.#members = members;
    this.#unset = unset;
    this.#choices = choices;
    this.#error = element("p", { class: "field-error" });
    this.#more.className = "traffic-entry traffic-more";
    this.#more.setAttribute("aria-label", `Another option of ${label}`);
    this.#more.addEventListener("change", () => this.#add(this.#more.value));
    this.element = element("div", { class: "traffic-item", role: "group", "aria-label": label }, [
      element("div", { class: "traffic-head" }, [element("h4", {}, [label]), remove]),
      this.#rows,
      this.#more,
      this.#error,
    ]);
    for (const name of first) this.#makeField(name);
    this.#offerMore();
  }

  /** Puts the cursor into its first field. */
  focus() {
    const [first] = this.#fields.values();
    first?.entry.focus();
  }

  /** @param {string} text "mode=aimd,delay=30ms" */
  show(text) {
    const before = this.#texts;
    this.#texts = itemOfText(text);
    for (const name of Object.keys(this.#texts)) this.#makeField(name);
    for (const [name, { entry }] of this.#fields) {
      const value = this.#texts[name] ?? "";
      // What is being written stays when an earlier change is loaded.
      if (entry === document.activeElement && value === (before[name] ?? "")) continue;
      if (entry instanceof HTMLSelectElement) addChoice(entry, value, value);
      entry.value = value;
    }
    this.#offerMore();
  }

  /** @param {Fault[]} faults that are about it */
  showErrors(faults) {
    const named = faults.filter(({ member }) => this.#fields.has(member));
    for (const [name, { entry, error }] of this.#fields) {
      error.textContent = named.find(({ member }) => member === name)?.message ?? "";
      entry.setAttribute("aria-invalid", String(error.textContent !== ""));
    }
    const others = faults.filter((fault) => !named.includes(fault));
    this.#error.textContent = others.map(({ message }) => message).join(" ");
  }

  /** @param {string} name of an option that the reader wants a field for */
  #add(name) {
    this.#makeField(name);
    this.#offerMore();
    this.#fields.get(name)?.entry.focus();
  }

  #offerMore() {
    const left = this.#members.filter(({ name }) => !this.#fields.has(name));
    this.#more.replaceChildren(new Option("another option …", ""));
    for (const { name, help } of left) addChoice(this.#more, name, `${name}: ${help}`);
    this.#more.hidden = left.length === 0;
  }

  /** @param {string} name of an option; one that there is not is for the engine to refuse */
  #makeField(name) {
    if (this.#fields.has(name)) return;
    const member = this.#members.find((one) => one.name === name);
    const id = `${this.#id}-${name}`;
    const unset = member ? this.#unset(member) : "";
    const entry = makeEntry(member && this.#choices(member), unset);
    entry.id = id;
    entry.className = "traffic-entry";
    entry.setAttribute("aria-label", `${name} of ${this.#label}`);
    entry.setAttribute("aria-describedby", `${id}-help ${id}-error`);
    entry.addEventListener("change", () => this.#change(name, entry.value.trim()));
    const error = element("p", { id: `${id}-error`, class: "field-error" });
    const range = member ? describeRange(member) : "";
    const help = [member?.help ?? "", range && `; allowed ${range}`].join("");
    this.#rows.append(
      element("div", { class: "traffic-field", title: help }, [
        element("label", { for: id }, [name]),
        entry,
        element("span", { id: `${id}-help`, class: "visually-hidden" }, [help]),
        error,
      ]),
    );
    this.#fields.set(name, { entry, error });
  }

  /** @param {string} name @param {string} text empty: it is not set */
  #change(name, text) {
    const { [name]: _, ...others } = this.#texts;
    // One that was there keeps its place.
    const known =
      name in this.#texts ? { ...this.#texts, [name]: text } : { ...others, [name]: text };
    this.#texts = text === "" ? others : known;
    this.onChange(textOfItem(this.#texts));
  }
}

/** @param {string[] | undefined} choices @param {string} unset @returns {Entry} */
function makeEntry(choices, unset) {
  if (choices?.length) {
    const select = document.createElement("select");
    addChoice(select, "", unset);
    for (const choice of choices) addChoice(select, choice, choice);
    return select;
  }
  const input = document.createElement("input");
  input.type = "text";
  input.autocomplete = "off";
  input.spellcheck = false;
  input.placeholder = unset;
  return input;
}

/** @param {HTMLSelectElement} select @param {string} value @param {string} text */
function addChoice(select, value, text) {
  if ([...select.options].some((option) => option.value === value)) return;
  select.append(new Option(text, value));
}
