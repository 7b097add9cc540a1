"""One running service: the hall and the rig it serves, its open lines, its counts, and who may do what."""

from __future__ import annotations

import itertools
import secrets
import threading
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec

from companion import games
from companion.play.hall import Hall
from companion.play.stage import Stage
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.refusals import Malformed, Refusal, Storage
from companion.terminal.doctor import house_of
from hardware.face import Rig
from hardware.states import RigState
from web_ui.asked import Asked
from web_ui.copier import Copier
from web_ui.copies import TOKEN, Copies, house_token, hub_at, read_token
from web_ui.disk import Disk
from web_ui.house import House, keep_house
from web_ui.http_errors import NoKey, NotAllowed, TooMany
from web_ui.hub import Holder, Hub
from web_ui.keys import Shown, bearer, cookies_for, shown_for
from web_ui.metrics import Metrics, Now
from web_ui.moves import Mover
from web_ui.mqtt import Link
from web_ui.owner import COOKIE as OWNER_COOKIE
from web_ui.owner import Owner
from web_ui.places import Known
from web_ui.power import Power
from web_ui.rate import RateLimit, is_home
from web_ui.rig_at_table import LastSeconds, RigAtTable, RigTold, stop_timed
from web_ui.settings import Settings
from web_ui.shows import Shows
from web_ui.static_files import StaticFiles
from web_ui.streams import rig_event, view_event
from web_ui.views import Eyes, Views
from web_ui.whole_house import Calls, WholeHouse, addresses

Asks = Literal["looks", "taps", "layings", "guesses", "codes", "all_codes", "stops"]
STATIC = (Path(__file__).parent / "static").resolve()
RIG = "rig"
HOUSE = "house"
RIG_BESIDE = "rig beside a table"
LONGEST_KEY = 200
WITH_RIG = "rig"
"""Behind the question mark of a table's stream: the rig is told on it, too."""


class Watched(NamedTuple):
    """The live lines that somebody may watch on one stream, and how what is newest is put on them."""

    keys: tuple[Hashable, ...]
    show: Callable[[], None]


class Limits:
    """How much each client may ask, for each kind of asking. Whoever stops a shovel is never counted."""

    def __init__(self, settings: Settings) -> None:
        self._of: Mapping[Asks, RateLimit] = {
            "taps": RateLimit(settings.taps, at_home=settings.at_home),
            "looks": RateLimit(settings.looks, at_home=settings.at_home),
            "layings": RateLimit(settings.layings, at_home=settings.at_home),
            "guesses": RateLimit(settings.guesses, at_home=settings.at_home),
            "codes": RateLimit(settings.codes, at_home=settings.at_home),
            "all_codes": RateLimit(settings.all_codes),
        }
        self._keyed: Mapping[Asks, RateLimit] = {
            "taps": RateLimit(settings.taps, at_home=settings.at_home),
            "looks": RateLimit(settings.looks, at_home=settings.at_home),
        }

    def check(self, asks: Asks, client: str, key: str | None = None) -> None:
        """Refuse what is too much.

        :param key: one that opened something here before: its requests are counted beside those of strangers that come
            from the same address.
        """
        if asks == "stops":
            return
        counted = self._keyed.get(asks) if key else None
        limit = counted or self._of[asks]
        if not limit.allows(key if counted and key else client, at_home=is_home(client)):
            raise TooMany("web.too_many")


