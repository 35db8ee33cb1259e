// SPDX-License-Identifier: GPL-2.0-only

/** A comparison: a second scenario, B, beside the bench's own, A; what differs, and what both come to. */

import { toDraft, toScenario } from "../address/scenario.js";
import { element, find, focusBench, refill } from "../dom.js";
import { byFlow } from "../views/flow-names.js";
import { duration, NOTHING, rate } from "../views/quantities.js";
import { differences, readRival } from "./differences.js";

/** @typedef {import("../address/scenario.js").Draft} Draft */
/** @typedef {import("../engine/laboratory.js").Frame} Frame */
/** @typedef {import("../engine/laboratory.js").Laboratory} Laboratory */
/** @typedef {import("../player/player.js").Player} Player */
/** @typedef {import("./pair.js").Pair} Pair */

const COMPARING = "comparing";

export class Comparison {
  /** B; null: there is none. @type {Draft | null} */
  #draft = null;
  #host = find("#compare", HTMLElement);
  /** @type {symbol | null} the latest wish for a B */
  #latest = null;
  #title = find("#charts-title", HTMLElement);
  #menu = find("#compare-menu", HTMLElement);
  #text = find("#compare-text", HTMLInputElement);
  #told = find("#compare-told", HTMLElement);
  #table = element("table", { class: "compare-table" });
  #results = element("tbody");
  #laboratory;
  #player;
  #pair;
  #onChange;

  /**
   * @param {{laboratory: Laboratory, player: Player, pair: Pair}} engines
   * @param {() => void} onChange called when B has come, changed or gone
   */
  constructor({ laboratory, player, pair }, onChange) {
    this.#laboratory = laboratory;
    this.#player = player;
    this.#pair = pair;
    this.#onChange = onChange;
    const button = (/** @type {string} */ id, /** @type {() => unknown} */ act) =>
      find(id, HTMLButtonElement).addEventListener("click", act);
    button("#compare-this", () => this.#begin(this.#own));
    button("#compare-end", () => this.#end());
    button("#compare-swap", () => this.#swap());
    find("#compare-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#read();
    });
    find("#compare-results", HTMLElement).append(this.#table);
    player.addEventListener("loaded", () => this.#drawOptions());
    player.addEventListener("frame", (event) => {
      this.#drawResults(/** @type {CustomEvent<Frame>} */ (event).detail);
    });
  }

  /** @returns {Draft | null} B; null: there is none */
  get draft() {
    return this.#draft;
  }

  /** @returns {Draft} A */
  get #own() {
    return toDraft(this.#player.state.scenario, this.#laboratory.options);
  }

  /**
   * From the next load on, as an address says it.
   * @param {Draft | null} draft B; null: none
   * @throws {Error} the engine's line: it refuses B, and what was there before stays
   */
  async set(draft) {
    const request = Symbol("latest");
    this.#latest = request;
    if (draft !== null) await this.#pair.prepare(toScenario(draft));
    if (this.#latest === request) this.#take(draft);
  }

  /** Without B, at once; the run that is there stays as it is. */
  drop() {
    this.#latest = null;
    if (this.#draft !== null) this.#take(null);
  }

  /** @param {Draft | null} draft */
  #take(draft) {
    this.#draft = draft;
    this.#pair.compareWith(draft && toScenario(draft));
    this.#host.hidden = draft === null;
    document.documentElement.classList.toggle(COMPARING, draft !== null);
    this.#title.textContent = draft === null ? "Over time" : "A";
  }

  /** @param {Draft} draft */
  async #begin(draft) {
    try {
      await this.set(draft);
    } catch (error) {
      this.#told.textContent = /** @type {Error} */ (error).message;
      return;
    }
    this.#told.textContent = "";
    this.#menu.hidePopover();
    await this.#again();
  }

  #read() {
    try {
      this.#begin(readRival(this.#text.value, this.#own, this.#laboratory.options));
    } catch (error) {
      this.#told.textContent = /** @type {Error} */ (error).message;
    }
  }

  #end() {
    this.drop();
    this.#again();
    focusBench();
  }

  async #swap() {
    if (this.#draft === null) return;
    const [own, rival] = [this.#own, this.#draft];
    const { destination } = this.#player;
    await this.set(own);
    await this.#player.setScenario(toScenario(rival));
    this.#onChange();
    await this.#player.seek(destination);
  }

  /** Runs what there is now up to the same moment. */
  async #again() {
    const done = this.#player.setView(this.#player.state.view);
    this.#onChange();
    await done;
  }

  #drawOptions() {
    const rival = this.#draft;
    if (rival === null) return;
    const rows = differences(this.#own, rival, this.#laboratory.options);
    const head = element("thead", {}, [row("", ["A", "B"], "col")]);
    const body = element(
      "tbody",
      {},
      rows.length > 0
        ? rows.map(({ name, one, other }) => row(name, [one, other]))
        : [row("options", ["equal", "equal"])],
    );
    refill(this.#table, head, body, this.#results);
  }

  /** @param {Frame} frame */
  #drawResults({ own, rival }) {
    const { resolved } = this.#player;
    if (!own || !rival || !resolved || this.#pair.rival === null) return;
    const texts = (/** @type {(frame: Frame, scenario: any) => string} */ tell) => [
      tell(own, resolved),
      tell(rival, this.#pair.rival),
    ];
    this.#results.replaceChildren(
      row("goodput so far", texts(goodputText)),
      row("drops so far", texts(dropsText)),
      row("finish", texts(finishText)),
    );
  }
}

/**
 * @param {string} name
 * @param {string[]} texts
 * @param {"row" | "col"} [scope] of what the header cells are
 */
function row(name, texts, scope = "row") {
  const head = name === "" ? element("td") : element("th", { scope }, [name]);
  const cell = (/** @type {string} */ text) =>
    scope === "col" ? element("th", { scope }, [text]) : element("td", {}, [text]);
  return element("tr", {}, [head, ...texts.map(cell)]);
}

/** @param {Frame} frame @param {any} scenario */
function goodputText({ sessions }, scenario) {
  const texts = sessions.map(({ meanGoodput }) =>
    meanGoodput === null ? NOTHING : rate(meanGoodput),
  );
  return byFlow({ ...scenario, background: [] }, texts);
}

/** @param {Frame} frame */
function dropsText({ drops }) {
  return drops.toLocaleString("en");
}

/** @param {Frame} frame */
function finishText({ ended, now, status }) {
  if (!ended) return "not yet";
  return status === "failed" ? `failed at ${duration(now)}` : duration(now);
}
