"""What chance decides: the stack of starting markers, cards and exhibitions that are turned up, tokens of a dig."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Chance, Outcome
from companion.games.jenseits.box import DISPLAY, RESEARCH
from companion.games.jenseits.piles import EXHIBITION, SHUFFLED, ready
from companion.games.jenseits.state import BLANK, PLACES, JenseitsTable, starting_track
from companion.parts import Draw, Facts, changed
from companion.pieces.box_differences import BoxDifference, changed_bag
from companion.pieces.cards import without_one
from companion.pieces.track import Track
from companion.refusals import Illegal, Refusal
from companion.starting_markers import StartingMarker


class DugToken(Draw[JenseitsTable]):
    """A token of the dig, from its bag [JVT-44]."""

    rule = "JVT-44"

    def due(self, table: JenseitsTable) -> bool:
        return table.state.digging is not None

    def chance(self, table: JenseitsTable) -> Chance:
        digging = table.digging
        return Chance(
            "tokens",
            f"token {digging.site}",
            table.state.bags[digging.site].odds(),
            seat=digging.seat,
            rule="JVT-44",
            facts={"site": digging.site, "nth": len(digging.drawn) + 1, "of": digging.of},
        )

    def why_not(self, table: JenseitsTable, outcome: Outcome) -> Refusal | None:
        site = table.digging.site
        if outcome in table.state.bags[site]:
            return None
        return Illegal("jenseits.not_in_bag", rule="JVT-44", token=str(outcome), site=site)

    def off_list_outcomes(self, table: JenseitsTable) -> tuple[str, ...]:
        """Objects of any worth, where no rulebook says which there are."""
        site = table.digging.site
        return table.terms.box.loose_at(site).off_list_outcomes(table.state.bags[site])

    def amend_for(self, table: JenseitsTable, outcome: Outcome) -> JenseitsTable:
        site, bags = table.digging.site, table.state.bags
        more = table.terms.box.loose_at(site).exchanged(bags[site], str(outcome))
        return table.replace(
            bags={**bags, site: changed_bag(bags[site], more)}, otherwise=(*table.state.otherwise, *more)
        )

    def count_rule_for(self, table: JenseitsTable, outcome: Outcome) -> str | None:
        return "JVT-45" if outcome in table.terms.counting and ":" in str(outcome) else None

    def apply_outcome(self, table: JenseitsTable, outcome: Outcome) -> JenseitsTable:
        """Finds stay with the seat; blanks wait beside the bag until the dig is over."""
        token, digging = str(outcome), table.digging
        bags = table.state.bags
        drawn = replace(digging, drawn=(*digging.drawn, token))
        up = table.by(digging.seat).replace(bags={**bags, drawn.site: bags[drawn.site].without(token)}, digging=drawn)
        up = up if token == BLANK else up.with_find(drawn.site, token)
        return up if len(drawn.drawn) < drawn.of else up.dug()

    def log_facts(self, table: JenseitsTable, outcome: Outcome) -> Facts:
        digging = table.digging
        whose: Facts = {"type": "token", "whose": table.terms.names[digging.seat], "seat": digging.seat}
        nth = len(digging.drawn) + 1
        return {**whose, "site": digging.site, "token": outcome, "nth": nth, "of": digging.of}


class JenseitsMarker(StartingMarker[JenseitsTable]):
    """The next marker of the starting stack, from the top [JVT-03]."""

    rule = "JVT-03"

    def why_not(self, table: JenseitsTable, outcome: Outcome) -> Refusal | None:
        if type(outcome) is int and outcome in self.unstacked(table):
            return None
        return Illegal("jenseits.not_to_be_placed", rule="JVT-03")

    def track_of(self, table: JenseitsTable, stack: tuple[int, ...]) -> Track:
        return starting_track(table.terms, stack)


class TurnedUp(Draw[JenseitsTable]):
    """Which exhibition it is that came from the draw pile [JVT-23]."""

    rule = "JVT-23"

    def due(self, table: JenseitsTable) -> bool:
        return table.state.turning

    def chance(self, table: JenseitsTable) -> Chance:
        odds = table.state.piles.which()
        return Chance("exhibitions", "exhibition", odds, pressed=False, facts={"place": PLACES[0]})

    def why_not(self, table: JenseitsTable, outcome: Outcome) -> Refusal | None:
        return None if (outcome, 1) in table.state.piles.which() else _not_on_top(table, outcome)

    def off_list_outcomes(self, table: JenseitsTable) -> tuple[str, ...]:
        """An exhibition that has been told just now, and lies nowhere yet."""
        told = {table.terms.box.kind_of(card) for card in table.state.described if card.part != RESEARCH}
        told -= {each.more for each in table.state.otherwise}
        return tuple(card for card in told if _in_place_of(table, card))

    def amend_for(self, table: JenseitsTable, outcome: Outcome) -> JenseitsTable:
        card, piles = str(outcome), table.state.piles
        fewer = _in_place_of(table, card)
        top, *below = piles.draw
        top = replace(top, exhibitions=tuple(sorted((*without_one(top.exhibitions, fewer), card))))
        more = BoxDifference("exhibitions.cards", card, fewer)
        return table.replace(piles=replace(piles, draw=(top, *below)), otherwise=(*table.state.otherwise, more))

    def unknown_card_part(self, table: JenseitsTable) -> str:
        free = table.terms.box.loose_at(DISPLAY).kinds
        sizes = {table.terms.exhibitions[card].size for card, _ in table.state.piles.which() if card in free}
        return DISPLAY if len(sizes) > 1 else next(iter(sizes), "")

    def count_rule_for(self, table: JenseitsTable, outcome: Outcome) -> str | None:
        return "JVT-20" if outcome in table.terms.exhibitions else None

    def apply_outcome(self, table: JenseitsTable, outcome: Outcome) -> JenseitsTable:
        """It pushes those that are there."""
        card = str(outcome)
        shown, out = pushed(table.state.shown, card)
        return table.replace(piles=table.state.piles.without(card).discard(*out), shown=shown, turning=False)

    def log_facts(self, table: JenseitsTable, outcome: Outcome) -> Facts:
        card = str(outcome)
        return {"type": "exhibition", "card": card, "face": card, "city": table.terms.exhibitions[card].city}


class NewPile(Draw[JenseitsTable]):
    """A new draw pile, when the next card is needed [JVT-21]. It decides nothing: it is a step so that everybody hears
    of it, and people shuffle where the cards are theirs. Tables of version 1 do it without a word."""

    rule = "JVT-21"

    def due(self, table: JenseitsTable) -> bool:
        return table.filling and not table.state.piles.draw and table.terms.rules > 1

    def chance(self, table: JenseitsTable) -> Chance:
        facts: Facts = {"place": table.state.open.index(None) + 1, **self._pile(table)}
        return Chance("cards", "shuffle", ((SHUFFLED, 1),), pressed=False, facts=facts)

    def why_not(self, table: JenseitsTable, outcome: Outcome) -> Refusal | None:
        return None if outcome == SHUFFLED else Illegal("jenseits.shuffle_first", rule="JVT-21")

    def apply_outcome(self, table: JenseitsTable, outcome: Outcome) -> JenseitsTable:
        return table.replace(piles=ready(table.terms, table.state.piles))

    def log_facts(self, table: JenseitsTable, outcome: Outcome) -> Facts:
        return {"type": "shuffled", **self._pile(table)}

    def _pile(self, table: JenseitsTable) -> Facts:
        """How many cards it is made of, and where they lie."""
        heaps = {"at_discards": len(table.state.piles.discards), "at_aside": table.state.piles.aside.size}
        return {"n": sum(heaps.values()), "from": [heap for heap, cards in heaps.items() if cards]}


class OpenedCard(Draw[JenseitsTable]):
    """A card for the first empty place, or that an exhibition comes [JVT-22, JVT-23]."""

    rule = "JVT-22"

    def due(self, table: JenseitsTable) -> bool:
        return table.filling

    def chance(self, table: JenseitsTable) -> Chance:
        place = table.state.open.index(None) + 1
        odds = ready(table.terms, table.state.piles).odds()
        return Chance("cards", f"card {place}", odds, pressed=False, facts={"place": place})

    def why_not(self, table: JenseitsTable, outcome: Outcome) -> Refusal | None:
        piles = ready(table.terms, table.state.piles)
        return None if isinstance(outcome, str) and piles.can_show(outcome) else _not_on_top(table, outcome)

    def off_list_outcomes(self, table: JenseitsTable) -> tuple[str, ...]:
        """One research card more of any kind, where one can be on top."""
        piles = ready(table.terms, table.state.piles)
        return table.terms.box.loose_at(RESEARCH).off_list_outcomes(piles.hidden) if piles.draw[0].research else ()

    def amend_for(self, table: JenseitsTable, outcome: Outcome) -> JenseitsTable:
        piles = ready(table.terms, table.state.piles)
        more = table.terms.box.loose_at(RESEARCH).exchanged(piles.hidden, str(outcome))
        hidden = changed_bag(piles.hidden, more)
        return table.replace(piles=replace(piles, hidden=hidden), otherwise=(*table.state.otherwise, *more))

    def unknown_card_part(self, table: JenseitsTable) -> str:
        piles = ready(table.terms, table.state.piles)
        room = table.terms.box.loose_at(RESEARCH).has_room(piles.hidden)
        return RESEARCH if piles.draw[0].research and room else ""

    def count_rule_for(self, table: JenseitsTable, outcome: Outcome) -> str | None:
        return "JVT-20" if outcome in table.terms.counting else None

    def apply_outcome(self, table: JenseitsTable, outcome: Outcome) -> JenseitsTable:
        card, piles, places = str(outcome), ready(table.terms, table.state.piles), table.state.open
        if card == EXHIBITION:
            return table.replace(piles=piles, turning=True)
        return table.replace(piles=piles.without(card), open=changed(places, places.index(None), card))

    def log_facts(self, table: JenseitsTable, outcome: Outcome) -> Facts:
        card, place = str(outcome), table.state.open.index(None) + 1
        if card == EXHIBITION:
            return {"type": "coming"}
        city = table.terms.research[card].city
        return {"type": "open", "card": card, "face": table.terms.face(card), "city": city, "place": place}


def pushed(shown: tuple[str | None, ...], card: str) -> tuple[tuple[str | None, ...], tuple[str, ...]]:
    """An exhibition comes to a: what lay there goes to b, from b to c, from c to the discards; an empty place stops it.

    >>> pushed(("x", None, "y"), "new")
    (('new', 'x', 'y'), ())
    >>> pushed(("x", "y", "z"), "new")
    (('new', 'x', 'y'), ('z',))
    """
    if None in shown:
        gap = shown.index(None)
        return (card, *shown[:gap], *shown[gap + 1 :]), ()
    return (card, *shown[:-1]), tuple(pushed_out for pushed_out in shown[-1:] if pushed_out)


def _in_place_of(table: JenseitsTable, card: str) -> str:
    """The exhibition as large in whose place another is: of those that can be on top, one that no rule states; "" where
    there is none."""
    size, free = table.terms.exhibitions[card].size, table.terms.box.loose_at(DISPLAY).kinds
    fits = (each for each, _ in table.state.piles.which() if table.terms.exhibitions[each].size == size)
    return next((each for each in fits if each in free), "")


def _not_on_top(table: JenseitsTable, outcome: Outcome) -> Refusal:
    return Illegal("jenseits.not_on_top", rule="JVT-20", card=table.terms.face(str(outcome)))
