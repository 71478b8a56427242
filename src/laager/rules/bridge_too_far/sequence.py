"""The sequence of play: the Initial Scenario, the Refit Phase, what is left after an Idle Date."""

from __future__ import annotations

from laager.campaign import Step, one_after_the_other
from laager.rules.board.hasl.buying import fortifications, purchase, strength
from laager.rules.board.hasl.refit import (
    areas,
    blazes,
    course,
    end,
    equipment,
    escape,
    leaders,
    prisoners,
    repair,
    shift,
)
from laager.rules.board.hasl.report import report
from laager.rules.board.hasl.scenario import beginning, ending, initiative, levels, play, points, weather
from laager.rules.board.hasl.setup import setup
from laager.rules.board.hasl.state import Round
from laager.rules.board.sequence import Sequences, retitle
from laager.rules.bridge_too_far.steps import headquarters, oba, records, shortage, wounded

# 9.601 to 9.611: what the scenario has left
SETTLING: tuple[Step, ...] = (
    course.end_of_scenario(
        wounded.walking_wounded_box,
        melee=retitle("ABtF 9.601", "Conclusion of Melee", end.melee),
        markers=oba.marker_removal,
        rally=retitle("ABtF 9.603", "Rally and Unloading", end.rally_and_unloading),
        end=retitle("ABtF 9.2 CG End", "End of the campaign", ending.campaign_end),
        encirclement=retitle("ABtF 9.604", "Encirclement, Minefields, Bog, and Shock", end.encirclement),
        setup_areas=retitle("ABtF 9.605", "Setup Area Determination", areas.setup_areas),
    ),
    retitle("ABtF 9.6054", "Isolated units and Escape", escape.escape),
    course.after_areas(
        retitle("ABtF 9.606", "Encircled-Marker Removal", end.encircled_removal),
        possession=retitle("ABtF 9.607", "Possession; hidden Fortifications", equipment.equipment_possession),
        captives=retitle("ABtF 9.608", "Prisoners", prisoners.prisoners),
        fires=retitle("ABtF 9.609", "Extinguishing Flames and Blazes", blazes.blazes),
        troops=(
            retitle("ABtF 9.610", "Wounded Leaders", leaders.wounded_leaders),
            wounded.walking_wounded,
            retitle("ABtF 9.611", "Recombining and Battle Hardening", leaders.recombining_and_hardening),
        ),
    ),
)

# 9.612 to 9.621: the next CG Date
EXHAUSTION = retitle("ABtF 9.6162", "Campaign Exhaustion", points.exhaustion)

BUYING = one_after_the_other(
    "buying",
    "ABtF 9.617",
    "Purchases, Strength, Weapons and Leaders, Fortifications",
    retitle("ABtF 9.617", "Purchasing RG", purchase.purchasing, edition=2),
    retitle("ABtF 9.618", "RG Strength, Weapons, Leaders, and Composition", strength.strength_weapons_leaders),
    records.optional_equipment,
    retitle("ABtF 9.619", "Purchasing Fortifications", fortifications.fortifying),
)

WEIGHING: tuple[Step, ...] = (shortage.ammunition_shortage, retitle("ABtF 9.6202", "ELR Loss/Gain", levels.elr_change))

COMMENCING: tuple[Step, ...] = (
    headquarters.headquarters,
    retitle("ABtF 9.6214", "Setting up", setup.setting_up),
    records.vehicle_status,
    retitle("ABtF 9.6216", "Weather", weather.weather),
    retitle("ABtF 9.621", "Play", play.play),
    retitle("ABtF 9.12", "Scenario report", report.scenario_report),
)

FROM_NEW_DATE: tuple[Step, ...] = (
    retitle("ABtF 9.612", "New CG Date", ending.new_date),
    retitle("ABtF 9.612", "SAN Adjustment", levels.san_adjustment),
    course.shift_and_repair(
        retitle("ABtF 9.613", "Shift", shift.shift),
        retitle("ABtF 9.614", "Equipment Repair and Replenishment", repair.repair),
    ),
    retitle("ABtF 9.615", "OB-Given Reinforcements", points.given_reinforcements),
    retitle("ABtF 9.616", "CPP Replenishment", points.cpp_replenishment),
    EXHAUSTION,
    BUYING,
    *WEIGHING,
    retitle("ABtF 9.6212", "Sudden Death Victory", initiative.sudden_death),
    retitle("ABtF 9.6213", "Initiative", initiative.initiative),
    *COMMENCING,
)

SEQUENCES = Sequences(
    {
        Round.INITIAL: (
            retitle("ABtF 9.5", "The campaign begins", beginning.beginning),
            EXHAUSTION,
            BUYING,
            *WEIGHING,
            *COMMENCING,
        ),
        Round.REFIT: (*SETTLING, *FROM_NEW_DATE),
        Round.IDLE: (headquarters.headquarters_on_idle_date, *FROM_NEW_DATE),
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
