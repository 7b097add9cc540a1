"""What one player alone may know: it is in no view, log, aid, odds, list or refusal of anybody else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from companion.game import Corrected, Dealt, Played, Seat, Setup, Step
from companion.games.horus.bots import planner
from companion.games.horus.corrections import PlaceCard, SetBlock
from companion.games.horus.dangers import tomb_worth
from companion.games.horus.events import Searching
from companion.games.horus.moves import Discard, End, Pack, Ready, Search
from companion.games.horus.moves import Step as Walk
from companion.games.horus.rules import Horus
from companion.games.horus.state import HorusState
from companion.games.horus.uses import Use
from companion.play.hall import Hall
from companion.play.record import encode, export
from companion.play.table import HOST, Actor, Table
from companion.play.view import view
from companion.refusals import Refusal
from tests.games.horus.pyramids import NAMES, Playing, acting, lingering, table
from tests.games.in_play import at_the_table
from tests.laws.play import course

OWN, OTHER = 0, 1
LOOK = Use(ability="prescience")


def everything(game: Horus, state: HorusState, seat: int | None) -> str:
    """All that somebody is shown of a state, and all that they are told who try every block and card."""
    asked: Any = game.ask(state)
    odds = None
    if hasattr(asked, "odds"):
        odds = [[outcome, None if asked.veiled else weight] for outcome, weight in asked.odds]
        asked = (asked.randomizer, asked.question, asked.seat, asked.veiled, asked.pressed, asked.facts)
    mending = game.correction_form(state)
    seen = game.sees(state, seat)
    tried = [said(game, state, Corrected(SetBlock(number, fallen))) for number in range(38) for fallen in (True, False)]
    return repr((asked, odds, seen, game.aids(state, seat), mending, tried))


def said(game: Horus, state: HorusState, step: Step) -> object:
    try:
        game.after(state, step)
    except Refusal as refusal:
        return refusal.plain()
    return None


@pytest.mark.rule("HOR-82")
def test_no_view_of_another_names_a_treasure_that_lies_face_down() -> None:
    game = table(3)
    for before, step, after in course(game, random.Random(3), bot=planner):
        for seat, mine in enumerate(after.adventurers):
            hidden = {card for card in mine.cards if card.startswith(("treasure", "chest", "necklace"))}
            shown = after.shown.card if after.shown else ""
            for eyes in (None, *(each for each in range(3) if each != seat)):
                lying = json.dumps(Playing(game, after).board(eyes)["seats"][seat])
                assert not any(card in lying for card in hidden - {shown}) or after.phase == "over"
        if (
            isinstance(step, Dealt)
            and isinstance(before.pending[0], Searching)
            and str(step.outcome).startswith("treasure")
        ):
            assert str(step.outcome) not in json.dumps(game.tells(before, step, None))
            told = game.tells(before, step, before.seat)
            assert told["value"] == int(str(step.outcome).rpartition("-")[2])


@pytest.mark.rule("HOR-81", "HOR-82")
@pytest.mark.parametrize("who", ["sarti", "rice", "watanabe"])
def test_in_total_secrecy_a_wound_and_a_treasure_look_alike(who: str) -> None:
    """Whatever its finder could do about it, and as the next level is read."""
    game = table(2, total_secrecy=True)
    seen = []
    for card in ("treasure-sobek-6", "crocodile", "chest"):
        playing = acting("33", "6", who=(who, "rasputin"), actions=(1, 1), game=game)
        before = playing.does(Search()).state
        playing.falls(card)
        seen.append((everything(game, playing.state, OTHER), game.tells(before, Dealt(card), OTHER)))
        while playing.state.asking == "act":
            playing.does(End())
        playing.falls(1, 1, 1, 1, 1, 36)
        while playing.state.seat_asked == OTHER:
            playing.does(Ready())
        assert (playing.state.asking, playing.state.seat_asked) == ("ready", OWN), "a wound may be a treasure"
    assert seen[0] == seen[1] == seen[2]
    playing = acting("5", "6", who=("sarti", "rice"), game=game).does(Search()).falls("udjat")
    assert playing.board(OTHER)["seats"][0]["open"][0]["card"] == "udjat", "equipment lies open"


@pytest.mark.rule("HOR-81")
def test_in_total_secrecy_nothing_tells_whether_there_is_anything_to_heal_or_ward_off() -> None:
    game = table(2, total_secrecy=True)
    for hidden in ("snake", "necklace-2", "scorpion"):
        playing = acting("5", "6", cards={0: ("antidote", hidden)}, actions=(0, 0), who=("sarti", "rice"), game=game)
        assert playing.state.asking == "act", "a card with such a back may be what it heals"
        assert "uses" not in json.dumps(playing.aids())


@pytest.mark.rule("HOR-30", "HOR-81")
@pytest.mark.parametrize("hidden", [(), ("crocodile",), ("treasure-anubis-6",), ("mummy",)], ids=str)
def test_nobody_is_asked_for_a_bare_end_where_all_can_see_that_there_is_nothing_to_do(hidden: tuple[str, ...]) -> None:
    game = table(2, total_secrecy=True)
    playing = acting("5", "6", cards={0: ("antidote", *hidden)}, actions=(0, 1), who=("sarti", "rice"), game=game)
    assert playing.state.seat_asked == 1
    searching = acting("33", "6", who=("watanabe", "rice"), actions=(1, 1), game=game)
    searching.does(Search()).falls("crocodile")
    assert searching.state.seat_asked == 1, "no snake and no scorpion lies in the pond"


@pytest.mark.rule("HOR-81")
def test_in_total_secrecy_a_cure_names_no_wound() -> None:
    game = table(2, total_secrecy=True)
    playing = acting("5", "6", cards={0: ("antidote", "snake")}, who=("sarti", "rice"), game=game)
    step = Played(OWN, Use("antidote", wound="snake"))
    assert game.tells(playing.state, step, OTHER) == {"type": "cure_unseen", "card": "antidote"}
    assert game.tells(playing.state, step, OWN) == {"type": "cure", "card": "antidote", "wound": "snake"}
    assert game.hides(playing.state, step)


@pytest.mark.rule("HOR-82", "HOR-12")
def test_a_treasure_that_makes_room_is_told_to_its_owner_alone() -> None:
    playing = acting("5", "6", cards={OWN: ("treasure-sobek-5", *["mummy"] * 11)}, who=("sarti", "rice"))
    playing.does(Search()).falls("udjat")
    step = Played(OWN, Discard("treasure-sobek-5"))
    for viewer in (None, OTHER):
        assert playing.game.tells(playing.state, step, viewer) == {"type": "discard_hidden", "god": "sobek"}
    assert playing.game.tells(playing.state, step, OWN) == {"type": "discard_own", "card": "treasure", "value": 5}
    assert playing.game.hides(playing.state, step)


@pytest.mark.rule("HOR-82", "HOR-11")
def test_a_treasure_that_is_laid_off_is_told_to_its_owner_alone() -> None:
    playing = acting("5", "6", cards={1: ("treasure-sobek-5", "crowbar")}, actions=0, who=("sarti", "rice"))
    playing.falls(1, 1, 1, 1, 1, 36)
    step = Played(1, Ready(("treasure-sobek-5", "crowbar")))
    assert playing.game.tells(playing.state, step, None) == {"type": "ready_mixed", "cards": ["crowbar"], "n": 1}
    assert playing.game.tells(playing.state, step, 1)["type"] == "ready_own"
    assert playing.game.hides(playing.state, step)


@pytest.mark.rule("HOR-82")
def test_what_a_correction_offers_and_what_it_refuses_tells_no_treasure() -> None:
    """Who tries every card in turn learns nothing, and what is said to lie there lies there from then on."""
    offered, tried = [], []
    for card in ("treasure-sobek-5", "treasure-sobek-3", "chest-sobek"):
        playing = acting("5", "6", cards={0: (card,)}, who=("sarti", "rice"))
        mending = playing.game.correction_form(playing.state)
        offered.append(mending)
        every = {row[0] for row in mending.tables["card"][0].rows}
        moved = [
            Corrected(PlaceCard(str(each), 0, to)) for each in sorted(map(str, every)) for to in (1, "beside_the_board")
        ]
        tried.append([said(playing.game, playing.state, step) for step in moved])
        put = playing.game.after(playing.state, Corrected(PlaceCard("treasure-sobek-6", 0, 1)))
        assert (put.adventurers[0].cards, put.adventurers[1].cards) == ((), ("treasure-sobek-6",))
        assert playing.game.census(put) == playing.game.census(playing.state)
        assert put.decks[2][card.removesuffix("-sobek")] == playing.state.decks[2][card.removesuffix("-sobek")] + 1
    assert offered[0] == offered[1] == offered[2]
    assert tried[0] == tried[1] == tried[2]
    told = playing.game.tells(playing.state, Corrected(PlaceCard("treasure-sobek-5", 0, 1)), None)
    assert told == {"type": "card_unseen", "giver": "Ada", "taker": "Ben"}


@pytest.mark.rule("HOR-10", "HOR-13", "HOR-81")
def test_in_total_secrecy_no_count_tells_a_treasure_from_a_wound_until_its_owner_fills_the_satchel() -> None:
    game = table(2, total_secrecy=True)
    seen = []
    for card in ("treasure-sobek-6", "crocodile"):
        playing = acting("33", "6", who=("sarti", "rice"), actions=(1, 1), cards={0: ("satchel",)}, game=game)
        playing.does(Search()).falls(card)
        seen.append([everything(game, playing.state, seat) for seat in (None, OTHER)])
        assert playing.board()["seats"][OWN]["cards"] == 2
    assert seen[0] == seen[1]


@pytest.mark.rule("HOR-11", "HOR-13", "HOR-81")
def test_the_owner_fills_the_satchel_when_asked_and_others_see_that_a_card_goes_in() -> None:
    game = table(2, total_secrecy=True)
    three = ("treasure-sobek-6", "chest-sobek", "necklace-2")
    playing = acting(
        "33", "6", who=("sarti", "rice"), actions=(1, 1), cards={0: ("satchel", *three, "snake")}, game=game
    )
    assert playing.here.held(OWN) == 5
    assert [card["card"] for card in playing.you(OWN)["may_pack"]] == list(three)
    step = Played(OWN, Pack("treasure-sobek-6"))
    assert game.tells(playing.state, step, OTHER) == {"type": "pack", "god": "sobek"}
    assert game.tells(playing.state, step, OWN)["value"] == 6
    assert game.hides(playing.state, step)
    playing.does(Pack("treasure-sobek-6"))
    assert playing.refused(Pack("treasure-sobek-6")).rule == "HOR-13", "it is in there"
    assert playing.refused(Pack("snake")).rule == "HOR-11"
    playing.does(Pack("chest-sobek"))
    assert playing.refused(Pack("necklace-2")).key == "horus.no_satchel_room"
    mine = playing.board(OTHER)["seats"][OWN]
    assert (mine["cards"], mine["packed"], len(mine["backs"])) == (3, 2, 4)
    playing.does(End(), End()).falls(1, 1, 1, 1, 1, 36)
    playing.does(Ready(("satchel",)))
    assert (playing.here.held(OWN), playing.seat(OWN).packed) == (4, ()), "what it held lies there again"


@pytest.mark.rule("HOR-12", "HOR-13", "HOR-81")
def test_room_is_made_by_filling_a_satchel_too() -> None:
    game = table(2, total_secrecy=True)
    wounds = ("mummy",) * 10
    where = {"initkaes": ("A3", "NW")}
    playing = acting(
        "A2", "6", cards={0: ("satchel", "necklace-1", *wounds)}, mummies=where, game=game, who=("sarti", "rice")
    )
    playing.does(Walk("A3"))
    assert set(playing.listed()) == {Discard("satchel"), Discard("necklace-1"), Pack("necklace-1")}
    playing.does(Pack("necklace-1"))
    assert playing.state.asking == "act"
    assert playing.cards(0) == ("satchel", "necklace-1", *wounds, "mummy")


@pytest.mark.rule("HOR-13")
def test_where_all_see_the_treasures_a_satchel_is_filled_by_itself() -> None:
    playing = acting("5", "6", cards={0: ("satchel", "necklace-1")}, who=("sarti", "rice"))
    assert playing.here.held(0) == 1
    assert playing.refused(Pack("necklace-1")).key == "horus.fills_itself"
    assert not any(isinstance(move, Pack) for move in playing.listed())


@pytest.mark.rule("HOR-51", "HOR-82")
def test_help_goes_by_what_its_reader_knows() -> None:
    """Who had the block for square 5 set aside and stands there is sure of it; on the tablet it is one of many."""
    playing = acting("5", "6", "33", who=("rasputin", "rice", "ardila"), actions=(2, 1, 0))
    playing.does(LOOK).falls(5).does(Use(ability="prescience", keep=True))
    assert playing.aids(OWN)["dangers"]["squares"]["5"]["block"] == 1
    assert playing.aids(OWN)["dangers"]["squares"]["6"]["block"] == 0
    assert playing.aids()["dangers"]["squares"]["5"]["block"] == pytest.approx(1 / 36)


@pytest.mark.rule("HOR-74", "HOR-82")
def test_who_has_read_a_sarcophagus_is_told_what_it_is_worth_and_nobody_else_is() -> None:
    playing = acting("A2", "6", who=("wahab", "rice"), actions=(2, 1))
    before = playing.aids()["tombs"][0]["worth"]
    playing.does(Use(ability="linguistics")).falls("treasure-anubis-7")
    assert playing.aids(OWN)["tombs"][0]["worth"] == 7
    assert playing.aids()["tombs"][0]["worth"] == before == pytest.approx(5.6)
    others = [at for at, slot in enumerate(playing.game.terms.slots) if slot.god == "anubis" and slot.square != "A2"]
    left = [tomb_worth(playing.here.as_seen_by(OWN), at) for at in others]
    assert left == pytest.approx([(5 * 5.6 - 7) / 4] * 4), "it is none of the others of that god"


@pytest.mark.rule("HOR-32", "HOR-82")
def test_who_holds_treasures_of_a_deck_reckons_without_them() -> None:
    playing = acting("33", "6", who=("sarti", "rice"), cards={0: ("treasure-sobek-6", "treasure-sobek-6")})
    own, all_ = (playing.aids(seat)["dangers"]["search"]["pond"] for seat in (OWN, None))
    assert own["treasure"] == all_["treasure"] == pytest.approx(10 / 16)
    assert own["worth"] == pytest.approx((3 * 2 + 4 * 3 + 5 * 3 + 2 * 3.5) / 16)
    assert all_["worth"] > own["worth"]


Lay = Callable[..., Table]


@pytest.fixture
def lay(tmp_path: Any) -> Any:
    halls: list[Hall] = []

    def laid(**sources: Any) -> Table:
        hall = Hall(tmp_path)
        halls.append(hall)
        return hall.lay(Setup("horus", "referee", tuple(map(Seat, NAMES[:2])), sources), secret=bytes(32))

    yield laid
    for hall in halls:
        hall.close()


def at_the_udjat(table: Table) -> None:
    """Until seat 0 holds an udjat and acts."""
    press = iter(range(10_000))

    def play(move: dict[str, Any], seat: int) -> None:
        table.play(HOST, table.seq, f"p{next(press)}", move, seat=seat)

    play({"type": "enter", "adventurer": "rasputin", "square": "1"}, 0)
    play({"type": "enter", "adventurer": "rice", "square": "2"}, 1)
    while (state := state_of(table)).seat_asked != 0 or state.asking != "act":
        play({"type": "ready" if state.asking == "ready" else "end"}, state.seat_asked)


def state_of(table: Table) -> HorusState:
    assert isinstance(table.state, HorusState)
    return table.state


def told_last(table: Table, actor: Actor) -> object:
    """The newest line of the log, as somebody reads it."""
    lines: Any = view(table, actor)["log"]
    return lines[-1]["what"]


@pytest.mark.rule("HOR-33", "HOR-74")
def test_who_opens_what_another_has_read_takes_nothing_back() -> None:
    playing = acting("A2", "A2", who=("wahab", "rice"), actions=(1, 2))
    playing.does(Use(ability="linguistics")).falls("treasure-anubis-7").does(End())
    laid, ben = at_the_table(playing.game, playing.state), Actor("seat", 1)
    before = laid.seq
    laid.play(ben, before, "open", {"type": "open"})
    assert laid.offer(ben).why == "undo.revealed"


@pytest.mark.rule("HOR-51", "HOR-82")
def test_nobody_learns_a_block_by_taking_the_look_back(lay: Lay) -> None:
    """Whoever has looked has seen it: it is a reveal, so no seat takes it back and looks again or does otherwise."""
    laid = lay()
    at_the_udjat(laid)
    ada, ben = Actor("seat", 0), Actor("seat", 1)
    laid.play(ada, laid.seq, "step", {"type": "step", "to": "5"})
    assert laid.offer(ada).open
    before = laid.seq
    laid.play(ada, laid.seq, "look", {"type": "use", "ability": "prescience"})
    assert state_of(laid).looked
    for actor in (ada, ben):
        offer = laid.offer(actor)
        assert not offer.open
        with pytest.raises(Refusal):
            laid.take_back(actor, laid.seq, f"back {actor.seat}")
    assert laid.offer(ada).why == "undo.revealed"
    laid.play(ada, laid.seq, "keep", {"type": "use", "ability": "prescience", "keep": False})
    assert laid.offer(ada).open, "what was decided since may be decided again"
    laid.take_back(ada, laid.seq, "decide again")
    assert laid.offer(ada).why == "undo.revealed"
    assert not laid.offer(ada).open
    laid.take_back(HOST, laid.seq, "the host", before)
    assert laid.offer(ada).why == "undo.revealed", "the step is not taken back by whoever has seen what would come"
    assert not laid.offer(ada).open
    laid.play(ada, laid.seq, "look again", {"type": "use", "ability": "prescience"})
    assert laid.offer(ada).why == "undo.revealed", "and what was once seen stays seen"


@pytest.mark.rule("HOR-82")
def test_neither_a_log_nor_a_record_tells_the_block_before_the_end(lay: Lay) -> None:
    laid = lay()
    at_the_udjat(laid)
    laid.play(HOST, laid.seq, "look", {"type": "use", "ability": "prescience"}, seat=0)
    block = state_of(laid).looked
    newest = [told_last(laid, actor) for actor in (HOST, Actor("seat", 1))]
    assert newest == [{"type": "looked"}] * 2
    assert told_last(laid, Actor("seat", 0)) == {"type": "looked_own", "block": block}
    masked = json.loads(encode(export(laid)))["entries"][-1]
    assert str(block) not in json.dumps(masked["entry"])


@pytest.mark.rule("HOR-82")
def test_lingering_games_show_every_seat_the_same_open_things() -> None:
    game = table(3, total_secrecy=True)
    for _, _, after in course(game, random.Random(8), bot=lingering):
        boards = [json.dumps(game.sees(after, eyes).board) for eyes in (None, 0, 1, 2)]
        assert len(set(boards)) == 1
