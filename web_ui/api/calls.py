"""The one table of calls: what each takes and gives. It is answered from, and the API document is made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar, Unpack, get_type_hints

import msgspec

from companion.play.table import SPECTATOR, Actor, Table
from companion.refusals import Malformed, Refusal
from web_ui.api.bodies import Body, Nothing, decoded
from web_ui.between import Exchange, Unsealed
from web_ui.guard import check_json, check_origin
from web_ui.http_errors import Headers, NoKey, NotAllowed
from web_ui.keys import key_cookie
from web_ui.others import Sealed
from web_ui.request import Request
from web_ui.service import Asks, Service
from web_ui.views import Eyes

Who = Literal["anybody", "player", "host", "lays", "rig", "lends", "owner", "pi", "mover"]

JSON = "application/json"
STREAM = "text/event-stream"


class Reply(NamedTuple):
    """An answer as it goes out."""

    body: bytes
    headers: Headers = ()
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks for what; `where` holds the parts of the address."""

    service: Service
    request: Request
    call: Call
    where: Mapping[str, str]

    @property
    def language(self) -> str:
        """The language of whoever asks."""
        return self.request.language

    @property
    def client(self) -> str:
        """Whose requests are counted together."""
        return self.request.client

    def keeping(self, table: str, key: str | None) -> Headers:
        """The header by which whoever asks keeps a key of a table, or lets it go."""
        return (key_cookie(table, key, secure=self.request.is_secure),)


@dataclass(frozen=True, slots=True)
class AtTable(Asking):
    """Who asks at a table, through whose eyes."""

    table: Table
    eyes: Eyes

    @property
    def actor(self) -> Actor:
        """As whom."""
        return self.eyes.actor


T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Reply | msgspec.Struct])


class Query(msgspec.Struct, frozen=True):
    """Something a call takes behind the question mark, or in a header."""

    name: str
    about: str
    needed: bool = False
    long: bool = False  # whoever asks so asks for something that takes long
    where: Literal["query", "header"] = "query"


class CallTerms(TypedDict, total=False):
    """What a call may say of itself beside what it is asked and answers."""

    media: str
    statuses: tuple[int, ...]
    who: Who
    asks: Asks
    query: tuple[Query, ...]
    refuses: tuple[type[Refusal], ...]
    long: bool
    or_gives: Any


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A call: how it is asked, who may, what it takes and what it gives; `answer` answers it.

    :ivar or_gives: what it gives otherwise, to whoever asks for that.
    :ivar long: whether it takes longer than a press. Then no press waits for it, and what it tells of a table is kept
        until the next step there.
    """

    method: Literal["GET", "POST"]
    path: str
    name: str
    about: str
    takes: type[Body] | type[bytes]
    gives: Any
    asks: Asks
    answer: Callable[[Any, Any], Reply | msgspec.Struct]
    media: str = JSON
    statuses: tuple[int, ...] = (200,)
    who: Who = "anybody"
    query: tuple[Query, ...] = ()
    refuses: tuple[type[Refusal], ...] = ()
    long: bool = False
    or_gives: Any = None


class CallTable:
    """A set of calls, filled by decorators: what a call takes is the type of its function's second parameter."""

    def __init__(self) -> None:
        self.all: list[Call] = []

    def get(self, path: str, gives: Any, **terms: Unpack[CallTerms]) -> Callable[[F], F]:
        """A call that only looks."""
        return self._keeper("GET", path, gives, {"asks": "looks", **terms})

    def post(self, path: str, gives: Any, **terms: Unpack[CallTerms]) -> Callable[[F], F]:
        """A call that changes something."""
        return self._keeper("POST", path, gives, {"asks": "taps", **terms})

    def _keeper(self, method: Literal["GET", "POST"], path: str, gives: Any, terms: CallTerms) -> Callable[[F], F]:
        def keep(answer: F) -> F:
            about = (answer.__doc__ or "").strip().splitlines()[0]
            _, takes, *_ = get_type_hints(answer).values()
            name = answer.__name__
            self.all.append(
                Call(method=method, path=path, name=name, about=about, takes=takes, gives=gives, answer=answer, **terms)
            )
            if takes is not bytes:
                msgspec.json.Decoder(takes)  # works out how it is read: msgspec breaks down where two threads begin to
            return answer

        return keep


def asking_of(service: Service, request: Request, call: Call, where: Mapping[str, str]) -> Asking:
    """Who asks for a call, once it is known that they may."""
    if call.who != "pi" or not service.is_pi(request):  # all Pis of a house may ask as fast as they can
        service.limits.check(call.asks, request.client, service.known_key(request))
    if call.method == "POST" and request.authorization is None:
        check_origin(request.headers, request.host)
    asking = _at_table(service, request, call, where) if "table" in where else Asking(service, request, call, where)
    _admit(call.who, asking)
    return asking


def body_of(call: Call, request: Request, body: bytes) -> Any:
    """What a call brings."""
    if call.method == "GET" or (call.takes is Nothing and call.asks == "stops"):
        return Nothing()
    check_json(request.headers.get("content-type"))
    return decoded(body, call.takes)


def _at_table(here: Service, request: Request, call: Call, where: Mapping[str, str]) -> AtTable:
    table = here.table(where["table"], request)
    eyes = here.eyes(table, here.asker(table, request), request.query.get("seat"))
    return AtTable(here, request, call, where, table, eyes)


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
            owner = asking.service.is_owner(asking.request.authorization, asking.request.cookies)
            if not asking.service.lends(asking.table.id, asking.actor, owner=owner):
                raise (NoKey if asking.actor == SPECTATOR else NotAllowed)("web.rig_not_given")
        case "pi" | "mover":
            check = asking.service.check_hub if who == "pi" else asking.service.check_mover
            check(asking.request)
        case "lays":
            asking.service.check_may_lay(asking.request.authorization, asking.request.cookies)


def brought(asking: Asking, sealed: bytes, kind: type[T]) -> T:
    """What another Digside has sealed for this one.

    :raises NoKey: where it was not sealed for this question.
    """
    try:
        return msgspec.json.decode(_exchange(asking).open(sealed), type=kind)
    except Unsealed:
        raise NoKey("web.unsealed") from None
    except ValueError as error:
        raise Malformed("web.bad_body", reason=str(error)) from None


def told_between(asking: Asking, told: msgspec.Struct) -> Reply:
    """An answer for the other Digside that asked, and for nobody on the way."""
    return Reply(msgspec.json.encode(Sealed(_exchange(asking).seal_answer(msgspec.json.encode(told)))))


def _exchange(asking: Asking) -> Exchange:
    if asking.request.exchange is None:
        raise TypeError("only who may ask so is answered so")
    return asking.request.exchange


def admit_owner(asking: Asking) -> None:
    """Refuse whoever is not the owner."""
    asking.service.check_owner(asking.request.authorization, asking.request.cookies, asking.client)


def admit_to_rig(asking: Asking) -> None:
    """Refuse whoever is neither the owner nor the host of the table that has the rig."""
    if not asking.service.works_rig(asking.request.authorization, asking.request.cookies):
        asking.service.check_guess(asking.request.authorization, asking.client)
        raise NoKey("web.rig_not_yours")
