// SPDX-License-Identifier: GPL-2.0-only

/** What moves on the dumbbell by the packet: those on links, those that wait, and those refused. */
import { withAlpha } from "./colours.js";
import { box, font } from "./dumbbell-stage.js";
import { stripeLane } from "./dumbbell-stripes.js";

/** @typedef {import("./dumbbell-stage.js").Scene} Scene */
/** @typedef {import("./dumbbell-layout.js").Box} Box */
/** @typedef {import("./dumbbell-layout.js").Lane} Lane */

const MOST_PACKETS = 3000;
export const ROW = 8;
const DATA = 0;
const ACK = 1;

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 */
export function drawPackets(context, scene) {
  const { frame } = scene;
  const packets = frame?.packets;
  if (!frame || !packets) return;
  const count = packets.length / ROW;
  const stride = Math.max(1, Math.ceil(count / MOST_PACKETS));
  /** @type {number[]} */
  const waiting = [];
  /** @type {number[]} */
  const back = [];
  for (let row = 0; row < count; row += 1) {
    const at = row * ROW;
    if (packets[at] === 1) waiting.push(at);
    else if (packets[at] === 5) back.push(at);
    else if (packets[at] < 8 && row % stride === 0) drawMoving(context, scene, packets, at);
  }
  drawWaiting(context, scene, packets, waiting);
  drawReverse(context, scene, packets, back);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Float64Array} packets
 * @param {number} at
 */
function drawMoving(context, scene, packets, at) {
  const [place, , , session, connection, kind, stripes, marked] = packets.subarray(at, at + ROW);
  const lane = laneOf(scene, place, session, stripes);
  if (lane === undefined) return;
  const { unit } = scene.layout;
  const { from, to } = lane;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [tail, head] = extent(scene, packets.subarray(at, at + ROW), length);
  const along = (tail + head) / 2 / length;
  const width = head - tail;
  const tall = kind === ACK ? 0.55 : place === 2 ? 1.5 : 0.7;
  const spot = {
    x: from.x + along * (to.x - from.x) - width / 2,
    y: from.y + along * (to.y - from.y) - (unit * tall) / 2,
    width: width > 4 ? width - 1 : width,
    height: unit * tall,
  };
  if (kind === DATA) packet(context, scene, spot, session, connection, marked === 1);
  else plainMark(context, scene, spot, session, connection, kind);
}

/**
 * Where on its link a packet is. On the bottleneck data are drawn as long as they are: from the bit that
 * has come farthest to the last one.
 * @param {Scene} scene
 * @param {Float64Array} row
 * @param {number} length of the link, pixels
 * @returns {[number, number]} tail and head, pixels from its beginning
 */
function extent({ frame, scenario, layout }, row, length) {
  const [place, begin, end, , , kind] = row;
  const passed = (frame?.now ?? 0) - begin;
  if (place === 2 && kind === DATA) {
    const sending = Math.min(
      end - begin,
      (scenario.packet_size_bytes * 8) / scenario.bandwidth_bps,
    );
    const propagation = Math.max(end - begin - sending, 1e-9);
    const head = length * clamped(passed / propagation);
    const tail = length * clamped((passed - sending) / propagation);
    return head - tail < 2 ? [Math.max(0, head - 2), Math.max(2, head)] : [tail, head];
  }
  const width = Math.min(length, layout.unit * (kind === ACK ? 0.28 : 0.5));
  const tail = (length - width) * clamped(passed / Math.max(end - begin, 1e-12));
  return [tail, tail + width];
}

/**
 * @param {number} share
 * @returns {number} between 0 and 1
 */
function clamped(share) {
  return Math.min(1, Math.max(0, share));
}

/**
 * @param {Scene} scene
 * @param {number} place
 * @param {number} session
 * @param {number} stripes index of the pair that it goes between
 * @returns {Lane | undefined}
 */
function laneOf({ layout }, place, session, stripes) {
  if (place === 2) return layout.data;
  if (place === 6) return layout.acks;
  const pair = layout.pairs[layout.pairOf[Math.max(0, session)] ?? 0];
  if (session < 0) return pair.lanes[place];
  return stripeLane(pair, place, stripes);
}

/**
 * A data packet: its connection's colour and stripes (three bits), its number where there is room. One
 * that is marked (CE) has the colour of marks, and its connection's at its foot.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Box} spot
 * @param {number} session
 * @param {number} connection
 * @param {boolean} [marked]
 */
