// SPDX-License-Identifier: GPL-2.0-only

/** The hosts of a striped session: at each end a head node and a host for each stripe. */

/** @typedef {import("./dumbbell-layout.js").Box} Box */
/** @typedef {import("./dumbbell-layout.js").Lane} Lane */
/** @typedef {import("./dumbbell-layout.js").Pair} Pair */

/**
 * @typedef {object} Host of a stripe; the last one may stand for many
 * @property {string} name
 * @property {Box} box
 * @property {Lane} out away from it
 * @property {Lane} into to it
 *
 * @typedef {object} Cluster the hosts of one end; none where the head node is the only one
 * @property {number} count stripes
 * @property {Host[]} hosts at most eight
 *
 * @typedef {{left: Cluster, right: Cluster}} Stripes
 */

/** Of one session alone; more sessions have as many rows together, but for the head nodes. */
const MOST_HOSTS = 8;
const HOST_ROW = 1.75;
const HEAD_ROW = 3;

/**
 * @param {string | undefined} text "MxN"
 * @returns {[number, number]} stripes that send and that receive
 */
export function stripeCounts(text) {
  const [senders = 1, receivers = 1] = (text ?? "1x1").split("x").map(Number);
  return [senders, receivers];
}

/**
 * @param {[number, number]} counts
 * @param {number} groups that share the picture
 * @returns {[number, number]} hosts drawn at each end besides the head node
 */
export function hostsShown(counts, groups) {
  const most = Math.floor(MOST_HOSTS / groups);
  const shown = counts.map((count) => (count > 1 && most > 1 ? Math.min(count, most) : 0));
  return [shown[0], shown[1]];
}

/**
 * @param {[number, number]} shown
 * @returns {number} height of head node and hosts, in units; 0 where none are drawn
 */
export function clusterHeight(shown) {
  const most = Math.max(...shown);
  return most === 0 ? 0 : HEAD_ROW + most * HOST_ROW;
}

/**
 * @param {{y: number, height: number}} band
 * @param {number} shown hosts besides the head node
 * @param {number} unit
 * @returns {{y: number, height: number}} of the head node, whose cluster is in the band's middle
 */
export function headPlace(band, shown, unit) {
  if (shown === 0) {
    const height = unit * 3.6;
    return { y: band.y + (band.height - height) / 2, height };
  }
  const cluster = unit * clusterHeight([shown, 0]);
  return { y: band.y + (band.height - cluster) / 2, height: unit * (HEAD_ROW - 0.35) };
}

/**
 * @param {Box} head
 * @param {number} count stripes
 * @param {number} shown hosts
 * @param {number} unit
 * @param {(box: Box) => {out: Lane, into: Lane}} lanes
 * @returns {Cluster}
 */
export function makeCluster(head, count, shown, unit, lanes) {
  const hosts = Array.from({ length: shown }, (_, index) => {
    const isRest = index === shown - 1 && count > shown;
    const name = isRest ? `stripes ${shown}–${count}` : `stripe ${index + 1}`;
    const y = head.y + unit * (HEAD_ROW + index * HOST_ROW);
    const box = { ...head, y, height: unit * (HOST_ROW - 0.3) };
    return { name, box, ...lanes(box) };
  });
  return { count, hosts };
}

/**
 * @param {Stripes} stripes
 * @param {number} pair index, ordered by sender, then by receiver
 * @returns {[number, number]} which stripes it is of
 */
export function stripesOf({ left, right }, pair) {
  if (left.count === right.count) return [pair % left.count, pair % left.count];
  return [Math.floor(pair / right.count) % left.count, pair % right.count];
}

/**
 * @param {Cluster} cluster
 * @param {number} stripe
 * @returns {Host | undefined} none where it is the head node's
 */
export function hostOf({ hosts }, stripe) {
  return hosts[Math.min(stripe, hosts.length - 1)];
}

/**
 * @param {Pair} pair
 * @param {number} place of a packet
 * @param {number} index of the pair of stripes that it goes between
 * @returns {Lane} of the host that it is of
 */
export function stripeLane(pair, place, index) {
  if (pair.stripes === null) return pair.lanes[place];
  const [sender, receiver] = stripesOf(pair.stripes, index);
  const isLeft = place === 0 || place === 7;
  const host = isLeft ? hostOf(pair.stripes.left, sender) : hostOf(pair.stripes.right, receiver);
  if (host === undefined) return pair.lanes[place];
  return place === 0 || place === 4 ? host.out : host.into;
}
