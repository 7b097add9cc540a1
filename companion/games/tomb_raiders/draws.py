"""What chance decides, or the table tells: the markers, what comes from the draw pile, and what a pile shows."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Chance, Outcome, can_fall
from companion.games.tomb_raiders.box import DECK, TAKES
from companion.games.tomb_raiders.moves import Take
from companion.games.tomb_raiders.state import RUBBLE, PileLook, TombTable
from companion.parts import UNSEEN, Draw, Facts, changed
from companion.pieces.box_differences import FigureOverride, changed_bag
from companion.pieces.piles import are_among, have_come
from companion.secrecy import Secret, nobody
from companion.starting_markers import StartingMarker

ONE_OF_EACH = {"thief": "TTR-31", "tomb_raiders": "TTR-32"}
"""The rules that say of which action cards there is one for each region."""
GREEN, EMPTY, NOTHING, SEEN = "green_back", "deck_empty", "used_up", "seen"
"""A green back on top; the draw pile is empty; a pile has no card more; the pile has been looked through."""


class TombMarker(StartingMarker[TombTable]):
    """The next marker of the starting stack, from the top [TTR-01]."""

    rule = "TTR-01"


class Top(Draw[TombTable]):
    """Where the draw pile is real: what lies on top, once the storage spaces are filled as far as it goes. A region's
    back is put on its pile, until the next one is green, or there is none [TTR-11, TTR-12, TTR-70]. Which back it was
    is in no log and no record: it would count a pile [TTR-13]."""

    secret = Secret(
        lambda table, back: back if table.terms.real_piles else UNSEEN, to=nobody, passing=lambda table: True
    )
    rule = "TTR-12"

    def due(self, table: TombTable) -> bool:
        return table.state.topping and not table.over

    def chance(self, table: TombTable) -> Chance:
        """Where the pile must be empty by what has been taken, that is asked."""
        state, terms = table.state, table.terms
        takes = table.taken if terms.rules > 1 else state.takes
        backs = tuple((region, state.piles[region].to_come) for region in terms.regions) if not terms.real_piles else ()
        green = ((GREEN, max(1, state.deck.total)),) if table.some_unseen or terms.rules == 1 else ()
        empty = ((EMPTY, 1),) if takes >= terms.most_takes - 1 or not green else ()
        facts: Facts = {"takes": takes, "most": terms.most_takes} if terms.rules > 1 else {}
        question = "end" if takes >= terms.most_takes and facts else "top"
        return Chance("cards", question, (*backs, *green, *empty), pressed=False, veiled=True, facts=facts)

    def off_list_outcomes(self, table: TombTable) -> tuple[str, ...]:
        """That the pile is empty, at any time, whatever has been counted [TTR-70]."""
        return () if table.terms.rules == 1 or can_fall(self.chance(table), EMPTY) else (EMPTY,)

    def amend_for(self, table: TombTable, outcome: Outcome) -> TombTable:
        return table

    def apply_outcome(self, table: TombTable, outcome: Outcome) -> TombTable:
        """After how many takes the pile was empty is a figure of the copy that lies there."""
        if outcome in (GREEN, EMPTY):
            found = outcome == EMPTY and table.terms.rules > 1 and table.taken != table.terms.most_takes
            reads = (
                (*table.state.reads, FigureOverride(TAKES, table.taken)) if found and table.taken else table.state.reads
            )
            return table.replace(topping=False, is_over=outcome == EMPTY, reads=reads)
        region = str(outcome)
        return table.with_pile(region, table.pile(region).come(1))

    def log_facts(self, table: TombTable, outcome: Outcome) -> Facts:
        return {"type": "top"}


class Stored(Draw[TombTable]):
    """The next green card: an exhibition or a museum goes on display, any other into an empty space [TTR-11, TTR-12].

    The artifacts between two green cards come to their piles unseen; what they are is worked out when it matters.
    """

    rule = "TTR-12"

    def due(self, table: TombTable) -> bool:
        return table.filling

    def chance(self, table: TombTable) -> Chance:
        place = table.state.storage.index(None) + 1
        return Chance("cards", f"card {place}", table.state.deck.odds(), pressed=False, facts={"place": place})

    def apply_outcome(self, table: TombTable, outcome: Outcome) -> TombTable:
        card, state = str(outcome), table.state
        table = table.replace(deck=state.deck.without(card), turned=state.turned + 1)
        if card not in table.terms.cards:
            return table.replace(shown=(*state.shown, card))
        return table.replace(storage=changed(state.storage, state.storage.index(None), card))

    def log_facts(self, table: TombTable, outcome: Outcome) -> Facts:
        card = str(outcome)
        if card not in table.terms.cards:
            return {"type": "shown", "card": card}
        return {"type": "stored", "card": card, "place": table.state.storage.index(None) + 1}


class Taken(Draw[TombTable]):
    """Which card it is that somebody takes from real storage: any that is left, or one that the box does not have."""

    rule = "TTR-20"

    def due(self, table: TombTable) -> bool:
        return table.state.taking

    def chance(self, table: TombTable) -> Chance:
        deck, terms = table.state.deck, table.terms
        laid = tuple((card, deck[card]) for card in terms.laid_open if deck[card])
        unknown = tuple((kind, table.unshown(kind)) for kind in terms.unknown if table.unshown(kind) > 0)
        seat = table.state.track.furthest_back
        return Chance("cards", "taken", (*laid, *unknown), seat=seat, rule=self.rule, veiled=True)

    def off_list_outcomes(self, table: TombTable) -> tuple[str, ...]:
        """One more of what lies open with whoever takes it, or of the action cards of which no rule says how many."""
        more = table.open_deck.off_list_outcomes(table.state.deck)
        if not table.open_deck.has_room(table.state.deck):
            return ()
        return (*more, *(kind for kind in table.terms.unknown if table.unshown(kind) <= 0 and _unstated(table, kind)))

    def amend_for(self, table: TombTable, outcome: Outcome) -> TombTable:
        card, deck = str(outcome), table.state.deck
        more = table.open_deck.exchanged(deck, _unstated(table, card) if card in table.terms.unknown else card)
        return table.replace(deck=changed_bag(deck, more), otherwise=(*table.state.otherwise, *more))

    def unknown_card_part(self, table: TombTable) -> str:
        return DECK if table.open_deck.has_room(table.state.deck) else ""

    def apply_outcome(self, table: TombTable, outcome: Outcome) -> TombTable:
        return Take(str(outcome)).done(table.by(table.state.track.furthest_back).replace(taking=False))

    def log_facts(self, table: TombTable, outcome: Outcome) -> Facts:
        return Take(str(outcome)).log_facts(table.by(table.state.track.furthest_back))


class Named(Draw[TombTable]):
    """Which action card of a real hand is shown: one that it may be, or one more than the box says [TTR-30]."""

    rule = "TTR-30"

    def due(self, table: TombTable) -> bool:
        return table.state.naming

    def chance(self, table: TombTable) -> Chance:
        seat, deck = table.state.track.furthest_back, table.state.deck
        mine = table.by(seat)
        may_be = tuple((card, deck[card]) for card in table.terms.cards if mine.may_be(card) is not None)
        return Chance("cards", "named", may_be, seat=seat, rule=self.rule, veiled=True)

    def off_list_outcomes(self, table: TombTable) -> tuple[str, ...]:
        return table.by(table.state.track.furthest_back).beyond

    def amend_for(self, table: TombTable, outcome: Outcome) -> TombTable:
        more = table.open_deck.exchanged(table.state.deck, str(outcome))
        return table.replace(deck=changed_bag(table.state.deck, more), otherwise=(*table.state.otherwise, *more))

    def count_rule_for(self, table: TombTable, outcome: Outcome) -> str | None:
        card = table.terms.cards.get(str(outcome))
        return ONE_OF_EACH.get(card.kind) if card is not None else None

    def apply_outcome(self, table: TombTable, outcome: Outcome) -> TombTable:
        """It is known in the hand from now on, and can be played or dug with. To version 1, where one of its kind was
        known there already, it was that one that was shown."""
        card, mine = str(outcome), table.by(table.state.track.furthest_back)
        shown = mine.parted(card) if table.terms.rules == 1 else mine.shown(card)
        return shown.in_hand(card).replace(naming=False)

    def log_facts(self, table: TombTable, outcome: Outcome) -> Facts:
        seat = table.state.track.furthest_back
        return {"type": "named", "whose": table.terms.names[seat], "seat": seat, "card": outcome}


def _unstated(table: TombTable, unknown: str) -> str:
    """An action card of these weeks of which no rule says how many there are; "" where each is stated."""
    loose = table.terms.box.loose_at(DECK).kinds
    return next((card for card in table.terms.unknown[unknown] if card in loose), "")


class Unseen(Draw[TombTable]):
    """What is worked out of the piles before a hand reaches into one: seen by nobody, told to nobody [TTR-13]."""

    rule = "TTR-13"

    def log_facts(self, table: TombTable, outcome: Outcome) -> Facts:
        return {"type": "shuffled", "region": table.task.region}


class Come(Unseen):
    """How many cards of a region have come onto its pile since the piles were settled last."""

    def due(self, table: TombTable) -> bool:
        task = table.state.task
        return task is not None and task.counted < len(table.terms.regions)

    def chance(self, table: TombTable) -> Chance:
        task = table.task
        region = table.terms.regions[task.counted]
        odds = have_come(table.pile(region).to_come, task.past, task.ahead)
        return Chance("piles", f"come {region}", odds, pressed=False, hidden=True)

    def apply_outcome(self, table: TombTable, outcome: Outcome) -> TombTable:
        """Those that have come, and those that have not, make gaps for the next region's."""
        task, came = table.task, int(outcome)
        region = table.terms.regions[task.counted]
        left = table.pile(region).to_come - came
        task = replace(task, counted=task.counted + 1, past=task.past + came, ahead=task.ahead + left)
        return table.with_pile(region, table.pile(region).come(came)).replace(task=task).on()


