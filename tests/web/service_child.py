"""The real service in a process of its own; the wishes of a test come as JSON in the first argument."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import msgspec

from hardware import rig as rigs
from hardware.face import NoRig
from tests.hardware.table_child import heed_signals, pretend_pins
from web_ui import addresses, protocol
from web_ui import serve as serving
from web_ui.settings import Settings

UNCOUNTED = dict.fromkeys(("taps", "looks", "layings", "guesses"), (1e9, 1e9))


class Spy(NoRig):
    """A rig that writes down when it is made safe."""

    kind = "sim"

    def __init__(self, diary: Path) -> None:
        self.diary = diary

    def make_safe(self) -> None:
        self._note("safe")

    def close(self) -> None:
        self._note("closed")

    def _note(self, word: str) -> None:
        with self.diary.open("a", encoding="ascii") as file:
            file.write(word + "\n")


def main(wishes: dict[str, object]) -> int:
    heed_signals()
    if wishes.get("nohup"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    folder = Path(str(wishes["data"]))
    protocol.HEAD_WITHIN = float(str(wishes.get("head_within", 10)))
    addresses.GONE_AFTER_MS = int(str(wishes.get("gone_after_ms", 15_000)))
    if wishes.get("rig") == "spy":
        vars(rigs)["open_rig"] = lambda name, data, driven_pins: Spy(folder / "diary")
    if "pins" in wishes:
        pretend_pins(Path(str(wishes["pins"])))
    more, names = wishes.get("settings", {}), wishes.get("names", [])
    assert isinstance(more, dict)
    assert isinstance(names, list)
    rig = wishes.get("rig", "none")
    host, https = wishes.get("host", "127.0.0.1"), wishes.get("https_port")
    return serving.serve(
        host=str(host) if host else None,
        port=int(str(wishes["port"])),
        data=folder,
        rig=None if rig is None else str(rig),
        https_port=int(str(https)) if https else None,
        names=names,
        journal=str(wishes["journal"]) if "journal" in wishes else None,
        settings=msgspec.convert({**UNCOUNTED, **more}, Settings),
    )


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
