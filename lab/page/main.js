// SPDX-License-Identifier: GPL-2.0-only

/**
 * The page: starts the engine, builds the parts and ties them to the player.
 *
 * For scripts there is `window.gridftpLab = {laboratory, player}`, and `data-state="ready"` on the
 * root once the first frame is drawn.
 */

import { defaultAddress, formatAddress, parseAddress } from "./address/address.js";
import { AddressKeeper } from "./address/address-keeper.js";
import { toDraft, toScenario } from "./address/scenario.js";
import { Bench } from "./bench.js";
import { Comparison } from "./compare/comparison.js";
import { Pair } from "./compare/pair.js";
import { find } from "./dom.js";
import { bindEmbedded } from "./embed.js";
import { Laboratory } from "./engine/laboratory.js";
import { decompressed } from "./engine/module.js";
import { Entry } from "./entry/entry.js";
import { runDefaults } from "./entry/first-run.js";
import { hasEntry } from "./entry/place.js";
import { copyText } from "./export/copy.js";
import { ExportMenu } from "./export/export.js";
import { Form } from "./form/form.js";
import { Hand } from "./hand/hand.js";
import { bindKeys } from "./keys.js";
import { bindLayout, showWhatToWatch } from "./layout.js";
import { bindLecture, isLecture, toggleLecture } from "./lecture.js";
import { LessonsPanel } from "./lessons/lessons-panel.js";
import { Notices } from "./notices.js";
import { Player } from "./player/player.js";
import { Transport } from "./player/transport.js";
import { inSite } from "./site.js";
import { bindThemeSwitch } from "./theme.js";

/** @typedef {import("./address/address.js").Address} Address */

/** What the bench says of the defaults at their start, which no address needs to: none is the entry's. */
const AT_START = "#t=0";

const notices = new Notices(find("#problems", HTMLElement), find("#notes", HTMLElement));

/** The page with its engine running. */
class Page {
  /**
   * @param {Laboratory} laboratory
   * @param {import("./form/form.js").PaperValues} paper
   * @param {any[]} lessons
   * @param {import("./entry/entry.js").Paper[]} papers
   */
  constructor(laboratory, paper, lessons, papers) {
    this.laboratory = laboratory;
    const pair = new Pair(laboratory);
    this.player = new Player(pair);
    this.visit = Symbol("none yet");
    const { player } = this;
    this.bench = new Bench(laboratory, player, pair, showProblem);
    this.comparison = new Comparison({ laboratory, player, pair }, () => this.keeper.touch());
    this.form = new Form(find("#form", HTMLElement), { laboratory, player }, paper);
    new Hand(find("#hand", HTMLElement), { laboratory, player });
    this.transport = new Transport(find("#transport", HTMLElement), player);
    this.lessons = new LessonsPanel({ player, laboratory }, paper);
    this.lessons.setLessons(lessons);
    this.keeper = new AddressKeeper(
      () => this.hash,
      (hash) => this.goTo(hash),
    );
    const pictures = () => this.bench.pictures();
    const writeAddress = () => this.keeper.write();
    bindEmbedded(writeAddress);
    bindLecture((name) => this.bench.showOnly([name]), writeAddress);
    this.lessons.onCharts = (names) => {
      if (!isLecture()) this.bench.showOnly(names);
    };
    const sources = { laboratory, player, pictures, writeAddress };
    new ExportMenu(find("#export-menu", HTMLElement), sources);
    const turn = (/** @type {() => unknown} */ change) => this.keeper.turn(change);
    this.entry = new Entry({
      turn,
      toBench: () => {
        this.comparison.drop();
        this.lessons.showBench();
      },
      toLesson: (id) => this.lessons.open(id, 0),
    });
    this.entry.setContents(lessons, papers);
    let shown = this.lessons.place;
    this.lessons.onChange = () => {
      this.keeper.touch();
      const { place } = this.lessons;
      // What it lets watch is its own
      if (place.lesson && place.lesson !== shown.lesson) this.comparison.drop();
      if (place.lesson !== shown.lesson || place.step !== shown.step) showWhatToWatch();
      shown = place;
    };
    this.lessons.onTurn = (change) => {
      turn(() => {
        this.entry.hide();
        change();
      });
    };
    for (const event of ["loaded", "frame", "change"]) {
      player.addEventListener(event, () => this.keeper.touch());
    }
    player.addEventListener("problem", (event) => {
      showProblem(/** @type {CustomEvent<Error>} */ (event).detail);
    });
    bindPageKeys(this.transport, { writeAddress, toBench: () => this.entry.leave() });
    find("#share", HTMLButtonElement).addEventListener("click", () => this.share());
  }

