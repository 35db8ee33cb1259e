// SPDX-License-Identifier: GPL-2.0-only

/** The scene of a lesson: its run on the bench, and the marks that appear while it plays. */

import { element } from "../dom.js";
import { button, rendered } from "./lesson-text.js";

/** @typedef {import("./lesson-types.js").Lesson} Lesson */
/** @typedef {import("./lesson-types.js").PlayerLike} PlayerLike */

export class Scene {
  /** @type {PlayerLike & EventTarget} */
  #player;
  #lesson;
  #reached = -1;
  #stopped = false;
  #list = element("ol", { class: "lesson-marks", "aria-label": "What to see, by time" });
  #now = element("div", { class: "lesson-now", role: "status" });
  #play;
  /** @type {HTMLElement[]} */
  #items;
  #end;

  /**
   * @param {HTMLElement} host
   * @param {Lesson} lesson
   * @param {PlayerLike & EventTarget} player
   */
  constructor(host, lesson, player) {
    this.#lesson = lesson;
    this.#player = player;
    this.#play = button("Play the scene", () => this.#toggle(), "button lesson-main");
    this.#items = lesson.marks.map((mark) => this.#makeItem(mark));
    this.#list.append(...this.#items);
    const again = button("From the start", () => this.restart());
    host.append(
      element("p", { class: "lesson-tools" }, [this.#play, again]),
      this.#now,
      this.#list,
    );
    const onFrame = (/** @type {Event} */ event) =>
      this.#show(/** @type {CustomEvent} */ (event).detail.now);
    const onChange = () => this.#showButton();
    player.addEventListener("frame", onFrame);
    player.addEventListener("change", onChange);
    this.#end = () => {
      player.removeEventListener("frame", onFrame);
      player.removeEventListener("change", onChange);
    };
    this.#now.textContent = "The clock is stopped. Press play: hints on what to watch appear here.";
    this.#showButton();
  }

  /** Ends it. */
  destroy() {
    this.#end();
  }

  /** Back to where the scene begins, standing. */
  async restart() {
    this.#reached = -1;
    this.#stopped = false;
    for (const item of this.#items) item.classList.remove("lesson-mark-now");
    await putOnBench(this.#player, this.#lesson, this.#lesson.scenario);
  }

  /** @param {{t: number, text: string}} mark */
  #makeItem(mark) {
    const time = button(`${mark.t.toFixed(2)} s`, () => this.#visit(mark.t), "button lesson-time");
    time.setAttribute("aria-label", `Go to ${mark.t.toFixed(2)} seconds`);
    const item = element("li", {}, [time, rendered(mark.text, "span", "")]);
    item.hidden = true;
    return item;
  }

  /** @param {number} t s */
  #visit(t) {
    this.#player.pause();
    this.#player.seek(t);
  }

  #toggle() {
    if (this.#player.state.playing) this.#player.pause();
    else if (this.#isOver()) this.restart().then(() => this.#player.play());
    else this.#player.play();
  }

  #showButton() {
    const again = this.#isOver() ? "Play it again" : "Play the scene";
    this.#play.textContent = this.#player.state.playing ? "Pause" : again;
  }

  /** Where it is to stop, or where its transfer ends before that. */
  #isOver() {
    const { t, ended } = this.#player.state;
    return ended || t >= this.#lesson.stop;
  }

  /** @param {number} now s */
  #show(now) {
    const { marks } = this.#lesson;
    const reached = marks.filter((mark) => mark.t <= now).length - 1;
    if (reached !== this.#reached) this.#announce(reached);
    if (!this.#isOver()) this.#stopped = false;
    else if (!this.#stopped) {
      this.#stopped = true;
      this.#player.pause();
      this.#now.append(
        element("p", {}, ["The scene is over. Go on to the next step, or explore the bench."]),
      );
    }
  }

  /** @param {number} reached index of the last mark that has come */
  #announce(reached) {
    this.#reached = reached;
    this.#items.forEach((item, place) => {
      if (place <= reached) item.hidden = false;
      item.classList.toggle("lesson-mark-now", place === reached);
    });
    if (reached >= 0)
      this.#now.replaceChildren(rendered(this.#lesson.marks[reached].text, "p", ""));
  }
}

/**
 * Puts a scenario of a lesson on the bench, standing where the scene begins.
 * @param {PlayerLike} player
 * @param {Lesson} lesson
 * @param {import("./lesson-types.js").Scenario} scenario
 */
export async function putOnBench(player, lesson, scenario) {
  player.pause();
  player.setSpeed(lesson.speed);
  const asked = [player.setScenario(scenario), player.setView(lesson.view)];
  await Promise.all([...asked, player.seek(scenario === lesson.scenario ? lesson.start : 0)]);
}
