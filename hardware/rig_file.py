"""The rig file: what is attached, read strictly, because a wrong pin is found on the table otherwise."""

import re
import tomllib
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from hardware.events import RigKind
from hardware.faults import RigProblem
from hardware.lifter import LiftLimits
from hardware.pins import GpioPart, Pin, spare_pins, why_on_at_boot
from hardware.sensors import SENSORS, Transducer

ButtonName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_:-]{0,23}$")]
LINES = 8
LIGHTS_LINE = 7
"""The lamp whose line carries the pixels' data."""
SPI_PINS = (8, 9, 10, 11)
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text in quotes",
    "array": "a list",
    "object": "a table",
    "datetime": "a date",
    "date": "a date",
    "time": "a time",
}


class SerialPart(Struct, frozen=True, forbid_unknown_fields=True):
    """
    The board's port.

    :ivar port: a device, a pattern for one in ``/dev/serial/by-id``, or any URL that pyserial knows; of several the
        first that is there
    :ivar shovel: whether pump and valve hang on it; without them cards are lifted by hand
    """

    port: str | tuple[str, ...]
    shovel: bool = True

    @property
    def ports(self) -> tuple[str, ...]:
        """The ports to look at, in order."""
        return (self.port,) if isinstance(self.port, str) else self.port


class SimPart(Struct, frozen=True, forbid_unknown_fields=True):
    """
    The simulated board.

    :ivar url: ``sim://`` with the faults that are wanted, as ``sim://?leak=0.3``
    """

    url: str = "sim://"


class SensorPart(Struct, frozen=True, forbid_unknown_fields=True):
    """
    What tells the vacuum.

    :ivar type: ``"none"``, ``"switch"``, ``"line"``, or the name of a sensor in :data:`SENSORS`
    :ivar pin: of a switch
    :ivar closes_at_kpa: the set point of a switch
    :ivar channel: of an MCP3008; the board has one input and needs none
    :ivar reference_v: full scale of the converter; 5.0 on the board
    :ivar zero_v: volts at no vacuum, for ``"line"``
    :ivar v_per_kpa: volts for each kPa of vacuum, for ``"line"``
    """

    type: str = "none"
    pin: Pin | None = None
    closes_at_kpa: Annotated[float, Meta(ge=1, le=40)] = 6.0
    channel: Annotated[int, Meta(ge=0, le=7)] | None = None
    reference_v: Annotated[float, Meta(gt=1, le=5.5)] | None = None
    zero_v: Annotated[float, Meta(ge=0, le=5)] | None = None
    v_per_kpa: Annotated[float, Meta(ge=-1, le=1)] | None = None

    def transducer(self) -> Transducer | None:
        """The gauge this describes; ``None`` for a switch or for nothing."""
        if self.type == "line" and self.zero_v is not None and self.v_per_kpa:
            known = Transducer(self.zero_v, self.v_per_kpa)
        elif self.type in SENSORS:
            known = SENSORS[self.type]
        else:
            return None
        return known if self.reference_v is None else msgspec.structs.replace(known, reference_v=self.reference_v)


class PanelPart(Struct, frozen=True, forbid_unknown_fields=True):
    """
    Buttons, lamps and buzzer: GPIO numbers on a Pi, lines from 1 to 8 on the board.

    :ivar lamps: of the seats, in their order
    :ivar turn: the turn light
    :ivar buzzer: GPIO only; the board has its own
    :ivar pull_up: GPIO only; whether a button connects to ground
    :ivar active_high: GPIO only; whether a high pin lights a lamp
    """

    buttons: dict[ButtonName, Pin] = {}
    lamps: tuple[Pin, ...] = ()
    turn: Pin | None = None
    buzzer: Pin | None = None
    pull_up: bool = True
    active_high: bool = True


class DisplayPart(Struct, frozen=True, forbid_unknown_fields=True):
    """
    A small display.

    :ivar type: ``"none"``, ``"png"`` with *file*, or a chip that luma.oled drives
    """

    type: Literal["none", "png", "ssd1306", "sh1106"] = "none"
    file: str | None = None
    port: Annotated[int, Meta(ge=0, le=22)] = 1
    address: Annotated[int, Meta(ge=3, le=0x77)] = 0x3C


