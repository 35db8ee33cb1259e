// SPDX-License-Identifier: GPL-2.0-only

/**
 * The theme: the system's, or the one that the reader chose, kept in this browser.
 *
 * `data-theme` on the root is always the theme in force, "light" or "dark"; whoever draws with
 * colours of its own hears "themechange" on the window after it changed.
 */

/** @typedef {"system" | "light" | "dark"} ThemeChoice */

const KEY = "gridftp-lab-theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** @type {ThemeChoice} */
let choice = readChoice();

/** @returns {ThemeChoice} what was chosen last in this browser */
function readChoice() {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system"; // storage is closed to this page
  }
}

function apply() {
  const theme = choice === "system" ? (dark.matches ? "dark" : "light") : choice;
  if (document.documentElement.dataset.theme === theme) return;
  document.documentElement.dataset.theme = theme;
  window.dispatchEvent(new Event("themechange"));
}

/** @param {ThemeChoice} wanted from now on, and at the next visit */
function chooseTheme(wanted) {
  choice = wanted;
  try {
    localStorage.setItem(KEY, wanted);
  } catch {
    // Kept for this visit only.
  }
  apply();
}

/** @param {HTMLSelectElement} select the switch, with the three choices as its options */
export function bindThemeSwitch(select) {
  select.value = choice;
  select.addEventListener("change", () => {
    chooseTheme(/** @type {ThemeChoice} */ (select.value));
  });
}

dark.addEventListener("change", apply);
apply();
