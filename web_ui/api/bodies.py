"""What a call brings: the calls decode into these, and the API document is made from them."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from companion.game import HintLevel, Mode, Outcome, Pace, SeatKind, Source
from companion.refusals import Malformed
from hardware.calibration import Reading
from hardware.face import Do, Poke

Seq = Annotated[int, Meta(ge=0, description="The number of the newest step the asker has seen.")]
RequestId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=100,
        pattern=r"^[^\x00]+$",
        description="An id of the asker's making, without NUL; the same again has no second effect.",
    ),
]
SeatNumber = Annotated[int, Meta(ge=0, le=99, description="A seat, counted from 0.")]
Key = Annotated[str, Meta(min_length=1, max_length=200)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Move = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/Move"})]
Correction = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/Correction"})]
"""What a game reads, not the service: `game_schemas.py` says what it is."""
NAMED = re.compile(rb'"[ \t\r\n]*:')
"""Where a name of an object ends; in a text it may look like that, too."""


Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""A SHA-256 in hexadecimal digits."""


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of what callers send: a field that does not exist is refused."""


B = TypeVar("B", bound=Body | bytes)


class Nothing(Body, frozen=True):
    """A call that brings nothing."""


class SealedBody(Body, frozen=True):
    """What another Digside brings, sealed for this question (`between.py`)."""

    sealed: bytes


class SeatAsked(Body, frozen=True):
    """Who sits at a seat; colour and shape are given out where they are not chosen.

    `kind` is who plays for it: its `person`; a bot, which is `curious`, `steady` or `sharp`; or, while its person is
    `away`, the quickest of bots. `hints` is how often it may ask what a bot would do.
    """

    name: Name
    colour: str = ""
    shape: str = ""
    kind: SeatKind = "person"
    hints: HintLevel = "none"


class Laying(Body, frozen=True):
    """A table to lay: which box, how it is played, and who sits there.

    In pace "flow" what is drawn before the first move is drawn at once; `wait` has the table stand still until somebody
    presses, so that everybody sees the seal and may stir first.
    """

    box: Name
    seats: Annotated[tuple[SeatAsked, ...], Meta(min_length=1, max_length=20)]
    mode: Mode = "referee"
    sources: dict[str, Source] = {}
    pace: Pace = "flow"
    wait: bool = False
    options: dict[str, bool | int | str] = {}


class Entering(Body, frozen=True):
    """A key out of a link, to be kept in a cookie."""

    key: Key


class Typing(Body, frozen=True):
    """A code as somebody typed it: large or small letters, spaces or none."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]


class Joining(Body, frozen=True):
    """Take a free seat with the code of the room: `seat`, or the next, or before the first step one more.

    `name` is what one is called there. Whoever has the host's key needs no code: that device is then its own, too.
    """

    request: RequestId
    code: Annotated[str, Meta(max_length=40)] = ""
    name: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    seat: SeatNumber | None = None


class Reseating(Body, frozen=True):
    """What becomes of a seat: it is added, or is no more (both before the first step), is free again, or is named.

    It is never too late for that: `seq` is not minded.
    """

    request: RequestId
    do: Literal["add", "leave", "free", "name"]
    seq: Seq | None = None
    seat: SeatNumber = 0
    name: Annotated[str, Meta(min_length=1, max_length=200)] | None = None


class Hosting(Body, frozen=True):
    """Who is the host.

    The host may `pass` it on: to `seat`, or to the host's key. The owner may `take` it at any time. Who sits at the
    table may `want` it once the host's devices were silent for a minute: that asks the others, or agrees with whoever
    has asked; with more than half of those present, or alone after a minute, it is theirs. `keep` ends the asking.
    `seq` is not minded.
    """

    request: RequestId
    do: Literal["pass", "take", "want", "keep"]
    seq: Seq | None = None
    seat: SeatNumber | None = None


class Moving(Body, frozen=True):
    """A move, as ``moves`` lists them; `seat` says for whom the host acts."""

    seq: Seq
    request: RequestId
    move: Move
    seat: SeatNumber | None = None


class Reporting(Body, frozen=True):
    """What came up on the table, or null to have the companion deal it; of one throw, several one after another."""

    seq: Seq
    request: RequestId
    outcome: Outcome | Annotated[tuple[Outcome, ...], Meta(min_length=1, max_length=12)] | None


