"""What readers call congestion controls, and in which order figures show them."""

from __future__ import annotations

from collections.abc import Iterable

_NAMES = {"cubic": "CUBIC", "reno": "Reno", "bbr": "BBR", "bbr3": "BBR version 3"}


def name(tcp: str) -> str:
    """Return what readers call a congestion control; an unknown one has its own name."""
    return _NAMES.get(tcp, tcp)


def ordered(tcps: Iterable[str]) -> list[str]:
    """Return each of several congestion controls once: known ones in their order, then others."""
    there = list(dict.fromkeys(tcps))
    return [*(tcp for tcp in _NAMES if tcp in there), *(tcp for tcp in there if tcp not in _NAMES)]
