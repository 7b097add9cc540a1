"""`digside rig`: what stands beside the table is chosen once, by name or by answering, and kept with the tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from companion.refusals import AsTyped, Fact, Malformed, as_typed
from companion.words import say

BOARDS = ("nano", "pico")


class OfferedRig(Protocol):
    """One rig that may be chosen."""

    @property
    def name(self) -> str:
        """The name of its preset."""

    @property
    def port(self) -> str | None:
        """Where its board is, if it has one."""


class ChosenRigFile(Protocol):
    """Where a choice is kept, and where the one before it."""

    @property
    def file(self) -> Path:
        """The data folder's rig file."""

    @property
    def former(self) -> Path | None:
        """The one before, if there was another."""


class RigChoices(Protocol):
    """All that is known here of hardware: what may be chosen, what was, and how it is kept."""

    def offers(self) -> Sequence[OfferedRig]:
        """What may be chosen on this machine."""

    def ports(self) -> Sequence[str]:
        """Where a board might be."""

    def chosen(self, data: Path, /) -> Path | None:
        """The rig file that was chosen."""

    def save_choice(self, data: Path, name_or_path: str, port: str | None = None, /) -> ChosenRigFile:
        """Keep a preset or a file as the choice."""


class RigChooser:
    """Choosing the rig of a data folder, in somebody's language."""

    def __init__(self, folder: Path, hardware: RigChoices, language: str) -> None:
        self._folder = folder
        self._hardware = hardware
        self._language = language

    def by_name(self, name: str, port: str | None) -> int:
        """Keep what was named; a board that is not the only one has to be named by its port.

        :raises Malformed: when it does not say which
        """
        if port is not None and name not in BOARDS:
            raise Malformed("cli.rig_no_port", rig=AsTyped(name))
        self._keep(name, port or self._only_port() if name in BOARDS else None)
        return 0

    def shown(self) -> int:
        """Say what was chosen; where somebody is there to answer, ask."""
        file = self._hardware.chosen(self._folder)
        self._say("rig_chosen", file=AsTyped(file)) if file else self._say("rig_not_chosen")
        if somebody_answers():
            return 0 if self.ask() or file else 1
        self._say("rig_how")
        return 0 if file else 1

    def at_start(self) -> None:
        """What a service does that nobody told what stands beside it: it asks, or says how to choose and goes on."""
        if self._hardware.chosen(self._folder):
            return
        self._say("rig_not_chosen")
        if not (somebody_answers() and self.ask()):
            self._say("rig_how")

    def ask(self) -> bool:
        """Ask until there is an answer, and keep it; an empty line leaves it open."""
        offers = self._hardware.offers()
        self._say("rig_question")
        for number, offer in enumerate(offers, start=1):
            print(f"  {number}  {self._said(f'rig_offer_{offer.name}', port=AsTyped(offer.port or ''))}")
        while answer := _answer():
            if answer.isdecimal() and 1 <= int(answer) <= len(offers):
                offer = offers[int(answer) - 1]
                self._keep(offer.name, offer.port)
                return True
            self._say("rig_which_number", n=len(offers))
        return False

    def _only_port(self) -> str:
        ports = self._hardware.ports()
        if not ports:
            raise Malformed("cli.rig_no_board")
        if len(ports) > 1:
            raise Malformed("cli.rig_which_board", ports=as_typed(ports))
        return ports[0]

    def _keep(self, name: str, port: str | None) -> None:
        kept = self._hardware.save_choice(self._folder, name, port)
        if port:
            self._say("rig_at", port=AsTyped(port))
        self._say("rig_kept", file=AsTyped(kept.file))
        if kept.former:
            self._say("rig_former", file=AsTyped(kept.former))

    def _said(self, key: str, **facts: Fact) -> str:
        return say(self._language, f"cli.{key}", facts)

    def _say(self, key: str, **facts: Fact) -> None:
        print(self._said(key, **facts))


def somebody_answers() -> bool:
    """Whether a person sits at both ends of the terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _answer() -> str:
    try:
        return input("> ").strip()
    except EOFError:
        return ""
