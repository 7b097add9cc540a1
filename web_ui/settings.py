"""How one service is set up."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import msgspec

from web_ui.broker import TablesTold
from web_ui.rate import Pace

IMPORT = "/api/tables/import"
COPIES = "/api/copies/"
MOVES = "/api/moves"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a service takes, how fast, and under which names.

    :param names: names of this machine beside its addresses and ``*.local``.
    :param authority: the certificate of the service's own authority, where it serves HTTPS.
    :param house: addresses of the other Pis of the house, for the hall page.
    :param hub: the hub that is sent copies of the tables, and a file with its token.
    :param keeps_copies: whether this is a hub.
    :param log: how is logged what happens: sentences of what goes wrong, or a line of JSON for each event.
    :param metrics: whether the figures for Prometheus are for everybody, not only for this machine and the owner.
    :param mqtt: the broker that is told of the tables; without one, what the owner chose, if anything.
    :param mqtt_password: a file with the password for it.
    :param mqtt_ca: the authority that signed its certificate, where that is one of its own.
    :param mqtt_tables: whether it is told of the table here alone, or of each beside it.
    :param router: the address of what stands between people and this service: it is believed whom it asks for.
    :param largest: bytes of a request's body.
    :param largest_import: bytes of a record that is brought in; a long game's record is about 400 kB.
    :param patience: seconds in which a request must have arrived whole.
    :param bytes_held: of all bodies that have not come whole.
    :param connections: open at once; beyond them each new one ends an old one that is not being served.
    :param streams: live lines open at once.
    :param kept_streams: live lines beside these, for whoever shows a key.
    :param streams_each: live lines for one address without a key, and for one key.
    :param hands: threads that answer people at tables; each step holds one until it is kept.
    :param beat: seconds between signs of life on a live line; a screen that hears nothing for two says so.
    :param host_silent: seconds after which others may ask to be the host, where no device of the host's was heard.
    :param taps: requests that change something, per client.
    :param looks: requests that only look, per client.
    :param layings: tables laid or brought in, per client: each takes room on the disk.
    :param guesses: keys that open nothing, per client.
    :param codes: codes typed for a seat, per client, right or wrong.
    :param all_codes: codes typed by all clients together: a guesser may have many addresses.
    :param doorstep: requests without a key that was shown before, per address, while people at a table press.
    :param at_home: how many times as much a program on the machine itself may ask: a bot, a measurement, a script.
    """

    names: tuple[str, ...] = ()
    authority: Path | None = None
    house: tuple[str, ...] = ()
    hub: str | None = None
    hub_token: Path | None = None
    keeps_copies: bool = False
    log: Literal["plain", "json"] = "plain"
    metrics: bool = False
    mqtt: str | None = None
    mqtt_password: Path | None = None
    mqtt_ca: Path | None = None
    mqtt_tables: TablesTold = "each"
    router: str | None = None
    largest: int = 64 * 1024
    largest_import: int = 4 * 1024 * 1024
    patience: float = 10.0
    bytes_held: int = 8 * 1024 * 1024
    connections: int = 2000
    streams: int = 256
    kept_streams: int = 64
    streams_each: int = 64
    hands: int = 6
    beat: float = 0.9
    host_silent: float = 60.0
    taps: Pace = Pace(120, 40)
    looks: Pace = Pace(400, 150)
    layings: Pace = Pace(20, 0.5)
    guesses: Pace = Pace(20, 0.5)
    codes: Pace = Pace(10, 0.1)
    all_codes: Pace = Pace(60, 0.5)
    doorstep: Pace = Pace(100, 100)
    at_home: float = 10.0

    @classmethod
    def for_screens(cls, most: int, **others: Any) -> Settings:
        """For so many screens: places, connections and threads that go with them."""
        own = cls()
        more = max(1, most // own.streams)
        return cls(
            streams=most,
            kept_streams=own.kept_streams * more,
            connections=own.connections * more,
            hands=min(own.hands * more, 48),
            **others,
        )

    def limit_of(self, path: str) -> int:
        """Bytes a request to an address may bring."""
        return self.largest_import if path == IMPORT or path.startswith((COPIES, MOVES)) else self.largest