export function packet(context, scene, spot, session, connection, marked = false) {
  if (session < 0) {
    plainMark(context, scene, spot, session, connection, 2);
    return;
  }
  const { theme, styles } = scene;
  const style = styles.of(session, connection);
  context.fillStyle = style.colour;
  context.fillRect(spot.x, spot.y, spot.width, spot.height);
  if (marked) {
    context.fillStyle = theme.mark;
    context.fillRect(spot.x, spot.y, spot.width, spot.height * 0.8);
    return;
  }
  if (spot.height < 7 || spot.width < 3.5) return; // too small for stripes
  context.fillStyle = theme.background;
  if (spot.width >= scene.layout.unit * 1.5 && styles.flows === 1) {
    font(context, theme, spot.height * 0.75, "bold");
    context.textAlign = "center";
    const name = styles.name({ session, connection });
    context.fillText(name, spot.x + spot.width / 2, spot.y + spot.height * 0.78);
    return;
  }
  const stripe = spot.height / 7;
  for (let bit = 0; bit < 3; bit += 1) {
    if (style.mark & (1 << bit)) {
      context.fillRect(spot.x, spot.y + stripe * (5 - 2 * bit), spot.width, stripe);
    }
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Box} spot
 * @param {number} session
 * @param {number} connection
 * @param {number} kind
 */
function plainMark(context, { theme, styles }, spot, session, connection, kind) {
  const colour = session < 0 ? theme.text : styles.of(session, connection).colour;
  if (kind === ACK && session >= 0) {
    context.fillStyle = colour;
    context.fillRect(spot.x, spot.y, spot.width, spot.height);
    return;
  }
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.strokeRect(spot.x + 0.5, spot.y + 0.5, Math.max(2, spot.width - 1), spot.height - 1);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Float64Array} packets
 * @param {number[]} waiting offsets
 */
function drawWaiting(context, scene, packets, waiting) {
  const { queue } = scene.layout;
  const limit = Math.max(1, scene.frame?.queueLimit ?? 1);
  waiting.sort((one, other) => packets[one + 1] - packets[other + 1]);
  const slot = queue.width / limit;
  const step = Math.max(1, Math.ceil(1.5 / slot)); // a packet at least 1.5 pixels wide
  for (let index = 0; index < Math.min(waiting.length, limit); index += step) {
    const at = waiting[index];
    const width = slot * step;
    const spot = {
      x: queue.x + queue.width - (index + step) * slot,
      y: queue.y + 2,
      width: width > 3 ? width - 1 : width,
      height: queue.height - 4,
    };
    const [session, connection] = packets.subarray(at + 3, at + 5);
    if (packets[at + 5] === DATA)
      packet(context, scene, spot, session, connection, packets[at + 7] === 1);
    else plainMark(context, scene, spot, session, connection, packets[at + 5]);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Float64Array} packets
 * @param {number[]} back offsets
 */
function drawReverse(context, scene, packets, back) {
  const { reverseQueue, unit } = scene.layout;
  const step = unit * 0.4;
  const shown = Math.min(back.length, Math.floor(reverseQueue.width / step) - 1);
  for (let index = 0; index < shown; index += 1) {
    const at = back[index];
    const spot = {
      x: reverseQueue.x + 2 + index * step,
      y: reverseQueue.y + reverseQueue.height * 0.22,
      width: step * 0.7,
      height: unit * 0.55,
    };
    plainMark(context, scene, spot, packets[at + 3], packets[at + 4], packets[at + 5]);
  }
}

/**
 * The queue's slots, as far as they can be told apart.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 */
export function drawSlots(context, scene) {
  const { layout, theme, frame, scenario } = scene;
  const { queue } = layout;
  const limit = frame?.queueLimit ?? scenario.queue_packets;
  context.fillStyle = theme.faint;
  context.fillRect(queue.x, queue.y, queue.width, queue.height);
  context.strokeStyle = theme.muted;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(queue.x, queue.y);
  context.lineTo(queue.x + queue.width, queue.y);
  context.moveTo(queue.x, queue.y + queue.height);
  context.lineTo(queue.x + queue.width, queue.y + queue.height);
  context.stroke();
  const slot = queue.width / limit;
  if (slot < 5) return;
  context.strokeStyle = withAlpha(theme.text, 0.25);
  context.beginPath();
  for (let index = 1; index <= limit; index += 1) {
    const x = queue.x + queue.width - index * slot - 0.5;
    context.moveTo(x, queue.y);
    context.lineTo(x, queue.y + queue.height);
  }
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 */
export function drawDrops(context, scene) {
  const { layout, styles, theme, now } = scene;
  const { unit, leftRouter, rightRouter } = layout;
  for (const mark of scene.marks) {
    const age = Math.min(1, (now - mark.born) / scene.markLife);
    const router = mark.lost ? rightRouter : leftRouter;
    const top = router.y + router.height * 0.3;
    const way = layout.ground - top;
    const fallen = scene.still ? 0.75 : 0.1 + 0.9 * age * age;
    const [x, y] = [router.x - unit * (2.4 - 2.8 * mark.aside), top + way * fallen];
    const colour = mark.session < 0 ? theme.text : styles.of(mark.session, mark.connection).colour;
    context.globalAlpha = 1 - 0.6 * age;
    box(
      context,
      { x: x - unit * 0.35, y: y - unit * 0.4, width: unit * 0.7, height: unit * 0.8 },
      0,
      theme.alert,
      colour,
      unit * 0.2,
    );
    cross(context, x, y, unit * 0.55, theme.text);
  }
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} reach
 * @param {string} colour
 */
function cross(context, x, y, reach, colour) {
  context.strokeStyle = colour;
  context.lineWidth = Math.max(1.5, reach * 0.28);
  context.beginPath();
  context.moveTo(x - reach, y - reach);
  context.lineTo(x + reach, y + reach);
  context.moveTo(x + reach, y - reach);
  context.lineTo(x - reach, y + reach);
  context.stroke();
}
