// SPDX-License-Identifier: GPL-2.0-only

/** The bench: the views, fed from the player. */

import { find } from "./dom.js";
import { Charts } from "./views/charts.js";
import { Dumbbell } from "./views/dumbbell.js";
import { Hosts } from "./views/hosts.js";
import { ModelChart } from "./views/model-chart.js";
import { Numbers } from "./views/numbers.js";

/** @typedef {import("./engine/laboratory.js").Laboratory} Laboratory */
/** @typedef {import("./engine/laboratory.js").Frame} Frame */
/** @typedef {import("./player/player.js").Player} Player */

/** How far the model's curve goes: to so many times its optimum, and at least and at most to N. */
const BEYOND_OPTIMUM = 4;
const LEAST_N = 16;
const MOST_N = 16000;

export class Bench {
  #laboratory;
  #player;
  /** @type {(view: import("./engine/laboratory.js").View) => void} */
  #onView;
  #dumbbell = new Dumbbell(find("#dumbbell", HTMLElement));
  #charts = new Charts(find("#charts", HTMLElement));
  #model = new ModelChart(find("#model-chart", HTMLElement));
  #numbers = new Numbers(find("#numbers", HTMLElement));
  #hosts;
  /** Charts of a second scenario, once there was one. @type {Charts | null} */
  #rivals = null;
  #pair;
  /** N up to which the curve is drawn. */
  #largest = 0;
  #loads = 0;

  /**
   * @param {Laboratory} laboratory
   * @param {Player} player
   * @param {import("./compare/pair.js").Pair} pair
   * @param {(error: Error) => void} onProblem
   */
  constructor(laboratory, player, pair, onProblem) {
    this.#laboratory = laboratory;
    this.#pair = pair;
    this.#charts.bar.bar.append(find("#compare-open", HTMLButtonElement));
    this.#player = player;
    this.#hosts = new Hosts(find("#hosts-panel", HTMLElement), () => laboratory.result());
    this.#onView = (view) => {
      player.setView(view).catch(onProblem);
    };
    this.#charts.onView = this.#onView;
    player.addEventListener("loaded", (event) => {
      const { scenario } = /** @type {CustomEvent} */ (event).detail;
      for (const view of [this.#dumbbell, this.#charts, this.#numbers]) view.setScenario(scenario);
      this.#setRival();
      this.#hosts.setScenario();
      this.#charts.setView(player.state.view);
      this.#loads += 1;
      this.#largest = 0;
      this.#drawModel(LEAST_N).catch(onProblem);
    });
    player.addEventListener("frame", (event) => {
      const frame = /** @type {CustomEvent<Frame>} */ (event).detail;
      this.#show(frame.own ?? frame);
      if (frame.rival) this.#rivals?.update(frame.rival);
      else this.#charts.pairWith(null);
      const n = Math.max(...frame.sessions.map((session) => session.parallelism));
      if (this.#largest > 0 && n > this.#largest) this.#drawModel(2 * n).catch(onProblem);
    });
  }

  /** @returns {import("./export/picture.js").Part[]} what is on the screen */
  pictures() {
    const rivals = this.#pair.rival === null ? null : this.#rivals;
    return [
      { svg: this.#dumbbell.svg(), column: "main" },
      { svg: this.#charts.svg(), column: "main" },
      { svg: (rivals ?? this.#model).svg(), column: "side" },
    ];
  }

  /** Charts of the second scenario at the first one's axes, or none. */
  #setRival() {
    const { rival } = this.#pair;
    if (rival === null) {
      this.#charts.pairWith(null);
      return;
    }
    this.#rivals ??= new Charts(find("#rival-charts", HTMLElement));
    this.#rivals.onView = this.#onView;
    this.#rivals.only = this.#charts.only;
    this.#rivals.setScenario(rival);
    this.#rivals.setView(this.#player.state.view);
    this.#charts.pairWith(this.#rivals);
  }

  /** @param {string[]} names of the only charts to be shown over time; empty: all */
  showOnly(names) {
    this.#charts.showOnly(names);
    this.#rivals?.showOnly(names);
  }

  /** @param {Frame} frame */
  #show(frame) {
    const { speed, playing } = this.#player.state;
    this.#dumbbell.update(frame, { speed, playing });
    this.#numbers.update(frame);
    this.#hosts.update(frame);
    if (!frame.charts) return;
    this.#charts.update(frame);
    this.#model.update(frame);
  }

  /** @param {number} least N that the curve reaches */
  async #drawModel(least) {
    const load = this.#loads;
    this.#largest = least;
    const { optimum } = await this.#laboratory.model(1);
    const wanted = Math.max(least, BEYOND_OPTIMUM * (Number.isFinite(optimum) ? optimum : 1));
    const largest = Math.min(MOST_N, Math.ceil(wanted));
    const model = await this.#laboratory.model(largest);
    if (load !== this.#loads || !this.#player.resolved) return;
    this.#largest = largest;
    this.#model.setModel(model, this.#player.resolved);
  }
}