class Lie(Unseen):
    """How many of a kind are among the unturned cards of the pile."""

    def due(self, table: TombTable) -> bool:
        task = table.state.task
        return task is not None and task.sorted < len(table.terms.kinds(task.region)) - 1

    def chance(self, table: TombTable) -> Chance:
        kind, pile = self._kind(table), table.pile(table.task.region)
        later = table.terms.kinds(table.task.region)[table.task.sorted :]
        counts = pile.faces.counts
        among = sum([counts.get(each, 0) for each in later])
        same = counts.get(kind, 0)
        odds = are_among(same, among - same, pile.unturned, table.terms.faces[table.task.region][kind])
        return Chance("piles", f"lie {kind}", odds, pressed=False, hidden=True)

    def apply_outcome(self, table: TombTable, outcome: Outcome) -> TombTable:
        task = table.task
        pile = table.pile(task.region).known(self._kind(table), int(outcome))
        return table.with_pile(task.region, pile).replace(task=replace(task, sorted=task.sorted + 1)).on()

    def _kind(self, table: TombTable) -> str:
        return table.terms.kinds(table.task.region)[table.task.sorted]


class FromPile(Draw[TombTable]):
    """What comes from a region's pile: where that is real, it may have what the box does not."""

    def amend_for(self, table: TombTable, outcome: Outcome) -> TombTable:
        """With one such card more in its pile, in the place of another that nobody has seen."""
        region, shown = table.task.region, table.state.otherwise
        pile = table.pile(region)
        more = table.terms.box.loose_at(region).exchanged(pile.faces, str(outcome))
        changed = table.with_pile(region, replace(pile, faces=changed_bag(pile.faces, more)))
        return changed.replace(otherwise=(*shown, *more))

    def count_rule_for(self, table: TombTable, outcome: Outcome) -> str | None:
        return "TTR-11" if str(outcome) in (*table.terms.artifacts, f"{RUBBLE}{table.task.region}") else None


