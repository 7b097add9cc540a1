"""What a request must be before anybody looks at what it asks: for this machine, and from one of its own pages."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256

from web_ui.addresses import is_address
from web_ui.http_errors import CrossSite, Misdirected, NotJson

HOME_ENDINGS = (".local", ".lan", ".internal", ".home.arpa")
"""Endings of names that only a home's own router or machines give; under `.box`, say, a page on the internet can be."""


def policy(*inline: str) -> str:
    """The content security policy of a page with these scripts in it, told by their SHA-256; all others have addresses.

    >>> policy("{}").split("; ")[1]
    "script-src 'self' 'sha256-RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o='"
    """
    sums = (b64encode(sha256(script.encode()).digest()).decode() for script in inline)
    scripts = " ".join(["'self'", *(f"'sha256-{each}'" for each in sums)])
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src {scripts}",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "media-src 'self' blob:",
            "connect-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'self'",  # a page of ours that turns a table to its seat
        )
    )


SECURITY: Mapping[str, str] = {
    "Content-Security-Policy": policy(),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
SECURITY_OF_FILES: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What a file needs of it that is a part of pages and none itself; a page has dozens, so that each word counts."""


@lru_cache(maxsize=64)
def check_host(host: str, names: tuple[str, ...] = ()) -> None:
    """Refuse to answer under a foreign name: a page on the internet could have bound its own name to this address.

    >>> check_host("192.168.1.20:8000"), check_host("digside.local"), check_host("[::1]:80")
    (None, None, None)
    >>> check_host("a.b")
    Traceback (most recent call last):
    ...
    web_ui.http_errors.Misdirected: This machine is not called a.b. If your router calls it so: digside serve --name a.b
    """
    name = _without_port(host).lower().rstrip(".")
    if "." not in name and ":" not in name and name:
        return
    if name in names or name.endswith(HOME_ENDINGS) or is_address(name):
        return
    raise Misdirected("web.other_name", host=name[:80])


def check_origin(headers: Mapping[str, str], own: str) -> None:
    """Refuse what a page of another site asks in a visitor's name.

    :param headers: by name in small letters.
    :param own: host and port of the address that was asked.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in {"same-origin", "none"}:
        raise CrossSite("web.cross_site")
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2].lower() != own.lower():
        raise CrossSite("web.cross_site")


def check_json(content_type: str | None) -> None:
    """Only a body that says it is JSON is read: a plain form of another site cannot say so.

    >>> check_json("application/json; charset=utf-8")
    """
    if (content_type or "").partition(";")[0].strip().lower() != "application/json":
        raise NotJson("web.not_json")


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
