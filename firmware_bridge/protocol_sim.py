"""Makes `sim://` an address for pyserial (once ports.py is imported): `serial_for_url("sim://?leak=0.3&drop=5")`."""

from __future__ import annotations

import time
from collections import deque

from serial.serialutil import PortNotOpenError, SerialBase, SerialException

from firmware_bridge.sim import World, drain, receive, world_at


class Serial(SerialBase):  # type: ignore[misc]  # pyserial has no types
    """A serial port whose far end is the simulated board."""

    is_open: bool
    _world: World | None = None
    _pending = b""
    _on_the_way: deque[tuple[float, bytes]]

    def open(self) -> None:
        """Open the port; like opening a Nano's, it resets the board."""
        if self.is_open:
            raise SerialException("port is already open")
        try:
            world = world_at(str(self.portstr))
        except (ValueError, RuntimeError) as error:
            raise SerialException(str(error)) from error
        if world is None:
            raise SerialException(f"{self.portstr} is not a sim:// address")
        self._claim(world)
        self.is_open = True

    def _claim(self, world: World) -> None:
        if not world.plugged:
            raise SerialException("no such port: the cable is out")
        if not world.claim():
            raise SerialException("somebody else has this simulated port open")
        try:
            drain(world)
            world.opened()
        except OSError as error:
            world.release()
            raise SerialException(str(error)) from error
        self._world = world
        self._pending = b""
        self._on_the_way = deque()

    def close(self) -> None:
        if self._world is not None:
            self._world.release()
        self._world = None
        self.is_open = False

    def _far_end(self) -> World:
        if self._world is None:
            raise PortNotOpenError()
        return self._world

    def _look(self, timeout: float | None) -> None:
        """Wait for bytes, at most until some that are on their way arrive."""
        world = self._far_end()
        if self._on_the_way:
            arrives = max(0.0, self._on_the_way[0][0] - time.monotonic())
            timeout = arrives if timeout is None else min(timeout, arrives)
        try:
            heard = receive(world, 4096, timeout)
        except (OSError, ValueError) as error:
            raise SerialException(f"read failed: {error}") from error
        if heard and (self._dtr_state or not world.native):
            passed = world.noise_in.pass_on(heard, world.drop, world.corrupt)
            self._on_the_way.append((time.monotonic() + world.delay, passed))
        while self._on_the_way and self._on_the_way[0][0] <= time.monotonic():
            self._pending += self._on_the_way.popleft()[1]

    @property
    def in_waiting(self) -> int:
        """How many bytes have arrived."""
        self._look(0)
        return len(self._pending)

    def read(self, size: int = 1) -> bytes:
        """Read up to `size` bytes, or fewer when the time-out is over."""
        end = None if self._timeout is None else time.monotonic() + self._timeout
        while len(self._pending) < size:
            left = None if end is None else max(0.0, end - time.monotonic())
            self._look(left)
            if left == 0.0:
                break
        data, self._pending = self._pending[:size], self._pending[size:]
        return data

    def write(self, data: bytes) -> int:
        """Write bytes; a cable that is out is an error."""
        world = self._far_end()
        if not world.plugged:
            raise SerialException("write failed: the cable is out")
        try:
            world.wire.sendall(world.noise_out.pass_on(bytes(data), world.drop, world.corrupt))
        except OSError as error:
            raise SerialException(f"write failed: {error}") from error
        return len(data)

    def reset_input_buffer(self) -> None:
        self._look(0)
        self._pending = b""
        self._on_the_way.clear()

    def reset_output_buffer(self) -> None:
        """Nothing waits here."""

    def cancel_read(self) -> None:
        """Reads end by themselves within their time-out."""

    def _reconfigure_port(self, **_settings: object) -> None:
        """Any speed will do."""

    def _update_dtr_state(self) -> None:
        """The reset on opening is the world's business; a board with a USB port of its own looks at it as it speaks."""

    def _update_rts_state(self) -> None:
        """There is no such line."""
