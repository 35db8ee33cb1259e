// SPDX-License-Identifier: GPL-2.0-only

/** The keyboard: what the page does with single keys, away from text fields. */

/** @typedef {Record<string, () => void>} KeyActions by KeyboardEvent.key */

/**
 * @param {KeyActions} actions
 */
export function bindKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    const action = actions[event.key];
    if (!action || takesKey(event.target, event.key)) return;
    event.preventDefault();
    action();
  });
}

/**
 * @param {EventTarget | null} target
 * @param {string} key
 * @returns {boolean} whether the key means something to the element that has the focus
 */
function takesKey(target, key) {
  if (!(target instanceof Element)) return false;
  if (target.closest("textarea, select, [contenteditable]")) return true;
  const input = target.closest("input");
  if (input && !["range", "button"].includes(input.type)) {
    return !(["checkbox", "radio"].includes(input.type) && key !== " ");
  }
  return key === " " && target.closest("button, summary, a[href], [role=button]") !== null;
}
