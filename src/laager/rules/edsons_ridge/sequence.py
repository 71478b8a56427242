"""The sequence of play: the Initial Scenario, the Refit Phase, what is left after an Idle Date."""

from __future__ import annotations

from laager.campaign import Step, implements, together
from laager.rules.board.hasl.buying import fortifications, purchase, strength
from laager.rules.board.hasl.refit import areas, blazes, end, equipment, escape, leaders, prisoners, repair, shift
from laager.rules.board.hasl.report import report
from laager.rules.board.hasl.scenario import beginning, ending, levels, play, points, weather
from laager.rules.board.hasl.sequence import Sequences, carried_out
from laager.rules.board.hasl.setup import setup
from laager.rules.board.hasl.state import Round
from laager.rules.edsons_ridge.steps import (
    bombardment,
    fpf,
    initiative,
    isolated,
    notes,
    oba,
    paths,
    recon,
    reserves,
    works,
)

BEGINNING = carried_out(
    "ER CHART CG listing",
    "The campaign begins",
    beginning.beginning,
    also=("ER 1.3", "ER CG1", "ER CHART CG dates", "ER CHART Entry areas", "ER CG3"),
)

# 1.501 to 1.511: what the scenario has left ----------------------------------------------------

SETTLING: tuple[Step, ...] = (
    carried_out("ER 1.501", "Melee", end.melee),
    carried_out("ER 1.502", "Markers", end.marker_removal, also=("ER CG14(1)",)),
    carried_out("ER 1.503", "Rally and unloading", end.rally_and_unloading),
    carried_out("ER 1.5231", "End of the campaign", ending.campaign_end),
    carried_out("ER 1.504", "Encirclement, minefields, Bog, Shock", end.encirclement),
    carried_out(
        "ER 1.505",
        "Setup Areas",
        areas.setup_areas,
        edition=2,
        also=("ER GEO-3", "ER 1.2 Setup Area", "ER 1.2 Isolated"),
    ),
    carried_out(
        "ER 1.505", "Isolated units and Escape", escape.escape, edition=2, each_side=True, also=("ER 1.2 Escape",)
    ),
    carried_out("ER 1.523211", "End of Ammunition Shortage", isolated.shortage_over),
    carried_out("ER 1.506", "Encircled markers", end.encircled_removal),
    carried_out("ER 1.507", "Equipment", equipment.equipment_possession, also=("ER 1.5071",)),
    carried_out("ER 1.508", "Prisoners", prisoners.prisoners, also=("ER CG4",)),
    carried_out("ER 1.509", "Blazes", blazes.blazes, also=("ER 1.5091", "ER CG14(2)")),
    carried_out("ER 1.510", "Wounded leaders", leaders.wounded_leaders),
    carried_out("ER 1.511", "Recombining and hardening", leaders.recombining_and_hardening),
)

# 1.512 to 1.525: the next CG Date -----------------------------------------------------------------

WEATHER = carried_out("ER 1.517", "Weather and Moon", weather.weather, also=("ER CG3", "ER CG5a"))

BUYING = together(
    "buying",
    "ER 1.518",
    "Purchases, strength and leaders, Fortifications, Recon",
    carried_out(
        "ER 1.518",
        "Purchasing RGs",
        purchase.purchasing,
        also=(
            *("ER 1.5181", "ER 1.5182", "ER 1.5183", "ER 1.5184", "ER 1.5185", "ER 1.5186"),
            *("ER CHART RG charts", "ER 1.5188", "ER 1.5188 Setup Area/Entry ID"),
            *("ER 1.5188 CG Date", "ER 1.5188 RG ID", "ER 1.5188 Group Type"),
            *("ER 1.5188 #P", "ER 1.5188 #R", "ER CG7"),
        ),
    ),
    carried_out(
        "ER 1.519",
        "Strength, SW, leaders",
        strength.strength_weapons_leaders,
        also=(
            *("ER 1.5191", "ER 1.5192", "ER 1.5193", "ER 1.5193 Secrecy", "ER 1.5188 Str"),
            *("ER 1.5188 # Units", "ER 1.5188 SW Received"),
        ),
    ),
    carried_out("ER 1.520", "Fortifications", fortifications.fortifying, also=("ER 1.520 Note b",)),
    carried_out("ER CG16", "Jungle Paths", paths.jungle_paths),
    carried_out("ER 1.521", "Recon", recon.recon),
)

