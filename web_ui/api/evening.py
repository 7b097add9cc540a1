"""The calls about what is left of a table: its story, another game with the same people, what if, bots to watch."""

from __future__ import annotations

import msgspec

from companion.play.evenings import evenings, people
from companion.play.record import encode, export
from companion.play.story import Course, Story, account_of, course, story
from companion.refusals import Illegal, Malformed, Missing, Storage
from companion.words import say
from web_ui.api import answers, bodies
from web_ui.api.calls import Asking, AtTable, CallTable, Reply
from web_ui.api.tables import LISTED, OLDER, first_asked, laid_told, seat_keys, seat_told
from web_ui.http_errors import BadBox

calls = CallTable()


@calls.get("/api/evenings", gives=answers.EveningsTold, query=(OLDER,), refuses=(Malformed,), long=True)
def list_evenings(asking: Asking, _: bodies.Nothing) -> answers.EveningsTold:
    """Tables that are over, the newest first, with who won; who sat there by name. `?first=` leaves out the newest."""
    first = first_asked(asking)
    found, more = evenings(asking.service.hall)
    page = tuple(found[first : first + LISTED])
    return answers.EveningsTold(page, () if first else people(found), more, older=len(found) > first + LISTED)


@calls.get("/api/tables/<table>/course", gives=Course, long=True)
def show_course(asking: AtTable, _: bodies.Nothing) -> Course:
    """How a table went, step by step, and how the points grew as far as everybody could count them."""
    return course(asking.table, account_of(asking.table))


@calls.get("/api/tables/<table>/story", gives=Story, refuses=(Illegal,), long=True)
def show_story(asking: AtTable, _: bodies.Nothing) -> Story:
    """The statistics of a table that is over: luck against expectation, weeks let go by, the best find."""
    return story(asking.table, account_of(asking.table))


@calls.get("/api/tables/<table>/page.html", gives=str, media="text/html", refuses=(Illegal,), long=True)
def show_page(asking: AtTable, _: bodies.Nothing) -> Reply:
    """A table that is over as one HTML file without a network, to send to those who were there."""
    from web_ui.kept_page import KeptTable, kept_page

    table = asking.table
    if not table.settled():
        raise Illegal("core.before_the_end")
    name = f'attachment; filename="digside-{table.setup.box}-{table.id}.html"'
    study = asking.service.studies.kept(table.id)
    made = kept_page(KeptTable(asking.service.files, table, encode(export(table)), asking.language, study))
    return Reply(made.encode(), (("Content-Disposition", name),))


@calls.post(
    "/api/tables/<table>/branch",
    gives=answers.TableLaid,
    statuses=(201,),
    who="lays",
    asks="layings",
    refuses=(Illegal, Malformed, Storage),
    long=True,
)
def branch_table(asking: AtTable, body: bodies.Branching) -> Reply:
    """What if: a copy of a finished table as it was after a step, in play, under a new seal and with new keys."""
    return laid_told(asking, asking.service.hall.branch(asking.table, body.seq))


@calls.post(
    "/api/tables/<table>/rematch",
    gives=answers.TableLaid,
    statuses=(201,),
    who="host",
    asks="layings",
    refuses=(Illegal, Malformed, Storage, BadBox),
)
def lay_rematch(asking: AtTable, _: bodies.Nothing) -> Reply:
    """Another game with the same people: seats, options and sources as they were. Asked again, it is the same table.

    An end that hangs on a report is confirmed by it.
    """
    following = asking.service.hall.rematch(asking.table)
    asking.service.views.anew(asking.table)
    return laid_told(asking, following)


@calls.post("/api/tables/<table>/follow", gives=answers.Entered, who="player", refuses=(Missing,))
def follow_rematch(asking: AtTable, _: bodies.Nothing) -> Reply:
    """Go along to the next game of the same people, to the same seat there; its key comes as a cookie."""
    if asking.table.next is None:
        raise Missing("core.no_rematch")
    following = asking.service.hall.table(asking.table.next)
    actor = asking.actor
    key = following.keys.host if actor.stirs_as is None else seat_keys(following)[actor.stirs_as]
    entered = answers.Entered(following.id, answers.Me(actor.role, actor.seat))
    return Reply(msgspec.json.encode(entered), asking.keeping(following.id, key))


@calls.post("/api/shows", gives=answers.ShowTold, asks="layings", refuses=(Missing, Illegal, BadBox), long=True)
def begin_show(asking: Asking, body: bodies.Watching) -> answers.ShowTold:
    """Two bots to watch: the table that is on, or a new one. It is played while somebody looks, and kept nowhere."""
    box = asking.service.hall.box(body.box)
    names = tuple(say(asking.language, "web.bot", {"n": str(n + 1)}) for n in range(max(2, box.seats.min)))
    table = asking.service.shows.of(box.name, names)
    return answers.ShowTold(table.id, tuple(seat_told(seat) for seat in table.setup.seats))