class PileCard(FromPile):
    """A card from a region's pile, for a dig or a thief [TTR-31, TTR-43]. Every kind is named, and no odds are shown:
    they would count the pile. That nothing is left is found like a card: to be asked tells nobody anything [TTR-13]."""

    rule = "TTR-43"

    def due(self, table: TombTable) -> bool:
        task = table.state.task
        return task is not None and task.does in {"dig", "steal"}

    def chance(self, table: TombTable) -> Chance:
        task, terms = table.task, table.terms
        pile = table.pile(task.region)
        lies = pile.faces if terms.real_piles else pile.cards
        kinds, there = terms.kinds(task.region), lies.counts
        odds: tuple[tuple[Outcome, int], ...] = tuple([(kind, there.get(kind, 0)) for kind in kinds])
        if terms.real_piles:
            odds = (*odds, (NOTHING, 1))
        elif terms.rules > 1:
            odds = (*odds, (NOTHING, int(not lies.total)))
        return Chance(
            "piles",
            f"find {task.region}",
            odds,
            seat=task.seat,
            rule=self._rule(table),
            veiled=True,
            facts={"region": task.region, "nth": len(task.drawn) + 1, "of": task.of, "for": task.does},
        )

    def off_list_outcomes(self, table: TombTable) -> tuple[str, ...]:
        """Any artifact of the region, and more rubble, where the pile is real."""
        region = table.task.region
        return (
            table.terms.box.loose_at(region).off_list_outcomes(table.pile(region).faces)
            if table.terms.real_piles
            else ()
        )

    def apply_outcome(self, table: TombTable, outcome: Outcome) -> TombTable:
        """An artifact stays with the seat; rubble waits beside the pile."""
        task, card = table.task, str(outcome)
        if card == NOTHING:
            return table.done(drawn_out=True)
        pile = table.pile(task.region)
        pile = replace(pile, faces=pile.faces.without(card)) if table.terms.real_piles else pile.without(card)
        up = table.with_pile(task.region, pile).replace(task=replace(task, drawn=(*task.drawn, card)))
        return (up if card.startswith(RUBBLE) else up.by(task.seat).with_artifact(card)).on()

    def log_facts(self, table: TombTable, outcome: Outcome) -> Facts:
        task = table.task
        whose: Facts = {"type": "find", "whose": table.terms.names[task.seat], "seat": task.seat}
        if outcome == NOTHING:
            return {**whose, "type": "used_up", "region": task.region}
        facts: Facts = {"region": task.region, "token": outcome, "nth": len(task.drawn) + 1, "of": task.of}
        return {**whose, **facts}

    def _rule(self, table: TombTable) -> str:
        return "TTR-43" if table.task.does == "dig" else "TTR-31"


