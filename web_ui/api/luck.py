"""What came up at a table against what was to be expected: counted from its journal, draw by draw."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import sqrt

from companion import games
from companion.game import Chance, Outcome, Sort, State
from companion.play.dealer import Stir
from companion.play.entries import OutcomeRecorded, SealRenewed
from companion.play.members import Members
from companion.play.stirring import StirringTurn
from companion.play.table import Table
from web_ui.api.answers import LuckTold, MemberTold, OutcomeLuck, RandomizerLuck, RoundTold, SealTold


class Count:
    """The draws of one randomizer so far."""

    def __init__(self) -> None:
        self.of: Sort = "things"
        self.fell: Counter[Outcome] = Counter()
        self.reported = 0
        self._expected: dict[Outcome, float] = defaultdict(float)
        self._variance: dict[Outcome, float] = defaultdict(float)

    def add(self, chance: Chance, fell: OutcomeRecorded) -> None:
        """Count a draw with the odds it had."""
        self.of = chance.of
        self.fell[fell.outcome] += 1
        self.reported += fell.by == "table"
        total = sum(weight for _, weight in chance.odds)
        for outcome, weight in chance.odds:
            share = weight / total
            self._expected[outcome] += share
            self._variance[outcome] += share * (1 - share)

    def told(self, randomizer: str) -> RandomizerLuck:
        """The count as it goes out."""
        outcomes = tuple(
            OutcomeLuck(each, self.fell[each], round(expected, 3), round(sqrt(self._variance[each]), 3))
            for each, expected in sorted(self._expected.items(), key=_order)
        )
        return RandomizerLuck(randomizer, self.of, self.fell.total(), self.reported, outcomes)


def luck(table: Table, dropped: int = 0) -> LuckTold:
    """The luck of a table. What nobody may know or count before the end is not in it before the end.

    :param dropped: so many tables were laid shortly before, and left.
    """
    with table.lock:
        over, alive, written = table.settled(), table.survivors(), tuple(table.written)
        seal, head = table.seals[-1], table.head()
        stirring = table.stirring
        rounds = tuple(_round(turn, stir) for turn, stir in zip(stirring.turns, stirring.stirs, strict=False))
        asked = tuple(name for name, told in stirring.participants if not told)
        members = stirring.all if isinstance(stirring, Members) else ()
        taken = stirring.taken if isinstance(stirring, Members) else ()
    counts: dict[str, Count] = {}
    for line in written:  # whoever plays on does not wait for this
        if isinstance(line.entry, OutcomeRecorded) and line.seq in alive:
            before = table.before(line.seq)
            chance = before.ask
            if isinstance(chance, Chance) and (over or not _is_secret(table, before.state, chance, line.entry)):
                counts.setdefault(chance.randomizer, Count()).add(chance, line.entry)
    told = tuple(count.told(randomizer) for randomizer, count in counts.items())
    sealed = [(line.seq, line.entry.seal) for line in written if isinstance(line.entry, SealRenewed)]
    return LuckTold(
        len(written),
        seal,
        head.hex() if head else None,
        tuple(SealTold(since, each) for since, each in ((0, table.laid.seal), *sealed)),
        rounds,
        tuple(MemberTold(member.name, member.value) for member in members),
        asked,
        taken,
        games.box(table.setup.box).digest != table.laid.box_digest,
        dropped,
        told,
    )


def _round(turn: StirringTurn, stir: Stir) -> RoundTold:
    return RoundTold(turn.names, turn.missing, turn.late, turn.drew, stir.since, stir.pinch)


def _is_secret(table: Table, before: State, chance: Chance, entry: OutcomeRecorded) -> bool:
    return chance.hidden or chance.veiled or table.game.hides(before, table.step_of(entry))


def _order(item: tuple[Outcome, float]) -> tuple[bool, int, str]:
    """Numbers by size, then words by the alphabet."""
    outcome = item[0]
    return (isinstance(outcome, str), outcome if isinstance(outcome, int) else 0, str(outcome))
