"""Starts a service and stops it: ports, certificate, rig, signals, and a word on the terminal where it is."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import msgspec
import uvicorn
import uvloop

from companion import games, words
from companion.boxes import BoxProblem
from companion.play import restoring
from companion.play.hall import Hall
from companion.play.journal import in_database
from companion.refusals import AsTyped, Illegal, Malformed, Refusal, Storage
from companion.small_files import SmallFiles
from companion.terminal.cli import language
from hardware import process
from hardware.face import AbsentRig, NoRig, NotUsable, Rig
from hardware.faults import RigProblem
from hardware.own_file import default_rig
from hardware.pins import DrivenPins
from hardware.process import make_safe_on_signals
from web_ui.addresses import WAITING, address_of, is_address, is_told, listen, own_addresses, own_names, plain_names
from web_ui.app import create_app
from web_ui.asgi import Front
from web_ui.broker import ENVIRONMENT, chosen
from web_ui.events import log_as_json
from web_ui.owner import Owner
from web_ui.places import ConnectionLimiter
from web_ui.power import ASKED_TO_RESTART
from web_ui.protocol import LimitedHttpProtocol
from web_ui.scheduler import LONGEST_REST
from web_ui.service import Service
from web_ui.settings import Settings
from web_ui.webhooks import hooks_at_start

log = logging.getLogger(__name__)

STOPPED_WITHIN = 1  # second for requests that are under way when the service stops
IDLE_FOR = 75  # seconds a browser may keep a connection it does not use
AT_ONCE = 4  # newcomers that are let in before others have their turn; the rest wait at the door
FILES = 8192
OWN_FILES = 100  # of them for what is no connection
COLLECTED_WITHIN = 0.005
HANDSHAKE_WITHIN = 10.0  # seconds for a connection to say what it shows its certificate to
PORT = 8765  # where nobody said another
SWITCH = 0.001  # seconds a thread that answers may keep the loop, and with it every screen, from running
ANSWERED_WITHIN = 0.3  # seconds for whoever asked for a new start to hear that it is done
LOOK_AFTER = 0.5  # seconds between two looks whether the data are still there
FIRST_LOOK = 60  # seconds after the start until it is looked whether a backup is due
BACKUP_LOOKED_FOR = 3600  # seconds between two such looks
READY_AGAIN = 3600.0  # seconds until it is looked again for long tables that have no snapshot
REST_BETWEEN = 3  # times as long as it took to get a long table ready nothing is done for the next
LOOK_AROUND = 3.0  # seconds between two looks at this machine's addresses
TO_BE_MENDED = 78  # the exit status where another start would end the same way: sysexits.h calls it EX_CONFIG
ONLY_A_PERSON_MENDS = frozenset({"core.data_damaged", "core.newer_data"})
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Door(NamedTuple):
    """A socket people come in by, with the certificate it shows if it speaks HTTPS."""

    sock: socket.socket
    scheme: str
    certificate: Path | None = None
    key: Path | None = None

    @property
    def port(self) -> int:
        return int(self.sock.getsockname()[1])


class GcFreezer:
    """A callback of the garbage collector: calls gc.freeze() after a slow collection.

    Presses, beats and STOP all wait for a collection. Frozen objects are still freed by reference counting; only cycles
    among them are not, and neither presses nor tables make any.

    :param longest: seconds that a collection may take.
    """

    def __init__(self, longest: float = COLLECTED_WITHIN) -> None:
        self._longest = longest
        self._began = 0.0

    def __call__(self, phase: str, facts: Mapping[str, int]) -> None:
        if phase == "start":
            self._began = time.perf_counter()
        elif time.perf_counter() - self._began > self._longest:
            gc.freeze()


class Loop(uvloop.Loop):
    """The event loop, with no more patience than the rest: uvicorn has no setting for how long a handshake may take."""

    async def create_server(self, *args: Any, **terms: Any) -> asyncio.AbstractServer:  # type: ignore[override]
        if terms.get("ssl") is not None:
            terms["ssl_handshake_timeout"] = HANDSHAKE_WITHIN
        return await super().create_server(*args, **terms)


class Server(uvicorn.Server):
    """uvicorn's server, whose signals are ours."""

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        """The service as a whole listens to signals: the rig comes first."""
        return nullcontext()


