// SPDX-License-Identifier: GPL-2.0-only

/**
 * The race: somebody's tuner, the papers' ones and every fixed N, each alone on the same paths. All of
 * them are the engine's transfers; of the tuner in the page the engine asks N, as of any program outside.
 */

import { Contained } from "./contained.js";
import { drawPaths, scenarioOf } from "./paths.js";

/** @typedef {import("../engine/laboratory.js").Laboratory} Laboratory */
/** @typedef {import("./paths.js").Path} Path */

/**
 * How one of them did on a path. goodput: of the whole transfer, bit/s; list: N of each chunk; share: of
 * the best fixed N's goodput; tuning: options that give the same again.
 * @typedef {{goodput: number, list: number[], share: number, tuning: Record<string, string>}} Outcome
 */

/**
 * What has come of a race. outcomes: of each path; score: the mean share in per cent, over the paths.
 * @typedef {{name: string, isYours: boolean, outcomes: Outcome[], score: number}} Contender
 * @typedef {{paths: Path[], best: number[], contenders: Contender[]}} Outcomes
 */

/** Whom the race is against, as words of the option mode. */
const TUNERS = ["mi", "mi-plus", "aimd"];

/** How somebody's tuner is named. */
const YOURS = "yours";

/** @typedef {Omit<Outcome, "share">} Run */

export class Race {
  #laboratory;
  #onProgress;
  #done = 0;
  #isStopped = false;
  /** @type {Contained | null} */
  #tuner = null;

  /**
   * @param {Laboratory} laboratory
   * @param {(done: number) => void} onProgress how many transfers are simulated
   */
  constructor(laboratory, onProgress) {
    this.#laboratory = laboratory;
    this.#onProgress = onProgress;
  }

  /** Ends it: run() throws. */
  stop() {
    this.#isStopped = true;
    this.#tuner?.end();
    this.#laboratory.cancel();
  }

  /**
   * @param {string} code of a tuner
   * @param {number} seed of the paths
   * @returns {Promise<Outcomes>}
   * @throws {Error} one line: the tuner has failed; or it was stopped
   */
  async run(code, seed) {
    try {
      return await this.#run(code, seed);
    } catch (error) {
      this.#check();
      throw error;
    }
  }

  /**
   * @param {string} code
   * @param {number} seed
   * @returns {Promise<Outcomes>}
   */
  async #run(code, seed) {
    const paths = drawPaths(seed);
    /** @type {Run[][]} */
    const columns = [];
    // First of all somebody's tuner: who has made a mistake is not to wait for the others.
    for (const [place, path] of paths.entries()) {
      columns.push([await this.#measureYours(code, { seed: seed + place, path, place })]);
    }
    for (const [place, path] of paths.entries()) {
      for (const mode of TUNERS) columns[place].push(await this.#measure(path, { mode }));
      columns[place].push(await this.#findBest(path));
    }
    const best = columns.map((column) => /** @type {Run} */ (column.at(-1)));
    return {
      paths,
      best: best.map(({ list }) => list[0]),
      contenders: this.#names().map((name, row) => {
        const outcomes = columns.map((column, place) => ({
          ...column[row],
          share: column[row].goodput / best[place].goodput,
        }));
        const score = (100 * outcomes.reduce((sum, { share }) => sum + share, 0)) / outcomes.length;
        return { name, isYours: name === YOURS, outcomes, score };
      }),
    };
  }

  /** @returns {string[]} of all contenders, in the order of their runs */
  #names() {
    const { tuners } = this.#laboratory;
    const labels = TUNERS.map((mode) => tuners.find(({ name }) => name === mode)?.label ?? mode);
    return [YOURS, ...labels, "best fixed N"];
  }

  /**
   * @param {string} code
   * @param {{path: Path, place: number, seed: number}} where place: index of the path
   * @returns {Promise<Run>}
   */
  async #measureYours(code, { path, place, seed }) {
    const scenario = scenarioOf(path, { mode: "external", "external-command": "page" });
    /** @type {number[]} */
    const answers = [];
    let when = "before the first chunk";
    let most = 1;
    try {
      this.#tuner = await Contained.start(code, seed);
      for (;;) {
        this.#check();
        const turn = await this.#laboratory.outside(scenario, answers);
        if ("result" in turn) return this.#note(turn.result, byHand);
        const { question } = turn;
        if (question.event === "hello") most = question.max_parallelism;
        else when = `after chunk ${question.index + 1}`;
        answers.push(await this.#tuner.ask(question, most));
      }
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      throw new Error(`Path ${place + 1}, ${when}: ${message}.`);
    } finally {
      this.#tuner?.end();
      this.#tuner = null;
    }
  }

  /**
   * @param {Path} path
   * @param {Record<string, string>} tuning options
   * @returns {Promise<Run>}
   */
  async #measure(path, tuning) {
    this.#check();
    return this.#note(await this.#laboratory.run(scenarioOf(path, tuning)), () => tuning);
  }

  /**
   * @param {Path} path
   * @returns {Promise<Run>} of the fixed N that is fastest; of equal ones the smallest
   */
  async #findBest(path) {
    /** @type {Run | null} */
    let best = null;
    for (let n = 1, most = 1; n <= most; ++n) {
      this.#check();
      const tuning = { mode: "fixed", parallelism: String(n) };
      const result = await this.#laboratory.run(scenarioOf(path, tuning));
      most = result.scenario.sessions[0].max_parallelism;
      const run = this.#note(result, () => tuning);
      if (best === null || run.goodput > best.goodput) best = run;
    }
    return /** @type {Run} */ (best);
  }

  /**
   * @param {any} result of a transfer
   * @param {(list: number[]) => Record<string, string>} tuningOf options, from N of each chunk
   * @returns {Run}
   */
  #note(result, tuningOf) {
    const [session] = result.sessions;
    if (result.status !== "done") throw new Error(result.reason);
    this.#onProgress(++this.#done);
    const list = session.gridftp.chunks.map((/** @type {any} */ chunk) => chunk.parallelism);
    return { goodput: session.goodput_bps, list, tuning: tuningOf(list) };
  }

  #check() {
    if (this.#isStopped) throw new Error("Stopped.");
  }
}

/** @param {number[]} list N of each chunk @returns {Record<string, string>} options */
function byHand(list) {
  return { mode: "by-hand", "chunk-parallelism": list.join(":") };
}
