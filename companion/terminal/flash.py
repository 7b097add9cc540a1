"""`digside flash`: the firmware that comes with Digside is written to a Nano, without any other program."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from companion.refusals import AsTyped, Fact, Malformed, as_typed
from companion.words import say

KEPT = "board-before.hex"
STEP = 0.25
SHARED = "ui.rig.flash"
"""What is said on the page of the shovel, too."""
STAGES = {"write": "writing"}


class FlashReport(Protocol):
    """What has become of it."""

    @property
    def chip(self) -> str | None:
        """The chip that has the firmware now."""

    @property
    def why(self) -> str:
        """Else a code."""

    @property
    def reason(self) -> str:
        """As the computer puts it."""


class Flasher(Protocol):
    """All that is known here of boards and of how they are written to."""

    def ports(self) -> Sequence[str]:
        """Where a board might be."""

    def version(self) -> str:
        """The version of the firmware that is shipped."""

    def firmware(self) -> bytes:
        """The firmware that is shipped."""

    def read_file(self, file: Path, /) -> bytes:
        """The firmware in a file."""

    def keep_in(self, file: Path, /) -> Callable[[bytes], None]:
        """What keeps firmware in a file."""

    def flash(
        self,
        port: str,
        firmware: bytes,
        *,
        progress: Callable[[str, float], None],
        keep: Callable[[bytes], None] | None = None,
    ) -> FlashReport:
        """Write it, and compare."""


class Flashing:
    """Writing firmware from a terminal, in somebody's language.

    :param folder: where what was on the board before is kept
    """

    def __init__(self, folder: Path, flasher: Flasher, language: str) -> None:
        self._folder = folder
        self._flasher = flasher
        self._language = language
        self._stage = ""
        self._said = 0.0

    def run(self, port: str | None, *, file: Path | None, back: bool) -> int:
        """Write what is shipped, a file, or what was there before.

        :raises Malformed: when it is not said to which board, or the file is no firmware.
        """
        kept = self._folder / KEPT
        firmware = self._from_file(kept if back else file) if back or file else self._flasher.firmware()
        at = port or self._only_port()
        self._tell("at", port=AsTyped(at))
        keep = None if back else self._flasher.keep_in(kept)
        flashed = self._flasher.flash(at, firmware, progress=self._progress, keep=keep)
        if flashed.chip is None:
            failed = "flash.failed_port" if flashed.why == "port" else f"{SHARED}.failed_{flashed.why}"
            said = say(self._language, failed, {"reason": AsTyped(flashed.reason)})
            print(f"\n{said}", file=sys.stderr)
            return 1
        done = "done_file" if back or file else "done"
        self._tell(done, chip=AsTyped(flashed.chip), version=AsTyped(self._flasher.version()))
        if not back and kept.exists():
            self._tell("kept", file=AsTyped(kept))
        return 0

    def _from_file(self, file: Path | None) -> bytes:
        path = file or Path()
        try:
            return self._flasher.read_file(path)
        except ValueError as wrong:
            raise Malformed("flash.not_hex", file=AsTyped(path), reason=AsTyped(str(wrong))) from wrong
        except OSError as why:
            raise Malformed("cli.cannot_read", file=AsTyped(path), reason=AsTyped(str(why))) from why

    def _only_port(self) -> str:
        ports = self._flasher.ports()
        if not ports:
            raise Malformed("flash.no_board")
        if len(ports) > 1:
            raise Malformed("flash.which_board", ports=as_typed(ports))
        return ports[0]

    def _progress(self, stage: str, share: float) -> None:
        """A line for each stage, and how far it is in between."""
        if stage != self._stage:
            self._stage, self._said = stage, 0.0
            print(say(self._language, f"{SHARED}.{STAGES.get(stage, stage)}", {}), end="", flush=True)
        if share - self._said >= STEP or share == 1.0 > self._said:
            self._said = share
            print(f" {round(share * 100)} %", end="\n" if share == 1.0 else "", flush=True)

    def _tell(self, key: str, **facts: Fact) -> None:
        print(say(self._language, f"flash.{key}", facts))
