"""The report on a scenario after its play: each side its own OB, then the ground together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from laager.campaign import Procedure, ask_all, implements, step
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.asking import agreed
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import RoundBegun
from laager.rules.board.hasl.report.checks import ReportDesk, ground_problems, report_problems
from laager.rules.board.hasl.report.facts import follow, ground_facts
from laager.rules.board.hasl.report.form import GROUND_HELP, HELP, ground_form, report_form, report_of
from laager.rules.board.hasl.report.suggest import suggest_ground, suggest_report
from laager.rules.board.hasl.state import Round
from laager.rules.board.report.agreement import Contradiction, amend_exits, amend_units, unit_contradictions
from laager.rules.board.report.form import ReportQuestion
from laager.rules.board.telling import tell

KEY = "scenario-report"
"""The key of the question that a report file answers."""

GROUND_KEY = "ground-report"


@implements("ABtF 9.11", "ABtF 9.12", "ABtF 9.3", "ER CG20")
@step("HASL 12", "Report on the scenario", edition=2)
def scenario_report(cg: Hasl) -> Procedure[None]:
    """Both sides report what play has left of their OB and the ground; the Refit Phase begins."""
    reports = yield from both_reports(cg)
    yield from follow(cg, reports)
    yield from the_ground(cg)
    number = cg.state.number
    yield RoundBegun(round=Round.REFIT, why=f"the play of scenario {number} is over")


def both_reports(cg: Hasl) -> Procedure[dict[str, dict[str, Any]]]:
    """Ask both sides together, again if their reports contradict each other, until they fit."""
    proposals: Mapping[str, dict[str, Any]] = {side: report_of(cg, side) for side in SIDES}
    found: Sequence[Contradiction] = ()
    while True:
        answers = yield from ask_all(report_question(cg, side, proposals[side], found) for side in SIDES)
        reports = dict(answers)
        desks = {side: ReportDesk.of(cg, side, reports[side]) for side in SIDES}
        denied = list(cg.variant.exits_denied(cg, desks))
        found = [*unit_contradictions(cg, desks), *(one.contradiction for one in denied)]
        if not found:
            return reports
        proposals = {side: deepcopy(dict(reports[side])) for side in SIDES}
        amend_units(cg, desks, proposals)
        for one in denied:
            amend_exits(one, proposals)


def report_question(
    cg: Hasl, side: str, proposal: dict[str, Any], found: Sequence[Contradiction] = ()
) -> ReportQuestion:
    """Return the question for one side's report; `found` is what contradicted the enemy's."""
    text = "What became of your units, and of your OBA? Enter the end of play."
    if found:
        said = "\n".join(f"- {item.words(cg)}" for item in found)
        text = f"The two reports contradict each other:\n{said}\nEnter yours again, as agreed."
    return ReportQuestion(
        key=KEY,
        side=side,
        text=text,
        form=report_form(cg, side),
        secret=True,
        default=proposal,
        help=HELP,
        check=lambda report: report_problems(cg, side, report),
        suggest=lambda rng: proposal if found else suggest_report(cg, side, rng),
    )


def the_ground(cg: Hasl) -> Procedure[None]:
    """One side enters what became of the ground, the other confirms it."""
    first = cg.state.scenario.moves_first or SIDES[0]
    report = yield from agreed(
        GROUND_KEY,
        first,
        "What became of the ground: Control, fires, lasting changes, fortifications?",
        ground_form(cg),
        {},
        help=GROUND_HELP,
        check=lambda answer: ground_problems(cg, answer),
        suggest=lambda rng: suggest_ground(cg, rng),
        tell=ground_told,
    )
    yield from tell(ground_facts(cg, report))


def ground_told(report: Mapping[str, Any]) -> str:
    """Return in words what a side says of the ground."""
    parts = [f"{row['location']} is Controlled by {row['side']}" for row in report["control"]]
    parts += [f"{row['now']} in {row['at']}" for row in report["fires"]]
    parts += [f"{row['what']} in {row['at']}" + (" is gone" if row["gone"] else "") for row in report["terrain"]]
    for row in report["works"]:
        what = f"{row['side']} {row['kind']} in {row['at']}" if row["kind"] else row["fort"]
        parts.append(f"{what} {row['do']}")
    parts += [f"{row['side']} {row['points']:+d} CVP ({row['why']})" for row in report["cvp"]]
    parts += ["it rained long enough"] if report.get("rain") else []
    parts += [f"Massacre by {side}" for side in report.get("massacre", ())]
    return "; ".join(parts) or "nothing changed"
