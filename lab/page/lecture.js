// SPDX-License-Identifier: GPL-2.0-only

/**
 * The view for a lecture hall, at the address with "?lecture": one chart beside the network, its name
 * behind "lecture=", and text as large as the window allows. The layout "lecture" is the style sheet's.
 */

import { find } from "./dom.js";
import { PANELS } from "./views/chart-panels.js";

const KEY = "lecture";

/** @returns {boolean} whether the page is in this view */
export function isLecture() {
  return new URLSearchParams(location.search).has(KEY);
}

/**
 * @param {(name: string) => void} showOnly shows one of the charts
 * @param {() => void} write brings the address up to date
 */
export function bindLecture(showOnly, write) {
  find("#lecture-bar", HTMLElement).hidden = !isLecture();
  if (!isLecture()) return;
  const select = find("#lecture-chart", HTMLSelectElement);
  select.append(...PANELS.map(({ name, title }) => new Option(title, name)));
  const wanted = new URLSearchParams(location.search).get(KEY) ?? "";
  select.value = PANELS.some(({ name }) => name === wanted) ? wanted : PANELS[0].name;
  select.addEventListener("change", () => {
    history.replaceState(history.state, "", address(`?${KEY}=${select.value}`));
    showOnly(select.value);
  });
  find("#lecture-leave", HTMLButtonElement).addEventListener("click", () => toggleLecture(write));
  showOnly(select.value);
}

/**
 * Into this view with the same state, or out of it.
 * @param {() => void} write brings the address up to date
 */
export function toggleLecture(write) {
  write();
  location.href = address(isLecture() ? "" : `?${KEY}`);
}

/** @param {string} search */
function address(search) {
  return `${location.pathname}${search}${location.hash}`;
}
