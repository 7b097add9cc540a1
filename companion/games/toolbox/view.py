"""What is seen of the tools: all of it by everybody, except what nobody may count or remember for others.

The board, with the tools that the box has::

    tools     their names, in order
    track     {weeks, ring, years, start, end, year, markers: [{seat, week, year, at, height}], next: [seats]}
              `at` counts weeks from the first, which is 0; without a calendar `week` is `at`, `year` and `end` are null
    dial      {knowledge, tokens: [for 0, 1 … weeks], rows, from}
    bags      [{bag, colour, left, start, inside: {token: count}}]
              `left` and `inside` are null where nobody may count (TTR-13)
    drawing   {bag, seat, of, drawn} while a hand is in a bag, else null; `last_draw` is the draw that ended last
    finds     for each seat [{bag, token}]
    dice      {faces, count, colours, rolled, rolling: how many are still to fall, mummies_from}
    blocks    {of, left, fallen, drawn: the one that fell last}
    plan      {grid, walls, corridor, entrances, areas, trapped: squares without a way out, from}
    mummies   [{mummy, square, towards, stretch, walked}]
    tray      {side, layers, squares: [{square, depth, top}], value: {card: worth}, house: cards whose worth is ours}
    points    for each seat
    cue       what the shovel was last told: grip, release or null
"""

from __future__ import annotations

from companion.game import Json, Seen
from companion.games.toolbox.kit import Kit, Pyramid
from companion.games.toolbox.state import BLANK, Drawing, Rolling, ToolboxState
from companion.pieces.bag import Bag


def seen(kit: Kit, state: ToolboxState) -> Seen:
    """The tools as they lie."""
    board: dict[str, Json] = {"tools": list(kit.tools)}
    for part in (_track, _dial, _bags, _pyramid, _tray):
        board |= part(kit, state)
    return Seen(board | {"points": list(state.points), "cue": state.cue})


def help_with(kit: Kit, state: ToolboxState) -> dict[str, Json]:
    """What the dial says for each number of weeks, and the chances of one token from each bag."""
    aids: dict[str, Json] = {}
    if kit.chart is not None:
        aids["dial"] = list(kit.chart.dial.row(state.knowledge))
    if kit.bags and not kit.uncounted:
        aids["bags"] = {name: _chances(bag) for name, bag in state.bags.items() if bag.total}
    return aids


def _chances(bag: Bag) -> dict[str, float]:
    objects = sum(count for token, count in bag.odds() if token.startswith("object:"))
    return {"objects": round(objects / bag.total, 4), "blank": round(bag[BLANK] / bag.total, 4)}


def _track(kit: Kit, state: ToolboxState) -> dict[str, Json]:
    if kit.time is None:
        return {}
    time, track = kit.time, state.track
    markers: list[Json] = []
    if track is not None:
        for seat, at in enumerate(track.times):
            markers.append({"seat": seat, **_date(kit, at), "at": at, "height": track.stack(at).index(seat)})
    return {
        "track": {
            "weeks": time.weeks,
            "ring": True,
            "years": list(time.years),
            "start": _date(kit, time.start),
            "end": _date(kit, time.end) if time.calendar else None,
            "year": _date(kit, track.at(track.furthest_back) if track else time.start)["year"],
            "markers": markers,
            "next": list(track.order) if track else [],
        }
    }


def _date(kit: Kit, at: int) -> dict[str, int | None]:
    if kit.time is None or kit.time.calendar is None:
        return {"week": at, "year": None}
    week, year = kit.time.calendar.date(at)
    return {"week": week, "year": year}


def _dial(kit: Kit, state: ToolboxState) -> dict[str, Json]:
    if kit.chart is None:
        return {}
    dial = kit.chart.dial
    return {
        "dial": {
            "knowledge": state.knowledge,
            "tokens": [0, *dial.row(state.knowledge)],
            "rows": [list(row) for row in dial.rows],
            "from": kit.chart.origin,
        }
    }


def _bags(kit: Kit, state: ToolboxState) -> dict[str, Json]:
    if not kit.bags:
        return {}
    shown: list[Json] = [
        {
            "bag": name,
            "colour": kit.colours[name],
            "left": None if kit.uncounted else state.bags[name].total,
            "start": printed.total,
            "inside": None if kit.uncounted else dict(state.bags[name].odds()),
        }
        for name, printed in kit.bags.items()
    ]
    return {
        "bags": shown,
        "drawing": _draw(state.hand) if isinstance(state.hand, Drawing) else None,
        "last_draw": _draw(state.drawn) if state.drawn else None,
        "finds": [[{"bag": find.bag, "token": find.token} for find in finds] for finds in state.finds],
    }


def _draw(draw: Drawing) -> Json:
    return {"bag": draw.bag, "seat": draw.seat, "of": draw.count, "drawn": list(draw.drawn)}


def _pyramid(kit: Kit, state: ToolboxState) -> dict[str, Json]:
    if kit.dice is None or kit.pyramid is None:
        return {}
    rolled, blocks = list(state.dice.shown), kit.pyramid.blocks
    mummies: list[Json] = [
        {
            "mummy": name,
            "square": mummy.at,
            "towards": mummy.towards,
            "stretch": kit.pyramid.stretches[name],
            "walked": list(state.walked.get(name, ())),
        }
        for name, mummy in state.mummies.items()
    ]
    return {
        "dice": {
            "faces": kit.dice.faces,
            "count": len(kit.dice.colours),
            "colours": list(kit.dice.colours),
            "rolled": rolled,
            "rolling": state.hand.count - len(rolled) if isinstance(state.hand, Rolling) else 0,
            "mummies_from": kit.dice.mummies_from,
        },
        "blocks": {
            "of": blocks,
            "left": blocks - len(state.fallen),
            "fallen": list(state.fallen),
            "drawn": state.fallen[-1] if state.fallen else None,
        },
        "plan": _plan(kit.pyramid, state),
        "mummies": mummies,
    }


def _plan(pyramid: Pyramid, state: ToolboxState) -> dict[str, Json]:
    drawing, fallen = pyramid.drawing, {str(number) for number in state.fallen}
    ways_out = pyramid.plan.open_squares(fallen)
    return {
        "grid": [list(row) for row in drawing.grid],
        "walls": [list(wall) for wall in drawing.walls],
        "corridor": {stretch: list(squares) for stretch, squares in drawing.corridor.items()},
        "entrances": list(drawing.entrances),
        "areas": {name: list(squares) for name, squares in drawing.areas.items()},
        "trapped": [
            name for row in drawing.grid for name in row if name and name not in ways_out and name not in fallen
        ],
        "from": pyramid.origin,
    }


def _tray(kit: Kit, state: ToolboxState) -> dict[str, Json]:
    if kit.layers is None or state.sand is None:
        return {}
    sand = state.sand
    return {
        "tray": {
            "side": kit.layers.side,
            "layers": len(kit.layers.cards),
            "squares": [
                {"square": name, "depth": depth, "top": top}
                for name, depth, top in zip(kit.layers.squares, sand.depths, sand.tops, strict=True)
            ],
            "value": dict(kit.layers.values),
            "house": list(kit.layers.house),
        }
    }
