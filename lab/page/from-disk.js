// SPDX-License-Identifier: GPL-2.0-only

/**
 * Tells who opens the page from disk that it needs a server, and how to start one. A plain script:
 * browsers load neither modules nor workers from file://.
 */

/** @type {string} address of the manual from the top of this site, which exporting fills in; "": none */
const MANUAL = "";

if (location.protocol === "file:") {
  const problems = document.getElementById("problems");
  // That of the site is this script's, whichever page of it was opened.
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const site = new URL(".", src);
  // The manual beside it is to be served, too.
  const top = new URL(/^(\.\.\/)*/.exec(MANUAL)?.[0] || ".", site);
  const folder = decodeURIComponent(top.pathname).replaceAll("'", "'\\''");
  const place = site.pathname.slice(top.pathname.length);
  const lines = [
    "The laboratory cannot start from a file on disk: browsers load neither modules nor workers from there. " +
      "It needs a file server. This command starts one on this machine:",
    `python3 -m http.server --bind 127.0.0.1 --directory '${folder}' 8000`,
    `Then open http://127.0.0.1:8000/${place}. In the repository, ./gridftp lab --open does both.`,
  ];
  const [why, command, then] = lines.map((text, index) => {
    const line = document.createElement(index === 1 ? "pre" : "p");
    line.textContent = text;
    return line;
  });
  const told = document.createElement("div");
  told.className = "from-disk";
  told.append(why, command, then);
  if (MANUAL !== "") {
    const manual = document.createElement("a");
    manual.href = new URL(MANUAL, site).href;
    manual.textContent = "The manual";
    const line = document.createElement("p");
    line.append(manual, " needs no server.");
    told.append(line);
  }
  problems?.replaceChildren(told);
  problems?.removeAttribute("hidden");
  for (const part of document.querySelectorAll("#bench, .switch, .page-tools, .skip")) {
    part.setAttribute("hidden", "");
  }
  document.documentElement.dataset.state = "failed";
}
