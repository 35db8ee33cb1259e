// SPDX-License-Identifier: GPL-2.0-only

/** What the layout needs beside its style sheets. */

import { find } from "./dom.js";

/** As in style.css: from here on the form has a column of its own. */
const WIDE = window.matchMedia("(min-width: 70rem)");

const WITH_LESSONS = "with-lessons";

/** @param {boolean} shown whether the lessons have the form's place on wide screens */
export function showLessonsColumn(shown) {
  find("#lessons-column", HTMLElement).hidden = !shown;
  const { classList } = document.documentElement;
  if (classList.contains(WITH_LESSONS) === shown) return;
  classList.toggle(WITH_LESSONS, shown);
  arrangeForm();
}

/** The form stands open on wide screens; on narrow ones and below a lesson behind its summary. */
function arrangeForm() {
  const beside = document.documentElement.classList.contains(WITH_LESSONS);
  find("#scenario", HTMLDetailsElement).open = WIDE.matches && !beside;
}

/** Binds what style sheets cannot do. */
export function bindLayout() {
  WIDE.addEventListener("change", arrangeForm);
  arrangeForm();
  find("#form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
  // An address of its own would be taken for a state of the page.
  for (const link of document.querySelectorAll("a.skip")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      find(/** @type {HTMLAnchorElement} */ (link).hash, HTMLElement).focus();
    });
  }
}
