"""The table is right about what is printed, too: a figure that no rule states reads otherwise on another copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from companion.boxes import Box
from companion.game import Together
from companion.parts import Facts, Here, Mend, Says
from companion.pieces.otherwise import Reads
from companion.refusals import AsTyped, Illegal, Refusal

Copy = Here[Any, Any]
"""A table of a game whose terms know their `box`."""


def _parts(here: Copy) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.rpartition(".")[0] for key in here.terms.box.readings))


def _figures(here: Copy) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.rpartition(".")[2] for key in here.terms.box.readings))


def _values(here: Copy) -> tuple[int, ...]:
    return tuple(sorted({value for values in here.terms.box.readings.values() for value in values}))


def _parts_named(here: Copy) -> Mapping[str, tuple[str, ...]]:
    return {f"part={part}": here.terms.box.said_as(part) for part in _parts(here)}


def _figures_named(here: Copy) -> Mapping[str, tuple[str, ...]]:
    keys: Mapping[str, tuple[int, ...]] = here.terms.box.readings
    return {f"figure={key.rpartition('.')[2]}": here.terms.box.said_as(key)[-1:] for key in keys}


class Printed(Mend[Copy], frozen=True, tag="printed"):
    """A figure reads otherwise: in a part of the box, that figure is so."""

    part: Annotated[str, Says(_parts, _parts_named)]
    figure: Annotated[str, Says(_figures, _figures_named)]
    value: Annotated[int, Says(_values)]

    @property
    def key(self) -> str:
        """Where it stands in the box."""
        return f"{self.part}.{self.figure}"

    @classmethod
    def sayable(cls, here: Copy) -> tuple[Together, ...]:
        return (Together(("part", "figure", "value"), here.terms.box.rows_to_read),)

    @classmethod
    def stands(cls, here: Copy) -> Iterator[Printed]:
        keys = ((key.rpartition("."), value) for key, value in here.terms.box.reads.items())
        return (cls(part, figure, value) for (part, _, figure), value in keys)

    def why_not(self, here: Copy) -> Refusal | None:
        box: Box = here.terms.box
        values, rule = box.readings.get(self.key), box.rule_for(self.key) or box.rule_prefix
        if values is None:
            if box.has(self.key) and box.origin(self.key) == "rules":
                return Illegal("core.stated_so", rule=rule, part=box.said_as(self.key))
            return Illegal("core.not_printed_so", rule=rule, part=AsTyped(self.part))
        if self.value in values:
            return None
        return Illegal("core.cannot_read", rule=rule, least=min(values), most=max(values), value=self.value)

    def done(self, here: Copy) -> Copy:
        others = tuple(each for each in here.state.reads if each.key != self.key)
        if self.value == here.terms.box.reads[self.key]:
            return here
        return here.but(reads=(*others, Reads(self.key, self.value)))

    def told(self, here: Copy) -> Facts:
        return {"type": "printed", "what": list(here.terms.box.said_as(self.key)), "n": self.value}
