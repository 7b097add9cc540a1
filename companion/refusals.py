"""What Digside says when it does not do as it is told: every refusal is a `Refusal`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self, TypedDict

Fact = str | int | float | Sequence[str]
"""What a sentence is filled with; a string that names a thing (``"egypt"``) is said in the listener's language."""


class AsTyped(str):
    """A fact that is said letter by letter, in every language: what somebody typed, is to type, or is called."""

    __slots__ = ()


def as_typed(words: Iterable[object]) -> tuple[AsTyped, ...]:
    """Each of these as it is typed."""
    return tuple(AsTyped(word) for word in words)


class PlainRefusal(TypedDict):
    """A refusal for a program: its code, the key of its sentence, the rule that forbids it, and the facts.

    What went wrong beneath is the fact `reason`, in the same shape.
    """

    code: str
    key: str
    rule: str | None
    facts: dict[str, Any]


class Refusal(ValueError):
    """Something was asked that is not done; nothing has changed.

    :param key: the sentence's key in the catalogue of words.
    :param rule: the id of the rule in a ledger, where one forbids it.
    :param facts: what fills the sentence.
    """

    code = "refused"

    def __init__(self, key: str, /, *, rule: str | None = None, **facts: Fact) -> None:
        super().__init__(key)
        self.key = key
        self.rule = rule
        self._because: ValueError | None = None
        self.facts: Mapping[str, Fact] = facts

    def __str__(self) -> str:
        return self.said("en")

    def said(self, language: str, scope: tuple[str, ...] = ()) -> str:
        """The sentence for a person, in their language.

        :param scope: whose names things go by: those of the table at which it was refused.
        """
        from companion.words import say  # the catalogue is read only when somebody is spoken to

        because = {"reason": AsTyped(reason_said(self._because, language, scope))} if self._because else {}
        return say(language, self.key, {**self.facts, **because}, scope)

    def plain(self) -> PlainRefusal:
        """For a program: the code, the sentence's key, the rule, and the facts. The same in every language.

        Only facts that the sentence says are told. What went wrong beneath is the fact ``reason``, in the same shape.

        >>> Illegal("core.cannot_fall", rule="JVT-30", outcome="blank", seed=7).plain()
        {'code': 'illegal', 'key': 'core.cannot_fall', 'rule': 'JVT-30', 'facts': {'outcome': 'blank'}}
        """
        from companion.words import said_of

        facts = {name: _plain(fact) for name, fact in self.facts.items()}
        if self._because is not None:
            facts["reason"] = self._because.plain() if isinstance(self._because, Refusal) else str(self._because)
        said = said_of("en", self.key)
        told = {name: fact for name, fact in facts.items() if name in said}
        return {"code": self.code, "key": self.key, "rule": self.rule, "facts": told}

    def because(self, error: ValueError) -> Self:
        """This refusal, with what went wrong beneath as its ``reason``, in the listener's language too."""
        self._because = error
        return self


def _plain(fact: Fact) -> Any:
    """A fact as JSON has it."""
    if isinstance(fact, str):
        return str(fact)
    return list(map(str, fact)) if isinstance(fact, Sequence) else fact


def reason_said(error: ValueError, language: str, scope: tuple[str, ...] = ()) -> str:
    """Why something went wrong: in the listener's language where it is a refusal."""
    return error.said(language, scope) if isinstance(error, Refusal) else str(error)


class Malformed(Refusal):
    """Not understood: not a move, not JSON, a field that does not exist."""

    code = "malformed"


class Illegal(Refusal):
    """Understood, and against a rule."""

    code = "illegal"


class NotYourTurn(Refusal):
    """Understood, and somebody else's to do."""

    code = "not_your_turn"


class Stale(Refusal):
    """Meant for a table as it was; it has moved on since."""

    code = "stale"


class LostRace(Stale):
    """Another process has made a step at this table; whoever has it here follows, and then looks again."""


class Over(Refusal):
    """The game is over, nothing more is played."""

    code = "over"


class Missing(Refusal):
    """There is no such thing here."""

    code = "missing"


class Elsewhere(Refusal):
    """The table is on another Digside, or on its way there; no step is made at it here."""

    code = "elsewhere"


class Storage(Refusal):
    """The disk did not take it; so it has not happened."""

    code = "storage"


class Asleep(Refusal):
    """A long table is not at hand, and is not fetched for whoever asks."""

    code = "asleep"


class StorageUnavailable(Storage):
    """Whatever keeps the tables is not reached just now; it is tried again by itself."""


class CommitOutcomeUnknown(Storage):
    """The disk failed just when it was to keep it: it may count after a restart. The same request settles it."""

    code = "perhaps"
