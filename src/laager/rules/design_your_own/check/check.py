"""The check of an order of battle that was not bought in Laager: its points, every rule it breaks.

It asks the same rule functions as the steps of a purchase do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from laager.base import Problem
from laager.base.files import Document, field_path
from laager.rules.design_your_own.check import fittings, infantry, leaders, pieces, support
from laager.rules.design_your_own.check.left_out import left_out_rules
from laager.rules.design_your_own.check.review import Found, Review
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.files import LoadedOb, context_of
from laager.rules.design_your_own.ob import OrderOfBattle

RULES: Mapping[Callable[[Review], None], str] = {
    support.points_rules: "",
    infantry.infantry_rules: "",
    infantry.bonus_rules: "DYO H1.73",
    support.san_rules: "DYO H1.29",
    pieces.gun_rules: "",
    pieces.vehicle_rules: "",
    fittings.armament_rules: "DYO H1.41",
    fittings.fitting_rules: "DYO H1.42",
    fittings.armor_leader_rules: "DYO H1.43",
    support.oba_rules: "DYO H1.5",
    support.air_rules: "DYO H1.531",
    support.work_rules: "DYO H1.6",
    leaders.leader_rules: "",
    leaders.sw_rules: "",
    leaders.share_rules: "DYO H1.84",
    left_out_rules: "",
}
"""The parts of the check, in the order of the purchase, and the clause with which a house leaves each out."""


@dataclass(frozen=True)
class ObVerdict:
    """What a check has found.

    `ob` has the prices of the rules, also where the file had none or wrong ones; lines that the
    catalogue doesn't know are not in it. `broken` are rules; `unjudged` what can't be checked as the
    catalogue lacks a value; `notes` what is due and not there.
    """

    ob: OrderOfBattle
    broken: tuple[Found, ...]
    unjudged: tuple[Found, ...]
    notes: tuple[str, ...] = ()

    @property
    def legal(self) -> bool:
        """True if no rule is broken, as far as that can be checked."""
        return not self.broken

    def problems(self, document: Document | None = None) -> list[Problem]:
        """Return the broken rules as problems, with file and line if the document is given."""
        return [as_problem(find, document) for find in self.broken]


def as_problem(find: Found, document: Document | None = None) -> Problem:
    """Return a find as a problem, with file and line if the document is given."""
    problem = find.breach.problem(field_path(find.where))
    if document is None:
        return problem
    return document.problem(("ob", *find.where), problem.what, problem.right)


def check_ob(cg: Cg, side: str, *, facing: bool = False) -> ObVerdict:
    """Check the order of battle of a side that stands in the context's state.

    `facing`: that of the other side stands there too, and counts where the rules ask for it.
    """
    seen = cg.with_state(cg.state)
    # Of counters that the other side may have taken nobody knows, unless its OB lies there too.
    seen.pool = "all" if facing else "whole"
    review = Review(seen, side, facing, cg)
    _price(review, cg.ob(side))
    for check_rules, clause in RULES.items():
        if cg.house.is_applied(clause):
            check_rules(review)
    broken = tuple(find for find in review.found if find.judged)
    unjudged = dict.fromkeys(find for find in review.found if not find.judged)
    return ObVerdict(review.ob, broken, tuple(unjudged), tuple(_notes(review.ob)))


def _price(review: Review, given: OrderOfBattle) -> None:
    """Put the order of battle on the review, each line with the prices of the rules."""

    def put(**parts: Any) -> OrderOfBattle:
        review.cg.state = review.cg.state.with_ob(review.side, **parts)
        return review.ob

    put(infantry=infantry.infantry_lines(review, given.infantry))
    made = support.san_line(review, review.ob)
    guns = given.ordnance.model_copy(update={"guns": pieces.gun_lines(review, given.ordnance.guns)})
    put(san_cost=made.san_cost, ordnance=guns)
    put(vehicles=pieces.motorized_line(review, put(vehicles=pieces.vehicle_lines(review, given.vehicles))))
    put(oba=support.battery_lines(review, given.oba), air=support.air_line(review, given.air))
    put(fortifications=support.work_lines(review, given.fortifications))
    put(equivalents=leaders.equivalents_line(review, review.ob).equivalents)


def _notes(ob: OrderOfBattle) -> list[str]:
    """Return what is due to an order of battle and not in it."""
    notes = []
    squads = sum(ob.equivalents.values())
    if ob.leaders is None and not ob.allied_leaders and squads:
        notes.append(f"leaders are not allotted yet: {squads} Equivalents (DYO H1.8)")
    if not ob.sw and squads:
        notes.append(f"no SW: {squads} Equivalents (DYO H1.83)")
    if ob.announced_elr is None and ob.infantry:
        notes.append("no ELR is announced yet, so there is no bonus (DYO H1.71)")
    return notes


def check_file(loaded: LoadedOb, enemy: LoadedOb | None = None) -> ObVerdict:
    """Check an order of battle that was read from a file, alone or against the other side's."""
    cg = context_of(loaded)
    if enemy is not None:
        cg.state = cg.state.having(enemy.ob)
    return check_ob(cg, loaded.ob.side, facing=enemy is not None)


def describe_verdict(verdict: ObVerdict, document: Document | None = None) -> Mapping[str, Any]:
    """Return a verdict for programs."""
    ob = verdict.ob
    parts = ("line", "field", "what", "right")

    def describe(find: Found) -> dict[str, Any]:
        problem = as_problem(find, document)
        reason = {"rule": find.breach.rule, "reason": find.breach.reason.value}
        return reason | {part: getattr(problem, part) for part in parts}

    return {
        "side": ob.side,
        "nation": ob.nation,
        "legal": verdict.legal,
        "points": {
            "allotment": ob.allotment,
            "spent": dict(ob.spent),
            "available": dict(ob.subtotals),
            "left": ob.left,
        },
        "broken": [describe(find) for find in verdict.broken],
        "cannot_be_judged": [describe(find) for find in verdict.unjudged],
        "notes": list(verdict.notes),
    }
