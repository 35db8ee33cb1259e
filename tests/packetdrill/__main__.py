"""`./gridftp test --packetdrill DIR`: runs scripts on the Linux stack.

Each script passes, fails (with its first line that differs), or is not applicable, with the
reason. The exit status is 1 if a script fails or is malformed or if none applies, 2 if there is
none.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

from .runner import Verdict, run_script


def find_scripts(places: list[Path]) -> list[Path]:
    """Return the scripts below folders, and files as they are."""
    found = []
    for place in places:
        found += sorted(place.rglob("*.pkt")) if place.is_dir() else [place]
    return found


def main(words: list[str]) -> int:
    """Run the scripts of folders and files."""
    places = [Path(word) for word in words]
    scripts = find_scripts(places)
    missing = next((place for place in places if not place.exists()), None)
    if missing or not scripts:
        which = (
            f"'{missing}' does not exist" if missing else f"no *.pkt in {' '.join(words) or '?'}"
        )
        print(f"gridftp: test --packetdrill: {which}", file=sys.stderr)
        return 2
    programs = Path(os.environ["GRIDFTP_BUILD_DIR"])
    counts: Counter[Verdict] = Counter()
    for path in scripts:
        outcome = run_script(path, programs)
        counts[outcome.verdict] += 1
        named = outcome.verdict in (Verdict.PASSED, Verdict.NOT_APPLICABLE)
        text = f"{path}{f': {outcome.text}' if outcome.text else ''}" if named else outcome.text
        print(f"{outcome.verdict.value:<14}  {text}", flush=True)
    bad = counts[Verdict.FAILED] + counts[Verdict.MALFORMED]
    print(
        f"packetdrill: {counts[Verdict.PASSED]} passed, {bad} failed,"
        f" {counts[Verdict.NOT_APPLICABLE]} not applicable"
    )
    # Nothing was tested, as where the folder of their common settings is missing
    return 1 if bad or not counts[Verdict.PASSED] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
