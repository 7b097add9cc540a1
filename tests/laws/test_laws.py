"""Laws that every game keeps, in every way it can be laid, at every state that random play comes to."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import pytest

from companion import games
from companion.game import AnyGame, Chance, Corrected, Dealt, Finished, Json, Played, Step, Turn
from companion.play.bounds import MOST_ENTRIES
from companion.referee import Referee
from companion.refusals import Illegal, Refusal
from companion.trials import play_out
from companion.words import known
from tests.laws.near import any_correction, misses, strings
from tests.laws.play import THOROUGH, WAYS, Moment, Way, at_random, counts

GAMES = 8 * THOROUGH
STEPS = 200 * THOROUGH
ALL_OF = 12
"""So many outcomes of a draw are tried."""
TRIES = 20
"""Where a hand tells what its seat alone has been shown of what is hidden."""

ways = pytest.mark.parametrize("way", WAYS, ids=str)


def moments(way: Way, *, games: int = GAMES, steps: int = STEPS) -> Iterator[tuple[AnyGame, Moment]]:
    """Every step of some games at random. One that has no end soon shows all it has."""
    game = way.game()
    for seed in range(games if way.ends else 2):
        for moment in at_random(game, random.Random(f"{way} {seed}"), steps):
            yield game, moment


def refused(game: AnyGame, state: Any, step: Step) -> Refusal | None:
    """How a step is refused; None if it is not."""
    try:
        game.after(state, step)
    except Refusal as refusal:
        return refusal
    return None


def viewers(way: Way) -> tuple[int | None, ...]:
    return (None, *range(way.seats))


@ways
def test_nothing_is_lost_and_nothing_made(way: Way) -> None:
    conserved(way.game(), (moment for _, moment in moments(way)))


def conserved(game: AnyGame, played: Iterable[Moment]) -> None:
    """The law over all these steps."""
    census = counts(game.census(game.start()))
    for moment in played:
        assert counts(game.census(moment.after)) == census, moment.step


@ways
def test_all_that_is_not_listed_is_refused_and_changes_nothing(way: Way) -> None:
    luck = random.Random(str(way))
    for game, moment in some(moments(way), 15 * THOROUGH):
        if not isinstance(moment.ask, Turn):
            continue
        seat = luck.choice(moment.ask.seats)
        choices, before = game.moves(moment.before, seat), repr(moment.before)
        for move in misses(game.move_types, choices.moves, luck, 48):
            refusal = refused(game, moment.before, Played(seat, move))
            if refusal is None:
                assert choices.more, f"{move} is not listed and was accepted"
            else:
                assert refusal.rule or not isinstance(refusal, Illegal), f"{refusal.key} names no rule"
        assert repr(moment.before) == before


@ways
def test_the_list_that_is_made_fast_has_every_move_that_is_not_refused_once(way: Way) -> None:
    for game, moment in some(moments(way), 40 * THOROUGH):
        if isinstance(moment.ask, Turn):
            assert isinstance(game, Referee)
            table = game.at(moment.before, moment.ask.seats[0])
            fast = list(game.listed(table))
            assert len(set(fast)) == len(fast)
            assert set(fast) == set(Referee.listed(game, table))


@ways
def test_only_those_who_are_asked_may_move(way: Way) -> None:
    for game, moment in every(moments(way, games=2), 7):
        if isinstance(moment.ask, Turn):
            move = game.moves(moment.before, moment.ask.seats[0]).moves[0]
            for seat in {-1, *range(way.seats + 1)} - set(moment.ask.seats):
                refusal = refused(game, moment.before, Played(seat, move))
                assert refusal is not None
                assert refusal.rule, "by which rule it is whose turn"
                if 0 <= seat < way.seats:
                    assert not game.moves(moment.before, seat).moves
            with pytest.raises(Refusal):
                game.after(moment.before, Dealt(1))


@ways
def test_a_question_says_what_can_fall_and_takes_nothing_else(way: Way) -> None:
    for game, moment in every(moments(way, games=3), 3):
        asked_well(game, moment, way.seats)


def asked_well(game: AnyGame, moment: Moment, seats: int) -> None:
    """The law at a step, if it is a draw."""
    ask = moment.ask
    if isinstance(ask, Chance):
        outcomes = [outcome for outcome, _ in ask.odds]
        assert ask == game.ask(moment.before)
        assert ask.randomizer in game.randomizers
        assert ask.question.isprintable()
        assert len(set(outcomes)) == len(outcomes)
        assert all(weight >= 0 for _, weight in ask.odds)
        assert 0 < sum(weight for _, weight in ask.odds) < 1 << 64
        assert ask.seat is None or (0 <= ask.seat < seats and ask.rule)
        json.dumps(ask.facts)
        for outcome in [outcome for outcome, weight in ask.odds if weight][:ALL_OF]:
            game.after(moment.before, Dealt(outcome))
        believed = game.off_list_outcomes(moment.before)
        impossible = [outcome for outcome, weight in ask.odds if not weight and outcome not in believed]
        for outcome in ("nothing of the kind", 987654321, *impossible):
            with pytest.raises(Refusal):
                game.after(moment.before, Dealt(outcome))
        move = game.move_types[0]
        if not msgspec.structs.fields(move):
            with pytest.raises(Refusal):
                game.after(moment.before, Played(0, move()))


@ways
def test_a_replay_comes_to_the_same_state(way: Way) -> None:
    """Also where nothing is checked, as in a search."""
    game, again = way.game(), way.game()
    unchecked = getattr(again, "after_allowed", again.after)
    for seed in range(3):
        played = list(at_random(game, random.Random(seed), STEPS))
        replayed(again, played)
        assert all(unchecked(moment.before, moment.step) == moment.after for moment in played)


def replayed(game: AnyGame, played: Iterable[Moment]) -> None:
    """The law over all these steps, one after another from the start."""
    state = game.start()
    for moment in played:
        assert state == moment.before
        state = game.after(state, moment.step)
        assert state == moment.after


@ways
def test_moves_and_corrections_survive_json(way: Way) -> None:
    for game, moment in every(moments(way, games=2), 3):
        if isinstance(moment.step, Played):
            kind = type(moment.step.move)
            sent = msgspec.json.encode(moment.step.move)
            assert msgspec.json.decode(sent, type=kind) == moment.step.move
            assert kind in game.move_types


@ways
def test_every_view_is_plain_json(way: Way) -> None:
    for game, moment in every(moments(way, games=2), 17):
        for viewer in viewers(way):
            seen = game.sees(moment.after, viewer)
            told = game.tells(moment.before, moment.step, viewer)
            for shown in (seen.board, seen.you, told, game.aids(moment.after, viewer)):
                assert json.loads(json.dumps(shown, allow_nan=False)) == as_lists(shown)
            assert type(told.get("seat", 0)) is int, "a seat is told by its number: whoever reads it names it"
        for also in game.follows(moment.before, moment.step):
            assert json.loads(json.dumps(also)) == as_lists(also)
            assert known("en", f"{way.box}.log.{also['type']}")
        assert game.sees(moment.after, None).you is None, "a spectator has no hand"


def as_lists(value: Json) -> Json:
    """JSON as it is read again: every sequence a list; a key that is no text would not come back as it was."""
    if isinstance(value, Mapping):
        return {key: as_lists(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [as_lists(part) for part in value]
    return value


@ways
def test_a_correction_keeps_all_things_or_is_refused(way: Way) -> None:
    luck, made = random.Random(str(way)), set()
    for game, moment in some(moments(way), 40 * THOROUGH):
        words = sorted(strings(game.sees(moment.before, None).board) | strings(game.aids(moment.before, None)))
        census, before = game.census(moment.before), repr(moment.before)
        for _ in range(24):
            correction = any_correction(game.correction_types, words, luck)
            if correction is None:
                continue
            if refused(game, moment.before, Corrected(correction)):
                continue
            made.add(type(correction))
            after = game.after(moment.before, Corrected(correction))
            assert game.census(after) == census, correction
            told = game.tells(moment.before, Corrected(correction), None)
            assert json.loads(json.dumps(told)) == as_lists(told)
            assert told["type"]
            assert json.dumps(game.sees(after, None).board)
            game.ask(after)
        assert repr(moment.before) == before
    assert made or not way.game().correction_types, "no correction was ever right"


@pytest.mark.parametrize("way", [way for way in WAYS if way.ends], ids=str)
def test_a_refereed_game_ends_and_then_nothing_is_played(way: Way) -> None:
    game = way.game()
    for seed in range(3 * THOROUGH):
        last = list(at_random(game, random.Random(seed), MOST_ENTRIES))[-1]
        finished = game.ask(last.after)
        assert isinstance(finished, Finished), f"not over after {MOST_ENTRIES} steps"
        assert game.tally(last.after) == finished
        for step in (last.step, Played(0, game.move_types[0]()) if no_fields(game) else last.step):
            with pytest.raises(Refusal):
                game.after(last.after, step)
        assert not any(game.moves(last.after, seat).moves for seat in range(way.seats))


@ways
def test_a_table_may_be_closed_at_any_moment_and_counts_as_it_stands(way: Way) -> None:
    for game, moment in every(moments(way, games=3), 11):
        closed = game.closed(moment.after)
        assert game.tally(closed) == game.tally(moment.after)
        assert game.census(closed) == game.census(moment.after)
        assert game.closed(closed) == closed
        assert all(json.dumps(game.sees(closed, seat).board) for seat in (None, *range(way.seats)))


@pytest.mark.parametrize("way", [way for way in WAYS if way.ends and way.is_smallest], ids=str)
def test_the_same_seed_plays_the_same_trial(way: Way) -> None:
    refereed = games.bundle(way.box).refereed
    assert refereed is not None
    one, again, other = (
        play_out(way.game(), refereed(), ["random"] * way.seats, games=3, seed=seed) for seed in (7, 7, 8)
    )
    assert one == again
    one_way_only = len({*zip(one.scores, one.steps, strict=True)}) == 1  # nothing is drawn, or it makes no difference
    assert one_way_only or one != other


def no_fields(game: AnyGame) -> bool:
    return not msgspec.structs.fields(game.move_types[0])


@ways
def test_scores_are_the_sum_of_their_parts(way: Way) -> None:
    for game, moment in every(moments(way, games=3), 11):
        tally = game.tally(moment.after)
        assert sorted(score.seat for score in tally.scores) == list(range(way.seats))
        for score in tally.scores:
            assert score.total == sum(score.parts.values())
        assert set(tally.winners) <= set(range(way.seats))


def some(played: Iterator[tuple[AnyGame, Moment]], most: int) -> list[tuple[AnyGame, Moment]]:
    """So many moments at most, all along: games that are soon over have few."""
    there = list(played)
    return there[:: max(1, len(there) // most)]


def every(played: Iterator[tuple[AnyGame, Moment]], nth: int) -> Iterator[tuple[AnyGame, Moment]]:
    """Every so many moments."""
    return (each for count, each in enumerate(played) if count % nth == 0)
