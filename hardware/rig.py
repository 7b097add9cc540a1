"""Opening a rig: by name, by file, or by what was chosen for a data folder."""

import glob
import os
import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack, suppress
from importlib import resources
from pathlib import Path
from typing import TypedDict

from gpiozero import (
    MCP3008,
    BadPinFactory,
    Device,
    GPIOZeroError,
    OutputDevice,
    PinFactoryFallback,
    SPISoftwareFallback,
)
from msgspec import Struct
from serial import SerialException

from firmware_bridge.board import Board
from firmware_bridge.link import NO_ANSWER
from hardware import presets
from hardware.air import Air, GpioAir
from hardware.board_parts import BoardLights, BoardPanel, BoardWire, SerialAir
from hardware.calibration import CalibrationFile
from hardware.display import Display, OledDisplay, PngDisplay
from hardware.events import RigState
from hardware.face import NoRig, NotUsable, Rig
from hardware.faults import RigProblem
from hardware.lights import SPI_RATE, LightTrack, SpiLights
from hardware.live import BoardConnection, LiveRig
from hardware.machine import header_chip, look_at_machine, pins_in_use
from hardware.own_file import default_rig, is_chosen
from hardware.panel import GpioPanel, Panel
from hardware.pins import DrivenPins, GpioPart
from hardware.protocol_found import address_of, look_for
from hardware.rig_file import Lines, PanelPart, RigFile, SensorPart, parse_rig
from hardware.sensors import NoSensor, Sensor, VacuumGauge, VacuumSwitch
from hardware.shovel import NO_PINS

__all__ = [
    "PRESETS",
    "NoRig",
    "Rig",
    "RigProblem",
    "RigState",
    "boards",
    "busy_pins",
    "default_rig",
    "is_chosen",
    "look_at_machine",
    "look_at_rig",
    "missing_buses",
    "open_rig",
    "pins",
    "read_rig",
]

PRESETS = ("none", "sim", "nano", "pico", "gpio")
CALIBRATION_FILE = "calibration.json"
GREETED_WITHIN_S = 1.0
ANSWERS_WITHIN_S = 6.0
MODEL = Path("/proc/device-tree/model")
BOARDS = "/dev/serial/by-id/*"
CHIPS = "/dev/gpiochip*"
BUSES = {"i2c": "/dev/i2c-1", "spi": "/dev/spidev0.*"}
NO_HEADER = "no /dev/gpiochip* that this user may open has the pins of the header; is this user in the group gpio?"
NO_LIBRARY = (
    "no library here can drive the pins of this machine; on a Raspberry Pi: sudo apt install python3-lgpio, "
    "and a virtual environment made with --system-site-packages"
)
NO_SPI = "the SPI cannot be used: switch it on by raspi-config, and sudo apt install python3-spidev"


class Devices(TypedDict):
    """What a rig is made of."""

    air: Air | None
    panel: Panel
    wire: BoardConnection | None


class RigSheet(Struct, frozen=True):
    """A rig file that has been read, and can still say on which line something stands."""

    name: str
    text: str
    rig: RigFile

    def problem(self, path: str, reason: str) -> RigProblem:
        """A problem with what stands at *path*."""
        return RigProblem(self.name, Lines(self.text).of(path), reason)

    def not_usable(self, path: str, reason: str) -> NotUsable:
        """What stands at *path* is right, and cannot be used."""
        return NotUsable(self.name, Lines(self.text).of(path), reason, self.rig.kind)


def read_rig(name_or_path: str | Path) -> RigSheet:
    """
    Read a preset, or a file of one's own.

    >>> read_rig("sim").rig.kind
    'sim'

    :raises RigProblem: with file, line and reason
    """
    if str(name_or_path) in PRESETS:
        text = (resources.files(presets) / f"{name_or_path}.toml").read_text(encoding="utf-8")
    else:
        try:
            text = Path(name_or_path).read_text(encoding="utf-8-sig")  # some editors begin a file with a mark
        except (OSError, UnicodeDecodeError) as why:
            known = ", ".join(PRESETS)
            raise RigProblem(str(name_or_path), None, f"is neither one of {known} nor a readable file ({why})") from why
    return RigSheet(str(name_or_path), text, parse_rig(text, str(name_or_path)))


def is_pi() -> bool:
    """Whether this is a Raspberry Pi with a GPIO chip."""
    try:
        model = MODEL.read_text(errors="replace")
    except OSError:
        return False
    return "Raspberry Pi" in model and bool(glob.glob(CHIPS))


def boards() -> dict[str, bool]:
    """The serial ports of boards that are plugged in, and whether each may be opened by this user."""
    return _devices(BOARDS)


def pins() -> dict[str, bool]:
    """The chips whose pins this machine has, and whether each may be opened by this user."""
    return _devices(CHIPS)


def busy_pins(name_or_path: str | None, data: Path) -> dict[int, str]:
    """The pins of a rig that another program has, and how it calls itself."""
    rig = _read_quietly(name_or_path, data)
    if rig is None or rig.gpio is None:
        return {}
    panel = rig.panel
    wanted = (
        rig.gpio.pump,
        rig.gpio.valve,
        rig.sensor.pin,
        *panel.buttons.values(),
        *panel.lamps,
        panel.turn,
        panel.buzzer,
    )
    pins = tuple(pin for pin in wanted if pin is not None)
    return pins_in_use(header_chip(glob.glob(CHIPS)) or "", pins)