class Service:
    """What all calls share.

    :param address: where tablets reach this service, for codes that are drawn on the machine itself.
    :param spoken: the language of what is told to no person in particular.
    """

    def __init__(
        self, hall: Hall, rig: Rig, settings: Settings, *, address: str | None = None, spoken: str = "en"
    ) -> None:
        self.hall = hall
        self.rig = rig
        self.settings = settings
        self.address = address
        self.owner = Owner(hall.folder)
        self.power = Power()
        boards = {f"/static/boards/{name}/": lies for name, lies in games.boards().items()}
        self.files = StaticFiles({"/static/": STATIC, **boards})
        self.metrics = Metrics(self._now)
        self.hub = Hub(most=settings.streams, kept=settings.kept_streams, shown=self.metrics.shown)
        self.known = Known()
        self.views = Views(self.hub)
        self.disk = Disk(hall)
        self.limits = Limits(settings)
        self.shows = Shows(hall, self._looked_at, lambda table: table.listen(self.views.changed))
        self.stage = Stage(RigAtTable(rig), self._show_rig)
        self.house = House(hall, self.views, rig.state, lambda: self.stage.table)
        self.mqtt = Link(
            self.house,
            hall.folder,
            stop=lambda: stop_timed(rig, self.metrics.stopped),
            address=lambda: self.address,
            language=spoken,
            has_word=hall.journal.has_word if hall.journal.shared else None,
        )
        self.calls = Calls(hall.journal.callers)
        self.whole_house = WholeHouse(
            self.house,
            self.calls,
            addresses(settings.house, hall.folder),
            tell=lambda seq, told: self.hub.tell(HOUSE, seq, view_event(seq, told)),
            watched=lambda: HOUSE in self.hub.lines(),
        )
        self.mover = Mover(hall, lambda: house_token(hall.folder, settings.hub_token), self.left)
        self.copies = Copies(hall.folder) if settings.keeps_copies else None
        self.copier = None
        if settings.hub is not None:
            token = read_token(settings.hub_token or hall.folder / TOKEN)
            self.copier = Copier(hall, hub_at(settings.hub), token, token_file=settings.hub_token)
        elif (house := house_of(hall.folder)) is not None and house.hub:
            keep_house(hall.folder, hub="")
        self._lending = threading.Lock()
        self._put_by: str | None = None  # the table that it was taken away from, while it waits to be given to one
        self._rig_told = itertools.count(1)
        hall.welcome(self._greet)
        hall.farewell(self.views.forget)
        hall.farewell(self.house.changed)
        hall.overhear(self.house.elsewhere)
        hall.journal.callers.listen(lambda table: self.house.elsewhere([table]))
        self._last_seconds = LastSeconds(rig)
        self._unwatch = rig.watch(self._rig_changed)
        if self.copier is not None:
            self.copier.start()
        self._unlisten = rig.listen(self.house.rig_event)

    def close(self) -> None:
        """Hear of nothing more, and leave the rig safe."""
        self._unwatch()
        self._unlisten()
        self.mqtt.close()
        self.whole_house.close()
        if self.copier is not None:
            self.copier.close()
        if self.copies is not None:
            self.copies.close()
        self.house.close()
        self.shows.close()
        self.views.close()
        self.disk.close()
        self.stage.detach()

    def _now(self) -> Now:
        """What is so at this moment, for whoever counts."""
        broker = None if self.mqtt.state in {"off", "beside"} else self.mqtt.state == "online"
        behind = self.copier.behind if self.copier is not None else None
        pump = self.house.pump_s
        return Now(self.hub.screens, self.hub.told, self.rig.state(), pump, len(self.calls.all()), behind, broker)

    def check_may_count(self, authorization: str | None, cookies: Mapping[str, str], client: str) -> None:
        """Refuse whom the figures are not for: they are this machine's and the owner's, unless they were opened."""
        if not (self.settings.metrics or is_home(client)):
            self.check_owner(authorization, cookies, client)

    def holds_token(self, authorization: str | None) -> bool:
        """Whether a request shows the token of this hub."""
        if self.copies is None or authorization is None:
            return False
        shown = bearer(authorization)
        right = shown.isascii() and secrets.compare_digest(shown.encode(), self.copies.token.encode())
        if right:
            self.known.add(shown)
        return right

    def check_hub(self, authorization: str | None, client: str) -> None:
        """Refuse whoever does not show the token of this hub."""
        if not self.holds_token(authorization):
            self.check_guess(authorization, client)
            raise NoKey("web.hub_only")

    def _greet(self, table: Table) -> None:
        """Hear of every step of a table, under its lock and before anybody is answered."""
        table.look_ahead(self.views.foresee)
        table.listen(self.views.changed)  # before all else: people wait for it
        table.listen(lambda *_: self.hub.settle())
        self.metrics.opened(table)
        table.listen(self.metrics.stepped)
        table.listen(lambda *_: self.disk.took())
        table.listen(self.house.stepped)
        self.house.stepped(table, ())
        if self.copier is not None:
            table.listen(self.copier.stepped)
            self.copier.stepped(table, ())

    def moved(self, address: str) -> None:
        """This machine is reached elsewhere from now on."""
        self.address = address
        self.hub.moved += 1
        with suppress(Storage):  # a full disk: the old address is told a while longer
            self.owner.note_address(address)

    def reached_at(self, asked: str) -> str:
        """Where other devices reach this service: as it was asked, unless the asker sits at the machine itself."""
        name = (urlsplit(asked).hostname or "").lower()
        if self.address and (name in {"localhost", "::1"} or name.startswith("127.")):
            return self.address.rstrip("/")
        return asked.rstrip("/")

    def actor(self, table: Table, shown: Shown | None, client: str) -> Actor:
        """Who is asking at a table. An outdated cookie makes a spectator; a key that was typed and is wrong, nobody."""
        actor = self.hall.actor(table, speakable(shown.key) if shown else None)
        if actor is not None:
            if shown is not None:
                self.known.add(shown.key)
            return actor
        if shown is not None and self.owner.holds(shown.key):
            return SPECTATOR  # whose service it is plays at no table by that
        self.limits.check("guesses", client)
        if shown is not None and shown.by_cookie:
            return SPECTATOR
        raise NoKey("web.wrong_key")

    def eyes(self, table: Table, actor: Actor, seat: str | None) -> Eyes:
        """Through whose eyes somebody looks: the host may look through a seat's, when the tablet is handed over."""
        if seat is None:
            return Eyes(table.id, actor)
        if seat == SPECTATOR.role:
            return Eyes(table.id, SPECTATOR)
        if not (seat.isascii() and seat.isdigit() and len(seat) < 3 and int(seat) < len(table.setup.seats)):
            raise Malformed("core.bad_seat")
        if actor.role == "host":
            return Eyes(table.id, actor, int(seat))
        if actor == Actor("seat", int(seat)):
            return Eyes(table.id, actor)
        raise NotAllowed("web.other_eyes")

    def known_key(self, asked: Asked) -> str | None:
        """A key that is shown and opened something here before; once it is found it is not looked for again."""
        if asked.known is None:
            if asked.authorization is not None:
                keys = [asked.authorization.partition(" ")[2].strip()]
            else:
                keys = [shown.key for _, shown in cookies_for(asked.cookies)] + [asked.cookies.get(OWNER_COOKIE, "")]
            asked.known = next((key for key in keys if key in self.known), None)
        return asked.known

    def holder(self, table: str | None, asked: Asked) -> Holder:
        """For whom a live line would be: a key that opens the table, which is not opened for it, or else an address."""
        self.limits.check("looks", asked.client, self.known_key(asked))
        shown = shown_for(table, asked.authorization, asked.cookies) if table else None
        if table and shown and self.hall.actor_by(table, speakable(shown.key)) is not None:
            return Holder(shown.key, self.settings.streams_each, keyed=True)
        each = self.settings.streams if is_home(asked.client) else self.settings.streams_each
        return Holder(asked.client, each, keyed=False)

    def is_owner(self, authorization: str | None, cookies: Mapping[str, str]) -> bool:
        """Whether it is the owner who asks."""
        shown = self.owner.is_shown(authorization, cookies)
        if shown:
            self.known.add(self.owner.key)
        return shown

    def check_owner(self, authorization: str | None, cookies: Mapping[str, str], client: str) -> None:
        """Refuse whoever is not the owner; a wrong key that was typed counts."""
        if not self.is_owner(authorization, cookies):
            self.check_guess(authorization, client)
            raise NoKey("web.owner_only")

    def check_may_lay(self, authorization: str | None, cookies: Mapping[str, str]) -> None:
        """Refuse a guest who lays a table, where the owner keeps that to itself."""
        if not self.owner.guests_lay and not self.is_owner(authorization, cookies):
            raise NoKey("web.owner_lays")

    def check_guess(self, authorization: str | None, client: str) -> None:
        """A key was shown in a header that does not open this: count it."""
        if authorization is not None:
            self.limits.check("guesses", client)

    def works_rig(self, authorization: str | None, cookies: Mapping[str, str]) -> bool:
        """Whether the rig obeys whoever asks: the host of the table that has it, and the owner."""
        if self.is_owner(authorization, cookies):
            return True
        return self.at_rig(authorization, cookies) == HOST

    def at_rig(self, authorization: str | None, cookies: Mapping[str, str]) -> Actor | None:
        """As whom somebody asks at the table that has the rig; None without a key, or with one of another table."""
        table = self.stage.table
        shown = shown_for(table.id, authorization, cookies) if table else None
        return self.hall.actor(table, speakable(shown.key)) if table and shown else None

    def delete(self, table: str) -> None:
        """Delete a table for good: whoever looks at it is told that it is gone, and the rig leaves it."""
        self._rig_leaves(table)
        (self.copier or self.hall).delete(table)

    def _rig_leaves(self, table: str) -> None:
        """Whichever table is played at next is given the rig, if this one had it."""
        at_rig = self.stage.table
        if at_rig is not None and at_rig.id == table:
            self.put_rig_by(at_rig)
        if self._put_by == table:
            self._put_by = None

    def left(self, table: Table) -> None:
        """A table leaves for another Digside, has left, or stays after all: every screen is told."""
        if table.going is not None:
            self._rig_leaves(table.id)
            self.calls.take_back(table.id)
        self.views.anew(table)
        self.house.stepped(table, ())

    def check_mover(self, authorization: str | None, client: str) -> None:
        """Refuse whoever brings a table and shows neither the owner's key nor the house's token, in a header."""
        shown = bearer(authorization) if authorization is not None else ""
        token = house_token(self.hall.folder, self.settings.hub_token) or ""
        right = token and shown.isascii() and secrets.compare_digest(shown.encode(), token.encode())
        if not shown or not (right or self.owner.holds(shown)):
            self.check_guess(authorization, client)
            raise NoKey("web.mover_only")
        self.known.add(shown)

    def known_as(self, cookies: Mapping[str, str], client: str) -> dict[str, Actor]:
        """As whom a browser may act, at each table it keeps a key of; one that opens nothing counts as a guess."""
        found = {}
        for kept, shown in cookies_for(cookies):
            try:
                actor = self.hall.actor_by(kept, speakable(shown.key))
            except Refusal:
                continue  # there is no such table any more
            if actor is not None:
                found[kept] = actor
            else:
                self.limits.check("guesses", client)
        return found

    def lend_rig(self, table: Table) -> None:
        """Somebody plays at a table: it is given the rig if no other table that is not over has it.

        A shovel that is only simulated is lent for its lamps and buttons; lifts wait for it once the host asks for it.
        """
        if self.rig.kind == "none" or self.stage.table is table:
            return
        with self._lending:
            has_it = self.stage.table
            if self._put_by is None and (has_it is None or has_it.settled()) and not (table.over() or table.going):
                self.stage.attach(table, lifts=self.rig.kind != "sim")

    def give_rig(self, table: Table) -> None:
        """Give the rig to a table, whichever has it now."""
        table.check_here()
        with self._lending:
            self._put_by = None
            self.stage.attach(table)

    def put_rig_by(self, table: Table) -> None:
        """Take the rig away from a table, if it has it: no table takes it by itself until one is given it."""
        with self._lending:
            if self.stage.table is table:
                self._put_by = table.id
                self.stage.detach()

    def lends(self, table: str, actor: Actor, *, owner: bool) -> bool:
        """Whether somebody may give the rig to a table and take it away: the owner, and the host of the table with it.

        From whose table it was taken away may have it back, while it waits.
        """
        at_rig = self.stage.table
        own = table == self._put_by if at_rig is None else at_rig.id == table
        return owner or (actor == HOST and own)

    def rig_told(self) -> RigTold:
        """The rig, and what a table does with it."""
        return RigTold.of(self.rig.state(), self.stage, put_by=self._put_by is not None)

    def watched(self, table: str | None, asked: Asked, *, house: bool = False) -> Watched:
        """What an address and a key open: a table's line, if asked for with the rig's; the house's; or the rig's."""
        if house:
            return Watched((HOUSE,), self._show_house)
        if table is None:
            return Watched((RIG,), self._show_rig)
        known = self.hall.table(table)
        shown = shown_for(known.id, asked.authorization, asked.cookies)
        eyes = self.eyes(known, self.actor(known, shown, asked.client), asked.query.get("seat"))
        if WITH_RIG not in asked.query:
            return Watched((eyes,), lambda: self._shown(known, eyes))

        def show() -> None:
            self._shown(known, eyes)
            self._show_rig()

        return Watched((eyes, RIG_BESIDE), show)

    def _shown(self, table: Table, eyes: Eyes) -> None:
        """A line is open: it is told the newest view, and a table of bots goes on."""
        self.views.show(table, eyes)
        self.shows.looked(table.id)

    def _looked_at(self, table: str) -> bool:
        return bool(self.hub.lines_of(table))

    def _rig_changed(self, state: RigState) -> None:
        self._last_seconds.look(state)
        self.house.rig_changed(state)
        self._show_rig()

    def _show_house(self) -> None:
        self.whole_house.look()
        self.whole_house.changed()

    def _show_rig(self) -> None:
        number = next(self._rig_told)  # before the look, so that news which overtake this are the newer
        state = msgspec.json.encode(self.rig_told())
        self.hub.tell(RIG, number, view_event(number, state))
        self.hub.tell(RIG_BESIDE, number, rig_event(state))


def speakable(key: str) -> str:
    """A key that can be compared: one no key could look like becomes one that opens nothing."""
    return key if key.isascii() and len(key) <= LONGEST_KEY else "?"
