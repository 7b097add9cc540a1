"""The calls about boxes and tables."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

import msgspec

from companion import games
from companion.boxes import Box, BoxProblem
from companion.game import Correction, Seat, Setup
from companion.play.codes import LIFETIME, ROOM, Invitation
from companion.play.hosting import (
    add_seat,
    free_seat,
    keep_host,
    leave_seat,
    name_seat,
    note_entered,
    owner_hosts,
    pass_host,
    sit,
    want_host,
)
from companion.play.opening import box_of
from companion.play.record import Record, decode, draws_of, encode, export
from companion.play.seating import LONGEST_NAME, seat_key
from companion.play.show import has_bots
from companion.play.stage import Lift
from companion.play.table import HOST, Actor, Table
from companion.refusals import (
    Elsewhere,
    Fact,
    Illegal,
    Malformed,
    Missing,
    NotYourTurn,
    Over,
    Refusal,
    Stale,
    Storage,
)
from companion.rulebook import rulebook
from companion.words import own, person, say
from web_ui.api import answers, bodies
from web_ui.api import luck as rolled
from web_ui.api.calls import Asking, AtTable, CallTable, CallTerms, Query, Reply
from web_ui.http_errors import BadBox, NoKey
from web_ui.keys import Shown

calls = CallTable()

PNG = "image/png"
COUNTED_UP = 8  # tables from before ends were noted, each time the list is read: so many take no time that is felt
PLAYED = Query("mode", "`referee` or `toolbox`; without it, as the box is refereed, if it is.")
EDITION = Query("version", "Of the rules a table is played by: `rules` in its view. Without it, the newest.")
EYES = Query(
    "seat",
    "With the host's key: the seat whose eyes are looking, when the tablet is handed over. `spectator`, with any key: "
    "as everybody sees it.",
)
LISTED = 200  # tables in one answer
OLDER = Query("first", "So many of the newest are left out, for the rest of a long list.")
AFTER = Query("seq", "The table as it was after that step; without it, as it is now.", long=True)
BRIEF = "return=minimal"
PREFER = Query(
    "Prefer",
    f"`{BRIEF}` (RFC 7240): the answer is `{{seq}}` alone, the number of the newest entry; the view comes by a stream.",
    where="header",
)
ACTS = (EYES, PREFER)
CHANGED = (Malformed, NotYourTurn, Stale, Elsewhere, Illegal, Over, Storage)
BY_PLAYERS: CallTerms = {"who": "player", "or_gives": answers.Brief, "query": ACTS, "refuses": CHANGED}
BY_HOST: CallTerms = {**BY_PLAYERS, "who": "host"}


@calls.get("/api/boxes", gives=answers.Boxes, long=True)
def list_boxes(asking: Asking, _: bodies.Nothing) -> answers.Boxes:
    """The boxes, and what can be chosen when a table is laid."""
    held, unread = [], []
    shows = asking.service.shows.are_here
    for name in games.names():
        try:
            held.append(_box_in_list(asking.service.hall.box(name), asking.language, shows=shows))
        except BoxProblem as wrong:
            unread.append(answers.BoxUnread(name, BadBox(wrong).said(asking.language)))
    return answers.Boxes(tuple(held), tuple(unread))


@calls.get("/api/boxes/<box>", gives=answers.BoxInFull, refuses=(BadBox,))
def show_box(asking: Asking, _: bodies.Nothing) -> answers.BoxInFull:
    """Every figure of a box, and where it is from."""
    box = asking.service.hall.box(asking.where["box"])
    figures = tuple(answers.FigureOfBox(key, value, origin) for key, value, origin in box.figures())
    return answers.BoxInFull(box.name, box.title, figures)


@calls.get("/api/boxes/<box>/rules", gives=answers.RulesOfBox, query=(PLAYED, EDITION), refuses=(BadBox,), long=True)
def show_rules(asking: Asking, _: bodies.Nothing) -> answers.RulesOfBox:
    """The rules to read: as the box is refereed, or how its tools are used."""
    box = asking.service.hall.box(asking.where["box"])
    mode = games.kind(box, asking.request.query.get("mode", games.modes(box.name)[0])).mode
    version = asking.request.query.get("version", "")
    edition = int(version) if version.isascii() and version.isdigit() and len(version) < 9 else None
    return answers.RulesOfBox(box.name, mode, rulebook(box.name, mode, asking.language, edition, box.rulings))


@calls.get("/api/tables", gives=answers.Tables, query=(OLDER,), refuses=(Malformed,))
def list_tables(asking: Asking, _: bodies.Nothing) -> answers.Tables:
    """Tables, the newest first, and no more than can be read; no key is in the list."""
    hall = asking.service.hall
    hall.count_up(COUNTED_UP)
    known_as = asking.service.known_as(asking.request.cookies, asking.client)
    first = first_asked(asking)
    page = hall.tables(first, LISTED + 1)
    titles = {name: games.box(name).title for name in games.names()}
    told = tuple(
        answers.TableInList(
            table=each.table,
            box=each.box,
            title=titles.get(each.box, each.box),
            mode=each.mode,
            seats=tuple(seat_told(seat) for seat in each.seats),
            laid_at=each.laid_at,
            played_at=each.played_at,
            seq=each.seq,
            over=each.over,
            totals=each.end.totals if each.end else None,
            winners=each.end.winners if each.end else None,
            me=_me(known_as.get(each.table)),
            elsewhere=answers.ElsewhereSeen.of(asking.service.hall.journal.going(each.table)),
        )
        for each in page[:LISTED]
    )
    return answers.Tables(told, more=len(page) > LISTED)


def first_asked(asking: Asking) -> int:
    """How many of the newest an asker of a long list has read already."""
    first = asking.request.query.get("first", "0")
    if not (first.isascii() and first.isdigit() and len(first) < 9):
        raise Malformed("web.bad_request")
    return int(first)


@calls.post(
    "/api/tables",
    gives=answers.TableLaid,
    statuses=(201,),
    who="lays",
    asks="layings",
    refuses=(Missing, Storage, BadBox),
)
def lay_table(asking: Asking, body: bodies.Laying) -> Reply:
    """Lay a table. The host's key comes as a cookie too."""
    seats = tuple(Seat(each.name, each.colour, each.shape, each.kind, each.hints) for each in body.seats)
    setup = Setup(body.box, body.mode, seats, body.sources, body.pace, body.options)
    table = asking.service.hall.lay(setup)
    if not body.wait:
        table.begin()
    return laid_told(asking, table)


