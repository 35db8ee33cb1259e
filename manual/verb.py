"""``./gridftp manual``: build the manual as one searchable site, and check its links."""

from __future__ import annotations

import sys
import webbrowser

from experiments.terminal.arguments import Parser, page_address, user_path

from . import site


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status: 0, or 1 if Sphinx warns or a link leads nowhere."""
    parser = Parser("manual", "Build the manual as one searchable site that works offline.")
    parser.add_argument(
        "--export",
        type=user_path,
        metavar="DIR",
        help="folder for the site (default: build/manual)",
    )
    parser.add_argument(
        "--lab",
        type=page_address,
        metavar="ADDRESS",
        help="address of the lab that the first pages link to: the folder of an exported lab, "
        "relative to them, such as ../lab, or https://...",
    )
    parser.add_argument("--open", action="store_true", help="open the site in the browser")
    parser.add_argument(
        "--links", action="store_true", help="list the links to other sites, which are not checked"
    )
    options = parser.parse_args(arguments)
    folder = options.export or site.SITE
    built = site.build(folder, options.lab)
    for problem in built.problems:
        print(problem, file=sys.stderr)
    if built.problems:
        print(
            f"gridftp manual: {len(built.problems)} problems, so no site is written",
            file=sys.stderr,
        )
        return 1
    if options.links:
        print(*built.external, sep="\n")
    first = folder / "index.html"
    print(
        f"gridftp manual: {built.pages} pages, no warning, no dead link; "
        f"{len(built.external)} links to other sites, not checked: {first}"
    )
    if options.open:
        webbrowser.open(first.as_uri())
    return 0
