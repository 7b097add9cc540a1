"""What is drawn: dice, the cards of decks and sarcophagi, and blocks."""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import replace

from companion.game import Chance, Outcome
from companion.games.horus.box import COLOURS, DICE_OF
from companion.games.horus.cards import EQUIPMENT, HIDDEN, TREASURES, WOUNDS, god, is_treasure, is_wound, kind, value
from companion.games.horus.events import (
    Event,
    Falling,
    FallingForIdol,
    Looking,
    Opening,
    Reading,
    Rolling,
    Searching,
)
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import AREAS, NOBODY, Sarcophagus, ShownCard, as_it_lies
from companion.parts import Draw, Facts, changed
from companion.pieces.bag import Bag
from companion.pieces.box_differences import BoxDifference, VariablePart, changed_bag
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret, nothing

ROLLED_BY: dict[str, str] = {"action": "HOR-20", "mummy": "HOR-40", "lock": "HOR-34", "chest": "HOR-62"}


class Pending(Draw[Pyramid]):
    """A draw for the first pending event, after which the round goes on by itself."""

    of: type[Event]

    def due(self, table: Pyramid) -> bool:
        return isinstance(self.pending(table), self.of)

    def pending(self, table: Pyramid) -> Any:
        """The first pending event; None when the game is over."""
        return table.state.pending[0] if table.state.pending else None

    def apply_outcome(self, table: Pyramid, outcome: Outcome) -> Pyramid:
        shown = table.replace(shown=None) if table.state.shown else table
        return self.falls(shown, outcome).flowed()

    def falls(self, table: Pyramid, outcome: Outcome) -> Pyramid:
        """What the outcome itself does."""
        raise NotImplementedError


@cache
def _faces(count: int) -> tuple[tuple[int, int], ...]:
    return tuple((face, 1) for face in range(1, count + 1))


class Die(Pending):
    """The next die of a roll: of five, less those that are left lying; for a chest, of one."""

    rule = "HOR-20"
    of = Rolling

    def chance(self, table: Pyramid) -> Chance:
        roll, terms = table.roll, table.terms
        odds, rule = _faces(terms.faces), ROLLED_BY[roll]
        if roll == "chest":
            seat = self.pending(table).seat
            facts: Facts = {"nth": 1, "left": 1, "colour": None, "chests": _chests_left(table, seat)}
            return Chance("chest_dice", "chest die", odds, seat=seat, rule=rule, facts=facts)
        dice = table.dice(roll)
        at = dice.index(0)
        again = roll == "lock" or not at
        facts = {"nth": at + 1, "left": dice.count(0), "colour": table.colours[at]}
        hand = table.state.seat if roll == "lock" else table.state.keeper
        question = f"{roll} die {terms.dice[at]}"
        return Chance(f"{roll}_dice", question, odds, seat=hand, rule=rule, pressed=again, facts=facts)

    def off_list_outcomes(self, table: Pyramid) -> tuple[str, ...]:
        """Colours the die may have on another copy of the box; the die is asked for again then."""
        if table.roll == "chest":
            return ()
        at = table.dice(table.roll).index(0)
        return tuple(colour for colour in self._part(table, at).kinds if colour != table.colours[at])

    def amend_for(self, table: Pyramid, outcome: Outcome) -> Pyramid:
        """Give the die this colour, and swap with the die that was to have it."""
        at, colours, new = table.dice(table.roll).index(0), table.colours, str(outcome)
        shown = (*table.state.otherwise, BoxDifference(self._part(table, at).where, new, colours[at]))
        if new in colours:
            shown = (*shown, BoxDifference(self._part(table, colours.index(new)).where, colours[at], new))
        return table.replace(otherwise=shown)

    def settles(self, table: Pyramid, outcome: Outcome) -> bool:
        return isinstance(outcome, int)

    def count_rule_for(self, table: Pyramid, outcome: Outcome) -> str | None:
        return "HOR-21" if outcome in COLOURS else ROLLED_BY[table.roll]

    def _part(self, table: Pyramid, at: int) -> VariablePart:
        return table.terms.box.loose_at(f"{DICE_OF}{table.terms.dice[at]}")

    def falls(self, table: Pyramid, outcome: Outcome) -> Pyramid:
        roll, face = table.roll, int(outcome)
        if roll == "chest":
            seat = self.pending(table).seat
            return table.without_next().with_seat(seat, chests=(*table.state.adventurers[seat].chests, face))
        dice = table.dice(roll)
        thrown = changed(dice, dice.index(0), face)
        shown = table.replace(**{f"{roll}_dice": thrown})
        if 0 in thrown:
            return shown
        lying = shown.without_next()
        match roll:
            case "action":
                return lying.actions_rolled()
            case "mummy":
                return lying.walking(steps_of(table, thrown))
        return lying.lock_rolled()

    def log_facts(self, table: Pyramid, outcome: Outcome) -> Facts:
        roll = table.roll
        if roll == "chest":
            return {"type": "chest", "whose": table.terms.names[self.pending(table).seat], "face": outcome}
        dice = table.dice(roll)
        at = dice.index(0)
        if isinstance(outcome, str):
            return {"type": "otherwise_die", "god": table.terms.dice[at], "what": outcome}
        facts: Facts = {"type": "die", "die": table.colours[at], "face": outcome, "roll": roll}
        if roll == "mummy" and dice.count(0) == 1:
            return facts | {"type": "last_mummy_die", "n": steps_of(table, changed(dice, at, int(outcome)))}
        return facts