@calls.post(
    "/api/tables/import",
    gives=answers.TableLaid,
    statuses=(201,),
    who="owner",
    asks="layings",
    refuses=(Storage,),
    long=True,
)
def import_table(asking: Asking, record: bytes) -> Reply:
    """Lay a table from a record; an unfinished one goes on under a new seal and with new keys."""
    return laid_told(asking, asking.service.hall.take_in(decode(record)))


@calls.get("/api/tables/<table>", gives=answers.View, query=(EYES, AFTER))
def show_table(asking: AtTable, _: bodies.Nothing) -> Reply:
    """The table as the asker sees it, or saw it after an earlier step."""
    given = asking.request.query.get("seq")
    if given is None:
        asking.service.hall.look_again(asking.table)
        asking.service.bots.looked(asking.table)
        return _view(asking)
    if not (given.isascii() and given.isdigit() and len(given) < 9 and int(given) <= asking.table.seq):
        raise Malformed("undo.no_such_step")
    return _view(asking, int(given))


@calls.post("/api/tables/<table>/enter", gives=answers.Entered, refuses=(NoKey,))
def enter_table(asking: AtTable, body: bodies.Entering) -> Reply:
    """Take a seat with the key from a link: it is kept in a cookie that scripts cannot read."""
    table = asking.table
    actor = asking.service.actor(table, Shown(body.key), asking.client)
    entered = answers.Entered(table.id, answers.Me(actor.role, actor.seat))
    with suppress(Refusal):  # a full disk, or the end of the game: the seat is theirs all the same
        note_entered(table, actor)
    return Reply(msgspec.json.encode(entered), asking.keeping(table.id, body.key))


@calls.post("/api/tables/<table>/codes", gives=answers.CodesTold, who="host")
def show_codes(asking: AtTable, _: bodies.Nothing) -> answers.CodesTold:
    """A short code for each seat, to be typed where a phone cannot read the drawn one. Asked again, they hold anew."""
    seats = [seat.key for seat in asking.table.seating.seats]
    codes = tuple(asking.service.hall.journal.codes.code(Invitation(asking.table.id, seat)) for seat in seats)
    return answers.CodesTold(codes, int(LIFETIME))


