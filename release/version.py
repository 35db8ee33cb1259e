"""Whether what a release says of its version agrees: the number, its day, the changes."""

from __future__ import annotations

import re
from pathlib import Path

from experiments.errors import UserError
from launcher import revision

CHANGES = "CHANGELOG.md"


def heading(root: Path) -> str:
    """Return the heading that the changes of the version have, with the day of its release.

    Args:
        root: of the repository.

    Raises:
        UserError: `CITATION.cff` tells no version.
    """
    text = (root / revision.CITATION).read_text(encoding="utf-8")
    found = re.search(r"^date-released: (\d{4}-\d{2}-\d{2})$", text, re.M)
    day = f" ({found[1]})" if found else ""
    return f"## {revision.version(root)}{day}"


def check(root: Path) -> None:
    """Look for the changes of the version.

    Args:
        root: of the repository.

    Raises:
        UserError: there are none, or they have another day.
    """
    wanted = heading(root)
    lines = (root / CHANGES).read_text(encoding="utf-8").splitlines()
    if wanted not in lines:
        raise UserError(
            f"gridftp release: {CHANGES} has no heading '{wanted}', the version and "
            f"'date-released' of {revision.CITATION}"
        )
