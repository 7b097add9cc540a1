"""What is drawn: dice, the cards of decks and sarcophagi, and blocks."""

from __future__ import annotations

from msgspec.structs import replace

from companion.game import Chance, Outcome
from companion.games.horus.box import COLOURS, DICE_OF
from companion.games.horus.cards import EQUIPMENT, TREASURES, WOUNDS, god, is_treasure, is_wound, kind, value
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import AREAS, NOBODY, Due, Roll, Sarcophagus, Shown
from companion.parts import Draw, Facts, changed
from companion.pieces.bag import Bag
from companion.pieces.otherwise import Loose, Otherwise, changed_bag
from companion.refusals import Illegal, Refusal

RANDOMIZERS = ("action_dice", "mummy_dice", "lock_dice", "chest_dice", "search", "sarcophagi", "blocks")
ROLLED_BY: dict[Roll, str] = {"action": "HOR-20", "mummy": "HOR-40", "lock": "HOR-34", "chest": "HOR-62"}


class Falling(Draw[Pyramid]):
    """A draw after which the round goes on by itself."""

    of: Due

    def due(self, here: Pyramid) -> bool:
        return here.state.due == self.of

    def fallen(self, here: Pyramid, outcome: Outcome) -> Pyramid:
        shown = here.but(shown=None) if here.state.shown else here
        return self.falls(shown.but(due=""), outcome).flowed()

    def falls(self, here: Pyramid, outcome: Outcome) -> Pyramid:
        """What the outcome itself does."""
        raise NotImplementedError


class Die(Falling):
    """The next die of a roll. Five make one, but for those that are left lying and for a chest's one."""

    rule = "HOR-20"
    of = "dice"

    def asked(self, here: Pyramid) -> Chance:
        roll, terms = here.state.roll, here.terms
        odds = tuple((face, 1) for face in range(1, terms.faces + 1))
        rule = ROLLED_BY[roll]
        if roll == "chest":
            seat = here.next_chest
            facts: Facts = {"nth": 1, "left": 1, "colour": None, "chests": _chests_left(here, seat)}
            return Chance("chest_dice", "chest die", odds, seat=seat, rule=rule, facts=facts)
        dice = _dice(here)
        at = dice.index(0)
        again = at == _first_rolled(here)
        facts = {"nth": at + 1, "left": dice.count(0), "colour": here.colours[at]}
        hand = here.state.seat if roll == "lock" else here.state.keeper
        question = f"{roll} die {terms.dice[at]}"
        return Chance(f"{roll}_dice", question, odds, seat=hand, rule=rule, pressed=again, facts=facts)

    def besides(self, here: Pyramid) -> tuple[str, ...]:
        """The colours that the die may have instead; then it is asked for again."""
        if here.state.roll == "chest":
            return ()
        at = _dice(here).index(0)
        return tuple(colour for colour in self._part(here, at).kinds if colour != here.colours[at])

    def otherwise(self, here: Pyramid, outcome: Outcome) -> Pyramid:
        """The die is in this colour, and one that was to be in it has that of the other."""
        at, colours, new = _dice(here).index(0), here.colours, str(outcome)
        shown = (*here.state.otherwise, Otherwise(self._part(here, at).where, new, colours[at]))
        if new in colours:
            shown = (*shown, Otherwise(self._part(here, colours.index(new)).where, colours[at], new))
        return here.but(otherwise=shown)

    def settles(self, here: Pyramid, outcome: Outcome) -> bool:
        return isinstance(outcome, int)

    def stated(self, here: Pyramid, outcome: Outcome) -> str | None:
        return "HOR-21" if outcome in COLOURS else ROLLED_BY[here.state.roll]

    def _part(self, here: Pyramid, at: int) -> Loose:
        return here.terms.box.loose_at(f"{DICE_OF}{here.terms.dice[at]}")

    def falls(self, here: Pyramid, outcome: Outcome) -> Pyramid:
        roll, face = here.state.roll, int(outcome)
        if roll == "chest":
            seat = here.next_chest
            return here.with_seat(seat, chests=(*here.state.adventurers[seat].chests, face)).but(roll="")
        dice = _dice(here)
        thrown = changed(dice, dice.index(0), face)
        shown = here.but(**{f"{roll}_dice": thrown})
        if 0 in thrown:
            return shown.but(due="dice")
        lying = shown.but(roll="")
        match roll:
            case "action":
                return lying.actions_rolled()
            case "mummy":
                return lying.but(phase="falling").walked(steps_of(here, thrown))
        return lying.lock_rolled()

    def told(self, here: Pyramid, outcome: Outcome) -> Facts:
        roll = here.state.roll
        if roll == "chest":
            return {"type": "chest", "whose": here.terms.names[here.next_chest], "face": outcome}
        dice = _dice(here)
        at = dice.index(0)
        if isinstance(outcome, str):
            return {"type": "otherwise_die", "god": here.terms.dice[at], "what": outcome}
        facts: Facts = {"type": "die", "die": here.colours[at], "face": outcome, "roll": roll}
        if roll == "mummy" and dice.count(0) == 1:
            return facts | {"type": "last_mummy_die", "n": steps_of(here, changed(dice, at, int(outcome)))}
        return facts


