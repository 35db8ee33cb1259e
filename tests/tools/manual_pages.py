"""The module's manual as one text: gridftp.rst and the pages that it lists."""

from __future__ import annotations

import re
from pathlib import Path

DOC = Path(__file__).resolve().parents[2] / "contrib/gridftp/doc"

INDEX = DOC / "gridftp.rst"

PAGES = [INDEX, *(DOC / f"{name}.rst" for name in re.findall(
    r"^   (gridftp-[a-z]+)$", INDEX.read_text(encoding="utf-8"), re.M
))]  # fmt: skip


def manual() -> str:
    """Return all pages, one after the other."""
    return "\n\n".join(page.read_text(encoding="utf-8") for page in PAGES)
