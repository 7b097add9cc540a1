"""Whoever reads the disk and holds every key: what they stir bends nothing, or everybody sees that they did."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import count

import pytest
from msgspec.structs import replace

from companion.game import Chance
from companion.play.chain import VERSION
from companion.play.dealer import SealedDealer, Stir
from companion.play.entries import JournalLine, MovePlayed, OutcomeRecorded, SealRenewed
from companion.play.journal import NoJournal
from companion.play.laid_game import TOGETHER
from companion.play.members import MOST_JOINED, Members
from companion.play.stirring import StirringTurn
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import view
from companion.refusals import Illegal, Malformed, NotYourTurn, Over
from tests.core.coins import KEYS, SECRET, Clock, CoinGame, laid
from tests.core.devices import Device, stirred_together

ADA, BEN = Actor("seat", 0), Actor("seat", 1)
TOSS = {"type": "toss", "count": 1}
COIN = Chance("coin", "coin", (("heads", 1), ("tails", 1)))
PLEASES = ["heads"] * 10


@pytest.fixture
def table() -> Table:
    return fresh()


def fresh() -> Table:
    """A table of coins, as tables are laid today."""
    new = replace(laid(), luck=TOGETHER, chain=VERSION)
    return Table(CoinGame(), new, SECRET, KEYS, journal=NoJournal(), clock=Clock())


def members(table: Table) -> Members:
    """How its devices stir."""
    assert isinstance(table.stirring, Members)
    return table.stirring


def tossed(table: Table, times: int) -> list[object]:
    """What comes up."""
    began = table.seq
    for _ in range(times):
        table.play(HOST, table.seq, f"toss {table.seq}", TOSS)
    return [line.entry.outcome for line in table.written[began:] if isinstance(line.entry, OutcomeRecorded)]


def foreseen(table: Table, *more: Stir) -> list[object]:
    """What will come up as all stands, for somebody who knows the secret and all that was told."""
    draws = range(table.position().draws, table.position().draws + len(PLEASES))
    return [table.dealer.deal(draw, COIN, (*table.stirs, *more)) for draw in draws]


def chosen(table: Table, name: str, beside: tuple[str, ...] = ()) -> Device:
    """A device of a thief's: its values were tried until coins would come up as they please, with all that is known.

    :param beside: the values of others that the thief knows, in place of those that were told.
    """
    return next(_chosen(table, name, beside))


def _chosen(table: Table, name: str, beside: tuple[str, ...]) -> Iterator[Device]:
    told = beside or tuple(f"{each.name}:{each.value}" for each in members(table).all if each.name != name)
    for number in count():
        device = Device(name, f"{number:064x}")
        values = "\0".join(("digside stir 2", *told, f"{name}:{device.value}"))
        if foreseen(table, Stir(table.drawn, hashlib.sha256(values.encode()).hexdigest())) == PLEASES:
            yield device


def test_alone_somebody_who_knows_the_secret_chooses_what_comes_up(table: Table) -> None:
    """Which shows that these attacks are ones; it is said on the page of the luck."""
    chosen(table, "host").join(table)
    assert tossed(table, len(PLEASES)) == PLEASES


@pytest.mark.parametrize("takes", [("1",), ("host",), ("host", "1")])
def test_after_an_honest_round_nothing_is_bent_with_keys_that_were_taken(table: Table, takes: tuple[str, ...]) -> None:
    honest = [device for device in stirred_together(table, "host", "0", "1") if device.name not in takes]
    tossed(table, 1)
    before, thief = foreseen(table), list[Device]()
    for name in takes:
        thief.append(chosen(table, name))
        thief[-1].join(table, instead=True)
        assert foreseen(table) == before, "it does not count yet"
    for device in (*honest, *thief[:-1]):
        device.tell(table)
    assert members(table).participants == []
    assert PLEASES not in (before, foreseen(table))
    assert foreseen(table) != before, "it counts"
    assert (members(table).taken, members(table).all_taken) == (takes, False), "and everybody sees it"


def test_what_a_thief_keeps_ready_is_of_no_use_once_another_has_told(table: Table) -> None:
    """Ada's is the only honest device, and joins last: what the thief's two tell after it was fixed before it came."""
    thief = [Device("host"), Device("1")]
    thief[0].join(table)
    thief[1].join(table)
    thief[0].tell(table)
    tossed(table, 1)
    known = foreseen(table)
    ada = Device("0")
    ada.join(table)
    assert foreseen(table) == known, "the thief can keep it out by telling nothing, and is named for it"
    assert members(table).participants == [("host", False), ("1", False), ("0", True)]
    for device in thief:
        device.tell(table)
    assert foreseen(table) != known
    assert members(table).turns[-1] == StirringTurn(("host", "1", "0"), drew=False)


def test_nobody_closes_the_door_before_a_late_device(table: Table) -> None:
    """Twenty times of twenty, devices of a thief's once had a round of their own before it was there."""
    thief = stirred_together(table, "host", "1")
    for _ in range(3):
        tossed(table, 1)
    ada = Device("0")
    ada.join(table)
    for device in thief:
        device.tell(table)
    assert [member.name for member in members(table).all] == ["host", "1", "0"]
    assert members(table).participants == []


def test_a_newcomer_tells_too_when_another_comes_before_it_counts(table: Table) -> None:
    """Else whoever knows its tip, and the next value of all others, has the choice."""
    host = stirred_together(table, "host")[0]
    tossed(table, 1)
    ada = Device("0")
    ada.join(table)
    upcoming = host.next()  # as if that device, too, were the thief's
    chosen(table, "1", (f"host:{upcoming}", f"0:{ada.value}")).join(table)
    table.tell(HOST, table.seq, "told", upcoming)
    assert members(table).participants == [("host", True), ("0", False), ("1", True)]
    ada.tell(table)
    assert tossed(table, len(PLEASES)) != PLEASES