def serve(
    *,
    host: str | None,
    port: int,
    data: Path,
    rig: str | None,
    https_port: int | None = None,
    names: Collection[str] = (),
    settings: Settings | None = None,
    journal: str | None = None,
) -> int:
    """Serve a data folder until a signal says stop; the answer is the process's exit code.

    :param host: the address to listen at; without one, every address of this machine.
    :param rig: what stands beside the table, by name or file; without one, what was chosen, else nothing.
    :param https_port: also serve HTTPS there, with a certificate of this service's own authority.
    :param names: what else this machine is called, beside its addresses and the names it knows itself by.
    :param journal: the PostgreSQL database that the tables are kept in; without one, a file in the data folder.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if settings is not None and settings.log == "json":
        log_as_json()
    with ExitStack() as undo:
        try:
            own = [*plain_names(names), *own_names(), *_name_of(host)]
            doors = _doors(host, port, https_port, data, own)
            for door in doors:
                undo.callback(door.sock.close)
            hall, attached = _opened(undo, data, rig, journal)
            whereabouts = Whereabouts(partial(_addresses, host, doors, own))
            own_settings = _with_names(settings or Settings(), own, data)
            app = create_app(hall, attached, settings=own_settings, address=whereabouts.best, spoken=language())
            service = app.extensions["digside"]
            undo.callback(service.close)
            if (aside := service.owner.damaged) is not None:
                print(words.say(language(), "web.owner_damaged", {"file": AsTyped(aside)}), file=sys.stderr)
            service.owner.note_address(whereabouts.best)
            tell_house(service, data)
            tell_webhooks(service, data)
        except Refusal as refusal:
            print(refusal.said(language()), file=sys.stderr)
            return TO_BE_MENDED if refusal.key in ONLY_A_PERSON_MENDS else 1
        except (RigProblem, BoxProblem) as problem:
            print(problem, file=sys.stderr)
            return TO_BE_MENDED
        service.metrics.found(hall.journal.last_step())
        service.files.refresh()
        front = Front(app, service)
        undo.callback(front.close)
        sys.setswitchinterval(SWITCH)
        gc.freeze()
        gc.callbacks.append(GcFreezer())
        with asyncio.Runner(loop_factory=Loop) as runner:
            runner.run(_run(front, service, attached, doors, whereabouts))
        return ASKED_TO_RESTART if service.power.restarting else 0


def tell_house(service: Service, data: Path) -> None:
    """Tell a broker of the tables, if one was named; one that was named by hand and cannot be used stops the start."""
    settings = service.settings
    try:
        broker = chosen(data, settings.mqtt, settings.mqtt_password, settings.mqtt_ca, settings.mqtt_tables)
        named = settings.mqtt or os.environ.get(ENVIRONMENT[0])
        service.mqtt.use(broker, fixed=bool(named or service.hall.journal.shared))
    except (Malformed, Illegal) as unusable:
        if settings.mqtt:
            raise
        print(unusable.said(language()), file=sys.stderr)
        service.mqtt.use(None)
        return
    if service.mqtt.state == "missing":
        print(service.mqtt.status(language()).message, file=sys.stderr)


def tell_webhooks(service: Service, data: Path) -> None:
    """Tell the owner's addresses of what happens; a file that cannot be used is said, and keeps nobody from playing."""
    try:
        service.hooks.use(hooks_at_start(data))
    except (Malformed, Storage) as unusable:
        print(unusable.said(language()), file=sys.stderr)


