// SPDX-License-Identifier: GPL-2.0-only

/**
 * The worker in which the engine runs, so that the page never waits for it. It answers the calls
 * of laboratory.js one after the other.
 */

import { advanceWithin, Engine } from "./engine.js";
import { makeFrame } from "./frame.js";

/** @typedef {import("./laboratory.js").View} View */

/** What a simulation begins with: simulated time that no engine takes long for, s. */
const FIRST_SLICE = 1e-3;

/** Real time between two looks whether something else is asked for, ms. */
const LONG_BUDGET_MS = 200;

/** What is loaded, and how far its simulation has come. */
class Run {
  /**
   * @param {Engine} engine loads it
   * @param {object} scenario see Engine.load()
   * @param {View} view of the charts
   */
  constructor(engine, scenario, view) {
    this.engine = engine;
    this.scenario = scenario;
    this.view = view;
    this.resolved = engine.load(scenario, view);
    /** What a packet takes at most from one end to the other, and more, s. @type {number} */
    this.passage = engine.c.lab_passage();
    /** Simulated time that takes some milliseconds, s. @type {number} */
    this.slice = FIRST_SLICE;
    /** How far it has come, s. @type {number} */
    this.now = 0;
    /** Real time that simulating has taken so far, ms. */
    this.cost = 0;
    this.ended = false;
    /** Whether packets are kept. */
    this.watched = false;
    /** Complete chunks, by session. @type {import("./laboratory.js").Chunk[][]} */
    this.chunks = this.resolved.sessions.map(() => []);
    /** When the charts were last asked for, and what had been forwarded then. */
    this.charted = { now: 0, forwarded: 0, recent: 0 };
  }

  /**
   * @param {number} until s
   * @returns {boolean} whether packets were not kept that are on their way then
   */
  misses(until) {
    return !this.watched && !this.ended && this.now > Math.max(0, until - this.passage);
  }

  /**
   * Keeping packets takes time: it is done only for those that can be on their way at the end.
   *
   * @param {number} until s
   * @param {number} budgetMs of real time
   * @param {boolean} packets whether these are wanted
   */
  advance(until, budgetMs, packets) {
    const begun = performance.now();
    const from = packets ? Math.max(0, until - this.passage) : Number.POSITIVE_INFINITY;
    this.watch(this.now >= from);
    this.simulate(Math.min(until, from), budgetMs);
    const left = budgetMs - (performance.now() - begun);
    if (packets && this.now >= from && left > 0) {
      this.watch(true);
      this.simulate(until, left);
    }
    this.cost += performance.now() - begun;
  }

  /** @param {number} until s @param {number} budgetMs of real time */
  simulate(until, budgetMs) {
    if (this.ended || until <= this.now) {
      return;
    }
    const advance = (/** @type {number} */ reach) => this.engine.c.lab_advance(reach);
    const plan = { now: this.now, until, budgetMs, slice: this.slice };
    const { now, answer, slice } = advanceWithin(advance, plan);
    this.now = now;
    this.slice = slice;
    this.ended = answer !== 0;
  }

  /** @param {boolean} watched whether packets are kept from now on */
  watch(watched) {
    if (watched !== this.watched) {
      this.engine.c.lab_watch(watched ? 1 : 0);
    }
    this.watched = watched;
  }
}

/** @type {WebAssembly.Module} */
let module;
/** @type {Engine} */
let engine;
/** @type {Run | null} */
let run = null;

/** @returns {Run} what is loaded @throws {Error} nothing is */
function loaded() {
  if (!run) {
    throw new Error("no scenario is loaded");
  }
  return run;
}

/** How often all was cancelled. */
let cancellations = 0;

/** @returns {Error} what those are told whose question was cancelled */
function cancelled() {
  return Object.assign(new Error("cancelled"), { name: "Cancelled" });
}

/**
 * Lets what has come meanwhile be looked at.
 *
 * @returns {Promise<void>} after that
 * @throws {Error} named "Cancelled": it was a cancellation
 */
async function breathe() {
  const before = cancellations;
  await new Promise((resolve) => setTimeout(resolve, 0));
  if (cancellations !== before) {
    throw cancelled();
  }
}

