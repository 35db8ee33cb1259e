// SPDX-License-Identifier: GPL-2.0-only

/**
 * The player owns time: it asks the engine to simulate on, one request at a time, and hands out
 * what comes back.
 *
 * Simulated time is real time times the speed, but never more than the engine can do: then the
 * speed really reached is told. A new scenario, another view and a jump back start the run over;
 * the moment that was shown is caught up with in large steps. The page stays live meanwhile, since
 * the engine works elsewhere.
 *
 * Events: "loaded" (detail: {scenario: resolved}), "frame" (detail: Frame), "change" (the state),
 * "problem" (detail: Error).
 */

import { SPEEDS } from "../address/address.js";
import { arePacketsVisible, Pace, stepSeconds } from "./pace.js";

/** @typedef {import("../engine/laboratory.js").Laboratory} Laboratory */
/** @typedef {import("../engine/laboratory.js").Frame} Frame */
/** @typedef {import("../engine/laboratory.js").Scenario} Scenario */
/** @typedef {import("../views/view-types.js").Scenario} Resolved */
/** @typedef {import("../engine/laboratory.js").View} View */

/** @typedef {import("./player-types.js").PlayerState} PlayerState */
/** @typedef {import("./player-types.js").Load} Load */

const PLAY_BUDGET_MS = 12;
/** Where the engine cannot keep up, it is not kept waiting, and fewer frames leave it more time. */
const FULL_SPEED_BUDGET_MS = 24;
const CATCH_UP_BUDGET_MS = 60;

/** Real time between two frames with charts; where nothing new can be seen in them yet, ms. */
const CHARTS_MS = 150;
const STILL_CHARTS_MS = 1000;
/** Real time between two frames while catching up, ms. */
const CATCH_UP_FRAME_MS = 250;

/** Standing still, packets are shown if it takes no longer than this to simulate once more, ms. */
const CHEAP_MS = 1000;

/** The longest real time that one frame stands for, s: a page in the background does not run on. */
const LONGEST_FRAME_S = 0.1;