@calls.post("/api/join", gives=answers.Entered, asks="codes", refuses=(Missing,))
def join_by_code(asking: Asking, body: bodies.Typing) -> Reply:
    """Find a table by its short code, to choose a seat there; or take a seat with a code that is for it alone.

    A seat's key is then kept in a cookie that scripts cannot read.
    """
    table, number = _invitation(asking, body.code)
    if number == ROOM:
        return Reply(msgspec.json.encode(answers.Entered(table, answers.Me("spectator", None))))
    found = asking.service.hall.table(table)
    actor = found.seating.actor(number)
    if actor is None:
        raise Missing("web.wrong_code")
    with suppress(Refusal):
        note_entered(found, actor)
    entered = answers.Entered(table, answers.Me(actor.role, actor.seat))
    return Reply(msgspec.json.encode(entered), asking.keeping(table, seat_key(found.keys, number)))


def _invitation(asking: Asking, code: str) -> Invitation:
    """What a code is for; whoever tries many is slowed down.

    :raises Missing: where it is for nothing.
    """
    asking.service.limits.check("all_codes", "")
    invitation = asking.service.hall.journal.codes.seat(code)
    if invitation is None:
        raise Missing("web.wrong_code")
    return invitation


@calls.post("/api/tables/<table>/room", gives=answers.RoomTold, who="player")
def show_room(asking: AtTable, _: bodies.Nothing) -> answers.RoomTold:
    """The one short code of a table, by which people in the room take its free seats. Asked again, it holds anew."""
    code = asking.service.hall.journal.codes.code(Invitation(asking.table.id, ROOM))
    return answers.RoomTold(code, int(LIFETIME))


@calls.post("/api/tables/<table>/join", gives=answers.Entered, asks="codes", refuses=(Missing, Illegal, Over, Storage))
def join_table(asking: AtTable, body: bodies.Joining) -> Reply:
    """Take a free seat under a name of one's own, with the code of the room; its key comes as a cookie."""
    table, actor = asking.table, asking.actor
    if actor.role == "host" and actor.seat is None and table.seating.host == "key":
        seat = sit(table, body.request, body.name, body.seat, host=actor)
        return Reply(msgspec.json.encode(answers.Entered(table.id, answers.Me("host", seat))))
    if actor.seat is not None:
        return Reply(msgspec.json.encode(answers.Entered(table.id, answers.Me(actor.role, actor.seat))))
    if actor.role != "host" and _invitation(asking, body.code) != Invitation(table.id, ROOM):
        raise Missing("web.wrong_code")
    seat = sit(table, body.request, body.name, body.seat)
    entered = answers.Entered(table.id, answers.Me("seat", seat))
    return Reply(msgspec.json.encode(entered), asking.keeping(table.id, seat_keys(table)[seat]))


@calls.post("/api/tables/<table>/seats", gives=answers.View, **BY_PLAYERS)
def change_seats(asking: AtTable, body: bodies.Reseating) -> Reply:
    """Add, leave, free or name a seat. The host may any; everybody may leave, free or name their own."""
    which = (asking.table, asking.actor, body.request)
    if body.do in {"add", "name"} and body.name is None:
        raise Malformed("core.bad_name", n=LONGEST_NAME)
    name = body.name or ""
    match body.do:
        case "add":
            return stepped(asking, lambda: add_seat(*which, name))
        case "leave":
            return stepped(asking, lambda: leave_seat(*which, body.seat))
        case "free":
            return stepped(asking, lambda: free_seat(*which, body.seat))
        case "name":
            return stepped(asking, lambda: name_seat(*which, body.seat, name))


@calls.post(
    "/api/tables/<table>/host", gives=answers.View, or_gives=answers.Brief, query=ACTS, refuses=(NoKey, *CHANGED)
)
def change_host(asking: AtTable, body: bodies.Hosting) -> Reply:
    """Pass the host's role on, take it, ask the others for it, or say that it stays."""
    service, table = asking.service, asking.table
    which = (table, asking.actor, body.request)
    match body.do:
        case "take":
            service.check_owner(asking.request.authorization, asking.request.cookies, asking.client)
            return _stepped_as_now(asking, lambda: owner_hosts(*which))
        case "pass":
            return _stepped_as_now(asking, lambda: pass_host(*which, body.seat))
        case "keep":
            return _stepped_as_now(asking, lambda: keep_host(*which))
        case "want":
            present = {table.seating.seats[at].key for at in service.presence.seats_here(table.id)}
            now, silent = service.hall.now(), service.host_is_silent(table)
            return _stepped_as_now(asking, lambda: want_host(*which, now=now, silent=silent, present=present))


