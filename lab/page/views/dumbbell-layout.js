// SPDX-License-Identifier: GPL-2.0-only

/** Where the dumbbell's hosts, routers and links stand, in CSS pixels. */

import {
  clusterHeight,
  headPlace,
  hostsShown,
  makeCluster,
  stripeCounts,
} from "./dumbbell-stripes.js";
import { flowName } from "./flow-names.js";

/** @typedef {import("./view-types.js").Scenario} Scenario */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{from: Point, to: Point}} Lane */

/**
 * @typedef {object} Pair a sender and its receiver; the last one may stand for many
 * @property {string} sender
 * @property {string} receiver
 * @property {number[]} flows sessions, then backgrounds
 * @property {Box} left
 * @property {Box} right
 * @property {Lane[]} lanes by a packet's place: 0 and 3 of data, 4 and 7 of ACKs
 * @property {import("./dumbbell-stripes.js").Stripes | null} stripes their hosts, if drawn
 *
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {number} unit font size
 * @property {boolean} narrow
 * @property {Pair[]} pairs
 * @property {number[]} pairOf flow -> index into pairs
 * @property {Box} leftRouter
 * @property {Box} rightRouter
 * @property {Box} queue the slots
 * @property {Box} reverseQueue
 * @property {Lane} data on the bottleneck
 * @property {Lane} acks on the bottleneck
 * @property {Box} pipe the bottleneck
 * @property {number} ground where drops land
 * @property {number} legend its base line
 */

const MOST_PAIRS = 6;
const NARROW = 620;

/**
 * @param {number} width
 * @param {Scenario} scenario
 * @returns {Layout}
 */
export function layOut(width, scenario) {
  const narrow = width < NARROW;
  const unit = Math.max(11, Math.min(22, width / 56));
  const groups = grouped(scenario);
  const row = unit * (groups.length > 3 ? 2.6 : groups.length > 2 ? 3.1 : 3.6);
  const shown = groups.map(({ flows }) =>
    hostsShown(stripeCounts(scenario.sessions[flows[0]]?.stripes), groups.length),
  );
  const rows = shown.map((one) => Math.max(row * 1.15, unit * clusterHeight(one)));
  const needed = rows.reduce((sum, height) => sum + height, 0);
  const body = Math.max(needed, unit * (narrow ? 11.4 : 9.2));
  const top = unit * 0.5;
  const middle = top + body / 2;
  const edge = narrow ? 2 : unit;
  const host = { width: Math.max(56, Math.min(unit * 10, width * 0.125)), height: row };
  const centre = routers(width, unit, middle, narrow);
  let reached = top;
  const pairs = groups.map((group, index) => {
    const band = { y: reached, height: (rows[index] * body) / needed };
    reached += band.height;
    const [x, end] = [edge, width - edge - host.width];
    if (Math.max(...shown[index]) === 0) {
      const y = band.y + band.height / 2 - row / 2;
      const [left, right] = [
        { ...host, x, y },
        { ...host, x: end, y },
      ];
      return {
        ...group,
        left,
        right,
        lanes: accessLanes(left, right, centre, unit),
        stripes: null,
      };
    }
    const left = { ...host, x, ...headPlace(band, shown[index][0], unit) };
    const right = { ...host, x: end, ...headPlace(band, shown[index][1], unit) };
    const [senders, receivers] = stripeCounts(scenario.sessions[group.flows[0]].stripes);
    const stripes = {
      left: makeCluster(left, senders, shown[index][0], unit, (box) => {
        const lanes = accessLanes(box, right, centre, unit);
        return { out: lanes[0], into: lanes[7] };
      }),
      right: makeCluster(right, receivers, shown[index][1], unit, (box) => {
        const lanes = accessLanes(left, box, centre, unit);
        return { out: lanes[4], into: lanes[3] };
      }),
    };
    return { ...group, left, right, lanes: accessLanes(left, right, centre, unit), stripes };
  });
  const pairOf = [];
  for (const [index, pair] of pairs.entries()) for (const flow of pair.flows) pairOf[flow] = index;
  const legend = top + body + unit * 1.4;
  const height = legend + unit * (0.9 + 1.5 * (legendRows(groups, width / unit) - 1));
  return { width, height, unit, narrow, pairs, pairOf, ground: top + body, legend, ...centre };
}

/**
 * @param {number} width
 * @param {number} unit
 * @param {number} middle
 * @param {boolean} narrow
 * @returns {Pick<Layout, "leftRouter" | "rightRouter" | "queue" | "reverseQueue" | "data" | "acks" | "pipe">}
 */