COMMENCING: tuple[Step, ...] = (
    carried_out("ER CG18", "FPF Blast Areas", fpf.blast_areas_recorded),
    carried_out("ER CG16", "Jungle Paths shown", paths.paths_revealed),
    carried_out("ER CG7a", "Holding Boxes", reserves.holding_boxes, edition=2, each_side=True),
    carried_out(
        "ER 1.5232",
        "Setup",
        setup.setting_up,
        edition=2,
        also=(
            *("ER 1.52321", "ER 1.52322", "ER 1.5071", "ER CG7(2)", "ER CG7(4)", "ER CG7(5)"),
            *("ER CG8", "ER CG10", "ER CG12(1)", "ER CG12(2)", "ER CG12(3)", "ER CG13", "ER GEO-11"),
            "ER 1.520 Note g",
        ),
    ),
    carried_out("ER 1.520 Note a", "Upgrades", works.upgrades, each_side=True, edition=2),
    carried_out("ER 1.520 Note g", "Set DC", works.dc_noted, each_side=True, edition=2),
    carried_out("ER 1.52321", "Ammunition Shortage", isolated.shortage),
    carried_out("ER CG7a", "Reserve counters", reserves.reserve_counters, edition=2, each_side=True),
    carried_out("ER CG12(3)", "Pre-Registered hexes", oba.registered_anew, each_side=True, edition=2),
    carried_out("ER CG9", "Secret status", notes.status_notes, each_side=True),
    carried_out("ER 1.524", "Recon inspection", recon.recon_inspection),
    carried_out("ER CG15", "Bombardment", bombardment.bombardments),
    carried_out("ER 1.525", "Play", play.play, also=("ER CG21", "ER CHART CVP/VP Tally", "ER 1.5231")),
    carried_out(
        "ER CG20",
        "Scenario report",
        report.scenario_report,
        edition=2,
        also=("ER CG7(3)", "ER CG19", "ER CG14", "ER CG14(3)"),
    ),
)

FROM_NEW_DATE: tuple[Step, ...] = (
    carried_out("ER 1.512", "New CG Date", ending.new_date, also=("ER CHART CG dates",)),
    carried_out("ER CG7b", "Reserves of the last date", reserves.old_reserves, each_side=True),
    carried_out("ER 1.512", "SAN", levels.san_adjustment, each_side=True, also=("ER 1.5122",)),
    carried_out("ER 1.513", "Shift", shift.shift, edition=2, each_side=True),
    carried_out("ER 1.514", "Repair and replenishment", repair.repair, each_side=True, edition=2),
    carried_out("ER 1.515", "Groups that the OB gives", points.given_reinforcements),
    carried_out("ER 1.516", "CPP", points.cpp_replenishment, each_side=True),
    WEATHER,
    BUYING,
    carried_out("ER 1.522", "Initiative", initiative.initiative, also=("ER 1.5221", "ER 1.5222", "ER 1.5223")),
    *COMMENCING,
)

SEQUENCES = Sequences(
    {
        Round.INITIAL: (BEGINNING, WEATHER, BUYING, *COMMENCING),
        Round.REFIT: (*SETTLING, *FROM_NEW_DATE),
        Round.IDLE: FROM_NEW_DATE,
        Round.OVER: (),
    },
    optional=frozenset({"escape", "san-adjustment", "shift", "repair", "given-reinforcements", "status-notes"}),
)
"""The steps of each round, in the order of their numbers."""


@implements("ER 1.523")
def sequences() -> Sequences:
    """Return the steps of the campaign, those of scenario commencement in their order."""
    return SEQUENCES