def _stepped_as_now(asking: AtTable, step: Callable[[], int]) -> Reply:
    """Take a step after which whoever asks may be somebody else, and show the table as they see it then."""
    reply = stepped(asking, step)
    if BRIEF in asking.request.headers.get("prefer", ""):
        return reply
    actor = asking.service.asker(asking.table, asking.request)
    return _view(replace(asking, eyes=asking.service.eyes(asking.table, actor, None)))


@calls.post("/api/tables/<table>/leave", gives=answers.Entered)
def leave_table(asking: AtTable, _: bodies.Nothing) -> Reply:
    """Become a spectator on this device: the cookie goes."""
    entered = answers.Entered(asking.table.id, answers.Me("spectator", None))
    return Reply(msgspec.json.encode(entered), asking.keeping(asking.table.id, None))


@calls.get("/api/tables/<table>/aids", gives=answers.Aids, query=(EYES,))
def show_aids(asking: AtTable, _: bodies.Nothing) -> Reply:
    """The help for the seat that is asked: what each choice costs, why not, and the odds, as the asker may read it."""
    seq, options = asking.service.views.aids(asking.table, asking.eyes)
    return Reply(b'{"seq":%d,"options":%b}' % (seq, options))


@calls.get("/api/tables/<table>/moves", gives=answers.MovesTold, query=(EYES,), long=True)
def list_moves(asking: AtTable, _: bodies.Nothing) -> Reply:
    """Every legal move, concrete, for whom the key may act."""
    table = asking.table
    seq, position = table.now()
    choices = table.moves(asking.actor, asking.eyes.seat, position)
    return Reply(msgspec.json.encode({"seq": seq, "moves": choices.moves, "more": choices.more}))


@calls.post(
    "/api/tables/<table>/moves",
    gives=answers.View,
    statuses=(200, 202),
    who="player",
    or_gives=answers.Brief,
    query=ACTS,
    refuses=CHANGED,
)
def make_move(asking: AtTable, body: bodies.Moving) -> Reply:
    """A seat makes a move; 202 where it waits for the shovel to have lifted a card."""
    table, stage = asking.table, asking.service.stage
    whole = (asking.actor, body.seq, body.request, body.move)

    return stepped(asking, lambda: stage.play(table, *whole, seat=body.seat))


@calls.post(
    "/api/tables/<table>/outcome",
    gives=answers.View,
    **BY_PLAYERS,
)
def give_outcome(asking: AtTable, body: bodies.Reporting) -> Reply:
    """Report what came up on the table, or have the companion deal."""
    return stepped(asking, lambda: asking.table.answer(asking.actor, body.seq, body.request, body.outcome))


@calls.post("/api/tables/<table>/undo", gives=answers.View, **BY_PLAYERS)
def take_back(asking: AtTable, body: bodies.Undoing) -> Reply:
    """Take a step back, or forward again. In the middle of a lift it ends the lift, and takes back nothing."""
    table, stage = asking.table, asking.service.stage
    return stepped(asking, lambda: stage.take_back(table, asking.actor, body.seq, body.request, body.to))


@calls.post("/api/tables/<table>/stir", gives=answers.View, **BY_PLAYERS)
def stir_luck(asking: AtTable, body: bodies.Stirring) -> Reply:
    """Have a device stir the luck of the draws nobody has seen yet, or tell what it is asked for."""
    table, which = asking.table, (asking.actor, body.seq, body.request)
    match body:
        case bodies.Stirring(tip=str(tip), commit=None, pinch=None, part=part, instead=instead):
            return stepped(asking, lambda: table.join(*which, tip, part=part, instead=instead))
        case bodies.Stirring(part=str(part), tip=None, commit=None, pinch=None, instead=False):
            return stepped(asking, lambda: table.tell(*which, part))
        case bodies.Stirring(commit=str(commit), tip=None, part=None, pinch=None, instead=False):
            return stepped(asking, lambda: table.commit_pinch(*which, commit))
        case bodies.Stirring(pinch=str(pinch), tip=None, part=None, commit=None, instead=False):
            return stepped(asking, lambda: table.open_pinch(*which, pinch))
    raise Malformed("core.bad_pinch")


@calls.post(
    "/api/tables/<table>/correct",
    gives=answers.View,
    **BY_HOST,
)
def correct_table(asking: AtTable, body: bodies.Correcting) -> Reply:
    """Say that the table shows otherwise."""
    return stepped(asking, lambda: asking.table.correct(asking.actor, body.seq, body.request, body.correction))