def steps_of(here: Pyramid, dice: tuple[int, ...]) -> int:
    """How far the mummies walk [HOR-40]."""
    return sum(face >= here.terms.mummies_from for face in dice)


def _dice(here: Pyramid) -> tuple[int, ...]:
    """The dice that are being rolled."""
    match here.state.roll:
        case "action":
            return here.state.action_dice
        case "mummy":
            return here.state.mummy_dice
    return here.state.lock_dice


def _first_rolled(here: Pyramid) -> int:
    """The place of the first die of a whole roll; of a lock's, where some may lie already, any is."""
    return _dice(here).index(0) if here.state.roll == "lock" else 0


def _chests_left(here: Pyramid, seat: int) -> int:
    from companion.games.horus.pyramid import chests

    return chests(here.state.adventurers[seat]) - len(here.state.adventurers[seat].chests)


class SearchCard(Falling):
    """The top card of an area's deck. What may lie there is told, not what has gone: that is for those who watched."""

    rule = "HOR-32"
    of = "search"

    def asked(self, here: Pyramid) -> Chance:
        deck = here.state.searching
        left, all_of = here.state.decks[deck], here.terms.decks[deck]
        odds = tuple((card, left[card]) for card in all_of)
        return Chance(
            "search",
            f"search {AREAS[deck]}",
            odds,
            seat=here.state.seat,
            rule="HOR-32",
            veiled=True,
            facts={"area": AREAS[deck], "left": left.total},
        )

    def besides(self, here: Pyramid) -> tuple[str, ...]:
        """Treasures of the deck with any worth."""
        deck = here.state.searching
        return here.terms.box.loose_at(AREAS[deck]).besides(here.state.decks[deck])

    def otherwise(self, here: Pyramid, outcome: Outcome) -> Pyramid:
        """What a treasure is worth is for whoever found it [HOR-82]."""
        deck, decks = here.state.searching, here.state.decks
        more = here.terms.box.loose_at(AREAS[deck]).exchanged(decks[deck], str(outcome), here.state.seat)
        return here.but(
            decks=changed(decks, deck, changed_bag(decks[deck], more)), otherwise=(*here.state.otherwise, *more)
        )

    def stated(self, here: Pyramid, outcome: Outcome) -> str | None:
        return "HOR-02" if kind(str(outcome)) in TREASURES or outcome in (*EQUIPMENT, *WOUNDS) else None

    def falls(self, here: Pyramid, outcome: Outcome) -> Pyramid:
        state, seat, deck = here.state, here.state.seat, here.state.searching
        card = here.terms.card_from(deck, str(outcome))
        decks = changed(state.decks, deck, state.decks[deck].without(str(outcome)))
        shown = None if here.terms.secrecy and card not in EQUIPMENT else Shown(seat, card)
        found = here.taken(seat, card).but(decks=decks, searching=NOBODY, shown=shown)
        wards = is_wound(card) or (here.terms.secrecy and card not in EQUIPMENT)  # where nobody may tell them apart
        return found.but(fresh=card) if wards else found

    def told(self, here: Pyramid, outcome: Outcome) -> Facts:
        """Equipment and wounds by name; that a treasure was found, and not what it is worth [HOR-82]."""
        card, area = str(outcome), AREAS[here.state.searching]
        if card in EQUIPMENT or (is_wound(card) and not here.terms.secrecy):
            return {"type": "found", "card": card}
        return {"type": "found_unseen" if here.terms.secrecy else "found_treasure", "area": area}

    def whispered(self, here: Pyramid, outcome: Outcome) -> Facts:
        card = here.terms.card_from(here.state.searching, str(outcome))
        if not is_treasure(card):
            return {"type": "found", "card": card}
        return found_own(card)

    def secret(self, here: Pyramid, outcome: Outcome) -> bool:
        return True


def found_own(card: str) -> Facts:
    """What only whoever holds a treasure is told of it."""
    if kind(card) == "chest":
        return {"type": "found_chest"}
    if kind(card) == "necklace":
        return {"type": "found_necklace", "value": value(card)}
    return {"type": "found_own", "god": god(card), "value": value(card)}


