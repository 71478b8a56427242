"""The sequence of play: which step follows which (PL SEQ INITIAL, SEQ CYCLE, SEQ IDLE)."""

from __future__ import annotations

from laager.campaign import Step, one_after_the_other
from laager.rules.board.sequence import Sequences, merge_unbothered
from laager.rules.platoon_leader.buying import fortifications, leaders, oba, purchase, replenishment
from laager.rules.platoon_leader.firefight import beginning, determination, play, weather
from laager.rules.platoon_leader.patrols import patrols
from laager.rules.platoon_leader.redeployment import hidden, in_mlr, lines, redeployment
from laager.rules.platoon_leader.reorganization import (
    clearance,
    closing,
    consequences,
    disease,
    encirclement,
    end_of_battle,
    fires,
    melee,
    promotions,
    repairs,
    troops,
    vehicle_trouble,
)
from laager.rules.platoon_leader.report import report
from laager.rules.platoon_leader.setup import setup
from laager.rules.platoon_leader.state import Round

BUYING: tuple[Step, ...] = (
    weather.weather,
    one_after_the_other(
        "buying",
        "PL 2.3",
        "Purchases, OBA, leaders, fortifications",
        purchase.purchasing,
        oba.oba_ammunition,
        leaders.leader_determination,
        fortifications.fortifying,
    ),
    determination.determining,
)

FIGHTING: tuple[Step, ...] = (
    setup.setting_up,
    determination.second_dr,
    patrols.patrolling,
    play.bombardment,
    play.commencement,
    report.firefight_end,
)

SEQUENCES = Sequences(
    {
        Round.INITIAL: (beginning.beginning, beginning.initial_control, *BUYING, *FIGHTING),
        Round.NEW: (replenishment.cp_replenishment, *BUYING, in_mlr.redeploy_in_mlr, *FIGHTING),
        Round.REORGANIZATION: (
            end_of_battle.casualties,
            end_of_battle.climbing,
            melee.close_combat,
            end_of_battle.automatic_rally,
            end_of_battle.marker_removal,
            end_of_battle.dismounting,
            encirclement.encircled_units,
            vehicle_trouble.vehicles_in_trouble,
            vehicle_trouble.shock,
            lines.redeployment_phase,
            redeployment.in_enemy_mlr,
            redeployment.isolated,
            redeployment.in_uncontrolled_terrain,
            redeployment.in_no_mans_land,
            hidden.concealment_lost,
            redeployment.prisoners_removed,
            redeployment.vehicles_left_behind,
            hidden.hidden_units,
            lines.final_positions,
            fires.fires,
            fires.burning_wrecks,
            consequences.evacuation,
            consequences.tvp_award,
            consequences.clearance_of_mlr,
            disease.disease,
            merge_unbothered(
                "troops",
                "Regrouping, heroes, promotions, leaders",
                troops.regrouping,
                troops.heroes,
                last=(promotions.promotions, promotions.leader_generation),
            ),
            repairs.repairs,
            repairs.stun_and_recall,
            closing.elr_change,
            closing.san_adjustment,
            clearance.fortification_clearance,
            closing.closing_reorganization,
        ),
        Round.IDLE: (
            closing.idle_firefight,
            disease.disease,
            repairs.repairs,
            repairs.stun_and_recall,
            clearance.fortification_clearance,
            closing.closing_idle,
        ),
        Round.OVER: (),
    }
)
