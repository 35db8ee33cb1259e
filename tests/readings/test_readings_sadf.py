"""Files of sadf -j of all versions and hosts: what counts, and what no counter can have."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import made_up_readings as made_up
import pytest
from made_up_readings import MadeUp

from experiments.errors import UserError
from experiments.readings.disks import choose
from experiments.readings.reading import Reading
from experiments.readings.report import describe
from experiments.readings.sadf import Core, Sadf, read_sadf

Change = Callable[[dict[str, Any]], object]
"""Changes one interval of a file."""


def written(folder: Path, change: Change, one: MadeUp | None = None) -> Path:
    """Write a file of sadf whose intervals are changed, and return it."""
    data = made_up.sadf(one or MadeUp())
    for sample in data["sysstat"]["hosts"][0]["statistics"]:
        change(sample)
    file = folder / "run.sadf.json"
    file.write_text(json.dumps(data, indent=1), encoding="utf-8")
    return file


def reading(*files: Path) -> Reading:
    (one,) = describe(files).readings
    return one


def disks(sample: dict[str, Any], sectors_only: bool = False) -> None:
    rows = [("sda", 100.0, 4000.0), ("sda2", 100.0, 4000.0), ("dm-0", 0.0, 4000.0)]
    sample["disk"] = [
        {"disk-device": name, "rd_sec": 2 * read, "wr_sec": 2 * wrote}
        | ({} if sectors_only else {"rkB": read, "wkB": wrote})
        for name, read, wrote in rows
    ]


def as_of(version: str, data: dict[str, Any]) -> None:
    """Make of what sysstat 12.6 prints what another version does."""
    sysstat, host = data["sysstat"], data["sysstat"]["hosts"][0]
    numbers = tuple(map(int, version.split(".")))
    if numbers < (12, 2):
        del host["timezone"]
    if numbers < (11, 5):
        sysstat["sysdata-version"] = 2.15
    for sample in host["statistics"]:
        disks(sample, sectors_only=numbers < (11, 5, 7))
        if numbers < (12, 5, 6):
            for row in sample["interrupts"]:
                row["value"] = row.pop("all")
        if numbers >= (12, 7, 1):
            sample["timestamp"]["tz"] = "UTC"
            del sample["timestamp"]["utc"]
        if numbers < (11, 1, 4):
            sample["cpu-load-all"] = sample.pop("cpu-load")


@pytest.mark.parametrize(
    "version", ["10.0.3", "11.0.1", "11.4.0", "11.5.5", "11.7.3", "12.0.3", "12.5.4", "12.7.9"]
)
def test_all_versions_have_the_same_values(tmp_path: Path, version: str) -> None:
    newest, other = made_up.sadf(MadeUp()), made_up.sadf(MadeUp())
    as_of("12.6.1", newest)
    as_of(version, other)
    assert newest != other
    files = [tmp_path / "newest.json", tmp_path / "other.json"]
    for file, data in zip(files, (newest, other), strict=True):
        file.write_text(json.dumps(data), encoding="utf-8")
    one, two = map(read_sadf, files)
    assert one.samples == two.samples
    assert (one.samples[3].read, one.samples[3].written) == (100 * 1024, 4000 * 1024)


@pytest.mark.parametrize(
    ("rates", "counted"),
    [
        ({"sda": 122000, "sda2": 122000, "dm-0": 122000}, "sda"),
        ({"sda": 10, "sdb": 20, "sda1": 10, "md0": 30, "md0p1": 30}, "sda sdb"),
        ({"nvme0n1": 9, "nvme0n1p1": 4, "nvme0n1p2": 5, "dm-0": 5, "dm-1": 4}, "nvme0n1"),
        ({"mmcblk0": 3, "mmcblk0p2": 3, "mmcblk0boot0": 0}, "mmcblk0 mmcblk0boot0"),
        ({"vda": 7, "vda1": 7, "loop0": 2, "loop1": 1}, "vda"),
        ({"xvda1": 7, "xvdb": 8}, "xvda1 xvdb"),
        ({"xvda": 7, "xvda1": 7, "rhel-root": 6, "rhel-swap": 1}, "xvda"),
        ({"sda": 4, "sdb": 5, "mpatha": 9, "mpatha1": 9, "vg-data": 9}, "sda sdb"),
        ({"mpatha": 9, "mpatha1": 9, "vg-data": 9}, "mpatha"),
        ({"cciss/c0d0": 5, "cciss/c0d0p1": 5}, "cciss/c0d0"),
        ({"dasda": 5, "dasda1": 5}, "dasda"),
        ({"nvme0c0n1": 5, "nvme0n1": 5}, "nvme0n1"),
        ({"sda": 0, "sda1": 0, "zram0": 900, "ram0": 1}, "sda"),
        ({"zram0": 900}, ""),
        ({"dm-0": 8}, "dm-0"),
        ({"dm-0": 8, "dm-1": 2}, "dm-0 dm-1"),
        ({"vg0-data": 8, "vg0-log": 1, "vg0-root": 3}, "vg0-data vg0-log vg0-root"),
        ({"md127": 8, "dm-0": 8, "dm-1": 8}, "md127"),
        ({"sda2": 8, "dm-0": 8}, "sda2"),
        ({"loop0": 8}, "loop0"),
        # Persistent names (sar -j ID, -j PATH, -j SID).
        ({"ata-WDC_WD10-1": 5, "ata-WDC_WD10-1-part2": 5, "dm-name-vg-root": 5}, "ata-WDC_WD10-1"),
        ({"wwn-0x5000c5": 5, "wwn-0x5000c5-part1": 5}, "wwn-0x5000c5"),
        ({"naa.5000c5": 5, "naa.5000c5-1": 5}, "naa.5000c5"),
        # Numbers in place of names.
        ({"dev8-0": 5, "dev8-1": 5, "dev8-16": 2, "dev253-0": 7}, "dev8-0 dev8-16"),
        ({"dev65-16": 5, "dev65-17": 5}, "dev65-16"),
        ({"dev252-0": 9, "dev252-1": 1, "dev252-2": 8, "dev253-0": 6, "dev253-1": 2}, "dev252-0"),
        ({"dev252-0": 6, "dev252-1": 2, "dev253-0": 9, "dev253-16": 3}, "dev253-0 dev253-16"),
        ({"dev9-0": 5, "dev253-0": 5}, "dev9-0"),
        ({"dev202-0": 5, "dev202-1": 5}, "dev202-0"),
        ({"dev259-0": 5}, "dev259-0"),
        ({"dev259-0": 5, "dev259-1": 0}, "dev259-0 dev259-1"),
        # CDs, floppy disks and tapes do not decide, nor do disks that moved nothing.
        ({"dev252-0": 1e9, "dev11-0": 0}, "dev252-0"),
        ({"dev252-0": 1e9, "dev2-0": 0, "dev11-1": 7}, "dev252-0 dev11-1"),
        ({"cciss!c0d0": 1e9, "sr0": 0}, "cciss!c0d0"),
        ({"cciss!c0d0": 1e9, "cciss!c0d0p1": 1e9, "scd0": 0, "fd0": 0}, "cciss!c0d0"),
        ({"dm-0": 1e9, "sr0": 0, "st0": 0, "nst0": 0}, "dm-0"),
        ({"dm-0": 1e9, "sda": 0, "nbd0": 0}, "dm-0"),
        ({"sda": 9, "dm-0": 9, "sr0": 3}, "sda sr0"),
        ({"sr0": 3}, "sr0"),
        ({"sr0": 0}, ""),
    ],
)  # fmt: skip
def test_which_devices_count(rates: dict[str, float], counted: str) -> None:
    choice = choose(rates)
    assert (" ".join(choice.counted), choice.is_clear) == (counted, True)
    assert set(choice.left_out) == {
        name for name, moved in rates.items() if moved and name not in choice.counted
    }


@pytest.mark.parametrize(
    "rates",
    [
        {"dm-0": 8, "dm-1": 8},  # a volume on an encrypted one
        {"vg-a": 3, "vg-b": 5, "luks-1": 8.1},
        {"dev259-0": 8, "dev259-1": 8},
        {"dev253-0": 8, "dev253-1": 20, "dev253-2": 3},  # volumes alone
        {"dev253-1": 8, "dev253-2": 8},
    ],
)
def test_names_that_do_not_show_which_devices_are_disks(rates: dict[str, float]) -> None:
    choice = choose(rates)
    assert not choice.is_clear
    assert choice.note().startswith("the names do not show which of ")


def test_bytes_of_disks_are_counted_once(tmp_path: Path) -> None:
    def three(sample: dict[str, Any]) -> None:
        names = ("sda", "sda2", "dm-0")
        sample["disk"] = [{"disk-device": name, "rkB": 122000, "wkB": 10} for name in names]

    one = reading(written(tmp_path, three))
    assert one.rates.file_bytes == pytest.approx(122000 * 1024)
    assert one.notes == (
        "run: bytes of disks are those of sda; the same bytes are not counted again for sda2, dm-0",
    )


def test_bytes_of_disks_that_are_not_clear_are_unknown(tmp_path: Path) -> None:
    def two(sample: dict[str, Any]) -> None:
        sample["disk"] = [
            {"disk-device": f"dm-{number}", "rkB": 122000, "wkB": 10} for number in range(2)
        ]

    one = reading(written(tmp_path, two))
    assert one.rates.file_bytes is None
    assert one.notes[0].startswith("run: the names do not show which of dm-0, dm-1 are disks")


def test_a_core_that_goes_away_and_comes_back(tmp_path: Path) -> None:
    def leave(sample: dict[str, Any], zeros: bool) -> None:
        if sample["timestamp"]["time"][-1] not in "345":
            return
        if zeros:  # as of old versions, or newer with old files
            sample["cpu-load"][2] |= dict.fromkeys(("usr", "sys", "idle"), 0)
        else:
            del sample["cpu-load"][2]

    whole = reading(written(tmp_path, lambda _: None))
    gone = reading(written(tmp_path, lambda sample: leave(sample, zeros=False)))
    zeros = reading(written(tmp_path, lambda sample: leave(sample, zeros=True)))
    assert gone.core_busy == zeros.core_busy
    # Three of eleven intervals, all of them with the transfer.
    busy = sum(MadeUp().cpu().values()) / 4
    assert gone.core_busy[2] == pytest.approx(whole.core_busy[2] - 3 / 11 * busy)
    assert gone.core_busy[:2] == whole.core_busy[:2]
    assert gone.peak == pytest.approx(whole.peak)


def test_the_only_core_of_a_host(tmp_path: Path) -> None:
    def together(sample: dict[str, Any]) -> None:
        sample["cpu-load"][0]["cpu"] = "all"

    one = reading(written(tmp_path, together, MadeUp(cores=1)))
    each = reading(written(tmp_path, lambda _: None, MadeUp(cores=1)))
    assert one.core_busy == each.core_busy


def test_cores_together(tmp_path: Path) -> None:
    def together(sample: dict[str, Any]) -> None:
        del sample["cpu-load"][1:]
        sample["cpu-load"][0]["cpu"] = "all"

    one = reading(written(tmp_path, together))
    each = reading(written(tmp_path, lambda _: None))
    assert one.busy == pytest.approx(each.busy)
    assert one.peak == pytest.approx(each.peak)
    assert "sadf printed the CPU time of all cores together" in one.notes[0]
    assert (one.is_per_core, each.is_per_core) == (False, True)


def test_an_interface_that_comes_and_goes(tmp_path: Path) -> None:
    def go(sample: dict[str, Any]) -> None:
        devices = sample["network"]["net-dev"]
        veth = {"iface": "veth0", "rxpck": 9, "txpck": 9, "rxkB": 3, "txkB": 3}
        if sample["timestamp"]["time"][-1] in "345":
            devices.append(veth)
        if sample["timestamp"]["time"].endswith(("59", "00")):
            del devices[1]

    one = reading(written(tmp_path, go))
    whole = reading(written(tmp_path, lambda _: None))
    assert one.interface == "eth0"
    assert one.rates == whole.rates


def test_a_short_interval_is_left_out(tmp_path: Path) -> None:
    def short(sample: dict[str, Any]) -> None:
        if sample["timestamp"]["time"] == "13:00:04":
            sample["timestamp"]["interval"] = 0

    assert len(read_sadf(written(tmp_path, short)).samples) == 10


def with_gap(folder: Path, first: int, last: int, one: MadeUp | None = None) -> list[Path]:
    """Write a run during which sar had a break, from one interval to before another."""
    files = made_up.write(folder, "run", one or MadeUp())
    data = json.loads(files[0].read_text(encoding="utf-8"))
    del data["sysstat"]["hosts"][0]["statistics"][first:last]
    data["sysstat"]["hosts"][0]["restarts"] = [
        {"boot": {"date": "2026-01-15", "time": "13:00:04", "utc": 1, "cpu_count": 4}}
    ]
    files[0].write_text(json.dumps(data), encoding="utf-8")
    return files


def test_a_break_of_sar_during_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        describe(with_gap(tmp_path, 3, 7))
    assert str(error.value).removeprefix(f"{tmp_path}/") == (
        "run.sadf.json:1: has no data from 2026-01-15 13:00:02 to 2026-01-15 13:00:06 UTC, as "
        "after a restart of the host or of sar, and iperf3 (run.iperf3.json) ran meanwhile; "
        "allowed: sar without a break during a run"
    )


def test_a_break_of_sar_elsewhere_is_none_of_a_run(tmp_path: Path) -> None:
    files = made_up.write(tmp_path, "run", MadeUp())
    data = json.loads(files[0].read_text(encoding="utf-8"))
    samples = data["sysstat"]["hosts"][0]["statistics"]
    before = copy.deepcopy(samples[0])
    before["timestamp"] |= {"time": "11:00:00", "interval": 600}
    samples.insert(0, before)
    whole = reading(*files)
    files[0].write_text(json.dumps(data), encoding="utf-8")
    assert reading(*files).rates == whole.rates


def number(path: tuple[str | int, ...], value: float) -> Change:
    """Return a change of a value of the fourth interval."""

    def change(sample: dict[str, Any]) -> None:
        if sample["timestamp"]["time"] == "13:00:03":
            node = sample
            for key in path[:-1]:
                node = node[key]
            node[path[-1]] = value

    return change


DEVICE = ("network", "net-dev", 1)


@pytest.mark.parametrize(
    ("change", "interval", "told"),
    [
        (number((*DEVICE, "rxpck"), 4294967295.00), 1, '"rxpck": 4294967295.0 is not allowed'),
        (number((*DEVICE, "rxkB"), 18014398509481983.98), 1, '"rxkB": 1.8014398509481984e+16 is'),
        (number((*DEVICE, "txkB"), 4294967295.00), 1, '"txkB": 4294967295.0 is not allowed'),
        (number((*DEVICE, "txkB"), -3.2), 1, '"txkB": -3.2 is not allowed'),
        (number((*DEVICE, "txpck"), 429496729.1), 10, '"txpck": 429496729.1 is not allowed; '
         "allowed: a rate of events; this value comes from a 32-bit counter that wrapped"),
        (number(("interrupts", 1, "all"), 7158278.83), 600, '"all": 7158278.83 is not allowed'),
        (number(("network", "net-nfs", "call"), 4294967290), 1, '"call": 4294967290 is not'),
        (number(("cpu-load", 1, "sys"), 150.0), 1, '"sys": 150.0 is not allowed; allowed: a number '
         "from 0 to 100"),
        (number(("cpu-load", 1, "idle"), -1), 1, '"idle": -1 is not allowed'),
        (number(("cpu-load", 1, "usr"), 99.0), 1, 'CPU "1": the shares of its time add up to 199 '
         "%; allowed: 100 %"),
        (number(("cpu-load", 1, "usr"), 10**90), 1, '"usr": 1000'),
    ],
)  # fmt: skip
def test_values_that_no_counter_has(
    tmp_path: Path, change: Change, interval: int, told: str
) -> None:
    def both(sample: dict[str, Any]) -> None:
        change(sample)
        sample["timestamp"]["interval"] = interval

    with pytest.raises(UserError) as error:
        read_sadf(written(tmp_path, both))
    assert told in str(error.value)


def test_a_wrapped_disk(tmp_path: Path) -> None:
    def wrap(sample: dict[str, Any]) -> None:
        sample["disk"] = [{"disk-device": "sda", "rkB": 2147483647.5, "wkB": 0}]

    with pytest.raises(UserError, match=r'"rkB": 2147483647\.5 is not allowed; allowed: a number'):
        read_sadf(written(tmp_path, wrap))


def test_a_busy_host_is_no_fault(tmp_path: Path) -> None:
    def busy(sample: dict[str, Any]) -> None:
        # 400 Gbit/s, and a core that old versions round to 100.02 %.
        sample["network"]["net-dev"][1] |= {"txkB": 48828125.0, "txpck": 33e6, "rxkB": 60000}
        sample["cpu-load"][0] |= {"usr": 33.34, "sys": 33.34, "idle": 33.34}

    sadf: Sadf = read_sadf(written(tmp_path, busy))
    assert sadf.samples[0].interfaces["eth0"].bytes_out == 48828125.0 * 1024
    assert sadf.samples[0].cores["0"] == Core(pytest.approx(0.6666), pytest.approx(0.3334))


def test_a_number_of_more_digits_than_any_counter_has(tmp_path: Path) -> None:
    file = written(tmp_path, number((*DEVICE, "rxpck"), 1))
    text = file.read_text(encoding="utf-8").replace('"rxpck": 3', f'"rxpck": {"9" * 5000}', 1)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(
        UserError, match=r":\d+: has a number of 100 digits or more; allowed: the output"
    ):
        read_sadf(file)
