"""The sequence of play: the Initial Scenario, the Refit Phase, what is left after an Idle Date."""

from __future__ import annotations

from laager.campaign import Step, implements, together
from laager.rules.board.hasl.buying import fortifications, purchase, strength
from laager.rules.board.hasl.refit import areas, blazes, end, equipment, escape, leaders, prisoners, repair, shift
from laager.rules.board.hasl.report import report
from laager.rules.board.hasl.scenario import beginning, ending, initiative, levels, play, points, weather
from laager.rules.board.hasl.sequence import Sequences, carried_out
from laager.rules.board.hasl.setup import setup
from laager.rules.board.hasl.state import Round
from laager.rules.bridge_too_far.steps import headquarters, oba, records, shortage, wounded

BEGINNING = carried_out(
    "ABtF 9.5",
    "The campaign begins",
    beginning.beginning,
    also=(
        "ABtF 9.2 Initial Scenario",
        "ABtF 9.31",
        "ABtF 9.5a",
        "ABtF 9.5b",
        "ABtF 9.51",
        "ABtF 9.52",
        "ABtF 9.53",
        "ABtF CG1",
        "ABtF CHART Block map",
    ),
)

# 9.601 to 9.611: what the scenario has left ----------------------------------------------------

SETTLING: tuple[Step, ...] = (
    carried_out("ABtF CG19a", "Walking Wounded box", wounded.walking_wounded_box),
    carried_out("ABtF 9.601", "Conclusion of Melee", end.melee),
    carried_out("ABtF 9.602", "Marker Removal", oba.marker_removal, also=("ABtF CG7", "ABtF CG10b")),
    carried_out("ABtF 9.603", "Rally and Unloading", end.rally_and_unloading, also=("ABtF 9.2 CG Scenario End",)),
    carried_out("ABtF 9.2 CG End", "End of the campaign", ending.campaign_end),
    carried_out("ABtF 9.604", "Encirclement, Minefields, Bog, and Shock", end.encirclement),
    carried_out(
        "ABtF 9.605",
        "Setup Area Determination",
        areas.setup_areas,
        edition=2,
        also=("ABtF 9.6053", "ABtF GEO-4", "ABtF GEO-12", "ABtF 9.2 Strategic Location"),
    ),
    carried_out(
        "ABtF 9.6054",
        "Isolated units and Escape",
        escape.escape,
        edition=2,
        each_side=True,
        also=("ABtF 9.2 Escape", "ABtF 9.6053"),
    ),
    carried_out("ABtF 9.606", "Encircled-Marker Removal", end.encircled_removal),
    carried_out(
        "ABtF 9.607", "Possession; hidden Fortifications", equipment.equipment_possession, also=("ABtF 9.2 Equipment",)
    ),
    carried_out("ABtF 9.608", "Prisoners", prisoners.prisoners),
    carried_out("ABtF 9.609", "Extinguishing Flames and Blazes", blazes.blazes),
    carried_out("ABtF 9.610", "Wounded Leaders", leaders.wounded_leaders),
    carried_out("ABtF 9.6102", "Walking Wounded arrive", wounded.walking_wounded),
    carried_out("ABtF 9.611", "Recombining and Battle Hardening", leaders.recombining_and_hardening),
)

# 9.612 to 9.621: the next CG Date -----------------------------------------------------------------

BUYING = together(
    "buying",
    "ABtF 9.617",
    "Purchases, Strength, Weapons and Leaders, Fortifications",
    carried_out(
        "ABtF 9.617",
        "Purchasing RG",
        purchase.purchasing,
        edition=2,
        also=("ABtF 9.2 CPP", "ABtF 9.2 RG", "ABtF CHART RG charts"),
    ),
    carried_out(
        "ABtF 9.618",
        "RG Strength, Weapons, Leaders, and Composition",
        strength.strength_weapons_leaders,
        also=("ABtF 9.6181", "ABtF 9.6183", "ABtF 9.2 Strength", "ABtF 9.2 Full Strength", "ABtF 9.2 Depleted"),
    ),
    carried_out("ABtF CG15", "Optional equipment of vehicles", records.optional_equipment),
    carried_out("ABtF 9.619", "Purchasing Fortifications", fortifications.fortifying, also=("ABtF 9.2 FPP",)),
)

