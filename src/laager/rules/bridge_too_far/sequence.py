"""The sequence of play: the Initial Scenario, the Refit Phase, what is left after an Idle Date."""

from __future__ import annotations

from laager.campaign import Step, together
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
from laager.rules.board.sequence import Sequences, under
from laager.rules.bridge_too_far.steps import headquarters, oba, records, shortage, wounded

# 9.601 to 9.611: what the scenario has left
SETTLING: tuple[Step, ...] = (
    course.end_of_scenario(
        wounded.walking_wounded_box,
        melee=under("ABtF 9.601", "Conclusion of Melee", end.melee),
        markers=oba.marker_removal,
        rally=under("ABtF 9.603", "Rally and Unloading", end.rally_and_unloading),
        end=under("ABtF 9.2 CG End", "End of the campaign", ending.campaign_end),
        encirclement=under("ABtF 9.604", "Encirclement, Minefields, Bog, and Shock", end.encirclement),
        setup_areas=under("ABtF 9.605", "Setup Area Determination", areas.setup_areas),
    ),
    under("ABtF 9.6054", "Isolated units and Escape", escape.escape),
    course.after_areas(
        under("ABtF 9.606", "Encircled-Marker Removal", end.encircled_removal),
        possession=under("ABtF 9.607", "Possession; hidden Fortifications", equipment.equipment_possession),
        captives=under("ABtF 9.608", "Prisoners", prisoners.prisoners),
        fires=under("ABtF 9.609", "Extinguishing Flames and Blazes", blazes.blazes),
        troops=(
            under("ABtF 9.610", "Wounded Leaders", leaders.wounded_leaders),
            wounded.walking_wounded,
            under("ABtF 9.611", "Recombining and Battle Hardening", leaders.recombining_and_hardening),
        ),
    ),
)

# 9.612 to 9.621: the next CG Date
EXHAUSTION = under("ABtF 9.6162", "Campaign Exhaustion", points.exhaustion)

BUYING = together(
    "buying",
    "ABtF 9.617",
    "Purchases, Strength, Weapons and Leaders, Fortifications",
    under("ABtF 9.617", "Purchasing RG", purchase.purchasing, edition=2),
    under("ABtF 9.618", "RG Strength, Weapons, Leaders, and Composition", strength.strength_weapons_leaders),
    records.optional_equipment,
    under("ABtF 9.619", "Purchasing Fortifications", fortifications.fortifying),
)

WEIGHING: tuple[Step, ...] = (shortage.ammunition_shortage, under("ABtF 9.6202", "ELR Loss/Gain", levels.elr_change))

COMMENCING: tuple[Step, ...] = (
    headquarters.headquarters,
    under("ABtF 9.6214", "Setting up", setup.setting_up),
    records.vehicle_status,
    under("ABtF 9.6216", "Weather", weather.weather),
    under("ABtF 9.621", "Play", play.play),
    under("ABtF 9.12", "Scenario report", report.scenario_report),
)

FROM_NEW_DATE: tuple[Step, ...] = (
    under("ABtF 9.612", "New CG Date", ending.new_date),
    under("ABtF 9.612", "SAN Adjustment", levels.san_adjustment),
    course.shift_and_repair(
        under("ABtF 9.613", "Shift", shift.shift),
        under("ABtF 9.614", "Equipment Repair and Replenishment", repair.repair),
    ),
    under("ABtF 9.615", "OB-Given Reinforcements", points.given_reinforcements),
    under("ABtF 9.616", "CPP Replenishment", points.cpp_replenishment),
    EXHAUSTION,
    BUYING,
    *WEIGHING,
    under("ABtF 9.6212", "Sudden Death Victory", initiative.sudden_death),
    under("ABtF 9.6213", "Initiative", initiative.initiative),
    *COMMENCING,
)

SEQUENCES = Sequences(
    {
        Round.INITIAL: (
            under("ABtF 9.5", "The campaign begins", beginning.beginning),
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
