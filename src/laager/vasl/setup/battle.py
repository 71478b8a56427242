"""A battle to be set up in VASL: the campaign as one side sees it, with the player's module and boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign import find_ruleset
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR
from laager.campaign.views import View, view
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.state import BoardState
from laager.rules.design_your_own.context import Cg as Purchase
from laager.rules.design_your_own.sequence import is_bought
from laager.rules.design_your_own.steps.opening import OPEN_ROSTER
from laager.vasl.boards.layout import side_by_side
from laager.vasl.saves.marks import Marks, marks_of
from laager.vasl.setup.board import Boards, LaidBoards, bare_boards, battlefield, usual_board
from laager.vasl.setup.counters import CounterMaker
from laager.vasl.setup.module import VaslModule
from laager.vasl.setup.plan import CLOAKED, CONCEALED, HIP, OPEN, UNSEEN, Pile, Plan, front_lines, plan_of
from laager.vasl.setup.purchase import purchase_plan
from laager.vasl.setup.units import CounterFinder
from laager.vasl.setup.writing import ScenarioBox, WrittenFile, add_to, write_log, write_save

MOVER = "Laager"
"""Player whom VASL shows as the mover of the counters."""

TO_DO = {
    HIP: "hide (select the stack, Ctrl-H)",
    CONCEALED: "conceal (select the top counter, Ctrl-C)",
    CLOAKED: "move to your Cloaking display, or hide (Ctrl-H); the Cloaking counter stays",
    UNSEEN: "hide until the enemy may see it (select the stack, Ctrl-H)",
}
"""Instructions to a side about piles that only it may see, by the way of hiding (`Pile.seen`)."""


@dataclass(frozen=True, repr=False)
class BattleSetup:
    """A setup, ready to be written: for a side, with its secrets, or (None) of what both sides know."""

    side: str | None
    plan: Plan
    ground: LaidBoards
    module: VaslModule
    marks: Marks
    box: ScenarioBox
    title: str

    def __repr__(self) -> str:
        return f"<BattleSetup for {self.side or 'both sides'}: {len(self.plan.piles)} piles>"

    @property
    def comment(self) -> str:
        """The comment that VASL shows when it loads the file; both sides may read it."""
        battle = f", battle {self.marks.battle}" if self.marks.battle else ""
        return f"{self.title}{battle}, set up by Laager"

    def save(self, at: datetime) -> WrittenFile:
        """Return the whole setup as a save."""
        return write_save(self.plan.piles, self.marks, self.ground, self.module, self.box, self.comment, at)

    def log(self, at: datetime) -> WrittenFile:
        """Return the setup that only this side knows as a log: VASL adds it to the open game."""
        return write_log(self.plan.secret, self.marks, self.ground, self.module, self.box, self.comment, at)

    def into(self, data: bytes, name: str) -> WrittenFile:
        """Return a save with the missing pieces added; `name` stands for it in messages. Raises DataError."""
        return add_to(data, name, self.plan.piles, self.marks)

    def to_do(self) -> list[tuple[str, tuple[Pile, ...]]]:
        """Return by way of hiding (a key of `TO_DO`) the piles that the side hides before it gives the file away."""
        by_hiding = [(how, tuple(pile for pile in self.plan.piles if pile.seen == how)) for how in TO_DO]
        return [(how, piles) for how, piles in by_hiding if piles]

    def describe(self) -> dict[str, Any]:
        """Return the setup as plain values."""
        return {
            "side": self.side,
            "pieces": sum(len(pile.pieces) for pile in self.plan.piles),
            "units": self.plan.has_units,
            "open": sum(len(pile.pieces) for pile in self.plan.piles if pile.seen == OPEN),
            "to_do": [{"what": TO_DO[how], "piles": [_pile(pile) for pile in piles]} for how, piles in self.to_do()],
            "missing": [asdict(missing) for missing in self.plan.missing],
        }


def _pile(pile: Pile) -> dict[str, Any]:
    return {"where": pile.where, "counters": [piece.name for piece in pile.pieces]}


def setup_of(
    campaign: Campaign,
    side: str | None,
    module: VaslModule,
    boards: Boards = usual_board,
    layout: str = "",
    known: Sequence[str] = (),
) -> BattleSetup:
    """Return the setup of the present battle as a side sees it; None: as everybody does.

    `boards` gives the boards by their codes, `known` are the names of available ones; `layout` names the boards under
    a map that was not made from boards. Raises RefusedError for an unknown side or a campaign without a map,
    DataError for boards that do not fit.
    """
    if side is not None and side not in campaign.ruleset.sides:
        advice = did_you_mean(side, campaign.ruleset.sides, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no side {side!r}", advice)
    public_view = view(campaign, SPECTATOR)
    side_view = public_view if side is None else view(campaign, side)
    rules = find_ruleset(side_view.opening["ruleset"])
    context = rules.context(side_view.opening)
    if isinstance(context, Purchase):
        return _setup_of_purchase(context, side, side_view, module, boards, layout, known)
    if not isinstance(context, CardContext):
        right = "campaigns on a map and purchases have"
        raise RefusedError(Refusal.BAD_DATA, "this campaign has no battle to set up", right)
    cg = context.with_state(side_view.state)
    ground = battlefield(cg.map, boards, module.edge[0], layout, known)
    marks = (
        Marks(side_view.opening["dice"]["commitment"], "", side_view.state.number)
        if side is None
        else marks_of(side_view)
    )
    lines = front_lines(*rules.drawing(context, public_view.state))
    plan = plan_of(cg, side_view, ground, CounterFinder(module, CounterMaker(module, MOVER)), lines)
    return BattleSetup(side, plan, ground, module, marks, _scenario_box(public_view.state), side_view.title)


def _scenario_box(state: BoardState) -> ScenarioBox:
    """Return the scenario box with public values."""
    numbers = {f"{side}_{key}": str(getattr(state.side(side), key)) for side in SIDES for key in ("elr", "san")}
    return ScenarioBox(first=state.moves_first.capitalize(), **numbers)


def _setup_of_purchase(
    purchase: Purchase,
    side: str | None,
    seen: View,
    module: VaslModule,
    boards: Boards,
    layout: str,
    known: Sequence[str],
) -> BattleSetup:
    """Return what a side has bought as counters beside the boards; None: what lies open of both sides.

    A side's setup has nothing of the other one's. Raises RefusedError before the purchase is finished, without boards.
    """
    cg = purchase.with_state(seen.state)
    open_questions = [asked.key for asked in seen.pending if asked.side == side and asked.key != OPEN_ROSTER]
    if open_questions or not is_bought(cg.state):
        right = f"answer {', '.join(open_questions)} first" if open_questions else "wait until both sides have bought"
        raise RefusedError(Refusal.NO_SUCH, "the purchase isn't finished", right)
    sides = [side] if side is not None else [each for each in SIDES if cg.state.knows(each)]
    if not sides:
        raise RefusedError(Refusal.NOT_YOURS, "neither Roster is open yet", "name your side with --side")
    codes = [board.id.zfill(2) if board.id.isdigit() else board.id for board in cg.terms.boards]
    if not layout and not codes:
        right = "say on which ones you play with --layout, such as --layout '03 16'"
        raise RefusedError(Refusal.BAD_DATA, "the terms name no boards", right)
    ground = bare_boards(boards, module.edge[0], layout or side_by_side(codes), known)
    finder = CounterFinder(module, CounterMaker(module, MOVER))
    plan = purchase_plan(cg, sides, ground, finder, OPEN if side is None else UNSEEN)
    marks = Marks(seen.opening["dice"]["commitment"], seen.marking, 0)
    return BattleSetup(side, plan, ground, module, marks, ScenarioBox(), seen.title)
