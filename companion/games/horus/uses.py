"""Equipment and abilities: used once, and without an action [HOR-70]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar

from msgspec.structs import replace

from companion.games.horus.cards import CURED_BY, HIDDEN, kind
from companion.games.horus.events import Asking, Deciding, Jumping, Looking, Reading
from companion.games.horus.moves import HorusAct, gods_here, no_tomb
from companion.games.horus.pyramid import WARDS, Pyramid
from companion.games.horus.state import as_it_lies
from companion.parts import Facts, changed
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret


class Use(HorusAct, frozen=True, tag="use"):
    """Use a card or one's ability; once a block was looked at, say whether it is to fall."""

    card: str = ""
    ability: str = ""
    wound: Annotated[str, Secret(as_it_lies)] = ""
    mummy: str = ""
    god: str = ""
    keep: bool | None = None

    @classmethod
    def thinkable(cls, table: Pyramid) -> Iterator[Use]:
        if table.state.asking == "decide":
            yield from (_of(table.state.seer, keep=keep) for keep in (True, False))
            return
        for name in dict.fromkeys((*table.mine.cards, table.ability(table.seat))):
            if name in HELPS:
                yield from HELPS[name].offers(table)

    @property
    def name(self) -> str:
        """What is used."""
        return self.card or self.ability

    def why_not(self, table: Pyramid) -> Refusal | None:
        if table.state.asking == "decide":
            fits = self.keep is not None and self == _of(table.state.seer, keep=self.keep)
            return None if fits else Illegal("horus.keep_or_not", rule="HOR-51")
        if self.keep is not None:
            return Illegal("horus.nothing_looked_at", rule="HOR-51")
        return self._not_to_be_had(table) or HELPS[self.name].refused(table, self)

    def _not_to_be_had(self, table: Pyramid) -> Refusal | None:
        """Why the seat has no such card or ability."""
        if bool(self.card) == bool(self.ability):
            return Illegal("horus.card_or_ability", rule="HOR-70")
        help_ = HELPS.get(self.name)
        if help_ is None or (self.card in help_.abilities if self.card else self.ability not in help_.abilities):
            key = "horus.no_use" if self.card else "horus.unknown_ability"
            return Illegal(key, rule="HOR-70", card=kind(self.card))
        if self.card and self.card not in table.mine.cards:
            return Illegal("horus.no_such_card", rule="HOR-70", card=self.card)
        if self.ability and table.ability(table.seat) != self.ability:
            return Illegal("horus.no_ability", rule=help_.rule, ability=self.ability)
        return None

    def applied(self, table: Pyramid) -> Pyramid:
        if table.state.asking == "decide":
            return table.replace(kept=self.keep, looked=table.state.looked if self.keep else 0)
        spent = table.laid_off(table.seat, self.card) if self.card else table.ability_used(table.seat)
        return HELPS[self.name].applied(spent, self)

    def log_facts(self, table: Pyramid) -> Facts:
        if self.keep is not None:
            return {"type": "keep_block" if self.keep else "swap_block"}
        if self.wound:
            unseen = kind(self.wound) == HIDDEN
            return (
                {"type": "cure_unseen", "card": self.card}
                if unseen
                else {"type": "cure", "card": self.card, "wound": self.wound}
            )
        if self.mummy:
            return {"type": "shoot", "mummy": self.mummy}
        return {"type": "use", "card": self.card} if self.card else {"type": "use_ability", "ability": self.ability}


class Help:
    """A card or an ability: when it may be used, by which rule, what is chosen with it, and what it does."""

    rule: str
    at: ClassVar[tuple[Asking, ...]] = ("act",)
    says: ClassVar[str] = ""
    """The field of `Use` that says what is chosen, if anything is."""

    def __init__(self, name: str, *, is_ability: bool = True) -> None:
        self.name = name
        self.abilities = (name,) if is_ability else ()

    def offers(self, table: Pyramid) -> Iterable[Use]:
        """The moves that use it."""
        return (self.use(),)

    def use(self, said: str = "") -> Use:
        """The move that uses it, with what was chosen."""
        used = Use(ability=self.name) if self.abilities else Use(card=self.name)
        return replace(used, **{self.says: said}) if self.says else used

    def refused(self, table: Pyramid, use: Use) -> Refusal | None:
        """Why the seat that has it cannot use it in this way."""
        if refusal := table.not_asked(*self.at, rule=self.rule):
            return refusal
        said = {"wound": use.wound, "mummy": use.mummy, "god": use.god}
        if any(value for field, value in said.items() if field != self.says):
            return Illegal("horus.too_much_said", rule=self.rule)
        return self.why_not(table, use)

    def why_not(self, table: Pyramid, use: Use) -> Refusal | None:
        """Why it helps nothing now."""
        return None

    def applied(self, table: Pyramid, use: Use) -> Pyramid:
        """What it does, once it is laid off or used up."""
        raise NotImplementedError


