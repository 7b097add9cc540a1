"""Requests that a router in front passes on: for whom it asks, by the one word that it has added itself."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from web_ui.request import Scope

Routed = Callable[[Scope], Scope]


def straight(scope: Scope) -> Scope:
    """A request as it came: nobody stands between."""
    return scope


def routed_by(routers: str | None) -> Routed:
    """What finds out for whom a router asks.

    Of ``X-Forwarded-For`` only the last address counts, which is the router's own word; what stands before it has been
    said by whoever asked, be that a program on the router's own machine.

    :param routers: addresses or networks, parted by commas; without any, nobody is believed.

    >>> scope = {"client": ("127.0.0.1", 4), "headers": [(b"x-forwarded-for", b"192.0.2.9, 127.0.0.1")]}
    >>> routed_by("127.0.0.1")(scope)["client"], routed_by("10.0.0.0/8")(scope)["client"]
    (('127.0.0.1', 0), ('127.0.0.1', 4))
    """
    if routers is None:
        return straight
    networks = [network for each in routers.split(",") if (network := _network(each.strip()))]

    def routed(scope: Scope) -> Scope:
        client = scope.get("client")
        if not client or not any(_is_in(client[0], network) for network in networks):
            return scope
        said = {name: value.decode("latin-1") for name, value in scope["headers"] if name in FORWARDED}  # the last
        asker = said.get(b"x-forwarded-for", "").rpartition(",")[2].strip()
        scheme = said.get(b"x-forwarded-proto", "").rpartition(",")[2].strip()
        told = {"client": (asker, 0)} if _network(asker) else {}
        return {**scope, **told, **({"scheme": scheme} if scheme in {"http", "https"} else {})}

    return routed


FORWARDED = frozenset({b"x-forwarded-for", b"x-forwarded-proto"})


def _network(address: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(address, strict=False)
    except ValueError:
        return None


def _is_in(address: str, network: ipaddress.IPv4Network | ipaddress.IPv6Network) -> bool:
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return False
    plain = number.ipv4_mapped if isinstance(number, ipaddress.IPv6Address) else None
    return (plain or number) in network