class LightsPart(Struct, frozen=True, forbid_unknown_fields=True):
    """
    The time track of light: WS2812 pixels at the board's line of lamp 7, or at the SPI of a Pi.

    :ivar weeks: the pixels of the strip, one a week; 0 where there is none
    :ivar ring: the pixels of the ring after it
    :ivar first: the pixel of the first week
    :ivar brightness: of the brightest pixel; all of them together draw no more than the board lets them
    """

    weeks: Annotated[int, Meta(ge=0, le=52)] = 52
    ring: Annotated[int, Meta(ge=0, le=12)] = 12
    first: Annotated[int, Meta(ge=0, le=51)] = 0
    brightness: Annotated[float, Meta(ge=0.02, le=1)] = 0.3


class RigFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A rig file, as it was written."""

    kind: RigKind
    serial: SerialPart | None = None
    sim: SimPart | None = None
    gpio: GpioPart | None = None
    sensor: SensorPart = SensorPart()
    shovel: LiftLimits = LiftLimits()
    panel: PanelPart = PanelPart()
    display: DisplayPart = DisplayPart()
    lights: LightsPart | None = None


def parse_rig(text: str, name: str) -> RigFile:
    """
    Read and check the text of a rig file.

    >>> parse_rig('kind = "gpio"\\n[gpio]\\npump = 17\\nvalve = 17\\n', "rig.toml")
    Traceback (most recent call last):
     ...
    hardware.faults.RigProblem: rig.toml:4: GPIO 17 is used twice: gpio.pump and gpio.valve
    """
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        at = re.search(r"at line (\d+)", str(why))
        raise RigProblem(name, int(at[1]) if at else len(text.splitlines()), f"is not TOML: {why}") from why
    lines = Lines(text)
    try:
        rig = msgspec.convert(tree, RigFile, strict=True)
    except msgspec.ValidationError as why:
        path, reason = _explain(str(why))
        raise RigProblem(name, lines.of(path) or 1, reason) from why
    for path, reason in _mistakes(rig):
        raise RigProblem(name, lines.of(path), reason)
    return rig


def _explain(why: str) -> tuple[str, str]:
    """Where msgspec found the mistake, and what it is in the words of the file."""
    reason, _, place = why.partition(" - at ")
    path = re.sub(r"^(`key` in )?`\$\.?|(\[(\d+|\.\.\.)\])*`$", "", place)
    if unknown := re.search(r"unknown field `([^`]+)`", reason):
        path = f"{path}.{unknown[1]}".lstrip(".")
        return path, f"{path} is not known here"
    if missing := re.search(r"missing required field `([^`]+)`", reason):
        return path, f"{missing[1]} is missing" + (f" in [{path}]" if path else "")
    if no_choice := re.search(r"^Invalid enum value '(.*)'", reason):
        return path, f'{path} cannot be "{no_choice[1]}"'
    if "matching regex" in reason:
        return path, f"{path}: a name has small letters, digits, - _ and :, and begins with a letter"
    return path, f"{path}: {_in_words(reason)}" if path else _in_words(reason)


def _in_words(reason: str) -> str:
    """
    What msgspec expected, for somebody who does not program.

    >>> _in_words("Expected `int` <= 27")
    'expected a whole number of at most 27'
    """
    for sign, words in ((" >= ", " of at least "), (" <= ", " of at most "), (" > ", " above ")):
        reason = reason.replace(sign, words)
    reason = re.sub(
        r"`([^`]+)`", lambda kinds: " or ".join(_KINDS.get(kind, kind) for kind in kinds[1].split(" | ")), reason
    )
    return reason[0].lower() + reason[1:]


def _mistakes(rig: RigFile) -> Iterator[tuple[str, str]]:
    """What is well-formed and still wrong: the path of the key, and the reason."""
    yield from _wrong_tables(rig)
    yield from _on_at_boot(rig)
    yield from _wrong_sensor(rig)
    yield from _wrong_shovel(rig)
    yield from _wrong_panel(rig)
    yield from _wrong_lights(rig)
    yield from _used_twice(rig)


def _wrong_tables(rig: RigFile) -> Iterator[tuple[str, str]]:
    if rig.kind == "serial" and rig.serial is None:
        yield "kind", 'kind "serial" needs a table [serial] with the port'
    if rig.kind == "gpio" and rig.gpio is None:
        yield "kind", 'kind "gpio" needs a table [gpio] with the pins of pump and valve'
    if rig.serial and not rig.serial.ports:
        yield "serial.port", "serial.port names no port"
    for table in ("serial", "sim", "gpio"):
        if getattr(rig, table) is not None and rig.kind != table:
            yield table, f'[{table}] says nothing where kind is "{rig.kind}"'
    if rig.display.type == "png" and rig.display.file is None:
        yield "display.type", 'a display of type "png" needs a file'
    if rig.display.type != "png" and rig.display.file is not None:
        yield "display.file", 'only a display of type "png" has a file'


def _on_at_boot(rig: RigFile) -> Iterator[tuple[str, str]]:
    """Pins on which pump or valve would run while the Pi starts, long before Digside does."""
    if rig.gpio is None:
        return
    for name in ("pump", "valve"):
        pin: int = getattr(rig.gpio, name)
        why = why_on_at_boot(pin, active_high=rig.gpio.active_high)
        if why:
            spare = ", ".join(map(str, spare_pins(_pins(rig), active_high=rig.gpio.active_high)))
            yield f"gpio.{name}", f"GPIO {pin} {why}, and the {name} would run; take one of GPIO {spare}"


def _wrong_sensor(rig: RigFile) -> Iterator[tuple[str, str]]:
    sensor = rig.sensor
    known = {"none", "switch", "line", *SENSORS}
    if sensor.type not in known:
        yield "sensor.type", f'there is no sensor "{sensor.type}"; there are {", ".join(sorted(known))}'
    yield from _idle_sensor_keys(sensor)
    if sensor.type == "line" and (sensor.zero_v is None or not sensor.v_per_kpa):
        yield "sensor.type", 'a sensor of type "line" needs zero_v and v_per_kpa'
    if sensor.type == "switch" and rig.kind != "gpio":
        yield "sensor.type", "a vacuum switch goes to a Pi's pin; the board reads a gauge"
    if sensor.type == "switch" and sensor.pin is None:
        yield "sensor.type", 'a sensor of type "switch" needs a pin'
    if rig.kind == "gpio" and sensor.transducer() and sensor.channel is None:
        yield "sensor.type", "a gauge on a Pi needs the channel of an MCP3008"
    if rig.kind != "gpio" and sensor.channel is not None:
        yield "sensor.channel", "the board has one input for a gauge, and no channels"


def _idle_sensor_keys(sensor: SensorPart) -> Iterator[tuple[str, str]]:
    """What says nothing of this sensor, though somebody thought that it did."""
    if sensor.type != "switch" and sensor.pin is not None:
        yield "sensor.pin", "only a switch has a pin"
    if sensor.type != "switch" and sensor.closes_at_kpa != SensorPart().closes_at_kpa:
        yield "sensor.closes_at_kpa", "only a switch closes"
    if sensor.type != "line":
        for key in ("zero_v", "v_per_kpa"):
            if getattr(sensor, key) is not None:
                yield f"sensor.{key}", f'only a sensor of type "line" has {key}'
    if sensor.type in ("none", "switch"):
        for key in ("channel", "reference_v"):
            if getattr(sensor, key) is not None:
                yield f"sensor.{key}", f"only a gauge has a {key}"


def _wrong_shovel(rig: RigFile) -> Iterator[tuple[str, str]]:
    """Limits with which no lift could end well."""
    limits, transducer = rig.shovel, rig.sensor.transducer()
    if limits.blocked_kpa <= limits.target_kpa:
        yield "shovel.blocked_kpa", "shovel.blocked_kpa must be above shovel.target_kpa, or every good grip is a fault"
    if limits.prime_s >= limits.longest_s:
        yield "shovel.prime_s", "shovel.prime_s must be less than shovel.longest_s, or a grip has no time to hold"
    if transducer and limits.target_kpa > transducer.highest_kpa:
        reason = f"this sensor sees no more than {transducer.highest_kpa:.0f} kPa, so the pump would never be throttled"
        yield "shovel.target_kpa", reason


def _wrong_panel(rig: RigFile) -> Iterator[tuple[str, str]]:
    panel = rig.panel
    if rig.kind == "gpio":
        return
    if panel.buzzer is not None:
        yield "panel.buzzer", "the board has a buzzer of its own"
    for key in ("pull_up", "active_high"):
        if not getattr(panel, key):
            yield (
                f"panel.{key}",
                f"panel.{key} says nothing here: buttons of the board go to ground, lamps light high",
            )
    for path, line in (*_buttons(panel), *_lamps(panel)):
        if not 1 <= line <= LINES:
            yield path, f"{path}: the board has lines 1 to {LINES}, and no {line}"


def _wrong_lights(rig: RigFile) -> Iterator[tuple[str, str]]:
    if rig.lights is None:
        return
    if rig.kind == "none":
        yield "lights", "the lights hang on a board or on a Pi's SPI, and here is neither"
    if not rig.lights.weeks + rig.lights.ring:
        yield "lights", "these lights have no pixel: set weeks, or ring"
    for path, line in _lamps(rig.panel) if rig.kind != "gpio" else ():
        if line == LIGHTS_LINE:
            yield path, f"lamp line {LIGHTS_LINE} is used twice: lights and {path}"


def _used_twice(rig: RigFile) -> Iterator[tuple[str, str]]:
    """On a Pi all pins are of one kind; on the board buttons and lamps have lines of their own."""
    if rig.kind == "gpio":
        yield from _doubles("GPIO", list(_pins(rig)))
    else:
        yield from _doubles("button line", list(_buttons(rig.panel)))
        yield from _doubles("lamp line", list(_lamps(rig.panel)))


def _doubles(what: str, used: list[tuple[str, int]]) -> Iterator[tuple[str, str]]:
    first: dict[int, str] = {}
    for path, pin in used:
        if pin in first:
            yield path, f"{what} {pin} is used twice: {first[pin]} and {path}"
        first.setdefault(pin, path)


def _pins(rig: RigFile) -> Iterator[tuple[str, int]]:
    if rig.gpio:
        yield "gpio.pump", rig.gpio.pump
        yield "gpio.valve", rig.gpio.valve
    if rig.sensor.pin is not None:
        yield "sensor.pin", rig.sensor.pin
    if rig.sensor.channel is not None:
        yield from (("sensor.channel", pin) for pin in SPI_PINS)
    if rig.display.type in ("ssd1306", "sh1106") and rig.display.port == 1:
        yield from (("display.type", pin) for pin in (2, 3))
    if rig.lights is not None:
        yield from (("lights", pin) for pin in SPI_PINS)
    yield from _buttons(rig.panel)
    yield from _lamps(rig.panel)
    if rig.panel.buzzer is not None:
        yield "panel.buzzer", rig.panel.buzzer


def _buttons(panel: PanelPart) -> Iterator[tuple[str, int]]:
    yield from ((f"panel.buttons.{name}", pin) for name, pin in panel.buttons.items())


def _lamps(panel: PanelPart) -> Iterator[tuple[str, int]]:
    yield from (("panel.lamps", pin) for pin in panel.lamps)
    if panel.turn is not None:
        yield "panel.turn", panel.turn


def with_value(text: str, path: str, value: float) -> str:
    """
    The text of a rig file with one value set; all else stays as somebody wrote it.

    >>> with_value("[shovel]  # mine\\ntarget_kpa = 12\\n", "shovel.slowest_pump", 0.9)
    '[shovel]  # mine\\nslowest_pump = 0.9\\ntarget_kpa = 12\\n'
    >>> with_value("kind = 'sim'", "shovel.slowest_pump", 0.9)
    "kind = 'sim'\\n\\n[shovel]\\nslowest_pump = 0.9\\n"
    """
    table, _, key = path.rpartition(".")
    lines, known = text.splitlines(), Lines(text)
    line = f"{key} = {value:g}"
    at, header = known.of(path), known.of(table)
    if at is not None and at != header:
        comment = re.search(r"\s+#[^\"']*$", lines[at - 1])
        lines[at - 1] = line + (comment[0] if comment else "")
    elif header is not None:
        lines.insert(header, line)
    else:
        lines += ["", f"[{table}]", line]
    return "\n".join(lines) + "\n"


_TABLE = re.compile(r"^\s*\[\[?\s*([A-Za-z0-9_.\-\s]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*(["']?)([^"'=]+?)\1\s*=""")


class Lines:
    """
    The lines of the tables and keys of a file that is otherwise read with :mod:`tomllib`.

    >>> lines = Lines("kind = 'gpio'\\n[gpio]\\npump = 17\\n")
    >>> lines.of("gpio.pump"), lines.of("gpio"), lines.of("gpio.valve")
    (3, 2, 2)
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[str, int] = {}
        table = ""
        for number, line in enumerate(text.splitlines(), start=1):
            if header := _TABLE.match(line):
                table = re.sub(r"\s*\.\s*", ".", header[1])
                self._lines.setdefault(table, number)
            elif key := _KEY.match(line):
                self._lines.setdefault(f"{table}.{key[2]}".lstrip("."), number)

    def of(self, path: str) -> int | None:
        """The line of *path*, or of the nearest table that holds it."""
        while path:
            if path in self._lines:
                return self._lines[path]
            path = path.rpartition(".")[0]
        return None
