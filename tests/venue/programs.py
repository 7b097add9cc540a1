"""What stands beside the services of a hall: the router in front, and the broker of the house."""

from __future__ import annotations

import os
import resource
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.needs import needs_program
from tests.venue.database import PATIENCE, unprivileged

SBIN = "/usr/sbin:/sbin"
ROUTES = """
global
    maxconn {most}
defaults
    mode http
    option forwardfor
    option redispatch 1
    retries 3
    retry-on conn-failure empty-response
    timeout connect 5s
    timeout check 1s
    timeout client 75s
    timeout server 75s
frontend hall
    bind 127.0.0.1:{port}
    http-request set-var(txn.table) path,field(4,/) if {{ path_beg /api/tables/ }}
    http-request disable-l7-retry if METH_POST !{{ path_end /moves /outcome /undo /stir /correct /close /settle }}
    default_backend services
backend services
    balance hash var(txn.table)
    hash-type consistent
    http-reuse safe
    option httpchk
    http-check send meth GET uri /healthz ver HTTP/1.1 hdr Host 127.0.0.1
    http-check expect status 200,507
    default-server check inter 300ms fall 3 rise 1 on-marked-down shutdown-sessions
{servers}
"""
"""By the id of its table in the path a request goes to one process, and to another only while that one is gone.

A step is asked for again where no answer came: it has a request id and is made once. Nothing else is that changes
something. A process that is frozen answers no more than one that is dead, and its streams are ended as well; one whose
database is away (507) shows its tables on.
"""
MOST = 100_000  # connections of a router
OTHER_FILES = 200  # of it, that are no connections


class Program:
    """A program in the foreground with a temporary folder of its own, as a user without rights.

    :param files: what lies in the folder before it begins, by name.
    """

    def __init__(self, name: str, arguments: Sequence[str], *, port: int, files: dict[str, str], apt: str) -> None:
        path = os.environ.get("PATH", "")
        os.environ["PATH"] = f"{path}:{SBIN}" if SBIN not in path else path
        found, who = needs_program(name, apt=apt), unprivileged()
        self.port = port
        self.folder = Path(tempfile.mkdtemp(prefix=f"digside-{name}-"))
        for each, text in files.items():
            (self.folder / each).write_text(text, encoding="utf-8")
        if who:
            os.chown(self.folder, who["user"], who["group"])
            self.folder.chmod(0o755)
        log = (self.folder / "log").open("wb")
        self.process = subprocess.Popen([found, *arguments], cwd=self.folder, stdout=log, stderr=log, **who)
        log.close()
        try:
            self._wait()
        except BaseException:
            self.stop()
            raise

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.01)
            else:
                return
        raise AssertionError((self.folder / "log").read_text(encoding="utf-8", errors="replace")[-2000:])

    def stop(self) -> None:
        """End it, and forget all."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)


def router(port: int, services: Sequence[int]) -> Program:
    """HAProxy before service processes at these ports."""
    line = "    server service{} 127.0.0.1:{}"
    servers = "\n".join(line.format(number, each) for number, each in enumerate(services, 1))
    files = {"haproxy.cfg": ROUTES.format(port=port, servers=servers, most=most_connections())}
    return Program("haproxy", ["-db", "-f", "haproxy.cfg"], port=port, files=files, apt="haproxy")


def most_connections() -> int:
    """As many as this machine grants files for: one to whoever asks, one to the service."""
    return min(MOST, (resource.getrlimit(resource.RLIMIT_NOFILE)[1] - OTHER_FILES) // 2)


def broker(port: int) -> Program:
    """Mosquitto for whoever is on this machine."""
    files = {"mosquitto.conf": f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n"}
    return Program("mosquitto", ["-c", "mosquitto.conf"], port=port, files=files, apt="mosquitto")
