"""What a commander who judges by the rules' own judgement says: reasons, and orders for the battle.

All of it is made of the seat's context, which holds what its side knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laager.campaign.steps import Context
from laager.campaign.temperament import Temperament
from laager.rules.board.hasl import judgement as hasl
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.judgement.strength import own_strength
from laager.rules.board.places import hex_of
from laager.rules.platoon_leader import judgement as pl
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.redeployment.judgement import looks_forward

MOST_NAMED = 4
"""Most hexes that orders name for one purpose."""

STANDING = {
    "ahead": "if nothing changes we win, so time is with us",
    "behind": "if nothing changes we lose, so we have to move",
    "last": "if nothing changes we lose, and no battle comes after this one",
    "even": "neither side is ahead",
}


REASONS = {
    "shift": (
        "We attack: squads that their area can spare come to the one nearest to what decides.",
        "We sit still: everybody stays where he holds something.",
    ),
    "set-up-in-mlr": (
        "We attack: spare squads come as near as they can to what we want; it costs no DR.",
        "We sit still: a spare squad goes to each Location worth TVP that nobody holds.",
    ),
    "redeploy": (
        "We attack: spare squads come nearer to what we want, where it is worth the DR.",
        "We sit still: a spare squad goes to each Location worth TVP that nobody holds.",
    ),
}
"""Why units go where they go, if their side attacks and if it doesn't, by question."""

BREAKING_OUT = frozenset({"escape", "redeploy-isolated"})
"""Questions about who tries to get out."""

CUT_OFF = "Those are cut off whom no way leads home that avoids the enemy's Setup Areas and fire."

NOBODY_CUT_OFF = "As players list the Setup Areas, I take nobody for cut off who merely took ground."


def explain_answer(context: Context, side: str, key: str, temper: Temperament) -> str:
    """Return why somebody of a temperament answers a question; "" where there is nothing to say of it."""
    if not isinstance(context, Cg | Hasl):
        return ""
    if key in BREAKING_OUT:
        least = f"{100 * temper['escape.risk']:.0f} %"
        return f"Who is cut off tries to get out if his chance is {least} or better; others wait."
    if key == "isolated-units":
        return CUT_OFF if isinstance(context, Hasl) and context.blocks else NOBODY_CUT_OFF
    if key == "redeployment-option" and isinstance(context, Cg):
        forward = looks_forward(context, side, temper)
        return (
            "I would choose Option B: I want to attack, and it brings squads forward without a DR."
            if forward
            else "I would choose Option A: I hold what I have, and who attacks needs a DR for each move."
        )
    if key in REASONS:
        return REASONS[key][not _attacks_next(context, side, temper)]
    return _explain_strength(context, side, key, temper)


def _attacks_next(context: Cg | Hasl, side: str, temper: Temperament) -> bool:
    """Return True if a side attacks in the coming battle: as it has said in Platoon Leader, else as it will want."""
    if isinstance(context, Cg):
        return bool(context.state.side(side).attack)
    return hasl.wants_attack(context, side, temper)


def _explain_strength(context: Cg | Hasl, side: str, key: str, temper: Temperament) -> str:
    """Return how strong somebody takes both sides to be, for what he buys, builds, and whether he attacks."""
    if key not in {"purchases", "chit", "fortifications"}:
        return ""
    judgement: Any = pl if isinstance(context, Cg) else hasl
    if key == "purchases" and context.initial:
        return "The card says who attacks in this battle; I buy what is worth most for its points."
    attacks = judgement.wants_attack(context, side, temper)
    if key == "fortifications":
        return "Cover for the troops comes first, then what stops the enemy." if not attacks else ""
    ours, theirs = own_strength(context, side), judgement.enemy_strength(context, side)
    standing = judgement.urgency(context, side)
    decision = "we attack" if attacks else "we sit still"
    needed = temper[f"attack.{standing}"]
    return (
        f"Our strength is about {ours:.0f}, the enemy's perhaps {theirs:.0f}; {STANDING[standing]}. "
        f"I attack at {needed:g} to 1: {decision}."
    )


def write_orders(context: Context, side: str, temper: Temperament) -> str:
    """Return orders for the battle that is set up: the weight of the attack, what to hold, when to break off."""
    if not isinstance(context, Cg | Hasl):
        return ""
    attacks = _attacks(context, side)
    wanted, held = (_pl_ground if isinstance(context, Cg) else _hasl_ground)(context, side)
    sentences = []
    if attacks and wanted:
        sentences.append(f"The weight of the attack lies at {_join_names(wanted[:1])}.")
        if len(wanted) > 1:
            sentences.append(f"After it: {_join_names(wanted[1:])}.")
    elif attacks:
        sentences.append("Attack where the enemy is weakest.")
    else:
        sentences.append("Defend. Let them come, and keep the Guns hidden until they are sure of a target.")
    if held:
        sentences.append(f"Hold {_join_names(held)} at any cost.")
    share = "half" if temper["attack.even"] < 0.8 else "a quarter" if temper["attack.even"] > 1.2 else "a third"
    if attacks:
        sentences.append(f"Break off when {share} of the squads are broken or lost, and keep what is taken.")
    else:
        sentences.append(f"Fall back to the next cover when {share} of the squads are broken or lost.")
    return " ".join(sentences)


def _attacks(context: Cg | Hasl, side: str) -> bool:
    if isinstance(context, Cg):
        return bool(context.state.side(side).attack)
    if context.initial:
        return context.card.initial.attacker == side
    return side in context.state.scenario.attackers()


def _pl_ground(context: Any, side: str) -> tuple[list[str], list[str]]:
    """Return the Locations worth TVP that a side wants, and those that it has, the best first."""
    control, tvp = context.state.ground.control, context.card.tvp
    ranked = sorted(context.sort(tvp), key=lambda at: -tvp[at])
    return (
        [at for at in ranked if control.get(at) != side][:MOST_NAMED],
        [at for at in ranked if control.get(at) == side][:MOST_NAMED],
    )


def _hasl_ground(context: Any, side: str) -> tuple[list[str], list[str]]:
    """Return the hexes and Blocks that decide which a side wants, and those that it has."""
    wanted = hasl.goals(context, side)[:MOST_NAMED]
    victory = context.card.victory
    named = dict.fromkeys(name for goal in (*victory.sudden, *victory.final) for name in goal.controls)
    state = context.state
    mine = [
        name
        for name in named
        if state.block_control.get(name) == side
        or state.area(side, name) is not None
        or state.ground.control.get(name) == side
    ]
    if not mine:
        mine = [hex_of(at) for at in context.sort(state.ground.control) if state.ground.control[at] == side]
    return wanted, list(dict.fromkeys(mine))[:MOST_NAMED]


def _join_names(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
