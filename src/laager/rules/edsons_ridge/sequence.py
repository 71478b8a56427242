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
from laager.rules.board.hasl.scenario import beginning, ending, levels, play, points, weather
from laager.rules.board.hasl.setup import setup
from laager.rules.board.hasl.state import Round
from laager.rules.board.sequence import Sequences, merge_for_each_side, retitle
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

# 1.501 to 1.511: what the scenario has left
SETTLING: tuple[Step, ...] = (
    course.end_of_scenario(
        melee=retitle("ER 1.501", "Melee", end.melee),
        markers=retitle("ER 1.502", "Markers", end.marker_removal),
        rally=retitle("ER 1.503", "Rally and unloading", end.rally_and_unloading),
        end=retitle("ER 1.5231", "End of the campaign", ending.campaign_end),
        encirclement=retitle("ER 1.504", "Encirclement, minefields, Bog, Shock", end.encirclement),
        setup_areas=retitle("ER 1.505", "Setup Areas", areas.setup_areas),
    ),
    retitle("ER 1.505", "Isolated units and Escape", escape.escape),
    course.after_areas(
        isolated.shortage_over,
        retitle("ER 1.506", "Encircled markers", end.encircled_removal),
        possession=retitle("ER 1.507", "Equipment", equipment.equipment_possession),
        captives=retitle("ER 1.508", "Prisoners", prisoners.prisoners),
        fires=retitle("ER 1.509", "Blazes", blazes.blazes),
        troops=(
            retitle("ER 1.510", "Wounded leaders", leaders.wounded_leaders),
            retitle("ER 1.511", "Recombining and hardening", leaders.recombining_and_hardening),
        ),
    ),
)

# 1.512 to 1.525: the next CG Date
WEATHER = retitle("ER 1.517", "Weather and Moon", weather.weather)

BUYING = one_after_the_other(
    "buying",
    "ER 1.518",
    "Purchases, strength and leaders, Fortifications, Recon",
    retitle("ER 1.518", "Purchasing RGs", purchase.purchasing),
    retitle("ER 1.519", "Strength, SW, leaders", strength.strength_weapons_leaders),
    retitle("ER 1.520", "Fortifications", fortifications.fortifying),
    paths.jungle_paths,
    recon.recon,
)

COMMENCING: tuple[Step, ...] = (
    fpf.blast_areas_recorded,
    paths.paths_revealed,
    reserves.holding_boxes,
    retitle("ER 1.5232", "Setup", setup.setting_up),
    merge_for_each_side("works-noted", "Upgrades, set DC", works.upgrades, works.dc_noted),
    isolated.shortage,
    merge_for_each_side(
        "notes-after-setup",
        "Reserve counters, Pre-Registered hexes, secret status",
        reserves.reserve_counters,
        oba.registered_anew,
        notes.status_notes,
    ),
    recon.recon_inspection,
    bombardment.bombardments,
    retitle("ER 1.525", "Play", play.play),
    retitle("ER CG20", "Scenario report", report.scenario_report),
)

FROM_NEW_DATE: tuple[Step, ...] = (
    retitle("ER 1.512", "New CG Date", ending.new_date),
    reserves.old_reserves,
    retitle("ER 1.512", "SAN", levels.san_adjustment),
    course.shift_and_repair(
        retitle("ER 1.513", "Shift", shift.shift), retitle("ER 1.514", "Repair and replenishment", repair.repair)
    ),
    retitle("ER 1.515", "Groups that the OB gives", points.given_reinforcements),
    retitle("ER 1.516", "CPP", points.cpp_replenishment),
    WEATHER,
    BUYING,
    initiative.initiative,
    *COMMENCING,
)

SEQUENCES = Sequences(
    {
        Round.INITIAL: (
            retitle("ER CHART CG listing", "The campaign begins", beginning.beginning),
            WEATHER,
            BUYING,
            *COMMENCING,
        ),
        Round.REFIT: (*SETTLING, *FROM_NEW_DATE),
        Round.IDLE: FROM_NEW_DATE,
        Round.OVER: (),
    },
    optional=frozenset({"escape", "san-adjustment", "shift", "repair", "given-reinforcements", "status-notes"}),
)
"""The steps of each round, in the order of their numbers."""
