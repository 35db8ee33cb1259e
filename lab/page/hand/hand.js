// SPDX-License-Identifier: GPL-2.0-only

/**
 * Tuning by hand: before each chunk the transfer stops and asks how many connections it shall have.
 * A decision is one more number of the option chunk-parallelism, with which the run starts over and
 * comes back to the same moment; so what the reader did is in the scenario, the address and the
 * command line, and gives the same numbers everywhere.
 *
 * It is there where the first session has mode by-hand.
 */

import { toDraft, toScenario } from "../address/scenario.js";
import { element } from "../dom.js";
import { decide, describeList, numberOf, readList, writeList } from "./hand-list.js";
import { compare } from "./others.js";

/** @typedef {import("../engine/laboratory.js").Laboratory} Laboratory */
/** @typedef {import("../engine/laboratory.js").Session} Session */
/** @typedef {import("../engine/laboratory.js").Frame} Frame */
/** @typedef {import("../player/player.js").Player} Player */
/** @typedef {import("./others.js").Outcome} Outcome */

const MODE = "by-hand";
const OPTION = "chunk-parallelism";

export class Hand {
  #host;
  #player;
  #laboratory;
  #list = [1];
  /** Chunks of the file. */
  #chunks = 0;
  /** Index of the chunk whose N the entry is. */
  #place = 0;
  /** Whether time ran, or did so until the transfer ended. */
  #ran = false;
  /** What the comparison under way is about; another one takes its place. */
  #compared = "";

