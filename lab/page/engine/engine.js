// SPDX-License-Identifier: GPL-2.0-only

/**
 * The segment engine in WebAssembly (lab/engine): its C functions as methods. It only moves
 * numbers and texts; what they mean is told in lab/engine/lab-interface.cc.
 */

/** Bins in which the charts show a run. */
const BINS = 1000;

/** Codes of a view's kind for lab_load(). */
const VIEW_KINDS = { whole: 0, last: 1, span: 2 };

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * What the C++ library asks of its system: to write what it says before it gives up, and no more.
 *
 * @param {() => WebAssembly.Memory} memory of the instance
 * @returns {WebAssembly.Imports} the imports
 */
function systemFor(memory) {
  const NOT_SUPPORTED = 58;
  return {
    wasi_snapshot_preview1: {
      fd_close: () => NOT_SUPPORTED,
      fd_seek: () => NOT_SUPPORTED,
      fd_write: (
        /** @type {number} */ _file,
        /** @type {number} */ vectors,
        /** @type {number} */ count,
        /** @type {number} */ writtenAt,
      ) => {
        const view = new DataView(memory().buffer);
        let written = 0;
        for (let i = 0; i < count; ++i) {
          const at = view.getUint32(vectors + 8 * i, true);
          const size = view.getUint32(vectors + 8 * i + 4, true);
          console.error(decoder.decode(new Uint8Array(memory().buffer, at, size)));
          written += size;
        }
        view.setUint32(writtenAt, written, true);
        return 0;
      },
    },
  };
}

export class Engine {
  /**
   * @param {WebAssembly.Module} module the compiled engine.wasm
   * @returns {Promise<Engine>} an engine with a memory of its own
   */
  static async start(module) {
    /** @type {WebAssembly.Instance} */
    let instance;
    const memory = () => /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    instance = await WebAssembly.instantiate(module, systemFor(memory));
    /** @type {any} */ (instance.exports)._initialize();
    return new Engine(instance.exports);
  }

  /** @param {WebAssembly.Exports} exports of a started instance */
  constructor(exports) {
    /** @type {any} */
    this.c = exports;
  }

  /** @returns {ArrayBuffer} the engine's memory; it may be another one after any call */
  get buffer() {
    return this.c.memory.buffer;
  }

  /** @returns {string} the last text made */
  text() {
    return decoder.decode(new Uint8Array(this.buffer, this.c.lab_text(), this.c.lab_text_size()));
  }

  /** @param {string} text to be read by the next call */
  write(text) {
    const bytes = encoder.encode(text);
    const at = this.c.lab_input(bytes.length);
    new Uint8Array(this.buffer, at, bytes.length).set(bytes);
  }

  /**
   * @param {number} count numbers in the last rows, as the function that made them returned
   * @returns {Float64Array} these, where they are: a view, good until the next call
   */
  rows(count) {
    return new Float64Array(this.buffer, this.c.lab_rows(), count);
  }

  /** @returns {{options: any[], tuners: any[]}} the tables of `./gridftp run --describe` */
  describe() {
    this.c.lab_describe();
    return JSON.parse(this.text());
  }

  /** @returns {{version: string, commit: string}} which sources the engine is made of */
  about() {
    this.c.lab_about();
    return JSON.parse(this.text());
  }

  /**
   * Loads a scenario at t = 0.
   *
   * @param {object} scenario option texts by name, as a line of a batch
   * @param {import("./laboratory.js").View} view what the charts show
   * @returns {any} the resolved scenario
   * @throws {Error} one line that says what is wrong; what was loaded before stays
   */
  load(scenario, view) {
    this.write(JSON.stringify(scenario));
    const begin = view.kind === "span" ? view.begin : 0;
    const length =
      view.kind === "span" ? view.end - view.begin : view.kind === "last" ? view.seconds : 0;
    if (!this.c.lab_load(VIEW_KINDS[view.kind], begin, length, BINS)) {
      throw new Error(this.text());
    }
    return JSON.parse(this.text());
  }

  /**
   * Has the next scenario of begin() tuned from outside (mode external).
   *
   * @param {number[]} answers N for each question so far
   */
  answer(answers) {
    this.write(answers.map((parallelism) => JSON.stringify({ parallelism })).join("\n"));
    this.c.lab_answers();
  }

  /** @returns {any} the question without an answer that has ended it; null: there was none */
  question() {
    this.c.lab_question();
    const line = this.text();
    return line === "" ? null : JSON.parse(line);
  }

  /**
   * Begins to simulate a scenario of which nothing is shown.
   *
   * @param {object} scenario see load()
   * @param {{begin: number, end: number}} [traced] the time in which traces are recorded, s
   * @throws {Error} one line that says what is wrong
   */
  begin(scenario, traced) {
    this.write(JSON.stringify(scenario));
    if (!this.c.lab_apart(traced ? 1 : 0, traced?.begin ?? 0, traced?.end ?? 0)) {
      throw new Error(this.text());
    }
  }

  /** @returns {string} the result so far, as `./gridftp run --json` prints it */
  result() {
    this.c.lab_result();
    return this.text();
  }
}

/**
 * Simulates in slices of a few milliseconds of real time.
 *
 * @param {(until: number) => number} advance to a time, s; returns other than 0 at the end
 * @param {{now: number, until: number, budgetMs: number, slice: number}} plan from now to until,
 *     s, in no more than a budget of real time; slice: s that take about a slice, to begin with
 * @returns {{now: number, answer: number, slice: number}} how far it came (beyond the end of the
 *     run where that was reached), the last answer, and the slice found out
 */
export function advanceWithin(advance, plan) {
  const SLICE_MS = 4;
  const begun = performance.now();
  let { now, slice } = plan;
  let before = begun;
  for (;;) {
    const reach = Math.min(plan.until, now + slice);
    const answer = advance(reach);
    now = reach;
    const after = performance.now();
    if (answer !== 0 || now >= plan.until || after - begun >= plan.budgetMs) {
      return { now, answer, slice };
    }
    const took = Math.max(after - before, 0.05);
    slice *= Math.min(4, Math.max(0.25, SLICE_MS / took));
    before = after;
  }
}
