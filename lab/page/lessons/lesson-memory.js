// SPDX-License-Identifier: GPL-2.0-only

/** The predictions that were made, kept until the tab is closed. */

/** @typedef {import("./lesson-types.js").Answer} Answer */

const PREFIX = "lesson-prediction-";

/** @type {Map<string, Answer>} where the browser keeps nothing */
const kept = new Map();

/** @param {string} lesson id @returns {Answer | null} */
export function recall(lesson) {
  try {
    const text = sessionStorage.getItem(PREFIX + lesson);
    if (text !== null) return JSON.parse(text);
  } catch {
    // Storage is refused, or what is in it is no prediction: as if there was none.
  }
  return kept.get(lesson) ?? null;
}

/** @param {string} lesson id @param {Answer | null} answer null: forget it */
export function remember(lesson, answer) {
  if (answer === null) kept.delete(lesson);
  else kept.set(lesson, answer);
  try {
    if (answer === null) sessionStorage.removeItem(PREFIX + lesson);
    else sessionStorage.setItem(PREFIX + lesson, JSON.stringify(answer));
  } catch {
    // Then it is kept as long as the page is.
  }
}

/**
 * @param {Answer | null} answer
 * @param {import("./lesson-types.js").Prediction} prediction
 * @returns {boolean} whether it is an answer to that question: lessons change
 */
export function fits(answer, prediction) {
  if (prediction.kind === "curve") {
    return Array.isArray(answer) && answer.length === prediction.x.length;
  }
  if (typeof answer !== "number") return false;
  return prediction.kind === "number" || answer in prediction.choices;
}