class Looked(Draw[TombTable]):
    """The pile is turned up for one seat. It decides nothing: it is a step so that everybody hears of it, and that what
    has been seen is not unseen again [TTR-32, TTR-33]."""

    rule = "TTR-33"

    def due(self, table: TombTable) -> bool:
        task = table.state.task
        return task is not None and task.does in {"look", "keep"} and not (task.seen or table.terms.real_piles)

    def chance(self, table: TombTable) -> Chance:
        task = table.task
        return Chance(
            "piles", f"look {task.region}", ((SEEN, 1),), seat=task.seat, rule="TTR-33", facts={"region": task.region}
        )

    def apply_outcome(self, table: TombTable, outcome: Outcome) -> TombTable:
        task, terms = table.task, table.terms
        cards = table.pile(task.region).cards
        artifacts = tuple(card for card, count in cards.odds() for _ in range(count) if card in terms.artifacts)
        look = PileLook(task.region, artifacts, f"{RUBBLE}{task.region}" in cards)
        up = table.by(task.seat)
        return up.replace(seats=up.seated(look=look), task=replace(task, seen=True)).on()

    def log_facts(self, table: TombTable, outcome: Outcome) -> Facts:
        task = table.task
        return {"type": "look", "whose": table.terms.names[task.seat], "seat": task.seat, "region": task.region}


class KeptArtifact(FromPile):
    """Where piles are real: the artifact that a seat has taken from one it looked through [TTR-32]."""

    rule = "TTR-32"

    def due(self, table: TombTable) -> bool:
        task = table.state.task
        return task is not None and task.does == "keep" and table.terms.real_piles

    def chance(self, table: TombTable) -> Chance:
        task, terms = table.task, table.terms
        lies = table.pile(task.region).faces
        odds: tuple[tuple[Outcome, int], ...] = tuple(
            (kind, lies[kind]) for kind in terms.kinds(task.region) if kind in terms.artifacts
        )
        odds = (*odds, (NOTHING, 1))
        facts: Facts = {"region": task.region}
        return Chance("piles", f"keep {task.region}", odds, seat=task.seat, rule="TTR-32", veiled=True, facts=facts)

    def off_list_outcomes(self, table: TombTable) -> tuple[str, ...]:
        """Any artifact of the region."""
        region = table.task.region
        return tuple(
            card
            for card in table.terms.box.loose_at(region).off_list_outcomes(table.pile(region).faces)
            if not card.startswith(RUBBLE)
        )

    def apply_outcome(self, table: TombTable, outcome: Outcome) -> TombTable:
        task, card = table.task, str(outcome)
        if card == NOTHING:
            return table.done(drawn_out=True)
        pile = table.pile(task.region)
        pile = replace(pile, faces=pile.faces.without(card))
        return table.with_pile(task.region, pile).by(task.seat).with_artifact(card).done()

    def log_facts(self, table: TombTable, outcome: Outcome) -> Facts:
        task = table.task
        facts: Facts = {"whose": table.terms.names[task.seat], "seat": task.seat, "region": task.region}
        if outcome == NOTHING:
            return {"type": "used_up", **facts}
        return {"type": "find", **facts, "token": outcome, "nth": 1, "of": 1}
