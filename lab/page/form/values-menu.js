// SPDX-License-Identifier: GPL-2.0-only

/** The menu behind a number's "▾": the paper's values one click away, the default, the range. */

import { element } from "../dom.js";
import { factsOf, nameParts } from "./field-name.js";
import { wordsOf } from "./fields.js";

/** @typedef {import("../engine/laboratory.js").Option} Option */

export class ValuesMenu {
  #popover;

  /** @param {HTMLElement} host where the menu is kept; it is shown above all else */
  constructor(host) {
    this.#popover = element("div", { popover: "auto", role: "dialog", class: "values-menu" });
    host.append(this.#popover);
  }

  /**
   * @param {HTMLElement} anchor the button that asked for it
   * @param {Option} option
   * @param {string[]} paper the values that the paper's figures sweep; may be empty
   * @param {string} current the text in force
   * @param {(text: string) => void} choose told the text that was chosen
   */
  open(anchor, option, paper, current, choose) {
    const values = paper.includes(option.default) ? paper : [option.default, ...paper];
    const buttons = values
      .filter((text) => text !== option.default || option.default_value !== undefined)
      .map((text) => this.#makeButton(option, paper, text, text === current, choose, anchor));
    this.#popover.setAttribute("aria-label", `Values of ${option.name}`);
    this.#popover.replaceChildren(
      element("p", { class: "menu-title" }, nameParts(option)),
      element("p", { class: "menu-help" }, [`${wordsOf(option).help}.`]),
      ...(buttons.length ? [element("div", { class: "chips" }, buttons)] : []),
      ...(paper.length
        ? [element("p", { class: "menu-note" }, ["Values of the papers' figures."])]
        : []),
      element("p", { class: "menu-note" }, [factsOf(option)]),
    );
    this.#popover.showPopover();
    this.#place(anchor);
    const chosen = buttons.find((button) => button.getAttribute("aria-current") === "true");
    (chosen ?? buttons[0])?.focus();
  }

  /**
   * @param {Option} option
   * @param {string[]} paper
   * @param {string} text
   * @param {boolean} isCurrent
   * @param {(text: string) => void} choose
   * @param {HTMLElement} anchor
   */
  #makeButton(option, paper, text, isCurrent, choose, anchor) {
    const isDefault = text === option.default;
    const mark = paper.length > 0 ? "the paper's" : "default";
    const button = element("button", { type: "button", class: "chip" }, [
      text,
      ...(isDefault ? [element("small", {}, [` ${mark}`])] : []),
    ]);
    button.setAttribute("aria-current", String(isCurrent));
    button.addEventListener("click", () => {
      this.#popover.hidePopover();
      choose(text);
      anchor.focus();
    });
    return button;
  }

  /**
   * Below its button, or above it where there is no room.
   * @param {HTMLElement} anchor
   */
  #place(anchor) {
    const place = anchor.getBoundingClientRect();
    const size = this.#popover.getBoundingClientRect();
    const left = Math.max(8, Math.min(place.right - size.width, innerWidth - size.width - 8));
    const below = place.bottom + 4;
    const top =
      below + size.height < innerHeight ? below : Math.max(8, place.top - size.height - 4);
    this.#popover.style.setProperty("--menu-left", `${left}px`);
    this.#popover.style.setProperty("--menu-top", `${top}px`);
  }
}
