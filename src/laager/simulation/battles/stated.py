"""The stated model: losses, ground and length from strength, kind of battle, terrain and luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from laager.base import DataError, Problem
from laager.campaign.engine import Campaign
from laager.campaign.pending import Pending
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.report.ground import GROUND_KEY
from laager.rules.board.report import REPORT_KEYS
from laager.simulation.battles.fight import Engagement
from laager.simulation.battles.ground import ground_answer
from laager.simulation.battles.model import Reports
from laager.simulation.battles.parameters import BattlesFile, shipped_battles
from laager.simulation.battles.reports import side_answer

ROWS = frozenset({"units", "new", "taken", "modules", "oba", "control", "fires", "terrain", "forts", "works", "cvp"})
"""The lists of a report that the model fills by itself; all else stands as the question proposes it."""

MOST_MENDINGS = 8
"""Most times that what the rules refuse is left out of a report; then units are reported as recorded."""


class StatedBattles:
    """The model with the figures of a file (the shipped one if left out), under one setting."""

    def __init__(self, setting: str = "usual", file: BattlesFile | None = None) -> None:
        self.file = file or shipped_battles()
        self.figures = self.file.figures_of(setting)
        self.refused = 0
        """How many reports the rules didn't accept; the record as it is was reported instead."""

    def reports(self, campaign: Campaign, luck: str) -> Reports:
        """Return a legal answer to each report that is asked now."""
        asked = [pending for pending in campaign.pending() if pending.key in REPORT_KEYS]
        if any(pending.key == GROUND_KEY for pending in asked):
            assert isinstance(campaign.context, Hasl)
            ground = ground_answer(campaign.context, self.figures, luck)
            return {
                (pending.side, pending.key): self._legal(pending, ground) if pending.key == GROUND_KEY else True
                for pending in asked
            }
        if any("contradict" in (pending.question.text if pending.question else "") for pending in asked):
            self.refused += 1
            return {(pending.side, pending.key): pending.question.default for pending in asked if pending.question}
        battle = Engagement(campaign.context, self.figures, self.file.hits, luck)
        battle.resolve()
        return {
            (pending.side, pending.key): self._legal(pending, side_answer(battle, pending.side)) for pending in asked
        }

    def _legal(self, pending: Pending, answer: Any) -> Any:
        """Return an answer that the rules accept: without what they refuse, or else the record as it is."""
        assert pending.question is not None
        answer = {**{k: v for k, v in pending.question.default.items() if k not in ROWS}, **answer}
        for _ in range(MOST_MENDINGS):
            try:
                return pending.question.accept(answer)
            except DataError as err:
                answer = without_refused(answer, err.problems)
        self.refused += 1
        return pending.question.default


def without_refused(answer: Mapping[str, Any], problems: Sequence[Problem]) -> dict[str, Any]:
    """Return an answer without the rows that problems name; of a field that is too long the last row goes."""
    mended = dict(answer)
    if not any(problem.field for problem in problems):
        # What is wrong as a whole is artillery beyond what the rules allow in a battle.
        return mended | {"modules": mended.get("modules", [])[:-1]}
    for field in {problem.field.partition(".")[0] for problem in problems}:
        name, _, place = field.partition("[")
        rows = mended.get(name)
        if isinstance(rows, list) and rows:
            gone = {int(f.partition("[")[2].rstrip("]")) - 1 for f in _rows_of(problems, name)} or {len(rows) - 1}
            mended[name] = [row for number, row in enumerate(rows) if number not in gone]
        elif not place:
            mended.pop(name, None)
    return mended


def _rows_of(problems: Sequence[Problem], name: str) -> list[str]:
    fields = (problem.field.partition(".")[0] for problem in problems)
    return [field for field in fields if field.startswith(f"{name}[")]
