"""A battle to be set up in VASL: the campaign as one side sees it, with the player's module and boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from laager.base import Refusal, RefusedError, did_you_mean
from laager.campaign import find_ruleset
from laager.campaign.engine import Campaign
from laager.campaign.facts import SPECTATOR
from laager.campaign.views import view
from laager.rules.board.card.parts import SIDES
from laager.rules.board.context import CardContext
from laager.rules.board.state import BoardState
from laager.vasl.saves.marks import Marks, marks_of
from laager.vasl.setup.board import Battlefield, Boards, battlefield, usual_board
from laager.vasl.setup.counters import Maker
from laager.vasl.setup.module import Module
from laager.vasl.setup.plan import CLOAKED, CONCEALED, HIP, OPEN, UNSEEN, Pile, Plan, front_lines, plan_of
from laager.vasl.setup.units import CounterFinder
from laager.vasl.setup.writing import Box, Made, add_to, write_log, write_save

MOVER = "Laager"
"""Who VASL shows as the one who placed the counters."""

TO_DO = {
    HIP: "hide (select the stack, Ctrl-H)",
    CONCEALED: "conceal (select the top counter, Ctrl-C)",
    CLOAKED: "move to your Cloaking display, or hide (Ctrl-H); the Cloaking counter stays",
    UNSEEN: "hide until the enemy may see it (select the stack, Ctrl-H)",
}
"""What a side does in VASL with what only it may see, by how it keeps it from sight (`Pile.seen`)."""


@dataclass(frozen=True, repr=False)
class BattleSetup:
    """A setup, ready to be written: for a side, with its secrets, or (None) of what both sides know."""

    side: str | None
    plan: Plan
    ground: Battlefield
    module: Module
    marks: Marks
    box: Box
    title: str

    def __repr__(self) -> str:
        return f"<BattleSetup for {self.side or 'both sides'}: {len(self.plan.piles)} piles>"

    @property
    def comment(self) -> str:
        """What VASL shows when it loads the file; both sides may read it."""
        return f"{self.title}, battle {self.marks.battle}, set up by Laager"

    def save(self, at: datetime) -> Made:
        """Return the whole setup as a save."""
        return write_save(self.plan.piles, self.marks, self.ground, self.module, self.box, self.comment, at)

    def log(self, at: datetime) -> Made:
        """Return what only this side knows as a log: VASL adds it to the game that is open."""
        return write_log(self.plan.secret, self.marks, self.ground, self.module, self.box, self.comment, at)

    def into(self, data: bytes, name: str) -> Made:
        """Return a save with what is not in it yet; `name` stands for it in messages. Raises DataError."""
        return add_to(data, name, self.plan.piles, self.marks)

    def to_do(self) -> list[tuple[str, tuple[Pile, ...]]]:
        """Return by way of hiding (a key of `TO_DO`) the piles that the side hides before it gives the file away."""
        found = [(how, tuple(pile for pile in self.plan.piles if pile.seen == how)) for how in TO_DO]
        return [(how, piles) for how, piles in found if piles]

    def described(self) -> dict[str, Any]:
        """Return what the setup has, for programs."""
        return {
            "side": self.side,
            "pieces": sum(len(pile.pieces) for pile in self.plan.piles),
            "units": self.plan.has_units,
            "open": sum(len(pile.pieces) for pile in self.plan.piles if pile.seen == OPEN),
            "to_do": [{"what": TO_DO[how], "piles": [_pile(one) for one in piles]} for how, piles in self.to_do()],
            "missing": [{"what": one.what, "where": one.where, "instead": one.instead} for one in self.plan.missing],
        }


def _pile(pile: Pile) -> dict[str, Any]:
    return {"where": pile.where, "counters": [one.name for one in pile.pieces]}


def setup_of(
    campaign: Campaign,
    side: str | None,
    module: Module,
    boards: Boards = usual_board,
    layout: str = "",
    known: Sequence[str] = (),
) -> BattleSetup:
    """Return the setup of the present battle as a side sees it; None: as everybody does.

    `boards` gives the boards by their codes, `known` are the names of those that there are; `layout` says which lie
    under a map that was not made from boards. Raises RefusedError for an unknown side or a campaign without a map,
    DataError for boards that do not fit.
    """
    if side is not None and side not in campaign.ruleset.sides:
        advice = did_you_mean(side, campaign.ruleset.sides, "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no side {side!r}", advice)
    public = view(campaign, SPECTATOR)
    seen = public if side is None else view(campaign, side)
    rules = find_ruleset(seen.opening["ruleset"])
    context = rules.context(seen.opening)
    if not isinstance(context, CardContext):
        raise RefusedError(Refusal.BAD_DATA, "this campaign has no battle to set up", "campaigns on a map have")
    cg = context.with_state(seen.state)
    ground = battlefield(cg.map, boards, module.edge[0], layout, known)
    marks = Marks(seen.opening["dice"]["commitment"], "", seen.state.number) if side is None else marks_of(seen)
    lines = front_lines(*rules.drawing(context, public.state))
    plan = plan_of(cg, seen, ground, CounterFinder(module, Maker(module, MOVER)), lines)
    return BattleSetup(side, plan, ground, module, marks, _box(public.state), seen.title)


def _box(state: BoardState) -> Box:
    """Return the scenario box with what everybody knows."""
    numbers = {f"{side}_{key}": str(getattr(state.side(side), key)) for side in SIDES for key in ("elr", "san")}
    return Box(first=state.moves_first.capitalize(), **numbers)
