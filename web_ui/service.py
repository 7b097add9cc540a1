"""One running service: the hall and the rig it serves, its open lines, its counts, and who may do what."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

import msgspec
from flask import current_app

from companion import games
from companion.play.entries import HostWanted, JournalLine, SeatsChanged
from companion.play.hall import Hall
from companion.play.hosting import keep_host
from companion.play.replays import no_replays
from companion.play.stage import Stage
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.refusals import Malformed, Missing, Refusal, Storage
from companion.terminal.doctor import house_of
from hardware import FIRMWARE
from hardware.events import RigState
from hardware.face import Rig
from web_ui.between import Exchange, exchange_of
from web_ui.bots import Bots
from web_ui.broadcaster import Broadcaster, Holder, Screen
from web_ui.copier import Copier
from web_ui.copies import TOKEN, Copies, house_token, hub_at, read_token
from web_ui.disk import Disk
from web_ui.groups import Groups
from web_ui.hints import Hints
from web_ui.house import HouseView, keep_house
from web_ui.http_errors import NoKey, NotAllowed, TooMany
from web_ui.keys import Shown, cookies_for, shown_for
from web_ui.metrics import Metrics, Now
from web_ui.migration import Mover
from web_ui.mqtt import BrokerLink
from web_ui.owner import COOKIE as OWNER_COOKIE
from web_ui.owner import Owner
from web_ui.places import Known
from web_ui.power import Power
from web_ui.presence import Presence
from web_ui.rate import RateLimit, is_home
from web_ui.reception import Reception
from web_ui.replies import Replies
from web_ui.request import Request
from web_ui.rig_at_table import LastSeconds, RigAtTable, RigTold, stop_timed
from web_ui.settings import Settings
from web_ui.shows import Shows
from web_ui.static_files import StaticFiles
from web_ui.streams import rig_event, view_event
from web_ui.studies import Studies
from web_ui.views import Eyes, Version, ViewChanges, Views, eyes_of
from web_ui.webhooks import Webhooks
from web_ui.whole_house import HelpRequests, WholeHouse, addresses

Asks = Literal["looks", "taps", "layings", "guesses", "codes", "all_codes", "stops"]
STATIC = (Path(__file__).parent / "static").resolve()
RIG = "rig"
HOUSE = "house"
RIG_BESIDE = "rig beside a table"
LONGEST_KEY = 200
CHANGES = "changes"
"""Behind the question mark of a table's stream: what has changed is told, since the version that is given."""
WITH_RIG = "rig"
"""Behind the question mark of a table's stream: the rig is told on it, too."""


class Watched(NamedTuple):
    """The live lines that somebody may watch on one stream, and how what is newest is put on them."""

    keys: tuple[Hashable, ...]
    show: Callable[[Screen], None]


class RateLimits:
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


