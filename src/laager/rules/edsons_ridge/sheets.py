"""The sheets that only Edson's Ridge has: rules in force, Recon, Barrages and plots, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.campaign import Sheet, implements
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.sheets.records import table

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er


@implements("ER CHART CG Roster", "ER 1.521")
def recon(cg: Er) -> Sheet:
    """Return the Recon column of the roster: Locations by date, and which were inspected."""
    rows = []
    for (side, number), count in cg.state.recon.items():
        named = [at for who, at in cg.state.inspected.get(number, ()) if who == side]
        title = cg.card.dates[number - 1].title
        rows.append((title, cg.side(side).name, str(count), ", ".join(named)))
    return table("recon", "Recon", ("CG Date", "Side", "Recon", "Inspected"), rows)


@implements("ER CHART Bombardment sheet")
def plots(cg: Er) -> Sheet:
    """Return what has been plotted on each date: Bombardments and FPF Blast Areas."""
    rows = []
    for number, date in enumerate(cg.card.dates, 1):
        for one in cg.state.bombardments.get(number, ()):
            what = f"Bombardment, {one.mc}MC, immune: {', '.join(one.immune) or 'none'}"
            rows.append((date.title, cg.side(one.side).name, what, " and ".join(one.areas)))
        for barrage in cg.state.barrages.get(number, ()):
            what = f"FPF Barrage {barrage.number}"
            if barrage.placed:
                what += f", placed in turn {barrage.placed}"
                what += "" if barrage.accurate else ", in error"
            rows.append((date.title, cg.side(ALLIED).name, what, ", ".join(barrage.hexes)))
    return table("plots", "Plotting sheet", ("CG Date", "Side", "What", "Where"), rows)


def notes(cg: Er) -> Sheet:
    """Return what the viewer's side has noted of its pieces and Reserve Dummies."""
    rows = [(cg.state.units[name].label, text) for name, text in cg.state.notes_on.items() if name in cg.state.units]
    rows += [(f"Dummy of {group}", at) for (_, group), at in cg.state.dummies.items()]
    return table("notes", "Secret notes", ("What", "Noted"), rows)
