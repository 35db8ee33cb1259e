"""`.venv/bin/python -m launcher.lock`: renews packages.lock, the hashes of the pinned packages.

For whoever changes a pin in pyproject.toml; it asks the package index.
"""

from __future__ import annotations

import subprocess

from .packages import LOCK, pins
from .places import ROOT, VENV

HEADER = (
    "# Hashes of the packages that pyproject.toml pins, by: .venv/bin/python -m launcher.lock\n"
)


def main() -> None:
    """Write packages.lock."""
    wanted = sorted({pin for group in pins(None).values() for pin in group})
    uv = [str(VENV / "bin/uv"), "pip", "compile", "-", "--no-deps", "--universal", "--quiet"]
    uv += ["--generate-hashes", "--no-header", "--no-annotate", "--python-version=3.11"]
    made = subprocess.run(
        uv, cwd=ROOT, input="\n".join(wanted), stdout=subprocess.PIPE, text=True, check=True
    )
    LOCK.write_text(HEADER + made.stdout, encoding="utf-8")


if __name__ == "__main__":
    main()
