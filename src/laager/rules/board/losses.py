"""Losses of vehicles with all that is on them."""

from __future__ import annotations

from collections.abc import Iterator

from laager.campaign import Fact
from laager.rules.board.changes import carried_by, eliminate, gone
from laager.rules.board.context import CardContext
from laager.rules.board.units import Place, Unit


def vehicle_lost(cg: CardContext, unit: Unit, why: str) -> Iterator[Fact]:
    """A vehicle becomes a wreck without crew survival; who and what is on it is lost too."""
    for item in list(carried_by(cg, unit)):
        for load in list(carried_by(cg, item)):
            yield from gone(cg, load, Place.ELIMINATED, f"on {unit.type}: {why}")
        yield from gone(cg, cg.state.units[item.id], Place.ELIMINATED, f"on {unit.type}: {why}")
    yield from eliminate(cg, cg.state.units[unit.id], why)
