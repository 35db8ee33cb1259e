// SPDX-License-Identifier: GPL-2.0-only

/**
 * The page's view of the engine: every method is a question to a worker, answered in order.
 *
 * Scenarios are objects of option texts by option name, as a line of `./gridftp run --batch`; only
 * what differs from the defaults is in them. Times are in seconds, rates in bit/s, sizes in bytes.
 */

import { inSite } from "../site.js";
import { fetchModule } from "./module.js";

/**
 * What the charts show: the whole run so far, the latest seconds, or a span of time.
 * @typedef {{kind: "whole"} | {kind: "last", seconds: number}
 *   | {kind: "span", begin: number, end: number}} View
 */

/** @typedef {Record<string, any>} Scenario */

/**
 * What gives an option an effect: one of these other options has one of the values; without values,
 * any but its default. allowed: the same as on a command line.
 * @typedef {{options: string[], values?: string[], allowed: string}} Need
 */

/**
 * What an option has otherwise if another one has a value.
 * @typedef {{option: string, value: string, default: string, segment_choices?: string[]}} Variant
 */

/**
 * A row of the option table, as `./gridftp run --describe` prints it; members: the options of each
 * item of a list; modes: of tuning, where it matters in some only.
 * @typedef {{name: string, key: string, kind: "whole" | "real" | "switch" | "choice" | "flag"
 *   | "name" | "list", unit: string, scope: string, default: string, default_value?: any,
 *   minimum?: number, maximum?: number, open_minimum?: boolean, open_maximum?: boolean,
 *   choices?: string[], segment_choices?: string[], members?: any[], engines: string, modes?: string[],
 *   needs?: Need, variants?: Variant[], help: string}} Option
 */

/**
 * A complete chunk.
 * @typedef {{index: number, start: number, end: number, bytes: number, parallelism: number,
 *   nextParallelism: number, goodput: number, rtt: number}} Chunk
 */

/**
 * A session as it is now; of another tool than GridFTP, start, bytes, goodput and meanGoodput are of
 * the whole file, and it has no chunks. chunkBytes: of the chunk under way so far; bytes: of the file so far;
 * goodput: of the chunk under way so far, between chunks of the last one; meanGoodput: since the
 * first chunk began; restarts: each time that the client could not go on, what the receiver had of
 * the chunk then, and how long until the next try; resent: bytes that were sent twice, once it is
 * done; rtt: R as the client has measured it; windowLimit: N W / R; model: Eq. (1) at
 * N; loss: retransmissions over segments sent; complete: how many chunks are; chunks: these, in an
 * array that grows from frame to frame.
 * @typedef {{state: string, transferring: boolean, chunk: number, parallelism: number,
 *   start: number | null, chunkStart: number, chunkBytes: number, bytes: number,
 *   goodput: number | null, meanGoodput: number | null, rtt: number | null, window: number,
 *   windowLimit: number | null, model: number | null, segments: number, retransmissions: number,
 *   timeouts: number, loss: number, complete: number, chunks: Chunk[],
 *   restarts: {time: number, held: number, wait: number}[], resent: number | null}} Session
 */

/**
 * An open data connection. state: 0 open, 1 disorder, 2 recovery, 3 loss; rtt: smoothed, 0 before the
 * first sample.
 * @typedef {{session: number, chunk: number, connection: number, connected: boolean, cwnd: number,
 *   ssthresh: number | null, flight: number, acked: number, state: number, rtt: number}} Connection
 */

/**
 * Values in evenly spaced bins; not a number where there is none. Of many connections min and max
 * are empty.
 * @typedef {{min: Float32Array, max: Float32Array, last: Float32Array}} Band
 */

/**
 * What the flows, sessions and then backgrounds, have moved in intervals that follow one another, longer
 * than the bins; times: their middles; jain: Jain's index of those that are on for all of one; goodputs: of
 * each flow, bit/s. Not a number where there is none.
 * @typedef {{begins: Float64Array, ends: Float64Array, times: Float64Array, jain: Float32Array,
 *   goodputs: Float32Array[]}} Intervals
 */

