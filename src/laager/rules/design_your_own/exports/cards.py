"""An order of battle as the part of a campaign card: plain units of the catalogue.

What a card has no place for (OBA, Fortifications, most capabilities) is said in sentences, so that nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from laager.catalogue import Nation, load_packaged
from laager.catalogue.dyo import mark_type
from laager.catalogue.dyo.write import to_yaml
from laager.rules.board.card.parts import UnitLine
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.bonus import side_elr
from laager.rules.design_your_own.ob import OrderOfBattle

ENGINEERS = "assault-engineer"
MOST_OF_A_LINE = 40


@dataclass(frozen=True)
class Force:
    """The units of an order of battle, in the order of the Roster, and what is not among them."""

    units: tuple[UnitLine, ...]
    notes: tuple[str, ...]

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The units as the plain data of a card."""
        return [unit.model_dump(mode="json", exclude_defaults=True) for unit in self.units]


@dataclass(frozen=True)
class CardPart:
    """What goes under a side of a card, as plain data; `notes` tell what does not fit there."""

    side: str
    data: Mapping[str, Any]
    notes: tuple[str, ...]

    @property
    def text(self) -> str:
        """The part as YAML to paste into a card's file, its notes as comments."""
        comments = "".join(f"# {note}\n" for note in self.notes)
        return comments + to_yaml({"sides": {self.side: self.data}})


def force_of(ob: OrderOfBattle, nation: Nation) -> Force:
    """Return an order of battle as units of a nation of the catalogue.

    Inherent crews are not listed: the catalogue gives Guns and vehicles theirs.
    """
    wanted: dict[tuple[str, bool], int] = {}
    unknown: dict[str, int] = {}
    for type_, number, engineers in _pieces(ob):
        if type_ in nation:
            wanted[type_, engineers] = wanted.get((type_, engineers), 0) + number
        else:
            unknown[type_] = unknown.get(type_, 0) + number
    units = tuple(
        UnitLine(type=type_, count=count, engineers=engineers)
        for (type_, engineers), number in wanted.items()
        for count in _parts(number)
    )
    missing = [
        f"{number} x {type_}: not in the catalogue of {nation.name}, left out" for type_, number in unknown.items()
    ]
    return Force(units, (*missing, *left_out(ob)))


def _parts(number: int) -> Iterator[int]:
    """Yield a number in parts that fit a line of a card."""
    while number > 0:
        yield min(number, MOST_OF_A_LINE)
        number -= MOST_OF_A_LINE


def _pieces(ob: OrderOfBattle) -> Iterator[tuple[str, int, bool]]:
    """Yield types, numbers, and True for Assault Engineers."""
    for entry in ob.infantry:
        yield entry.type, entry.number, ENGINEERS in entry.capabilities
    for section, type_, number in ob.pieces():
        if section not in ("squads", "armament", "armor_leaders"):
            yield type_, number, False


def left_out(ob: OrderOfBattle) -> tuple[str, ...]:
    """Return in sentences what plain units can't say."""
    return tuple(f"{subject}: {', '.join(parts)}" for subject, parts in _remarks(ob).items() if parts)


def _remarks(ob: OrderOfBattle) -> Mapping[str, list[str]]:
    vehicles = ob.vehicles.entries
    every = {**({"": ob.leaders} if ob.leaders else {}), **ob.allied_leaders}
    return {
        "capabilities": [
            f"{entry.number} x {entry.type} {' '.join(marks)}"
            for entry in ob.infantry
            if (marks := [name for name in entry.capabilities if name != ENGINEERS])
        ],
        "reinforcements": [
            f"{number} x {entry.type}{f' in turn {turn}' if turn else ''}"
            for entry in ob.infantry
            for turn, number in entry.entering.items()
        ],
        "with the reinforcements": [
            *ob.reinforcement_leaders,
            *(f"{sw.reinforcement} x {sw.type}" for sw in ob.sw if sw.reinforcement),
        ],
        "Commissars": [
            mark_type(str(led.commissars), nation) for nation, led in every.items() if led.commissars
        ],
        "optional armament and fittings": [
            f"{entry.type} {entry.id} {' and '.join(added)}"
            for entry in vehicles
            if (added := [*(arm.name for arm in entry.arms), *entry.fittings])
        ],
        "Armor Leaders": [
            f"{entry.armor_leader} in {entry.type} {entry.id}"
            for entry in vehicles
            if entry.armor_leader
        ],
        "OP tanks": [f"{entry.type} {entry.id} of {entry.op}" for entry in vehicles if entry.op],
        "OBA": [_battery_words(entry.text, entry.contact, entry.ammunition)
                for entry in ob.batteries],
        "Air Support": ["bought"] if ob.air and ob.air.bought else [],
        "fortifications": [
            f"{work.number} x {work.type}"
            + (f" {work.capacity}+{work.ca_drm}+{work.nca_drm}" if work.capacity else "")
            for work in ob.fortifications
        ],
    }  # fmt: skip


def _battery_words(text: str, contact: str, ammunition: str) -> str:
    means = f" by {contact}" if contact else ""
    return f"{text}{means}{f' with {ammunition} ammunition' if ammunition else ''}"


def card_part(cg: Cg, side: str, *, noted: bool) -> CardPart:
    """Return nation, ELR, SAN and `ob:` of a side for a campaign card; `noted` puts the rest into its note.

    A `hasl-card/1` has a place for a note, a `pl-card/1` has none. Raises RefusedError for a nation that the
    catalogue of cards does not have.
    """
    ob = cg.ob(side)
    force = force_of(ob, load_packaged(ob.nation)[ob.nation])
    given: dict[str, Any] = {"units": force.lines}
    if noted:
        given["note"] = ". ".join(force.notes)
        given = {name: value for name, value in given.items() if value}
    data = {"nation": ob.nation, "elr": side_elr(cg, side), "san": ob.san, "ob": given}
    return CardPart(side, data, force.notes)
