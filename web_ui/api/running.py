"""The calls about the service itself, its live lines, and the codes people join with."""

from __future__ import annotations

import time

import msgspec

from companion import __version__
from companion.play.codes import ROOM, Invitation
from companion.refusals import Missing, Storage
from web_ui.api import answers, bodies
from web_ui.api.calls import STREAM, Asking, AtTable, CallTable, Query, Reply
from web_ui.api.tables import EYES, seat_keys
from web_ui.codes import qr_code
from web_ui.hall_client import ProcessTold
from web_ui.http_errors import Full, NoKey, NotAllowed, RigHangs
from web_ui.rig_at_table import RigTold
from web_ui.service import CHANGES, WITH_RIG
from web_ui.streams import GREETING, rig_event, view_event

calls = CallTable()
CHANGES_ONLY = Query(
    CHANGES,
    "Given at all: an event tells what has changed, as a JSON Patch (RFC 6902). It is `{seq, sum, after, from, patch}`:"
    " `patch` makes the view `seq` with the sum `sum` of the view `after` with the sum `from`. `{seq, sum, view}` is a "
    "whole one, as it comes first and whenever that is shorter. A sum is the CRC-32 of the view in its canonical form "
    "(RFC 8785), in eight hexadecimal digits; whoever has another one asks for the stream anew. The value, if any, "
    "is the view that the asker has, as `seq-sum`: what comes first tells what has changed since. Help for a move "
    "in a refereed game is no part of these views: see `…/aids`.",
)
RIG_TOO = Query(WITH_RIG, "Given at all: the state of the rig comes on this stream, too, as events named `rig`.")


@calls.get("/healthz", gives=answers.Health, refuses=(Storage, RigHangs))
def health(asking: Asking, _: bodies.Nothing) -> answers.Health:
    """The service lives, its disk takes steps, and the loop of its rig comes round."""
    asking.service.disk.check()
    asking.service.hall.journal.check_there()
    rig, newest = asking.service.rig.state(), asking.service.metrics.newest
    if rig.stale:
        raise RigHangs("web.rig_hangs", seconds=round(rig.age_s))
    return answers.Health(True, __version__, newest.table, newest.seq, "writable", rig.age_s)


@calls.get("/api/tables/<probe>/process", gives=ProcessTold)
def show_process(asking: Asking, _: bodies.Nothing) -> ProcessTold:
    """Which process answers for a table, be there one or not: behind a router always the same (`digside doctor`)."""
    return ProcessTold(asking.service.process, time.time_ns() // 1_000_000)


@calls.get("/metrics", gives=str, media="text/plain; version=0.0.4", refuses=(NoKey,))
def metrics(asking: Asking, _: bodies.Nothing) -> Reply:
    """What the service counts, in Prometheus' text format: for this machine itself and the owner, or for everybody."""
    asking.service.check_may_count(asking.request.authorization, asking.request.cookies, asking.client)
    return Reply(asking.service.metrics.text().encode())


@calls.get(
    "/api/tables/<table>/stream",
    gives=answers.View,
    media=STREAM,
    or_gives=answers.Changes,
    query=(EYES, RIG_TOO, CHANGES_ONLY),
    refuses=(Full,),
)
def watch_table(asking: AtTable, _: bodies.Nothing) -> Reply:
    """Live: the view as an event at once and after each step, a named `beat` each second, `bye` when the service stops.

    This is what a server without live lines gives: the newest event, after which the browser comes back for more.
    """
    told = view_event(asking.table.seq, asking.service.views.of(asking.table, asking.eyes))
    if WITH_RIG in asking.request.query:
        told += rig_event(msgspec.json.encode(asking.service.rig_told()))
    return Reply(GREETING + told)


@calls.get("/api/rig/stream", gives=RigTold, media=STREAM, refuses=(Full,))
def watch_rig(asking: Asking, _: bodies.Nothing) -> Reply:
    """Live: the state of the rig as an event at once and whenever it changes, at most ten times a second."""
    return Reply(GREETING + view_event(0, msgspec.json.encode(asking.service.rig_told())))


@calls.get("/api/tables/<table>/qr/<seat>.svg", gives=str, media="image/svg+xml", who="player")
def draw_code(asking: AtTable, _: bodies.Nothing) -> Reply:
    """The code of a join link: of a seat by its number, `room`, `host`, or `spectator`; a key is only drawn.

    That of the room, and to look on, is for everybody who plays; the others are for the host.
    """
    table, seat = asking.table, asking.where["seat"]
    base = asking.service.reached_at(asking.request.base)
    if seat == "room":
        code = asking.service.hall.journal.codes.code(Invitation(table.id, ROOM))
        return Reply(qr_code(f"{base}/join/{table.id}#room={code}"))
    if asking.actor.role != "host":
        raise NotAllowed("core.host_only")
    keys = {"host": table.keys.host} | {str(number): key for number, key in enumerate(seat_keys(table))}
    if seat == "spectator":
        return Reply(qr_code(f"{base}/table/{table.id}"))
    if seat not in keys:
        raise Missing("web.no_such_seat")
    return Reply(qr_code(f"{base}/join/{table.id}#{keys[seat]}"))
