// SPDX-License-Identifier: GPL-2.0-only

/** What has come of a race: a sentence, a table, and N of each chunk as a chart and in words. */

import { defaultAddress, formatAddress } from "../address/address.js";
import { toDraft } from "../address/scenario.js";
import { element } from "../dom.js";
import { describeList } from "../hand/hand-list.js";
import { inSite } from "../site.js";
import { plainDuration, plainRate } from "../views/quantities.js";
import { drawChart, drawSample } from "./chart.js";
import { scenarioOf } from "./paths.js";

/** @typedef {import("../engine/laboratory.js").Option} Option */
/** @typedef {import("./race.js").Outcomes} Outcomes */
/** @typedef {import("./race.js").Contender} Contender */
/** @typedef {import("./paths.js").Path} Path */

/**
 * @param {Outcomes} outcomes
 * @param {Option[]} options the option table
 * @returns {Node[]}
 */
export function makeResults(outcomes, options) {
  const described = outcomes.paths.map((path) => describePath(path, options));
  return [
    element("p", { class: "race-score" }, [scoreText(outcomes)]),
    makeTable(outcomes, described),
    element("h3", {}, ["N of each chunk"]),
    element(
      "div",
      { class: "race-charts" },
      outcomes.paths.map((_, place) =>
        element("figure", {}, [
          element("figcaption", {}, [`Path ${place + 1}`]),
          drawChart(
            outcomes.contenders.map(({ outcomes: own }) => own[place].list),
            `N of each chunk on path ${place + 1}; the table below lists the values`,
          ),
        ]),
      ),
    ),
    makeLists(outcomes, options),
  ];
}

/** @param {number} share of 1 */
function percentText(share) {
  return `${(100 * share).toFixed(1)}\u00a0%`;
}

/** @param {Outcomes} outcomes */
function scoreText({ contenders }) {
  const own = contenders.find(({ isYours }) => isYours);
  const others = contenders.filter(({ isYours }) => !isYours);
  const text = others.map(({ name, score }) => `${name} ${score.toFixed(1)}`).join(", ");
  return (
    `Score ${own?.score.toFixed(1)}: the mean over the paths of your goodput in per cent of the goodput of the ` +
    `best fixed N. ${text}.`
  );
}

/**
 * @param {Path} path
 * @param {Option[]} options
 * @returns {string} "100 Mbit/s, delay 30 ms, queue 120 packets"
 */
function describePath({ bandwidth, delay, queue }, options) {
  const text = (/** @type {string} */ value) => Number.parseFloat(value);
  const unit = options.find(({ name }) => name === "queue")?.unit ?? "packets";
  const mbps = plainRate(text(bandwidth) * 1e6);
  return `${mbps}, delay ${plainDuration(text(delay) / 1e3)}, queue ${text(queue)} ${unit}`;
}

/**
 * @param {Outcomes} outcomes
 * @param {string[]} described the paths
 */
function makeTable({ contenders, best }, described) {
  const head = described.map((text, place) =>
    element("th", { scope: "col" }, [
      `Path ${place + 1}`,
      element("small", {}, [`${text}; best fixed N: ${best[place]}`]),
    ]),
  );
  const rows = contenders.map(({ name, isYours, outcomes, score }, index) =>
    element("tr", isYours ? { class: "race-yours" } : {}, [
      element("th", { scope: "row" }, [drawSample(index), name]),
      ...outcomes.map(({ goodput, share }) =>
        element("td", {}, [(goodput / 1e6).toFixed(1), element("small", {}, [percentText(share)])]),
      ),
      element("td", {}, [score.toFixed(1)]),
    ]),
  );
  return wide("Goodput of the whole transfer", [
    element("table", { class: "race-table" }, [
      element("caption", {}, [
        "Goodput of the whole transfer, Mbit/s, and in per cent of the best fixed N",
      ]),
      element("thead", {}, [
        element("tr", {}, [
          element("td"),
          ...head,
          element("th", { scope: "col" }, ["Score", element("small", {}, ["mean of\u00a0%"])]),
        ]),
      ]),
      element("tbody", {}, rows),
    ]),
  ]);
}

/**
 * @param {Outcomes} outcomes
 * @param {Option[]} options
 */
function makeLists({ paths, contenders }, options) {
  const rows = contenders.map(({ name, outcomes }) =>
    element("tr", {}, [
      element("th", { scope: "row" }, [name]),
      ...outcomes.map(({ list, tuning }, place) =>
        element("td", {}, [
          `${describeList(list)} `,
          benchLink(`${name}, path ${place + 1}`, scenarioOf(paths[place], tuning), options),
        ]),
      ),
    ]),
  );
  return wide("N of each chunk", [
    element("table", { class: "race-table race-lists" }, [
      element("caption", {}, ["N of each chunk, and each transfer on the laboratory's bench"]),
      element("thead", {}, [
        element("tr", {}, [
          element("td"),
          ...paths.map((_, place) => element("th", { scope: "col" }, [`Path ${place + 1}`])),
        ]),
      ]),
      element("tbody", {}, rows),
    ]),
  ]);
}

/**
 * @param {string} name of what is shown
 * @param {import("./paths.js").Scenario} scenario
 * @param {Option[]} options
 */
function benchLink(name, scenario, options) {
  const hash = formatAddress({ ...defaultAddress(), draft: toDraft(scenario, options) });
  const href = inSite("index.html").href + hash;
  const attributes = { href, target: "_blank", rel: "noopener", "aria-label": `Bench: ${name}` };
  return element("a", attributes, ["Bench"]);
}

/**
 * @param {string} name
 * @param {Node[]} children wider than the page, perhaps: then they are scrolled, also by keyboard
 */
function wide(name, children) {
  return element(
    "div",
    { class: "race-wide", tabindex: "0", role: "region", "aria-label": name },
    children,
  );
}
