"""What the search knows of Tutankhamun: layers as they may lie, and a quick player."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from companion.game import Move
from companion.games.tutankhamun.layers import CODE, FREE, PIECES, LayerKind, Layout, patterns
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.rules import Tutankhamun
from companion.games.tutankhamun.state import TutankhamunState
from companion.games.tutankhamun.tray import TutankhamunTable
from companion.search.insight import Idea, Insight, Reason

WORTH_DOUBLING = 1.0  # points a dig must promise before a scarab is spent on the turn
WORTH_CLOSING = 0.5  # points a square must promise before a barricade is spent on it
SQUARES_TRIED = 7
LEAD = 12.0


def known(game: Tutankhamun, state: TutankhamunState, seat: int) -> TutankhamunState:
    """The tray as whoever pays attention knows it: what lies open, and what has come to light before [TUT-40]."""
    table = game.at(state)
    if not table.is_filled:
        return game.as_seen(state, seat, seat).state
    layers = tuple(
        tuple(card if _has_shown(state, layer, at) else FREE for at, card in enumerate(cards))
        for layer, cards in enumerate(state.layers)
    )
    return replace(state, layers=layers, quarters=0)


def _has_shown(state: TutankhamunState, layer: int, at: int) -> bool:
    """Whether a card has come to light: it is gone, or on top; where one is just being lifted, the next is not yet."""
    depth = state.depths[at]
    return layer >= depth or (layer == depth - 1 and at != state.digging)


def imagine(game: Tutankhamun, state: TutankhamunState, seat: int, luck: random.Random) -> TutankhamunState:
    """The layers as they may lie: each layout that shows what is known is as likely as any other."""
    table = game.at(state)
    if not table.is_filled:
        return state
    return replace(state, layers=tuple(_filled(table, layer, luck) for layer in range(len(state.layers))))


def _filled(table: TutankhamunTable, layer: int, luck: random.Random) -> Layout:
    shown, kind = table.state.layers[layer], table.terms.kinds[layer]
    if FREE not in shown:
        return shown
    fitting = _fitting(kind.figured, tuple(CODE.get(card, 0) if card else None for card in shown))
    if not fitting or table.state.otherwise:  # it was put right as no layout is: its cards alone count
        left = [card for card, count in table.unseen(layer).items() for _ in range(count)]
        luck.shuffle(left)
        return tuple(card or left.pop() for card in shown)
    pattern = fitting[luck.randrange(len(fitting))]
    left = [card for card, count in kind.loose for _ in range(count - shown.count(card))]
    luck.shuffle(left)
    return tuple(card or PIECES[code] or left.pop() for card, code in zip(shown, pattern, strict=True))


@lru_cache(maxsize=64)
def _fitting(kind: LayerKind, shown: tuple[int | None, ...]) -> tuple[bytes, ...]:
    """The patterns that show these pieces, and leave these squares free."""
    fitting = patterns(kind)
    for at, code in enumerate(shown):
        if code is not None:
            fitting = tuple(pattern for pattern in fitting if pattern[at] == code)
    return fitting


def policy(game: Tutankhamun, state: TutankhamunState, seat: int, luck: random.Random) -> Move:
    """Digs while a card is expected to bring more than it is expected to cost, as far as one can count."""
    if state.phase == "laying":
        return Deal()
    gain, at = _best(game, state, luck)
    if state.phase == "closing":
        return Barricade(game.terms.squares[at]) if at >= 0 and gain > WORTH_CLOSING else NoBarricade()
    if at < 0:
        return Stop() if state.digs else Pass()
    if state.digs:
        return Dig(game.terms.squares[at]) if gain > 0 else Stop()
    if gain > WORTH_DOUBLING and state.scarabs[seat] and not state.doubled:
        return Scarab()
    fee = min(game.terms.outfit.pass_fee, state.purses[seat])
    return Dig(game.terms.squares[at]) if gain > -fee else Pass()


def _best(game: Tutankhamun, state: TutankhamunState, luck: random.Random) -> tuple[float, int]:
    """The square that promises most, and what; −1 for none. A square's last card brings nothing and risks nothing."""
    best, squares = -1e9, list[int]()
    depths, standing = state.depths, state.standing
    gains: dict[int, float] = {}
    for at, depth in enumerate(depths):
        if not depth or at in standing:
            continue
        if depth not in gains:
            gains[depth] = _gain(game, state, depth) if depth > 1 else 0.0
        gain = gains[depth]
        if gain > best:
            best, squares = gain, [at]
        elif gain == best:
            squares.append(at)
    return (best, squares[int(luck.random() * len(squares))]) if squares else (0.0, -1)


def _gain(game: Tutankhamun, state: TutankhamunState, depth: int) -> float:
    """What the next card of a pile so deep brings on average: of the cards of its layer that have not come to light."""
    values, layer = game.terms.values, state.layers[depth - 2]
    purse, factor, takings = state.purses[state.seat], state.factor, state.takings
    total = points = 0
    for card, there in zip(layer, state.depths, strict=True):
        if there >= depth:
            total += 1
            value = values[card] * factor
            points += value if value >= 0 else -takings - min(-value, purse)
    return points / total


def ideas(game: Tutankhamun, worlds: Sequence[TutankhamunState], seat: int, moves: Sequence[Move]) -> Sequence[Idea]:
    """The policy's move, all that is no dig, and the squares that promise most in what is imagined."""
    luck = random.Random(len(moves))  # noqa: S311 -- which of the equals is tried
    own = policy(game, worlds[0], seat, luck)
    if worlds[0].phase == "laying":
        return [Idea(own)]
    squares = sorted(_promising(game, worlds), key=lambda each: -each[1])[:SQUARES_TRIED]
    names = [game.terms.squares[at] for at, _ in squares]
    if worlds[0].phase == "closing":
        tried: list[Move] = [NoBarricade(), *map(Barricade, names)]
    else:
        tried = [move for move in moves if not isinstance(move, Dig | Barricade)]
        tried += map(Dig, names)
    allowed = set(moves)
    return [Idea(own), *(Idea(move) for move in tried if move != own and move in allowed)]


def _promising(game: Tutankhamun, worlds: Sequence[TutankhamunState]) -> Iterator[tuple[int, float]]:
    """Each square that can be dug, and what its next card brings on average in what is imagined."""
    values, state = game.terms.values, worlds[0]
    purse = state.purses[state.seat]
    for at, depth in enumerate(state.depths):
        if depth == 1:
            yield at, 0.0
        elif depth:
            cards = [values[world.layers[depth - 2][at]] * state.factor for world in worlds]
            points = [each if each >= 0 else -state.takings - min(-each, purse) for each in cards]
            yield at, sum(points) / len(points)


def why(game: Tutankhamun, state: TutankhamunState, seat: int, move: Move) -> Reason | None:
    """What can be said for a move: what the next card of a pile brings on average, and what is safe by now."""
    luck = random.Random(0)  # noqa: S311 -- imagined; what is counted is the same however the layers lie
    imagined = imagine(game, state, seat, luck)
    match move:
        case Dig():
            depth = state.depths[game.at(state).at(move.square)]
            return Reason("dig", {"n": round(_gain(game, imagined, depth))}) if depth > 1 else Reason("last_card")
        case Stop():
            return Reason("stop", {"n": state.takings})
        case Scarab():
            return Reason("scarab", {"n": round(_best(game, imagined, luck)[0])})
        case Barricade():
            return Reason("barricade")
    return None


INSIGHT = Insight(why=why, knows=known, imagine=imagine, policy=policy, ideas=ideas, lead=LEAD)