/**
 * What the charts draw, over the bins whose centres are `times`. drops, marks: packets that the queue
 * has dropped and marked (CE); rtts: smoothed RTT of each flow, s, last its mean over the flow's
 * connections, none of many flows; idle: RTT of each flow with empty queues; flight: data in flight, empty as min and max; moving: receivers'
 * windows move, and cwnd is shown up to them; segment: MSS, bytes.
 * @typedef {{begin: number, end: number, times: Float64Array, queue: Band, drops: Uint32Array,
 *   marks: Uint32Array, rtts: Band[], idle: number[],
 *   windows: (Band & {session: number, connection: number, ssthresh: Float32Array,
 *     flight: Float32Array})[],
 *   intervals: Intervals, moving: boolean, segment: number}} ChartData
 */

/**
 * A moment of a run. utilisation: share of the time since the first transfer command in which the
 * bottleneck transmitted; recentUtilisation: the same between the last two times at which charts were
 * asked for; packets: rows [place, begin, end, session, connection, kind, stripes, marked] (see MakePackets()
 * in lab/engine/lab-simulation.h); marks: packets that the queue has marked so far (CE); cost: real time that simulating has taken, ms; recentDrops: rows [time, session, connection] since the frame
 * before, at most 4096; own, rival: where two scenarios are compared, either's frame alone.
 * @typedef {{now: number, ended: boolean, status: "running" | "done" | "failed",
 *   reason: string | null, sessions: Session[], background: {goodput: number, segments: number,
 *   retransmissions: number, timeouts: number}[], connections: Connection[], queue: number,
 *   queueLimit: number, drops: number, marks: number, utilisation: number, recentUtilisation: number, packets: Float64Array | null, cost: number,
 *   recentDrops: Float64Array, charts: ChartData | null, own?: Frame, rival?: Frame}} Frame
 */

/** A worker, and the questions that it has not answered. */
class Asker {
  constructor() {
    this.worker = new Worker(inSite("engine/worker.js"), { type: "module" });
    /** @type {Map<number, {resolve: (value: any) => void, reject: (problem: Error) => void}>} */
    this.waiting = new Map();
    this.count = 0;
    this.worker.onmessage = ({ data: { id, value, problem } }) => {
      const question = this.waiting.get(id);
      this.waiting.delete(id);
      if (problem === undefined) {
        question?.resolve(value);
      } else {
        question?.reject(Object.assign(new Error(problem.message), { name: problem.name }));
      }
    };
    this.worker.onerror = (event) => this.fail(new Error(event.message));
  }

  /**
   * @param {string} name of the call
   * @param {any[]} values its arguments
   * @returns {Promise<any>} the answer
   */
  ask(name, ...values) {
    return new Promise((resolve, reject) => {
      const id = this.count++;
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, name, values });
    });
  }

  /** Has the worker give up all that it was asked for. */
  cancel() {
    this.worker.postMessage({ cancel: true });
  }

  /** @param {Error} problem what those who wait are told */
  fail(problem) {
    for (const { reject } of this.waiting.values()) {
      reject(problem);
    }
    this.waiting.clear();
  }
}

export class Laboratory {
  /**
   * Loads the engine.
   *
   * @returns {Promise<Laboratory>} a laboratory, without a scenario
   * @throws {Error} the engine cannot be loaded
   */
  static async open() {
    const module = await fetchModule(inSite("engine/engine.wasm.gz"));
    // Both at once, so that nothing has to be loaded later
    const [live, aside] = [new Asker(), new Asker()];
    const [tables] = await Promise.all([live.ask("open", module), aside.ask("open", module)]);
    return new Laboratory({ live, aside }, { ...tables, module });
  }

  /** @returns {Promise<Laboratory>} one with a run of its own to show; nothing is loaded for it */
  async another() {
    const live = new Asker();
    await live.ask("open", this.module);
    const { options, tuners, about, module } = this;
    return new Laboratory({ live, aside: this.aside }, { options, tuners, about, module });
  }

  /**
   * @param {{live: Asker, aside: Asker}} askers for the run that is shown, and for all others
   * @param {{options: Option[], tuners: {name: string, label: string}[],
   *   about: {version: string, commit: string}, module: WebAssembly.Module}} parts tables of options
   *   and tuners; about: which sources the engine is made of; module: the engine
   */
  constructor({ live, aside }, { options, tuners, about, module }) {
    this.module = module;
    this.live = live;
    this.aside = aside;
    this.about = about;
    this.tuners = tuners;
    /** Those of this engine. @type {Option[]} */
    this.options = options.filter(({ engines }) => engines.split(",").includes("segment"));
    /** Complete chunks of the loaded run, by session. @type {Chunk[][]} */
    this.chunks = [];
  }

