"""The emulated Pico in real time behind a pseudo-terminal: what ``--link`` is to the other boards.

It obeys what the emulator obeys, and ``unplug``. Where this computer is busy the board's own clock falls behind.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import time
import tty
from pathlib import Path

from tests.firmware_bridge.benches import PicoBench, command

LOOK_EACH_S = 0.002
LONGEST_STEP_S = 0.02
CHUNK = 4096


class LivePico:
    """A Pico whose time passes as this computer's does.

    :param link: where the wire's other end is to be found
    """

    def __init__(self, link: Path) -> None:
        self._board = PicoBench("pico", command("pico"))
        self._board.rest()
        self._wire, self._far_end = os.openpty()
        tty.setraw(self._far_end)
        os.set_blocking(self._wire, False)
        self._link = link
        link.symlink_to(os.ttyname(self._far_end))
        self._plugged = True
        self._lines = b""

    def run(self) -> None:
        """Until nobody tells it anything any more."""
        print(json.dumps(self._board.obey("state")), flush=True)
        before = time.monotonic()
        while self._obey():
            now = time.monotonic()
            said = self._board.run(round(min(now - before, LONGEST_STEP_S) * 1000))
            if round((now - before) * 1000):
                before = now
            if self._plugged:
                self._pass_on(said)
        self._link.unlink(missing_ok=True)

    def _obey(self) -> bool:
        readable, _, _ = select.select([0, *([self._wire] if self._plugged else [])], [], [], LOOK_EACH_S)
        if self._wire in readable:
            self._board.hear(os.read(self._wire, CHUNK))
        if 0 in readable:
            told = os.read(0, CHUNK)
            *lines, self._lines = (self._lines + told).split(b"\n")
            for line in lines:
                print(json.dumps(self._do(line.decode())), flush=True)
            return bool(told)
        return True

    def _do(self, line: str) -> dict[str, object]:
        if line != "unplug":
            return self._board.obey(line)
        self._plugged = False
        self._link.unlink(missing_ok=True)
        os.close(self._far_end)
        os.close(self._wire)
        return {"ok": True}

    def _pass_on(self, said: bytes) -> None:
        try:
            os.write(self._wire, said)
        except BlockingIOError:
            return  # nobody reads: a USB port that is full loses it, too


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--link", type=Path, required=True)
    LivePico(parser.parse_args().link).run()


if __name__ == "__main__":
    main()
