"""The suction shovel as a gpiozero device: on a Pi's own pins, or on a board at a serial port."""

import time
import warnings
import weakref
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from gpiozero import (
    CompositeDevice,
    Device,
    EventsMixin,
    Factory,
    GPIOPinMissing,
    GPIOZeroWarning,
    OutputDevice,
    SourceMixin,
)
from gpiozero.mixins import event

from firmware_bridge.board import Board
from hardware.air import GpioAir
from hardware.board_parts import BoardWire, SerialAir
from hardware.calibration import Calibration, CalibrationFile, Reading
from hardware.events import LiftDone, LiftFailed, LiftHeld, RigEvent, RigKind, RigState, ShovelState
from hardware.face import Do, Rig
from hardware.faults import ShovelRefused
from hardware.lifter import LiftLimits
from hardware.live import LiveRig
from hardware.pins import why_on_at_boot
from hardware.protocol_found import address_of
from hardware.sensors import SENSORS, NoSensor, PinName, Sensor, Transducer, VacuumGauge, VacuumSwitch

__all__ = ["AnyShovel", "OnAtBoot", "SerialVacuumShovel", "VacuumGauge", "VacuumShovel", "VacuumSwitch"]

BOARD_WITHIN_S = 8.0
"""How long a board may need to be heard: opening its port restarts it, and an old bootloader takes its time."""

FIRST_LOOK_WITHIN_S = 0.5
LOOK_EVERY_S = 0.005


class NoPins(Factory):  # type: ignore[misc]  # gpiozero is not typed
    """
    What a device behind a serial port has for a pin factory, so that it needs no library for pins.

    >>> clock = NoPins()
    >>> clock.ticks_diff(clock.ticks(), clock.ticks()) <= 0
    True
    """

    def ticks(self) -> float:
        """Seconds that only go forward."""
        return time.monotonic()

    def ticks_diff(self, later: float, earlier: float) -> float:
        """Seconds between two ticks."""
        return later - earlier


NO_PINS = NoPins()


class OnAtBoot(GPIOZeroWarning):  # type: ignore[misc]  # gpiozero is not typed
    """A pump or a valve is at a pin that switches it on while the Pi starts."""


class AnyShovel(SourceMixin, EventsMixin):  # type: ignore[misc]  # gpiozero is not typed
    """
    What every shovel does, whatever drives it.

    It is active while it holds something. A loop of its own watches the lift and renews the lease of the pump: a
    script that waits, or sleeps, or ends, never leaves a pump running. :exc:`~hardware.faults.ShovelRefused` says why
    it does not do something now; everything it does raises :exc:`gpiozero.DeviceClosed` once it is closed.
    """

    _rig: Rig | None = None
    _held = False

    def grip(self, *, sure: bool = False) -> None:
        """
        Lift; returns at once. :meth:`wait_for_held` waits until there is a grip.

        :param sure: a person says that the cup is empty, whatever the sensor reads
        """
        self._do("grip", sure=sure)

    def release(self) -> None:
        """Put down what is held; where nothing is held it changes nothing."""
        self._do("release")

    def stop(self) -> None:
        """Pump off and valve open, at once and in every state."""
        self._do("stop")

    def confirm(self) -> None:
        """Say in place of the sensor that the shovel holds something, or that what it held has come off."""
        self._do("confirm")

    def clear(self) -> None:
        """Clear a fault, once its cause is gone."""
        self._do("clear")

    def calibrate(self, reading: Reading) -> Calibration:
        """Take one of the three guided readings, ``"ambient"``, ``"open"`` and ``"sealed"``; it takes two seconds."""
        return self._open_rig().calibrate(reading)

    @property
    def state(self) -> ShovelState:
        """The shovel at this moment: phase, vacuum, fault, outcome, and how long the pump may still run."""
        state = self._open_rig().state().shovel
        if state is None:
            raise ShovelRefused("absent")
        return state

    @property
    def value(self) -> int:
        """1 while something is held, until it is put down; else 0. Set to 1 it grips, set to 0 it lets go."""
        self._check_open()
        return int(self._held)

    @value.setter
    def value(self, wanted: float) -> None:
        if wanted:
            self.grip()
        else:
            self.release()

    @property
    def is_held(self) -> bool:
        """Whether something is held."""
        return bool(self.value)

    @property
    def closed(self) -> bool:
        """Whether it was closed; nothing can be asked of it then."""
        return self._rig is None

    def close(self) -> None:
        """Everything safe first, then the loop ends and the devices are given back; harmless to repeat."""
        rig = self._rig
        if rig is not None:
            rig.make_safe()
        try:
            super().close()
        finally:
            if rig is not None:
                rig.close()
                self._rig = None

    when_lost = event(
        """
        The function to run when what was held has come off though nobody let go, or a fault made the shovel let go.
        It may take the shovel as its parameter; ``shovel.state`` says more in its ``outcome`` and its ``fault``.
        """
    )

    def _begin(self, rig: LiveRig) -> None:
        """Follow the loop. It holds no reference to this device: one that is forgotten is closed, and lets go."""
        forgotten = weakref.ref(self)

        def heard(told: RigEvent) -> None:
            shovel = forgotten()
            if shovel is not None:
                shovel._heard(told)

        self._rig = rig
        rig.start()
        self._rig.listen(heard)
        _await_first_look(self._rig)
        self._fire_events(self.pin_factory.ticks(), False)

    def _heard(self, told: RigEvent) -> None:
        ticks = self.pin_factory.ticks()
        match told:
            case LiftHeld():
                self._held = True
                self._fire_events(ticks, True)
            case LiftDone():
                self._held = False
                self._fire_events(ticks, False)
            case LiftFailed(why=why):
                lost, self._held = self._held and why != "stopped", False
                if lost and self.when_lost:
                    self.when_lost()
                self._fire_events(ticks, False)

    def _copy_values(self, source: Iterable[float]) -> None:
        """Follow a source; one that asks too early, as of a pump that rests, is asked again and not given up."""
        for value in source:
            with suppress(ShovelRefused):
                self.value = value
            if self._source_thread.stopping.wait(self.source_delay):
                break

    def _do(self, do: Do, *, sure: bool = False) -> RigState:
        return self._open_rig().shovel(do, sure=sure)

    def _open_rig(self) -> Rig:
        self._check_open()
        rig = self._rig
        if rig is None:
            raise ShovelRefused("closed")
        return rig


