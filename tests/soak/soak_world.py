"""Thousands of histories of machines, disks and a network; and each thing that keeps a step, taken out and missed."""

from __future__ import annotations

import os
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.world import mutants
from tests.world.mutants import MUTANTS, Mutant
from tests.world.running import KINDS, LEFT, Ran, crashes, histories, made_disk, tests

HISTORIES = 4_000
SOME, WITHOUT = 100, 3_000
"""Histories that a mutant may outlive before machines die in everything, and before it counts as not missed."""
AT_ONCE = 250


def main() -> None:
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(os.cpu_count()) as several:
        disk, begun = made_disk(Path(place)), time.perf_counter()
        for ran in several.map(lambda first: histories(disk, first, AT_ONCE), range(0, HISTORIES, AT_ONCE)):
            if not ran.held:
                raise SystemExit(ran.said)
        print(f"{HISTORIES} histories, no law broken, {time.perf_counter() - begun:.0f} s", flush=True)
        dies = [(kind, survives) for kind in KINDS for survives in LEFT]
        for (kind, survives), ran in zip(dies, several.map(lambda each: crashes(disk, *each), dies), strict=True):
            if not ran.held:
                raise SystemExit(ran.said)
            print(f"{kind}, {survives} is left: {ran.said.strip()} deaths, no law broken", flush=True)
        outlived = []
        for mutant, by, ran in several.map(lambda each: missed(disk, Path(place), each), MUTANTS):
            print(f"{mutant.name}: {'NOT MISSED' if ran.held else f'missed by {by}'}", flush=True)
            outlived += [mutant.name] if ran.held else []
        if outlived:
            raise SystemExit(f"{len(outlived)} of {len(MUTANTS)} are not missed")
        print(f"{len(MUTANTS)} taken out one by one, each missed")


def missed(disk: Path, place: Path, mutant: Mutant) -> tuple[Mutant, str, Ran]:
    """What becomes of a world without it: in which history, or death, a law was broken first."""
    program = mutants.tree(mutant, place / str(MUTANTS.index(mutant)))
    try:
        if "::" in mutant.by:
            return mutant, mutant.by, tests(mutant.by, program)
        ran = Ran(held=True, said="") if mutant.by else histories(disk, 0, SOME, program)
        if ran.held:
            for kind in sorted(KINDS, key=lambda each: each != mutant.by):
                for survives in LEFT:
                    died = crashes(disk, kind, survives, program=program)
                    if not died.held:
                        return mutant, f"a death in a {kind}, {survives} is left", died
            ran = histories(disk, SOME, WITHOUT, program)
    finally:
        mutants.forget(program)
    found = [line for line in ran.said.splitlines() if line.startswith("history ")]
    if not (ran.held or found):
        raise SystemExit(f"{mutant.name}: {ran.said}")
    return mutant, " ".join(found[0].split()[:2]) if found else "", ran


if __name__ == "__main__":
    main()
