"""What `kill -9` does to a table in play: nothing."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from pathlib import Path

from companion.play.entries import Moved
from tests.core.coins import reopened

DEATHS = 12
LAST_DEATH = 60  # on a machine so slow that hardly a step is taken before the kill


def start(folder: Path) -> subprocess.Popen[str]:
    child = [sys.executable, str(Path(__file__).with_name("crash_child.py")), str(folder)]
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        child, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root, env={"PYTHONPATH": str(root)}
    )


def test_no_acknowledged_step_is_lost_or_doubled_by_kill(tmp_path: Path) -> None:
    """A client makes steps; the process is killed at random moments; what was not answered is asked again."""
    rng = random.Random(8)
    safe: dict[str, int] = {}
    sent, newest = 0, 0
    waiting: tuple[str, int] | None = None
    for death in range(LAST_DEATH):
        if death >= DEATHS < len(safe):
            break
        child = start(tmp_path)
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.readline().startswith("ready")
        killer = threading.Timer(rng.uniform(0.0, 0.06), child.kill)
        killer.start()
        try:
            while True:
                if waiting is None:
                    sent += 1
                    waiting = f"step-{sent}", newest
                child.stdin.write(f"{waiting[0]} {waiting[1]}\n")
                child.stdin.flush()
                answer = child.stdout.readline()
                if not answer.endswith("\n"):
                    break
                newest = safe[waiting[0]] = int(answer.split()[1])
                waiting = None
        except BrokenPipeError:
            pass
        killer.cancel()
        child.kill()
        child.wait()

    table = reopened(tmp_path)
    moves = [line for line in table.written if isinstance(line.entry, Moved)]
    requests = [line.request for line in table.written if line.request]
    assert len(requests) == len(set(requests)) == len(moves)
    assert set(safe) <= set(requests)
    assert set(requests) - set(safe) <= {waiting[0] if waiting else None}
    assert len(safe) > DEATHS, "the client hardly got a word in: this proves nothing"
    for request, seq in safe.items():
        assert table.written[seq - 1].request == request
