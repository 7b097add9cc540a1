"""Answers the calls of the API: which call it is, what all calls have in common, and how a refusal is said."""

from __future__ import annotations

import gzip
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cache, lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from werkzeug.utils import get_content_type

from companion.boxes import BoxProblem
from companion.refusals import Missing, Refusal, Stale, Storage
from web_ui.api import ALL
from web_ui.api.calls import JSON, Asking, AtTable, Call, Reply, asking_of, body_of
from web_ui.asked import Asked, of_environ
from web_ui.bridge import Answer, RawHeaders
from web_ui.events import tell
from web_ui.guard import SECURITY, check_host
from web_ui.http_errors import BadBox, Broken, Headers, TooLarge, WrongMethod, headers_of, status_of
from web_ui.http_errors import body_of as refused_body
from web_ui.service import Service

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication

log = logging.getLogger(__name__)

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
LONGEST_FOR_STRANGERS = 1024  # entries of a table of which they may ask what is made of all of them
REMEMBERED = 80  # signs of an address, at most, that is found again without looking: people's are shorter
PACKED_FROM = 1400  # bytes: what is shorter is sent in one packet as it is
BESIDE_THE_API = ("/healthz", "/metrics")


class Found(NamedTuple):
    """The call behind an address, and the parts of the address."""

    call: Call
    where: Mapping[str, str]


class Junction:
    """A place on the way to calls: where each next part of an address leads.

    >>> calls = Junction(ALL)
    >>> found = calls.find("GET", "/api/tables/tqv3p/qr/2.svg")
    >>> found.call.name, dict(found.where)
    ('draw_code', {'table': 'tqv3p', 'seat': '2'})
    """

    def __init__(self, calls: Iterable[Call] = ()) -> None:
        self._named: dict[str, Junction] = {}
        self._filled: dict[tuple[str, str], Junction] = {}  # by the name of what fills it, and how it ends
        self._here: dict[str, Call] = {}
        for call in calls:
            self._lead_to(call, call.path.split("/"))

    def find(self, method: str, path: str) -> Found:
        """The call that is asked with a method at an address.

        :raises Missing: where there is none at that address.
        :raises WrongMethod: where there is, with another method.
        """
        return self._found(method, path) if len(path) <= REMEMBERED else self._find(method, path)

    @lru_cache(maxsize=1024)  # noqa: B019 -- there is one, for good
    def _found(self, method: str, path: str) -> Found:
        return self._find(method, path)

    def _find(self, method: str, path: str) -> Found:
        wanted = "GET" if method == "HEAD" else method
        others = list[str]()
        for junction, where in self._ways(path.split("/"), {}):
            call = junction._here.get(wanted)
            if call is not None:
                return Found(call, where)
            others += junction._here
        if not others:
            raise Missing("web.no_page")
        raise WrongMethod(others)

    def _lead_to(self, call: Call, parts: list[str]) -> None:
        if not parts:
            self._here[call.method] = call
            return
        first, *rest = parts
        if first.startswith("<"):
            name, _, ending = first[1:].partition(">")
            self._filled.setdefault((name, ending), Junction())._lead_to(call, rest)
        else:
            self._named.setdefault(first, Junction())._lead_to(call, rest)

    def _ways(self, parts: list[str], where: Mapping[str, str]) -> Iterator[tuple[Junction, Mapping[str, str]]]:
        """Where an address leads: what is named before what is filled in."""
        if not parts:
            yield self, where
            return
        first, *rest = parts
        named = self._named.get(first)
        if named is not None:
            yield from named._ways(rest, where)
        for (name, ending), junction in self._filled.items():
            if first.endswith(ending) and len(first) > len(ending):
                yield from junction._ways(rest, {**where, name: first.removesuffix(ending)})


CALLS = Junction(ALL)


def is_call(path: str) -> bool:
    """Whether an address is one of the API, whether or not there is a call at it."""
    return path.startswith("/api/") or path in BESIDE_THE_API


def takes_long(asked: Asked) -> bool:
    """Whether a call takes longer than a press: it is made of a whole table, or of all, or of a table as it was."""
    try:
        call = CALLS.find(asked.method, asked.path).call
    except Refusal:
        return False
    return call.long or any(each.long and each.name in asked.query for each in call.query)


def answer_call(service: Service, asked: Asked, body: bytes) -> Answer:
    """What a call answers, or why it is refused."""
    began = time.perf_counter()
    call: Call | None = None
    asking: Asking | None = None
    try:
        check_host(asked.host, service.settings.names)
        check_size(service, asked, len(body))
        call, where = CALLS.find(asked.method, asked.path)
        asking = asking_of(service, asked, call, where)
        takes = body_of(call, asked, body)
        answer = _answer(asked, call, _reply(service, asking, call, lambda: call.answer(asking, takes)))
    except Exception as error:  # a mistake of ours is told as one
        if isinstance(error, WrongMethod) and asked.method == "OPTIONS":
            answer = Answer(200, _headers("text/plain", headers_of(error), 0), b"")
        else:
            answer = _refused(service, asked, asking, error)
    note_answer(service, asked.method, call.path if call else None, answer.status, began)
    return answer


