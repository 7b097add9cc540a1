"""The machines of a world: Pis that play, a hub that keeps copies, and the network between them."""

from __future__ import annotations

import io
import random
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from email.message import Message
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Flask

from companion.play.hall import Hall
from companion.play.restoring import put_back_as_wished
from companion.refusals import Refusal
from hardware.face import NoRig
from tests.web.people import client
from tests.world.disk import Disks, Survives
from web_ui.app import create_app
from web_ui.copier import Copier
from web_ui.service import Service
from web_ui.settings import Settings


class Clock:
    """The clock of a world, which somebody may set; what is left of it never goes back by itself."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        self.now += 7
        return self.now


class Machine:
    """A machine with a disk: its power is cut, its process killed, and it starts again from what is left.

    Each life has a folder of its own, so that what is left of an earlier one can do no harm to it.
    """

    def __init__(self, disks: Disks, name: str, clock: Clock, *, hub: bool = False) -> None:
        self._disks = disks
        self._clock = clock
        self._hub = hub
        self._lives = 0
        self.name = name
        self.address = f"http://{name}.lan:8765"
        (disks.root / name).mkdir()
        self.hall: Hall | None = None
        self._app: Flask | None = None
        self._copier: Copier | None = None

    @property
    def folder(self) -> Path:
        """The folder of this life."""
        return self._disks.root / self.name / str(self._lives)

    @property
    def is_up(self) -> bool:
        """Whether it runs."""
        return self.hall is not None

    @property
    def is_dead(self) -> bool:
        """Whether its power is gone: nobody hears what it still says."""
        return self._disks.is_dead(self.folder)

    @property
    def app(self) -> Flask:
        """Its service, which is not made before somebody asks for it."""
        if self.hall is None or self.is_dead:
            raise OSError("connection refused")
        if self._app is None:
            self._app = create_app(self.hall, NoRig(), settings=Settings(keeps_copies=self._hub, at_home=1e9))
        return self._app

    @property
    def service(self) -> Service:
        """What the service is made of."""
        found: Service = self.app.extensions["digside"]
        return found

    def copier(self, hub: Machine) -> Copier:
        """What sends its copies to a hub."""
        if self.hall is None or hub.service.copies is None:
            raise OSError("connection refused")
        if self._copier is None:
            self._copier = Copier(self.hall, hub.address, hub.service.copies.token)
            for table in (self.hall.table(each.table) for each in self.hall.tables()):
                self._copier.stepped(table, ())
        return self._copier

    def start(self) -> Refusal | OSError | None:
        """Start as `digside serve` does; why it does not, if so."""
        try:
            put_back_as_wished(self.folder, now=self._clock.now / 1000)
            self.hall = Hall(self.folder, clock=self._clock)
        except (Refusal, OSError) as refused:
            return refused
        return None

    def stop(self) -> None:
        """End it in order."""
        self._let_go()

    def cut(self, luck: random.Random, survives: Survives) -> None:
        """Cut its power: what runs there changes nothing any more, and what is left of its disk is another life's."""
        old = self.folder
        self._disks.kill(old)
        self._let_go()
        self._lives += 1
        self._disks.left(old, self.folder, luck, survives)

    def _let_go(self) -> None:
        with suppress(Exception):
            if self._app is not None:
                self._app.extensions["digside"].close()
        with suppress(Exception):
            if self.hall is not None:
                self.hall.close()
        self.hall = self._app = self._copier = None


class Kept(NamedTuple):
    """A question that somebody on the way has kept."""

    to: str
    path: str
    method: str
    body: bytes
    headers: dict[str, str]


class Network:
    """The way between the machines: what is asked or answered may be lost, or come once more much later."""

    def __init__(self, machines: list[Machine], luck: random.Random) -> None:
        self._machines = {urlsplit(machine.address).netloc: machine for machine in machines}
        self._luck = luck
        self.loses = 0.0
        self.heard: list[Kept] = []
        self.asked: Callable[[Machine], None] = lambda machine: None

    def open(self, request: urllib.request.Request, timeout: float) -> io.BytesIO:
        """What urllib would do."""
        there = urlsplit(request.full_url)
        body = request.data if isinstance(request.data, bytes) else b""
        kept = Kept(there.netloc, there.path, request.get_method(), body, dict(request.header_items()))
        if body and self._luck.random() < 0.5:
            self.heard.append(kept)
        self._may_be_lost()
        answer = self.deliver(kept)
        self._may_be_lost()
        if answer.status >= 400:
            raise urllib.error.HTTPError(request.full_url, answer.status, "", Message(), io.BytesIO(answer.body))
        return io.BytesIO(answer.body)

    def deliver(self, kept: Kept) -> Answer:
        """Bring a question to whom it is for."""
        machine = self._machines[kept.to]
        self.asked(machine)
        answer = client(machine.app).open(kept.path, method=kept.method, data=kept.body, headers=kept.headers)
        if machine.is_dead:
            raise OSError("connection reset by peer")
        return Answer(answer.status_code, bytes(answer.data))

    def _may_be_lost(self) -> None:
        if self._luck.random() < self.loses:
            raise OSError("no route to host")


class Answer(NamedTuple):
    """What is answered: the status of HTTP, and the rest."""

    status: int
    body: bytes
