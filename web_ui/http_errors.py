"""What the service itself refuses, and how any refusal is said over HTTP."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.boxes import BoxProblem
from companion.refusals import (
    Asleep,
    AsTyped,
    Elsewhere,
    Illegal,
    Malformed,
    Missing,
    NotYourTurn,
    Over,
    Refusal,
    Stale,
    Storage,
)
from companion.words import say
from hardware.faults import ShovelRefused

Headers = tuple[tuple[str, str], ...]
Facts = Annotated[
    dict[str, Any],
    Meta(
        description="By name, what the sentence is filled with. `reason` may be a refusal of its own.",
        extra_json_schema={"additionalProperties": {"$ref": "#/components/schemas/Fact"}},
    ),
]


class NoKey(Refusal):
    """Nobody said who is asking, or with a key that opens nothing here."""

    code = "no_key"


class NotAllowed(Refusal):
    """It is known who is asking, and this is for somebody else to do."""

    code = "not_allowed"


class CrossSite(Refusal):
    """A page of another site asked in the name of whoever is looking at it."""

    code = "cross_site"


class WrongMethod(Refusal):
    """The address exists and is not asked this way, but with the methods that are `allowed`.

    >>> headers_of(WrongMethod({"GET"}))
    (('Allow', 'GET, HEAD, OPTIONS'),)
    """

    code = "wrong_method"

    def __init__(self, allowed: Iterable[str]) -> None:
        super().__init__("web.wrong_method")
        self.allowed = tuple(allowed)


class TooLarge(Refusal):
    """More bytes than this call takes."""

    code = "too_large"


class NotJson(Refusal):
    """A body that is not declared to be JSON."""

    code = "not_json"


class Misdirected(Refusal):
    """Asked under a name that is not this machine's."""

    code = "misdirected"


class TooSlow(Refusal):
    """The request was begun and not finished in time."""

    code = "too_slow"


class TooMany(Refusal):
    """More requests than a table of people can make."""

    code = "too_many"


class Busy(Refusal):
    """More is on its way in than there is room for."""

    code = "busy"


class Full(Refusal):
    """Every place for a live line is taken."""

    code = "full"


class Ending(Refusal):
    """The service is being stopped, and does not wait until this is done."""

    code = "ending"


class Broken(Refusal):
    """Digside has a mistake in itself; it is in the service's log."""

    code = "broken"


class OtherAway(Refusal):
    """Another Digside does not answer, or not as one does."""

    code = "other_away"


class ShovelSaysNo(Refusal):
    """The rig's own refusal, on its way to a person; its code is the rig's."""

    def __init__(self, refused: ShovelRefused) -> None:
        super().__init__(refused.key)
        self.code = refused.code


class RigHangs(Refusal):
    """The loop of the rig does not come round any more."""

    code = "rig_hangs"


class BadBox(Refusal):
    """The owner's own box file does not hold."""

    code = "bad_box"

    def __init__(self, problem: BoxProblem) -> None:
        super().__init__("core.bad_box", reason=str(problem))
        self._problem = problem

    def said(self, language: str, scope: tuple[str, ...] = ()) -> str:
        return say(language, self.key, {"reason": AsTyped(self._problem.said(language))}, scope)


class BadFigures(BadBox):
    """Figures that the owner meant to keep do not hold; nothing was written."""

    code = "bad_figures"


STATUS: Mapping[type[Refusal], int] = {
    Malformed: 400,
    NoKey: 401,
    NotAllowed: 403,
    CrossSite: 403,
    NotYourTurn: 403,
    Missing: 404,
    WrongMethod: 405,
    TooSlow: 408,
    Stale: 409,
    Elsewhere: 410,
    TooLarge: 413,
    NotJson: 415,
    Misdirected: 421,
    Illegal: 422,
    BadFigures: 422,
    Over: 422,
    ShovelSaysNo: 422,
    TooMany: 429,
    Broken: 500,
    OtherAway: 502,
    Ending: 503,
    Full: 503,
    BadBox: 503,
    Asleep: 503,
    Busy: 503,
    RigHangs: 503,
    Storage: 507,
}
ASK_FOR = (("WWW-Authenticate", "Bearer"),)
RETRY_AFTER: Mapping[type[Refusal], int] = {TooMany: 1, Busy: 1, Asleep: 2, Ending: 5, Full: 5}


class Said(msgspec.Struct, frozen=True):
    """A refusal: for a program the same in every language, for a person a sentence."""

    code: Annotated[str, Meta(description="Of which kind it is; the HTTP status follows from it.")]
    key: Annotated[str, Meta(description="Names the sentence in the catalogue of words.")]
    rule: Annotated[str | None, Meta(description="The rule that forbids it, in the ledger of its game.")]
    facts: Facts
    message: Annotated[str, Meta(description="The sentence, in the caller's language.")]


class Answer(msgspec.Struct, frozen=True):
    """The body of every answer that is a refusal; `view` is the table as it is now, where that helps."""

    error: Said
    view: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal: that of its own kind, or of the nearest kind above it."""
    for kind in type(refusal).__mro__:
        if kind in STATUS:
            return STATUS[kind]
    return 400


def body_of(refusal: Refusal, language: str, view: bytes | None = None, scope: tuple[str, ...] = ()) -> bytes:
    """A refusal in JSON, its sentence in the caller's language, and in the words of the table where it was refused."""
    said = Said(**refusal.plain(), message=refusal.said(language, scope))
    return msgspec.json.encode(Answer(said, msgspec.Raw(view) if view else msgspec.UNSET))


def headers_of(refusal: Refusal) -> Headers:
    """What a refusal tells programs beside its body."""
    if isinstance(refusal, NoKey):
        return ASK_FOR
    if isinstance(refusal, WrongMethod):
        beside = ("HEAD", "OPTIONS") if "GET" in refusal.allowed else ("OPTIONS",)
        return (("Allow", ", ".join(sorted({*refusal.allowed, *beside}))),)
    wait = RETRY_AFTER.get(type(refusal))
    return (("Retry-After", str(wait)),) if wait else ()
