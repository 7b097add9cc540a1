"""A link between browser and service that can fall silent, as Wi-Fi does, or be cut, and come back."""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import threading

RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close with a reset
GLANCE = 0.05


class Relay:
    """Passes bytes on to a port. While it is silent it takes connections and says nothing, with no word of closing."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._quiet = threading.Event()
        self._ends: list[socket.socket] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        self._quiet.set()

    def back(self) -> None:
        """The link is there again; what hung on it before is dead."""
        self._quiet.clear()
        self.cut()

    def cut(self) -> None:
        ends, self._ends = self._ends, []
        for end in ends:
            with contextlib.suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                end.close()

    def close(self) -> None:
        self._server.close()
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._server.accept()
                self._ends.append(near)
                if self._quiet.is_set():
                    continue
                far = socket.create_connection(("127.0.0.1", self._port))
                self._ends.append(far)
                threading.Thread(target=self._pass_on, args=(near, far), daemon=True).start()

    def _pass_on(self, near: socket.socket, far: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError):
            while True:
                ready, _, _ = select.select([near, far], [], [], GLANCE)
                if self._quiet.is_set():
                    threading.Event().wait(GLANCE)
                    continue
                for end in ready:
                    said = end.recv(65536)
                    if not said:
                        raise OSError
                    (far if end is near else near).sendall(said)
        for end in (near, far):
            with contextlib.suppress(OSError):
                end.close()