class TombCard(Falling):
    """What lies in a sarcophagus that is opened, or read."""

    odds_rule = "HOR-33"

    def asked(self, here: Pyramid) -> Chance:
        slot, tomb = here.terms.slots[here.state.tomb], here.state.sarcophagi[here.state.tomb]
        bag = here.state.tombs[slot.god]
        read = [each.card for each in _unopened(here, slot.god) if each.card]
        veiled = bool(read) or any(each.reader != NOBODY for each in _unopened(here, slot.god))
        named = Bag.of([*(card for card in bag for _ in range(bag[card])), *read])
        weight = {tomb.card: 1} if tomb.card else bag.counts
        return Chance(
            "sarcophagi",
            f"{self.of} {slot.god} {slot.square}",
            tuple((card, weight.get(card, 0)) for card in named),
            seat=here.state.seat,
            rule=self.rule,
            veiled=veiled,
            facts={"god": slot.god, "square": slot.square},
        )

    def besides(self, here: Pyramid) -> tuple[str, ...]:
        """Treasures of its god with any worth, where nobody has read what lies there."""
        slot, tomb = here.terms.slots[here.state.tomb], here.state.sarcophagi[here.state.tomb]
        return () if tomb.card else here.terms.box.loose_at(slot.god).besides(here.state.tombs[slot.god])

    def otherwise(self, here: Pyramid, outcome: Outcome) -> Pyramid:
        of, tombs = here.terms.slots[here.state.tomb].god, here.state.tombs
        more = here.terms.box.loose_at(of).exchanged(tombs[of], str(outcome))
        return here.but(tombs={**tombs, of: changed_bag(tombs[of], more)}, otherwise=(*here.state.otherwise, *more))

    def stated(self, here: Pyramid, outcome: Outcome) -> str | None:
        return "HOR-02" if kind(str(outcome)) in TREASURES else None

    def falls(self, here: Pyramid, outcome: Outcome) -> Pyramid:
        at, card = here.state.tomb, str(outcome)
        slot, tomb = here.terms.slots[at], here.state.sarcophagi[at]
        tombs = here.state.tombs
        if not tomb.card:
            tombs = {**tombs, slot.god: tombs[slot.god].without(card)}
        laid = replace(tomb, card=card, is_open=tomb.is_open or self.of == "open")
        return here.but(tombs=tombs, sarcophagi=changed(here.state.sarcophagi, at, laid), tomb=NOBODY)


def _unopened(here: Pyramid, of: str) -> list[Sarcophagus]:
    rows = zip(here.terms.slots, here.state.sarcophagi, strict=True)
    return [tomb for slot, tomb in rows if slot.god == of and not tomb.is_open]


class Opened(TombCard):
    """A sarcophagus is opened: everybody sees what lies in it."""

    rule = "HOR-33"
    of = "open"

    def told(self, here: Pyramid, outcome: Outcome) -> Facts:
        card = str(outcome)
        return {
            "type": "opened",
            "god": god(card),
            "value": value(card),
            "square": here.terms.slots[here.state.tomb].square,
        }


class Read(TombCard):
    """A sarcophagus is read: its reader alone sees what lies in it [HOR-82]."""

    rule = "HOR-74"
    of = "read"

    def told(self, here: Pyramid, outcome: Outcome) -> Facts:
        slot = here.terms.slots[here.state.tomb]
        return {"type": "read", "god": slot.god, "square": slot.square}

    def whispered(self, here: Pyramid, outcome: Outcome) -> Facts:
        return self.told(here, outcome) | {"type": "read_own", "value": value(str(outcome))}

    def secret(self, here: Pyramid, outcome: Outcome) -> bool:
        return True


class LookedAt(Falling):
    """A block is looked at by one alone [HOR-51]."""

    rule = "HOR-51"
    of = "look"

    def asked(self, here: Pyramid) -> Chance:
        odds = tuple((number, 1) for number in here.state.boxed)
        return Chance(
            "blocks", "block looked at", odds, seat=here.state.looker, rule="HOR-51", facts={"left": len(odds)}
        )

    def falls(self, here: Pyramid, outcome: Outcome) -> Pyramid:
        return here.but(looked=int(outcome))

    def told(self, here: Pyramid, outcome: Outcome) -> Facts:
        return {"type": "looked"}

    def whispered(self, here: Pyramid, outcome: Outcome) -> Facts:
        return {"type": "looked_own", "block": outcome}

    def secret(self, here: Pyramid, outcome: Outcome) -> bool:
        return True


class BlockFalls(Falling):
    """A block falls: the round's, or the one for the idol of Horus. Which one was set aside no odds tell."""

    rule = "HOR-50"
    of = "block"

    def asked(self, here: Pyramid) -> Chance:
        state = here.state
        of_round = state.phase == "falling"
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

    def why_not(self, here: Pyramid, outcome: Outcome) -> Refusal | None:
        refusal = super().why_not(here, outcome)
        return Illegal("horus.no_such_block", rule="HOR-50") if refusal else None

    def falls(self, here: Pyramid, outcome: Outcome) -> Pyramid:
        return here.block_fallen(int(outcome))

    def told(self, here: Pyramid, outcome: Outcome) -> Facts:
        return {"type": "falls", "block": outcome}


DRAWS = (Die(), SearchCard(), Opened(), Read(), LookedAt(), BlockFalls())