  #question = element("p", { class: "hand-question", role: "status" });
  #soFar = element("p", { class: "hand-so-far" });
  #entry = /** @type {HTMLInputElement} */ (
    element("input", { type: "number", min: "1", step: "1", inputmode: "numeric" })
  );
  #number = element("label", { class: "hand-number" }, ["N = ", this.#entry]);
  #go = element("button", { type: "submit", class: "button primary" }, ["Go on"]);
  #asks = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox" }));
  #compare = element("button", { type: "button", class: "button" }, [
    "Compare with MI, MI+, AIMD and the best fixed N",
  ]);
  #others = element("div", { class: "hand-others", role: "status" });

  /**
   * @param {HTMLElement} host is filled
   * @param {{laboratory: Laboratory, player: Player}} engines
   */
  constructor(host, { laboratory, player }) {
    this.#host = host;
    this.#laboratory = laboratory;
    this.#player = player;
    this.#asks.checked = true;
    const form = element("form", { class: "hand-form", novalidate: "" }, [
      this.#number,
      this.#go,
      element("label", { class: "hand-asks" }, [this.#asks, " Stop before each chunk"]),
      this.#compare,
    ]);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#decide();
    });
    this.#compare.addEventListener("click", () => this.#compareAll());
    host.append(this.#question, form, this.#soFar, this.#others);
    player.addEventListener("loaded", (event) => {
      this.#showLoaded(/** @type {CustomEvent} */ (event).detail.scenario);
    });
    player.addEventListener("change", () => {
      if (!player.state.ended) this.#ran = player.state.playing;
    });
    player.addEventListener("frame", (event) => {
      const { detail } = /** @type {CustomEvent<Frame>} */ (event);
      this.#showFrame(detail.own ?? detail);
    });
  }

  /** @param {any} resolved */
  #showLoaded(resolved) {
    const [session] = resolved.sessions;
    this.#host.hidden = session.mode !== MODE;
    if (this.#host.hidden) return;
    this.#list = readList(session.chunk_parallelism);
    this.#chunks = Math.ceil(session.file_size_bytes / session.chunk_size_bytes);
    this.#entry.max = String(session.max_parallelism);
    this.#soFar.textContent = `Decided: ${describeList(this.#list)}.`;
    if (this.#compared !== this.#key()) this.#others.replaceChildren();
    this.#ask(0);
  }

  /** @param {Frame} frame */
  #showFrame(frame) {
    const session = frame.sessions[0];
    if (this.#host.hidden || !session) return;
    const { complete } = session;
    if (complete !== this.#place) this.#ask(complete, session);
    this.#compare.hidden = !frame.ended;
    if (this.#isToAsk(complete)) this.#stop(session);
    else if (frame.ended) this.#question.textContent = endText(session);
  }

  /** @param {number} complete chunks */
  #isToAsk(complete) {
    const undecided = complete >= this.#list.length && this.#list.length < this.#chunks;
    return this.#ran && this.#asks.checked && undecided;
  }

  /** @param {Session} session whose next chunk nobody has decided on */
  #stop(session) {
    this.#ran = false;
    this.#player.pause();
    // At high speed more than one chunk can have ended within a frame
    const last = session.chunks[this.#list.length - 1];
    if (last && session.complete > this.#list.length) this.#player.seek(last.end);
    this.#entry.focus();
    this.#entry.select();
  }

  /**
   * @param {number} place index of the chunk under way, or of the next one
   * @param {Session} [session]
   */
  #ask(place, session) {
    this.#place = place;
    const isOver = place >= this.#chunks;
    this.#number.hidden = isOver;
    this.#go.hidden = isOver;
    this.#setInvalid("");
    if (isOver) return;
    this.#entry.value = String(numberOf(this.#list, place));
    const before = session?.chunks[place - 1];
    this.#question.textContent =
      `Chunk ${place + 1} of ${this.#chunks}: how many connections?` +
      (before ? ` Chunk ${place} used ${before.parallelism} and got ${rateText(before)}.` : "");
  }

  /** @param {string} message what is wrong with the entry; empty: nothing */
  #setInvalid(message) {
    this.#entry.setAttribute("aria-invalid", String(message !== ""));
    if (message) this.#question.textContent = message;
  }

  async #decide() {
    const n = Number(this.#entry.value);
    const most = Number(this.#entry.max);
    if (this.#entry.value.trim() === "" || !Number.isInteger(n) || n < 1 || n > most) {
      const text = this.#entry.value;
      this.#setInvalid(`"${text}" is not a number of connections; allowed: 1 to ${most}`);
      return;
    }
    const list = decide(this.#list, this.#place, n);
    if (list !== this.#list) {
      const { state } = this.#player;
      const draft = toDraft(state.scenario, this.#laboratory.options);
      const texts = { ...draft.texts, [OPTION]: writeList(list) };
      const loaded = this.#player.setScenario(toScenario({ ...draft, texts }));
      await Promise.all([loaded, this.#player.seek(state.t)]);
    }
    this.#player.play();
  }

  #key() {
    return JSON.stringify(this.#player.state.scenario);
  }

  async #compareAll() {
    const key = this.#key();
    this.#compared = key;
    const isLatest = () => this.#compared === key && this.#key() === key;
    const say = (/** @type {string} */ text) => {
      if (isLatest()) this.#others.replaceChildren(element("p", {}, [text]));
    };
    say("Simulating the same path ...");
    try {
      const rows = await compare(
        (scenario) => this.#laboratory.run(scenario),
        this.#player.state.scenario,
        this.#laboratory.options,
        (done) => say(`Simulating the same path ... ${done}`),
      );
      if (isLatest()) this.#others.replaceChildren(makeTable(rows));
    } catch (error) {
      say(/** @type {Error} */ (error).message);
    }
  }
}

/** @param {import("../engine/laboratory.js").Chunk} chunk */
function rateText(chunk) {
  return `${(chunk.goodput / 1e6).toFixed(1)} Mbit/s`;
}

/** @param {Session} session that has ended */
function endText(session) {
  const { chunks } = session;
  const end = chunks.at(-1)?.end;
  return end === undefined
    ? "The transfer has ended."
    : `All chunks have arrived at ${end.toFixed(2)} s.`;
}

/** @param {Outcome[]} rows */
function makeTable(rows) {
  const least = Math.min(...rows.map((row) => row.duration));
  const head = ["", "takes", "packets lost", "N of the chunks"];
  const cells = rows.map((row) =>
    element("tr", row.duration === least ? { class: "hand-first" } : {}, [
      element("th", { scope: "row" }, [row.name]),
      element("td", {}, [`${row.duration.toFixed(2)} s`]),
      element("td", {}, [row.drops.toLocaleString("en")]),
      element("td", { class: "hand-list" }, [describeList(row.list)]),
    ]),
  );
  return element("table", { class: "hand-table" }, [
    element("thead", {}, [
      element(
        "tr",
        {},
        head.map((text) => element("th", { scope: "col" }, [text])),
      ),
    ]),
    element("tbody", {}, cells),
  ]);
}
