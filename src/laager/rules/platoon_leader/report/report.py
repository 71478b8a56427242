"""The end of a firefight's play and the battle report (PL 2.9, CG2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laager.campaign import Procedure, ask_all, step
from laager.rules.board.card.parts import SIDES
from laager.rules.board.report.agreement import Contradiction
from laager.rules.board.report.form import ReportQuestion
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import PlayEnded, RoundBegun
from laager.rules.platoon_leader.firefight.game_end import game_end
from laager.rules.platoon_leader.report.agreement import amended, contradictions
from laager.rules.platoon_leader.report.checks import report_problems
from laager.rules.platoon_leader.report.facts import follow
from laager.rules.platoon_leader.report.form import HELP, report_form, report_of
from laager.rules.platoon_leader.report.suggest import suggest_report
from laager.rules.platoon_leader.state import Round

__all__ = ["firefight_end", "report_of"]

KEY = "battle-report"
"""The key of the question that a report file answers."""


@step(
    "PL 2.9",
    "End of play and battle report",
    also=("PL CG2", "PL CG7", "PL CG8", "PL CG9", "PL 1.33", "PL 3.0"),
    edition=2,
)
def firefight_end(cg: Cg) -> Procedure[None]:
    """Play to the end, have both sides report, apply what they report, begin the RePh."""
    last, why = yield from game_end(cg).play()
    yield PlayEnded(turn=last.turn, last_player=last.side, why=why, rule="PL CG2")
    reports = yield from both_reports(cg)
    yield from follow(cg, reports)
    number = cg.state.fight.number
    yield RoundBegun(round=Round.REORGANIZATION, why=f"the play of firefight {number} is over")


def both_reports(cg: Cg) -> Procedure[dict[str, dict[str, Any]]]:
    """Ask both sides together, again if their reports contradict each other, until they fit."""
    proposals = {side: report_of(cg, side) for side in SIDES}
    found: Sequence[Contradiction] = ()
    while True:
        answers = yield from ask_all(report_question(cg, side, proposals[side], found) for side in SIDES)
        reports = dict(answers)
        found = contradictions(cg, reports)
        if not found:
            return reports
        proposals = amended(cg, reports)


def report_question(cg: Cg, side: str, proposal: dict[str, Any], found: Sequence[Contradiction] = ()) -> ReportQuestion:
    """Return the question for one side's report; `found` is what contradicted the enemy's."""
    text = "What became of your units, and of the ground? Enter the end of play."
    if found:
        said = "\n".join(f"- {item.words(cg)}" for item in found)
        text = f"The two reports contradict each other:\n{said}\nEnter yours again, as agreed."
    return ReportQuestion(
        key=KEY,
        side=side,
        text=text,
        form=report_form(),
        rule="PL 2.9",
        secret=True,
        default=proposal,
        help=HELP,
        check=lambda report: report_problems(cg, side, report),
        suggest=lambda rng: proposal if found else suggest_report(cg, side, rng),
    )
