"""Copies of our boxes that have other parts than we know of: what the rulebooks say, and what is believed and noted."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.boxes import BoxProblem, owners
from companion.game import AnyGame, Chance, Corrected, Dealt, Finished, Played, Step, Turn
from companion.pieces.box_differences import ANOTHER
from companion.referee import Referee
from companion.refusals import Illegal
from tests.laws.play import Way, any_step, counts
from tests.laws.test_table_is_right import drawing, game_of, played

REPORTED = (
    Way("tutankhamun", "referee", 3, (("tray", "physical"),)),
    Way("tutankhamun", "referee", 6, (("tray", "physical"), ("open_memory", True))),
    Way("horus", "referee", 3),
    Way("horus", "referee", 6, (("total_secrecy", True),)),
    Way("tomb_raiders", "referee", 3, (("cards", "real"),)),
    Way("jenseits", "referee", 2),
    Way("jenseits", "referee", 4),
    Way("tutankhamun", "toolbox", 3),
    Way("horus", "toolbox", 3),
    Way("tomb_raiders", "toolbox", 2),
    Way("jenseits", "toolbox", 2),
)
WITH_ANOTHER = (REPORTED[5], REPORTED[4], REPORTED[10], REPORTED[9])
"""Where a card may come up that is of no kind the box has."""


@pytest.mark.parametrize(
    ("way", "outcome", "rule"),
    [
        (REPORTED[0], "obelisk_top", "TUT-04"),
        (REPORTED[0], "earth", "TUT-02"),
        (REPORTED[2], "green", "HOR-21"),
        (REPORTED[2], 7, "HOR-20"),
        (REPORTED[5], "exhibition-small-london", "JVT-20"),
        (REPORTED[7], "obelisk_top", "TBX-08"),
    ],
    ids=str,
)
def test_what_the_rules_state_stays_refused_and_the_rule_is_named(way: Way, outcome: str | int, rule: str) -> None:
    """A third tip, a blank card below the blank layer, a second green die, a seven, an exhibition too many."""
    game = game_of(way)
    for seed in range(20):
        _, steps = played(game, way, random.Random(seed))
        for before, step, _ in steps:
            if (
                not isinstance(step, Dealt)
                or game.off_list_outcomes(before) == ()
                or outcome in game.off_list_outcomes(before)
            ):
                continue
            ask = game.ask(before)
            assert isinstance(ask, Chance)
            if any(outcome == each and weight for each, weight in ask.odds):
                continue
            with pytest.raises(Illegal) as refused:
                game.after(before, Dealt(outcome))
            assert refused.value.rule
            if refused.value.key == "core.stated":
                assert refused.value.rule == rule
                assert "rules" in refused.value.said("en")
                return
    pytest.fail("it was never refused")


def test_what_one_alone_may_know_is_told_to_the_others_at_the_end() -> None:
    way = Way("horus", "referee", 3)
    for seed in range(20):
        game = game_of(way)
        state, steps = played(game, way, random.Random(seed))
        for before, step, after in steps:
            ask = game.ask(before)
            if not (isinstance(ask, Chance) and ask.randomizer == "search" and isinstance(step, Dealt)):
                continue
            if step.outcome not in game.off_list_outcomes(before) or isinstance(game.ask(after), Finished):
                continue
            own = [line["what"] for line in game.differences(after, ask.seat)]
            others = [line["what"] for line in game.differences(after, None)]
            assert step.outcome in own
            assert None in others
            assert len(game.differing(after, None)) < len(game.differing(after, ask.seat))
            assert all(line["what"] is not None for line in game.differences(state, None)), "told at the end"
            return
    pytest.fail("no treasure was ever otherwise")


@pytest.mark.parametrize("way", [WITH_ANOTHER[0], *WITH_ANOTHER[2:]], ids=str)
def test_a_card_of_a_kind_that_the_box_does_not_have_is_told_part_by_part(way: Way, tmp_path: Path) -> None:
    game, luck = game_of(way), random.Random(f"another {way}")
    state, census, told = game.start(), counts(game.census(game.start())), 0
    for _ in range(400):
        ask = game.ask(state)
        if isinstance(ask, Finished) or len(state.described) > 2:
            break
        if ANOTHER in game.off_list_outcomes(state):
            step: Step = Dealt(ANOTHER)
        elif state.describing is None and way.mode == "toolbox":
            step = drawing(game, state, luck) or any_step(game, state, ask, luck)
        else:
            step = any_step(game, state, ask, luck)
        if state.describing is not None:
            assert game.tells(state, step, None)["type"]
            with pytest.raises(Illegal) as refused:
                game.after(state, Dealt("nothing that is printed"))
            assert refused.value.rule, "which rule says what a card can say"
            assert isinstance(game, Referee)
            assert game.after_allowed(state, step) == game.after(state, step), "in a search, too"
        told += state.describing is not None
        state = game.after(state, step)
        assert counts(game.census(state)) == census, step
    assert state.described
    assert told > 2 * len(state.described), "what it is, and what is on it"
    new = [each.more for each in state.otherwise]
    owners.write_figures(tmp_path, way.box, game.noted(state, None))
    own, shipped = games.box(way.box, overrides=tmp_path), games.box(way.box)
    for card in state.described:
        kind = own.kind_of(card)
        assert kind in own.kinds_in(card.part)
        assert kind in new
        assert kind not in shipped.kinds_in(card.part)
        assert own.asks(card.part, card.said) is None
    assert ANOTHER not in game_of(way).off_list_outcomes(game.start()), "nobody draws at the start"


@pytest.mark.parametrize(("seats", "size"), [(2, ("large",)), (3, ())], ids=str)
def test_a_new_exhibition_comes_up_among_the_tools(seats: int, size: tuple[str, ...], tmp_path: Path) -> None:
    """Of two, both sizes lie in one pile, and which one it is is asked; else only the small ones can be on top."""
    way, luck = Way("jenseits", "toolbox", seats), random.Random(1)
    game = game_of(way)
    state, census = game.start(), counts(game.census(game.start()))
    turn_up: Any = next(kind for kind in game.move_types if kind.__struct_config__.tag == "turn_up")
    while isinstance(stacking := game.ask(state), Chance):
        state = game.after(state, any_step(game, state, stacking, luck))
    told: list[str | int] = ["exhibition", *size, "rome", "crete", "egypt", *(("palestine",) if size else ()), 11]
    for _ in range(60):
        state = game.after(state, Played(0, turn_up("research")))
        ask = game.ask(state)
        assert isinstance(ask, Chance)
        if any(str(card).startswith("exhibition") for card, weight in ask.odds if weight):
            break
        state = game.after(state, Dealt(next(card for card, weight in ask.odds if weight)))
    for outcome in (ANOTHER, *told):
        assert ANOTHER in game.off_list_outcomes(state) or state.describing
        state = game.after(state, Dealt(outcome))
    new = f"exhibition-{'large' if size else 'small'}-rome"
    board: Any = game.sees(state, None).board
    assert next(place["cards"] for place in board["cards"]["places"] if place["place"] == "a") == [new]
    assert counts(game.census(state)) == census
    assert [(line["what"], line["n"]) for line in game.differences(state, None)] == [(new, 1)]
    owners.write_figures(tmp_path, "jenseits", game.noted(state, None))
    own: Any = games.box("jenseits", overrides=tmp_path)
    assert own.exhibition_cards[new].weeks == 11
    assert len(own.exhibition_cards) == 10


def test_another_card_than_the_box_has_is_taken_from_real_storage() -> None:
    """The copy has a card of 3 points for Greece more than the box says, and one of 4 that the box does not know."""
    game = game_of(WITH_ANOTHER[1])
    state = game.start()
    while isinstance(ask := game.ask(state), Chance):
        state = game.after(state, any_step(game, state, ask, random.Random(1)))
    census = counts(game.census(state))
    read: Any = game.move_types[0]
    for card in ("expertise-greece-3", ANOTHER):
        state = game.after(state, Played(seat_of(game, state), read(card)))
    for outcome in ("another_kind", "expertise", "greece", 4, 7):
        state = game.after(state, Dealt(outcome))
    state = game.after(state, Played(seat_of(game, state), read(ANOTHER)))
    assert "expertise-greece-3" in game.off_list_outcomes(state)
    before = state.track
    state = game.after(state, Dealt("expertise-greece-3"))
    assert before != state.track, "its weeks are paid"
    assert counts(game.census(state)) == census
    laid = [card for seat in state.seats for card in seat.cards]
    assert sorted(laid) == ["expertise-greece-3", "expertise-greece-3", "expertise-greece-4"]
    lines = {(line["what"], line["n"]) for line in game.differences(state, None)}
    assert lines == {("expertise-greece-3", 1), ("expertise-greece-4", 1)}
    with pytest.raises(Illegal) as refused:
        game.after(state, Played(seat_of(game, state), read("expertise-greece-3")))
    assert refused.value.rule == "TTR-20"


def test_one_action_card_more_than_the_box_has_is_played_from_a_real_hand(tmp_path: Path) -> None:
    """Both scientists have been played, and a third is shown; of a second thief the rule says that there is none."""
    way = Way("tomb_raiders", "referee", 3, (("cards", "real"),))
    game: Any = game_of(way)
    refused_by = set[str | None]()
    play: Any = game.move_types[1]
    for seed in range(10):
        state, luck = game.start(), random.Random(seed)
        census = counts(game.census(state))
        while isinstance(ask := game.ask(state), Turn | Chance):
            seat = ask.seats[0] if isinstance(ask, Turn) else 0
            if isinstance(ask, Turn) and play(ANOTHER) in game.moves(state, seat).moves:
                break
            state = game.after(state, any_step(game, state, ask, luck))
        if isinstance(ask, Finished):
            continue
        shown = game.after(state, Played(seat, play(ANOTHER)))
        card = game.off_list_outcomes(shown)[0]
        assert all(card != each for each, weight in shown_odds(game, shown) if weight)
        for thief in (each for each in game.terms.cards if each.startswith("thief") and not shown.deck[each]):
            with pytest.raises(Illegal) as refused:
                game.after(shown, Dealt(thief))
            refused_by.add(refused.value.rule)
        named = game.after(shown, Dealt(card))
        plays = [move for move in game.moves(named, seat).moves if getattr(move, "card", "") == card]
        if card != "general_excavation":
            assert counts(game.census(game.after(named, Played(seat, plays[0])))) == census
        assert [(line["what"], line["n"]) for line in game.differences(named, None)][-1] == (card, 1)
        owners.write_figures(tmp_path / str(seed), "tomb_raiders", game.noted(named, None))
    assert refused_by == {"TTR-31"}


def shown_odds(game: AnyGame, state: Any) -> Any:
    """What can come up."""
    ask = game.ask(state)
    assert isinstance(ask, Chance)
    return ask.odds


@pytest.mark.parametrize("mode", ["referee", "toolbox"])
def test_an_exhibition_of_other_steps_is_put_right_and_noted(mode: Any, tmp_path: Path) -> None:
    game = Way("tomb_raiders", mode, 2).game()
    state, steps = game.start(), "deck.exhibitions.2.steps"

    def put(key: str, value: int) -> Any:
        return game.after(state, Corrected(printed(game, f"{steps}.{key}", value)))

    state = put("3.weeks", 0)
    assert game.noted(state, None) == {
        steps: [{"objects": {"egypt": 3}, "weeks": 9}, {"objects": {"egypt": 3, "greece": 2}, "weeks": 5}]
    }
    for key, value in (("3.weeks", 2), ("3.objects.mesopotamia", 2), ("4.weeks", 1), ("4.objects.greece", 4)):
        state = put(key, value)
    owners.write_figures(tmp_path, "tomb_raiders", game.noted(state, None))
    own: Any = games.box("tomb_raiders", overrides=tmp_path)
    told = [(step.weeks, sum(step.objects.values())) for step in own.deck.exhibitions[1].steps]
    assert told == [(9, 3), (5, 5), (2, 8), (1, 10)]
    with pytest.raises(Illegal):
        put("3.weeks", 0)
    with pytest.raises(Illegal) as refused:
        game.after(state, Corrected(printed(game, "deck.exhibitions.1.steps.3.weeks", 0)))
    assert (refused.value.key, refused.value.rule) == ("core.stated_so", "TTR-60")


def seat_of(game: AnyGame, state: Any) -> int:
    """Whose turn it is."""
    ask = game.ask(state)
    assert isinstance(ask, Turn)
    return ask.seats[0]


PRINTED = (
    ("tutankhamun", "values.falcon", 3, "layers.5.chain", "purse.silver", "TUT-01"),
    ("horus", "decks.idols.thoth", 9, "decks.rubble.necklaces.1", "locks.thoth.1", "HOR-34"),
    ("tomb_raiders", "chart.rows.1.7", 1, "deck.cards.1.copies", "chart.rows.4.11", "TTR-44"),
    ("jenseits", "dial.rows.1.7", 1, "research.cards.1.copies", "dial.rows.8.4", "JVT-64"),
)


@pytest.mark.parametrize("mode", ["referee", "toolbox"])
@pytest.mark.parametrize(
    ("name", "key", "value", "counted", "stated", "rule"), PRINTED, ids=[row[0] for row in PRINTED]
)
def test_a_figure_is_put_right_at_the_table_and_noted(
    name: str, key: str, value: int, counted: str, stated: str, rule: str, mode: Any, tmp_path: Path
) -> None:
    game = Way(name, mode, 3 if name != "tomb_raiders" else 2).game()
    state = game.start()
    put = Corrected(printed(game, key, value))
    after = game.after(state, put)
    assert game.tells(state, put, None)["type"] == "printed"
    assert game.noted(after, None) == {key: value}
    assert [(line["key"], line["n"]) for line in game.differences(after, None)] == [(key, value)]
    assert game.census(after) == game.census(state)
    stands = [
        each["value"]
        for each in game.correction_form(after).stands["printed"]
        if f"{each['part']}.{each['figure']}" == key
    ]
    assert stands == [value]
    if mode == "toolbox" and name != "horus":
        assert game.sees(after, None).board != game.sees(state, None).board
    back = game.after(after, Corrected(printed(game, key, games.box(name).reads[key])))
    assert game.differences(back, None) == []
    assert game.noted(back, None) == {}
    for other, by in ((counted, None), (stated, rule)):
        with pytest.raises(Illegal) as refused:
            game.after(state, Corrected(printed(game, other, value)))
        assert refused.value.rule
        assert by is None or (refused.value.rule, refused.value.key) == (by, "core.stated_so")
    owners.write_figures(tmp_path, name, game.noted(after, None))
    assert games.box(name, overrides=tmp_path).reads[key] == value


def test_a_wall_of_the_plan_is_put_right_with_the_tools_and_noted(tmp_path: Path) -> None:
    game = Way("horus", "toolbox", 3).game()
    kind: Any = next(each for each in game.correction_types if each.__struct_config__.tag == "wall")
    state = game.start()
    after = game.after(state, Corrected(kind("21", "31", True)))
    board: Any = game.sees(after, None).board
    assert board["plan"]["walls"][-1] == ["21", "31"]
    assert [line["type"] for line in game.differences(after, None)] == ["otherwise_wall"]
    owners.write_figures(tmp_path, "horus", game.noted(after, None))
    own: Any = games.box("horus", overrides=tmp_path)
    assert own.origin("plan.walls.1") == "house"
    assert own.origin(f"plan.walls.{len(own.plan.walls)}") == "owner"
    assert {"21", "31"} == {*own.plan.walls[-1]}
    assert game.after(after, Corrected(kind("31", "21", False))) == state
    with pytest.raises(Illegal) as refused:
        game.after(state, Corrected(kind("NW", "H1", True)))
    assert refused.value.rule == "HOR-31"


def printed(game: AnyGame, key: str, value: int) -> Any:
    """The correction of a figure."""
    kind: Any = next(each for each in game.correction_types if each.__struct_config__.tag == "printed")
    part, _, figure = key.rpartition(".")
    return kind(part, figure, value)


def test_a_figure_of_the_rules_is_never_noted(tmp_path: Path) -> None:
    with pytest.raises(BoxProblem):
        owners.write_figures(tmp_path, "tutankhamun", {"layers.5": {"chain": 16}})
    assert not list(tmp_path.iterdir())
