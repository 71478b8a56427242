"""Checks of a card against the catalogue: nations, and what groups bring."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from laager.base import OtherEnd, RefusedError, did_you_mean
from laager.base.files import Where
from laager.campaign import implements
from laager.catalogue import Catalogue, GunType, Kind, Nation, UnitType, packaged_nations
from laager.rules.board.card.findings import CardFindings
from laager.rules.board.card.parts import UnitLine


def find_nation(name: str, where: Where, nations: Catalogue, findings: CardFindings) -> Nation | None:
    """Return a nation of the catalogue; None, and a problem, if there is none of that name."""
    if name not in nations:
        advice = did_you_mean(name, sorted({*nations, *packaged_nations()}), "known are")
        findings.add_problem(where, f"there is no nation {name!r}", advice)
    return nations.get(name)


@implements("PL 1.4 Allied Side", "PL 1.4 Axis Side")
def check_alliance(nation: Nation, side: str, where: Where, findings: CardFindings) -> None:
    """Doubt a nation on the other side than usual; the date may make it right (Romania 1944)."""
    if nation.side.value != side:
        message = f"{nation.name} troops usually fight on the {nation.side.value} side"
        findings.add_doubt(where, message, f"check whether they belong to {side} at this date")


def find_type(
    unit: UnitLine, nation: Nation, where: Where, findings: CardFindings, nation_at: OtherEnd | None = None
) -> UnitType | None:
    """Return the type of a line of units; None, and a problem, if the nation doesn't have it.

    `nation_at` is where the card names the nation, for what stands in another file.
    """
    try:
        type_ = nation.unit(unit.type)
    except RefusedError as err:
        other = nation_at or findings.nation_end(where)
        findings.add_problem((*where, "type"), err.problem.what, err.problem.right, other)
        return None
    if unit.engineers and type_.kind not in (Kind.SQUAD, Kind.HALF_SQUAD):
        message = f"{unit.type} is {type_.kind.words}"
        findings.add_problem((*where, "engineers"), message, "only squads and half-squads are engineers")
    return type_


def group_types(
    name: str,
    kind: str,
    units: Sequence[UnitLine],
    nation: Nation,
    where: Where,
    findings: CardFindings,
    *,
    needs: str,
    nation_at: OtherEnd | None = None,
) -> list[UnitType] | None:
    """Check the units of a group: all are of its nation, they are what its kind is about, its Guns have crews.

    `needs` is what its kind is about (squads, Gun, AFV, vehicle; "" for nothing). Returns the types; None
    while one of them is unknown, as what the group lacks can't be told then.
    """
    types = [find_type(unit, nation, (*where, i), findings, nation_at) for i, unit in enumerate(units)]
    known = [type_ for type_ in types if type_ is not None]
    if not units or len(known) < len(types):
        return None if len(known) < len(types) else []
    there = {
        "squads": any(type_.kind.is_mmc for type_ in known),
        "Gun": any(type_.kind is Kind.GUN for type_ in known),
        "AFV": any(type_.kind is Kind.AFV for type_ in known),
        "vehicle": any(type_.kind.is_vehicle for type_ in known),
    }
    if not there.get(needs, True):
        right = f"a group of kind {kind} needs one; add it, or change the kind"
        findings.add_problem(where, f"{name} brings no {needs}", right)
    # A nation may enter no crew for a Gun; then the group has to bring one.
    pairs = list(zip(known, units, strict=True))
    guns = sum(unit.count for type_, unit in pairs if isinstance(type_, GunType) and not type_.crew)
    if guns > sum(unit.count for type_, unit in pairs if type_.kind is Kind.CREW):
        right = "add a crew, or give the nation a gun_crew in its catalogue"
        findings.add_doubt(where, f"{name} brings a Gun without a crew", right)
    return known


def check_leaders(
    leaders: Iterable[str], kind: Kind, known: Collection[str], nation: Nation, where: Where, findings: CardFindings
) -> None:
    """Check that a nation has the leaders that the OB names."""
    for i, leader in enumerate(leaders):
        if leader not in known:
            message = nation.lacks(kind.value.replace("-", " "), repr(leader))
            findings.add_problem((*where, i), message, did_you_mean(leader, known), findings.nation_end(where))
