"""Why a shovel says no, and the words for it: codes, the keys of their sentences, and the two exceptions."""

from typing import Literal, get_args

from msgspec import Struct

FaultCode = Literal[
    "blocked",
    "too_long",
    "overworked",
    "not_clear",
    "link_lost",
    "sensor_range",
    "sensor_silent",
    "sensor_zero",
    "lease_lapsed",
    "board_hung",
    "board_restarted",
    "board_stopped",
    "brown_out",
    "other_firmware",
    "device",
]
OutcomeCode = Literal["leak", "dropped", "held_too_long", "cancelled", "stopped"]
RefusalCode = Literal[
    "no_rig",
    "no_shovel",
    "absent",
    "no_answer",
    "not_understood",
    "closed",
    "faulty",
    "still_faulty",
    "busy",
    "not_empty",
    "resting",
    "nothing_to_confirm",
    "interrupted",
    "stop_pressed",
    "no_sensor",
    "no_world",
    "ambient_first",
    "open_first",
    "ambient_off",
    "open_high",
    "cup_leaks",
    "no_bleed",
    "too_few_readings",
    "not_kept",
]

FAULTS: tuple[str, ...] = get_args(FaultCode)
OUTCOMES: tuple[str, ...] = get_args(OutcomeCode)
REFUSALS: tuple[str, ...] = get_args(RefusalCode)


class Trouble(Struct, frozen=True):
    """
    A fault or an unhappy outcome as a screen shows it: a code and the keys of two sentences.

    :ivar kpa: the reading that it is about
    """

    code: str
    sentence: str
    remedy: str
    kpa: float | None = None

    @classmethod
    def of(cls, code: str, kpa: float | None = None) -> "Trouble":
        """
        The trouble with this code.

        >>> Trouble.of("blocked").remedy
        'shovel.remedy.blocked'
        """
        return cls(code, f"shovel.fault.{code}", f"shovel.remedy.{code}", kpa)


class ShovelRefused(ValueError):
    """
    The shovel was asked for something it does not do now.

    :ivar code: why, for a program
    :ivar key: why, as the key of a sentence in the catalogue
    """

    def __init__(self, code: RefusalCode) -> None:
        super().__init__(f"the shovel refuses: {code}")
        self.code: RefusalCode = code
        self.key = f"shovel.refused.{code}"


class AirLost(OSError):
    """
    A pump, a valve or a sensor cannot be reached.

    :ivar code: the fault that follows
    """

    def __init__(self, code: FaultCode, why: str) -> None:
        super().__init__(why)
        self.code: FaultCode = code


class RigProblem(ValueError):
    """
    The rig file, or what it names, is not usable; the message is for the person who wrote it.

    >>> str(RigProblem("rig.toml", 4, "pin 17 is used twice"))
    'rig.toml:4: pin 17 is used twice'
    """

    def __init__(self, file: str, line: int | None, reason: str) -> None:
        super().__init__(f"{file}:{line}: {reason}" if line else f"{file}: {reason}")
        self.file = file
        self.line = line
        self.reason = reason
