"""What a model of battles is, and how one is loaded by its name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from laager.base import Refusal, RefusedError, did_you_mean
from laager.base.plugins import find_plugins
from laager.campaign.engine import Campaign

GROUP = "laager.battles"
"""The entry-point group of models."""

Reports = Mapping[tuple[str, str], Any]
"""Answers to the questions for battle reports, by side and key."""


class BattleModel(Protocol):
    """Settles battles: it is the referee, sees the whole campaign, and gives both sides' reports.

    A report must say nothing that its side may not know after the battle.
    """

    def reports(self, campaign: Campaign, luck: str) -> Reports:
        """Return a legal answer to each report that is asked now; the same `luck` gives the same answers."""
        ...


def battle_models() -> tuple[str, ...]:
    """Return the names of the installed models."""
    return tuple(sorted(find_plugins(GROUP)))


def load_battles(name: str, setting: str = "usual") -> BattleModel:
    """Return a model by its name, or the stated one with the figures of a YAML file, under a setting.

    Raises RefusedError if there is no such model or setting, DataError with what is wrong with the file.
    """
    if name.endswith((".yaml", ".yml")):
        from laager.simulation.battles.parameters import read_battles
        from laager.simulation.battles.stated import StatedBattles

        return StatedBattles(setting, read_battles(Path(name)))
    point = find_plugins(GROUP).get(name)
    if point is None:
        advice = did_you_mean(name, battle_models(), "there are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no model of battles {name!r}", advice)
    model: BattleModel = point.load()(setting)
    return model