def _reply(service: Service, asking: Asking, call: Call, answer: Callable[[], Reply | msgspec.Struct]) -> Reply:
    """What a call replies; where that took long and no step has been made since, what it replied before."""

    def reply() -> Reply:
        with _replays(service, asking):
            given = answer()
        return given if isinstance(given, Reply) else Reply(msgspec.json.encode(given))

    if not (isinstance(asking, AtTable) and asking.asked.method == "GET" and takes_long(asking.asked)):
        return reply()
    table = asking.table
    at = (table.id, table.seq, table.head(), table.going)
    asked = (call.name, asking.eyes, asking.language, *(asking.asked.query.get(each.name) for each in call.query))
    return service.replies.of((*at, *asked), reply)


def _replays(service: Service, asking: Asking) -> AbstractContextManager[None]:
    """Of a very long table that is not all at hand no stranger has the rest fetched."""
    if not isinstance(asking, AtTable) or asking.table.base == 0 or asking.table.seq <= LONGEST_FOR_STRANGERS:
        return nullcontext()
    return service.replays(asking.table.id, asking.asked)


def with_calls(pages: WSGIApplication, service: Service) -> WSGIApplication:
    """A WSGI application that answers the calls, too."""

    def whole(environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        asked = of_environ(environ)
        if not is_call(asked.path):
            return pages(environ, start)
        length = int(asked.headers.get("content-length") or 0)
        body = environ["wsgi.input"].read(min(length, service.settings.limit_of(asked.path)))
        answer = answer_call(service, asked, body)
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.headers]
        start(f"{answer.status} {HTTPStatus(answer.status).phrase}", headers)
        return [answer.body if asked.method != "HEAD" else b""]

    return whole


def check_size(service: Service, asked: Asked, length: int = 0) -> None:
    """Refuse a body that is longer than its call takes."""
    limit = service.settings.limit_of(asked.path)
    if max(length, int(asked.headers.get("content-length") or 0)) > limit:
        raise TooLarge("web.too_large", limit=limit // 1024)


def note_answer(service: Service, method: str, call: str | None, status: int, began: float) -> None:
    """A request was answered: count it, and tell of it whoever reads logs."""
    service.metrics.answered(status)
    took = round((time.perf_counter() - began) * 1000, 1)
    tell("answered", method=method if method in METHODS else "other", call=call, status=status, ms=took)


def note_refusal(service: Service, method: str, path: str, refusal: Refusal, error: Exception) -> None:
    """A request was refused: count it, and log a mistake of ours."""
    tell("refused", code=refusal.code, status=status_of(refusal))
    service.metrics.refused(refusal)
    if isinstance(refusal, Storage) and method == "POST":
        service.disk.refused(refusal)
    if isinstance(refusal, Broken):
        log.error("%s %s failed", method, path, exc_info=error)


def as_refusal(error: Exception) -> Refusal:
    """An error as a refusal; a mistake of ours becomes one that says so and no more."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, BoxProblem):
        return BadBox(error)
    return Broken("web.broken")


def _refused(service: Service, asked: Asked, asking: Asking | None, error: Exception) -> Answer:
    """Whatever went wrong, in words for the person and a code for the program; never a trace."""
    refusal = as_refusal(error)
    note_refusal(service, asked.method, asked.path, refusal, error)
    scope: tuple[str, ...] = ()
    view = None
    if isinstance(asking, AtTable):
        scope = asking.table.setup.scope
        if isinstance(refusal, Stale):
            view = _fresh_view(service, asking)
    body = refused_body(refusal, asked.language, view, scope)
    return Answer(status_of(refusal), _headers(JSON, headers_of(refusal), len(body)), body)


def _fresh_view(service: Service, asking: AtTable) -> bytes | None:
    """The table as it is now, for whoever meant it as it was; none, where that cannot be shown."""
    try:
        return service.views.of(asking.table, asking.eyes)
    except Exception:
        log.exception("table %s cannot be shown", asking.table.id)
        return None


def _answer(asked: Asked, call: Call, reply: Reply) -> Answer:
    body, headers = reply.body, reply.headers
    if call.method == "GET" and call.media == JSON and call.who == "anybody" and len(body) > PACKED_FROM:
        headers = (*headers, ("Vary", "Accept-Encoding"))
        if "gzip" in asked.headers.get("accept-encoding", ""):
            body, headers = gzip.compress(body, 1, mtime=0), (*headers, ("Content-Encoding", "gzip"))
    return Answer(reply.status or call.statuses[0], _headers(call.media, headers, len(body)), body)


def _headers(media: str, more: Headers, length: int) -> RawHeaders:
    """The headers of an answer; what it says itself stands in the place of what all say."""
    own = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in more]
    own.append((b"content-length", b"%d" % length))
    common = _common(media)
    if len(own) == 1:
        return [*common, *own]
    said = {name for name, _ in own}
    return [*own, *(each for each in common if each[0] not in said)]


@cache
def _common(media: str) -> tuple[tuple[bytes, bytes], ...]:
    """What every answer of a kind says of itself."""
    common = {"Content-Type": get_content_type(media, "utf-8"), **SECURITY, "Cache-Control": "no-store"}
    return tuple((name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in common.items())
