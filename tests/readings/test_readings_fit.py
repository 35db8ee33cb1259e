"""From readings to costs: hand-made numbers, and readings whose costs are known."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace
from pathlib import Path

import made_up_readings as made_up
import numpy as np
import pytest
from made_up_readings import COSTS_NS, DIFFERENT, MadeUp

from analysis.statistics.nnls import nnls
from experiments.readings.fit import (
    ABSENT,
    FITTED,
    NOT_APART,
    TOTAL,
    UNKNOWN,
    ZERO,
    Fit,
    FittedCost,
    fit,
)
from experiments.readings.reading import Rates, Reading, with_interrupts_alike
from experiments.readings.report import Report, describe


def rates(**given: float | None) -> Rates:
    nothing = dict.fromkeys(Rates.__dataclass_fields__, 0.0)
    return Rates(**{**nothing, **given})


def reading(
    name: str, rates: Rates, modules: dict[str, float] | None, busy: float = 0.0
) -> Reading:
    alone = dict.fromkeys(("application", "tcp", "driver", "file_system", "rpc"), 0.0)
    return Reading(
        name=name,
        files=(Path(f"{name}.sadf.json"),),
        host="a",
        end="sender",
        seconds=10.0,
        core_busy=(busy,),
        peak=busy,
        kernel=0.0,
        goodput_bps=0.0,
        streams=1,
        call_bytes=None,
        interface="eth0",
        dropped=None,
        handed=None,
        rates=rates,
        modules=None if modules is None else {**alone, **modules},
        connections=(),
        notes=(),
    )


def of(fitted: Fit, name: str) -> FittedCost:
    (one,) = (one for one in fitted.costs if one.cost.name == name)
    return one


def test_interrupts_of_disks_are_none_of_the_interface_in_any_reading() -> None:
    """With few packets a second those of disks are no longer too few to be of the interface."""
    fast = reading("fast", rates(packets=300000, interrupts=0.0), {})
    slow = reading("slow", rates(packets=30000, interrupts=60.0), {})
    assert with_interrupts_alike([slow]) == [slow]
    alike = with_interrupts_alike([fast, slow])
    assert [one.rates.interrupts for one in alike] == [0, 0]
    handed = [replace(fast, handed=5000.0), replace(slow, handed=500.0)]
    assert [one.rates.interrupts for one in with_interrupts_alike(handed)] == [5000, 500]
    unknown = reading("unknown", rates(interrupts=None), {})
    assert with_interrupts_alike([slow, unknown]) == [slow, unknown]


def test_without_negative_unknowns_it_is_plain_least_squares() -> None:
    # Two lines of slope 2 and 3, and a third equation between them: x = 2, y = 3.
    matrix = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    assert nnls(matrix, np.array([2.0, 3.0, 5.0])) == pytest.approx([2.0, 3.0])


def test_what_would_be_negative_is_zero_and_the_others_are_fitted_without_it() -> None:
    # Plain least squares has x = 1, y = -1. With y = 0, x is best at (1 * 1 + 1 * 0) / 2.
    matrix = np.array([[1.0, 0.0], [1.0, 1.0]])
    assert nnls(matrix, np.array([1.0, 0.0])) == pytest.approx([0.5, 0.0])
    assert nnls(matrix, np.array([-1.0, -1.0])) == pytest.approx([0.0, 0.0])


@pytest.mark.parametrize("seed", range(40))
def test_nothing_that_is_not_negative_is_nearer(seed: int) -> None:
    """The conditions of Kuhn and Tucker, and all sets of unknowns at zero tried one by one."""
    draw = np.random.default_rng(seed)
    matrix, wanted = draw.normal(size=(7, 4)), draw.normal(size=7)
    x = nnls(matrix, wanted)
    falls = matrix.T @ (wanted - matrix @ x)
    assert (x >= 0).all()
    assert falls[x > 0] == pytest.approx(np.zeros((x > 0).sum()), abs=1e-9)
    assert (falls[x == 0] <= 1e-9).all()
    errors = []
    for free in itertools.product([False, True], repeat=4):
        part = matrix[:, list(free)]
        solved = np.linalg.lstsq(part, wanted, rcond=None)[0] if any(free) else np.zeros(0)
        if (solved >= 0).all():
            errors.append(np.linalg.norm(wanted - part @ solved))
    assert np.linalg.norm(wanted - matrix @ x) == pytest.approx(min(errors))


def test_costs_by_hand() -> None:
    # driver: 1000 packets and 100 interrupts take 1000 a + 100 b = 0.3 ms, 2000 and 50
    # 2000 a + 50 b = 0.3 ms: a = 100 ns, b = 2000 ns.
    fitted = fit(
        "sender",
        [
            reading("one", rates(packets=1000, interrupts=100), {"driver": 3e-4}),
            reading("two", rates(packets=2000, interrupts=50), {"driver": 3e-4}),
        ],
    )
    assert of(fitted, "packet-cpu").seconds == pytest.approx(100e-9)
    assert of(fitted, "interrupt-cpu").seconds == pytest.approx(2000e-9)
    assert of(fitted, "packet-cpu").state == FITTED
    # Two equations, two costs: there is nothing to tell how well these fit.
    assert of(fitted, "packet-cpu").error is None
    assert fitted.r2() is None
    assert fitted.r2("driver") is None


def test_how_well_costs_fit_by_hand() -> None:
    # 1, 2 and 3 thousand packets take 1, 2 and 6 ms: a = (1 + 4 + 18) / 14 us; what is left are
    # -9/14, -18/14 and 15/14 ms, 630/196 in squares; around their mean of 3 they have 4 + 1 + 9.
    fitted = fit(
        "receiver",
        [
            reading(str(n), rates(packets=1000 * n), {"driver": 1e-3 * n * (1 if n < 3 else 2)})
            for n in (1, 2, 3)
        ],
    )
    cost = of(fitted, "packet-cpu")
    assert cost.seconds == pytest.approx(23e-6 / 14)
    # Variance 630/196 / 2, over the 14 (thousand packets) squared.
    assert cost.error == pytest.approx(np.sqrt(630 / 196 / 2 / 14) * 1e-6)
    assert [row.residual * 14e3 for row in fitted.rows] == pytest.approx([-9, -18, 15])
    assert fitted.r2() == pytest.approx(1 - 630 / 196 / 14)
    assert fitted.r2("driver") == fitted.r2()


def test_each_module_has_errors_of_its_own() -> None:
    # As above, beside a module that fits exactly and one that has one equation too few to tell.
    fitted = fit(
        "receiver",
        [
            reading(
                str(n),
                rates(packets=1000 * n, calls=10 * n, segments=5 * n, payload=n**2, acks=n**3),
                {
                    "driver": 1e-3 * n * (1 if n < 3 else 2),
                    "application": 1e-4 * n,
                    "tcp": 1e-6 * (5 * n + n**2 + n**3),
                },
            )
            for n in (1, 2, 3)
        ],
    )
    assert of(fitted, "packet-cpu").error == pytest.approx(np.sqrt(630 / 196 / 2 / 14) * 1e-6)
    assert of(fitted, "call-cpu").error == pytest.approx(0, abs=1e-12)
    assert of(fitted, "ack-cpu").seconds == pytest.approx(1e-6)
    assert of(fitted, "ack-cpu").error is None
    # Without perf there are no modules: all have the residuals of all.
    total = [reading(str(n), rates(packets=1000 * n), None, busy=n**2) for n in (1, 2, 3)]
    # a = (1 + 8 + 27) / 14 = 18 / 7; what is left are -11/7, -8/7 and 9/7.
    error = np.sqrt((121 + 64 + 81) / 49 / 2 / 14) * 1e-3
    assert of(fit("sender", total), "packet-cpu").error == pytest.approx(error)


def test_a_cost_that_would_be_negative_is_zero() -> None:
    fitted = fit(
        "sender",
        [
            reading("one", rates(packets=1000, interrupts=100), {"driver": 1e-3}),
            reading("two", rates(packets=1000, interrupts=300), {"driver": 0.5e-3}),
            reading("three", rates(packets=1000, interrupts=900), {"driver": 0.4e-3}),
        ],
    )
    assert of(fitted, "interrupt-cpu").state == ZERO
    assert of(fitted, "packet-cpu").seconds == pytest.approx(1.9e-6 / 3)


def test_costs_that_always_come_up_together_are_not_told_apart() -> None:
    fitted = fit(
        "sender",
        [
            reading(
                str(n),
                rates(packets=1500 * n, segments=1000 * n, payload=1448e3 * n, acks=500 * n),
                {"tcp": 2e-3 * n, "driver": 1e-3 * n},
            )
            for n in (1, 2, 3)
        ],
    )
    # As each module's time is known, those of another module are.
    assert of(fitted, "packet-cpu").seconds == pytest.approx(1e-6 / 1.5)
    assert of(fitted, "segment-cpu").seconds == pytest.approx(2e-6)
    for name in ("copy-rate", "ack-cpu"):
        assert of(fitted, name).state == NOT_APART
        assert of(fitted, name).others == of(fitted, name).holders == ("segment-cpu",)
    assert of(fitted, "interrupt-cpu").state == ABSENT


def test_a_rate_that_a_reading_does_not_tell_is_no_zero() -> None:
    fitted = fit(
        "sender",
        [
            reading("one", rates(packets=1000, interrupts=100), {"driver": 1e-3}),
            reading("two", rates(packets=2000, interrupts=None), {"driver": 2e-3}),
        ],
    )
    assert of(fitted, "interrupt-cpu").state == UNKNOWN
    assert of(fitted, "packet-cpu").seconds == pytest.approx(1e-6)


def test_a_mix_stays_where_the_others_would_be_negative() -> None:
    # Interrupts are 3 packets less 2 segments, and the time is theirs alone: without them a packet
    # would have to take 3 us and a segment -2.
    given = [(1000, 900), (1000, 600), (1000, 300)]
    fitted = fit(
        "sender",
        [
            reading(
                str(segments),
                rates(packets=packets, segments=segments, interrupts=3 * packets - 2 * segments),
                None,
                busy=(3 * packets - 2 * segments) * 1e-6,
            )
            for packets, segments in given
        ],
    )
    assert of(fitted, "interrupt-cpu").seconds == pytest.approx(1e-6)
    assert [row.residual for row in fitted.rows] == pytest.approx([0, 0, 0], abs=1e-9)
    assert {row.module for row in fitted.rows} == {TOTAL}


def test_what_the_idle_host_takes_is_no_cost() -> None:
    busy = reading("busy", rates(packets=1000), None, busy=0.5)
    idle = reading("idle", rates(), None, busy=0.3)
    assert of(fit("sender", [busy], [idle]), "packet-cpu").seconds == pytest.approx(0.2e-3)
    assert of(fit("sender", [busy]), "packet-cpu").seconds == pytest.approx(0.5e-3)


def test_a_module_that_no_cost_explains_is_told() -> None:
    fitted = fit("sender", [reading("one", rates(packets=10), {"driver": 1e-5, "rpc": 0.02})])
    assert fitted.unexplained == (("rpc", 0.02),)


def described(folder: Path, runs: dict[str, MadeUp]) -> Report:
    return describe(
        [file for name, one in runs.items() for file in made_up.write(folder, name, one)]
    )


def test_files_give_back_the_costs_they_were_made_of(tmp_path: Path) -> None:
    report = described(tmp_path, DIFFERENT)
    (fitted,) = report.fits
    assert fitted.end == "sender"
    for name, ns in COSTS_NS.items():
        cost = of(fitted, name)
        assert cost.state == FITTED, name
        assert cost.seconds * 1e9 == pytest.approx(ns, rel=2e-3), name
    assert fitted.r2() == pytest.approx(1, abs=1e-6)
    assert report.notes == ()
    text = report.host_files()["sender"]
    assert "host.cores = 4\n" in text
    assert "\nhost.call-cpu = 9000ns\n" in text
    # 0.25 ns a byte are 8 / 0.25 Gbit/s.
    (rate,) = (line for line in text.splitlines() if line.startswith("host.copy-rate"))
    assert float(rate.removeprefix("host.copy-rate = ").removesuffix("bps")) == pytest.approx(
        32e9, rel=2e-3
    )


@pytest.mark.parametrize("seed", range(10))
def test_readings_give_back_any_costs(seed: int) -> None:
    """Costs and rates are drawn; some costs are zero, some readings have no file of perf."""
    draw = random.Random(seed)
    names = ("packets", "interrupts", "segments", "acks", "payload", "calls", "switches")
    modules = {"packets": "driver", "interrupts": "driver", "calls": "application"}
    told = {"packets": "packet-cpu", "interrupts": "interrupt-cpu", "segments": "segment-cpu",
            "acks": "ack-cpu", "payload": "copy-rate", "calls": "call-cpu",
            "switches": "stream-cpu"}  # fmt: skip
    costs = {name: draw.choice([0.0, draw.uniform(1e-7, 1e-6)]) for name in names}
    readings = []
    for number in range(12):
        drawn = {name: draw.uniform(1e3, 1e5) for name in names}
        times = dict.fromkeys(("driver", "tcp", "application"), 0.0)
        for name in names:
            times[modules.get(name, "tcp")] += drawn[name] * costs[name]
        known = times if number % 3 else None
        readings.append(reading(str(number), rates(**drawn), known, busy=sum(times.values())))
    fitted = fit("sender", readings)
    for name, cost in costs.items():
        found = of(fitted, told[name])
        assert found.state in (FITTED, ZERO)
        assert found.seconds == pytest.approx(cost, rel=1e-6, abs=1e-14)


def test_one_run_tells_one_cost_of_a_module(tmp_path: Path) -> None:
    (fitted,) = described(tmp_path, {"plain": DIFFERENT["streams"]}).fits
    assert [one.cost.name for one in fitted.costs if one.state == FITTED] == [
        "packet-cpu",
        "segment-cpu",
        "call-cpu",
    ]
    assert of(fitted, "copy-rate").holders == ("segment-cpu",)
    assert of(fitted, "stream-cpu").holders == ("segment-cpu",)
    assert of(fitted, "interrupt-cpu").holders == ("packet-cpu",)
    # All the time is explained, if by too few costs.
    assert [row.residual for row in fitted.rows] == pytest.approx([0, 0, 0], abs=1e-9)


def test_what_does_not_vary_is_named_with_what_would_tell_it_apart(tmp_path: Path) -> None:
    alike = {
        name: replace(one, mss=1448, per_interrupt=10.0, acks_per_segment=0.5)
        for name, one in DIFFERENT.items()
    }
    report = described(tmp_path, alike)
    (fitted,) = report.fits
    assert of(fitted, "call-cpu").seconds * 1e9 == pytest.approx(9000, rel=2e-3)
    assert of(fitted, "stream-cpu").seconds * 1e9 == pytest.approx(150, rel=2e-3)
    # Half an ACK, and 1448 bytes, go with each segment, a tenth interrupt with each packet.
    segment = 700 + 0.5 * 300 + 1448 * 0.25
    assert of(fitted, "segment-cpu").seconds * 1e9 == pytest.approx(segment, rel=2e-3)
    assert of(fitted, "packet-cpu").seconds * 1e9 == pytest.approx(400 + 150, rel=2e-3)
    text = report.host_files()["sender"]
    assert (
        "# copy-rate: not distinguishable from segment-cpu, to which its time was attributed;\n"
        "#   readings with a different payload of packets (MTU, iperf3 -M) would separate them\n"
    ) in text
    assert "host.copy-rate" not in text


def test_without_perf_the_idle_host_is_subtracted(tmp_path: Path) -> None:
    sender = made_up.write(tmp_path, "run", MadeUp(other=0.4))[::2]
    quiet = tmp_path / "quiet.sadf.json"
    quiet.write_text(json.dumps(made_up.sadf(MadeUp(payload=0, other=0.4))), encoding="utf-8")
    report = describe([*sender, quiet])
    assert [one.end for one in report.readings] == ["sender", "idle"]
    (fitted,) = report.fits
    assert fitted.idle == pytest.approx(0.4)
    total = sum(MadeUp(other=0.0).cpu().values())
    # Data flow in eight of the ten seconds that may be of the run.
    assert fitted.rows[0].measured == pytest.approx(total * 8 / 10, rel=1e-3)
    assert report.notes == ()
    (note,) = describe(sender).notes
    assert note.startswith("sender: a reading has no file of perf")
