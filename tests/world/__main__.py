"""Lets histories happen: `LD_PRELOAD=disk.so python -m tests.world FIRST COUNT`. It ends with one that breaks a law."""

from __future__ import annotations

import logging
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.world.history import World

MEMORY = Path("/dev/shm")


def lives(seed: int) -> None:
    """One history."""
    root = Path(tempfile.mkdtemp(prefix="world", dir=MEMORY if MEMORY.is_dir() else None))
    world = World(root, seed)
    try:
        world.live()
    except BaseException:
        print("\n".join(world.told[-25:]), file=sys.stderr)
        raise
    finally:
        world.close()
        world.disks.close()
        shutil.rmtree(root, ignore_errors=True)  # a thread of a machine that died may still write


def main(first: int, count: int) -> int:
    """The exit status."""
    logging.disable(logging.CRITICAL)
    began = time.perf_counter()
    for seed in range(first, first + count):
        try:
            lives(seed)
        except BaseException:
            traceback.print_exc()
            print(f"history {seed} breaks a law", file=sys.stderr)
            return 1
    print(f"{count} histories from {first} on in {time.perf_counter() - began:.1f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), int(sys.argv[2])))
