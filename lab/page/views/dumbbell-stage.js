// SPDX-License-Identifier: GPL-2.0-only

/** The dumbbell's hosts, routers and links with their labels: all that does not move. */
import { isGridFtp } from "../engine/session-tool.js";
import { withAlpha } from "./colours.js";
import { percent, plainDuration, plainRate, rate, whole } from "./quantities.js";

/** @typedef {import("./dumbbell-layout.js").Layout} Layout */
/** @typedef {import("./dumbbell-layout.js").Box} Box */
/** @typedef {import("./dumbbell-layout.js").Pair} Pair */

/**
 * @typedef {object} Scene all that a drawing shows
 * @property {Layout} layout
 * @property {import("./colours.js").Theme} theme
 * @property {import("./colours.js").Styles} styles
 * @property {import("./view-types.js").Scenario} scenario
 * @property {import("../engine/laboratory.js").Frame | null} frame
 * @property {import("./drop-marks.js").Mark[]} marks
 * @property {number} markLife ms
 * @property {boolean} still nothing is to move by itself
 * @property {number} now real time, ms
 */

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 */
export function drawStage(context, scene) {
  const { layout, theme } = scene;
  for (const pair of layout.pairs) drawAccess(context, scene, pair);
  drawPipe(context, scene);
  for (const router of [layout.leftRouter, layout.rightRouter]) {
    box(context, router, layout.unit * 0.4, theme.background, theme.muted);
  }
  drawRouterLabels(context, scene);
  for (const pair of layout.pairs) drawHosts(context, scene, pair);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Pair} pair
 */
function drawAccess(context, { layout, theme }, pair) {
  context.strokeStyle = theme.faint;
  context.lineCap = "butt";
  const { stripes } = pair;
  const ofHosts = [...(stripes?.left.hosts ?? []), ...(stripes?.right.hosts ?? [])].flatMap(
    ({ out, into }) => [out, into],
  );
  const lanes = [0, 3, 4, 7].map((place) => ({ ...pair.lanes[place], wide: place < 4 }));
  for (const { from, to, wide } of [
    ...lanes,
    ...ofHosts.map((lane) => ({ ...lane, wide: false })),
  ]) {
    context.lineWidth = layout.unit * (wide && stripes === null ? 0.7 : 0.4);
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
  }
}

/**
 * @param {string} forward in the direction of the first session's data
 * @param {string} reverse against it
 * @param {string} [same] what `reverse` is where both directions are alike
 * @returns {string} one text for both directions
 */
