// SPDX-License-Identifier: GPL-2.0-only

/** The dumbbell where packets are too fast to be seen: what flows, as thick as it is strong. */

/** @typedef {import("./dumbbell-stage.js").Scene} Scene */

/**
 * Where packets are too fast to be seen: bands, as thick as their connections' shares of the bottleneck.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 */
export function drawFlows(context, scene) {
  const { layout, frame, theme } = scene;
  if (frame === null) return;
  const { queue, data, unit } = layout;
  const filled = queue.width * Math.min(1, frame.queue / Math.max(1, frame.queueLimit));
  context.fillStyle = theme.muted;
  context.fillRect(queue.x + queue.width - filled, queue.y + 2, filled, queue.height - 4);
  const shares = sharesOf(frame);
  const tall = unit * 1.5;
  let y = data.from.y + tall / 2;
  /** @type {number[]} */
  const byPair = layout.pairs.map(() => 0);
  for (const { session, connection, share } of shares) {
    const height = tall * share;
    y -= height;
    context.fillStyle = scene.styles.of(session, connection).colour;
    context.fillRect(data.from.x, y, data.to.x - data.from.x, height);
    byPair[layout.pairOf[session] ?? 0] += share;
  }
  for (const [index, share] of byPair.entries()) drawAccessFlow(context, scene, index, share);
  if (!scene.still) drawStreaming(context, scene);
}

/**
 * @param {import("../engine/laboratory.js").Frame} frame
 * @returns {{session: number, connection: number, share: number}[]} of the bottleneck's bandwidth
 */
function sharesOf(frame) {
  const weights = frame.connections.map(({ session, connection, ...state }) => {
    const { cwnd, flight, rtt } = /** @type {any} */ (state);
    return { session, connection, weight: Math.min(cwnd, flight ?? cwnd) / (rtt || 1) };
  });
  const sum = weights.reduce((total, one) => total + one.weight, 0);
  const scale = sum > 0 ? Math.min(1, frame.recentUtilisation) / sum : 0;
  return weights.map(({ session, connection, weight }) => ({
    session,
    connection,
    share: weight * scale,
  }));
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {number} index of the pair
 * @param {number} share
 */
function drawAccessFlow(context, { layout, theme, styles }, index, share) {
  const pair = layout.pairs[index];
  const alone = styles.flows > 1 && pair.flows.length === 1;
  context.strokeStyle = alone ? styles.of(pair.flows[0], 0).colour : theme.muted;
  context.lineWidth = layout.unit * 0.7 * share;
  if (context.lineWidth < 0.05) return;
  const whole = context.lineWidth;
  for (const place of /** @type {const} */ ([0, 3])) {
    const hosts = (place === 0 ? pair.stripes?.left : pair.stripes?.right)?.hosts ?? [];
    const own = hosts.map(({ out, into }) => (place === 0 ? out : into));
    const lanes = own.length > 0 ? own : [pair.lanes[place]];
    context.lineWidth = whole / lanes.length;
    for (const { from, to } of lanes) {
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
    }
  }
}

/**
 * Gaps that run along the bottleneck: it flows.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 */
function drawStreaming(context, { layout, theme, now }) {
  const { data, unit } = layout;
  context.strokeStyle = theme.background;
  context.lineWidth = unit * 1.5;
  context.setLineDash([1.5, unit * 1.5 - 1.5]);
  context.lineDashOffset = -(now / 1000) * unit * 6;
  context.beginPath();
  context.moveTo(data.from.x, data.from.y);
  context.lineTo(data.to.x, data.to.y);
  context.stroke();
  context.setLineDash([]);
}
