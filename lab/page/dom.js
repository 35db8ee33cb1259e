// SPDX-License-Identifier: GPL-2.0-only

/** Small helpers for making elements. */

/**
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} [children]
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/**
 * @template {Element} T
 * @param {string} selector of an element that the page has
 * @param {new (...args: never[]) => T} type of that element
 * @param {ParentNode} [root]
 * @returns {T}
 */
export function find(selector, type, root = document) {
  const found = root.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} ${selector}`);
  return found;
}

/**
 * Fills a place anew. Who was in it with the keyboard goes on from the place itself.
 * @param {HTMLElement} place
 * @param {...(Node | string)} children
 */
export function refill(place, ...children) {
  const hadFocus = place.contains(document.activeElement);
  place.replaceChildren(...children);
  if (!hadFocus) return;
  place.tabIndex = -1;
  place.focus();
}

/** The focus goes to the bench: what had it is put away. */
export function focusBench() {
  find("#bench", HTMLElement).focus({ preventScroll: true });
}
