"""Checks of a card against the catalogue: nations, units, weapons, leaders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from laager.base import did_you_mean
from laager.base.files import Document, Where
from laager.catalogue import Catalogue, Kind, MmcType, Nation, UnitType
from laager.rules.board.card.findings import CardFindings
from laager.rules.board.card.units import check_alliance, check_leaders, find_nation, find_type, group_types
from laager.rules.platoon_leader.card.card import Card, GivenGroup, ReinforcementGroup, RgKind, SideCard
from laager.rules.platoon_leader.context import PACKAGE
from laager.tables import load_packaged

TABLE = "leader"
ARMOR = "armor"

NEEDS: Mapping[RgKind, str] = {
    RgKind.INFANTRY: "squads",
    RgKind.GUN: "Gun",
    RgKind.AFV: "AFV",
    RgKind.VEHICLE: "vehicle",
}
"""What a group of a kind must bring."""


def check_units(card: Card, catalogue: Catalogue, findings: CardFindings) -> None:
    """Check that everything that the card names exists, and fits the group that brings it.

    `catalogue` holds the nations of the card's own files, and those on the card that ship.
    """
    for side, half in card.sides.items():
        where: Where = ("sides", side)
        nation = find_nation(half.nation, (*where, "nation"), catalogue, findings)
        for i, name in enumerate(half.nations):
            find_nation(name, (*where, "nations", i), catalogue, findings)
        if nation is None:
            continue
        check_alliance(nation, side, (*where, "nation"), findings)
        _commissars(card, half, nation, where, findings)
        for i, line in enumerate(half.chart):
            _group(line, half, nation, (*where, "chart", i), findings)
        for i, unit in enumerate(half.ob.units):
            find_type(unit, nation, (*where, "ob", "units", i), findings)
        for i, given in enumerate(half.ob.groups):
            _check_given(given, half, nation, (*where, "ob", "groups", i), findings)


def _commissars(card: Card, half: SideCard, nation: Nation, where: Where, findings: CardFindings) -> None:
    if not half.commissars:
        return
    here = (*where, "commissars")
    if not nation.leaders.commissars:
        findings.add_problem(here, f"{nation.name} troops have no commissars", "leave it out")
        return
    until = max(nation.smc[text].until or "9999" for text in nation.leaders.commissars)
    first = f"{card.firefights[0].date:%Y-%m}"
    if first > until:
        findings.add_doubt(here, f"there are no commissars after {until}", "leave it out")


def _group(line: ReinforcementGroup, half: SideCard, nation: Nation, where: Where, findings: CardFindings) -> None:
    if line.op_vehicle is not None:
        _op_vehicle(line, nation, where, findings)
    needs, here = NEEDS.get(line.kind, ""), (*where, "units")
    known = group_types(line.id, line.kind, line.units, nation, here, findings, needs=needs)
    if known is None:
        return
    if line.kind is RgKind.HEAVY_WEAPONS and not any(type_.kind is Kind.SW for type_ in known):
        findings.add_doubt((*where, "units"), f"{line.id} brings no SW", "add one, or make it infantry")
    if line.kind is RgKind.INFANTRY:
        _troops(line, known, where, findings)
    if line.reserve and not half.reserves:
        findings.add_doubt(
            (*where, "reserve"),
            f"{line.id} may be In Reserve, but this side has no Reserves",
            "leave it out, or remove reserves: false",
        )


def _troops(line: ReinforcementGroup, types: list[UnitType], where: Where, findings: CardFindings) -> None:
    squads = [type_ for type_ in types if isinstance(type_, MmcType) and type_.kind is Kind.SQUAD]
    for squad in dict.fromkeys(squads):
        if squad.grade.value != line.troops:
            findings.add_doubt(
                (*where, "troops"),
                f"{line.id} is {line.troops}, but {squad.type} is {squad.grade.value}",
                f"troops: {squad.grade.value}, unless this is meant (PL 3.47 counts by troops)",
            )


def _op_vehicle(line: ReinforcementGroup, nation: Nation, where: Where, findings: CardFindings) -> None:
    here = (*where, "op_vehicle")
    name = line.op_vehicle
    assert name is not None, "asked only of groups that have one"
    if line.kind is not RgKind.OBA:
        findings.add_problem(here, f"{line.id} isn't an OBA module", "leave op_vehicle out (PL 3.15a)")
    if not nation.is_vehicle(name):
        advice = did_you_mean(name, nation.vehicles)
        findings.add_problem(here, nation.lacks("vehicle", repr(name)), advice)


def _check_given(given: GivenGroup, half: SideCard, nation: Nation, where: Where, findings: CardFindings) -> None:
    line = half.group(given.rg)
    assert line is not None, "the card's model checked it"
    armor = line.kind is RgKind.AFV
    known = nation.leaders.armor if armor else nation.leaders.types + nation.leaders.commissars
    kind = Kind.ARMOR_LEADER if armor else Kind.LEADER
    check_leaders(given.leaders or (), kind, known, nation, (*where, "leaders"), findings)
    if given.setup == "reserve" and not (half.reserves and line.may_reserve):
        message = f"{given.rg} may not be In Reserve"
        findings.add_problem((*where, "setup"), message, "on-map or off-map (PL 2.33)")


# The leaders of a nation (PL 2.361) --------------------------------------------------------------


def check_ladders(card: Card, files: Mapping[str, Document], nations: Catalogue, findings: CardFindings) -> None:
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
            message = nation.lacks(words, ", ".join(missing))
            right = "enter them: the leader table may give them (PL 2.361)"
            document, where = _place(side, half, files, field, findings.document)
            if document is findings.document:
                right = "bring a nation that has them, or give its AFV leader_rolls: 0 (PL 2.361)"
            findings.problems.append(document.problem(where, message, right))


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
