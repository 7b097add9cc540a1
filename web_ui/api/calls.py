"""The one table of calls: what each takes and gives. Flask answers from it, and the API document is made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar, Unpack, get_type_hints

import msgspec
from flask import Blueprint, Response, current_app, g, request

from companion.play.table import SPECTATOR, Actor, Table
from companion.refusals import Refusal
from web_ui.api.bodies import Body, Nothing, decoded
from web_ui.guard import check_json, check_origin
from web_ui.http_errors import Headers, NoKey, NotAllowed
from web_ui.keys import shown_for
from web_ui.languages import COOKIE as LANGUAGE_COOKIE
from web_ui.languages import language_of
from web_ui.service import Asks, Service
from web_ui.views import Eyes

Who = Literal["anybody", "player", "host", "lays", "rig", "lends", "owner"]

JSON = "application/json"
STREAM = "text/event-stream"


class Reply(NamedTuple):
    """An answer as it goes out."""

    body: bytes
    headers: Headers = ()
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks, and in which language; `where` holds the parts of the address."""

    service: Service
    language: str
    client: str
    where: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AtTable(Asking):
    """Who asks at a table, through whose eyes."""

    table: Table
    eyes: Eyes

    @property
    def actor(self) -> Actor:
        """As whom."""
        return self.eyes.actor


F = TypeVar("F", bound=Callable[..., Reply | msgspec.Struct])


class Query(msgspec.Struct, frozen=True):
    """Something a call takes behind the question mark."""

    name: str
    about: str
    needed: bool = False


class Terms(TypedDict, total=False):
    """What a call may say of itself beside what it is asked and answers."""

    media: str
    statuses: tuple[int, ...]
    who: Who
    asks: Asks
    query: tuple[Query, ...]
    refuses: tuple[type[Refusal], ...]


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A call: how it is asked, who may, what it takes and what it gives."""

    method: Literal["GET", "POST"]
    path: str
    name: str
    about: str
    takes: type[Body] | type[bytes]
    gives: Any
    asks: Asks
    media: str = JSON
    statuses: tuple[int, ...] = (200,)
    who: Who = "anybody"
    query: tuple[Query, ...] = ()
    refuses: tuple[type[Refusal], ...] = ()


class Calls:
    """A set of calls, filled by decorators: what a call takes is the type of its function's second parameter."""

    def __init__(self) -> None:
        self.all: list[Call] = []
        self._answers: dict[str, Callable[..., Response]] = {}

    def get(self, path: str, gives: Any, **terms: Unpack[Terms]) -> Callable[[F], F]:
        """A call that only looks."""
        return self._keeper("GET", path, gives, {"asks": "looks", **terms})

    def post(self, path: str, gives: Any, **terms: Unpack[Terms]) -> Callable[[F], F]:
        """A call that changes something."""
        return self._keeper("POST", path, gives, {"asks": "taps", **terms})

    def _keeper(self, method: Literal["GET", "POST"], path: str, gives: Any, terms: Terms) -> Callable[[F], F]:
        def keep(answer: F) -> F:
            about = (answer.__doc__ or "").strip().splitlines()[0]
            _, takes, *_ = get_type_hints(answer).values()
            call = Call(method=method, path=path, name=answer.__name__, about=about, takes=takes, gives=gives, **terms)
            if takes is not bytes:
                msgspec.json.Decoder(takes)  # works out how it is read: msgspec breaks down where two threads begin to
            self.all.append(call)
            self._answers[call.name] = _answering(call, answer)
            return answer

        return keep

    def register(self, blueprint: Blueprint) -> None:
        """Have Flask answer these calls."""
        for call in self.all:
            blueprint.add_url_rule(call.path, call.name, self._answers[call.name], methods=[call.method])


def service() -> Service:
    """The service this request came to."""
    found: Service = current_app.extensions["digside"]
    return found


def language() -> str:
    """The language of whoever asks."""
    return language_of(
        asked=request.args.get("lang"),
        cookie=request.cookies.get(LANGUAGE_COOKIE),
        accepted=request.headers.get("Accept-Language"),
    )


def client() -> str:
    """Whose requests are counted together."""
    return request.remote_addr or "?"


def _answering(call: Call, answer: Callable[[Any, Any], Reply | msgspec.Struct]) -> Callable[..., Response]:
    """The function Flask calls: it checks what every call has in common."""

    def answering(**where: str) -> Response:
        asking = g.asking = _asking(call, where)
        given = answer(asking, _body(call))
        reply = given if isinstance(given, Reply) else Reply(msgspec.json.encode(given))
        response = Response(reply.body, status=reply.status or call.statuses[0], mimetype=call.media)
        response.headers.extend(list(reply.headers))
        return response

    return answering


def _asking(call: Call, where: dict[str, str]) -> Asking:
    here, who = service(), client()
    here.limits.check(call.asks, who, here.known_key(request.headers.get("Authorization"), request.cookies))
    if call.method == "POST" and "Authorization" not in request.headers:
        check_origin(request.headers, request.host)
    if "table" in where:
        at_table = _at_table(here, who, where)
        _admit(call.who, at_table)
        return at_table
    asking = Asking(here, language(), who, where)
    _admit(call.who, asking)
    return asking


def _at_table(here: Service, who: str, where: dict[str, str]) -> AtTable:
    table = here.hall.table(where["table"])
    shown = shown_for(table.id, request.headers.get("Authorization"), request.cookies)
    eyes = here.eyes(table, here.actor(table, shown, who), request.args.get("seat"))
    return AtTable(here, language(), who, where, table, eyes)


def _admit(who: Who, asking: Asking) -> None:
    """Refuse whom a call is not for."""
    match who:
        case "player" | "host":
            actor = asking.actor if isinstance(asking, AtTable) else SPECTATOR
            if actor.role == "spectator":
                raise NoKey("web.key_needed")
            if who == "host" and actor.role != "host":
                raise NotAllowed("core.host_only")
        case "owner":
            admit_owner(asking)
        case "rig":
            admit_to_rig(asking)
        case "lends" if isinstance(asking, AtTable):
            owner = asking.service.is_owner(request.headers.get("Authorization"), request.cookies)
            if not asking.service.lends(asking.table.id, asking.actor, owner=owner):
                raise (NoKey if asking.actor == SPECTATOR else NotAllowed)("web.rig_not_given")
        case "lays":
            asking.service.check_may_lay(request.headers.get("Authorization"), request.cookies)


def admit_owner(asking: Asking) -> None:
    """Refuse whoever is not the owner."""
    asking.service.check_owner(request.headers.get("Authorization"), request.cookies, asking.client)


def admit_to_rig(asking: Asking) -> None:
    """Refuse whoever is neither the owner nor the host of the table that has the rig."""
    if not asking.service.works_rig(request.headers.get("Authorization"), request.cookies):
        asking.service.check_guess(request.headers.get("Authorization"), asking.client)
        raise NoKey("web.rig_not_yours")


def _body(call: Call) -> Any:
    if call.method == "GET" or (call.takes is Nothing and call.asks == "stops"):
        return Nothing()
    check_json(request.content_type)
    return decoded(request.get_data(cache=False), call.takes)