def missing_buses(name_or_path: str | None, data: Path) -> list[str]:
    """What a rig needs that is switched off in this machine."""
    rig = _read_quietly(name_or_path, data)
    if rig is None:
        return []
    needed = {
        "i2c": rig.display.type in {"ssd1306", "sh1106"},
        "spi": rig.gpio and (rig.lights or rig.sensor.channel is not None),
    }
    return [bus for bus, is_needed in needed.items() if is_needed and not glob.glob(BUSES[bus])]


def _read_quietly(name_or_path: str | None, data: Path) -> RigFile | None:
    """A rig that is only asked for; what is wrong with it is said by whoever opens it."""
    try:
        return read_rig(name_or_path if name_or_path is not None else default_rig(data)).rig
    except RigProblem:
        return None


def _devices(pattern: str) -> dict[str, bool]:
    return {device: os.access(device, os.R_OK | os.W_OK) for device in sorted(glob.glob(pattern))}


def open_rig(
    name_or_path: str | Path | None = None,
    *,
    data: Path,
    clock: Callable[[], float] = time.monotonic,
    driven_pins: DrivenPins | None = None,
) -> Rig:
    """
    Open what stands beside the table. A board may come late: the shovel is absent until it is heard.

    :param name_or_path: one of :data:`PRESETS`, a rig file, or ``None`` for what was chosen
    :param data: the folder in which the choice and the calibration are kept
    :param driven_pins: is told the pins that will be driven, before they are
    :raises NotUsable: when the file is right, and what it names cannot be used
    :raises RigProblem: with file, line and reason
    """
    sheet = read_rig(name_or_path if name_or_path is not None else default_rig(data))
    if sheet.rig.kind == "none":
        return NoRig()
    if driven_pins and sheet.rig.gpio:
        driven_pins.note(sheet.rig.gpio)
    with ExitStack() as undo:
        devices = devices_of(sheet, undo, clock)
        air = devices["air"]
        has_gauge = air is not None and air.sense == "gauge"
        rig = LiveRig(
            sheet.rig.kind,
            **devices,
            limits=sheet.rig.shovel,
            display=_display(sheet, data, undo),
            calibration=CalibrationFile(data / CALIBRATION_FILE, made_with(sheet.rig)) if has_gauge else None,
            clock=clock,
        )
        rig.start()
        undo.pop_all()
    return rig


def devices_of(sheet: RigSheet, undo: ExitStack, clock: Callable[[], float] = time.monotonic) -> Devices:
    """
    What a rig file names, opened; a board may come late.

    :raises RigProblem: with file, line and reason
    """
    return _gpio_devices(sheet, undo, clock) if sheet.rig.kind == "gpio" else _board_devices(sheet, undo, clock)


def made_with(rig: RigFile) -> str:
    """What a calibration holds for: with another sensor or another aim its readings would be others."""
    return f"{rig.kind} {rig.sensor.type} {rig.shovel.target_kpa:g} kPa"


def look_at_rig(name_or_path: str | Path | None, data: Path) -> str | None:
    """
    Open the rig for a moment and say what is wrong with it; ``None`` when all is well.

    It moves nothing. A board may need some seconds, because opening its port restarts it.
    """
    try:
        sheet = read_rig(name_or_path if name_or_path is not None else default_rig(data))
        if sheet.rig.serial:
            look_for(sheet.rig.serial.ports)
        with open_rig(name_or_path, data=data) as rig:
            return _ailment(rig)
    except RigProblem as problem:
        return str(problem)
    except SerialException as missing:
        return str(sheet.problem("serial.port", str(missing)))


def _ailment(rig: Rig) -> str | None:
    ends = time.monotonic() + ANSWERS_WITHIN_S
    while time.monotonic() < ends:
        state = rig.state()
        reads = state.shovel is None or not state.shovel.gauge or state.shovel.vacuum_kpa is not None
        if reads and (state.link is None or state.link.connected):
            return _no_line(state.link.missing) if state.link and state.link.missing else None
        time.sleep(0.05)
    if state.link and not state.link.connected:
        return no_board(state.link.reason)
    return "the vacuum sensor gives an impossible reading: check its type and its three wires"


def _no_line(buttons: tuple[str, ...]) -> str:
    names = ", ".join(buttons)
    return (
        f"this board has no line for the button {names}: lines 7 and 8 are A6 and A7 of a Nano, each with 10 k to 5 V; "
        "on an Uno take lines 1 to 6"
    )


def no_board(reason: str) -> str:
    """Why a board cannot be used, and what to do about it."""
    if reason == NO_ANSWER:
        return "no board answers at this port: is Digside's firmware on it?"
    hint = "; is this user in the group dialout?" if "Permission denied" in reason else ""
    return f"the board cannot be used: {reason}{hint}"