function bothWays(forward, reverse, same = forward) {
  return reverse === same ? forward : `${forward}, ${reverse} in reverse`;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 */
function drawPipe(context, { layout, theme, scenario, frame }) {
  const { pipe, unit, data, acks, narrow } = layout;
  box(context, pipe, 0, theme.faint, theme.muted);
  context.fillStyle = theme.background;
  context.fillRect(pipe.x, data.from.y - unit * 0.95, pipe.width, unit * 1.9);
  context.fillRect(pipe.x, acks.from.y - unit * 0.5, pipe.width, unit);
  const centre = pipe.x + pipe.width / 2;
  const bandwidth = bothWays(
    plainRate(scenario.bandwidth_bps),
    plainRate(scenario.reverse_bandwidth_bps ?? scenario.bandwidth_bps),
  );
  const delay = bothWays(
    `${plainDuration(scenario.delay_s)} one way`,
    plainDuration(scenario.reverse_delay_s ?? scenario.delay_s),
    plainDuration(scenario.delay_s),
  );
  const above = layout.leftRouter.y - unit * 0.5;
  font(context, theme, unit, "bold");
  context.fillStyle = theme.text;
  context.textAlign = "center";
  if (narrow) {
    context.fillText(bandwidth, centre, above - unit * 1.2);
    context.fillText(delay, centre, above);
  } else context.fillText(`${bandwidth}, ${delay}`, centre, above);
  if (frame === null) return;
  font(context, theme, unit);
  const used = `${percent(frame.utilisation)} used${narrow ? "" : " so far"}`;
  context.fillText(used, centre, layout.leftRouter.y + layout.leftRouter.height + unit * 1.3);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 */
function drawRouterLabels(context, { layout, theme, scenario, frame }) {
  const { leftRouter, rightRouter, unit, narrow } = layout;
  const limit = frame?.queueLimit ?? scenario.queue_packets;
  const above = leftRouter.y - unit * 0.5;
  const below = leftRouter.y + leftRouter.height + unit * 1.3;
  context.fillStyle = theme.text;
  context.textAlign = "left";
  font(context, theme, unit, "bold");
  const count = `${whole(frame?.queue ?? 0)} / ${whole(limit)}`;
  if (narrow) {
    context.fillText("queue", leftRouter.x, above - unit * 1.2);
    context.fillText(count, leftRouter.x, above);
  } else context.fillText(`queue ${count}`, leftRouter.x, above);
  font(context, theme, unit);
  const marks = scenario.ecn ? `, ${whole(frame?.marks ?? 0)} marks` : "";
  const drops = `${whole(frame?.drops ?? 0)} drops${marks}`;
  context.textAlign = "right";
  context.fillText(drops, leftRouter.x + leftRouter.width, below);
  context.fillStyle = theme.muted;
  context.textAlign = "center";
  font(context, theme, unit * 0.85);
  if (!narrow) context.fillText("router", rightRouter.x + rightRouter.width / 2, below);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Pair} pair
 */
function drawHosts(context, scene, pair) {
  const { layout, theme } = scene;
  const alone = pair.flows.length === 1 && layout.pairs.length > 1;
  const frameColour = alone ? scene.styles.of(pair.flows[0], 0).colour : theme.muted;
  for (const [place, name, details] of /** @type {[Box, string, string[]][]} */ ([
    [pair.left, pair.sender, senderDetail(scene, pair)],
    [pair.right, pair.receiver, [receiverDetail(scene, pair)]],
  ])) {
    box(context, place, layout.unit * 0.4, theme.background, frameColour, alone ? 2 : 1);
    hostText(context, scene, place, name, details);
  }
  const { left, right } = pair.stripes ?? { left: null, right: null };
  for (const host of [...(left?.hosts ?? []), ...(right?.hosts ?? [])]) {
    box(context, host.box, layout.unit * 0.3, theme.background, frameColour, alone ? 2 : 1);
    hostText(context, scene, host.box, host.name, []);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Box} place
 * @param {string} name
 * @param {string[]} details the first that fits is written; the last one is made to
 */
function hostText(context, { layout, theme }, place, name, details) {
  const { unit } = layout;
  const centre = place.x + place.width / 2;
  const middle = place.y + place.height / 2;
  const line = place.height < unit * 3 ? unit * 0.52 : unit * 0.7;
  const scale = place.height < unit * 2 ? 0.8 : place.height < unit * 3 ? 0.9 : 1;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.text;
  const single = details.every((detail) => detail === "");
  fitted(context, theme, [name], { width: place.width - 6, size: unit * scale, weight: "bold" });
  context.fillText(name, centre, single ? middle : middle - line);
  const room = { width: place.width - 6, size: Math.max(9.5, unit * 0.85 * scale), weight: "" };
  if (!single) context.fillText(fitted(context, theme, details, room), centre, middle + line);
  context.textBaseline = "alphabetic";
}

/**
 * Sets the font in which a text fits.
 * @param {CanvasRenderingContext2D} context
 * @param {import("./colours.js").Theme} theme
 * @param {string[]} texts from the longest on; the last one is made smaller where it has to be
 * @param {{width: number, size: number, weight: string}} room
 * @returns {string} the first that fits, or the last
 */
function fitted(context, theme, texts, { width, size, weight }) {
  font(context, theme, size, weight);
  const found = texts.find((text) => context.measureText(text).width <= width);
  if (found !== undefined) return found;
  const last = texts.at(-1) ?? "";
  font(context, theme, (size * width) / context.measureText(last).width, weight);
  return last;
}

/**
 * @param {Scene} scene
 * @param {Pair} pair
 * @returns {string[]} from the longest to the shortest way to say it
 */
function senderDetail({ scenario, frame }, pair) {
  if (pair.flows.length > 1) return [];
  const [flow] = pair.flows;
  const session = scenario.sessions[flow];
  if (session === undefined) return ["1 connection"];
  if (!isGridFtp(session)) return [session.tool?.toUpperCase() ?? ""];
  const state = frame?.sessions[flow];
  const count = `N = ${state?.parallelism ?? "–"}`;
  const { stripes = "1x1" } = session;
  const isOfTcp = scenario.stack === "linux" && session.mode === "fixed";
  const rule = isOfTcp ? (session.tcp ?? "") : session.mode;
  const kind = stripes === "1x1" ? rule.toUpperCase().replace("-PLUS", "+") : stripes;
  return [`${kind}, ${count}`, `${kind}, ${count.replaceAll(" ", "")}`];
}

/**
 * @param {Scene} scene
 * @param {Pair} pair
 * @returns {string}
 */
function receiverDetail({ scenario, frame }, pair) {
  if (frame === null) return "";
  let sum = 0;
  for (const flow of pair.flows) {
    const behind = flow - scenario.sessions.length;
    sum += (behind < 0 ? frame.sessions[flow] : frame.background[behind])?.goodput ?? 0;
  }
  return rate(sum);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Box} place
 * @param {number} radius
 * @param {string} fill
 * @param {string} stroke
 * @param {number} [width]
 */
export function box(context, place, radius, fill, stroke, width = 1) {
  context.beginPath();
  context.roundRect(place.x, place.y, place.width, place.height, radius);
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = stroke;
  context.lineWidth = width;
  context.stroke();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("./colours.js").Theme} theme
 * @param {number} size
 * @param {string} [weight]
 */
export function font(context, theme, size, weight = "") {
  context.font = `${weight} ${Math.round(size * 10) / 10}px ${theme.font}`.trim();
}

/**
 * The line below: which colour and stripes mean which connection.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {(context: CanvasRenderingContext2D, scene: Scene, place: Box, session: number,
 *   connection: number) => void} swatch
 */
export function drawLegend(context, scene, swatch) {
  const { layout, theme, scenario } = scene;
  const { unit } = layout;
  const entries = legendEntries(scene);
  let [x, y] = [layout.pairs[0].left.x, layout.legend];
  font(context, theme, unit * 0.85);
  context.textAlign = "left";
  const access = `access links ${plainRate(scenario.access_bandwidth_bps)}, ${plainDuration(scenario.access_delay_s)}`;
  for (const { text, session, connection, colour } of [
    { text: access, session: -2, connection: 0 },
    ...entries,
  ]) {
    const marked = session > -2 || colour ? unit * 1.3 : 0;
    const width = marked + context.measureText(text).width + unit * 0.9;
    if (x + width > layout.width && x > unit * 2) [x, y] = [layout.pairs[0].left.x, y + unit * 1.5];
    if (y > layout.height) return;
    const place = { x, y: y - unit * 0.9, width: unit, height: unit * 1.1 };
    if (colour) {
      context.fillStyle = colour;
      context.fillRect(place.x, place.y, place.width, place.height);
    } else if (marked > 0) swatch(context, scene, place, session, connection);
    context.fillStyle = withAlpha(theme.text, 0.85);
    context.fillText(text, x + marked, y);
    x += width;
  }
}

/**
 * @param {Scene} scene
 * @returns {{text: string, session: number, connection: number, colour?: string}[]}
 */
function legendEntries({ layout, styles, theme, scenario, frame }) {
  const plain = scenario.sessions.every(isGridFtp) ? "control" : "control, datagrams";
  const other = { session: -2, connection: 0 };
  const rest = [
    { text: plain, session: -1, connection: 0 },
    { ...other, text: "dropped", colour: theme.alert },
    ...(scenario.ecn ? [{ ...other, text: "marked (CE)", colour: theme.mark }] : []),
  ];
  if (styles.flows > 1) {
    const pairs = layout.pairs.filter((pair) => pair.flows.length === 1);
    return [
      ...pairs.map((pair) => ({ text: pair.sender, session: pair.flows[0], connection: 0 })),
      ...rest,
    ];
  }
  const count = Math.max(1, ...(frame?.connections ?? []).map((one) => one.connection + 1));
  const shown = Math.min(count, 8);
  const entries = Array.from({ length: shown }, (_, index) => {
    const more = count > shown ? `, ${index + 9}…` : "";
    return { text: `${index + 1}${index === 0 ? more : ""}`, session: 0, connection: index };
  });
  return [...entries, ...rest];
}
