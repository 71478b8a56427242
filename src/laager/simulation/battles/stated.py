"""The stated model: losses, ground and length from strength, kind of battle, terrain and luck."""

from __future__ import annotations

from typing import Any

from laager.base import DataError
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
            return {(pending.side, pending.key): self._legal(pending, ground) for pending in asked}
        if any("contradict" in (pending.question.text if pending.question else "") for pending in asked):
            self.refused += 1
            return {(pending.side, pending.key): pending.question.default for pending in asked if pending.question}
        battle = Engagement(campaign.context, self.figures, self.file.hits, luck)
        battle.resolve()
        return {
            (pending.side, pending.key): self._legal(pending, side_answer(battle, pending.side)) for pending in asked
        }

    def _legal(self, pending: Pending, answer: Any) -> Any:
        assert pending.question is not None
        try:
            return pending.question.accept(answer)
        except DataError:
            self.refused += 1
            return pending.question.default
