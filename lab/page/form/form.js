// SPDX-License-Identifier: GPL-2.0-only

/**
 * The scenario form, built from the option table. It shows what the player has loaded, and asks the
 * player for what is written in it. Whether that is allowed is the engine's to say: each of its lines
 * is shown beside the field that it names, and the run before goes on.
 */

import {
  emptyDraft,
  itemOfText,
  toDraft,
  toScenario,
  variantOf,
  withoutDefaults,
} from "../address/scenario.js";
import { element } from "../dom.js";
import { findFault, findFaults } from "./fault.js";
import { Field } from "./field.js";
import { arrange } from "./fields.js";
import { TrafficList, wordsFor } from "./traffic.js";
import { ValuesMenu } from "./values-menu.js";

/** @typedef {import("../engine/laboratory.js").Option} Option */
/** @typedef {import("../engine/laboratory.js").Laboratory} Laboratory */
/** @typedef {import("../player/player.js").Player} Player */
/** @typedef {import("./fault.js").Fault} Fault */
/** @typedef {import("../address/scenario.js").Draft} Draft */
/** @typedef {Record<string, string[]>} PaperValues by option name */

export class Form {
  #laboratory;
  #player;
  #options;
  /** @type {Map<string, Field>} */
  #fields = new Map();
  /** @type {Map<"session" | "background" | "fault", TrafficList>} */
  #lists = new Map();
  /** @type {Draft} what is written, applied or not */
  #draft = emptyDraft();
  #changes = 0;
  #underWay = 0;
  #status;
  #resetAll;
  /** Names of options that are shown where they have an effect. */
  #details;

  /**
   * @param {HTMLElement} host is filled
   * @param {{laboratory: Laboratory, player: Player}} engines
   * @param {PaperValues} paper the values that the paper's figures sweep
   */
  constructor(host, { laboratory, player }, paper) {
    const { options } = laboratory;
    this.#laboratory = laboratory;
    this.#player = player;
    this.#options = options;
    this.#status = element("p", { class: "form-status", role: "status" });
    this.#resetAll = this.#makeResetAll();
    const menu = new ValuesMenu(document.body);
    const { first, more } = arrange(options);
    const atOnce = new Set(first.flatMap(({ names }) => names));
    this.#details = new Set(
      options.filter(({ name, needs }) => needs && atOnce.has(name)).map(({ name }) => name),
    );
    const makeField = (/** @type {string} */ name) => this.#makeField(name, paper, menu);
    host.replaceChildren(
      element("div", { class: "form-head" }, [element("h2", {}, ["Scenario"]), this.#resetAll]),
      this.#status,
      ...first.map((group) => makeGroup(group.title, group.names.map(makeField))),
      makeGroup("Traffic and faults", this.#makeLists()),
      element("details", { class: "more" }, [
        element("summary", {}, [`${more.title} options`]),
        ...more.names.map(makeField),
      ]),
    );
    player.addEventListener("loaded", (event) => {
      this.#showLoaded(/** @type {CustomEvent} */ (event).detail.scenario);
    });
  }

  /** @returns {Draft} what is loaded, flat */
  get applied() {
    return toDraft(this.#player.state.scenario, this.#options);
  }

  /**
   * @param {string} name
   * @param {PaperValues} paper
   * @param {ValuesMenu} menu
   */
  #makeField(name, paper, menu) {
    const option = /** @type {Option} */ (this.#options.find((row) => row.name === name));
    const field = new Field(option, paper[name] ?? [], menu);
    field.onChange = (text) => {
      const texts = { ...this.#draft.texts, [name]: text };
      if (text === "") delete texts[name];
      field.show(text);
      this.#apply({ ...this.#draft, texts: withoutDefaults(texts, this.#options) });
    };
    this.#fields.set(name, field);
    return field.element;
  }

  #makeLists() {
    const kinds = /** @type {const} */ (["session", "background", "fault"]);
    return kinds.flatMap((name) => {
      const option = this.#options.find((row) => row.name === name);
      if (!option) return [];
      const list = new TrafficList(
        option,
        TRAFFIC_WORDS[name],
        name === "session" ? this.#options.filter(({ scope }) => scope === "session") : [],
      );
      list.onChange = (texts) => {
        list.show(texts);
        this.#apply({ ...this.#draft, [name]: texts });
      };
      this.#lists.set(name, list);
      return [list.element];
    });
  }

  #makeResetAll() {
    const button = element("button", { type: "button", class: "button small" }, ["Defaults"]);
    button.title = "All options back to their defaults, the paper's scenario";
    button.addEventListener("click", () => {
      // It is of no more use then, and would take the focus along
      this.#fields.values().next().value?.focus();
      this.#showDraft(emptyDraft());
      this.#apply(emptyDraft());
    });
    return /** @type {HTMLButtonElement} */ (button);
  }

  /** @param {Draft} draft what the engine is asked for */
  async #apply(draft) {
    this.#draft = draft;
    const change = ++this.#changes;
    this.#underWay += 1;
    this.#showDraft(draft); // which words there are, also if the engine refuses it
    try {
      await this.#player.setScenario(toScenario(draft), { keepTime: true });
    } catch (error) {
      if (change === this.#changes) this.#explain(/** @type {Error} */ (error).message, change);
    } finally {
      this.#underWay -= 1;
    }
  }

  /** @param {Record<string, any>} resolved what the player has loaded, in SI numbers */
  #showLoaded(resolved) {
    // While a later change is under way, what is written stays: a slider is being drawn.
    if (this.#underWay <= 1 && !this.#isApplied()) {
      this.#changes += 1;
      this.#draft = this.applied;
    }
    this.#showDraft(this.#draft);
    this.#showFaults([]);
    for (const [name, field] of this.#fields) {
      field.showResolved(resolved[this.#rowOf(name)?.key ?? ""]);
    }
  }

  #isApplied() {
    return JSON.stringify(this.applied) === JSON.stringify(this.#draft);
  }

  /** @param {Draft} draft */
  #showDraft(draft) {
    for (const option of this.#options) {
      const field = this.#fields.get(option.name);
      field?.vary(variantOf(option, draft.texts));
      field?.show(draft.texts[option.name] ?? "");
    }
    const choices = (/** @type {Option} */ member) =>
      variantOf(member, draft.texts)?.segment_choices ?? wordsFor(member);
    for (const [name, list] of this.#lists) list.show(draft[name], choices);
    const { texts, session, background, fault } = draft;
    const lists = session.length + background.length + fault.length;
    this.#resetAll.disabled = Object.keys(texts).length + lists === 0;
    this.#showEffects();
  }

  /** @param {string} name @returns {Option | undefined} its row in the option table */
  #rowOf(name) {
    return this.#options.find((option) => option.name === name);
  }

  /**
   * @param {string} name of an option
   * @returns {string[]} its values in the sessions of the draft
   */
  #valuesOf(name) {
    const own = this.#draft.texts[name] ?? this.#rowOf(name)?.default ?? "";
    return [own, ...this.#draft.session.flatMap((text) => itemOfText(text)[name] ?? [])];
  }

  /** Greys out what has no effect in the draft; details of what is off are out of sight. */
  #showEffects() {
    const used = this.#valuesOf("mode");
    for (const { name, modes = [], needs } of this.#options) {
      const isOfMode = modes.length === 0 || modes.some((mode) => used.includes(mode));
      const isOn = needs === undefined || this.#isMet(needs);
      const field = this.#fields.get(name);
      const reason = isOfMode ? `it needs ${needs?.allowed}` : `only in mode ${modes.join(", ")}`;
      field?.disable(isOfMode && isOn ? "" : `No effect now: ${reason}`);
      field?.hide(!isOn && this.#details.has(name) && !(name in this.#draft.texts));
    }
  }

  /** @param {import("../engine/laboratory.js").Need} need @returns {boolean} */
  #isMet({ options, values }) {
    return options.some((name) =>
      this.#valuesOf(name).some((value) =>
        values ? values.includes(value) : value !== this.#rowOf(name)?.default,
      ),
    );
  }