class Cure(Help):
    """Heals a wound, which is laid off with it."""

    rule = "HOR-70"
    at = ("ready", "act", "discard")
    says = "wound"

    def offers(self, table: Pyramid) -> Iterable[Use]:
        return map(self.use, CURED_BY[self.name])

    def why_not(self, table: Pyramid, use: Use) -> Refusal | None:
        heals = use.wound in CURED_BY[self.name] and use.wound in table.mine.cards
        return None if heals else Illegal("horus.no_such_wound", rule=self.rule, cures=list(CURED_BY[self.name]))

    def applied(self, table: Pyramid, use: Use) -> Pyramid:
        return table.laid_off(table.seat, use.wound)


class Look(Help):
    """Looks at a block; one of the table's own is looked at there."""

    rule = "HOR-51"

    def why_not(self, table: Pyramid, use: Use) -> Refusal | None:
        if table.state.seer:
            return Illegal("horus.looked_already", rule=self.rule)
        return None if table.state.boxed else Illegal("horus.no_blocks", rule=self.rule)

    def applied(self, table: Pyramid, use: Use) -> Pyramid:
        looks = (Deciding(table.seat),) if table.terms.real_blocks else (Looking(), Deciding(table.seat))
        return table.replace(seer=self.name, looker=table.seat, kept=None).with_next(*looks)


class Shoot(Help):
    """Lays a mummy beside one down."""

    rule = "HOR-71"
    says = "mummy"

    def offers(self, table: Pyramid) -> Iterable[Use]:
        return (self.use(mummy.name) for mummy in table.state.mummies)

    def why_not(self, table: Pyramid, use: Use) -> Refusal | None:
        return None if use.mummy in table.targets else Illegal("horus.no_target", rule=self.rule)

    def applied(self, table: Pyramid, use: Use) -> Pyramid:
        shot = (replace(each, lying=each.lying or each.name == use.mummy) for each in table.state.mummies)
        return table.replace(mummies=tuple(shot))


class Dodge(Help):
    """Takes no wound from a block."""

    rule = "HOR-72"
    at = ("jump",)

    def applied(self, table: Pyramid, use: Use) -> Pyramid:
        return table.without_next().with_next(Jumping(table.seat, dodged=True))


class Endure(Help):
    """Lowers the level of this round."""

    rule = "HOR-73"
    at = ("ready",)

    def applied(self, table: Pyramid, use: Use) -> Pyramid:
        return table.with_seat(table.seat, eased=True)


class ReadSigns(Help):
    """Looks into a closed sarcophagus; a card of the table's own is read there."""

    rule = "HOR-74"
    says = "god"

    def offers(self, table: Pyramid) -> Iterable[Use]:
        return map(self.use, ("", *gods_here(table)))

    def why_not(self, table: Pyramid, use: Use) -> Refusal | None:
        if refusal := no_tomb(table, use.god):
            return refusal
        at = table.tomb_here(use.god)
        is_open = at is not None and table.state.sarcophagi[at].is_open
        return Illegal("horus.open_already", rule=self.rule) if is_open else None

    def applied(self, table: Pyramid, use: Use) -> Pyramid:
        at = table.tomb_here(use.god)
        if at is None:
            raise AssertionError("no sarcophagus to read")
        tomb = table.state.sarcophagi[at]
        read = table.replace(sarcophagi=changed(table.state.sarcophagi, at, replace(tomb, reader=table.seat)))
        return read if table.terms.real_tombs or tomb.card else read.with_next(Reading(at))


class Ward(Help):
    """Lays off a wound that was just received."""

    at = ("act", "discard")

    def __init__(self, name: str, rule: str) -> None:
        super().__init__(name)
        self.rule = rule

    def why_not(self, table: Pyramid, use: Use) -> Refusal | None:
        is_fresh = table.state.fresh in WARDS[self.name]
        return None if is_fresh else Illegal("horus.nothing_fresh", rule=self.rule)

    def applied(self, table: Pyramid, use: Use) -> Pyramid:
        return table.laid_off(table.seat, table.mine.cards[-1])


class AtALock(Help):
    """Is used while picking a lock, and not by itself."""

    rule = "HOR-77"

    def offers(self, table: Pyramid) -> Iterable[Use]:
        return ()

    def why_not(self, table: Pyramid, use: Use) -> Refusal | None:
        return Illegal("horus.by_picking", rule=self.rule)


HELPS: dict[str, Help] = {
    each.name: each
    for each in (
        Cure("antidote", is_ability=False),
        Cure("medical_kit", is_ability=False),
        Look("udjat", is_ability=False),
        Look("prescience"),
        Shoot("shooting"),
        Dodge("dodge"),
        Endure("endurance"),
        ReadSigns("linguistics"),
        Ward("reflexes", "HOR-76"),
        Ward("swimming", "HOR-78"),
        AtALock("lock_picking"),
    )
}
"""All that can be used, by its name."""


def _of(name: str, *, keep: bool) -> Use:
    """Whether the block that was looked at by this is to fall."""
    return Use(card=name, keep=keep) if name == "udjat" else Use(ability=name, keep=keep)