def test_a_device_that_sleeps_keeps_its_part_and_holds_up_nobody(table: Table) -> None:
    host, _ = stirred_together(table, "host", "0")
    before = foreseen(table)
    late = Device("1")
    late.join(table)
    host.tell(table)
    assert tossed(table, 5) == before[:5], "all goes on as it was stirred, with what the sleeper added"
    assert view(table)["luck"]["round"] == [  # type: ignore[index,call-overload]
        {"who": "host", "told": True},
        {"who": "0", "told": False},
        {"who": "1", "told": True},
    ]
    assert len(table.stirs) == 2


def test_whoever_was_not_waited_for_is_named(table: Table) -> None:
    host, ada = stirred_together(table, "host", "0")
    tossed(table, 1)
    Device("1").join(table)
    host.tell(table)
    tossed(table, 1)
    ada.tell(table)
    assert members(table).turns[-1] == StirringTurn(("host", "0", "1"), late=("0",), drew=False)


def test_where_every_place_was_taken_it_is_bent_and_said(table: Table) -> None:
    stirred_together(table, "host", "0")
    tossed(table, 1)
    thief = Device("host")
    thief.join(table, instead=True)
    tossed(table, 1)
    chosen(table, "0", (f"host:{thief.next()}",)).join(table, instead=True)
    table.tell(HOST, table.seq, "told", thief.value)
    assert tossed(table, len(PLEASES) - 1) == PLEASES[:-1]
    assert members(table).all_taken
    assert members(table).taken == ("host", "0")


def test_a_device_that_joins_once_more_shows_that_it_is_the_same(table: Table) -> None:
    host, ada = stirred_together(table, "host", "0")
    tossed(table, 1)
    again = Device("0")
    table.join(ADA, table.seq, "again", again.value, part=ada.next())
    host.tell(table)
    assert members(table).taken == ()
    assert [member.name for member in members(table).all] == ["host", "0"]
    tossed(table, 1)
    for part in (ada.value, Device("0").next(), "no digits"):
        with pytest.raises((Illegal, Malformed)):
            table.join(ADA, table.seq, f"as it {part}", again.value, part=part)


def test_no_place_is_taken_by_mistake(table: Table) -> None:
    stirred_together(table, "host", "0")
    tossed(table, 1)
    seq = table.seq
    with pytest.raises(Illegal, match="Another device of this place"):
        Device("0").join(table)
    assert table.seq == seq
    Device("0").join(table, instead=True)


def test_nobody_stirs_without_end(table: Table) -> None:
    """Twenty-five times a second, a seat once filled the log and the disk; and each time has a choice in it."""
    for number in range(MOST_JOINED):
        Device("0").join(table, instead=True)
        with pytest.raises(Illegal, match="Nothing has been drawn"):
            Device("0").join(table, instead=True)
        tossed(table, 1)
        assert len(table.stirs) == number + 1
    with pytest.raises(Illegal, match="4 times"):
        Device("0").join(table, instead=True)
    ada = Device("1")
    ada.join(table)
    with pytest.raises(Illegal, match="Nobody waits"):
        ada.tell(table)
    with pytest.raises(Illegal, match="not the next value"):
        table.tell(ADA, table.seq, "another's", Device("0").next())
    assert len(table.written) == 2 * MOST_JOINED + MOST_JOINED + 1


def test_only_who_plays_stirs_and_only_before_the_end(table: Table) -> None:
    with pytest.raises(NotYourTurn):
        table.join(SPECTATOR, 0, "join", Device("0").value)
    for tip in ("", "ab", "AB" * 32, 7):
        with pytest.raises(Malformed):
            table.join(ADA, 0, f"join {tip}", tip)  # type: ignore[arg-type]
    table.end(HOST, 0, "the end")
    with pytest.raises(Over):
        Device("0").join(table)


def test_the_same_press_deals_the_same_whoever_joins_in_between(table: Table) -> None:
    stirred_together(table, "host", "0")
    first = tossed(table, 3)
    table.take_back(HOST, table.seq, "back", 2)
    members(table)
    Device("1").join(table)
    assert tossed(table, 3) == first


def test_a_move_means_the_same_whoever_has_stirred(table: Table) -> None:
    seq = table.seq
    stirred_together(table, "host", "0", "1")
    table.play(ADA, seq, "meant before", TOSS)
    assert isinstance(table.written[-2].entry, MovePlayed)


def test_under_another_seal_nobody_stirs_any_more() -> None:
    """Whoever chose that seal knows all that was told."""
    table = fresh()
    stirred_together(table, "host", "0")
    table.follow(JournalLine(table.seq + 1, 0, SealRenewed(SealedDealer(bytes(32)).seal)))
    assert members(table).all == ()
    stirred_together(table, "0", "host")
    assert [member.name for member in members(table).all] == ["0", "host"]


def test_the_log_says_who_took_a_place_and_not_who_joined(table: Table) -> None:
    stirred_together(table, "host", "0")
    tossed(table, 1)
    Device("0").join(table, instead=True)
    log = view(table)["log"]
    assert isinstance(log, list)
    told = [
        (line["kind"], line["seat"], line["what"]) for line in log if isinstance(line, dict) and line["kind"] == "stir"
    ]
    assert told == [("stir", 0, {"type": "taken"})]