class Undoing(Body, frozen=True):
    """Back to the table as it was after a step; without one, as the view offers it."""

    seq: Seq
    request: RequestId
    to: Seq | None = None


class Switching(Body, frozen=True):
    """Who plays for a seat from now on: `person`, `away`, or a bot, which is `curious`, `steady` or `sharp`."""

    seq: Seq
    request: RequestId
    seat: SeatNumber
    kind: SeatKind


class AllowingHints(Body, frozen=True):
    """How often a seat may ask for a hint: never, three times in the game, or whenever it likes."""

    seq: Seq
    request: RequestId
    seat: SeatNumber
    hints: HintLevel


class AskingHint(Body, frozen=True):
    """What would a bot do? With the host's key, `seat` says in whose place."""

    seq: Seq
    request: RequestId
    seat: SeatNumber | None = None


class Studying(Body, frozen=True):
    """Whether the study of a finished table is to be made, or to be made no further."""

    do: Literal["begin", "stop"] = "begin"


class Stirring(Body, frozen=True):
    """One of the ways to stir the luck of the draws that nobody has seen yet.

    A device joins with the `tip` of a chain of values of its own; with its next value as `part`, too, where it does so
    once more; with `instead` where it takes the place of another of the same name. It tells its next value (`part`
    alone) whenever `luck.round` of the view says that it has not. At an older table (`luck.version` 1) it promises a
    pinch by its `commit`, and tells the `pinch` once the others have promised.
    """

    seq: Seq
    request: RequestId
    tip: Digest | None = None
    part: Digest | None = None
    instead: bool = False
    commit: Digest | None = None
    pinch: Annotated[str, Meta(min_length=1, max_length=256)] | None = None


class Correcting(Body, frozen=True):
    """What the table shows otherwise."""

    seq: Seq
    request: RequestId
    correction: Correction


class Closing(Body, frozen=True):
    """The end of a table as it stands."""

    seq: Seq
    request: RequestId


class Settling(Body, frozen=True):
    """That the report is right on which the end hangs."""

    seq: Seq
    request: RequestId


class Branching(Body, frozen=True):
    """The step after which things might have gone otherwise."""

    seq: Seq


class Watching(Body, frozen=True):
    """The box at which bots are to play."""

    box: Name


class Shovelling(Body, frozen=True):
    """Something for the shovel to do.

    `reading` belongs to ``calibrate``, which without it takes the next of the three; `sure` lifts although the sensor
    doubts.
    """

    do: Do
    reading: Reading | None = None
    sure: bool = False


class Planning(Body, frozen=True):
    """How many weeks a move would take that is thought about; 0 when none is any longer."""

    weeks: Annotated[int, Meta(ge=0, le=52)]


class Calibrating(Body, frozen=True):
    """Which of the three guided readings to take."""

    reading: Reading


class Poking(Body, frozen=True):
    """Something to do to the simulated world."""

    do: Poke
    value: Annotated[float, Meta(ge=0, le=1000)] | None = None


def decoded(raw: bytes, takes: type[B]) -> B:
    """A body from its bytes; whatever is wrong with them is a refusal, and so is a name that stands twice.

    >>> decoded(b'{"key": "k"}', Nothing)
    Traceback (most recent call last):
    ...
    companion.refusals.Malformed: Not understood: Object contains unknown field `key`
    """
    try:
        body: B = raw if takes is bytes else msgspec.json.decode(raw, type=takes)  # type: ignore[assignment]
        if len(NAMED.findall(raw)) != _names(msgspec.json.decode(raw)):  # where there are no more, each stands once
            json.loads(raw, object_pairs_hook=_once)
    except msgspec.ValidationError as error:
        raise Malformed("web.bad_body", reason=str(error)) from None
    except Malformed:
        raise
    except (ValueError, RecursionError):
        raise Malformed("web.bad_json") from None
    return body


def _names(board: Any) -> int:
    """How many names there are in all that was read.

    >>> _names({"a": [{"b": 1}, "c"], "d": {"e": None}})
    4
    """
    if isinstance(board, dict):
        return len(board) + sum(map(_names, board.values()))
    return sum(map(_names, board)) if isinstance(board, list) else 0


def _once(pairs: list[tuple[str, Any]]) -> None:
    """Nothing is made of an object here; its names are looked at."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise Malformed("web.key_twice")
