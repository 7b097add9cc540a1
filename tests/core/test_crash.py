"""What `kill -9` does to a table in play: nothing."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO

from companion.play.entries import MovePlayed
from tests.core.coins import reopened

DEATHS = 12
CALM = (0, 1, 2, 3)  # so many steps are made before the kill is on its way: in some lives it comes before the first
FIRST_GUESS = 0.01  # seconds that a step may take


class Client:
    """Asks for one step after the other, and again for one that was not answered."""

    def __init__(self) -> None:
        self.safe: dict[str, int] = {}
        self.newest = 0
        self.waiting: tuple[str, int] | None = None
        self.took = FIRST_GUESS

    def step(self, asked: IO[bytes], answered: IO[bytes]) -> bool:
        """Whether a step was answered."""
        began = time.perf_counter()
        request, seq = self.waiting = self.waiting or (f"step-{len(self.safe) + 1}", self.newest)
        try:
            asked.write(f"{request} {seq}\n".encode())
        except BrokenPipeError:
            return False
        answer = answered.readline()
        if not answer.endswith(b"\n"):
            return False
        self.newest = self.safe[request] = int(answer.split()[1])
        self.waiting = None
        self.took = time.perf_counter() - began
        return True

    def live(self, folder: Path, calm: int, luck: random.Random) -> None:
        """Play with a process until it is killed, `calm` steps and then about as long as a step takes from now."""
        with start(folder) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            assert child.stdout.readline().startswith(b"ready")
            for _ in range(calm):
                assert self.step(child.stdin, child.stdout)
            killer = threading.Timer(luck.uniform(0, 2 * self.took), child.kill)
            killer.start()
            while self.step(child.stdin, child.stdout):
                pass
            killer.join()


def start(folder: Path) -> subprocess.Popen[bytes]:
    child = [sys.executable, str(Path(__file__).with_name("crash_child.py")), str(folder)]
    root = Path(__file__).parents[2]
    pipe = subprocess.PIPE
    return subprocess.Popen(child, bufsize=0, stdin=pipe, stdout=pipe, cwd=root, env={"PYTHONPATH": str(root)})


def test_no_acknowledged_step_is_lost_or_doubled_by_kill(tmp_path: Path) -> None:
    """A client makes steps; the process is killed at random moments; what was not answered is asked again."""
    luck, client = random.Random(8), Client()
    for death in range(DEATHS):
        client.live(tmp_path, CALM[death % len(CALM)], luck)

    assert_kept(client, tmp_path)
    assert len(client.safe) >= DEATHS // len(CALM) * sum(CALM)


def assert_kept(client: Client, folder: Path) -> None:
    """Every acknowledged step is there once; what was not acknowledged, at most once."""
    table = reopened(folder)
    moves = [line for line in table.written if isinstance(line.entry, MovePlayed)]
    requests = [line.request for line in table.written if line.request]
    assert len(requests) == len(set(requests)) == len(moves)
    assert set(client.safe) <= set(requests)
    assert set(requests) - set(client.safe) <= {client.waiting[0] if client.waiting else None}
    for request, seq in client.safe.items():
        assert table.written[seq - 1].request == request


FIRST = """
import sys, threading
import msgspec
from companion.play.position import _held, _read

KIND = "class {0}(msgspec.Struct, tag_field='type', tag='{0}'):\\n    seat: 'int' = 0\\n    weeks: 'list[int]' = 0"
sys.setswitchinterval(1e-6)
for box in range(10):
    names = [f"Move{box}of{n}" for n in range(12)]
    here = {"msgspec": msgspec, "__name__": "companion.play.position"}
    for name in names:
        exec(KIND.format(name), here)
    kinds, begin, hands = tuple(here[name] for name in names), threading.Barrier(6), []

    def pressed():
        begin.wait()
        _read({"type": names[3], "seat": 1}, _held(kinds), "core.not_a_move")

    hands = [threading.Thread(target=pressed) for _ in range(6)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
"""


def test_six_who_make_the_first_move_of_a_kind_at_once_break_nothing() -> None:
    ran = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