/**
 * @param {(until: number) => number} advance see advanceWithin()
 * @param {number} [until] s; to the end of the run
 * @returns {Promise<number>} the last answer
 */
async function finish(advance, until = Number.POSITIVE_INFINITY) {
  let state = { now: 0, answer: 0, slice: FIRST_SLICE };
  while (state.answer === 0 && state.now < until) {
    state = advanceWithin(advance, { ...state, until, budgetMs: LONG_BUDGET_MS });
    await breathe();
  }
  return state.answer;
}

/** The calls, by name. @type {Record<string, (...values: any[]) => any>} */
const calls = {
  async open(/** @type {WebAssembly.Module} */ compiled) {
    module = compiled;
    engine = await Engine.start(module);
    return { ...engine.describe(), about: engine.about() };
  },

  load(/** @type {object} */ scenario, /** @type {View} */ view) {
    run = new Run(engine, scenario, view);
    return run.resolved;
  },

  advance(
    /** @type {number} */ until,
    /** @type {{packets?: boolean, charts?: boolean, budgetMs?: number}} */ wanted,
  ) {
    let current = loaded();
    if (wanted.packets && current.misses(until)) {
      current = run = new Run(engine, current.scenario, current.view);
    }
    current.advance(until, wanted.budgetMs ?? 12, wanted.packets ?? false);
    return makeFrame(current, wanted);
  },

  result() {
    loaded();
    return engine.result();
  },

  model(/** @type {number} */ largest) {
    loaded();
    const [rtt, optimum, ...goodput] = engine.rows(engine.c.lab_model(largest));
    return { rtt_s: rtt, optimum, goodput_bps: Float64Array.from(goodput) };
  },

  async check(/** @type {object} */ scenario) {
    const other = await Engine.start(module);
    other.begin(scenario);
  },

  async run(/** @type {object} */ scenario) {
    const other = await Engine.start(module);
    const begun = performance.now();
    other.begin(scenario);
    await finish((until) => other.c.lab_apart_advance(until));
    other.c.lab_apart_result();
    return { text: other.text(), milliseconds: performance.now() - begun };
  },

  async outside(/** @type {object} */ scenario, /** @type {number[]} */ answers) {
    const other = await Engine.start(module);
    other.answer(answers);
    other.begin(scenario);
    await finish((until) => other.c.lab_apart_advance(until));
    const question = other.question();
    if (question) return { question };
    other.c.lab_apart_result();
    return { text: other.text() };
  },

  async record(
    /** @type {object} */ scenario,
    /** @type {{begin: number, end: number, until?: number}} */ span,
  ) {
    const other = await Engine.start(module);
    other.begin(scenario, span);
    const until = Math.min(span.end, span.until ?? span.end);
    const answer = await finish((reach) => other.c.lab_apart_advance(reach), until);
    if (answer === 2) {
      throw new Error(
        `traces from ${span.begin} s to ${span.end} s: more than 64 MB; allowed: a shorter span`,
      );
    }
    const [cwnd, queue, drops] = [0, 1, 2].map((file) => {
      other.c.lab_apart_trace(file);
      return other.text();
    });
    return { cwnd, queue, drops };
  },
};

/**
 * @param {any} value an answer
 * @param {Set<ArrayBuffer>} found the buffers in it so far
 * @returns {Set<ArrayBuffer>} all buffers in it, which are handed over instead of copied
 */
function buffersIn(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) {
    found.add(/** @type {ArrayBuffer} */ (value.buffer));
  } else if (value && typeof value === "object") {
    for (const part of Object.values(value)) {
      buffersIn(part, found);
    }
  }
  return found;
}

let last = Promise.resolve();

self.onmessage = ({ data: { cancel, id, name, values } }) => {
  if (cancel) {
    cancellations += 1;
    return;
  }
  const asked = cancellations;
  last = last.then(async () => {
    try {
      if (cancellations !== asked) {
        throw cancelled();
      }
      const value = await calls[name](...values);
      self.postMessage({ id, value }, { transfer: [...buffersIn(value)] });
    } catch (problem) {
      const { name: kind, message } = /** @type {Error} */ (problem);
      self.postMessage({ id, problem: { name: kind, message } });
    }
  });
};
