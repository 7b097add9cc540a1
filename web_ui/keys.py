"""Who is asking: a key in ``Authorization: Bearer``, or in the cookie that entering a table has set.

A key travels in a link only behind its ``#``, which browsers send to nobody: the page at ``/join/<table>`` posts it to
``/api/tables/<table>/enter`` and forgets it. So no key stands in a log, a Referer or a browser's history of addresses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from werkzeug.http import dump_cookie

from web_ui.http_errors import NoKey

COOKIE = "digside-"
COOKIE_DAYS = 60


class Shown(NamedTuple):
    """A key as it was shown, and whether the browser added it by itself."""

    key: str
    by_cookie: bool = False


def shown_for(table: str, authorization: str | None, cookies: Mapping[str, str]) -> Shown | None:
    """The key shown for a table, if any. A header counts before a cookie."""
    if authorization is not None:
        return Shown(bearer(authorization))
    kept = cookies.get(COOKIE + table)
    return Shown(kept, by_cookie=True) if kept else None


def cookies_for(cookies: Mapping[str, str]) -> list[tuple[str, Shown]]:
    """Every key a browser keeps, with the table it is for."""
    return [
        (name.removeprefix(COOKIE), Shown(key, by_cookie=True))
        for name, key in cookies.items()
        if name.startswith(COOKIE)
    ]


def bearer(authorization: str) -> str:
    """The key in an Authorization header; anything but a bearer's key is refused.

    >>> bearer("Bearer k7")
    'k7'
    """
    scheme, _, key = authorization.strip().partition(" ")
    if scheme.lower() != "bearer" or not key.strip():
        raise NoKey("web.not_a_bearer")
    return key.strip()


def key_cookie(table: str, key: str | None, *, secure: bool) -> tuple[str, str]:
    """The header that stores a key in a cookie that no script can read; without a key it removes the cookie."""
    age = 24 * 3600 * COOKIE_DAYS if key else 0
    cookie = dump_cookie(COOKIE + table, key or "", max_age=age, httponly=True, samesite="Lax", secure=secure)
    return ("Set-Cookie", cookie)
