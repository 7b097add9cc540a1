"""A whole hall: the database, so many services over it, and the router before them."""

from __future__ import annotations

import shutil
import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.venue.database import Database
from tests.venue.programs import router
from tests.web.live import Live, free_port, start, wait_for

LONG = 120.0  # seconds for a service to come up while a soak keeps the computer busy
SCREENS = {"streams": 24_000, "kept_streams": 1000, "streams_each": 24_000, "connections": 8000, "hands": 24}
"""A crowd that is simulated comes from one address, and asks more than any people would."""


class Service(Live):
    """One of the processes of a hall."""

    def __init__(self, data: Path, **wishes: Any) -> None:
        self._wishes = wishes
        super().__init__(data, **wishes)

    def kill(self) -> None:
        """It is gone from one moment to the next."""
        self.stop(signal.SIGKILL)

    def again(self) -> None:
        """It is started again at its port."""
        self.process = start(self._data, **{**self._wishes, "port": self.port})
        wait_for(self.port, self.process, LONG)


class Hall:
    """Database, services and router, until it is left.

    :param synced: whether the database waits for the disk.
    :param database: one that there is already, and that stays.
    :param settings: of the services, beside those for a crowd.
    """

    def __init__(
        self, services: int = 3, *, synced: bool = False, database: Database | None = None, **settings: Any
    ) -> None:
        with ExitStack() as undo:
            self.folder = Path(tempfile.mkdtemp(prefix="digside-hall-"))
            undo.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self.database = database or Database(synced=synced)
            if database is None:
                undo.callback(self.database.stop)
            address = self.database.make()
            wishes: dict[str, Any] = {"journal": address, "settings": {"router": "127.0.0.1", **SCREENS, **settings}}
            self.services = []
            for _ in range(services):
                self.services.append(Service(self.folder, **wishes))
                undo.callback(self.services[-1].stop, signal.SIGKILL)
            self.router = router(free_port(), [each.port for each in self.services])
            undo.callback(self.router.stop)
            self._undo = undo.pop_all()

    def stop(self) -> None:
        """End all of it."""
        self._undo.close()

    def __enter__(self) -> Hall:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