@calls.get("/api/tables/<table>/otherwise", gives=answers.OtherwiseTold, refuses=(BadBox,))
def show_otherwise(asking: AtTable, _: bodies.Nothing) -> answers.OtherwiseTold:
    """The figures of the copy that lies here, where it is otherwise; and whether the owner's file has them."""
    return _otherwise(asking)


@calls.post("/api/tables/<table>/otherwise", gives=answers.OtherwiseTold, who="owner", refuses=(BadBox, Storage))
def note_otherwise(asking: AtTable, _: bodies.Nothing) -> answers.OtherwiseTold:
    """Write them into the owner's file: the next table is laid with them, this one goes on as it was laid."""
    asking.service.hall.note(asking.table)
    return _otherwise(asking)


def _otherwise(asking: AtTable) -> answers.OtherwiseTold:
    hall, table = asking.service.hall, asking.table
    return answers.OtherwiseTold(hall.differing(table), hall.is_noted(table))


@calls.post("/api/tables/<table>/close", gives=answers.View, **BY_HOST)
def close_table(asking: AtTable, body: bodies.Closing) -> Reply:
    """End the table as it stands; the seal is opened. An end that hangs on a report is confirmed by it."""
    return stepped(asking, lambda: asking.table.end(asking.actor, body.seq, body.request))


@calls.post("/api/tables/<table>/settle", gives=answers.View, **BY_PLAYERS)
def settle_end(asking: AtTable, body: bodies.Settling) -> Reply:
    """Confirm an end that hangs on a report (`hinge` in the view): then it is final, and the seal is opened.

    That is for the host, or for another seat than the one that made the report.
    """
    return stepped(asking, lambda: asking.table.settle(asking.actor, body.seq, body.request))


@calls.get("/api/tables/<table>/keys", gives=answers.KeysTold, who="host")
def show_keys(asking: AtTable, _: bodies.Nothing) -> answers.KeysTold:
    """The keys of a table, for the links people join with."""
    return answers.KeysTold(asking.table.keys.host, seat_keys(asking.table))


@calls.get("/api/tables/<table>/corrections", gives=answers.CorrectionForms, who="host", long=True)
def list_corrections(asking: AtTable, _: bodies.Nothing) -> Reply:
    """The corrections a table takes, each as a JSON schema, and what their fields can say as it stands."""
    table = asking.table
    seq, position = table.now()
    can = table.game.correction_form(position.state)  # whoever presses does not wait for this
    told = {"seq": seq, "corrections": _forms(table.game.correction_types), **msgspec.structs.asdict(can)}
    return Reply(msgspec.json.encode(told))


@lru_cache(maxsize=16)
def _forms(corrections: tuple[type[Correction], ...]) -> tuple[answers.Free, ...]:
    """Corrections as JSON schemas, which are the same for each table of a box."""
    forms, known = msgspec.json.schema_components(corrections, ref_template="#/{name}")
    return tuple(known.get(each["$ref"].removeprefix("#/"), each) for each in forms)


@calls.get(
    "/api/tables/<table>/keepsake.png",
    gives=bytes,
    media=PNG,
    query=(Query("lang", "The language of what is written on it."),),
    long=True,
)
def show_keepsake(asking: AtTable, _: bodies.Nothing) -> Reply:
    """A picture of the final table to print and keep, where the game draws one."""
    table = asking.table
    if not table.settled():
        raise Missing("keepsake.before_the_end")
    name = f'inline; filename="digside-{table.setup.box}-{table.id}.png"'
    picture = keepsake_of(table, asking.language)
    return Reply(picture, (("Content-Disposition", name), ("Cache-Control", "private, max-age=86400")))


def keepsake_of(table: Table, language: str) -> bytes:
    """The picture of a table that is over.

    :raises Missing: where the game draws none.
    """
    refereed = games.bundle(table.setup.box).refereed if table.setup.mode == "referee" else None
    if refereed is None:
        raise Missing("keepsake.none")
    from companion.keepsake.sheet import (  # letters and pictures take room while nobody wants them
        KeepsakeSheet,
        keepsake,
    )

    scope = table.setup.scope

    def words(key: str, /, **facts: Fact) -> str:
        return say(language, own(language, key, scope) or key, facts, scope)

    sheet = KeepsakeSheet(
        title=box_of(table.laid).title,
        seats=tuple(Seat(person(language, each.name), each.colour, each.shape) for each in table.setup.seats),
        end=table.game.tally(table.state),
        say=words,
        called=lambda part: words(f"score.{part}"),
        seal=table.seals[-1],
        head=head.hex() if (head := table.head()) else "",
        note=f"{table.id} · {datetime.fromtimestamp(table.written[-1].at / 1000).date().isoformat()}",
    )
    return keepsake(sheet, refereed().panels, table.game, table.state)