def _more_files() -> int:
    """As many open files as the system grants: connections, and the tables on disk beside them; how many that is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):  # systemd's unit takes that call away, and has granted them already
            wanted = soft
    return max(soft, wanted)


class Whereabouts:
    """Where tablets find this service. That may change, and may come long after the start, with the network."""

    def __init__(self, look: Callable[[], list[str]]) -> None:
        self._look = look
        self.addresses = look()

    @property
    def best(self) -> str:
        """The address to tell people."""
        return self.addresses[0]

    def changed(self) -> bool:
        """Look anew, and say whether something has changed."""
        before, self.addresses = self.addresses, self._look()
        return self.addresses != before

    def tell(self) -> None:
        """Say them to whoever reads along, and to systemd."""
        say = partial(words.say, language())
        print(say("web.serving", {"address": self.best}), flush=True)
        if len(self.addresses) > 1:
            print(say("web.also_at", {"addresses": self.addresses[1:]}), flush=True)
        process.notify(f"STATUS={self.best}")


def _opened(undo: ExitStack, data: Path, rig: str | None, journal: str | None) -> tuple[Hall, Rig]:
    """The tables and the rig of a data folder, with every box file of its owner read once."""
    if not journal:
        for aside in SmallFiles(data).mend():
            print(words.say(language(), "web.file_damaged", {"file": AsTyped(aside)}), file=sys.stderr)
        restoring.put_back_as_wished(data)
    else:
        data.mkdir(parents=True, exist_ok=True)  # what is the owner's lies there; several processes may share it
    hall = Hall(data, journal=in_database(journal) if journal else None)
    undo.callback(hall.close)
    for name in games.names():
        hall.box(name)
    attached = _rig(undo, data, rig)
    undo.callback(attached.close)
    return hall, attached


def _rig(undo: ExitStack, data: Path, rig: str | None) -> Rig:
    """What stands beside the tables; what should and cannot be used is missed, and keeps no table from being played."""
    driven_pins = DrivenPins(data)
    driven_pins.forget()  # whoever left it has ended: the folder is ours
    undo.callback(driven_pins.forget)
    if (rig or default_rig(data)) == "none":
        return NoRig()
    from hardware.choice import set_aside_damaged  # what drives a rig takes room, and is left where there is none
    from hardware.rig import open_rig

    if rig is None and (aside := set_aside_damaged(data)) is not None:
        print(words.say(language(), "web.rig_damaged", {"file": AsTyped(aside)}), file=sys.stderr)
    try:
        return open_rig(rig, data=data, driven_pins=driven_pins)
    except NotUsable as missing:
        print(missing, file=sys.stderr)
        return AbsentRig(missing.kind)


async def _run(front: Front, service: Service, rig: Rig, doors: list[Door], whereabouts: Whereabouts) -> None:
    """Serve at all doors until a signal comes."""
    loop = asyncio.get_running_loop()
    porch = ConnectionLimiter(min(service.settings.connections, _more_files() - OWN_FILES))
    service.broadcaster.leave_places(porch.most)
    servers = [Server(_config(front, door, porch)) for door in doors]

    def stop() -> None:
        process.stopping()
        service.broadcaster.close()
        front.hurry()
        for server in servers:
            server.force_exit = server.should_exit  # asked twice: whoever is not done is left
            server.should_exit = True
        loop.call_later(STOPPED_WITHIN / 2, porch.clear)

    def told_to_stop(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop)

    def stop_in_a_moment() -> None:
        rig.make_safe()
        loop.call_soon_threadsafe(loop.call_later, ANSWERED_WITHIN, stop)

    service.power.ends_by(stop_in_a_moment)
    heeded = [number for number in SIGNALS if signal.getsignal(number) != signal.SIG_IGN]  # nohup ignores one
    before = {number: signal.signal(number, told_to_stop) for number in heeded}
    put_back = make_safe_on_signals(rig.make_safe, heeded)  # before anything else, and there: the loop may be busy
    watching = [
        loop.create_task(_get_ready(service, front)),
        loop.create_task(_watch(rig, front)),
        loop.create_task(_look_around(service, whereabouts)),
        loop.create_task(_look_after(service)),
    ]
    serving = [loop.create_task(server.serve([door.sock])) for server, door in zip(servers, doors, strict=True)]
    try:
        while not all(server.started or server.should_exit for server in servers):
            await asyncio.sleep(0.005)
        for door in doors:
            door.sock.listen(WAITING)
        _greet(whereabouts, service.owner, logs=service.settings.log == "json")
        process.ready()
        await asyncio.gather(*serving)
    finally:
        for each in watching:
            each.cancel()
        put_back()
        for number, handler in before.items():
            signal.signal(number, handler)


async def _get_ready(service: Service, front: Front) -> None:
    """Do, while nobody waits for it, what the first who ask for the list or for a long table would wait for."""

    def goes_on(took: float) -> bool:
        time.sleep(min(LONGEST_REST, REST_BETWEEN * took))
        return not front.ending

    def get_ready() -> None:
        try:
            service.hall.count_up(0)
            service.hall.get_ready(goes_on)
        except Refusal:
            pass  # whoever asks is told
        except Exception:  # what is wrong with one table is told to whoever asks for it
            log.exception("not all long tables are got ready")

    while True:
        await asyncio.to_thread(get_ready)
        await asyncio.sleep(READY_AGAIN)


async def _watch(rig: Rig, front: Front) -> None:
    """Tell systemd's watchdog that we live: that this loop comes round, the rig's too, and a thread answers calls."""
    pause = process.watchdog_s()
    while pause:
        await front.scheduler.people.do(("watchdog",), int)
        if not rig.state().stale:
            process.alive()
        await asyncio.sleep(pause)


async def _look_after(service: Service) -> None:
    """Notice within a second that the data are gone; make a backup each day, by a process that keeps nobody waiting."""
    saved, next_backup, files = None, time.monotonic() + FIRST_LOOK, SmallFiles(service.hall.folder)
    while True:
        await asyncio.to_thread(files.remember)
        if saved is None and (saved := await asyncio.to_thread(service.hall.look_after)) is not None:
            log.error("the data in %s are gone; every table was written to %s", service.hall.folder, saved)
        if not service.hall.journal.shared and time.monotonic() >= next_backup:
            next_backup = time.monotonic() + BACKUP_LOOKED_FOR
            await _back_up(service.hall.folder)
        await asyncio.sleep(LOOK_AFTER)


async def _back_up(data: Path) -> None:
    options = ("backup", "--if-due", "--journal", "", "--data", str(data))
    backup = ("nice", sys.executable, "-m", "companion.terminal.cli", *options)
    pipe, nowhere = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    with suppress(OSError):
        made = await asyncio.create_subprocess_exec(*backup, stdout=nowhere, stderr=pipe)
        try:
            _, said = await made.communicate()
        finally:
            if made.returncode is None:
                made.terminate()
                await made.wait()
        if made.returncode:
            log.error("no backup: %s", said.decode(errors="replace").strip())
        elif said:
            log.warning("a backup: %s", said.decode(errors="replace").strip())


async def _look_around(service: Service, whereabouts: Whereabouts) -> None:
    """Notice when this machine has another address, and tell the screens that show it."""
    while True:
        await asyncio.sleep(LOOK_AROUND)
        if whereabouts.changed():
            service.moved(whereabouts.best)
            service.owner.note_address(whereabouts.best)
            whereabouts.tell()


def _config(front: Front, door: Door, porch: ConnectionLimiter) -> uvicorn.Config:
    return uvicorn.Config(
        front,
        http=partial(LimitedHttpProtocol, porch=porch, doorstep=front.doorstep, ends=lambda: front.ending),  # type: ignore[arg-type]
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=AT_ONCE,
        timeout_keep_alive=IDLE_FOR,
        timeout_graceful_shutdown=STOPPED_WITHIN,
        ssl_certfile=door.certificate,
        ssl_keyfile=door.key,
    )


def _doors(host: str | None, port: int, https_port: int | None, data: Path, names: list[str]) -> list[Door]:
    with ExitStack() as undo:
        doors = [Door(listen(host, port), "http")]
        undo.callback(doors[0].sock.close)
        if https_port is not None:
            from web_ui.certificate import certificate_for

            shown = certificate_for(data / "certificate", [*names, "localhost"], [*own_addresses(), "127.0.0.1", "::1"])
            doors.append(Door(listen(host, https_port), "https", shown.certificate, shown.key))
        undo.pop_all()
        return doors


def _name_of(host: str | None) -> list[str]:
    """What it listens at, where that is a name and no address."""
    return plain_names([host]) if host and not is_address(host) else []


def _with_names(settings: Settings, names: list[str], data: Path) -> Settings:
    authority = data / "certificate" / "authority.crt"
    known = (*settings.names, *names)
    return msgspec.structs.replace(settings, names=known, authority=authority if authority.is_file() else None)


def _addresses(host: str | None, doors: list[Door], own: list[str]) -> list[str]:
    """The addresses to tell people, the best first."""
    anywhere = host is None or host in {"0.0.0.0", "::"}  # noqa: S104 -- only compared
    names = [*own_addresses()[:1], *filter(is_told, own)] if anywhere else [str(host)]
    return [address_of(door.scheme, name, door.port) for door in doors for name in names or ["localhost"]]


def _greet(whereabouts: Whereabouts, owner: Owner, *, logs: bool) -> None:
    """Say where tablets find the table, and what makes a device its owner's.

    systemd keeps what is said here where others may read it, and for long, and so does whoever reads logs by programs:
    there the owner asks with `digside owner`.
    """
    whereabouts.tell()
    if logs or os.environ.get("JOURNAL_STREAM"):
        print(words.say(language(), "web.owner_asks", {}), flush=True)
        return
    tell_owner(owner, whereabouts.best)
    print(words.say(language(), "web.how_to_stop", {}), flush=True)


def tell_owner(owner: Owner, base: str) -> None:
    """Print what makes a device the owner's, with a code to scan where the terminal can show one."""
    address = owner.address(base)
    print(words.say(language(), "web.owner_address", {"address": address}))
    if "█".encode(sys.stdout.encoding or "ascii", "ignore"):
        print(in_blocks(address))


def in_blocks(text: str) -> str:
    """A code to scan, in a terminal."""
    import segno  # what draws codes is not waited for by whoever starts a service and reads none

    out = StringIO()
    segno.make(text, error="m", micro=False).terminal(out=out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def show_owner(data: Path, *, anew: bool) -> int:
    """Print it again, also while the service runs; `anew` turns all devices out that are the owner's."""
    try:
        owner = Owner(data)
        if anew:
            owner.change_key()
            print(words.say(language(), "web.owner_anew", {}))
        here = (own_addresses() or ["localhost"])[0]
        tell_owner(owner, owner.house.address or address_of("http", here, PORT))
    except Refusal as refusal:
        print(refusal.said(language()), file=sys.stderr)
        return 1
    return 0
