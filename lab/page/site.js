// SPDX-License-Identifier: GPL-2.0-only

/**
 * @param {string} path of a file of the site
 * @returns {URL} its address. A document tells where the site is, by `data-site` of its root; a
 *   module cannot, as it is in another file once the site is made.
 */
export function inSite(path) {
  const { site } = document.documentElement.dataset;
  return new URL(path, new URL(site ?? ".", document.baseURI));
}
