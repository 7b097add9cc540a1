"""How quick the shovel is in the simulated world: from a press to a grip, and from a pulled cable to a fault."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from firmware_bridge.sim import world_at
from hardware.events import Fault, LiftDone, LiftHeld, LinkDown, LinkUp
from hardware.face import Rig
from hardware.rig import open_rig
from tests.bench.limits import judged, limited
from tests.hardware.ears import Ears

LIFTS = 10
MISHAPS = 5


def lift(rig: Rig, ears: Ears) -> float:
    """Lift and put down; return the seconds from "grip" to "held"."""
    start = time.perf_counter()
    rig.shovel("grip")
    ears.wait(LiftHeld)
    took = time.perf_counter() - start
    rig.shovel("release")
    ears.wait(LiftDone)
    time.sleep(1.0)  # rest, so that the budget does not run out
    return took


def stop(rig: Rig, ears: Ears) -> float:
    """Stop a pump that runs; return the seconds until the board has switched it off."""
    world = world_at("sim://")
    rig.shovel("grip")
    ears.wait(LiftHeld)
    start = time.perf_counter()
    rig.shovel("stop")
    while world is not None and world.pump:
        pass
    took = time.perf_counter() - start
    time.sleep(1.0)
    return took


def pull(rig: Rig, ears: Ears) -> float:
    """Pull the cable in the middle of a lift; return the seconds until the fault is told."""
    rig.shovel("grip")
    ears.wait(LiftHeld)
    start = time.perf_counter()
    rig.world("unplug")
    ears.wait(Fault)
    took = time.perf_counter() - start
    rig.world("replug")
    ears.wait(LinkUp)
    time.sleep(0.5)
    rig.shovel("clear")
    time.sleep(0.5)
    return took


def silence(rig: Rig, ears: Ears) -> float:
    """Let every frame be lost, both ways, in the middle of a lift; return the seconds until the fault is told."""
    world = world_at("sim://")
    rig.shovel("grip")
    ears.wait(LiftHeld)
    start = time.perf_counter()
    if world is not None:
        world.drop = 100
    ears.wait(Fault)
    took = time.perf_counter() - start
    ears.wait(LinkDown)
    if world is not None:
        world.drop = 0
    ears.wait(LinkUp)
    time.sleep(0.5)
    rig.shovel("clear")
    time.sleep(0.5)
    return took


def say(name: str, seconds: list[float], *, at_most: float = 0) -> None:
    print(f"{name}, median of {len(seconds)}: {statistics.median(seconds) * 1000:.1f} ms")
    if at_most:
        limited(f"{name}, longest", max(seconds) * 1000, "ms", at_most=at_most)
    else:
        print(f"{name}, longest: {max(seconds) * 1000:.1f} ms")


def idle_share(seconds: float = 3.0) -> float:
    """The share of one core that a rig at rest takes, without the simulated board's own process."""
    busy, start = time.process_time(), time.perf_counter()
    time.sleep(seconds)
    return (time.process_time() - busy) / (time.perf_counter() - start)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        rig = open_rig("sim", data=Path(folder))
        print(f"rig opened, board greeted: {(time.perf_counter() - start) * 1000:.1f} ms")
        with rig:
            ears = Ears(rig)
            print(f"processor at rest: {idle_share() * 100:.1f} % of a core")
            rig.world("card")
            say("grip to held", [lift(rig, ears) for _ in range(LIFTS)])
            say("stop to pump off", [stop(rig, ears) for _ in range(MISHAPS)])
            for name, mishap in (("pulled cable to fault", pull), ("silent board to fault", silence)):
                say(name, [mishap(rig, ears) for _ in range(MISHAPS)], at_most=1000)


if __name__ == "__main__":
    sys.exit(judged({"rig": main}))
