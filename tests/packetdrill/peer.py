"""A random remote host: which segments arrive there, when, and what it acknowledges."""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass

from .drill import Sent

Block = tuple[int, int]

# ACKs are further apart than the 1 ms by which Linux decides whether to wait for the next one, us
GAP_US = 1300
_MOST_BLOCKS = 4


@dataclass(frozen=True)
class Path:
    """What a path does to segments, as shares of them, and its RTT, us."""

    rtt: int
    loss: float
    reordering: float
    ack_loss: float


class Peer:
    """Receives the segments of one connection; times are us of the script."""

    def __init__(self, path: Path, sampler: random.Random) -> None:
        self._path = path
        self._sampler = sampler
        self._arrivals: list[tuple[int, int, Block]] = []
        self._count = 0
        self._last_ack = 0
        self._held: list[Block] = []  # the newest first
        self.next = 1

    def send(self, sent: Sent, at: int) -> None:
        """A segment leaves for this host."""
        if sent.size == 0 or self._sampler.random() < self._path.loss:
            return
        delay = self._path.rtt + self._sampler.randrange(200, 3500)
        if self._sampler.random() < self._path.reordering:
            delay += self._sampler.choice([1000, 5000, self._path.rtt // 2])
        block = (sent.seq, sent.seq + sent.size)
        heapq.heappush(self._arrivals, (at + delay, self._count, block))
        self._count += 1

    def get_time(self) -> int | None:
        """Return when its next ACK arrives at the sender, or None."""
        return max(self._arrivals[0][0], self._last_ack + GAP_US) if self._arrivals else None

    def acknowledge(self, now: int) -> tuple[int, list[Block]] | None:
        """Return the next ACK and its SACK blocks (RFC 2018, 2883), or None if it gets lost."""
        _, _, block = heapq.heappop(self._arrivals)
        copy = block[1] <= self.next or any(_covers(held, block) for held in self._held)
        if not copy:
            self._take(block)
            if self._sampler.random() < self._path.ack_loss:
                return None
        self._last_ack = now
        blocks = list(self._held)
        if copy:
            # The block that contains the copy follows it
            blocks.sort(key=lambda held: not _covers(held, block))
            blocks.insert(0, block)
        return self.next, blocks[:_MOST_BLOCKS]

    def _take(self, block: Block) -> None:
        if block[0] == self.next:
            self.next = block[1]
            for start, end in sorted(self._held):
                if start <= self.next:
                    self.next = max(self.next, end)
            self._held = [held for held in self._held if held[1] > self.next]
            return
        touching = [held for held in self._held if held[0] <= block[1] and block[0] <= held[1]]
        start = min([block[0], *(held[0] for held in touching)])
        end = max([block[1], *(held[1] for held in touching)])
        self._held = [(start, end), *(held for held in self._held if held not in touching)]


def _covers(outer: Block, inner: Block) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
