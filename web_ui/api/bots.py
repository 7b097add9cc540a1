"""The calls about what bots know: who plays for a seat, hints, and the study of a finished table."""

from __future__ import annotations

import msgspec

from companion.play.table import Table
from companion.refusals import Illegal
from web_ui.api import answers, bodies
from web_ui.api.calls import AtTable, CallTable, Reply
from web_ui.api.tables import BY_HOST, BY_PLAYERS, EYES, stepped

calls = CallTable()


@calls.post("/api/tables/<table>/sit", gives=answers.View, **BY_PLAYERS)
def switch_seat(asking: AtTable, body: bodies.Switching) -> Reply:
    """Say who plays for a seat from now on: its person, a bot, or nobody for a while. The host's, and that seat's."""
    return stepped(asking, lambda: asking.table.switch(asking.actor, body.request, body.seat, body.kind))


@calls.post("/api/tables/<table>/hints", gives=answers.View, **BY_HOST)
def allow_hints(asking: AtTable, body: bodies.AllowingHints) -> Reply:
    """Say how often a seat may ask for a hint."""
    return stepped(asking, lambda: asking.table.allow_hints(asking.actor, body.request, body.seat, body.hints))


@calls.post("/api/tables/<table>/hint", gives=answers.View, **BY_PLAYERS)
def ask_hint(asking: AtTable, body: bodies.AskingHint) -> Reply:
    """Ask what a bot would do in the place of a seat whose turn it is; `GET` of the same says it once it is known."""
    hints, eyes = asking.service.hints, asking.eyes.seat
    whole = (asking.table, asking.actor, eyes, body.seq, body.request, body.seat)
    return stepped(asking, lambda: hints.ask(*whole))


@calls.get("/api/tables/<table>/hint", gives=answers.HintTold, who="player", query=(EYES,), refuses=(Illegal,))
def show_hint(asking: AtTable, _: bodies.Nothing) -> Reply:
    """The two or three best moves of the seat that asked for a hint, what they promise, and why."""
    table = asking.table
    seat = asking.eyes.seat if asking.actor.role == "host" else asking.actor.seat
    found = asking.service.hints.told(table, asking.actor, asking.eyes.seat, seat)
    told = {"seq": table.played(), "ready": found is not None, "moves": found or ()}
    return Reply(msgspec.json.encode(told))


@calls.get("/api/tables/<table>/study", gives=answers.StudyTold)
def show_study(asking: AtTable, _: bodies.Nothing) -> answers.StudyTold:
    """What luck gave and took at a finished table, and what decisions cost; or how far that has been worked out."""
    return _study(asking, asking.table)


@calls.post("/api/tables/<table>/study", gives=answers.StudyTold, who="lays", asks="layings", refuses=(Illegal,))
def make_study(asking: AtTable, body: bodies.Studying) -> answers.StudyTold:
    """Have it worked out, which takes a minute or two and holds up nobody; or stop it."""
    if body.do == "stop":
        asking.service.studies.stop(asking.table.id)
    else:
        asking.service.studies.begin(asking.table)
    return _study(asking, asking.table)


def _study(asking: AtTable, table: Table) -> answers.StudyTold:
    studies = asking.service.studies
    found = studies.kept(table.id) if table.settled() else None
    return answers.StudyTold(table.settled() and table.setup.mode == "referee", found, studies.state(table.id))
