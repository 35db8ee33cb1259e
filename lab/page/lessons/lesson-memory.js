// SPDX-License-Identifier: GPL-2.0-only

/**
 * What a reader has done of the lessons: the predictions that were made, and which exercises are
 * solved. It is kept in this browser; where storage is refused, as long as the page is there.
 */

/** @typedef {import("./lesson-types.js").Answer} Answer */
/** @typedef {"prediction" | "done"} Kind */

const PREFIX = "gridftp-lab-lesson-";

/** @type {Map<string, string>} where the browser keeps nothing */
const kept = new Map();

/** @param {Kind} kind @param {string} lesson id */
function keyOf(kind, lesson) {
  return `${PREFIX}${kind}-${lesson}`;
}

/** @param {Kind} kind @param {string} lesson id @returns {string | null} */
function read(kind, lesson) {
  const key = keyOf(kind, lesson);
  try {
    const text = localStorage.getItem(key);
    if (text !== null) return text;
  } catch {
    // Storage is refused: what this page was told itself is left.
  }
  return kept.get(key) ?? null;
}

/** @param {Kind} kind @param {string} lesson id @param {string | null} text null: forget it */
function write(kind, lesson, text) {
  const key = keyOf(kind, lesson);
  if (text === null) kept.delete(key);
  else kept.set(key, text);
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Then it is kept as long as the page is.
  }
}

/** @param {string} lesson id @returns {Answer | null} the prediction that was made */
export function recall(lesson) {
  try {
    return JSON.parse(read("prediction", lesson) ?? "null");
  } catch {
    return null; // What is stored is no prediction: as if there was none.
  }
}

/** @param {string} lesson id @param {Answer | null} answer null: forget it */
export function remember(lesson, answer) {
  write("prediction", lesson, answer === null ? null : JSON.stringify(answer));
}

/** @param {string} lesson id @returns {boolean} whether its exercise is solved */
export function isDone(lesson) {
  return read("done", lesson) !== null;
}

/** @param {string} lesson id; its exercise is solved */
export function markDone(lesson) {
  write("done", lesson, "yes");
}

/** @param {string} lesson id; as if nobody had opened it */
export function forget(lesson) {
  write("prediction", lesson, null);
  write("done", lesson, null);
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