def _board_devices(sheet: RigSheet, undo: ExitStack, clock: Callable[[], float]) -> Devices:
    rig, port = sheet.rig, _port(sheet.rig)
    try:
        board = Board(port, clock=clock)
    except (ValueError, OSError) as why:  # a setting that does not exist, or a simulated board that does not start
        raise sheet.problem("sim.url", str(why)) from why
    undo.callback(board.close)
    air = None
    if rig.serial is None or rig.serial.shovel:
        air = SerialAir(board, transducer=rig.sensor.transducer(), most_kpa=rig.shovel.blocked_kpa)
    panel = BoardPanel(board, buttons=rig.panel.buttons, lamps=rig.panel.lamps, turn=rig.panel.turn)
    board.on_event = panel.heard
    board.start()
    if board.world:
        board.wait(GREETED_WITHIN_S)
    wire = BoardWire(board, panel=panel, clock=clock)
    shown = Panel(panel, pin_factory=NO_PINS)
    if rig.lights:
        shown.track = LightTrack(BoardLights(board), rig.lights)
    return Devices(air=air, panel=shown, wire=wire)


def _port(rig: RigFile) -> str:
    """Where to look for the board, again and again until it is there."""
    if rig.serial is None:
        return rig.sim.url if rig.sim else "sim://"
    return address_of(rig.serial.ports)


def _gpio_devices(sheet: RigSheet, undo: ExitStack, clock: Callable[[], float]) -> Devices:
    if sheet.rig.gpio is None:
        raise sheet.problem("kind", "the pins are missing")
    if is_pi() and header_chip(glob.glob(CHIPS)) is None:
        raise sheet.not_usable("gpio", NO_HEADER)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PinFactoryFallback)  # only the last one's failure matters
            _take_the_headers_chip()
            air = _gpio_air(sheet.rig.gpio, sheet.rig.sensor, undo, clock)
        panel = _gpio_panel(sheet.rig.panel, undo)
    except BadPinFactory as why:
        raise sheet.not_usable("gpio", f"{NO_LIBRARY} ({why})") from why
    except Exception as why:  # a library for pins raises what it likes: a pin that is busy is an lgpio.error
        raise sheet.not_usable("gpio", f"the pins cannot be used: {why}") from why
    shown = Panel(panel)
    if sheet.rig.lights:
        shown.track = LightTrack(_spi_lights(sheet, undo), sheet.rig.lights)
    air.watchdog.start()
    return Devices(air=air, panel=shown, wire=None)


def _spi_lights(sheet: RigSheet, undo: ExitStack) -> SpiLights:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SPISoftwareFallback)  # pins that are switched by hand are too slow
            spi = Device.pin_factory.spi(port=0, device=0)
        undo.callback(spi.close)
        spi.rate = SPI_RATE
        return SpiLights(spi)
    except (GPIOZeroError, SPISoftwareFallback, OSError) as why:
        raise sheet.not_usable("lights", f"{NO_SPI} ({why})") from why


def _take_the_headers_chip() -> None:
    """Have gpiozero drive the chip of the header, by its name: where nobody says which, it goes by a number."""
    chip = header_chip(glob.glob(CHIPS))
    if chip is None or Device.pin_factory is not None:
        return
    with suppress(ImportError):  # without lgpio gpiozero looks for another library, and says what it misses
        from gpiozero.pins.lgpio import LGPIOFactory

        Device.pin_factory = LGPIOFactory(chip=int(chip.removeprefix(CHIPS.rstrip("*"))))


def _gpio_air(gpio: GpioPart, sensor: SensorPart, undo: ExitStack, clock: Callable[[], float]) -> GpioAir:
    pump = OutputDevice(gpio.pump, active_high=gpio.active_high, initial_value=False)
    undo.callback(pump.close)
    valve = OutputDevice(gpio.valve, active_high=gpio.active_high, initial_value=False)
    undo.callback(valve.close)
    sensing = _gpio_sensor(sensor)
    undo.callback(sensing.close)
    return GpioAir(pump, valve, sensor=sensing, clock=clock)


def _gpio_sensor(sensor: SensorPart) -> Sensor:
    transducer = sensor.transducer()
    if transducer:
        return VacuumGauge(MCP3008(channel=sensor.channel), transducer)
    if sensor.type == "switch":
        return VacuumSwitch(sensor.pin, closes_at_kpa=sensor.closes_at_kpa)
    return NoSensor()


def _gpio_panel(part: PanelPart, undo: ExitStack) -> GpioPanel:
    panel = GpioPanel.on_pins(
        part.buttons,
        part.lamps,
        turn=part.turn,
        buzzer=part.buzzer,
        pull_up=part.pull_up,
        active_high=part.active_high,
    )
    undo.callback(panel.close)
    return panel


def _display(sheet: RigSheet, data: Path, undo: ExitStack) -> Display | None:
    part = sheet.rig.display
    if part.type == "none":
        return None
    if part.type == "png":
        return PngDisplay(data / (part.file or ""))
    try:
        display = OledDisplay(part.type, port=part.port, address=part.address)
    except (ImportError, OSError) as why:
        raise sheet.not_usable("display.type", f"the display cannot be used: {why}") from why
    undo.callback(display.close)
    return display