function routers(width, unit, middle, narrow) {
  const tall = unit * 4.2;
  const left = { x: width * 0.235, width: width * (narrow ? 0.225 : 0.18) };
  const right = { x: width * (narrow ? 0.715 : 0.755), width: width * (narrow ? 0.05 : 0.035) };
  const leftRouter = { ...left, y: middle - tall / 2, height: tall };
  const rightRouter = { ...right, y: middle - tall / 2, height: tall };
  const dataY = middle - unit * 0.75;
  const ackY = middle + unit * 1.05;
  const ends = { from: left.x + left.width, to: right.x };
  const inset = unit * 0.5;
  const slots = { height: unit * 1.9, y: dataY - unit * 0.95 };
  return {
    leftRouter,
    rightRouter,
    queue: { ...slots, x: left.x + inset, width: left.width - inset },
    reverseQueue: { x: right.x, width: right.width, y: ackY - unit / 2, height: unit },
    data: { from: { x: ends.from, y: dataY }, to: { x: ends.to, y: dataY } },
    acks: { from: { x: ends.to, y: ackY }, to: { x: ends.from, y: ackY } },
    pipe: {
      x: ends.from,
      y: middle - unit * 1.9,
      width: ends.to - ends.from,
      height: unit * 3.8,
    },
  };
}

/**
 * @param {Box} left
 * @param {Box} right
 * @param {ReturnType<typeof routers>} centre
 * @param {number} unit
 * @returns {Lane[]}
 */
function accessLanes(left, right, centre, unit) {
  const apart = Math.min(unit * 0.5, left.height / 5);
  const sender = { x: left.x + left.width, y: left.y + left.height / 2 };
  const receiver = { x: right.x, y: right.y + right.height / 2 };
  const entry = centre.leftRouter.x;
  const exit = centre.rightRouter.x + centre.rightRouter.width;
  const [dataY, ackY] = [centre.data.from.y, centre.acks.from.y];
  const lanes = [];
  lanes[0] = { from: shifted(sender, -apart), to: { x: entry, y: dataY } };
  lanes[3] = { from: { x: exit, y: dataY }, to: shifted(receiver, -apart) };
  lanes[4] = { from: shifted(receiver, apart), to: { x: exit, y: ackY } };
  lanes[7] = { from: { x: entry, y: ackY }, to: shifted(sender, apart) };
  return lanes;
}

/**
 * @param {Point} point
 * @param {number} by
 * @returns {Point}
 */
function shifted(point, by) {
  return { x: point.x, y: point.y + by };
}

/** Of the legend's letters and gaps on average, and what stands before its names, in units. */
const LETTER = 0.46;
const ACCESS_LENGTH = 36 * LETTER;
const MARK = 2.3;

/**
 * @param {{sender: string, flows: number[]}[]} groups
 * @param {number} room in units
 * @returns {number} lines that the legend takes
 */
function legendRows(groups, room) {
  // One flow alone has a mark for each of its connections, which come and go: up to eight
  const names = groups.length > 1 ? groups.map(({ sender }) => sender) : Array(8).fill("1");
  const entries = [...names, "control"].map((name) => MARK + LETTER * name.length);
  return Math.ceil(entries.reduce((sum, length) => sum + length, ACCESS_LENGTH) / (room - 3));
}

/**
 * @param {Scenario} scenario
 * @returns {{sender: string, receiver: string, flows: number[]}[]} at most six
 */
function grouped(scenario) {
  const { sessions, background } = scenario;
  const all = [...sessions, ...background].map((_, flow) => {
    const name = flowName(scenario, flow);
    return { sender: name, receiver: name, flows: [flow] };
  });
  // One flow alone needs no name: its ends have theirs
  if (all.length === 1) return [{ ...all[0], ...endsOf(sessions[0]) }];
  if (all.length <= MOST_PAIRS) return all;
  const rest = all.slice(MOST_PAIRS - 1);
  const name = `${rest.length} more`;
  const flows = rest.flatMap((group) => group.flows);
  return [...all.slice(0, MOST_PAIRS - 1), { sender: name, receiver: name, flows }];
}

/**
 * @param {import("./view-types.js").SessionScenario} session
 * @returns {{sender: string, receiver: string}}
 */
function endsOf({ direction }) {
  // The client, which carries no data of a third-party transfer, is not drawn
  if (direction === "third-party") return { sender: "sender", receiver: "receiver" };
  const [client, server] = ["client", "server"];
  return direction === "download"
    ? { sender: server, receiver: client }
    : { sender: client, receiver: server };
}
