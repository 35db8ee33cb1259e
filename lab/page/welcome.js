// SPDX-License-Identifier: GPL-2.0-only

/**
 * What who comes without a state in the address sees first: two sentences, the way to lesson 1, and the
 * run of the defaults, fast enough that the tuner's choices are seen within seconds.
 */

import { find, focusBench } from "./dom.js";
import { reducedMotion } from "./views/motion.js";

/** @typedef {import("./player/player.js").Player} Player */

/** Simulated seconds in a real one, and where it stands still: N has gone from 1 to 8 by then. */
const SPEED = 20;
const STOP_S = 90;

const KEY = "gridftp-lab-welcomed";

export class Welcome {
  #host = find("#welcome", HTMLElement);
  #player;

  /**
   * @param {Player} player
   * @param {() => void} toLesson opens the first lesson
   */
  constructor(player, toLesson) {
    this.#player = player;
    find("#first-lesson", HTMLButtonElement).addEventListener("click", toLesson);
    find("#welcome-close", HTMLButtonElement).addEventListener("click", () => {
      this.hide();
      focusBench();
      remember();
    });
  }

  /** Shows the words, unless they were put away in this browser, and runs the defaults. */
  begin() {
    this.#host.hidden = wasPutAway();
    if (reducedMotion()) {
      this.#player.seek(STOP_S);
      return;
    }
    this.#player.setSpeed(SPEED);
    this.#stopLater();
    this.#player.play();
  }

  hide() {
    this.#host.hidden = true;
  }

  /** Stops it, unless somebody has taken over. */
  #stopLater() {
    const player = this.#player;
    const { scenario } = player.state;
    const look = (/** @type {Event} */ event) => {
      const { playing, speed, scenario: now } = player.state;
      if (!playing || speed !== SPEED || now !== scenario) {
        player.removeEventListener("frame", look);
      } else if (/** @type {CustomEvent} */ (event).detail.now >= STOP_S) {
        player.removeEventListener("frame", look);
        player.pause();
      }
    };
    player.addEventListener("frame", look);
  }
}

/** @returns {boolean} */
function wasPutAway() {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false; // storage is closed to this page
  }
}

function remember() {
  try {
    localStorage.setItem(KEY, "yes");
  } catch {
    // Put away for this visit only.
  }
}