export class Player extends EventTarget {
  #laboratory;
  /** @type {PlayerState} */
  #state = {
    scenario: {},
    t: 0,
    speed: 1,
    playing: false,
    view: { kind: "whole" },
    ended: false,
    failure: null,
    catchingUp: null,
    reached: null,
  };
  /** @type {Resolved | null} */
  #resolved = null;
  /** @type {Load | null} */
  #load = null;
  /** @type {number | null} */
  #target = null;
  /** @type {((arrived: boolean) => void)[]} */
  #travellers = [];
  #frameIsDue = false;
  #running = false;
  #clock = 0;
  #chartsClock = 0;
  /** When the charts change visibly: a bin's time after they were last asked for, s. */
  #chartsChange = 0;
  /** Whether the engine fell short of what it was last asked for. */
  #behind = false;
  /** Real time that simulating has taken the engine, ms. */
  #cost = 0;
  #pace = new Pace();

  /** @param {Pick<Laboratory, "load" | "advance">} laboratory the engine, or two as one */
  constructor(laboratory) {
    super();
    this.#laboratory = laboratory;
  }

  /** @returns {Readonly<PlayerState>} */
  get state() {
    return this.#state;
  }

  /** @returns {Resolved | null} the loaded scenario in SI numbers; null before the first one */
  get resolved() {
    return this.#resolved;
  }

  /**
   * Starts over with a scenario.
   *
   * @param {Scenario} scenario
   * @param {{keepTime?: boolean}} [how] keepTime: if it was playing, catch up to the same moment
   * @returns {Promise<boolean>} when it is loaded; false if a later request took its place
   * @throws {Error} the engine's line; the run before goes on
   */
  setScenario(scenario, { keepTime = false } = {}) {
    if (!keepTime) {
      this.#target = null;
      this.#settle(false);
    }
    return this.#ask({ scenario, keepTime, always: false });
  }

  /**
   * What the charts show. They are recorded for it, so the run starts over and catches up.
   *
   * @param {View} view
   * @returns {Promise<boolean>} as of setScenario()
   */
  setView(view) {
    return this.#ask({ view, always: true });
  }

  play() {
    if (this.#state.playing) return;
    if (this.#state.ended) this.seek(0);
    this.#change({ playing: true });
    this.#startClock();
    this.#wake();
  }

  pause() {
    if (!this.#state.playing) return;
    this.#change({ playing: false, reached: null });
    this.#frameIsDue = true;
    this.#wake();
  }

  /** Pauses and goes on to the next moment at which something can be seen. */
  step() {
    this.#change({ playing: false, reached: null });
    if (!this.#state.ended)
      this.seek(this.#state.t + stepSeconds(this.#resolved, this.#state.speed));
  }

  /**
   * @param {number} t simulated time, s; back in time the run starts over
   * @returns {Promise<boolean>} when it is there; false if a later request took its place
   */
  seek(t) {
    this.#settle(false);
    this.#target = rounded(Math.max(0, t));
    const arrival = new Promise((/** @type {(arrived: boolean) => void} */ resolve) => {
      this.#travellers.push(resolve);
    });
    this.#wake();
    return arrival;
  }

  /** @param {number} speed simulated seconds in a real one; kept within what there is */
  setSpeed(speed) {
    if (!Number.isFinite(speed)) return;
    this.#change({
      speed: Math.min(SPEEDS.most, Math.max(SPEEDS.least, speed)),
      reached: null,
    });
    this.#startClock();
    this.#frameIsDue = true;
    this.#wake();
  }

  /** @returns {number} the moment that is shown, or will be once it is caught up with, s */
  get destination() {
    return this.#target ?? this.#state.t;
  }

  /** Whether single packets can be seen at this speed, or standing still. */
  get #showsPackets() {
    const { playing, speed } = this.#state;
    return arePacketsVisible(this.#resolved, speed) || (!playing && this.#cost < CHEAP_MS);
  }

  /**
   * @param {Partial<Load>} wanted what is to be loaded, in place of what waits or is loaded
   * @returns {Promise<boolean>}
   */
  #ask(wanted) {
    const nothing = { always: false, keepTime: false, resolve: [], reject: [] };
    const before = this.#load ?? { ...this.#state, ...nothing };
    if (wanted.scenario) {
      for (const resolve of before.resolve.splice(0)) resolve(false);
    }
    return new Promise((resolve, reject) => {
      this.#load = {
        scenario: wanted.scenario ?? before.scenario,
        view: wanted.view ?? before.view,
        // A view or a jump asked for with a new scenario keeps no time of the old one.
        always: !wanted.scenario && (this.#load?.always ?? wanted.always ?? false),
        keepTime: wanted.keepTime ?? before.keepTime,
        resolve: [...before.resolve, resolve],
        reject: [...before.reject, reject],
      };
      this.#wake();
    });
  }

  #wake() {
    if (this.#running) return;
    this.#running = true;
    this.#run();
  }

  async #run() {
    await null; // What is asked for together is done at once.
    try {
      // One thing after the other: a request is in flight only within these.
      for (;;) {
        if (this.#load) await this.#start(this.#load);
        else if (!this.#resolved) return;
        else if (this.#target !== null) await this.#goTo(this.#target);
        else if (this.#frameIsDue) await this.#show();
        else if (this.#state.playing) await this.#play();
        else return;
      }
    } catch (error) {
      this.#target = null;
      this.#settle(false);
      this.#change({ playing: false, catchingUp: null, reached: null });
      this.dispatchEvent(new CustomEvent("problem", { detail: error }));
    } finally {
      // At once: what is asked for a moment later wakes it again.
      this.#running = false;
      // A problem of the run before is none of the scenario that waits to take its place.
      if (this.#load) this.#wake();
    }
  }

  /** @param {Load} load */
  async #start(load) {
    this.#load = null;
    try {
      this.#resolved = await this.#laboratory.load(load.scenario, load.view);
    } catch (error) {
      for (const reject of load.reject) reject(/** @type {Error} */ (error));
      return;
    }
    const { t, playing, ended } = this.#state;
    const resume = load.always || (load.keepTime && (playing || ended));
    this.#target ??= resume ? t : null;
    this.#change({
      scenario: load.scenario,
      view: load.view,
      t: 0,
      ended: false,
      failure: null,
      playing: playing || (load.keepTime && ended),
      reached: null,
    });
    this.#frameIsDue = this.#target === null;
    this.#startClock();
    this.dispatchEvent(new CustomEvent("loaded", { detail: { scenario: this.#resolved } }));
    for (const resolve of load.resolve) resolve(true);
  }

  /** @param {number} target s; before now the run starts over */
  async #goTo(target) {
    const { scenario, view, t } = this.#state;
    const again = { scenario, view, always: true, keepTime: false, resolve: [], reject: [] };
    if (target < t) await this.#start(again);
    else await this.#travel(target);
  }

  /** @param {number} target s */
  async #travel(target) {
    const began = performance.now();
    let shown = began;
    let there = false;
    while (!there && !this.#load && this.#target === target) {
      const now = performance.now();
      const show = now - shown >= CATCH_UP_FRAME_MS;
      const frame = await this.#advance(target, show, CATCH_UP_BUDGET_MS);
      there = frame.now >= target || frame.ended;
      if (show && !there) {
        shown = now;
        this.#change({ catchingUp: target });
        this.#emit(frame);
      }
    }
    if (!there || this.#target !== target) return;
    this.#target = null;
    this.#frameIsDue = true;
    this.#change({ catchingUp: null });
    await this.#show();
    this.#settle(true);
  }

  /** Hands out the moment as it stands, complete. */
  async #show() {
    this.#frameIsDue = false;
    const { t } = this.#state;
    const frame = await this.#advance(t, true, PLAY_BUDGET_MS);
    if (this.#startsOver(frame, t)) return;
    this.#startClock();
    this.#emit(frame);
  }

  async #play() {
    const now = this.#behind && !document.hidden ? performance.now() : await animationFrame();
    const real = Math.min(Math.max(now - this.#clock, 0) / 1000, LONGEST_FRAME_S);
    this.#clock = now;
    if (!this.#state.playing || this.#load || this.#target !== null) return;
    const { t, speed } = this.#state;
    const pause = t < this.#chartsChange ? STILL_CHARTS_MS : CHARTS_MS;
    const charts = now - this.#chartsClock >= pause;
    const until = rounded(t + real * speed);
    const budget = this.#behind ? FULL_SPEED_BUDGET_MS : PLAY_BUDGET_MS;
    const frame = await this.#advance(until, charts, budget);
    if (this.#startsOver(frame, t)) return;
    this.#behind = frame.now < until && !frame.ended;
    const reached = this.#pace.measure(now, this.#state);
    if (reached !== undefined && reached !== this.#state.reached) this.#change({ reached });
    this.#emit(frame);
  }

  /**
   * @param {number} until s
   * @param {boolean} charts
   * @param {number} budgetMs
   * @returns {Promise<Frame>}
   */
  async #advance(until, charts, budgetMs) {
    if (charts) this.#chartsClock = performance.now();
    const packets = this.#showsPackets;
    const frame = await this.#laboratory.advance(until, { packets, charts, budgetMs });
    this.#state.t = frame.now;
    this.#cost = frame.cost;
    if (frame.charts) {
      const { begin, end, times } = frame.charts;
      this.#chartsChange = frame.now + (end - begin) / Math.max(1, times.length);
    }
    return frame;
  }

  /**
   * @param {Frame} frame
   * @param {number} t where it was before, s: caught up with if the engine started over for packets
   * @returns {boolean} whether it did
   */
  #startsOver(frame, t) {
    if (frame.now >= t || frame.ended) return false;
    this.#target ??= t;
    return true;
  }

  /** @param {Frame} frame */
  #emit(frame) {
    if (frame.ended && !this.#state.ended) {
      // The last frame shows all there is.
      this.#frameIsDue = this.#frameIsDue || !frame.charts;
      const failure = frame.status === "failed" ? frame.reason : null;
      this.#change({ ended: true, failure, playing: false, reached: null });
    }
    this.dispatchEvent(new CustomEvent("frame", { detail: frame }));
  }

  #startClock() {
    this.#clock = performance.now();
    this.#pace.start(this.#clock, this.#state.t);
  }

  /** @param {boolean} arrived */
  #settle(arrived) {
    for (const resolve of this.#travellers.splice(0)) resolve(arrived);
  }

  /** @param {Partial<PlayerState>} changed */
  #change(changed) {
    this.#state = { ...this.#state, ...changed };
    this.dispatchEvent(new CustomEvent("change", { detail: this.#state }));
  }
}

/**
 * @param {number} t s
 * @returns {number} to nanoseconds, as the engine's clock and the address
 */
function rounded(t) {
  return Math.round(t * 1e9) / 1e9;
}

/** @returns {Promise<number>} the time of the next frame of animation, ms */
function animationFrame() {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
