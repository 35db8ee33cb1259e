// SPDX-License-Identifier: GPL-2.0-only

/** What sessions and background connections are called, the same wherever they are shown. */

/**
 * @param {{sessions: object[], background: object[]}} scenario
 * @param {number} flow sessions, then backgrounds
 * @returns {string} as people count, from 1: "session 2", "TCP"
 */
export function flowName({ sessions, background }, flow) {
  const behind = flow - sessions.length + 1;
  if (behind < 1) return `session ${flow + 1}`;
  return background.length > 1 ? `TCP ${behind}` : "TCP";
}

/**
 * @param {{sessions: object[], background: object[]}} scenario
 * @param {string[]} texts of its flows, one each
 * @returns {string} each with its name; of one flow alone the text
 */
export function byFlow(scenario, texts) {
  if (scenario.sessions.length + scenario.background.length === 1) return texts.join("");
  const named = texts.map((text, flow) => {
    // "session 1: 8, 2: 4": a word said once is enough
    const name = flowName(scenario, flow);
    return `${flow > 0 ? name.replace(/^session /, "") : name}: ${text}`;
  });
  return named.join(", ");
}
