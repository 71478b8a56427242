"""What a side needs on paper to set up: the order, its ground, where each unit can go.

For the side itself and the umpire.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from laager.campaign import Sheet
from laager.rules.board.context import CardContext
from laager.rules.board.setup.plan import BoardSetting
from laager.rules.board.sheets.records import make_sheet, sees_secrets, strength, unit_name
from laager.rules.board.units import Unit

OPEN = "not yet determined"


def setup_sheets(
    setting: BoardSetting,
    order: Iterable[tuple[str, str]],
    ground: Iterable[tuple[str, str]],
    group_name: Callable[[Unit], str],
    right: Callable[[Unit], str],
) -> tuple[Sheet, ...]:
    """Return the sheets by which a side sets up; none for viewers from whom its units are secret.

    `group_name` is what the card calls a unit's group, `right` where the unit can go.
    """
    cg, side = setting.cg, setting.side
    if not sees_secrets(cg.state, side):
        return ()
    units = (
        (
            unit.id,
            unit_name(unit),
            unit.kind,
            f"{unit.group}  {name}" if (name := group_name(unit)) else unit.group,
            unit.at if unit.on_map and unit.at else "",
            right(unit),
            "yes" if unit.id in setting.by_id and unit.id not in setting.bound else "",
        )
        for unit in cg.state.units_of(side)
    )
    heads = ("ID", "Unit", "Kind", "Group", "At", "May", "Sets up")
    works = ((fort.id, strength(fort)) for fort in (*setting.forts, *setting.hip))
    return (
        make_sheet("setup-order", "Order", ("", ""), order, (), side),
        make_sheet("setup-ground", "Where", ("What", "Hexes"), ground, (), side),
        make_sheet("setup-units", "Units", heads, units, (), side),
        make_sheet("setup-works", "Fortifications to place", ("ID", "What"), works, (), side),
    )


def first_rows(cg: CardContext, sets_up: str, moves: str) -> Iterator[tuple[str, str]]:
    """Yield who sets up first and who moves first."""
    for title, who in (("Sets up first", sets_up), ("Moves first", moves)):
        yield title, cg.side(who).name if who else OPEN
