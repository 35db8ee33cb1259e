// SPDX-License-Identifier: GPL-2.0-only

/**
 * The page on which a tuner is written and raced. `data-state` at the root is "ready" once it can be
 * used; "racing" while a race goes on; then "ready" again. For scripts there is `window.gridftpRace`.
 */

import { element, find } from "../dom.js";
import { Laboratory } from "../engine/laboratory.js";
import { copyText } from "../export/copy.js";
import { Notices } from "../notices.js";
import { bindThemeSwitch } from "../theme.js";
import { bindEditor } from "./editor.js";
import { EXAMPLE } from "./example.js";
import { checkLength, formatLink, MOST_CHARACTERS, parseLink } from "./link.js";
import { drawSeed, readSeed, scenarioOf } from "./paths.js";
import { Race } from "./race.js";
import { makeResults } from "./results.js";

/** What is written is in the address so long after it was, ms. */
const WRITE_MS = 400;

const notices = new Notices(find("#problems", HTMLElement), find("#notes", HTMLElement));
const area = find("#code", HTMLTextAreaElement);
const seedEntry = find("#seed", HTMLInputElement);
const raceButton = find("#race", HTMLButtonElement);
const stopButton = find("#stop", HTMLButtonElement);
const status = find("#race-status", HTMLElement);
/** Beside the status, since nobody is to be told each of these numbers. */
const count = find("#race-count", HTMLElement);
const failure = find("#race-failure", HTMLElement);
const results = find("#results", HTMLElement);
const shown = find("#results-body", HTMLElement);

class Page {
  #laboratory;
  /** @type {Race | null} */
  #race = null;
  #timer = 0;
  /** The address that the page wrote last, or has followed. */
  #known = "";

  /** @param {Laboratory} laboratory */
  constructor(laboratory) {
    this.#laboratory = laboratory;
    bindEditor(area);
    for (const entry of [area, seedEntry]) entry.addEventListener("input", () => this.#changed());
    find("#race-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
    stopButton.addEventListener("click", () => this.#race?.stop());
    find("#copy-link", HTMLButtonElement).addEventListener("click", () => this.#copy());
    find("#example", HTMLButtonElement).addEventListener("click", () => this.#showCode(EXAMPLE));
    find("#other-paths", HTMLButtonElement).addEventListener("click", () => {
      seedEntry.value = String(drawSeed());
      this.#changed();
    });
    window.addEventListener("hashchange", () => {
      if (location.hash !== this.#known) this.follow();
    });
  }

  /** Shows what the address has, and runs none of it. */
  async follow() {
    this.#known = location.hash;
    this.#race?.stop();
    this.#changed();
    clearTimeout(this.#timer);
    notices.clear();
    area.value = EXAMPLE;
    seedEntry.value = String(drawSeed());
    const isLinked = location.hash !== "";
    find("#linked", HTMLElement).hidden = true;
    if (!isLinked) return;
    try {
      const { seed, code } = await parseLink(location.hash);
      area.value = code || EXAMPLE;
      seedEntry.value = String(seed);
      find("#linked", HTMLElement).hidden = area.value === EXAMPLE;
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      notices.problem(`This link is not valid; the page shows the example. ${message}.`);
    }
  }

  /** @param {string} code in place of what is there, which can be undone */
  #showCode(code) {
    area.focus();
    area.select();
    document.execCommand("insertText", false, code);
    area.setSelectionRange(0, 0);
  }

  /** Code or seed: what was told of them before does not hold any more. */
  #changed() {
    results.hidden = true;
    shown.replaceChildren();
    failure.replaceChildren();
    status.textContent = "";
    area.removeAttribute("aria-invalid");
    seedEntry.removeAttribute("aria-invalid");
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#write().catch(() => {}), WRITE_MS);
  }

  /** @returns {import("./link.js").Entry} @throws {Error} one line, of the entry that it marks */
  #read() {
    const checked = (/** @type {HTMLElement} */ entry, /** @type {() => any} */ check) => {
      try {
        return check();
      } catch (error) {
        entry.setAttribute("aria-invalid", "true");
        throw error;
      }
    };
    checked(area, () => checkLength(area.value));
    return { seed: checked(seedEntry, () => readSeed(seedEntry.value)), code: area.value };
  }

  /** @returns {Promise<void>} once the address has code and seed @throws {Error} as #read() */
  async #write() {
    clearTimeout(this.#timer);
    const hash = await formatLink(this.#read());
    this.#known = hash;
    history.replaceState(history.state, "", location.pathname + location.search + hash);
  }

  async #copy() {
    try {
      await this.#write();
    } catch (error) {
      this.#fail(/** @type {Error} */ (error));
      return;
    }
    const copied = await copyText(location.href);
    const size = location.href.length.toLocaleString("en");
    notices.note(copied ? `Copied the link: ${size} characters` : "Copy it from the address line");
  }

  /** @param {Error} error */
  #fail(error) {
    failure.replaceChildren(element("p", {}, [error.message]));
    failure.scrollIntoView({ block: "nearest" });
  }

  async #start() {
    if (this.#race) return;
    this.#changed();
    const race = new Race(this.#laboratory, (done) => {
      count.textContent = `${done} transfers are simulated.`;
    });
    this.#race = race;
    status.textContent = "The race is running.";
    this.#setRacing(true);
    try {
      const { seed, code } = this.#read();
      await this.#write();
      const outcomes = await race.run(code, seed);
      shown.replaceChildren(...makeResults(outcomes, this.#laboratory.options));
      results.hidden = false;
      status.textContent = "The race is over; the results are below.";
      results.scrollIntoView({ block: "nearest" });
    } catch (error) {
      status.textContent = "";
      this.#fail(/** @type {Error} */ (error));
    } finally {
      count.textContent = "";
      this.#race = null;
      this.#setRacing(false);
    }
  }

  /** @param {boolean} isRacing */
  #setRacing(isRacing) {
    const hadFocus = [raceButton, stopButton].includes(
      /** @type {HTMLButtonElement} */ (document.activeElement),
    );
    raceButton.hidden = isRacing;
    stopButton.hidden = !isRacing;
    area.readOnly = isRacing;
    seedEntry.readOnly = isRacing;
    for (const name of ["#example", "#other-paths"])
      find(name, HTMLButtonElement).disabled = isRacing;
    document.documentElement.dataset.state = isRacing ? "racing" : "ready";
    if (hadFocus) (isRacing ? stopButton : raceButton).focus();
  }
}

async function start() {
  bindThemeSwitch(find("#theme", HTMLSelectElement));
  find("#most", HTMLElement).textContent = MOST_CHARACTERS.toLocaleString("en");
  const laboratory = await Laboratory.open();
  const page = new Page(laboratory);
  Object.assign(window, { gridftpRace: { laboratory, Race, scenarioOf } });
  await page.follow();
  const { version, commit } = laboratory.about;
  find("#about", HTMLElement).textContent = `Version ${version}, ${commit}.`;
  document.documentElement.dataset.state = "ready";
}

start().catch((error) => {
  document.documentElement.dataset.state = "failed";
  notices.problem(`The editor could not be started: ${error.message}`);
});
