"""Leaders and armor leaders of platoons (PL 2.36 to 2.362).

`roll_leader`, `commissar_choice` and `leader_joins` serve generated leaders (PL 3.45) too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from laager.campaign import Procedure, SecretQuestion, Several, ask, implements, roll, step
from laager.dice import Dice, Modifier
from laager.rules.board.facts import UnitJoined
from laager.rules.board.numbering import join_unit
from laager.rules.platoon_leader.card.card import ReinforcementGroup, RgKind
from laager.rules.platoon_leader.context import Cg
from laager.rules.platoon_leader.state import Group

TABLE = "leader"
ARMOR = "armor"


@dataclass(frozen=True)
class Diced:
    """What a leader DR gave: the leader's type (None: no leader), his group, the column."""

    type: str | None
    column: str
    why: str
    group: str = ""

    @property
    def kind(self) -> str:
        """The kind of unit that joins."""
        return "armor-leader" if self.column == ARMOR else "leader"


@step("PL 2.36", "Leaders of platoons", each_side=True)
def leader_determination(cg: Cg, side: str) -> Procedure[None]:
    """A secret DR for every platoon bought, or given by the OB without a named leader."""
    diced: list[Diced] = []
    for group, line in platoons_without_leader(cg, side):
        for number in range(1, line.leader_dice + 1):
            of_many = f" ({number} of {line.leader_dice})" if line.leader_dice > 1 else ""
            armor = line.kind is RgKind.AFV
            label = f"Leader of {group.id}{of_many}"
            leader = yield from roll_leader(cg, side, label, armor=armor)
            diced.append(replace(leader, group=group.id))
    if cg.initial:
        diced = within_limits(cg, side, diced)
    leaders = [leader for leader in diced if leader.type is not None]
    commissars = yield from commissar_choice(cg, side, leaders)
    for number, leader in enumerate(leaders):
        yield leader_joins(cg, side, leader, commissars.get(number))


def platoons_without_leader(cg: Cg, side: str) -> Iterator[tuple[Group, ReinforcementGroup]]:
    """Return this firefight's new groups that bring leader DR, in the order they joined (PL 2.36).

    Groups that the OB gives with named leaders bring none.
    """
    named = _named_by_card(cg, side)
    for group in cg.state.groups_of(side):
        line = cg.side(side).group(group.rg)
        if line is None or group.firefight != cg.state.fight.number or group.id in named:
            continue
        if line.leader_dice:
            yield group, line


def _named_by_card(cg: Cg, side: str) -> frozenset[str]:
    """Return the groups that the OB gives for this firefight with their leaders."""
    number = cg.state.fight.number
    items = cg.side(side).given_for(number)
    groups = [group for group in cg.state.groups_of(side) if group.given and group.firefight == number]
    return frozenset(group.id for group, item in zip(groups, items, strict=False) if item.leaders is not None)


# The DR -----------------------------------------------------------------------------------------


@implements("PL 2.361")
def roll_leader(cg: Cg, side: str, label: str, *, armor: bool = False) -> Procedure[Diced]:
    """Make a secret DR for one leader and return what came up; the caller lets him join."""
    rolled = yield from roll(
        side, label, Dice.DR, leader_modifiers(cg, side, armor=armor), secret=True, rule="PL 2.361", table=TABLE
    )
    column = ARMOR if armor else cg.nation(side).leaders.column.value
    type_ = cg.table(TABLE).result(rolled.final, column)
    return Diced(None if type_ is None else str(type_), column, f"{label}: {rolled}")


@implements("PL 2.361")
def leader_modifiers(cg: Cg, side: str, *, armor: bool = False) -> tuple[Modifier, ...]:
    """Return the DRM of a leader DR: the card's, or the legacy one; and the Historical DRM."""
    table = cg.table(TABLE)
    card = cg.side(side)
    printed = card.drm.leader
    if armor and card.drm.armor_leader is not None:
        printed = card.drm.armor_leader
    if printed is None:
        own = table.modifier(legacy_drm(cg.nation(side).group, cg.slot.date))
    else:
        own = table.modifier("card", value=printed)
    return (own, table.modifier("historical", value=card.historical.leader))


