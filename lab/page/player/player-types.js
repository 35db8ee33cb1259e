// SPDX-License-Identifier: GPL-2.0-only

/** What the player tells of itself, and what it is asked for. */

/** @typedef {import("../engine/laboratory.js").Scenario} Scenario */
/** @typedef {import("../engine/laboratory.js").View} View */

/**
 * @typedef {object} PlayerState
 * @property {Scenario} scenario what is loaded, as it was asked for
 * @property {number} t simulated time, s
 * @property {number} speed simulated seconds in a real one, as asked for
 * @property {boolean} playing
 * @property {View} view what the charts show
 * @property {boolean} ended whether the transfer is over
 * @property {string | null} failure why it failed, where it did
 * @property {number | null} catchingUp the moment that is being caught up with, s
 * @property {number | null} reached the speed that the engine reaches, where it is below the one
 *           asked for
 */

/**
 * @typedef {object} Load a run to be started
 * @property {Scenario} scenario
 * @property {View} view
 * @property {boolean} always whether to catch up even where nothing was playing
 * @property {boolean} keepTime whether to catch up where something was playing
 * @property {((done: boolean) => void)[]} resolve told false if a later request took the place
 * @property {((error: Error) => void)[]} reject
 */

export {};
