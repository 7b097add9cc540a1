"""The calls of the API as routes of Flask, made from the one table of calls."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache

import msgspec
from flask import Blueprint, Flask, Response, g
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from web_ui.api import ALL
from web_ui.api.calls import JSON, Asking, AtTable, Call, Reply, asking_of, body_of
from web_ui.request import Request, body, current
from web_ui.service import Service, running

LONGEST_FOR_STRANGERS = 1024  # entries of a table of which they may ask what is made of all of them
PACKED_FROM = 1400  # bytes: what is shorter is sent in one packet as it is
REMEMBERED = 80  # characters of a path whose call is remembered; people's are shorter
NAMED = {call.name: call for call in ALL}


def blueprint(calls: Iterable[Call] = ALL) -> Blueprint:
    """The routes."""
    api = Blueprint("api", __name__)
    for call in calls:
        api.add_url_rule(call.path, call.name, _view(call), methods=[call.method])
    return api


def finder(app: Flask) -> Callable[[str, str], Call | None]:
    """What finds the call that is asked with a method at a path, if it is one."""
    adapter = app.url_map.bind("")

    def find(method: str, path: str) -> Call | None:
        try:
            endpoint, _ = adapter.match(path, method)
        except (HTTPException, RequestRedirect):
            return None
        return NAMED.get(endpoint.removeprefix("api."))

    remembered = lru_cache(maxsize=1024)(find)
    return lambda method, path: (remembered if len(path) <= REMEMBERED else find)(method, path)


def takes_long(call: Call, request: Request) -> bool:
    """Whether it takes longer than a press: it is made of a whole table, or of all, or of a table as it was."""
    return call.long or any(each.long and each.name in request.query for each in call.query)


def _view(call: Call) -> Callable[..., Response]:
    def answer(**where: str) -> Response:
        service, request = running(), current()
        asking = g.asking = asking_of(service, request, call, where)
        takes = body_of(call, request, body())
        return _response(call, request, _reply(service, asking, lambda: call.answer(asking, takes)))

    return answer


def _reply(service: Service, asking: Asking, answer: Callable[[], Reply | msgspec.Struct]) -> Reply:
    """What a call replies; where that took long and no step has been made since, what it replied before."""

    def reply() -> Reply:
        with _replays(service, asking):
            given = answer()
        return given if isinstance(given, Reply) else Reply(msgspec.json.encode(given))

    call, request = asking.call, asking.request
    if not (isinstance(asking, AtTable) and request.method == "GET" and takes_long(call, request)):
        return reply()
    table = asking.table
    at = (table.id, table.seq, table.head(), table.going)
    what = (call.name, asking.eyes, asking.language, *(request.query.get(each.name) for each in call.query))
    return service.replies.of((*at, *what), reply)


def _replays(service: Service, asking: Asking) -> AbstractContextManager[None]:
    """Of a very long table that is not all at hand no stranger has the rest fetched."""
    if not isinstance(asking, AtTable) or asking.table.base == 0 or asking.table.seq <= LONGEST_FOR_STRANGERS:
        return nullcontext()
    return service.replays(asking.table.id, asking.request)


def _response(call: Call, request: Request, reply: Reply) -> Response:
    response = Response(reply.body, reply.status or call.statuses[0], mimetype=call.media)
    response.headers.extend(reply.headers)
    if call.method == "GET" and call.media == JSON and call.who == "anybody" and len(reply.body) > PACKED_FROM:
        response.headers["Vary"] = "Accept-Encoding"
        if "gzip" in request.headers.get("accept-encoding", ""):
            response.set_data(gzip.compress(reply.body, 1, mtime=0))
            response.headers["Content-Encoding"] = "gzip"
    return response