def static_files() -> StaticFiles:
    """The files of the screens, with the boards of games that lie elsewhere."""
    boards = {f"/static/boards/{name}/": lies for name, lies in games.boards().items()}
    return StaticFiles({"/static/": STATIC, "/static/firmware/": FIRMWARE, **boards})


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
        self.groups = Groups(hall.folder)
        self._grouped: set[str] = set()  # tables of which it is kept who plays there
        self.power = Power()
        self.files = static_files()
        self.metrics = Metrics(self._now)
        self.broadcaster = Broadcaster(
            most=settings.streams,
            kept=settings.kept_streams,
            shown=self.metrics.shown,
            turned=lambda key: self.presence.turned(key),  # noqa: PLW0108 -- which comes after this
        )
        self.presence = Presence(self.broadcaster.lines_of, self._look_at_host, silent_s=settings.host_silent)
        self.known = Known()
        self.views = Views(self.broadcaster)
        self.replies = Replies()
        self.disk = Disk(hall)
        self.limits = RateLimits(settings)
        self.shows = Shows(hall, self._looked_at, lambda table: table.listen(self.views.changed))
        self.stage = Stage(RigAtTable(rig), self._show_rig, lends=rig.kind != "sim")
        self.bots = Bots(hall, self.stage, watched=self._looked_at, changed=self.views.anew, lend_rig=self.lend_rig)
        self.hints = Hints(self.bots.thinker)
        self.studies = Studies(hall.folder, self.bots.thinker)
        self.house = HouseView(hall, self.views, rig.state, lambda: self.stage.table)
        self.mqtt = BrokerLink(
            self.house,
            hall.folder,
            stop=lambda: stop_timed(rig, self.metrics.stopped),
            address=lambda: self.address,
            language=spoken,
            has_word=hall.journal.is_leader if hall.journal.shared else None,
        )
        self.calls = HelpRequests(hall.journal.callers)
        self.whole_house = WholeHouse(
            self.house,
            self.calls,
            addresses(settings.house, hall.folder),
            tell=lambda seq, told: self.broadcaster.tell(HOUSE, seq, view_event(seq, told)),
            watched=lambda: HOUSE in self.broadcaster.lines(),
        )
        self.hooks = Webhooks(
            self.house,
            title=lambda box: games.box(box).title if box in games.names() else box,
            language=spoken,
            has_word=hall.journal.is_leader if hall.journal.shared else None,
        )
        self.mover = Mover(hall, lambda: house_token(hall.folder, settings.hub_token), self.left)
        self.reception = Reception(hall, lambda: self.mover.house)
        self.copies = Copies(hall.folder) if settings.keeps_copies else None
        self.copier = None
        if settings.hub is not None:
            token = read_token(settings.hub_token or hall.folder / TOKEN)
            self.copier = Copier(hall, hub_at(settings.hub), token, token_file=settings.hub_token)
        elif (house := house_of(hall.folder)) is not None and house.hub:
            keep_house(hall.folder, hub="")
        self._rig_told = itertools.count(1)
        hall.on_open(self._greet)
        hall.on_close(self.views.forget)
        hall.on_close(self.house.changed)
        hall.on_close(self.bots.forget)
        hall.on_close(self.studies.forget)
        hall.on_remote_change(self.house.elsewhere)
        hall.journal.when_in_doubt(lambda: self.views.all_anew(hall.at_hand))
        hall.journal.callers.listen(lambda table: self.house.elsewhere([table]))
        self._last_seconds = LastSeconds(rig)
        self._unwatch = rig.watch(self._rig_changed)
        if self.copier is not None:
            self.copier.start()
        self._unlisten = rig.listen(self.house.rig_event)

    @cached_property
    def process(self) -> str:
        """By which a hall's router is checked: drawn at each start, it opens nothing."""
        return secrets.token_hex(4)

    def close(self) -> None:
        """Hear of nothing more, and leave the rig safe."""
        self._unwatch()
        self._unlisten()
        self.studies.close()
        self.bots.close()
        self.mqtt.close()
        self.hooks.close()
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
        calls, told = len(self.calls.all()), self.broadcaster
        return Now(told.screens, told.sent, self.rig.state(), pump, calls, behind, broker)

    def check_may_count(self, authorization: str | None, cookies: Mapping[str, str], client: str) -> None:
        """Refuse whom the figures are not for: they are this machine's and the owner's, unless they were opened."""
        if not (self.settings.metrics or is_home(client)):
            self.check_owner(authorization, cookies, client)

    def check_hub(self, request: Request) -> Exchange:
        """Refuse whoever does not ask with the token of this hub."""
        if self.copies is None:
            raise Missing("web.no_hub")
        return self._between(request, [self.copies.token], "web.hub_only")

    def is_pi(self, request: Request) -> bool:
        """Whether it is a Pi that copies to this hub who asks."""
        return self.copies is not None and self._exchange(request, [self.copies.token]) is not None

    def check_mover(self, request: Request) -> Exchange:
        """Refuse whoever brings a table, and has neither the owner's key nor the house's token."""
        token = house_token(self.hall.folder, self.settings.hub_token)
        return self._between(request, [self.owner.key, *([token] if token else [])], "web.mover_only")

    def _between(self, request: Request, secrets_here: Sequence[str], otherwise: str) -> Exchange:
        exchange = self._exchange(request, secrets_here)
        if exchange is None:
            self.check_guess(request.authorization, request.client)
            raise NoKey(otherwise)
        request.known = exchange.secret
        return exchange

    def _exchange(self, request: Request, secrets_here: Sequence[str]) -> Exchange | None:
        """As which a request comes from another Digside that has one of these secrets."""
        if request.exchange is None and request.authorization is not None:
            request.exchange = exchange_of(request.authorization, request.method, request.path, secrets_here)
        return request.exchange if request.exchange is not None and request.exchange.secret in secrets_here else None

    def _greet(self, table: Table) -> None:
        """Hear of every step of a table, under its lock and before anybody is answered."""
        table.listen(self.views.changed)  # before all else: people wait for it
        table.listen(lambda *_: self.broadcaster.settle())
        self.metrics.opened(table)
        table.listen(self.metrics.stepped)
        table.listen(lambda *_: self.disk.took())
        table.listen(self.house.stepped)
        self.bots.greet(table)
        table.listen(self._seats_changed)
        table.listen(self._begun)
        self.house.stepped(table, ())
        if self.copier is not None:
            table.listen(self.copier.stepped)
            self.copier.stepped(table, ())

    def _look_at_host(self, table: str) -> None:
        """A host has come, or may have fallen silent: whoever looks at the table is told, by another thread."""
        self.views.later(lambda: self.mind_host(table))

    def mind_host(self, table: str) -> None:
        """Say at a table whether its host is silent; one who is there after all stays, whoever asks to be it."""
        found = self.hall.at_hand(table)
        if found is None:
            return
        silent = self.host_is_silent(found)
        if not silent and found.bid is not None and not found.settled():
            with suppress(Refusal):
                keep_host(found, HOST, f"host is here {found.bid.seq}")
        if silent != found.host_silent:
            found.host_silent = silent
            self.views.anew(found)

    def host_is_silent(self, table: Table) -> bool:
        """Whether no device of the host's was heard of late: by a stream, a request, or an entry of the host's."""
        silent = self.settings.host_silent
        if self.presence.host_silent_for(table.id) < silent:
            return False
        since = self.hall.now() - int(silent * 1000)
        newest = itertools.takewhile(lambda line: line.at > since, reversed(table.written))
        return not any(getattr(line.entry, "by", None) == "host" for line in newest)

    def _begun(self, table: Table, lines: Sequence[JournalLine]) -> None:
        """Once a game has begun, note who plays it together; by another thread, as nobody waits for that."""
        if table.begun and lines and table.id not in self._grouped:
            self._grouped.add(table.id)
            people = [seat for seat in table.seats_now() if seat.kind == "person"]
            self.views.later(lambda: self.groups.note(people))

    def _seats_changed(self, table: Table, lines: Sequence[JournalLine]) -> None:
        """Whoever sees a table as somebody they are no more comes back as who they are."""
        for line in lines:
            match line.entry:
                case SeatsChanged(do=do, by=by) if do in {"host", "free", "leave"} or (do, by) == ("take", "host"):
                    table.host_silent = False
                    self.broadcaster.end(self._outdated(table))
                case HostWanted() if self.presence.host_here(table.id):
                    self._look_at_host(table.id)

    def _outdated(self, table: Table) -> list[Hashable]:
        """The lines of a table that are another's to see by now."""
        return [key for key in self.broadcaster.lines_of(table.id) if eyes_of(key) not in {None, SPECTATOR}]

    def moved(self, address: str) -> None:
        """This machine is reached elsewhere from now on."""
        self.address = address
        self.broadcaster.moved += 1
        with suppress(Storage):  # a full disk: the old address is told a while longer
            self.owner.note_address(address)

    def reached_at(self, url: str) -> str:
        """Where other devices reach this service: by the URL of the request, unless that came from this machine."""
        name = (urlsplit(url).hostname or "").lower()
        if self.address and (name in {"localhost", "::1"} or name.startswith("127.")):
            return self.address.rstrip("/")
        return url.rstrip("/")

    def table(self, table: str, request: Request) -> Table:
        """A table by its id. For whoever shows no key that opens something here, no long one is played again."""
        found = self.hall.at_hand(table)
        if found is not None and not found.base:
            return found
        with self.replays(table, request):
            return self.hall.table(table)

    def replays(self, table: str, request: Request) -> AbstractContextManager[None]:
        """Have long tables played again meanwhile only if whoever asks has a key of the table, or is the owner."""
        shown = shown_for(table, request.authorization, request.cookies)
        with suppress(Refusal):
            if shown is not None and self.hall.actor_by(table, speakable(shown.key)) is not None:
                return nullcontext()
        return nullcontext() if self.is_owner(request.authorization, request.cookies) else no_replays()

    def actor(self, table: Table, shown: Shown | None, client: str) -> Actor:
        """Who is asking at a table. An outdated cookie makes a spectator; a key that was typed and is wrong, nobody."""
        actor = self.hall.actor(table, speakable(shown.key) if shown else None)
        if actor is not None:
            self.presence.heard(table.id, actor)
            if shown is not None:
                self.known.add(shown.key)
            return actor
        if shown is not None and self.owner.holds(shown.key):
            return SPECTATOR  # whose service it is plays at no table by that
        self.limits.check("guesses", client)
        if shown is not None and shown.by_cookie:
            return SPECTATOR
        raise NoKey("web.wrong_key")

    def asker(self, table: Table, request: Request) -> Actor:
        """As whom a request is made at a table: by its key there, or as the owner where that is the host."""
        shown = shown_for(table.id, request.authorization, request.cookies)
        actor = self.actor(table, shown, request.client)
        if table.seating.host == "owner" and self.is_owner(request.authorization, request.cookies):
            actor = Actor("host", actor.seat) if actor.stirs_as is None else Actor("host", actor.seat, "seat")
            self.presence.heard(table.id, actor)
        return actor

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
        if actor.role == "seat" and actor.seat == int(seat):
            return Eyes(table.id, actor)
        raise NotAllowed("web.other_eyes")

    def known_key(self, request: Request) -> str | None:
        """A key that is shown and opened something here before; once it is found it is not looked for again."""
        if request.known is None:
            if request.authorization is not None:
                keys = [request.authorization.partition(" ")[2].strip()]
            else:
                keys = [shown.key for _, shown in cookies_for(request.cookies)] + [
                    request.cookies.get(OWNER_COOKIE, "")
                ]
            request.known = next((key for key in keys if key in self.known), None)
        return request.known

    def holder(self, table: str | None, request: Request) -> Holder:
        """For whom a live line would be: a key that opens the table, which is not opened for it, or else an address."""
        self.limits.check("looks", request.client, self.known_key(request))
        shown = shown_for(table, request.authorization, request.cookies) if table else None
        if table and shown and self.hall.actor_by(table, speakable(shown.key)) is not None:
            return Holder(shown.key, self.settings.streams_each, keyed=True)
        each = self.settings.streams if is_home(request.client) else self.settings.streams_each
        return Holder(request.client, each, keyed=False)

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
        actor = self.at_rig(authorization, cookies)
        return actor is not None and actor.role == "host"

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
        self.stage.leaves(table)

    def left(self, table: Table) -> None:
        """A table leaves for another Digside, has left, or stays after all: every screen is told."""
        if table.going is not None:
            self._rig_leaves(table.id)
            self.calls.take_back(table.id)
        self.views.anew(table)
        self.house.stepped(table, ())

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

        A move that lifts borrows it, too, from a table that does not lift just then. A shovel that is only simulated is
        lent for its lamps and buttons; lifts wait for it once the host asks for it.
        """
        if self.rig.kind != "none":
            self.stage.lend(table)

    def give_rig(self, table: Table) -> None:
        """Give the rig to a table, whichever has it now."""
        table.check_here()
        self.stage.attach(table)

    def put_rig_by(self, table: Table) -> None:
        """Take the rig away from a table, if it has it: it lifts by hand until it is given it again."""
        self.stage.put_rig_by(table)

    def lends(self, table: str, actor: Actor, *, owner: bool) -> bool:
        """Whether somebody may give the rig to a table and take it away: the owner, and the host of the table.

        The host takes it from another table only while nothing is lifted there.
        """
        at_rig = self.stage.table
        return owner or (actor.role == "host" and (self.stage.rests or at_rig is None or at_rig.id == table))

    def rig_told(self) -> RigTold:
        """The rig, and what a table does with it."""
        return RigTold.of(self.rig.state(), self.stage, put_by=self.stage.put_by)

    def watched(self, table: str | None, request: Request, *, house: bool = False) -> Watched:
        """What an address and a key open: a table's line, if asked for with the rig's; the house's; or the rig's."""
        if house:
            return Watched((HOUSE,), lambda _: self._show_house())
        if table is None:
            return Watched((RIG,), lambda _: self._show_rig())
        known = self.table(table, request)
        eyes = self.eyes(known, self.asker(known, request), request.query.get("seat"))
        line = ViewChanges(known.id, eyes) if CHANGES in request.query else eyes
        has = Version.read(request.query.get(CHANGES) or request.headers.get("last-event-id", ""))
        rig = (RIG_BESIDE,) if WITH_RIG in request.query else ()

        def show(screen: Screen) -> None:
            self.hall.look_again(known)
            if isinstance(line, ViewChanges):
                self.views.show_changes(known, line, screen, has)
            else:
                self.views.show(known, line)
            self.shows.looked(known.id)  # a table of bots goes on
            self.bots.looked(known)
            if rig:
                self._show_rig()

        return Watched((line, *rig), show)

    def _looked_at(self, table: str) -> bool:
        return bool(self.broadcaster.lines_of(table))

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
        self.broadcaster.tell(RIG, number, view_event(number, state))
        self.broadcaster.tell(RIG_BESIDE, number, rig_event(state))


def running() -> Service:
    """The service that Flask answers for just now."""
    found: Service = current_app.extensions["digside"]
    return found


def speakable(key: str) -> str:
    """A key that can be compared: one no key could look like becomes one that opens nothing."""
    return key if key.isascii() and len(key) <= LONGEST_KEY else "?"
