"""The sequence of play of a campaign that data describe: the Initial Scenario, the Refit Phase, an Idle Date."""

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
from laager.rules.board.sequence import Sequences

BUYING = one_after_the_other(
    "buying",
    "HASL 20",
    "Purchases, strength and leaders, fortifications",
    purchase.purchasing,
    strength.strength_weapons_leaders,
    fortifications.fortifying,
)

WEIGHING: tuple[Step, ...] = (levels.ammunition_shortage, levels.elr_change)

PLAYING: tuple[Step, ...] = (weather.weather, setup.setting_up, play.play, report.scenario_report)

SETTLING: tuple[Step, ...] = (
    course.end_of_scenario(
        melee=end.melee,
        markers=end.marker_removal,
        rally=end.rally_and_unloading,
        end=ending.campaign_end,
        encirclement=end.encirclement,
        setup_areas=areas.setup_areas,
    ),
    escape.escape,
    course.after_areas(
        end.encircled_removal,
        possession=equipment.equipment_possession,
        captives=prisoners.prisoners,
        fires=blazes.blazes,
        troops=(leaders.wounded_leaders, leaders.recombining_and_hardening),
    ),
)

FROM_NEW_DATE: tuple[Step, ...] = (
    ending.new_date,
    levels.san_adjustment,
    course.shift_and_repair(shift.shift, repair.repair),
    points.given_reinforcements,
    points.cpp_replenishment,
    points.exhaustion,
    BUYING,
    *WEIGHING,
    initiative.sudden_death,
    initiative.initiative,
    *PLAYING,
)

SEQUENCES = Sequences(
    {
        Round.INITIAL: (beginning.beginning, points.exhaustion, BUYING, *WEIGHING, *PLAYING),
        Round.REFIT: (*SETTLING, *FROM_NEW_DATE),
        Round.IDLE: FROM_NEW_DATE,
        Round.OVER: (),
    },
    optional=frozenset(
        {
            "encirclement",
            "escape",
            "encircled-removal",
            "prisoners",
            "blazes",
            "wounded-leaders",
            "recombining-and-hardening",
            "san-adjustment",
            "shift",
            "repair",
            "given-reinforcements",
            "exhaustion",
            "ammunition-shortage",
            "elr-change",
            "sudden-death",
        }
    ),
)
