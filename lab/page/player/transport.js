// SPDX-License-Identifier: GPL-2.0-only

/** Play, pause, step, speed, and the way to any moment: what the reader controls time with. */

import { SPEEDS } from "../address/address.js";
import { find } from "../dom.js";
import { speedText, timeText } from "./numbers-text.js";

/** @typedef {import("./player.js").Player} Player */
/** @typedef {import("./player-types.js").PlayerState} PlayerState */
/** @typedef {import("../engine/laboratory.js").Frame} Frame */

/** What the speed slider holds at: 1, 2, 5 in every decade. */
const STEPS = makeSpeeds();

export class Transport {
  #player;
  #play;
  #step;
  #time;
  #scrubber;
  #speed;
  #speedText;
  #status;
  /** The furthest moment seen of this run, s. */
  #furthest = 0;
  #scenario = "";

  /**
   * @param {HTMLElement} host holds the controls, each marked with data-transport
   * @param {Player} player
   */
  constructor(host, player) {
    this.#player = player;
    const part = (/** @type {string} */ name) => `[data-transport="${name}"]`;
    this.#play = find(part("play"), HTMLButtonElement, host);
    this.#step = find(part("step"), HTMLButtonElement, host);
    this.#time = find(part("time"), HTMLInputElement, host);
    this.#scrubber = find(part("scrubber"), HTMLInputElement, host);
    this.#speed = find(part("speed"), HTMLInputElement, host);
    this.#speedText = find(part("speed-text"), HTMLElement, host);
    this.#status = find(part("status"), HTMLElement, host);
    this.#speed.max = String(STEPS.length - 1);
    this.#play.addEventListener("click", () => this.togglePlay());
    this.#step.addEventListener("click", () => this.step());
    const onClick = (/** @type {string} */ name, /** @type {() => void} */ action) =>
      find(part(name), HTMLButtonElement, host).addEventListener("click", action);
    onClick("start", () => this.toStart());
    onClick("slower", () => this.changeSpeed(-1));
    onClick("faster", () => this.changeSpeed(1));
    this.#bindEntries();
    player.addEventListener("loaded", () => this.#forgetOthers());
    player.addEventListener("frame", (event) => {
      this.#showFrame(/** @type {CustomEvent<Frame>} */ (event).detail);
    });
    player.addEventListener("change", () => this.#showState(player.state));
    this.#showState(player.state);
  }

  togglePlay() {
    if (this.#player.state.playing) this.#player.pause();
    else this.#player.play();
  }

  step() {
    this.#player.step();
  }

  toStart() {
    this.#player.seek(0);
  }

  /** @param {number} steps of the slider, up or down */
  changeSpeed(steps) {
    const index = Math.min(STEPS.length - 1, Math.max(0, this.#nearestSpeed() + steps));
    this.#player.setSpeed(STEPS[index] ?? 1);
  }

  #bindEntries() {
    this.#speed.addEventListener("input", () => {
      this.#player.setSpeed(STEPS[Number(this.#speed.value)] ?? 1);
    });
    this.#scrubber.addEventListener("input", () => {
      this.#player.seek((Number(this.#scrubber.value) / SCRUBBER_STEPS) * this.#furthest);
    });
    this.#time.addEventListener("change", () => this.#goToTyped());
    this.#time.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#time.blur();
    });
    this.#time.addEventListener("focus", () => this.#time.select());
  }

  #goToTyped() {
    const text = this.#time.value.trim().replace(/ ?s$/, "");
    const t = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    const isTime = t <= LONGEST_S;
    this.#time.setAttribute("aria-invalid", String(!isTime));
    if (isTime) this.#player.seek(t);
    else
      this.#status.textContent = `"${text}" is not a time; allowed: seconds from 0 to ${LONGEST_S}`;
  }

  /** A jump back loads the same scenario once more: what was seen of it can still be gone to. */
  #forgetOthers() {
    const scenario = JSON.stringify(this.#player.resolved);
    if (scenario !== this.#scenario) this.#furthest = 0;
    this.#scenario = scenario;
  }

  /** @param {Frame} frame */
  #showFrame(frame) {
    const { speed } = this.#player.state;
    if (document.activeElement !== this.#time) {
      this.#time.value = timeText(frame.now, speed);
      this.#time.setAttribute("aria-invalid", "false");
    }
    this.#furthest = Math.max(this.#furthest, frame.now);
    const place = this.#furthest > 0 ? (frame.now / this.#furthest) * SCRUBBER_STEPS : 0;
    const text = String(Math.round(place));
    if (this.#scrubber.value !== text) {
      this.#scrubber.value = text;
      this.#scrubber.setAttribute("aria-valuetext", `${timeText(frame.now, speed)} seconds`);
    }
  }

  /** @param {PlayerState} state */
  #showState(state) {
    const label = state.playing ? "Pause" : "Play";
    if (this.#play.getAttribute("aria-label") !== label) {
      this.#play.setAttribute("aria-label", label);
      this.#play.classList.toggle("playing", state.playing);
    }
    if (state.ended && document.activeElement === this.#step) this.#play.focus();
    this.#step.disabled = state.ended;
    const index = String(this.#nearestSpeed());
    if (this.#speed.value !== index) this.#speed.value = index;
    const words = speedText(state.speed);
    this.#speed.setAttribute("aria-valuetext", words);
    this.#speedText.textContent = words;
    const status = describeState(state);
    if (this.#status.textContent !== status) this.#status.textContent = status;
  }

  #nearestSpeed() {
    const wanted = Math.log(this.#player.state.speed);
    const distances = STEPS.map((speed) => Math.abs(Math.log(speed) - wanted));
    return distances.indexOf(Math.min(...distances));
  }
}

/** Positions of the scrubber. */
const SCRUBBER_STEPS = 1000;

/** The longest time that can be gone to, s. */
const LONGEST_S = 1e6;

/** @param {PlayerState} state */
function describeState(state) {
  if (state.catchingUp !== null) {
    const share = Math.floor((100 * state.t) / Math.max(state.catchingUp, 1e-9));
    return `Catching up with t = ${timeText(state.catchingUp, 1)} s: ${share} %`;
  }
  if (state.failure !== null) return `The transfer failed: ${state.failure}`;
  if (state.ended) return "The transfer is over";
  if (state.reached !== null) {
    return `As fast as this machine can: ${speedText(Number(state.reached.toPrecision(2)))}`;
  }
  return state.playing ? "Playing" : "Paused";
}

function makeSpeeds() {
  const speeds = [];
  for (let power = -4; power <= 4; ++power) {
    for (const mantissa of [1, 2, 5]) speeds.push(Number(`${mantissa}e${power}`));
  }
  return speeds.filter((speed) => speed >= SPEEDS.least && speed <= SPEEDS.most);
}
