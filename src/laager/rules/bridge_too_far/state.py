"""The state of an A Bridge Too Far campaign: the layer's, and what only this module keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from laager.rules.board.card.parts import ALLIED
from laager.rules.board.hasl.state import HaslState
from laager.rules.board.knowledge import Knowledge, Known


@dataclass(frozen=True)
class Headquarters:
    """The British Headquarters: a building by name with its hexes; without hexes if no building can be it."""

    building: str = ""
    hexes: tuple[str, ...] = ()


@dataclass(frozen=True)
class AbtfState(HaslState):
    """All that a viewer knows of the campaign.

    `ww_box` counts the MMC in the Walking Wounded box by type. `usage` are the OBA modules that
    were in play on each CG Date, by side and the date's number. `headquarters` is None until it is
    named, `headquarters_known` is True once its benefit has been used. `released_on` is the number of
    the CG Date on which the reinforcements of a German Scenario Defender were last released.
    `records` are what a side has noted of its vehicles and Guns, by unit.
    """

    ww_box: Mapping[str, int] = field(default_factory=dict)
    usage: Mapping[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)
    headquarters: Headquarters | None = None
    headquarters_known: bool = False
    released_on: int = 0
    shortage: Mapping[int, int] = field(default_factory=dict)
    """The British shortage level of each CG Date, by its number."""
    shortage_before: int | None = None
    """The level before the last roll for it; None before any."""
    records: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    knowledge: ClassVar[Mapping[str, Knowledge]] = {
        **HaslState.knowledge,
        "usage": Known.BY_SIDE,
        "records": Known.BY_UNIT,
        "headquarters": lambda state, _: Known.PUBLIC if state.headquarters_known else ALLIED,
    }

    @property
    def released(self) -> bool:
        """True if German reinforcements are released in the present night scenario."""
        return self.released_on == self.number

    def modules_used(self, side: str, dates: Iterable[int]) -> Iterator[str]:
        """Yield the modules that a side had in play on these CG Dates, each once for a date."""
        for number in dates:
            yield from self.usage.get((side, number), ())