  /** @returns {Address} the state of the page */
  get address() {
    const { scenario, speed, view } = this.player.state;
    const draft = toDraft(scenario, this.laboratory.options);
    const t = this.player.destination;
    return { draft, t, speed, view, ...this.lessons.place, versus: this.comparison.draft };
  }

  /** @returns {string} the same as the part of its address behind "#"; empty at the entry */
  get hash() {
    return this.entry.isShown ? "" : formatAddress(this.address) || AT_START;
  }

  /**
   * Shows what an address says, or the defaults and why not.
   * @param {string} hash "#..." or empty
   */
  async goTo(hash) {
    this.player.pause();
    const visit = Symbol(hash);
    this.visit = visit;
    const isLatest = () => this.visit === visit;
    const isFirstSight = hash === "";
    if (isFirstSight && hasEntry()) this.entry.show();
    else this.entry.hide();
    try {
      await this.show(parseAddress(hash, this.laboratory.options), isLatest);
      if (isLatest()) notices.clear();
      if (isLatest() && isFirstSight) runDefaults(this.player);
    } catch (error) {
      if (isLatest()) await this.show(defaultAddress(), isLatest);
      const { message } = /** @type {Error} */ (error);
      if (isLatest())
        notices.problem(`This address is not valid; the page shows the defaults. ${message}`);
    }
  }

  /**
   * @param {Address} address
   * @param {() => boolean} isLatest false once a later address has taken its place
   */
  async show(address, isLatest) {
    const { player } = this;
    const { draft, t, speed, view, lesson, step, list, versus } = address;
    if (lesson) await this.lessons.open(lesson, step);
    else if (list) this.lessons.showList();
    else this.lessons.showBench();
    // A lesson that is named alone brings its own scenario.
    const isComplete = lesson && formatAddress({ ...address, lesson: "" }) === "";
    if (isComplete || !isLatest()) return;
    await this.comparison.set(lesson ? null : versus);
    if (!isLatest()) return;
    player.setSpeed(speed);
    player.setView(view);
    await player.setScenario(toScenario(draft));
    if (isLatest()) await player.seek(t);
  }

  async share() {
    this.keeper.write();
    const copied = await copyText(location.href);
    notices.note(copied ? "Copied the address of this state" : "Copy it from the address line");
  }
}

/** @param {Error} error */
function showProblem(error) {
  notices.problem(error.message);
}

/**
 * @param {Transport} transport
 * @param {{writeAddress: () => void, toBench: () => void}} ways
 */
function bindPageKeys(transport, { writeAddress, toBench }) {
  const help = find("#help-dialog", HTMLDialogElement);
  find("#help", HTMLButtonElement).addEventListener("click", () => help.showModal());
  bindKeys({
    " ": () => transport.togglePlay(),
    ".": () => transport.step(),
    "+": () => transport.changeSpeed(1),
    "=": () => transport.changeSpeed(1),
    "-": () => transport.changeSpeed(-1),
    0: () => transport.toStart(),
    b: toBench,
    l: () => toggleLecture(writeAddress),
    "?": () => help.showModal(),
  });
}

/**
 * @param {string} file of JSON, perhaps compressed by gzip
 * @returns {Promise<any>}
 */
async function fetchJson(file) {
  const answer = await fetch(inSite(file));
  if (!answer.ok || !answer.body) throw new Error(`${file} cannot be loaded: ${answer.status}`);
  return new Response(await decompressed(answer.body)).json();
}

async function start() {
  bindThemeSwitch(find("#theme", HTMLSelectElement));
  bindLayout();
  const [laboratory, paper, lessons, papers] = await Promise.all([
    Laboratory.open(),
    fetchJson("paper.json"),
    fetchJson("lessons.json.gz"),
    fetchJson("papers.json.gz"),
  ]);
  const page = new Page(laboratory, paper, lessons, papers);
  const { version, commit } = laboratory.about;
  find("#about", HTMLElement).textContent = `Version ${version}, ${commit}.`;
  Object.assign(window, { gridftpLab: { laboratory, player: page.player } });
  await page.goTo(location.hash);
  requestAnimationFrame(() => {
    requestAnimationFrame(() => {
      document.documentElement.dataset.state = "ready";
    });
  });
}

start().catch((error) => {
  document.documentElement.dataset.state = "failed";
  notices.problem(`The laboratory could not be started: ${error.message}`);
});
