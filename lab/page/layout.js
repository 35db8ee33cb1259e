// SPDX-License-Identifier: GPL-2.0-only

/**
 * How many columns the page has, as `data-layout` of its root: "one", "two" or "three". Beside a lesson
 * there are two already where the words and the picture fit; the form of the bench needs more. "lecture" is
 * a layout of its own.
 *
 * Loaded before anything is drawn, so that nothing moves afterwards.
 */

import { find } from "./dom.js";
import { markEmbedded } from "./embed.js";
import { markEntry } from "./entry/place.js";
import { isLecture } from "./lecture.js";

const ROOM_FOR_A_LESSON = window.matchMedia("(min-width: 40rem)");
const ROOM_FOR_THE_FORM = window.matchMedia("(min-width: 60rem)");
const ROOM_FOR_ALL = window.matchMedia("(min-width: 70rem) and (min-height: 38rem)");

const WITH_LESSONS = "with-lessons";
const root = document.documentElement;

/** @returns {"one" | "two" | "three" | "lecture"} */
function columns() {
  if (isLecture()) return "lecture";
  if (root.hasAttribute("data-embedded")) return "one";
  if (ROOM_FOR_ALL.matches) return "three";
  const beside = root.classList.contains(WITH_LESSONS) ? ROOM_FOR_A_LESSON : ROOM_FOR_THE_FORM;
  return beside.matches ? "two" : "one";
}

function arrange() {
  root.dataset.layout = columns();
}

/** @param {boolean} shown whether the lessons have the form's place */
export function showLessonsColumn(shown) {
  find("#lessons-column", HTMLElement).hidden = !shown;
  const { classList } = root;
  if (classList.contains(WITH_LESSONS) === shown) return;
  classList.toggle(WITH_LESSONS, shown);
  arrange();
  arrangeForm();
}

/** In one column, what a lesson lets watch stays at the top: its words begin right below it. */
export function showWhatToWatch() {
  if (root.dataset.layout === "one" && root.classList.contains("watching")) window.scrollTo(0, 0);
}

/** The form stands open where it has a column; else, and below a lesson, behind its summary. */
function arrangeForm() {
  const beside = root.classList.contains(WITH_LESSONS);
  find("#scenario", HTMLDetailsElement).open = root.dataset.layout !== "one" && !beside;
}

/** Binds what style sheets cannot do. */
export function bindLayout() {
  arrangeForm();
  for (const room of [ROOM_FOR_A_LESSON, ROOM_FOR_THE_FORM, ROOM_FOR_ALL]) {
    room.addEventListener("change", () => {
      const before = root.dataset.layout;
      arrange();
      if (root.dataset.layout !== before) arrangeForm();
    });
  }
  find("#form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
  // An address of its own would be taken for a state of the page.
  for (const link of document.querySelectorAll("a.skip")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      find(/** @type {HTMLAnchorElement} */ (link).hash, HTMLElement).focus();
    });
  }
}

markEmbedded();
markEntry();
arrange();
