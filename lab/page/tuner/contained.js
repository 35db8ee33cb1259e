// SPDX-License-Identifier: GPL-2.0-only

/**
 * Somebody's tuner in a worker of its own, which can do nothing but decide: it is in a frame without
 * an origin, whose policy lets nothing be loaded (sandbox.html), and has lost all that a worker has
 * beside the language (confine.js).
 */

import { element } from "../dom.js";
import { inSite } from "../site.js";

/** For how long it may think about one answer, or about being loaded, ms. */
const PATIENCE_MS = 3000;

/** For how long the browser may be about frame and worker, before anything of the tuner's runs, ms. */
const LOADING_MS = 30_000;

/** How much of a message of the tuner's own is told. */
const LONGEST = 200;

/** So that mistakes are told, as an assignment to a name that is none. It is in the first line. */
const STRICT = '"use strict";';

/** One tuner, and the frame that it has. */
export class Contained {
  #frame;
  /** @type {(message: any) => void} */
  #hear = () => {};

  /**
   * @param {string} code a script that defines tune()
   * @param {number} seed of its Math.random()
   * @returns {Promise<Contained>} it, ready to be asked
   * @throws {Error} one line: the script cannot be loaded
   */
  static async start(code, seed) {
    const [confine, tuner] = [await confinement(), new Contained()];
    try {
      await tuner.#next("open");
      tuner.#post({ confine, code: STRICT + code, seed });
      await tuner.#next("confined");
      await tuner.#next("ready");
    } catch (error) {
      tuner.end();
      throw error;
    }
    return tuner;
  }

  constructor() {
    const source = inSite("tuner/sandbox.html").href;
    this.#frame = /** @type {HTMLIFrameElement} */ (
      element("iframe", { sandbox: "allow-scripts", src: source, title: "Tuner", hidden: "" })
    );
    window.addEventListener("message", this.#heard);
    document.body.append(this.#frame);
  }

  /**
   * @param {any} seen what it is told, see tune() in the page
   * @param {number} most largest N
   * @returns {Promise<number>} N
   * @throws {Error} one line: it has failed, takes too long, or has answered anything else
   */
  async ask(seen, most) {
    this.#post({ seen });
    const { value, text } = await this.#next("answer");
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    const answer = typeof value === "number" ? value : String(text).slice(0, LONGEST);
    throw new Error(`tune() returned ${answer}; allowed: a whole number from 1 to ${most}`);
  }

  /** It is ended, whatever it does. */
  end() {
    window.removeEventListener("message", this.#heard);
    this.#frame.remove();
    this.#hear({ kind: "problem", message: "ended", line: 0 });
  }

  #heard = (/** @type {MessageEvent} */ { source, data }) => {
    if (source === this.#frame.contentWindow) this.#hear(data);
  };

  /** @param {any} message */
  #post(message) {
    this.#frame.contentWindow?.postMessage(message, "*");
  }

  /**
   * @param {"open" | "confined" | "ready" | "answer"} kind awaited
   * @returns {Promise<any>} the message
   * @throws {Error} one line
   */
  #next(kind) {
    const isLoading = kind === "open" || kind === "confined";
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          this.#hear = () => {};
          reject(new Error(tooLate(kind)));
        },
        isLoading ? LOADING_MS : PATIENCE_MS,
      );
      this.#hear = (message) => {
        clearTimeout(timer);
        this.#hear = () => {};
        if (message?.kind === kind) resolve(message);
        else reject(new Error(problemText(message)));
      };
    });
  }
}

/** @type {Promise<string> | null} */
let fetched = null;

/** @returns {Promise<string>} the text of confine.js */
function confinement() {
  fetched ??= fetch(inSite("tuner/confine.js")).then((answer) => {
    if (!answer.ok) throw new Error(`confine.js cannot be loaded: ${answer.status}`);
    return answer.text();
  });
  return fetched;
}

/** @param {string} kind of the message that does not come */
function tooLate(kind) {
  const seconds = PATIENCE_MS / 1000;
  if (kind === "answer") return `tune() has not returned within ${seconds} s and was ended`;
  if (kind === "ready") return `the code did not finish within ${seconds} s and was ended`;
  return "this browser does not start a worker for the tuner";
}

/** @param {any} message of the worker: a problem */
function problemText(message) {
  // Chromium says so of scripts that it cannot read, with what it was that read them
  const text = String(message?.message)
    .replace(/^Uncaught /, "")
    .replace(/Failed to execute 'importScripts' on '\w+': /, "");
  const line = Number(message?.line);
  return `${line > 0 ? `line ${line}: ` : ""}${text.slice(0, LONGEST).replace(/[\s.]+$/, "")}`;
}
