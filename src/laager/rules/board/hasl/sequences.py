"""The sequence of play of a campaign told by data: which step follows which."""

from __future__ import annotations

from laager.campaign import Step, together
from laager.rules.board.hasl.buying import fortifications, purchase, strength
from laager.rules.board.hasl.refit import areas, blazes, end, equipment, escape, leaders, prisoners, repair, shift
from laager.rules.board.hasl.report import report
from laager.rules.board.hasl.scenario import beginning, ending, initiative, levels, play, points, weather
from laager.rules.board.hasl.sequence import Sequences, carried_out
from laager.rules.board.hasl.setup import setup
from laager.rules.board.hasl.state import Round

BUYING = together(
    "buying",
    "HASL 20",
    "Purchases, strength and leaders, fortifications",
    carried_out("HASL 20", "Purchases", purchase.purchasing, also=("HASL 7",)),
    carried_out("HASL 21", "Strength, SW, leaders", strength.strength_weapons_leaders, also=("HASL 22",)),
    carried_out("HASL 23", "Fortifications", fortifications.fortifying),
)

EXHAUSTION = carried_out("HASL 19", "Campaign Exhaustion", points.exhaustion)

WEIGHING: tuple[Step, ...] = (
    carried_out("HASL 24", "Ammunition Shortage", levels.ammunition_shortage, each_side=True),
    carried_out("HASL 24", "ELR loss or gain", levels.elr_change, each_side=True),
)

PLAYING: tuple[Step, ...] = (
    carried_out("HASL 27", "Weather", weather.weather),
    carried_out("HASL 28", "Setup", setup.setting_up, edition=2, also=("HASL 29",)),
    carried_out("HASL 30", "Play", play.play, also=("HASL 26",)),
    carried_out("HASL 12", "Report on the scenario", report.scenario_report, edition=2),
)

SETTLING: tuple[Step, ...] = (
    carried_out("HASL 11", "Conclusion of Melee", end.melee, also=("HASL 10",)),
    carried_out("HASL 11", "Marker removal", end.marker_removal),
    carried_out("HASL 11", "Rally and unloading", end.rally_and_unloading),
    carried_out("HASL 31", "End of the campaign", ending.campaign_end),
    carried_out("HASL 11", "Encirclement, Minefields, Bog, Shock", end.encirclement),
    carried_out("HASL 5", "Setup Areas", areas.setup_areas, edition=2, also=("HASL 6", "HASL 8", "HASL 13")),
    carried_out("HASL 13", "Isolated units and Escape", escape.escape, edition=2, each_side=True),
    carried_out("HASL 11", "Encircled markers off", end.encircled_removal),
    carried_out("HASL 14", "Equipment possession", equipment.equipment_possession),
    carried_out("HASL 14", "Prisoners", prisoners.prisoners),
    carried_out("HASL 15", "Flames and Blazes", blazes.blazes),
    carried_out("HASL 15", "Wounded leaders", leaders.wounded_leaders),
    carried_out("HASL 15", "Recombining and hardening", leaders.recombining_and_hardening),
)

FROM_NEW_DATE: tuple[Step, ...] = (
    carried_out("HASL 16", "New CG Date", ending.new_date, also=("HASL 2",)),
    carried_out("HASL 16", "SAN adjustment", levels.san_adjustment, each_side=True),
    carried_out("HASL 17", "Shift", shift.shift, edition=2, each_side=True),
    carried_out("HASL 18", "Repair and replenishment", repair.repair, each_side=True, edition=2),
    carried_out("HASL 18", "What the OB gives", points.given_reinforcements),
    carried_out("HASL 19", "CPP", points.cpp_replenishment, each_side=True),
    EXHAUSTION,
    BUYING,
    *WEIGHING,
    carried_out("HASL 31", "Sudden Death", initiative.sudden_death),
    carried_out("HASL 25", "Initiative", initiative.initiative, also=("HASL 26",)),
    *PLAYING,
)

SEQUENCES = Sequences(
    {
        Round.INITIAL: (
            carried_out("HASL 4", "The campaign begins", beginning.beginning, also=("HASL 1", "HASL 3")),
            EXHAUSTION,
            BUYING,
            *WEIGHING,
            *PLAYING,
        ),
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
