// SPDX-License-Identifier: GPL-2.0-only

/**
 * The export menu: traces of what the charts show as CSV, the picture as SVG or PNG, the result of
 * the whole transfer, the command line, the HTML that shows the state in another page.
 */

import { commandLine, toDraft, toScenario } from "../address/scenario.js";
import { find } from "../dom.js";
import { embedCode } from "../embed.js";
import { copyText } from "./copy.js";
import { composePicture } from "./picture.js";
import { rasterise } from "./raster.js";

/** @typedef {import("../engine/laboratory.js").Laboratory} Laboratory */
/** @typedef {import("../engine/laboratory.js").Frame} Frame */
/** @typedef {import("../player/player.js").Player} Player */
/** @typedef {import("./picture.js").Part} Part */

/**
 * @typedef {object} ExportSources
 * @property {Laboratory} laboratory
 * @property {Player} player
 * @property {() => Part[]} pictures the views' pictures, as the composed one shows them
 * @property {() => void} writeAddress brings the page's address up to date
 */

export class ExportMenu {
  #sources;
  #command;
  #embed;
  #status;
  #cancel;
  #busy = false;
  /** @type {{begin: number, end: number} | null} what the charts show, s */
  #span = null;

  /**
   * @param {HTMLElement} menu a popover; its buttons are marked with data-export
   * @param {ExportSources} sources
   */
  constructor(menu, sources) {
    this.#sources = sources;
    this.#command = find("#command", HTMLElement, menu);
    this.#embed = find("#embed-code", HTMLElement, menu);
    this.#status = find("#export-status", HTMLElement, menu);
    this.#cancel = find("#export-cancel", HTMLButtonElement, menu);
    this.#cancel.addEventListener("click", () => sources.laboratory.cancel());
    menu.addEventListener("toggle", () => {
      this.#command.textContent = this.#commandLine();
      sources.writeAddress();
      this.#embed.textContent = embedCode(location);
    });
    /** @type {Record<string, () => Promise<string> | string>} */
    const actions = {
      cwnd: () => this.#saveTrace("cwnd"),
      queue: () => this.#saveTrace("queue"),
      drops: () => this.#saveTrace("drops"),
      picture: () => this.#savePicture(),
      pixels: () => this.#savePixels(),
      result: () => this.#saveResult(),
      command: () => copied(this.#commandLine()),
      embed: () => copied(this.#embed.textContent ?? ""),
    };
    for (const button of menu.querySelectorAll("[data-export]")) {
      const action = actions[/** @type {HTMLElement} */ (button).dataset.export ?? ""];
      if (action) button.addEventListener("click", () => this.#run(action));
    }
    sources.player.addEventListener("loaded", () => {
      this.#command.textContent = this.#commandLine();
    });
    sources.player.addEventListener("frame", (event) => {
      const { charts } = /** @type {CustomEvent<Frame>} */ (event).detail;
      if (charts) this.#span = { begin: charts.begin, end: charts.end };
    });
  }

  get #draft() {
    const { laboratory, player } = this.#sources;
    return toDraft(player.state.scenario, laboratory.options);
  }

  #commandLine() {
    return `${commandLine(this.#draft)} --json`;
  }

  /** @param {() => Promise<string> | string} action tells what it did */
  async #run(action) {
    if (this.#busy) return;
    this.#busy = true;
    this.#status.textContent = "Working …";
    this.#cancel.hidden = false;
    try {
      this.#status.textContent = await action();
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      this.#status.textContent = name === "Cancelled" ? "Cancelled" : message;
    } finally {
      this.#busy = false;
      this.#cancel.hidden = true;
    }
  }

  /** @param {"cwnd" | "queue" | "drops"} name */
  async #saveTrace(name) {
    const { laboratory, player } = this.#sources;
    const { scenario, t } = player.state;
    const begin = this.#span?.begin ?? 0;
    const end = Math.min(this.#span?.end ?? t, t);
    const traces = await laboratory.record(scenario, { begin, end, until: t });
    const file = `${this.#fileStem()}-${name}-${short(begin)}s-to-${short(end)}s.csv`;
    return save(file, "text/csv", traces[name]);
  }

  #savePicture() {
    return save(`${this.#pictureStem()}.svg`, "image/svg+xml", this.#picture());
  }

  async #savePixels() {
    return save(`${this.#pictureStem()}.png`, "image/png", await rasterise(this.#picture()));
  }

  #pictureStem() {
    return `${this.#fileStem()}-${short(this.#sources.player.state.t)}s`;
  }

  #picture() {
    const { player, pictures } = this.#sources;
    const title = `t = ${short(player.state.t)} s of ${commandLine(this.#draft)}`;
    const style = getComputedStyle(document.documentElement);
    return composePicture(pictures(), {
      title,
      text: style.getPropertyValue("--text").trim(),
      background: style.getPropertyValue("--surface").trim(),
    });
  }

  async #saveResult() {
    const { laboratory } = this.#sources;
    const scenario = toScenario(this.#draft);
    const stem = this.#fileStem();
    const { text } = await laboratory.run(scenario);
    return save(`${stem}-result.json`, "application/json", text);
  }

  /** A file's name says what was simulated: the mode, and what differs from the defaults. */
  #fileStem() {
    const { mode = this.#defaultMode(), ...texts } = this.#draft.texts;
    const { session, background } = this.#draft;
    const words = Object.entries(texts).map(([name, text]) => `${name}-${text}`);
    if (session.length) words.push(`${session.length + 1}-sessions`);
    if (background.length) words.push(`${background.length}-background`);
    const stem = ["gridftp", mode, ...words.slice(0, 5)].join("-");
    return stem.replace(/[^\w.-]+/g, "_").slice(0, 120);
  }

  #defaultMode() {
    const { options } = this.#sources.laboratory;
    return options.find(({ name }) => name === "mode")?.default ?? "";
  }
}

/**
 * @param {string} text
 * @returns {Promise<string>} what came of copying it
 */
async function copied(text) {
  const done = await copyText(text);
  return done
    ? "Copied"
    : "The browser does not allow the page to copy: select the line and copy it";
}

/** @param {number} seconds */
function short(seconds) {
  return String(Number(seconds.toPrecision(6)));
}

/**
 * Hands a file to the browser, which asks where to keep it or keeps it among its downloads.
 *
 * @param {string} file its name
 * @param {string} type
 * @param {BlobPart} content
 * @returns {string} what was done
 */
function save(file, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return `Saved ${file}`;
}
