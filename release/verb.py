"""``./gridftp release``: write the archives of a release from the commit that is checked out."""

from __future__ import annotations

import tempfile
from pathlib import Path

from analysis.files import write_atomically
from experiments.errors import ProgramError, UserError
from experiments.programs.program import locate
from experiments.terminal.arguments import ROOT, Parser, user_path
from launcher import messages, revision

from . import contents, materials, version
from .tree import commit_time


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status.

    Raises:
        UserError: something in the repository is in no commit, or the changes of the version are
            missing.
        ProgramError: what is built is not of this commit, or a tool fails.
    """
    parser = Parser(
        "release", "Write the archives of a release from the commit that is checked out."
    )
    parser.add_argument(
        "--export",
        type=user_path,
        default=ROOT / "build" / "release",
        metavar="DIR",
        help="folder for the archives (default: build/release in the repository)",
    )
    options = parser.parse_args(arguments)
    version.check(ROOT)
    commit = _clean_commit()
    with tempfile.TemporaryDirectory(prefix="gridftp-release-") as scratch:
        built = contents.build(Path(scratch))
        _check(commit)
        bill = materials.bill(ROOT, commit_time(ROOT, commit), commit)
        files = contents.release(ROOT, commit, built, bill)
    write_atomically({options.export / name: data for name, data in files.items()})
    for name, data in files.items():
        print(f"{options.export / name} ({len(data) / 1e6:.1f} MB)")
    return 0


def _check(commit: str) -> None:
    """Compare what was built with a commit.

    Raises:
        UserError: something has changed meanwhile.
        ProgramError: it is of another one.
    """
    told = locate("gridftp-transfer").provenance["commit"]
    if not commit.startswith(told) or _clean_commit() != commit:
        raise ProgramError(
            f"the programs were built from commit {told}, not from {commit}; run ./gridftp "
            "release again"
        )


def _clean_commit() -> str:
    try:
        return revision.clean_commit()
    except messages.UserError as error:
        raise UserError(f"gridftp {error}") from None