def steps_of(table: Pyramid, dice: tuple[int, ...]) -> int:
    """How far the mummies walk [HOR-40]."""
    return sum(face >= table.terms.mummies_from for face in dice)


def _chests_left(table: Pyramid, seat: int) -> int:
    from companion.games.horus.pyramid import chests

    return chests(table.state.adventurers[seat]) - len(table.state.adventurers[seat].chests)


class SearchCard(Pending):
    """The top card of an area's deck. What may lie there is told, not what has gone: that is for those who watched."""

    secret = Secret(
        lambda table, card: as_it_lies(table, table.card_found(str(card))),
        passing=lambda table: not table.terms.secrecy,
    )
    rule = "HOR-32"
    of = Searching

    def chance(self, table: Pyramid) -> Chance:
        deck = self.pending(table).deck
        left, all_of = table.state.decks[deck], table.terms.decks[deck]
        odds = tuple((card, left[card]) for card in all_of)
        return Chance(
            "search",
            f"search {AREAS[deck]}",
            odds,
            seat=table.state.seat,
            rule="HOR-32",
            veiled=True,
            facts={"area": AREAS[deck], "left": left.total},
        )

    def off_list_outcomes(self, table: Pyramid) -> tuple[str, ...]:
        """Treasures of the deck with any worth."""
        deck = self.pending(table).deck
        return table.terms.box.loose_at(AREAS[deck]).off_list_outcomes(table.state.decks[deck])

    def amend_for(self, table: Pyramid, outcome: Outcome) -> Pyramid:
        """What a treasure is worth is for whoever found it [HOR-82]."""
        deck, decks = self.pending(table).deck, table.state.decks
        more = table.terms.box.loose_at(AREAS[deck]).exchanged(decks[deck], str(outcome), table.state.seat)
        return table.replace(
            decks=changed(decks, deck, changed_bag(decks[deck], more)), otherwise=(*table.state.otherwise, *more)
        )

    def count_rule_for(self, table: Pyramid, outcome: Outcome) -> str | None:
        return "HOR-02" if kind(str(outcome)) in TREASURES or outcome in (*EQUIPMENT, *WOUNDS) else None

    def falls(self, table: Pyramid, outcome: Outcome) -> Pyramid:
        state, seat, deck = table.state, table.state.seat, self.pending(table).deck
        card = table.card_found(str(outcome))
        decks = changed(state.decks, deck, state.decks[deck].without(str(outcome)))
        shown = None if table.terms.secrecy and card not in EQUIPMENT else ShownCard(seat, card)
        found = table.without_next().taken(seat, card).replace(decks=decks, shown=shown)
        wards = is_wound(card) or (table.terms.secrecy and card not in EQUIPMENT)  # where nobody may tell them apart
        return found.replace(fresh=card) if wards else found

    def log_facts(self, table: Pyramid, outcome: Outcome) -> Facts:
        """What lies open by name; of what lies face down that it was found, and not what it is worth [HOR-82]."""
        if kind(str(outcome)) == HIDDEN:
            unseen = "found_unseen" if table.terms.secrecy else "found_treasure"
            return {"type": unseen, "area": AREAS[self.pending(table).deck]}
        card = table.card_found(str(outcome))
        return found_own(card) if is_treasure(card) else {"type": "found", "card": card}


def found_own(card: str) -> Facts:
    """What only whoever holds a treasure is told of it."""
    if kind(card) == "chest":
        return {"type": "found_chest"}
    if kind(card) == "necklace":
        return {"type": "found_necklace", "value": value(card)}
    return {"type": "found_own", "god": god(card), "value": value(card)}


