"""A request as all of this service reads it: made once, where it comes in, and carried along in Flask's environment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import parse_qsl

from flask import request as flask_request
from werkzeug.sansio.http import parse_cookie
from werkzeug.sansio.utils import get_host

from web_ui.between import Exchange
from web_ui.languages import COOKIE as LANGUAGE_COOKIE
from web_ui.languages import language_of
from web_ui.rate import counted_as

Scope = dict[str, Any]


class Request:
    """A request, of which the parts are parsed when they are first used.

    :ivar path: without the query.
    :ivar headers: by name in small letters; one that was sent twice is here once, with both values.
    :ivar client: the address of whoever asks, as it is counted.
    :ivar known: a key that it shows and that opened something here before, once that was looked for.
    :ivar exchange: as which another Digside asks that has a secret of this one, once that was looked for.
    :param server: the address that was asked, for whoever names none.

    >>> request = Request("GET", "/api/rig", {"cookie": "language=fr"}, "seq=4&seq=5")
    >>> request.language, request.query["seq"]
    ('fr', '4')
    """

    def __init__(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        query: str = "",
        client: str = "?",
        scheme: str = "http",
        server: tuple[str, int | None] | None = None,
    ) -> None:
        self.method = method
        self.path = path
        self.headers = headers
        self.client = client
        self.scheme = scheme
        self.known: str | None = None
        self.exchange: Exchange | None = None
        self._query = query
        self._server = server

    @property
    def authorization(self) -> str | None:
        """The header that shows a key."""
        return self.headers.get("authorization")

    @cached_property
    def cookies(self) -> Mapping[str, str]:
        """What a browser kept, by name."""
        header = self.headers.get("cookie")
        return parse_cookie(header).to_dict() if header else {}

    @cached_property
    def query(self) -> Mapping[str, str]:
        """What stands behind the question mark, by name; of one that stands there twice, the first."""
        return dict(reversed(parse_qsl(self._query, keep_blank_values=True))) if self._query else {}

    @cached_property
    def host(self) -> str:
        """Under which name it was asked, with the port where that is none a browser leaves out; or nothing."""
        return _host(self.scheme, self.headers.get("host"), self._server)

    @property
    def base(self) -> str:
        """The address that it was asked under."""
        return f"{self.scheme}://{self.host}/"

    @property
    def is_secure(self) -> bool:
        """Whether nobody else could read it on its way."""
        return self.scheme == "https"

    @cached_property
    def language(self) -> str:
        """The language of whoever asks."""
        return language_of(
            asked=self.query.get("lang"),
            cookie=self.cookies.get(LANGUAGE_COOKIE),
            accepted=self.headers.get("accept-language"),
        )


_host = lru_cache(maxsize=64)(get_host)


def of_scope(scope: Scope) -> Request:
    """A request as ASGI describes it."""
    return Request(
        scope["method"],
        scope["path"],
        by_name(scope["headers"]),
        scope["query_string"].decode("latin-1"),
        client_of(scope),
        scope.get("scheme", "http"),
        scope.get("server"),
    )


IN_ENVIRON = "digside.request"
BODY_IN_ENVIRON = "digside.body"


def current() -> Request:
    """The request that Flask answers just now."""
    found: Request = flask_request.environ[IN_ENVIRON]
    return found


def body() -> bytes:
    """Its body."""
    found: bytes = flask_request.environ[BODY_IN_ENVIRON]
    return found


def client_of(scope: Scope) -> str:
    """The address of whoever asks, as it is counted."""
    return counted_as(str((scope.get("client") or ("?",))[0]))


def by_name(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers by their names; what stands twice is joined as HTTP has it.

    >>> by_name([(b"accept", b"a"), (b"cookie", b"b=1"), (b"accept", b"c"), (b"cookie", b"d=2")])
    {'accept': 'a,c', 'cookie': 'b=1;d=2'}
    """
    found: dict[str, str] = {}
    for raw, value in headers:
        name, said = raw.decode("latin-1"), value.decode("latin-1")
        found[name] = f"{found[name]}{';' if name == 'cookie' else ','}{said}" if name in found else said
    return found
