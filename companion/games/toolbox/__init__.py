"""The tools of a box with no referee: anybody at the table may use any of them at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from companion.game import Finished, Move, Played, Score, Setup, Step
from companion.games.toolbox import seen
from companion.games.toolbox.bags import Bags
from companion.games.toolbox.cards import Cards
from companion.games.toolbox.dial import DialTool
from companion.games.toolbox.dice import DiceSet
from companion.games.toolbox.face_down import FaceDown
from companion.games.toolbox.facts import OUTCOMES, ToolboxChanceFacts, ToolboxLogFacts
from companion.games.toolbox.kit import HandDraw, Kit, Tool, ToolboxState, ToolboxTable
from companion.games.toolbox.loads import Loads
from companion.games.toolbox.permits import Permits, TravelTool
from companion.games.toolbox.points import Tallies
from companion.games.toolbox.pyramid import Blocks, Mummies
from companion.games.toolbox.shovel import ElectricShovel
from companion.games.toolbox.takings import TakingsTool
from companion.games.toolbox.track import TimeTrack
from companion.games.toolbox.tray import TrayTool
from companion.games.toolbox.turns import Turns
from companion.parts import Act, Facts, RuledCorrection
from companion.printed import FigurePrinted
from companion.referee import Referee
from companion.refusals import Illegal, Refusal

TOOLS: tuple[type[Tool], ...] = (
    TimeTrack,
    DialTool,
    Bags,
    DiceSet,
    Blocks,
    Mummies,
    TrayTool,
    Cards,
    FaceDown,
    Loads,
    Permits,
    TravelTool,
    Turns,
    TakingsTool,
    Tallies,
    ElectricShovel,
)
"""Every tool there is: its module knows the rest."""

DRAWN = ("cards", "decks")
"""The randomizers whose last card of all is certain, as far as the figures of the box are."""

TOOL_OF: Mapping[object, type[Tool]] = {kind: tool for tool in TOOLS for kind in (*tool.acts, *tool.corrections)}
"""What each move and each correction is made with."""


class Toolbox(Referee[ToolboxTable, ToolboxState]):
    """The tools of one box at one table. It ends when the host closes the table."""

    table = ToolboxTable
    acts = tuple(act for tool in TOOLS for act in tool.acts)
    draws = (HandDraw(),)
    corrections = (*(mend for tool in TOOLS for mend in tool.corrections), FigurePrinted)
    outcomes = OUTCOMES
    logged = ToolboxLogFacts
    chance_facts = ToolboxChanceFacts
    turn_rule = "TBX-01"
    over_rule = "TBX-06"
    endless = True
    newest_rules = 4
    """Since the second there are decks, and piles begin empty; since the third a real card is asked for though it can
    be but one, as our figures may be wrong; since the fourth the cards of a layer that belong together lie together."""

    def __init__(self, setup: Setup, kit: Kit, randomizers: tuple[str, ...], rules: int | None = None) -> None:
        super().__init__(setup, kit, rules)
        self.randomizers = randomizers

    @property
    def kit(self) -> Kit:
        """The tools as they come out of the box."""
        kit: Kit = self.terms
        return kit

    def agreed(self, setup: Setup, box: Kit) -> Kit:
        """Points are counted beside every box, and a shovel lies there."""
        real = (
            frozenset(each for each in DRAWN if setup.source(each) == "table")
            if self.rules_version > 2
            else frozenset()
        )
        return replace(box, tools=(*box.tools, Tallies(box.points, box.gold), ElectricShovel()), real=real)

    def unavailable_reason(self, kind: type[Act[ToolboxTable]] | type[RuledCorrection[ToolboxTable]]) -> Refusal | None:
        if kind is FigurePrinted:
            return None if self.kit.box else Illegal("toolbox.not_here", rule="TBX-02", tool=FigurePrinted.__name__)
        tool = TOOL_OF[kind]
        there = tool in map(type, self.kit.tools)
        return None if there else Illegal("toolbox.not_here", rule="TBX-02", tool=tool.name)

    def depends_on(self, state: ToolboxState, seat: int, move: Move) -> object:
        """Two seats may use two tools at once; of what lies hidden in a tool nothing is said by it."""
        tool = TOOL_OF.get(type(move))
        there = self.as_seen(state, seat, seat).state.tools.get(tool.name) if tool else None
        return there.depended_on(move) if there is not None and isinstance(move, Act) else state

    def listed(self, table: ToolboxTable) -> Iterator[Act[ToolboxTable]]:
        """What a tool says is thinkable is never refused, and need not be asked about one by one."""
        return (act for kind in self.offered() for act in kind.thinkable(table))

    def start(self) -> ToolboxState:
        tools = {tool.name: tool.laid_out(len(self.kit.seats)) for tool in self.kit.tools}
        hands = (tool.first_hand() for tool in self.kit.tools)
        return self.at(ToolboxState(tools, tuple(hand for hand in hands if hand))).withdrawn().state

    def players_to_move(self, table: ToolboxTable) -> tuple[int, ...]:
        return tuple(table.seats)

    def why_not(self, state: ToolboxState, seat: int, act: Act[ToolboxTable]) -> Refusal | None:
        return self.at(state).no_seat(seat) or super().why_not(state, seat, act)

    def after(self, state: ToolboxState, step: Step) -> ToolboxState:
        if isinstance(step, Played) and (refusal := self.at(state).no_seat(step.seat)):
            raise refusal
        return super().after(state, step)

    def scored(self, table: ToolboxTable) -> Finished:
        scores = tuple(self._score(table, seat) for seat in table.seats)
        most = max(score.total for score in scores)
        return Finished(scores, tuple(score.seat for score in scores if score.total == most))

    def _score(self, table: ToolboxTable, seat: int) -> Score:
        """The tally of a seat, and where weeks behind count, the points for them."""
        parts = {"points": table.tool(Tallies).points[seat]}
        if TimeTrack.name in table.state.tools and (track := table.tool(TimeTrack)).behind:
            parts["weeks_behind"] = track.bonus(seat)
        return Score(seat, sum(parts.values()), parts)

    def counted(self, table: ToolboxTable) -> dict[str, int]:
        things: Counter[str] = Counter()
        for tool in table.state.tools.values():
            things.update(tool.counted(table))
        return dict(things)

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        """What is seen of the tools: all of it by everybody, except what nobody may count or remember for others."""
        board: seen.ToolboxBoard = {"tools": list(table.state.tools)}
        for tool in table.state.tools.values():
            board |= tool.board(table)
        return board

    def hand(self, table: ToolboxTable) -> seen.ToolboxOwn | None:
        """What only one seat may know of the tools."""
        mine: seen.ToolboxOwn = {}
        for tool in table.state.tools.values():
            mine |= tool.hand(table)
        return mine or None

    def aids(self, state: ToolboxState, seat: int | None) -> Facts:
        """The same for everybody, at any time."""
        whole: Any = self.help(self.as_seen(state, None))
        helped: Facts = whole
        return helped

    def help(self, table: ToolboxTable) -> seen.ToolboxHelp:
        """What each tool can be asked."""
        helped: seen.ToolboxHelp = {}
        for tool in table.state.tools.values():
            helped |= tool.help()
        return helped
