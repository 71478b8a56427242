"""The sheets that only Edson's Ridge has: rules in force, Recon, Barrages and plots, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.campaign import Sheet, implements
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.sheets.records import make_sheet

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er


@implements("ER CHART CG Roster", "ER 1.521")
def recon_sheet(cg: Er) -> Sheet:
    """Return the Recon column of the roster: Locations by date, and which were inspected."""
    rows = []
    for (side, number), count in cg.state.recon.items():
        inspected = [at for who, at in cg.state.inspected.get(number, ()) if who == side]
        title = cg.card.dates[number - 1].title
        rows.append((title, cg.side(side).name, str(count), ", ".join(inspected)))
    return make_sheet("recon", "Recon", ("CG Date", "Side", "Recon", "Inspected"), rows)


@implements("ER CHART Bombardment sheet")
def plotting_sheet(cg: Er) -> Sheet:
    """Return what has been plotted on each date: Bombardments and FPF Blast Areas."""
    rows = []
    for number, date in enumerate(cg.card.dates, 1):
        for bombardment in cg.state.bombardments.get(number, ()):
            rows.append(
                (
                    date.title,
                    cg.side(bombardment.side).name,
                    f"Bombardment, {bombardment.mc}MC, immune: {', '.join(bombardment.immune) or 'none'}",
                    " and ".join(bombardment.areas),
                )
            )
        for barrage in cg.state.barrages.get(number, ()):
            text = f"FPF Barrage {barrage.number}"
            if barrage.placed:
                text += f", placed in turn {barrage.placed}"
                text += "" if barrage.accurate else ", in error"
            rows.append((date.title, cg.side(ALLIED).name, text, ", ".join(barrage.hexes)))
    return make_sheet("plots", "Plotting sheet", ("CG Date", "Side", "What", "Where"), rows)


def notes_sheet(cg: Er) -> Sheet:
    """Return what the viewer's side has noted of its pieces and Reserve Dummies."""
    rows = [(cg.state.units[name].label, text) for name, text in cg.state.notes_on.items() if name in cg.state.units]
    rows += [(f"Dummy of {group}", at) for (_, group), at in cg.state.dummies.items()]
    return make_sheet("notes", "Secret notes", ("What", "Noted"), rows)