@calls.get("/api/tables/<table>/luck", gives=answers.LuckTold, long=True)
def show_luck(asking: AtTable, _: bodies.Nothing) -> answers.LuckTold:
    """What came up, against what was to be expected."""
    return rolled.luck(asking.table, asking.service.hall.dropped_before(asking.table))


@calls.get("/api/tables/<table>/draws", gives=answers.DrawsTold, refuses=(Illegal,), long=True)
def show_draws(asking: AtTable, _: bodies.Nothing) -> answers.DrawsTold:
    """What was asked of the luck at each draw, and its odds: with the record, all it takes to recompute the luck."""
    return answers.DrawsTold(tuple(draws_of(asking.table)))


@calls.get("/api/tables/<table>/record", gives=Record, long=True)
def show_record(asking: AtTable, _: bodies.Nothing) -> Reply:
    """The whole record, as a file; before the end, what is hidden stays hidden."""
    name = f'attachment; filename="digside-{asking.table.setup.box}-{asking.table.id}.json"'
    return Reply(encode(export(asking.table)), (("Content-Disposition", name),))


def _view(asking: AtTable, seq: int | None = None) -> Reply:
    return Reply(asking.service.views.of(asking.table, asking.eyes, seq))


def stepped(asking: AtTable, step: Callable[[], int | Lift]) -> Reply:
    """Take a step, count how long it took, and show the table after it; as it stands, if the step has to wait."""
    asking.service.lend_rig(asking.table)
    asking.service.bots.looked(asking.table)
    began = time.perf_counter()
    asking.service.broadcaster.pressed(began)
    try:
        seq = step()
    finally:
        asking.service.broadcaster.pressed(0)
    if isinstance(seq, Lift):
        return _reached(asking, asking.table.seq)._replace(status=202)
    asking.service.metrics.committed(time.perf_counter() - began, asking.call.name)
    return _reached(asking, seq)


def _reached(asking: AtTable, seq: int) -> Reply:
    if BRIEF in asking.request.headers.get("prefer", ""):
        return Reply(b'{"seq":%d}' % seq)
    return _view(asking, seq)


def laid_told(asking: Asking, table: Table) -> Reply:
    """A new table with its keys; the host's comes as a cookie too."""
    asking.service.lend_rig(table)
    keys = seat_keys(table)
    told = answers.TableLaid(table.id, table.keys.host, keys, table.seals[-1])
    own = asking.actor if isinstance(asking, AtTable) else HOST  # somebody who hosts from a seat sits there again
    key = table.keys.host if own.stirs_as is None else keys[own.stirs_as]
    cookie = asking.keeping(table.id, key)
    return Reply(msgspec.json.encode(told), (("Location", f"/api/tables/{table.id}"), *cookie))


def seat_keys(table: Table) -> tuple[str, ...]:
    """The keys of the seats as they are now."""
    return tuple(seat_key(table.keys, seat.key) for seat in table.seating.seats)


def _me(actor: Actor | None) -> answers.Me | None:
    return answers.Me(actor.role, actor.seat) if actor else None


def seat_told(seat: Seat) -> answers.SeatTold:
    """A seat as everybody sees it."""
    return answers.SeatTold(seat.name, seat.colour, seat.shape)


def _box_in_list(box: Box, spoken: str, *, shows: bool) -> answers.BoxInList:
    modes = games.modes(box.name)
    kinds = [games.kind(box, mode) for mode in modes]
    options = dict.fromkeys(option for kind in kinds for option in kind.options)
    drawn = dict.fromkeys(randomizer for kind in kinds for randomizer in kind.randomizers)
    return answers.BoxInList(
        id=box.name,
        title=box.title,
        seats=answers.SeatsOfBox(box.seats.min, box.seats.max),
        rulings=tuple(answers.RulingOfBox(rule, say(spoken, f"{box.name}.rulings.{rule}", {})) for rule in box.rulings),
        modes=modes,
        bots=has_bots(box.name) and shows,
        options=tuple(
            answers.OptionOfBox.of(option, tuple(kind.mode for kind in kinds if option in kind.options))
            for option in options
        ),
        sources=tuple(
            answers.SourceOfBox(name, tuple(kind.mode for kind in kinds if name in kind.to_choose))
            for name in drawn
            if any(name in kind.to_choose for kind in kinds)
        ),
    )
