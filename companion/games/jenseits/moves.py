"""What a seat can do in its turn: each move knows what might be done, what bars it, what it costs, and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Literal

from msgspec import structs

from companion.games.jenseits.piles import research_to_come
from companion.games.jenseits.state import Counts, JenseitsTable, Knowledge, Run, knowledge, together
from companion.games.jenseits.terms import MOST_WEEKS
from companion.parts import Act, Facts, changed
from companion.refusals import Illegal, Refusal

Use = Literal["ethnology", "assistant", "shovel", "special_permit"]
"""A card that is used up for one dig."""

USES: tuple[Use, ...] = ("ethnology", "assistant", "shovel", "special_permit")
"""The order in which a dig is written down with what it uses."""

BY_LAND_OR_AIR = (False, True)


class Journey(Act[JenseitsTable], frozen=True, kw_only=True):
    """An act at the end of a trip. Trip and action are paid together, once [JVT-11]; a zeppelin flies one trip for
    nothing, and is used up [JVT-13]."""

    zeppelin: bool = False

    def goal(self, table: JenseitsTable) -> str:
        """Where one goes for it."""
        raise NotImplementedError

    def action(self, table: JenseitsTable) -> int:
        """The weeks that it takes there."""
        raise NotImplementedError

    def barred(self, table: JenseitsTable) -> Refusal | None:
        """Why it cannot be had, however one would get there."""
        raise NotImplementedError

    def cost(self, table: JenseitsTable) -> int:
        """The weeks that it takes in all, trip and action together."""
        return self.action(table) + (0 if self.zeppelin else table.trips[self.goal(table)])

    def price(self, table: JenseitsTable) -> int:
        return self.cost(table)

    def why_not(self, table: JenseitsTable) -> Refusal | None:
        return self.barred(table) or self._no_flight(table) or self._no_time(table)

    def arrived(self, table: JenseitsTable) -> JenseitsTable:
        """The figure is there, and trip and action are paid."""
        there = table.used_up("zeppelin") if self.zeppelin else table
        return there.travelled(self.goal(table), self.cost(table))

    def used(self) -> tuple[str, ...]:
        """The cards that it uses up."""
        return ("zeppelin",) if self.zeppelin else ()

    def turned_after(self, table: JenseitsTable) -> frozenset[str]:
        """The sites whose permits show the used side once it is over [JVT-09]."""
        return table.turned_after(self.cost(table))

    def log_facts(self, table: JenseitsTable) -> Facts:
        tag = str(self.__struct_config__.tag)
        return {
            "who": table.terms.names[table.seat],
            "seat": table.seat,
            "type": f"{tag}_using" if self.used() else tag,
            "n": self.cost(table),
            "uses": self.used(),
        }

    def _no_flight(self, table: JenseitsTable) -> Refusal | None:
        if self.zeppelin and not table.mine.counts.zeppelins:
            return Illegal("jenseits.no_zeppelin", rule="JVT-13")
        if self.zeppelin and table.mine.place == self.goal(table):
            return Illegal("jenseits.no_trip", rule="JVT-13", place=table.mine.place)
        return None

    def _no_time(self, table: JenseitsTable) -> Refusal | None:
        """No marker goes past the end [JVT-06]."""
        weeks, left = self.cost(table), table.left
        if weeks > left:
            return Illegal("jenseits.weeks_left", rule="JVT-06", n=weeks - left, weeks=weeks, left=left)
        return None


class Take(Journey, frozen=True, tag="take"):
    """Go to the city of an open card, and take it."""

    card: str

    @classmethod
    def thinkable(cls, table: JenseitsTable) -> Iterator[Take]:
        cards = dict.fromkeys(card for card in table.state.open if card is not None)
        return (cls(card, zeppelin=flown) for flown, card in product(BY_LAND_OR_AIR, cards))

    def goal(self, table: JenseitsTable) -> str:
        return table.terms.research[self.card].city

    def action(self, table: JenseitsTable) -> int:
        return table.terms.research[self.card].weeks

    def barred(self, table: JenseitsTable) -> Refusal | None:
        if self.card not in table.state.open:
            return Illegal("jenseits.not_open", rule="JVT-22", card=table.terms.face(self.card))
        return None

    def done(self, table: JenseitsTable) -> JenseitsTable:
        """The card comes to lie before the seat; its place is filled at the end of the turn [JVT-22]."""
        place = table.state.open.index(self.card)
        return self.arrived(table).taken(self.card).replace(open=changed(table.state.open, place, None))

    def log_facts(self, table: JenseitsTable) -> Facts:
        face = table.terms.face(self.card)
        return {**super().log_facts(table), "card": self.card, "face": face, "city": self.goal(table)}


class Refresh(Journey, frozen=True, tag="refresh"):
    """Go to Warsaw, and have four other cards opened."""

    @classmethod
    def thinkable(cls, table: JenseitsTable) -> Iterator[Refresh]:
        return (cls(zeppelin=flown) for flown in BY_LAND_OR_AIR)

    def goal(self, table: JenseitsTable) -> str:
        return table.terms.home

    def action(self, table: JenseitsTable) -> int:
        return table.refresh_weeks

    def barred(self, table: JenseitsTable) -> Refusal | None:
        if not any(table.state.open) and not research_to_come(table.terms, table.state.piles):
            return Illegal("jenseits.no_cards", rule="JVT-24")
        return None

    def done(self, table: JenseitsTable) -> JenseitsTable:
        """The open cards go to the discards; four others are opened [JVT-24]."""
        there = self.arrived(table)
        piles, run = there.state.piles, there.state.run
        return there.replace(
            piles=piles.discard(*(card for card in table.state.open if card is not None)),
            open=(None,) * len(table.state.open),
            run=Run(table.seat, run.refreshes + 1),
        )

    def log_facts(self, table: JenseitsTable) -> Facts:
        return {**super().log_facts(table), "city": self.goal(table)}


class Dig(Journey, frozen=True, tag="dig"):
    """Go to a site, and dig there for 1 to 12 weeks, using up these cards."""

    site: str
    weeks: int
    use: tuple[Use, ...] = ()

    def __post_init__(self) -> None:
        """The cards may be named in any order: the same dig is the same move."""
        if len(self.use) > 1:
            structs.force_setattr(self, "use", tuple(sorted(self.use, key=USES.index)))

    @classmethod
    def thinkable(cls, table: JenseitsTable) -> Iterator[Dig]:
        every = product(table.terms.sites, range(1, MOST_WEEKS + 1), ways(USES), BY_LAND_OR_AIR)
        return (cls(site, weeks, use, zeppelin=flown) for site, weeks, use, flown in every)

    def goal(self, table: JenseitsTable) -> str:
        return self.site

    def action(self, table: JenseitsTable) -> int:
        return self.weeks

    def barred(self, table: JenseitsTable) -> Refusal | None:
        if self.site not in table.terms.sites:
            return Illegal("jenseits.no_site", rule="JVT-42", site=self.site)
        if not 1 <= self.weeks <= MOST_WEEKS:
            return Illegal("jenseits.weeks_of_a_dig", rule="JVT-42", most=MOST_WEEKS)
        return self._not_held(table.mine.counts) or self._nothing_to_draw(table)

    def why_not(self, table: JenseitsTable) -> Refusal | None:
        return super().why_not(table) or self._no_permit(table)

    def done(self, table: JenseitsTable) -> JenseitsTable:
        """The time is paid and cards are used up; then tokens are drawn, one by one [JVT-42 to JVT-45]."""
        there = self.arrived(table)
        for use in self.use:
            there = there.used_up(use, self.site if use == "ethnology" else None)
        return there.begun(self.site, self.tokens(table), specially=self.turns_none_down(table))

    def used(self) -> tuple[str, ...]:
        return (*super().used(), *self.use)

    def log_facts(self, table: JenseitsTable) -> Facts:
        facts: Facts = {"site": self.site, "weeks": self.weeks, "tokens": self.tokens(table)}
        return {**super().log_facts(table), **facts, "first": self.site in table.state.first_finds}

    def known(self, table: JenseitsTable) -> Knowledge:
        """How much the seat knows about the site with what it uses."""
        return knowledge(table.mine.counts, self.site, self.use)

    def shovels(self, table: JenseitsTable) -> int:
        """How many tokens more the shovels are good for; a lone one only if it is used up [JVT-43]."""
        return 1 if "shovel" in self.use else together(table.mine.counts.shovels)

    def tokens(self, table: JenseitsTable) -> int:
        """How many tokens the dial shows for the knowledge and the weeks, and the shovels add; 0 where it shows none
        or too little is known for a dig [JVT-41 to JVT-43]."""
        known = self.known(table)
        on_dial = table.terms.dial.tokens(known.total, self.weeks) if known.opens_a_dig else 0
        return on_dial + self.shovels(table) if on_dial else 0

    def turns_none_down(self, table: JenseitsTable) -> bool:
        """Whether its permit stays as it is, because a special one is used [JVT-09]."""
        return "special_permit" in self.use and table.terms.rules > 1

    def turned_after(self, table: JenseitsTable) -> frozenset[str]:
        return super().turned_after(table) | (frozenset() if self.turns_none_down(table) else {self.site})

    def _not_held(self, counts: Counts) -> Refusal | None:
        """Only what lies before the seat is used up, and each once."""
        if len(set(self.use)) < len(self.use):
            return Illegal("jenseits.use_once", rule="JVT-25")
        if "ethnology" in self.use and self.site not in counts.ethnology:
            return Illegal("jenseits.no_ethnology", rule="JVT-30", site=self.site)
        if "assistant" in self.use and counts.assistants != 1:
            return Illegal("jenseits.not_a_lone_assistant", rule="JVT-31", n=counts.assistants)
        if "shovel" in self.use and counts.shovels != 1:
            return Illegal("jenseits.not_a_lone_shovel", rule="JVT-43", n=counts.shovels)
        if "special_permit" in self.use and not counts.special_permits:
            return Illegal("jenseits.no_special_permit", rule="JVT-40")
        return None

    def _nothing_to_draw(self, table: JenseitsTable) -> Refusal | None:
        """A dig needs a book about the site or its ethnology card [JVT-41], and a dial that shows a token [JVT-42]."""
        known = self.known(table)
        if not known.opens_a_dig:
            return Illegal("jenseits.knows_nothing", rule="JVT-41", site=self.site)
        if not self.tokens(table):
            n = table.terms.least_weeks[known.total] - self.weeks
            return Illegal("jenseits.no_tokens", rule="JVT-42", n=n, points=known.total, weeks=self.weeks)
        return None

    def _no_permit(self, table: JenseitsTable) -> Refusal | None:
        """A dig needs its permit up, or a special permit where it is not [JVT-40]."""
        up, special = table.permit_up(self.site, self.cost(table)), "special_permit" in self.use
        if up and special:
            return Illegal("jenseits.permit_is_up", rule="JVT-40", site=self.site)
        if up or special:
            return None
        if table.terms.rules == 1:
            return self._not_yet_in_the_new_year(table)
        if not table.new_year(table.to_new_year):
            return Illegal("jenseits.permit_down_for_good", rule="JVT-40", site=self.site)
        return Illegal("jenseits.permit_down", rule="JVT-40", site=self.site, n=table.to_new_year)

    def _not_yet_in_the_new_year(self, table: JenseitsTable) -> Refusal:
        """To version 1, a longer dig reached the permit of the new year."""
        longer = table.to_new_year - self.cost(table)
        if self.weeks + longer > MOST_WEEKS:
            return Illegal("jenseits.permit_used_for_long", rule="JVT-40", site=self.site, n=table.to_new_year)
        return Illegal("jenseits.permit_used", rule="JVT-40", site=self.site, n=longer)


class Exhibit(Journey, frozen=True, tag="exhibit"):
    """Go to the city of an exhibition, and hold it."""

    card: str

    @classmethod
    def thinkable(cls, table: JenseitsTable) -> Iterator[Exhibit]:
        cards = [card for card in table.state.shown if card is not None]
        return (cls(card, zeppelin=flown) for flown, card in product(BY_LAND_OR_AIR, cards))

    def goal(self, table: JenseitsTable) -> str:
        return table.terms.exhibitions[self.card].city

    def action(self, table: JenseitsTable) -> int:
        return table.terms.exhibitions[self.card].weeks

    def barred(self, table: JenseitsTable) -> Refusal | None:
        if self.card not in table.state.shown:
            return Illegal("jenseits.not_shown", rule="JVT-50", card=self.card)
        sites = [site for site, count in self.missing(table).items() for _ in range(count)]
        return Illegal("jenseits.objects_missing", rule="JVT-50", n=len(sites), sites=sites) if sites else None

    def done(self, table: JenseitsTable) -> JenseitsTable:
        """The exhibition is the seat's, the objects too; its place stays empty [JVT-50, JVT-51]."""
        place = table.state.shown.index(self.card)
        return self.arrived(table).taken(self.card).replace(shown=changed(table.state.shown, place, None))

    def log_facts(self, table: JenseitsTable) -> Facts:
        facts: Facts = {"card": self.card, "face": self.card, "city": self.goal(table)}
        return {**super().log_facts(table), **facts, "points": table.terms.exhibitions[self.card].points}

    def missing(self, table: JenseitsTable) -> dict[str, int]:
        """How many objects more it asks for, by origin; books on tokens are none, values do not matter [JVT-50]."""
        asked, mine = table.terms.exhibitions[self.card].objects, table.mine.counts.objects
        return {site: count - mine[site] for site, count in asked.items() if mine[site] < count}


class Retire(Act[JenseitsTable], frozen=True, tag="retire"):
    """Act no more: the marker goes to the end."""

    def cost(self, table: JenseitsTable) -> int:
        """The weeks that are given up."""
        return table.left

    def price(self, table: JenseitsTable) -> int:
        return self.cost(table)

    def done(self, table: JenseitsTable) -> JenseitsTable:
        return table.travelled(table.mine.place, table.left)

    def log_facts(self, table: JenseitsTable) -> Facts:
        return {"who": table.terms.names[table.seat], "seat": table.seat, "type": "retire", "n": table.left}


def ways(held: tuple[Use, ...]) -> tuple[tuple[Use, ...], ...]:
    """Every choice of some of these cards, none first, each in the order of `USES`."""
    return tuple(some for count in range(len(held) + 1) for some in combinations(held, count))


def usable(counts: Counts, site: str) -> tuple[Use, ...]:
    """The cards that a seat could use up for a dig at a site, apart from a special permit."""
    held: list[Use] = []
    if site in counts.ethnology:
        held.append("ethnology")
    if counts.assistants == 1:
        held.append("assistant")
    if counts.shovels == 1:
        held.append("shovel")
    return tuple(held)
