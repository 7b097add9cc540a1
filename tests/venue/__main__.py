"""``make venue``: starts a hall here and says where; Ctrl-C, or a closed terminal, ends all of it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

from tests.venue.database import Database, unprivileged
from tests.venue.programs import broker, router
from tests.web.live import TREE, free_port, wait_for

SERVICES = 3
LOOKS = 0.5  # seconds between two looks whether all services live
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main(port: int) -> int:
    """Serve until somebody says stop, or closes the terminal."""
    ended = threading.Event()
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores one
            signal.signal(number, lambda *_: ended.set())
    with ExitStack() as undo:
        folder = Path(tempfile.mkdtemp(prefix="digside-venue-"))
        undo.callback(shutil.rmtree, folder, ignore_errors=True)
        services = Services(folder)
        database = Database(synced=True)
        undo.callback(database.stop)
        house = broker(free_port())
        undo.callback(house.stop)
        undo.callback(services.end)
        address = database.make()
        services.start(address, f"mqtt://127.0.0.1:{house.port}")
        front = router(port, list(services.running))
        undo.callback(front.stop)
        print(f"The hall:   http://127.0.0.1:{port}")
        print(f"Owner:      http://127.0.0.1:{port}/owner#{json.loads((folder / 'owner.json').read_bytes())['key']}")
        print(f"Services:   {services.told()}")
        print(f"Database:   psql '{address}'")
        print(f"Broker:     mqtt://127.0.0.1:{house.port}")
        print("End it with Ctrl-C.", flush=True)
        while not ended.wait(LOOKS):
            services.look_after()
    return 0


class Services:
    """The processes of a hall, which share a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._command = [*as_a_reader(folder), sys.executable, "-m", "companion.terminal.cli"]
        self._environment = {**os.environ, "PYTHONPATH": str(TREE), "HOME": str(folder)}
        self._more: list[str] = []
        self.running: dict[int, subprocess.Popen[bytes]] = {}

    def start(self, journal: str, broker: str) -> None:
        """All of them, until they answer."""
        self._environment |= {"DIGSIDE_JOURNAL": journal}
        shared = ["--host", "127.0.0.1", "--data", str(self._folder), "--rig", "none"]
        self._more = ["serve", *shared, "--router", "127.0.0.1", "--screens", "4000", "--mqtt", broker]
        for port in [free_port() for _ in range(SERVICES)]:
            self.running[port] = self._run(*self._more, "--port", str(port))
            wait_for(port, self.running[port])

    def look_after(self) -> None:
        """Start again whoever has ended."""
        for port in [port for port, process in self.running.items() if process.poll() is not None]:
            self.running[port] = self._run(*self._more, "--port", str(port))
            print(f"The service at {port} has ended and is started again: {self.running[port].pid}", flush=True)

    def told(self) -> str:
        """Where they are."""
        return ", ".join(f"http://127.0.0.1:{port} (process {each.pid})" for port, each in self.running.items())

    def end(self) -> None:
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            process.wait(20)

    def _run(self, *asked: str) -> subprocess.Popen[bytes]:
        with (self._folder / "services.log").open("ab") as log:
            return subprocess.Popen(
                [*self._command, *asked],
                cwd=self._folder,
                env=self._environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )


def as_a_reader(folder: Path) -> list[str]:
    """What makes a program that root starts another user's, whose own this folder is, and who may read the program.

    It may lie in root's own folders, and Python too, where other users see nothing.
    """
    who = unprivileged()
    if not who:
        return []
    os.chown(folder, who["user"], who["group"])
    reads = "+dac_read_search"
    rights = ["--clear-groups", f"--inh-caps={reads}", f"--ambient-caps={reads}"]
    return ["setpriv", f"--reuid={who['user']}", f"--regid={who['group']}", *rights]


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 8765))
