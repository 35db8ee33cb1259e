"""What a kept result depends on: the sources of its engine, and the ns-3 of engine ns3."""

from __future__ import annotations

from experiments.programs.sources import engine_hash


class MadeUpProgram:
    """A program that tells which ns-3 it was built against."""

    def __init__(self, ns3_version: str, build_profile: str) -> None:
        self.provenance = {"ns3_version": ns3_version, "build_profile": build_profile}


def test_ns3_and_its_profile_count_for_its_engine_alone() -> None:
    programs = [
        MadeUpProgram(*built)
        for built in (("3.44", "release"), ("3.48", "release"), ("3.44", "debug"))
    ]
    of_ns3 = {engine_hash(program, "ns3") for program in programs}
    assert len(of_ns3) == 3
    of_segment = {engine_hash(program, "segment") for program in programs}
    assert len(of_segment) == 1
    assert not of_ns3 & of_segment
    assert engine_hash(MadeUpProgram("3.44", "release"), "ns3") in of_ns3