WEIGHING: tuple[Step, ...] = (
    carried_out("ABtF 9.6201", "British Ammunition Shortage", shortage.ammunition_shortage, also=("ABtF 9.620",)),
    carried_out("ABtF 9.6202", "ELR Loss/Gain", levels.elr_change, each_side=True),
)

COMMENCING: tuple[Step, ...] = (
    carried_out("ABtF CG23", "British Headquarters", headquarters.headquarters),
    carried_out(
        "ABtF 9.6214",
        "Setting up",
        setup.setting_up,
        edition=2,
        also=("ABtF CG5d", "ABtF CG6d", "ABtF CG8", "ABtF CG12"),
    ),
    carried_out(
        "ABtF CG18", "Secret status of vehicles and Guns", records.vehicle_status, each_side=True, also=("ABtF CG16",)
    ),
    carried_out("ABtF 9.6216", "Weather", weather.weather, also=("ABtF CG3", "ABtF CG24a")),
    carried_out("ABtF 9.621", "Play", play.play, also=("ABtF CG4",)),
    carried_out(
        "ABtF 9.12", "Scenario report", report.scenario_report, edition=2, also=("ABtF 9.2 Eliminated", "ABtF 6.3")
    ),
)


EXHAUSTION = carried_out(
    "ABtF 9.6162", "Campaign Exhaustion", points.exhaustion, also=("ABtF 9.2 Campaign Exhaustion DRM",)
)

FROM_NEW_DATE: tuple[Step, ...] = (
    carried_out("ABtF 9.612", "New CG Date", ending.new_date, also=("ABtF 9.2 CG Date",)),
    carried_out("ABtF 9.612", "SAN Adjustment", levels.san_adjustment, each_side=True),
    carried_out("ABtF 9.613", "Shift", shift.shift, edition=2, each_side=True, also=("ABtF 9.2 Shift", "ABtF CG10c")),
    carried_out("ABtF 9.614", "Equipment Repair and Replenishment", repair.repair, each_side=True, edition=2),
    carried_out("ABtF 9.615", "OB-Given Reinforcements", points.given_reinforcements),
    carried_out("ABtF 9.616", "CPP Replenishment", points.cpp_replenishment, each_side=True),
    EXHAUSTION,
    BUYING,
    *WEIGHING,
    carried_out("ABtF 9.6212", "Sudden Death Victory", initiative.sudden_death),
    carried_out("ABtF 9.6213", "Initiative", initiative.initiative, also=("ABtF 9.62132", "ABtF 9.2 Idle Date")),
    *COMMENCING,
)

SEQUENCES = Sequences(
    {
        Round.INITIAL: (BEGINNING, EXHAUSTION, BUYING, *WEIGHING, *COMMENCING),
        Round.REFIT: (*SETTLING, *FROM_NEW_DATE),
        Round.IDLE: (
            carried_out("ABtF CG23", "British Headquarters", headquarters.headquarters_on_idle_date),
            *FROM_NEW_DATE,
        ),
        Round.OVER: (),
    },
    optional=frozenset(
        {
            "escape",
            "san-adjustment",
            "shift",
            "repair",
            "given-reinforcements",
            "exhaustion",
            "ammunition-shortage",
            "elr-change",
            "sudden-death",
            "vehicle-status",
        }
    ),
)
"""The steps of each round, in the order of their numbers."""


@implements("ABtF 9.6", "ABtF 9.11", "ABtF 9.3", "ABtF 9.2 RePh")
def sequences() -> Sequences:
    """Return the steps of the campaign: each scenario but the first comes out of a Refit Phase."""
    return SEQUENCES