AnyShovel.held_time = AnyShovel.active_time
AnyShovel.when_held = AnyShovel.when_activated
AnyShovel.when_released = AnyShovel.when_deactivated
AnyShovel.wait_for_held = AnyShovel.wait_for_active
AnyShovel.wait_for_released = AnyShovel.wait_for_inactive


class VacuumShovel(AnyShovel, CompositeDevice):  # type: ignore[misc]  # gpiozero is not typed
    """
    Extends :class:`gpiozero.CompositeDevice`: a pump and a vent valve on two pins, and perhaps a sensor.

    The following example lifts a card for two seconds::

        from time import sleep
        from hardware.shovel import VacuumShovel
        with VacuumShovel(17, valve=27) as shovel:
            shovel.grip()
            sleep(2)

    The limits of a board are kept here by the script's own process: a lease of 0.7 s, a longest time, and a budget,
    with a watchdog thread that can only cut. What ends the process itself it cannot survive, as the guide says.

    :param pump: the pin of the pump
    :param valve: the pin of the vent valve, which is open while it is off
    :param sensor: the pin of a vacuum switch, or a :class:`VacuumSwitch` or :class:`VacuumGauge`, which is closed with
        the shovel; without one a lift goes by time
    :param active_high: whether a high pin switches on; ``False`` for most relay boards
    :param limits: the times and pressures of a lift
    :param calibration: the file in which the calibration of a gauge is kept
    :param pin_factory: see gpiozero
    """

    def __init__(
        self,
        pump: PinName = None,
        *,
        valve: PinName = None,
        sensor: int | str | Sensor | None = None,
        active_high: bool = True,
        limits: LiftLimits | None = None,
        calibration: Path | str | None = None,
        pin_factory: Factory | None = None,
    ) -> None:
        if pump is None or valve is None:
            raise GPIOPinMissing("the pins of the pump and of its valve must be given")
        how = {"active_high": active_high, "initial_value": False, "pin_factory": pin_factory}
        devices: dict[str, Device] = {}
        try:
            devices["pump"] = OutputDevice(pump, **how)
            devices["valve"] = OutputDevice(valve, **how)
            sensing = VacuumSwitch(sensor, pin_factory=pin_factory) if isinstance(sensor, int | str) else sensor
            if isinstance(sensing, Device):
                devices["sensor"] = sensing
            super().__init__(_order=tuple(devices), pin_factory=pin_factory, **devices)
        except BaseException:
            for device in devices.values():
                device.close()
            raise
        _warn_of_pins_on_at_boot(self, active_high=active_high)
        air = GpioAir(self.pump, self.valve, sensor=sensing or NoSensor())
        air.watchdog.start()
        transducer = sensing.transducer if isinstance(sensing, VacuumGauge) else None
        kept = _kept(calibration, "gpio", transducer, limits)
        self._begin(LiveRig("gpio", air=air, limits=limits, calibration=kept))

    @property
    def is_active(self) -> bool:
        """Whether something is held."""
        return bool(self.value)

    def __repr__(self) -> str:
        if self.closed:
            return f"<hardware.{type(self).__name__} object closed>"
        pins = f"pump on {self.pump.pin!r}, valve on {self.valve.pin!r}"
        return f"<hardware.{type(self).__name__} object with {pins}, is_active={self.is_active}>"