class TombCard(Pending):
    """What lies in a sarcophagus that is opened, or read."""

    odds_rule = "HOR-33"
    verb: str

    def chance(self, table: Pyramid) -> Chance:
        slot, tomb = table.terms.slots[self.pending(table).tomb], table.state.sarcophagi[self.pending(table).tomb]
        bag = table.state.tombs[slot.god]
        read = [each.card for each in _unopened(table, slot.god) if each.card]
        veiled = bool(read) or any(each.reader != NOBODY for each in _unopened(table, slot.god))
        named = Bag.of([*(card for card in bag for _ in range(bag[card])), *read])
        weight = {tomb.card: 1} if tomb.card else bag.counts
        return Chance(
            "sarcophagi",
            f"{self.verb} {slot.god} {slot.square}",
            tuple((card, weight.get(card, 0)) for card in named),
            seat=table.state.seat,
            rule=self.rule,
            veiled=veiled,
            facts={"god": slot.god, "square": slot.square},
        )

    def off_list_outcomes(self, table: Pyramid) -> tuple[str, ...]:
        """Treasures of its god with any worth, where nobody has read what lies there."""
        slot, tomb = table.terms.slots[self.pending(table).tomb], table.state.sarcophagi[self.pending(table).tomb]
        return () if tomb.card else table.terms.box.loose_at(slot.god).off_list_outcomes(table.state.tombs[slot.god])

    def amend_for(self, table: Pyramid, outcome: Outcome) -> Pyramid:
        of, tombs = table.terms.slots[self.pending(table).tomb].god, table.state.tombs
        more = table.terms.box.loose_at(of).exchanged(tombs[of], str(outcome))
        return table.replace(
            tombs={**tombs, of: changed_bag(tombs[of], more)}, otherwise=(*table.state.otherwise, *more)
        )

    def count_rule_for(self, table: Pyramid, outcome: Outcome) -> str | None:
        return "HOR-02" if kind(str(outcome)) in TREASURES else None

    def falls(self, table: Pyramid, outcome: Outcome) -> Pyramid:
        at, card = self.pending(table).tomb, str(outcome)
        slot, tomb = table.terms.slots[at], table.state.sarcophagi[at]
        tombs = table.state.tombs
        if not tomb.card:
            tombs = {**tombs, slot.god: tombs[slot.god].without(card)}
        laid = replace(tomb, card=card, is_open=tomb.is_open or self.of is Opening)
        return table.without_next().replace(tombs=tombs, sarcophagi=changed(table.state.sarcophagi, at, laid))


def _unopened(table: Pyramid, of: str) -> list[Sarcophagus]:
    rows = zip(table.terms.slots, table.state.sarcophagi, strict=True)
    return [tomb for slot, tomb in rows if slot.god == of and not tomb.is_open]


class Opened(TombCard):
    """A sarcophagus is opened: everybody sees what lies in it."""

    rule = "HOR-33"
    of = Opening
    verb = "open"

    def log_facts(self, table: Pyramid, outcome: Outcome) -> Facts:
        card = str(outcome)
        return {
            "type": "opened",
            "god": god(card),
            "value": value(card),
            "square": table.terms.slots[self.pending(table).tomb].square,
        }


class Read(TombCard):
    """A sarcophagus is read: its reader alone sees what lies in it [HOR-82]."""

    secret = Secret(nothing)
    rule = "HOR-74"
    of = Reading
    verb = "read"

    def log_facts(self, table: Pyramid, outcome: Outcome) -> Facts:
        slot = table.terms.slots[self.pending(table).tomb]
        own: Facts = {"type": "read_own", "value": value(str(outcome))} if outcome else {}
        return {"type": "read", "god": slot.god, "square": slot.square, **own}


class LookedAt(Pending):
    """A block is looked at by one alone [HOR-51]."""

    secret = Secret(nothing)
    rule = "HOR-51"
    of = Looking

    def chance(self, table: Pyramid) -> Chance:
        odds = tuple((number, 1) for number in table.state.boxed)
        return Chance(
            "blocks", "block looked at", odds, seat=table.state.looker, rule="HOR-51", facts={"left": len(odds)}
        )

    def falls(self, table: Pyramid, outcome: Outcome) -> Pyramid:
        return table.without_next().replace(looked=int(outcome))

    def log_facts(self, table: Pyramid, outcome: Outcome) -> Facts:
        return {"type": "looked_own", "block": outcome} if outcome else {"type": "looked"}


class BlockFalls(Pending):
    """A block falls: the round's, or the one for the idol of Horus. Which one was set aside no odds tell."""

    rule = "HOR-50"
    of = Falling

    def chance(self, table: Pyramid) -> Chance:
        state = table.state
        of_round = not isinstance(self.pending(table), FallingForIdol)
        aside = state.looked if state.kept and state.looked in state.boxed else 0
        odds = tuple(
            (number, (number == aside if of_round else number != aside) if aside else 1) for number in state.boxed
        )
        if aside and not of_round and len(odds) == 1:
            odds = ((aside, 1),)
        return Chance(
            "blocks",
            "block of the round" if of_round else "block of the idol",
            tuple((number, int(weight)) for number, weight in odds),
            seat=state.keeper if of_round else state.seat,
            rule="HOR-50" if of_round else "HOR-36",
            veiled=bool(state.kept),
            facts={"left": len(odds)},
        )

    def why_not(self, table: Pyramid, outcome: Outcome) -> Refusal | None:
        refusal = super().why_not(table, outcome)
        return Illegal("horus.no_such_block", rule="HOR-50") if refusal else None

    def falls(self, table: Pyramid, outcome: Outcome) -> Pyramid:
        return table.without_next().block_fallen(int(outcome))

    def log_facts(self, table: Pyramid, outcome: Outcome) -> Facts:
        return {"type": "falls", "block": outcome}


DRAWS = (Die(), SearchCard(), Opened(), Read(), LookedAt(), BlockFalls())
