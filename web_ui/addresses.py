"""Where other devices reach this machine: its addresses and names, and sockets to listen at."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import re
import socket
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from companion.refusals import Refusal

ROUTES = Path("/proc/net/fib_trie")
ANSWERS_FOR_LOCAL = (Path("/run/avahi-daemon/socket"), Path("/var/run/mdnsd"))
GONE_AFTER_MS = 15_000  # a tablet that answers nothing for so long is gone
SEND_BUFFER = 128 * 1024  # bytes on their way to one screen; more would only be older views
WAITING = 512
NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")


class PortTaken(Refusal):
    """Another program listens there."""

    code = "port_taken"


class NotListening(Refusal):
    """The machine does not let us listen there."""

    code = "not_listening"


class NotAName(Refusal):
    """No machine can be called that."""

    code = "not_a_name"


def own_addresses() -> list[str]:
    """The addresses of this machine that others can reach, the one the house uses first."""
    found = dict.fromkeys([*_towards_the_world(), *_local_addresses()])
    return [each for each in found if not each.startswith(("127.", "169.254."))]


def own_names() -> list[str]:
    """The names this machine goes by."""
    host = socket.gethostname().lower()
    names = [host] if "." in host else [f"{host}.local", host]
    return [name for name in names if not name.startswith("localhost")]


def is_told(name: str) -> bool:
    """Whether others in the house find a name: one that ends in .local, where a program here answers for it."""
    return "." in name and (not name.endswith(".local") or any(each.exists() for each in ANSWERS_FOR_LOCAL))


def plain_names(names: Iterable[str]) -> list[str]:
    """Names as a browser writes them when it asks for one.

    >>> plain_names(["Table.Example.org.", "köln.example"])
    ['table.example.org', 'xn--kln-sna.example']

    :raises NotAName: if one is something else: an address with `http://` before it, or a port behind it.
    """
    return [_plain(name) for name in names]


def listen(host: str | None, port: int) -> socket.socket:
    """A socket that listens: at one address, or without one at all of them.

    :raises PortTaken: if another program has the port.
    :raises NotListening: if the address is not this machine's, or the port is reserved.
    """
    try:
        sock = _bound(host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortTaken("web.port_taken", port=port) from error
        where = host or "*"
        raise NotListening("web.not_listening", host=where, port=port, reason=error.strerror or str(error)) from error
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    with contextlib.suppress(OSError, AttributeError):  # only Linux knows it
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_AFTER_MS)
    return sock


def address_of(scheme: str, host: str, port: int) -> str:
    """An address as a person types it.

    >>> address_of("http", "fe80::1", 8765), address_of("https", "digside.local", 443)
    ('http://[fe80::1]:8765', 'https://digside.local')
    """
    name = f"[{host}]" if ":" in host else host
    usual = {"http": 80, "https": 443}[scheme]
    return f"{scheme}://{name}" if port == usual else f"{scheme}://{name}:{port}"


def is_address(name: str) -> bool:
    """Whether a host is told by number.

    >>> is_address("192.168.1.20"), is_address("fe80::1"), is_address("digside.local")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _plain(name: str) -> str:
    try:
        plain = name.strip().rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError as error:
        raise NotAName("web.not_a_name", name=name) from error
    if not NAME.fullmatch(plain):
        raise NotAName("web.not_a_name", name=name)
    return plain


def _bound(host: str | None, port: int) -> socket.socket:
    if host is None:
        both = socket.has_dualstack_ipv6() and Path("/proc/net/if_inet6").exists()
        family = socket.AF_INET6 if both else socket.AF_INET
        return socket.create_server(("", port), family=family, dualstack_ipv6=both, backlog=WAITING)
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    return socket.create_server((host, port), family=family, backlog=WAITING)


def _towards_the_world() -> list[str]:
    """The address this machine would send from; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return []
        return [str(probe.getsockname()[0])]


def _local_addresses() -> list[str]:
    try:
        lines = ROUTES.read_text(encoding="ascii").splitlines()
    except OSError:
        return []
    pairs = pairwise(lines)
    return [line.rpartition("-- ")[2].strip() for line, after in pairs if "-- " in line and "/32 host LOCAL" in after]