  /**
   * Shows what the engine has refused, and then what else it would.
   * @param {string} message its line
   * @param {number} change that it refused
   */
  async #explain(message, change) {
    const draft = this.#draft;
    const names = [...this.#fields.keys()];
    this.#showFaults([findFault(message, names, draft)]);
    const faults = await findFaults(draft, names, (one) => this.#laboratory.check(toScenario(one)));
    if (change === this.#changes && faults.length > 0) this.#showFaults(faults);
  }

  /** @param {Fault[]} faults what is refused; none: all is well */
  #showFaults(faults) {
    for (const [name, field] of this.#fields) {
      field.showError(faults.find((fault) => fault.name === name)?.message ?? "");
    }
    for (const [name, list] of this.#lists) {
      list.showErrors(faults.filter((fault) => fault.name === name));
    }
    const lines = faults.map(({ message }) => message).join(" ");
    this.#status.textContent = lines && `Not applied: ${lines}`;
    this.#status.classList.toggle(
      "beside",
      faults.every(({ name }) => name !== ""),
    );
  }
}

const TRAFFIC_WORDS = {
  session: {
    title: "Further sessions",
    add: "Add a session",
    item: "session",
    from: 2,
    start: "mode=aimd",
    least: "start=0s",
    first: ["mode", "delay", "start", "file-size"],
  },
  background: {
    title: "Background connections",
    add: "Add a connection",
    item: "background connection",
    from: 1,
    start: "tcp=newreno",
    least: "start=0s",
    first: ["tcp", "delay", "start", "stop"],
  },
  fault: {
    title: "Faults",
    add: "Add a fault",
    item: "fault",
    from: 1,
    start: "kind=link-down,at=2s,for=1s",
    least: "at=0s",
    first: ["kind", "at", "for"],
  },
};

/**
 * @param {string} title
 * @param {HTMLElement[]} children
 */
function makeGroup(title, children) {
  return element("fieldset", {}, [element("legend", {}, [title]), ...children]);
}
