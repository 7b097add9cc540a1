"""A thousand kills of a process that takes steps, and eight hundred bits that turn: nothing lost, nothing silent."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.attack import flips as row_flips
from tests.attack import small_files
from tests.attack.test_damage import flipped, left_behind, outcome_of
from tests.core.test_crash import CALM, Client, assert_kept

DEATHS = 1_000
FLIPS = 400


def main(deaths: int = DEATHS, flips: int = FLIPS) -> None:
    with tempfile.TemporaryDirectory() as place:
        kill(Path(place) / "lives", deaths)
        turn(Path(place), flips)
        there = row_flips.kept(Path(place) / "rows")
        for kind in row_flips.KINDS:
            found = row_flips.flip(there, kind, flips, Path(place), random.Random(kind))
            print(f"a row, {kind}: {found} found of {flips} bits, none silent, no other table closed", flush=True)
        for name in small_files.STATES:
            files = small_files.made(Path(place), name)
            found = small_files.flip(files, name, flips, Path(place), random.Random(name))
            print(f"a file, {name}: {found} set aside and mended of {flips} bits, all others harmless", flush=True)


def kill(folder: Path, deaths: int) -> None:
    begun, luck, client = time.perf_counter(), random.Random(15), Client()
    for death in range(deaths):
        client.live(folder, CALM[death % len(CALM)], luck)
        if death % 100 == 99:
            print(f"{death + 1} kills, {len(client.safe)} steps, {time.perf_counter() - begun:.0f} s", flush=True)
    assert_kept(client, folder)
    print(f"{deaths} kills, {len(client.safe)} steps acknowledged, none lost, none twice")


def turn(place: Path, flips: int) -> None:
    folders, known = left_behind(place)
    for folder in folders:
        luck, found = random.Random(folder.name), Counter[str]()
        for n in range(flips):
            copy = place / f"{folder.name} {n}"
            shutil.copytree(folder, copy)
            where = flipped(copy, luck)
            try:
                found[outcome_of(copy, known)] += 1
            except BaseException:
                print(where, flush=True)
                raise
            shutil.rmtree(copy)
        print(f"{folder.name}: {dict(found)} of {flips} bits, none silent", flush=True)


if __name__ == "__main__":
    main()