  /**
   * Loads a scenario, at t = 0.
   *
   * @param {Scenario} scenario see above
   * @param {View} [view] what the charts show
   * @returns {Promise<any>} the resolved scenario, in SI units
   * @throws {Error} one line that names the option, its value and what is allowed; what was loaded
   *     before goes on
   */
  load(scenario, view = { kind: "whole" }) {
    return this.live.ask("load", scenario, view);
  }

  /**
   * Simulates.
   *
   * @param {number} until s; a time that is past simulates nothing
   * @param {{packets?: boolean, charts?: boolean, budgetMs?: number}} [wanted] in the frame; and
   *     how long it may take, in real time. Packets are kept only once they are asked for: the run
   *     then starts over, and the frame may be of an earlier time than the one before, without them
   * @returns {Promise<Frame>} how it is then; its `now` tells how far it came
   */
  async advance(until, wanted = {}) {
    const frame = await this.live.ask("advance", until, wanted);
    frame.sessions.forEach((/** @type {Session} */ session, /** @type {number} */ index) => {
      this.chunks[index] = this.chunks[index] ?? [];
      // The worker tells each chunk once, and all of them again where the run starts over
      const known = this.chunks[index];
      known.length = session.complete - session.chunks.length;
      known.push(...session.chunks);
      session.chunks = known;
    });
    return frame;
  }

  /** @returns {Promise<any>} result of the loaded run so far, as `--json`; text: the very text */
  async result() {
    const text = await this.live.ask("result");
    return { ...JSON.parse(text), text };
  }

  /**
   * @param {number} largest N
   * @returns {Promise<{rtt_s: number, optimum: number, goodput_bps: Float64Array}>} Eq. (1) for the
   *     path of the loaded scenario's first session, from N = 1 on
   */
  model(largest) {
    return this.live.ask("model", largest);
  }

  /**
   * Asks whether a scenario is allowed, without simulating it.
   *
   * @param {Scenario} scenario see above
   * @returns {Promise<string>} the engine's line, as load() would throw it; empty: it is allowed
   */
  async check(scenario) {
    try {
      await this.aside.ask("check", scenario);
      return "";
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }

  /**
   * Simulates a scenario to its end, apart from the one that is loaded.
   *
   * @param {Scenario} scenario see above
   * @returns {Promise<any>} its result, as `--json`; text: the very text, milliseconds: it took
   * @throws {Error} as load(); named "Cancelled" after cancel()
   */
  async run(scenario) {
    const { text, milliseconds } = await this.aside.ask("run", scenario);
    return { ...JSON.parse(text), text, milliseconds };
  }

  /**
   * Simulates a scenario of mode external as far as its tuner has decided, apart from the one that is loaded. Each
   * call begins anew, which a transfer of some hundred MB does in hundredths of a second.
   *
   * @param {Scenario} scenario see above; what external-command says does not matter
   * @param {number[]} answers N for each question so far
   * @returns {Promise<{question: any} | {result: any}>} what the tuner is asked next ("A tuner from
   *     outside" of the manual), or the result once nothing more is asked
   * @throws {Error} as run()
   */
  async outside(scenario, answers) {
    const { question, text } = await this.aside.ask("outside", scenario, answers);
    return question ? { question } : { result: JSON.parse(text) };
  }

  /**
   * Records the traces of a scenario, apart from the one that is loaded.
   *
   * @param {Scenario} scenario see above
   * @param {{begin: number, end: number, until?: number}} span first and last time wanted, s; until
   *     which it is simulated
   * @returns {Promise<{cwnd: string, queue: string, drops: string}>} as `--trace` writes them
   * @throws {Error} as run(); or they are longer than 64 MB
   */
  record(scenario, span) {
    return this.aside.ask("record", scenario, span);
  }

  /** Ends what run() and record() are doing, and are asked to do. */
  cancel() {
    this.aside.cancel();
  }
}
