"""Checks of a card against the catalogue: nations, units, weapons, leaders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from laager.base import RefusedError, did_you_mean
from laager.base.files import Document, Where
from laager.campaign import implements
from laager.catalogue import Catalogue, GunType, Kind, MmcType, Nation, UnitType, packaged_nations
from laager.rules.board.card.findings import Findings
from laager.rules.board.card.parts import UnitLine
from laager.rules.platoon_leader.card.card import Card, GivenGroup, ReinforcementGroup, RgKind, SideCard
from laager.rules.platoon_leader.context import PACKAGE
from laager.tables import load_packaged

_NEEDS: Mapping[RgKind, tuple[str, str]] = {
    RgKind.INFANTRY: ("squad", "no squads"),
    RgKind.GUN: ("gun", "no Gun"),
    RgKind.AFV: ("afv", "no AFV"),
    RgKind.VEHICLE: ("vehicle", "no vehicle"),
}
"""What a group of a kind must bring, and how a message says that it does not."""


def check_units(card: Card, catalogue: Catalogue, found: Findings) -> None:
    """Check that everything that the card names exists, and fits the group that brings it.

    `catalogue` holds the nations of the card's own files, and those on the card that ship.
    """
    for side, half in card.sides.items():
        where: Where = ("sides", side)
        nation = catalogue.get(half.nation)
        if nation is None:
            known = sorted({*catalogue, *packaged_nations()})
            advice = did_you_mean(half.nation, known, "known are")
            found.wrong((*where, "nation"), f"there is no nation {half.nation!r}", advice)
            continue
        _alliance(nation, side, where, found)
        _commissars(card, half, nation, where, found)
        for i, line in enumerate(half.chart):
            _group(line, half, nation, (*where, "chart", i), found)
        for i, unit in enumerate(half.ob.units):
            _unit(unit, nation, (*where, "ob", "units", i), found)
        for i, given in enumerate(half.ob.groups):
            _given(given, half, nation, (*where, "ob", "groups", i), found)


@implements("PL 1.4 Allied Side", "PL 1.4 Axis Side")
def _alliance(nation: Nation, side: str, where: Where, found: Findings) -> None:
    """Doubt a nation on the other side than usual; the date may make it right (Romania 1944)."""
    if nation.side.value != side:
        found.doubtful(
            (*where, "nation"),
            f"{nation.name} troops usually fight on the {nation.side.value} side",
            f"check whether they belong to {side} at this date (PL 1.4)",
        )


def _commissars(card: Card, half: SideCard, nation: Nation, where: Where, found: Findings) -> None:
    if not half.commissars:
        return
    here = (*where, "commissars")
    if not nation.leaders.commissars:
        found.wrong(here, f"{nation.name} troops have no commissars", "leave it out")
        return
    until = max(nation.smc[text].until or "9999" for text in nation.leaders.commissars)
    first = f"{card.firefights[0].date:%Y-%m}"
    if first > until:
        found.doubtful(here, f"there are no commissars after {until}", "leave it out")


def _group(line: ReinforcementGroup, half: SideCard, nation: Nation, where: Where, found: Findings) -> None:
    types = [_unit(unit, nation, (*where, "units", i), found) for i, unit in enumerate(line.units)]
    if line.op_vehicle is not None:
        _op_vehicle(line, nation, where, found)
    if None in types:
        # What the group lacks can't be told while one of its types is unknown.
        return
    known = [type_ for type_ in types if type_ is not None]
    if line.kind in _NEEDS:
        _brings(line, known, where, found)
    if line.kind is RgKind.HEAVY_WEAPONS and not any(type_.kind is Kind.SW for type_ in known):
        found.doubtful((*where, "units"), f"{line.id} brings no SW", "add one, or make it infantry")
    if line.kind is RgKind.INFANTRY:
        _troops(line, known, where, found)
    _crews(line, known, where, found)
    if line.reserve and not half.reserves:
        found.doubtful(
            (*where, "reserve"),
            f"{line.id} may be In Reserve, but this side has no Reserves",
            "leave it out, or remove reserves: false",
        )


def _brings(line: ReinforcementGroup, types: list[UnitType], where: Where, found: Findings) -> None:
    word, lacks = _NEEDS[line.kind]
    if word == "squad":
        there = any(type_.kind.is_mmc for type_ in types)
    elif word == "vehicle":
        there = any(type_.kind.is_vehicle for type_ in types)
    else:
        there = any(type_.kind.value == word for type_ in types)
    if not there:
        right = f"a group of kind {line.kind} needs one; add it, or change the kind"
        found.wrong((*where, "units"), f"{line.id} brings {lacks}", right)


def _troops(line: ReinforcementGroup, types: list[UnitType], where: Where, found: Findings) -> None:
    squads = [type_ for type_ in types if isinstance(type_, MmcType) and type_.kind is Kind.SQUAD]
    for squad in dict.fromkeys(squads):
        if squad.grade.value != line.troops:
            found.doubtful(
                (*where, "troops"),
                f"{line.id} is {line.troops}, but {squad.type} is {squad.grade.value}",
                f"troops: {squad.grade.value}, unless this is meant (PL 3.47 counts by troops)",
            )


def _crews(line: ReinforcementGroup, types: list[UnitType], where: Where, found: Findings) -> None:
    """Doubt Guns that nobody serves: their nation enters no crew for them, nor does the group."""
    pairs = list(zip(types, line.units, strict=True))
    guns = sum(unit.count for type_, unit in pairs if isinstance(type_, GunType) and not type_.crew)
    crews = sum(unit.count for type_, unit in pairs if type_.kind is Kind.CREW)
    if guns > crews:
        found.doubtful(
            (*where, "units"),
            f"{line.id} brings a Gun without a crew",
            "add a crew, or give the nation a gun_crew in its catalogue",
        )


def _op_vehicle(line: ReinforcementGroup, nation: Nation, where: Where, found: Findings) -> None:
    here = (*where, "op_vehicle")
    name = line.op_vehicle
    assert name is not None, "asked only of groups that have one"
    if line.kind is not RgKind.OBA:
        found.wrong(here, f"{line.id} is no OBA module", "leave it out (PL 3.15a)")
    if not nation.is_vehicle(name):
        advice = did_you_mean(name, nation.vehicles)
        found.wrong(here, f"{nation.name} has no vehicle {name!r}", advice)


def _unit(unit: UnitLine, nation: Nation, where: Where, found: Findings) -> UnitType | None:
    try:
        type_ = nation.unit(unit.type)
    except RefusedError as err:
        found.wrong((*where, "type"), err.problem.what, err.problem.right)
        return None
    if unit.engineers and type_.kind not in (Kind.SQUAD, Kind.HALF_SQUAD):
        what = f"{unit.type} is {type_.kind.words}"
        found.wrong((*where, "engineers"), what, "only squads and half-squads are engineers")
    return type_


def _given(given: GivenGroup, half: SideCard, nation: Nation, where: Where, found: Findings) -> None:
    line = half.group(given.rg)
    assert line is not None, "the card's model checked it"
    armor = line.kind is RgKind.AFV
    known = nation.leaders.armor if armor else nation.leaders.types + nation.leaders.commissars
    for i, leader in enumerate(given.leaders or ()):
        if leader not in known:
            what = f"{nation.name} has no {'armor ' if armor else ''}leader {leader!r}"
            found.wrong((*where, "leaders", i), what, did_you_mean(leader, known))
    if given.setup == "reserve" and not (half.reserves and line.may_reserve):
        what = f"{given.rg} may not be In Reserve"
        found.wrong((*where, "setup"), what, "on-map or off-map (PL 2.33)")


TABLE = "leader"
ARMOR = "armor"


def check_leaders(card: Card, files: Mapping[str, Document], nations: Catalogue, found: Findings) -> None:
    """Check the ladders of the nations on a card; of armor leaders if its AFV bring leader DR.

    All nations need leaders: they can be generated too (PL 3.45). A problem stands in the
    catalogue file that gives the nation's leaders, else at the nation on the card.
    """
    for side, half in card.sides.items():
        nation = nations.get(half.nation)
        if nation is None:
            continue
        for field, missing in _missing(half, nation):
            words = "armor leaders" if field == ARMOR else "leaders"
            what = f"{nation.name} has no {words} {', '.join(missing)}"
            right = "enter them: the leader table may give them (PL 2.361)"
            document, where = _place(side, half, files, field, found.document)
            if document is found.document:
                right = "bring a nation that has them, or give its AFV leader_rolls: 0 (PL 2.361)"
            found.problems.append(document.problem(where, what, right))


def _missing(half: SideCard, nation: Nation) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the ladder that lacks something, as the catalogue calls it, and what it lacks."""
    ladders = [("ladder", nation.leaders.column.value, nation.leaders.types)]
    if any(line.kind is RgKind.AFV and line.leader_dice for line in half.chart):
        ladders.append((ARMOR, ARMOR, nation.leaders.armor))
    table = load_packaged(PACKAGE, "tables.yaml")[TABLE]
    for field, column, ladder in ladders:
        can = dict.fromkeys(row.results[column] for row in table.rows)
        missing = [str(type_) for type_ in can if type_ is not None and type_ not in ladder]
        if missing:
            yield field, missing


def _place(
    side: str, half: SideCard, files: Mapping[str, Document], field: str, card: Document
) -> tuple[Document, Where]:
    for document in files.values():
        if document.data["nation"] == half.nation and document.data.get("leaders"):
            return document, ("leaders", field)
    return card, ("sides", side, "nation")
