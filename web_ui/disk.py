"""Whether the disk takes steps, as is known without writing: from how the newest went, and from the room left."""

from __future__ import annotations

import threading

from companion.play.hall import Hall
from companion.refusals import Storage

LEAST_FREE = 1_000_000
TRIED_AGAIN = 5.0  # seconds


class Disk:
    """The disk of a data folder. After a step that it refused it is tried again now and then, until it takes one.

    :param again: seconds until then.
    """

    def __init__(self, hall: Hall, *, again: float = TRIED_AGAIN) -> None:
        self._hall = hall
        self._folder = hall.folder
        self._again = again
        self._lock = threading.Lock()
        self._ill: Storage | None = None
        self._closing = threading.Event()

    def check(self) -> None:
        """Refuse where the disk takes no step. Nothing is written for it.

        :raises Storage: as the newest step was refused, or because the disk is full.
        """
        if self._ill is not None:
            raise self._ill
        free = self._hall.journal.free_bytes()
        if free is not None and free < LEAST_FREE:
            raise Storage("core.disk_full", folder=str(self._folder))

    def refused(self, refusal: Storage) -> None:
        """A step was refused."""
        with self._lock:
            first, self._ill = self._ill is None, refusal
        if first:
            threading.Thread(target=self._try, name="disk", daemon=True).start()

    def took(self) -> None:
        """A step is on it."""
        self._ill = None

    def close(self) -> None:
        """It is tried no more."""
        self._closing.set()

    def _try(self) -> None:
        while self._ill is not None and not self._closing.wait(self._again):
            try:
                self._hall.journal.writable()
            except Storage as refusal:
                self._ill = refusal
            else:
                self._ill = None
