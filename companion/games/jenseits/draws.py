"""What chance decides: the stack of starting markers, cards and exhibitions that are turned up, tokens of a dig."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Chance, Outcome
from companion.games.jenseits.box import DISPLAY, RESEARCH
from companion.games.jenseits.piles import EXHIBITION, SHUFFLED, less, ready
from companion.games.jenseits.state import BLANK, PLACES, Table, starting_track
from companion.parts import Draw, Facts, changed
from companion.pieces.otherwise import Otherwise, changed_bag
from companion.refusals import Illegal, Refusal


class Token(Draw[Table]):
    """A token of the dig, from its bag [JVT-44]."""

    rule = "JVT-44"

    def due(self, here: Table) -> bool:
        return here.state.digging is not None

    def asked(self, here: Table) -> Chance:
        digging = here.digging
        return Chance(
            "tokens",
            f"token {digging.site}",
            here.state.bags[digging.site].odds(),
            seat=digging.seat,
            rule="JVT-44",
            facts={"site": digging.site, "nth": len(digging.drawn) + 1, "of": digging.of},
        )

    def why_not(self, here: Table, outcome: Outcome) -> Refusal | None:
        site = here.digging.site
        if outcome in here.state.bags[site]:
            return None
        return Illegal("jenseits.not_in_bag", rule="JVT-44", token=str(outcome), site=site)

    def besides(self, here: Table) -> tuple[str, ...]:
        """Objects of any worth, where no rulebook says which there are."""
        site = here.digging.site
        return here.terms.box.loose_at(site).besides(here.state.bags[site])

    def otherwise(self, here: Table, outcome: Outcome) -> Table:
        site, bags = here.digging.site, here.state.bags
        more = here.terms.box.loose_at(site).exchanged(bags[site], str(outcome))
        return here.but(bags={**bags, site: changed_bag(bags[site], more)}, otherwise=(*here.state.otherwise, *more))

    def stated(self, here: Table, outcome: Outcome) -> str | None:
        return "JVT-45" if outcome in here.terms.counting and ":" in str(outcome) else None

    def fallen(self, here: Table, outcome: Outcome) -> Table:
        """Finds stay with the seat; blanks wait beside the bag until the dig is over."""
        token, digging = str(outcome), here.digging
        bags = here.state.bags
        drawn = replace(digging, drawn=(*digging.drawn, token))
        up = here.by(digging.seat).but(bags={**bags, drawn.site: bags[drawn.site].without(token)}, digging=drawn)
        up = up if token == BLANK else up.found(drawn.site, token)
        return up if len(drawn.drawn) < drawn.of else up.dug()

    def told(self, here: Table, outcome: Outcome) -> Facts:
        digging = here.digging
        whose: Facts = {"type": "token", "whose": here.terms.names[digging.seat], "seat": digging.seat}
        nth = len(digging.drawn) + 1
        return {**whose, "site": digging.site, "token": outcome, "nth": nth, "of": digging.of}


class Marker(Draw[Table]):
    """The next marker of the starting stack, from the top [JVT-03]."""

    rule = "JVT-03"

    def due(self, here: Table) -> bool:
        return here.stacking

    def asked(self, here: Table) -> Chance:
        nth, seats = len(here.state.stack) + 1, len(here.state.seats)
        odds = tuple((seat, 1) for seat in _loose(here))
        return Chance("start", f"marker {nth}", odds, of="seats", facts={"nth": nth, "of": seats})

    def why_not(self, here: Table, outcome: Outcome) -> Refusal | None:
        if type(outcome) is int and outcome in _loose(here):
            return None
        return Illegal("jenseits.not_to_be_placed", rule="JVT-03")

    def fallen(self, here: Table, outcome: Outcome) -> Table:
        """The last marker is what is left."""
        stack = (*here.state.stack, int(outcome))
        loose = less(_loose(here), int(outcome))
        if len(loose) > 1:
            return here.but(stack=stack)
        return here.but(stack=(*stack, *loose), track=starting_track(here.terms, (*stack, *loose)))

    def told(self, here: Table, outcome: Outcome) -> Facts:
        seat = int(outcome)
        return {"type": "marker", "whose": here.terms.names[seat], "seat": seat, "nth": len(here.state.stack) + 1}


class TurnedUp(Draw[Table]):
    """Which exhibition it is that came from the draw pile [JVT-23]."""

    rule = "JVT-23"

    def due(self, here: Table) -> bool:
        return here.state.turning

    def asked(self, here: Table) -> Chance:
        odds = here.state.piles.which()
        return Chance("exhibitions", "exhibition", odds, pressed=False, facts={"place": PLACES[0]})

    def why_not(self, here: Table, outcome: Outcome) -> Refusal | None:
        return None if (outcome, 1) in here.state.piles.which() else _not_on_top(here, outcome)

    def besides(self, here: Table) -> tuple[str, ...]:
        """An exhibition that has been told just now, and lies nowhere yet."""
        told = {here.terms.box.kind_of(card) for card in here.state.described if card.part != RESEARCH}
        told -= {each.more for each in here.state.otherwise}
        return tuple(card for card in told if _in_place_of(here, card))

    def otherwise(self, here: Table, outcome: Outcome) -> Table:
        card, piles = str(outcome), here.state.piles
        fewer = _in_place_of(here, card)
        top, *below = piles.draw
        top = replace(top, exhibitions=tuple(sorted((*less(top.exhibitions, fewer), card))))
        more = Otherwise("exhibitions.cards", card, fewer)
        return here.but(piles=replace(piles, draw=(top, *below)), otherwise=(*here.state.otherwise, more))

    def another(self, here: Table) -> str:
        free = here.terms.box.loose_at(DISPLAY).kinds
        sizes = {here.terms.exhibitions[card].size for card, _ in here.state.piles.which() if card in free}
        return DISPLAY if len(sizes) > 1 else next(iter(sizes), "")

    def stated(self, here: Table, outcome: Outcome) -> str | None:
        return "JVT-20" if outcome in here.terms.exhibitions else None

    def fallen(self, here: Table, outcome: Outcome) -> Table:
        """It pushes those that are there."""
        card = str(outcome)
        shown, out = pushed(here.state.shown, card)
        return here.but(piles=here.state.piles.without(card).discard(*out), shown=shown, turning=False)

    def told(self, here: Table, outcome: Outcome) -> Facts:
        card = str(outcome)
        return {"type": "exhibition", "card": card, "face": card, "city": here.terms.exhibitions[card].city}


class Shuffle(Draw[Table]):
    """A new draw pile, when the next card is needed [JVT-21]. It decides nothing: it is a step so that everybody hears
    of it, and people shuffle where the cards are theirs. Tables of version 1 do it without a word."""

    rule = "JVT-21"

    def due(self, here: Table) -> bool:
        return here.filling and not here.state.piles.draw and here.terms.rules > 1

    def asked(self, here: Table) -> Chance:
        facts: Facts = {"place": here.state.open.index(None) + 1, **self._pile(here)}
        return Chance("cards", "shuffle", ((SHUFFLED, 1),), pressed=False, facts=facts)

    def why_not(self, here: Table, outcome: Outcome) -> Refusal | None:
        return None if outcome == SHUFFLED else Illegal("jenseits.shuffle_first", rule="JVT-21")

    def fallen(self, here: Table, outcome: Outcome) -> Table:
        return here.but(piles=ready(here.terms, here.state.piles))

    def told(self, here: Table, outcome: Outcome) -> Facts:
        return {"type": "shuffled", **self._pile(here)}

    def _pile(self, here: Table) -> Facts:
        """How many cards it is made of, and where they lie."""
        heaps = {"at_discards": len(here.state.piles.discards), "at_aside": here.state.piles.aside.size}
        return {"n": sum(heaps.values()), "from": [heap for heap, cards in heaps.items() if cards]}


class Card(Draw[Table]):
    """A card for the first empty place, or that an exhibition comes [JVT-22, JVT-23]."""

    rule = "JVT-22"

    def due(self, here: Table) -> bool:
        return here.filling

    def asked(self, here: Table) -> Chance:
        place = here.state.open.index(None) + 1
        odds = ready(here.terms, here.state.piles).odds()
        return Chance("cards", f"card {place}", odds, pressed=False, facts={"place": place})

    def why_not(self, here: Table, outcome: Outcome) -> Refusal | None:
        piles = ready(here.terms, here.state.piles)
        return None if isinstance(outcome, str) and piles.can_show(outcome) else _not_on_top(here, outcome)

    def besides(self, here: Table) -> tuple[str, ...]:
        """One research card more of any kind, where one can be on top."""
        piles = ready(here.terms, here.state.piles)
        return here.terms.box.loose_at(RESEARCH).besides(piles.hidden) if piles.draw[0].research else ()

    def otherwise(self, here: Table, outcome: Outcome) -> Table:
        piles = ready(here.terms, here.state.piles)
        more = here.terms.box.loose_at(RESEARCH).exchanged(piles.hidden, str(outcome))
        hidden = changed_bag(piles.hidden, more)
        return here.but(piles=replace(piles, hidden=hidden), otherwise=(*here.state.otherwise, *more))

    def another(self, here: Table) -> str:
        piles = ready(here.terms, here.state.piles)
        room = here.terms.box.loose_at(RESEARCH).has_room(piles.hidden)
        return RESEARCH if piles.draw[0].research and room else ""

    def stated(self, here: Table, outcome: Outcome) -> str | None:
        return "JVT-20" if outcome in here.terms.counting else None

    def fallen(self, here: Table, outcome: Outcome) -> Table:
        card, piles, places = str(outcome), ready(here.terms, here.state.piles), here.state.open
        if card == EXHIBITION:
            return here.but(piles=piles, turning=True)
        return here.but(piles=piles.without(card), open=changed(places, places.index(None), card))

    def told(self, here: Table, outcome: Outcome) -> Facts:
        card, place = str(outcome), here.state.open.index(None) + 1
        if card == EXHIBITION:
            return {"type": "coming"}
        city = here.terms.research[card].city
        return {"type": "open", "card": card, "face": here.terms.face(card), "city": city, "place": place}


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


def _in_place_of(here: Table, card: str) -> str:
    """The exhibition as large in whose place another is: of those that can be on top, one that no rule states; "" where
    there is none."""
    size, free = here.terms.exhibitions[card].size, here.terms.box.loose_at(DISPLAY).kinds
    fits = (each for each, _ in here.state.piles.which() if here.terms.exhibitions[each].size == size)
    return next((each for each in fits if each in free), "")


def _loose(here: Table) -> tuple[int, ...]:
    """The seats whose markers are not in the stack yet."""
    return tuple(seat for seat in range(len(here.state.seats)) if seat not in here.state.stack)


def _not_on_top(here: Table, outcome: Outcome) -> Refusal:
    return Illegal("jenseits.not_on_top", rule="JVT-20", card=here.terms.face(str(outcome)))
