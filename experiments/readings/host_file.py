"""A host as a file for ``--sender-host`` and ``--receiver-host``, in the format of sysctl.conf."""

from __future__ import annotations

import numpy as np

from .costs import COSTS
from .fit import ABSENT, FITTED, NOT_APART, ZERO, Fit, FittedCost
from .modules import MODULES

MADE_BY = "./gridftp profile --readings"


def host_file(fit: Fit) -> str:
    """Return the file: the number of cores, the costs that were fitted, and what they rest on."""
    lines = [
        f"# The host of the {fit.end}, from readings of it by {MADE_BY}:",
        *(f"#   {one.name}: {', '.join(file.name for file in one.files)}" for one in fit.readings),
        f"# {quality(fit)}",
        "",
        f"host.cores = {len(fit.readings[0].core_busy)}",
        *_call_size(fit),
    ]
    for module in MODULES:
        costs = [one for one in fit.costs if one.cost.module == module]
        lines += ["", f"# {module.replace('_', ' ')}"]
        for one in costs:
            lines += [f"# {reason}" for reason in reasons(one)]
            if one.state == FITTED:
                lines.append(f"host.{one.cost.name} = {setting(one)}")
    return "\n".join(lines) + "\n"


def setting(fitted: FittedCost) -> str:
    """Return a fitted cost as the option takes it: whole nanoseconds, or bits per second."""
    if fitted.cost.is_rate:
        return f"{max(1, round(8 / fitted.seconds))}bps"
    return f"{max(1, round(fitted.seconds * 1e9))}ns"


def reasons(fitted: FittedCost) -> list[str]:
    """Return what there is to say of a cost, a line each."""
    cost = fitted.cost
    if fitted.state == FITTED:
        error = "" if fitted.error is None else f" +- {_ns(fitted.error)}"
        comments = [f"{cost.name}: {_ns(fitted.seconds)}{error} ns of CPU time for each {cost.of}"]
        if fitted.error is not None and fitted.error > fitted.seconds:
            comments[0] += ";"
            comments.append("  it may be 0: its standard error is larger than the value")
        return comments
    if fitted.state == ZERO:
        return [f"{cost.name}: 0 fits the readings best, for each {cost.of}"]
    if fitted.state == NOT_APART:
        return [
            f"{cost.name}: not distinguishable from {_confused_with(fitted)};",
            f"  readings with {cost.varied_by} would separate them",
        ]
    if fitted.state == ABSENT:
        return [f"{cost.name}: the readings contain no {cost.of}"]
    return [f"{cost.name}: a reading lacks the number of these events; {cost.told_by} prints it"]


def _confused_with(fitted: FittedCost) -> str:
    """Return the costs that one is not distinguishable from, and which of them have its time."""
    others = " and ".join(fitted.others)
    if not fitted.holders:
        return f"{others}, for which 0 fits the readings best"
    if fitted.holders == fitted.others:
        return f"{others}, to which its time was attributed"
    return f"{others}, of which {' and '.join(fitted.holders)} includes its time"


def _ns(seconds: float) -> str:
    """Return nanoseconds in four digits, without an exponent."""
    return np.format_float_positional(float(f"{seconds * 1e9:.4g}"), trim="-")


def quality(fit: Fit) -> str:
    """Return in a sentence how well the costs explain the readings."""
    r2 = fit.r2()
    worst = max(fit.rows, key=lambda row: abs(row.residual))
    residual = f"largest residual {worst.residual:+.4f} CPU s/s ({worst.reading}, {worst.module})"
    if r2 is None:
        return f"R^2 is unknown: as many costs as equations, or readings that are alike; {residual}"
    return f"R^2 {r2_text(r2)} over {len(fit.rows)} equations; {residual}"


def r2_text(r2: float | None) -> str:
    """Return R^2 as a text; below 0 the mean of the readings is nearer to them than the costs."""
    if r2 is None:
        return "-"
    return "below 0" if r2 < 0 else f"{r2:.4f}"


def _call_size(fit: Fit) -> list[str]:
    sizes = sorted({one.call_bytes for one in fit.readings if one.call_bytes is not None})
    if len(sizes) == 1:
        return [f"host.call-size = {sizes[0]}B"]
    shown = ", ".join(map(str, sizes)) or "unknown"
    return [f"# host.call-size: the readings have calls of several sizes ({shown} bytes)"]


NAMES = ("cores", "call-size", *(cost.name for cost in COSTS))
"""What such a file may set."""
