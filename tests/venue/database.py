"""PostgreSQL in a temporary folder, by an unprivileged user: it refuses to be root's."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.needs import needs_program

PATIENCE = 20.0
PLACES = "/usr/lib/postgresql/*/bin"
APT = "postgresql"
NOBODY = ("postgres", "nobody")


def unprivileged() -> dict[str, Any]:
    """As whom a program runs that must not be root's; as whoever asks, where that is not root."""
    if os.getuid() != 0:
        return {}
    for name in NOBODY:
        with suppress(KeyError):
            known = pwd.getpwnam(name)
            return {"user": known.pw_uid, "group": known.pw_gid, "extra_groups": []}
    raise LookupError(f"there is no user of these: {NOBODY}")


def _program(name: str) -> str:
    """Where a program of PostgreSQL is: Debian keeps them off the path."""
    for place in sorted(Path("/").glob(f"{PLACES[1:]}/{name}"), reverse=True):
        return str(place)
    return needs_program(name, apt=APT)


def family_of(pid: int) -> list[int]:
    """A process and its children."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split())]


def _tell(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):  # a connection's process may have ended
        os.kill(pid, number)


class Database:
    """A PostgreSQL that listens at a socket in its own folder and nowhere else.

    :param synced: whether each commit waits for the disk; a test that pulls no plug can do without.
    """

    def __init__(self, *, synced: bool = False) -> None:
        initdb, self._postgres = _program("initdb"), _program("postgres")
        self.folder = Path(tempfile.mkdtemp(prefix="digside-database-"))
        self._data = self.folder / "data"
        self._log = self.folder / "log"
        self._who = unprivileged()
        self._synced = "on" if synced else "off"
        self.process: subprocess.Popen[bytes] | None = None
        if self._who:
            os.chown(self.folder, self._who["user"], self._who["group"])
        asked = [initdb, "-D", str(self._data), "-U", "digside", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run(asked, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **self._who)
        self.start()

    def address(self, database: str = "digside") -> str:
        """A database of it, for whoever wants to connect; it is made by `make`."""
        return f"postgresql://digside@/{database}?host={self.folder}"

    def make(self, database: str = "digside", *, encoding: str = "UTF8") -> str:
        """A fresh, empty database, and its address."""
        import psycopg

        with psycopg.connect(self.address("postgres"), autocommit=True) as db:
            db.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)'.encode())
            how = f"STRATEGY file_copy TEMPLATE template0 ENCODING '{encoding}'"
            db.execute(f'CREATE DATABASE "{database}" {how}'.encode())
        return self.address(database)

    def run(self, program: str, *words: str, told: bytes = b"") -> bytes:
        """What one of its programs says, which must go well."""
        return subprocess.run([_program(program), *words], input=told, stdout=subprocess.PIPE, check=True).stdout

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.folder),
            "fsync": self._synced,
            "full_page_writes": self._synced,
            "shared_buffers": "64MB",
            "max_connections": "100",
            "autovacuum_naptime": "10s",
        }
        told = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [self._postgres, "-D", str(self._data), *told], stdout=log, stderr=log, cwd=self.folder, **self._who
            )
        self._wait()

    def _wait(self) -> None:
        import psycopg

        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process and self.process.poll() is None:
            with suppress(psycopg.OperationalError):
                psycopg.connect(self.address("postgres")).close()
                return
            time.sleep(0.02)
        raise AssertionError(self._log.read_text(encoding="utf-8", errors="replace")[-2000:])

    def kill(self) -> None:
        """It is gone from one moment to the next, with all its processes."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)  # it drops all at once, as if the power went, and repairs later
            self.process.wait(PATIENCE)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """It lives, and does nothing."""
        assert self.process
        family = family_of(self.process.pid)
        try:
            for each in family:
                _tell(each, signal.SIGSTOP)
            yield
        finally:
            for each in family:
                _tell(each, signal.SIGCONT)

    def stop(self) -> None:
        """End it, and forget all."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)
