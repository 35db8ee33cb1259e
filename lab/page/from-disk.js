// SPDX-License-Identifier: GPL-2.0-only

/**
 * Tells who opens the page from disk that it needs a server, and how to start one. A plain script:
 * browsers load neither modules nor workers from file://.
 */

if (location.protocol === "file:") {
  const problems = document.getElementById("problems");
  // That of the site is this script's, whichever page of it was opened.
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const folder = decodeURIComponent(new URL(".", src).pathname);
  const lines = [
    "Opened from disk the laboratory cannot start: browsers load neither modules nor workers from there. " +
      "It needs a server of files, which one command starts on this machine:",
    `python3 -m http.server --bind 127.0.0.1 --directory '${folder}' 8000`,
    "Then open http://127.0.0.1:8000/. In the repository, ./gridftp lab --open does both.",
  ];
  const [why, command, then] = lines.map((text, place) => {
    const line = document.createElement(place === 1 ? "pre" : "p");
    line.textContent = text;
    return line;
  });
  const told = document.createElement("div");
  told.className = "from-disk";
  told.append(why, command, then);
  problems?.replaceChildren(told);
  problems?.removeAttribute("hidden");
  for (const part of document.querySelectorAll("#bench, .switch, .page-tools, .skip")) {
    part.setAttribute("hidden", "");
  }
  document.documentElement.dataset.state = "failed";
}
