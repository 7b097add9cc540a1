"""The JSON API, version 1. One table of calls says what each takes and gives."""

from __future__ import annotations

from web_ui.api import (
    bots,
    boxes,
    copies,
    evening,
    house,
    machine,
    moves,
    openapi,
    owner,
    rig,
    running,
    tables,
    teaching,
    webhooks,
)

OWNERS = (owner.calls, boxes.calls, machine.calls, webhooks.calls)
ELSEWHERE = (house.calls, copies.calls, moves.calls)
SETS = (
    tables.calls,
    teaching.calls,
    bots.calls,
    evening.calls,
    rig.calls,
    *OWNERS,
    *ELSEWHERE,
    running.calls,
    openapi.calls,
)
ALL = tuple(call for calls in SETS for call in calls.all)
