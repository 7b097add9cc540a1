"""``make venue``: starts a hall here and says where; Ctrl-C ends all of it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

from tests.venue.database import Database
from tests.venue.programs import broker, router
from tests.web.live import TREE, free_port, wait_for

SERVICES = 3
LOOKS = 0.5  # seconds between two looks whether all services live


def main(port: int) -> int:
    """Serve until somebody says stop."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with ExitStack() as undo:
        folder = Path(tempfile.mkdtemp(prefix="digside-venue-"))
        undo.callback(shutil.rmtree, folder, ignore_errors=True)
        database = Database(synced=True)
        undo.callback(database.stop)
        address = database.make()
        house = broker(free_port())
        undo.callback(house.stop)
        ports = [free_port() for _ in range(SERVICES)]
        services = {each: _service(folder, each, address) for each in ports}
        undo.callback(_end, services)
        for each, process in services.items():
            wait_for(each, process)
        front = router(port, ports)
        undo.callback(front.stop)
        print(f"The hall:   http://127.0.0.1:{port}")
        print(f"Owner:      http://127.0.0.1:{port}/owner#{_owner(folder)}")
        print(f"Services:   {', '.join(f'http://127.0.0.1:{each} (process {services[each].pid})' for each in ports)}")
        print(f"Database:   psql '{address}'")
        print(f"Broker:     mqtt://127.0.0.1:{house.port}")
        print("End it with Ctrl-C.", flush=True)
        while not ended.wait(LOOKS):
            for each in [each for each, process in services.items() if process.poll() is not None]:
                services[each] = _service(folder, each, address)
                print(f"The service at {each} has ended and is started again: {services[each].pid}", flush=True)
    return 0


def _service(folder: Path, port: int, address: str) -> subprocess.Popen[bytes]:
    asked = ["serve", "--host", "127.0.0.1", "--port", str(port), "--data", str(folder), "--rig", "none"]
    more = ["--router", "127.0.0.1", "--screens", "4000"]
    here = {**os.environ, "PYTHONPATH": str(TREE), "DIGSIDE_JOURNAL": address}
    command = [sys.executable, "-m", "companion.terminal.cli", *asked, *more]
    log = (folder / f"service-{port}.log").open("ab")
    return subprocess.Popen(command, env=here, stdout=log, stderr=log, start_new_session=True)


def _owner(folder: Path) -> str:
    from web_ui.owner import Owner

    return Owner(folder).key


def _end(services: dict[int, subprocess.Popen[bytes]]) -> None:
    for process in services.values():
        process.terminate()
    for process in services.values():
        process.wait(20)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 8765))
