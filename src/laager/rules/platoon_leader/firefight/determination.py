"""Firefight determination: what is announced, and what kind of firefight follows (PL 2.4)."""

from __future__ import annotations

from dataclasses import dataclass

from laager.campaign import Procedure, implements, roll, step
from laager.dice import Dice
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.facts import Noted
from laager.rules.platoon_leader.card.card import Night
from laager.rules.platoon_leader.charts import FirefightType
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.facts import FirefightDetermined, MoverDecided, RoundBegun
from laager.rules.platoon_leader.state import Round, Type

ROLLED = "rolled"
"""What the chart of firefight types says where a dr decides."""

TYPES = {
    "idle": Type.IDLE,
    "axis-assault": Type.AXIS_ASSAULT,
    "allied-assault": Type.ALLIED_ASSAULT,
    "dual-attack": Type.DUAL_ATTACK,
}
"""The types of the chart as the roster has them."""


@step("PL 2.4", "Firefight determination", also=("PL 2.41", "PL 2.41 Dual Attack", "PL 2.41 Idle Firefight"))
def determining(cg: Cg) -> Procedure[None]:
    """Announce ELR, SAN and Attack Options of both sides at once; the type follows from them."""
    kind = firefight_type(cg)
    first: str = kind.sets_up_first or ""
    why = ", ".join(announcement(cg, side) for side in SIDES)
    if first == ROLLED:
        first, how = yield from _which_side(cg, "Who sets up first")
        why = f"{why}; {how}: {cg.side(first).name} set up first"
    yield FirefightDetermined(
        type=TYPES[kind.type],
        elr={side: cg.state.side(side).elr for side in SIDES},
        san={side: cg.state.side(side).san for side in SIDES},
        attacked={side: cg.state.side(side).attack for side in SIDES},
        attacker=kind.attackers[0] if len(kind.attackers) == 1 else "",
        sets_up_first=first,
        moves_first="" if kind.moves_first in (None, ROLLED) else kind.moves_first,
        why=why,
    )
    if kind.type == "idle":
        yield RoundBegun(round=Round.IDLE, why="neither side has the Attack Option: no firefight is played")
        return
    conditions = night_conditions(cg)
    if conditions is not None:
        rule = "PL 2.421" if conditions.dual else "PL 2.42"
        yield Noted(text=conditions.in_words(cg), rule=rule)


@step("PL 2.41 Dual Attack", "Who moves first")
def second_dr(cg: Cg) -> Procedure[None]:
    """After all setup of a Dual Attack, another dr: who moves first, and so is the attacker."""
    if cg.state.fight.type is not Type.DUAL_ATTACK:
        return
    first, how = yield from _which_side(cg, "Who moves first")
    yield MoverDecided(side=first, why=f"{how}: {cg.side(first).name} move first")


def _which_side(cg: Cg, label: str) -> Procedure[tuple[str, str]]:
    """Make an open dr between the sides; returns the side and how that came about."""
    rolled = yield from roll(cg.card.attacking_side, label, Dice.dr, rule="PL 2.41 Dual Attack", table="dual-attack")
    return str(cg.table("dual-attack").result(rolled.final)), f"dr {rolled.final}"


@implements("PL 2.41", "PL 2.41 Axis Assault", "PL 2.41 Allied Assault", "PL 1.4 Idle")
def firefight_type(cg: Cg) -> FirefightType:
    """Return the type of firefight that follows from the Attack Options of both sides."""
    return cg.charts.firefights.of([side for side in SIDES if cg.state.side(side).attack])


@implements("PL 2.4")
def announcement(cg: Cg, side: str) -> str:
    """Return what a side announces, as a sentence for both: `Germans ELR 3, SAN 3, attack`."""
    own = cg.state.side(side)
    option = "Attack Option" if own.attack else "no Attack Option"
    return f"{cg.side(side).name} ELR {own.elr}, SAN {own.san}, {option}"


# Night ------------------------------------------------------------------------------------------


MOONS = {"none": "no moon", "half": "half moon", "full": "full moon"}
"""What is said of the moon."""


@dataclass(frozen=True)
class NightConditions:
    """What a night firefight brings for the sides.

    `attackers` may use Cloaking and dismantle what they can while Cloaked; `defender` ("" in a
    Dual Attack) is bound by No Move counters.
    """

    night: Night
    attackers: tuple[str, ...]
    defender: str = ""

    @property
    def dual(self) -> bool:
        """True if both sides attack."""
        return not self.defender

    def in_words(self, cg: Cg) -> str:
        """Return the conditions as a sentence for both sides."""
        parts = [self._moon_in_words()]
        if self.night.note:
            parts.append(self.night.note.rstrip(". "))
        if self.dual:
            parts.append("Both sides are ATTACKERS and may use Cloaking; there are no No Move counters")
        else:
            attacker, defender = cg.side(self.attackers[0]).name, cg.side(self.defender).name
            parts.append(f"{attacker} attack: Cloaking, SW dismantled as far as possible meanwhile")
            parts.append(
                f"{defender} defend: No Move counters; no Bore-Sighted Fire Lanes if the attacker sets up on board"
            )
        return ". ".join(parts) + "."

    def _moon_in_words(self) -> str:
        # Logs have had these words since the first: they are a fact, and an audit compares them.
        nvr = self.night.base_nvr
        match self.night.moon:
            case "none":
                return f"Night: Base NVR {nvr}, moon: none"
            case "half":
                return f"Night: Base NVR {nvr}, moon: half"
            case _:
                return f"Night: Base NVR {nvr}, moon: full"


@implements("PL 2.42", "PL 2.421")
def night_conditions(cg: Cg) -> NightConditions | None:
    """Return the conditions of a night firefight by the Attack Options of both sides; None by day."""
    night = cg.slot.night
    attackers = tuple(side for side in SIDES if cg.state.side(side).attack)
    if night is None or not attackers:
        return None
    return NightConditions(night, attackers, other_side(attackers[0]) if len(attackers) == 1 else "")


def may_cloak(cg: Cg, side: str) -> bool:
    """True if units of a side can set up under Cloaking counters: it attacks at night."""
    conditions = night_conditions(cg)
    return conditions is not None and side in conditions.attackers
