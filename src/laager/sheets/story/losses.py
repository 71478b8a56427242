"""What a battle cost: losses by group and by type, CVP and TVP, as far as a viewer knows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from laager.campaign.engine import Campaign
from laager.campaign.views import View, state_at
from laager.sheets.story.battles import Battle, events, knows_side

LOST = ("eliminated", "captured", "evacuated", "recalled")
"""The places of units that a battle has cost; units that were merged or absorbed are no loss."""

WEAKENED = ("Reduced", "Replaced")
"""What happened to a unit that is less than it was."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "Squads": ("squad",),
    "Half-squads and crews": ("half-squad", "crew"),
    "Leaders and heroes": ("leader", "commissar", "armor-leader", "hero"),
    "Vehicles": ("afv", "vehicle"),
    "Guns": ("gun",),
    "Support weapons": ("sw",),
}
"""What players count losses by, with the kinds of units of each."""

OTHERS = "Others"
"""Units whose kind the viewer doesn't know, and rare kinds."""


@dataclass(frozen=True)
class Loss:
    """A unit that was lost or weakened: the viewer's entry, whose it was, its type, what became of it.

    `group` is its group's id, "" if it had none; `kind` the catalogue's. Both are "" if the viewer doesn't know them.
    """

    number: int
    side: str
    unit: str
    type: str
    fate: str
    group: str = ""
    kind: str = ""


@dataclass(frozen=True)
class GroupLosses:
    """What a group lost: its id and name ("" for units of none), how many units went in, its losses."""

    side: str
    group: str
    name: str
    strength: int
    losses: tuple[Loss, ...]


def losses(seen: View, battle: Battle | None = None) -> tuple[Loss, ...]:
    """Return all losses that a viewer knows of, in order; those of one battle and its aftermath, if one is named.

    Of a unit that was weakened `type` is what it is now.
    """
    units = getattr(seen.state, "units", {})
    known_losses = []
    for event in events(seen):
        fate = _fate(event.kind, event.fact)
        if not fate or (battle is not None and not battle.counts(event.number)):
            continue
        unit = units.get(event.fact["unit"])
        side = event.fact.get("side") or (unit.side if unit is not None else "")
        if side:
            known = (unit.group, unit.kind) if unit is not None else ("", "")
            known_losses.append(Loss(event.number, side, event.fact["unit"], event.fact["type"], fate, *known))
    return tuple(known_losses)


def without_weakened(known_losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """Return the losses that left the OB, without units that were only weakened."""
    return tuple(loss for loss in known_losses if loss.fate in LOST)


def _fate(kind: str, fact: Mapping[str, Any]) -> str:
    """Return what became of a unit; "" if a fact tells of no loss."""
    if kind == "unit-gone" and fact.get("place") in LOST:
        return str(fact["place"])
    if kind == "unit-changed" and fact.get("how") in WEAKENED:
        return str(fact["how"]).lower()
    return ""


def by_group(campaign: Campaign, seen: View, battle: Battle, side: str) -> tuple[GroupLosses, ...]:
    """Return the losses of a side's groups that lost anything, in the order of its record.

    Of the enemy's units nobody knows the group: theirs are all under "".
    """
    grouped: dict[str, list[Loss]] = {}
    for loss in losses(seen, battle):
        if loss.side == side:
            grouped.setdefault(loss.group if knows_side(seen, side) else "", []).append(loss)
    before = state_at(campaign, seen.viewer, battle.before or battle.begun)
    strength = Counter(unit.group for unit in before.units_of(side))
    record = {group.id: group for group in seen.state.groups_of(side)}
    order = [*(name for name in record if name in grouped), *(name for name in grouped if name not in record)]
    return tuple(
        GroupLosses(side, name, _name(campaign, record.get(name)), strength[name], tuple(grouped[name]))
        for name in order
    )


def _name(campaign: Campaign, group: Any) -> str:
    context: Any = campaign.context
    return str(context.group_name(group)) if group is not None else ""


def by_kind(known_losses: Iterable[Loss]) -> Mapping[str, Counter[str]]:
    """Return how many of each kind of units each side lost: kind -> side -> number; kinds without any are left out."""
    counts: dict[str, Counter[str]] = {}
    for loss in without_weakened(known_losses):
        kind = next((name for name, kinds in KINDS.items() if loss.kind in kinds), OTHERS)
        counts.setdefault(kind, Counter())[loss.side] += 1
    return {kind: counts[kind] for kind in (*KINDS, OTHERS) if kind in counts}


# Victory points -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class BattlePoints:
    """What a side scored in a battle and its aftermath, and in the campaign up to its end."""

    battle: int
    side: str
    cvp: int
    tvp: int
    cvp_total: int
    tvp_total: int


def points(seen: View, battles: Sequence[Battle], sides: Sequence[str]) -> tuple[BattlePoints, ...]:
    """Return the CVP and TVP of each battle and side, with what they add up to."""
    scored: Counter[tuple[str, int, str]] = Counter()
    for event in events(seen):
        name = {"cvp-scored": "cvp", "tvp-awarded": "tvp"}.get(event.kind)
        if name is None:
            continue
        number = event.fact.get("firefight")
        at = number or next((battle.number for battle in battles if battle.counts(event.number)), 0)
        scored[name, at, event.fact["side"]] += event.fact["points"]
    made, totals = [], Counter[tuple[str, str]]()
    for battle in battles:
        for side in sides:
            cvp, tvp = (scored[name, battle.number, side] for name in ("cvp", "tvp"))
            totals["cvp", side] += cvp
            totals["tvp", side] += tvp
            made.append(BattlePoints(battle.number, side, cvp, tvp, totals["cvp", side], totals["tvp", side]))
    return tuple(made)