class SerialVacuumShovel(AnyShovel, Device):  # type: ignore[misc]  # gpiozero is not typed
    """
    Extends :class:`gpiozero.Device`: the shovel of a board with Digside's firmware, which lets go by itself.

    The following example holds a card for as long as the script runs, on any computer::

        from signal import pause
        from hardware.shovel import SerialVacuumShovel
        with SerialVacuumShovel("/dev/digside-board", sensor="mpx5100dp") as shovel:
            shovel.grip()
            pause()

    :param port: a device, a pattern for one, or any URL that pyserial knows; ``sim://`` is a simulated board
    :param sensor: the name of the sensor at the board's input; without one a lift goes by time
    :param limits: the times and pressures of a lift
    :param calibration: the file in which the calibration of the sensor is kept
    :param pin_factory: only for its clock; this machine's pins have no part in it
    :raises OSError: when no board answers at the port
    """

    def __init__(
        self,
        port: str,
        *,
        sensor: str | None = None,
        limits: LiftLimits | None = None,
        calibration: Path | str | None = None,
        pin_factory: Factory | None = None,
    ) -> None:
        transducer = None if sensor is None else SENSORS[sensor]
        super().__init__(pin_factory=pin_factory or NO_PINS)
        self.port = port
        board = Board(address_of([port]))
        air = SerialAir(board, transducer=transducer, most_kpa=(limits or LiftLimits()).blocked_kpa)
        board.start()
        try:
            if not board.wait(BOARD_WITHIN_S):
                raise OSError(f"{port}: {board.link.reason}")
            kept = _kept(calibration, "serial", transducer, limits)
            kind: RigKind = "sim" if board.world else "serial"
            self._begin(LiveRig(kind, air=air, wire=BoardWire(board), limits=limits, calibration=kept))
        except BaseException:
            board.close()
            raise

    def __repr__(self) -> str:
        if self.closed:
            return f"<hardware.{type(self).__name__} object closed>"
        return f"<hardware.{type(self).__name__} object at {self.port!r}, is_active={self.is_active}>"


def _await_first_look(rig: Rig) -> None:
    """Wait until the sensor has been looked at, so that an empty cup is seen before the first lift."""
    first, ends = rig.state().at, time.monotonic() + FIRST_LOOK_WITHIN_S
    while time.monotonic() < ends:
        state = rig.state()
        if state.shovel and state.at > first and (not state.shovel.gauge or state.shovel.vacuum_kpa is not None):
            return
        time.sleep(LOOK_EVERY_S)


def _kept(
    file: Path | str | None, kind: RigKind, transducer: Transducer | None, limits: LiftLimits | None
) -> CalibrationFile | None:
    """Where a calibration is kept; one that was made with another gauge or another aim is not used."""
    if file is None or transducer is None:
        return None
    return CalibrationFile(Path(file), f"{kind} {transducer} {(limits or LiftLimits()).target_kpa:g} kPa")


def _warn_of_pins_on_at_boot(shovel: "VacuumShovel", *, active_high: bool) -> None:
    """Say which pins would switch on long before this script runs; on a bench, plug in hand, that may be meant."""
    for name in ("pump", "valve"):
        pin = getattr(shovel, name).pin.info.name
        number = pin.removeprefix("GPIO")
        why = why_on_at_boot(int(number), active_high=active_high) if number.isdecimal() else None
        if why:
            warnings.warn(OnAtBoot(f"{pin} {why}, and the {name} would run"), stacklevel=3)
