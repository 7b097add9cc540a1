"""Requests that come through a router in front: whose they are, by the header that the router adds."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from web_ui.request import Scope

Routed = Callable[[Scope], Scope]


def routed_by(routers: str) -> Routed:
    """A function that puts the client's address into a request that comes from a trusted router.

    Of ``X-Forwarded-For`` only the last address counts, which the router itself has added; the client, or a program on
    the router's machine, may have forged the others.

    :param routers: addresses or networks of trusted routers, separated by commas.

    >>> scope = {"client": ("127.0.0.1", 4), "headers": [(b"x-forwarded-for", b"192.0.2.9, 127.0.0.1")]}
    >>> routed_by("127.0.0.1")(scope)["client"], routed_by("10.0.0.0/8")(scope)["client"]
    (('127.0.0.1', 0), ('127.0.0.1', 4))
    """
    networks = [network for each in routers.split(",") if (network := _network(each.strip()))]

    def routed(scope: Scope) -> Scope:
        client = scope.get("client")
        if not client or not any(_is_in(client[0], network) for network in networks):
            return scope
        forwarded = {name: value.decode("latin-1") for name, value in scope["headers"] if name in FORWARDED}  # the last
        asker = forwarded.get(b"x-forwarded-for", "").rpartition(",")[2].strip()
        scheme = forwarded.get(b"x-forwarded-proto", "").rpartition(",")[2].strip()
        client_of_router = {"client": (asker, 0)} if _network(asker) else {}
        return {**scope, **client_of_router, **({"scheme": scheme} if scheme in {"http", "https"} else {})}

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
