// SPDX-License-Identifier: GPL-2.0-only

/** The options that an exercise lets be changed, as fields beside its task. */

import { element } from "../dom.js";
import { Field } from "../form/field.js";
import { ValuesMenu } from "../form/values-menu.js";

/** @typedef {import("../engine/laboratory.js").Option} Option */
/** @typedef {import("./lesson-types.js").PlayerLike} PlayerLike */
/** @typedef {import("../form/form.js").PaperValues} PaperValues */

export class ExerciseFields {
  #player;
  /** @type {Map<string, Field>} by option name */
  #fields = new Map();
  /** @type {Map<string, string>} texts that are not asked for yet, by option name */
  #waiting = new Map();
  /** @type {Promise<void> | null} the changes that are under way */
  #work = null;
  #end;

  /**
   * @param {HTMLElement} host is filled
   * @param {string[]} names of the options
   * @param {{player: PlayerLike & EventTarget, options: Option[], paper: PaperValues}} sources
   */
  constructor(host, names, { player, options, paper }) {
    this.#player = player;
    const menu = new ValuesMenu(host);
    const rows = options.filter(({ name }) => names.includes(name));
    rows.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
    for (const row of rows) {
      const field = new Field(row, paper[row.name] ?? [], menu, "exercise");
      field.onChange = (text) => {
        field.show(text);
        this.#waiting.set(row.name, text);
        this.#work ??= this.#applyAll();
      };
      this.#fields.set(row.name, field);
    }
    const fields = [...this.#fields.values()].map((field) => field.element);
    host.append(
      element(
        "div",
        { class: "lesson-options", role: "group", "aria-label": "Options that you may change" },
        fields,
      ),
    );
    const onLoaded = () => {
      // What is written in the other fields stays, as a value that was refused.
      if (this.#work === null) this.#show();
    };
    player.addEventListener("loaded", onLoaded);
    this.#end = () => player.removeEventListener("loaded", onLoaded);
    this.#show();
  }

  /** Ends it. */
  destroy() {
    this.#end();
  }

  /** @returns {Promise<string[]>} names of the fields whose text the engine refused, if any */
  async refused() {
    await this.#work;
    return [...this.#fields].filter(([, field]) => field.isRefused).map(([name]) => name);
  }

  #show() {
    for (const [name, field] of this.#fields) {
      field.show(this.#player.state.scenario[name] ?? "");
      field.showError("");
    }
  }

  /** One after the other: each goes on from what is loaded. */
  async #applyAll() {
    // Those that come meanwhile are among them
    for (const [name, text] of this.#waiting) {
      this.#waiting.delete(name);
      await this.#apply(name, text);
    }
    this.#work = null;
  }

  /** @param {string} name @param {string} text empty: the default */
  async #apply(name, text) {
    const { [name]: _, ...others } = this.#player.state.scenario;
    const scenario = text === "" ? others : { ...others, [name]: text };
    let told = "";
    try {
      await this.#player.setScenario(scenario, { keepTime: true });
    } catch (error) {
      told = /** @type {Error} */ (error).message;
    }
    this.#fields.get(name)?.showError(told);
  }
}