@implements("PL 2.361 legacy drm")
def legacy_drm(nation: str, day: date) -> str:
    """Return which of the table's DRM counts with an older card, which prints none of its own."""
    if nation == "german" and day.year < 1945:
        return "legacy-german"
    return "legacy-us-british" if nation in {"american", "british"} else "legacy-other"


# Limits -----------------------------------------------------------------------------------------


@implements("PL 2.362")
def within_limits(cg: Cg, side: str, diced: Sequence[Diced]) -> list[Diced]:
    """Return the leaders with which a side can begin the Initial Firefight.

    One each of the two best types of a column, those that the card names counting; one too many
    becomes the next type down that is not full.
    """
    limited = cg.charts.limit("best-leader-types")
    counts: dict[tuple[str, str], int] = {}
    for unit in cg.state.units_of(side, "leader", "armor-leader"):
        counts[unit.kind, unit.type] = counts.get((unit.kind, unit.type), 0) + 1
    kept = []
    for leader in diced:
        if leader.type is None:
            kept.append(leader)
            continue
        order = leader_order(cg, leader.column)
        place = order.index(leader.type)
        while place < limited and counts.get((leader.kind, order[place]), 0):
            place += 1
        kept.append(_as_type(leader, order[place]))
        counts[leader.kind, order[place]] = counts.get((leader.kind, order[place]), 0) + 1
    return kept


def _as_type(leader: Diced, type_: str) -> Diced:
    if type_ == leader.type:
        return leader
    why = f"{leader.why}; {leader.type} is taken already (PL 2.362), so {type_}"
    return replace(leader, type=type_, why=why)


def leader_order(cg: Cg, column: str) -> tuple[str, ...]:
    """Return the leader types of a column of the leader table, the best first."""
    types = (row.results[column] for row in cg.table(TABLE).rows)
    return tuple(dict.fromkeys(str(type_) for type_ in types if type_ is not None))


# Commissars --------------------------------------------------------------------------------------


@implements("PL 2.361 note *")
def commissar_for(cg: Cg, side: str, leader: Diced) -> str | None:
    """Return the commissar that can come instead of a leader; None if none can (A25.22)."""
    if not cg.side(side).commissars or leader.type is None or not cg.house.is_applied("PL 2.361 note *"):
        return None
    if leader.column != "general" or leader.type not in cg.charts.commissars.instead_of:
        return None
    return cg.nation(side).commissar_for(leader.type, f"{cg.slot.date:%Y-%m}")


def commissar_choice(cg: Cg, side: str, leaders: Sequence[Diced]) -> Procedure[Mapping[int, str]]:
    """Ask which leaders are taken as commissars; returns their types by place in `leaders`."""
    able = {
        number: commissar
        for number, leader in enumerate(leaders)
        if (commissar := commissar_for(cg, side, leader)) is not None
    }
    if not able:
        return {}
    labels = {
        str(number + 1): f"the {leaders[number].type} of {leaders[number].group or 'no group'} as {commissar}"
        for number, commissar in able.items()
    }
    text, help_ = "Which of these leaders come as commissars?", "A25.22. Name none to take them as they were rolled."
    chosen = yield from ask(
        SecretQuestion("commissars", side, text, Several.of_labels(labels), "PL 2.361 note *", help=help_)
    )
    return {number: able[number] for number in able if str(number + 1) in chosen}


def leader_joins(
    cg: Cg, side: str, leader: Diced, commissar: str | None = None, group: str | None = None
) -> UnitJoined:
    """Return the fact that a leader joins: as rolled, or as the commissar chosen for him."""
    assert leader.type is not None, "a DR without a leader brings none"
    belongs = leader.group if group is None else group
    if commissar is not None:
        why = f"{leader.why}: {leader.type}, taken as commissar {commissar}"
        return join_unit(cg, side, commissar, "commissar", belongs, why=why)
    return join_unit(cg, side, leader.type, leader.kind, belongs, why=f"{leader.why}: {leader.type}")
