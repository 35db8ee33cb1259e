"""Which block devices of a host count: a byte that moves through several layers counts once.

A byte that is written to a file goes through each layer that the kernel has below the file system:
a logical volume (dm-0), an array (md0), a partition (sda2), a disk (sda). Tools such as sar list
them all, each with the byte. Here the names decide; disks count, layers above them do not.

Names and numbers of devices: Documentation/admin-guide/devices.txt of Linux; persistent names are
those of udev in /dev/disk.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

_DISK, _ARRAY, _MAPPED, _FILE, _REMOVABLE, _MEMORY = range(6)
"""Layers, the lowest first. `_MAPPED` is the device mapper (volumes, encryption) and any name that
is not known; `_FILE` is a loop device, whose bytes are those of a file on another device.
`_REMOVABLE` are CDs, floppy disks and tapes: no other device is on them, so they count without
excluding any other layer."""

_LAYERS = (
    (_MEMORY, r"zram\d+|ram\d+"),
    (_REMOVABLE, r"sr\d+|scd\d+|pktcdvd\d+|fd\d+|n?o?st\d+"),
    (_FILE, r"loop\d+"),
    (
        _ARRAY,
        r"md_?d?\d+|md/.*|md-(?:name|uuid)-.*|bcache\d+|drbd\d+|zd\d+|emcpower[a-z]+|mpath[a-z]+",
    ),
    (_MAPPED, r"dm-\d+|dm-(?:name|uuid)-.*|lvm-pv-uuid-.*"),
    (
        _DISK,
        r"(?:sd|hd|vd|xvd|ubd|dasd|rssd|fio|scm|xd)[a-z]+|nvme\d+(?:c\d+)?n\d+|mmcblk\d+\w*"
        r"|pmem\d+s?|nbd\d+|rbd\d+|ublkb\d+|nullb\d+|mtdblock\d+"
        # The kernel writes ! where the name in /dev has a slash.
        r"|(?:cciss|ida|rd|amiraid|i2o|ataraid|etherd)[/!]\w+(?:\.\d+)?"
        r"|(?:ata|scsi|wwn|nvme|virtio|usb|pci|ip|mmc|sas|fc|ccw|acpi|platform)-.*"
        r"|(?:naa|eui|t10|nvme)\..*",
    ),
)
_PARTITION = re.compile(
    r"(?P<disk>(?:sd|hd|vd|xvd|ubd|dasd|rssd|fio|scm|xd|emcpower|mpath)[a-z]+)\d+"
    r"|(?P<numbered>.*\d)p\d+|(?P<named>.*)-(?:part)?\d+"
)
_PATH = re.compile(r"(nvme\d+)c\d+(n\d+)")
_NUMBERS = re.compile(r"dev(\d+)-(\d+)")

_MINORS_PER_DISK = (
    (16, (8, *range(65, 72), *range(128, 136), 202, *range(104, 112), *range(72, 80))),
    (64, (3, 22, 33, 34, *range(56, 58), *range(88, 92))),
    (8, (179, *range(48, 56))),
    (4, (94,)),
    (32, (43,)),
)
"""Of majors whose devices are disks, the minor numbers of a disk and its partitions."""

_LAYER_OF_MAJOR = {
    1: _MEMORY, 2: _REMOVABLE, 11: _REMOVABLE, 7: _FILE, 9: _ARRAY, 147: _ARRAY, 230: _ARRAY,
    120: _ARRAY,
}  # fmt: skip

_DYNAMIC = range(240, 255)
"""Majors that the kernel gives out as drivers ask: virtio disks and the device mapper."""

_EXTENDED = 259
"""The major of NVMe disks, their partitions, and further partitions of other disks."""


@dataclass(frozen=True)
class Choice:
    """The devices that count.

    Attributes:
        counted: their names.
        left_out: names of all others that moved bytes.
        is_clear: whether the names reveal which devices count; if not, `counted` is a guess.
    """

    counted: tuple[str, ...]
    left_out: tuple[str, ...]
    is_clear: bool

    def note(self) -> str:
        """Return the choice as a sentence; empty where there was nothing to choose."""
        if not self.is_clear:
            return (
                "the names do not show which of "
                f"{', '.join(sorted({*self.counted, *self.left_out}))} are disks, and which are "
                "partitions or volumes on them, so bytes of disks are unknown; sadf -j FILE -- -A "
                "-p prints names that show it"
            )
        if not self.left_out:
            return ""
        return (
            f"bytes of disks are those of {', '.join(self.counted)}; the same bytes are not "
            "counted "
            f"again for {', '.join(self.left_out)}"
        )


@dataclass(frozen=True)
class _Device:
    """A device: its layer, and whether it is a part of another device of the file."""

    name: str
    layer: int
    is_part: bool


def choose(moved: Mapping[str, float]) -> Choice:
    """Return which devices count.

    Disks count, and a partition whose disk is not in the file. If no disk moved bytes, the lowest
    layer counts that did: arrays, then volumes, then loop devices. CDs, floppy disks and tapes
    count in addition if they moved bytes.

    Args:
        moved: bytes, read and written, by the name of the device, of one file.
    """
    devices = [_device(name, moved) for name in moved]
    whole = [one for one in devices if not one.is_part and one.layer != _MEMORY]
    fixed = [one for one in whole if one.layer != _REMOVABLE]
    active = [one for one in fixed if moved[one.name]]
    lowest = min((one.layer for one in active or fixed), default=_MEMORY)
    counted = [one.name for one in fixed if one.layer == lowest]
    is_clear = not (lowest == _MAPPED and _may_be_stacked([moved[name] for name in counted]))
    if lowest == _MAPPED and any(_is_dynamic(name) for name in counted):
        counted, is_clear = _of_dynamic_majors(counted, moved)
    extended = [name for name in counted if _major(name) == _EXTENDED and moved[name]]
    counted += [one.name for one in whole if one.layer == _REMOVABLE and moved[one.name]]
    return Choice(
        tuple(counted),
        tuple(name for name in moved if name not in counted and moved[name]),
        is_clear and len(extended) < 2,
    )


def _may_be_stacked(moved: list[float]) -> bool:
    """Return whether what devices moved looks as if some were layers of others.

    A layer moves what the layers on it do: as much as one other device, or as all others.
    """
    active = sorted((one for one in moved if one), reverse=True)
    alike = any(after > 0.95 * one for one, after in itertools.pairwise(active))
    return alike or (len(active) > 2 and abs(sum(active[1:]) / active[0] - 1) < 0.05)


def _of_dynamic_majors(names: list[str], moved: Mapping[str, float]) -> tuple[list[str], bool]:
    """Return the virtio disks among devices of dynamic majors, and whether that is clear.

    Nothing but what they moved distinguishes virtio disks, 16 minors each, from volumes on them:
    the disks moved the most, as all that volumes and partitions move goes through them.
    """
    disks: dict[int, list[str]] = {}
    for name in names:
        if _is_dynamic(name) and _minor(name) % 16 == 0:
            disks.setdefault(_major(name), []).append(name)

    def total(of: Iterable[str]) -> float:
        return sum(moved[name] for name in of)

    best = max(disks.values(), key=total, default=[])
    parts = [name for name in names if best and _major(name) == _major(best[0])]
    return best or names, bool(best) and total(parts) <= 2.05 * total(best)


def _device(name: str, names: Container[str]) -> _Device:
    if _NUMBERS.fullmatch(name):
        return _numbered(name, names)
    if path := _PATH.fullmatch(name):
        return _Device(name, _DISK, path[1] + path[2] in names)
    part = _PARTITION.fullmatch(name)
    if part is not None:
        disk = next(group for group in part.groups() if group is not None)
        layer = _layer(disk)
        if disk in names:
            return _Device(name, layer, True)
        if layer != _MAPPED:
            return _Device(name, layer, False)
    return _Device(name, _layer(name), False)


def _layer(name: str) -> int:
    found = (layer for layer, pattern in _LAYERS if re.fullmatch(pattern, name))
    return next(found, _MAPPED)


def _major(name: str) -> int:
    found = _NUMBERS.fullmatch(name)
    return int(found[1]) if found else -1


def _minor(name: str) -> int:
    found = _NUMBERS.fullmatch(name)
    return int(found[2]) if found else -1


def _is_dynamic(name: str) -> bool:
    return _major(name) in _DYNAMIC


def _numbered(name: str, names: Container[str]) -> _Device:
    """Return a device that is named by its numbers, as by sadf without -p of old versions."""
    major, minor = _major(name), _minor(name)
    for minors, majors in _MINORS_PER_DISK:
        if major in majors:
            disk = f"dev{major}-{minor - minor % minors}"
            return _Device(name, _DISK, disk != name and disk in names)
    if major == _EXTENDED:
        return _Device(name, _DISK, False)
    return _Device(name, _LAYER_OF_MAJOR.get(major, _MAPPED), False)
