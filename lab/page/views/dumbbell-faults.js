// SPDX-License-Identifier: GPL-2.0-only

/** What has gone wrong, marked while it lasts: at a host, at the bottleneck, with a word. */
import { withAlpha } from "./colours.js";
import { font } from "./dumbbell-stage.js";
import { hostOf, stripesOf } from "./dumbbell-stripes.js";

/** @typedef {import("./dumbbell-stage.js").Scene} Scene */
/** @typedef {import("./dumbbell-layout.js").Box} Box */
/** @typedef {import("./view-types.js").Fault} Fault */
/** @typedef {{box: Box, words: string[]}} Struck */

/** A data connection is reset at a moment: that long it is marked, simulated s. */
const MOMENT = 1;

/**
 * @param {Fault} fault
 * @param {number} now simulated, s
 * @returns {boolean} whether it lasts
 */
export function lasts({ kind, at_s, for_s }, now) {
  // At the very beginning there is no connection to be reset
  const moment = at_s > 0 ? MOMENT : 0;
  const length = kind === "data-reset" ? moment : for_s || Number.POSITIVE_INFINITY;
  return now >= at_s && now < at_s + length;
}

/**
 * @param {Pick<Scene, "layout" | "scenario" | "frame">} scene
 * @returns {Struck[]} what has a fault now, each once, with all words for it
 */
export function struckNow({ layout, scenario, frame }) {
  /** @type {Map<Box, string[]>} */
  const found = new Map();
  for (const fault of scenario.faults ?? []) {
    if (frame === null || !lasts(fault, frame.now)) continue;
    if (isOver(fault, frame)) continue;
    for (const box of boxesOf(fault, { layout, scenario, frame })) {
      const words = found.get(box) ?? [];
      if (!words.includes(fault.kind)) words.push(fault.kind);
      found.set(box, words);
    }
  }
  return [...found].map(([box, words]) => ({ box, words }));
}

/**
 * @param {Fault} fault
 * @param {import("../engine/laboratory.js").Frame} frame
 * @returns {boolean} whether its session has ended, so that there is nobody for it to strike
 */
function isOver({ kind, session }, { sessions }) {
  return kind !== "link-down" && sessions[session]?.state === "done";
}

/**
 * @param {Fault} fault
 * @param {{layout: Scene["layout"], scenario: Scene["scenario"], frame: Scene["frame"]}} scene
 * @returns {Box[]} hosts, or the bottleneck
 */
function boxesOf({ kind, session, server, stripe, connection }, { layout, scenario, frame }) {
  if (kind === "link-down") return [layout.pipe];
  const pair = layout.pairs[layout.pairOf[session] ?? 0];
  const { direction } = scenario.sessions[session];
  const atReceiver = direction === "download" ? server === "client" : server !== "sender";
  const receives = direction === "upload" ? server === "server" : atReceiver;
  const head = receives ? pair.right : pair.left;
  if (pair.stripes === null) return [head];
  const { left, right } = pair.stripes;
  if (kind === "dtp-dies" || kind === "disk-stall") {
    return [hostOf(receives ? right : left, stripe)?.box ?? head];
  }
  if (kind !== "data-reset") return [head];
  const parallelism = frame?.sessions[session]?.parallelism ?? 1;
  const [from, to] = stripesOf(pair.stripes, Math.floor(connection / parallelism));
  return [hostOf(left, from)?.box ?? pair.left, hostOf(right, to)?.box ?? pair.right];
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 */
export function drawFaults(context, scene) {
  if (!scene.scenario.faults?.length) return;
  for (const struck of struckNow(scene)) drawStruck(context, scene, struck);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Struck} struck
 */
function drawStruck(context, { layout, theme }, { box, words }) {
  const { unit } = layout;
  context.textAlign = "left";
  if (box.height < unit * 2) {
    // A host of one line: the word takes the place of its name
    context.fillStyle = theme.alert;
    context.fillRect(box.x, box.y, box.width, box.height);
    writeWords(context, { layout, theme }, { box, words });
    return;
  }
  context.fillStyle = withAlpha(theme.alert, 0.14);
  context.fillRect(box.x, box.y, box.width, box.height);
  context.strokeStyle = theme.alert;
  context.lineWidth = 2.5;
  context.strokeRect(box.x, box.y, box.width, box.height);
  const height = unit * 1.15;
  const edge = { ...box, y: box.y + box.height - height * 0.6, height };
  writeWords(context, { layout, theme }, { box: edge, words });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Pick<Scene, "layout" | "theme">} scene
 * @param {Struck} struck with the box in whose middle the words stand
 */
function writeWords(context, { layout, theme }, { box, words }) {
  const { unit } = layout;
  const text = `✕ ${words.join(", ")}`;
  font(context, theme, Math.max(9, unit * 0.75), "bold");
  const width = context.measureText(text).width + unit * 0.5;
  const middle = box.x + (box.width - width) / 2;
  const x = Math.max(1, Math.min(layout.width - width - 1, middle));
  context.fillStyle = theme.alert;
  context.fillRect(x, box.y, width, box.height);
  context.fillStyle = theme.background;
  context.textBaseline = "middle";
  context.fillText(text, x + unit * 0.25, box.y + box.height / 2);
  context.textBaseline = "alphabetic";
}
