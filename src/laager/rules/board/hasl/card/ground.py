"""Checks of a card against its map: hexes, areas, Blocks, arrows, edges, conditions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from laager.base import OtherEnd, did_you_mean
from laager.base.files import Where
from laager.hexmap import HexMap, entry_area, single_blocks
from laager.rules.board.card.findings import CardFindings
from laager.rules.board.card.ground import (
    check_setup_areas,
    hexes_of,
    in_words,
    location_of,
    tell_of_pto,
    tell_of_unknown,
)
from laager.rules.board.card.parts import SideId
from laager.rules.board.hasl.card.card import Card, Given, SideCard
from laager.rules.board.hasl.charts import WITH_UNITS, RgLine
from laager.rules.board.hasl.system import CheckedCard
from laager.rules.board.places import hex_of

ARROWS_OF_MAP = "entry_arrows"
"""The field of a map where an arrow that it lacks can be put."""


def check_ground(named: CheckedCard, map_: HexMap) -> None:
    """Check every hex, Location, Block, area and arrow that the card and its charts name."""
    card, findings = named.card, named.found
    tell_of_unknown(map_, findings)
    if named.system.pto:
        tell_of_pto(map_, findings)
    setups: dict[SideId, set[str]] = {}
    for side, half in card.sides.items():
        where: Where = ("sides", side)
        setups[side] = hexes_of(map_, (*where, "setup"), half.setup, findings)
        setups[side] |= _given_hexes(map_, (*where, "ob"), half.ob, findings)
        _check_controls(card, map_, half, (*where, "controls"), findings)
        _check_beginning(card, half, setups[side], where, findings)
        _check_exits(map_, half, where, findings)
    for i, date in enumerate(card.dates):
        for side, given in date.given.items():
            _given_hexes(map_, ("dates", i, "given", side), given, findings)
    _check_areas(card, map_, findings)
    if card.areas == "blocks":
        for remark in single_blocks(map_):
            findings.add_doubt(("map",), remark.what, remark.right)
    _check_shared(card, map_, setups, findings)
    for document, where, names in _arrow_lists(named):
        _check_arrows(map_, where, names, document, OtherEnd(card.map, ARROWS_OF_MAP))
    _doubt_entries(named)
    _check_conditions(card, map_, findings)


def _given_hexes(map_: HexMap, where: Where, given: Given, findings: CardFindings) -> set[str]:
    """Return the hexes that parts of an OB have of their own; those of fortifications are checked only."""
    hexes: set[str] = set()
    for part in ("groups", "units", "fortifications"):
        for i, line in enumerate(getattr(given, part)):
            own = hexes_of(map_, (*where, part, i, "setup"), line.setup, findings)
            hexes |= own if part != "fortifications" else set()
    return hexes


def _check_beginning(card: Card, half: SideCard, setup: set[str], where: Where, findings: CardFindings) -> None:
    blocks = card.areas == "blocks"
    if blocks and half.areas:
        findings.add_doubt(
            (*where, "areas"),
            "Setup Areas of this card are Blocks, so these are not used",
            "areas: listed, or leave them out",
        )
    if not setup and not (half.controls if blocks else half.areas):
        missing = "setup hexes nor Blocks under controls" if blocks else "setup hexes nor areas"
        findings.add_doubt(
            (*where, "setup"),
            f"has neither {missing}, so nothing can set up on the map at first",
            "name hexes or ranges such as A1-A9",
        )


def _check_shared(card: Card, map_: HexMap, setups: dict[SideId, set[str]], findings: CardFindings) -> None:
    check_setup_areas(map_, setups, "let one side have them", findings)
    axis = card.sides["axis"].controls
    for i, name in enumerate(card.sides["allied"].controls):
        if name in axis:
            findings.add_problem(
                ("sides", "allied", "controls", i),
                f"both sides Control {name} at the start",
                "leave it to one of them",
                findings.end_at("sides", "axis", "controls", axis.index(name)),
            )


# Areas --------------------------------------------------------------------------------------------


def _check_areas(card: Card, map_: HexMap, findings: CardFindings) -> None:
    """Check the Setup Areas that a card lists; no hex is in two of them."""
    holders: dict[str, tuple[str, OtherEnd]] = {}
    for side, half in card.sides.items():
        for name, texts in half.areas.items():
            where: Where = ("sides", side, "areas", name)
            if not texts and name not in map_.setup_areas:
                known = did_you_mean(name, map_.setup_areas, "it has") + ", or " if map_.setup_areas else ""
                findings.add_problem(
                    where,
                    f"{name} has no hexes, and the map has no area of this name",
                    f"{known}list its hexes, or mark them: laager vasl mark MAP 'C4,C5=setup:{name}'",
                )
                continue
            hexes = hexes_of(map_, where, texts, findings) or set(map_.setup_areas.get(name, ()))
            twice = {hex_ for hex_ in hexes if hex_ in holders}
            if twice:
                there, end = holders[map_.in_order(twice)[0]]
                findings.add_problem(
                    where,
                    f"{in_words(map_, twice)} {'is' if len(twice) == 1 else 'are'} in {there} too",
                    "a hex is in one Setup Area at most",
                    end,
                )
            holders |= dict.fromkeys(hexes - twice, (f"{name} of {half.name}", findings.end_at(*where)))


def _check_controls(card: Card, map_: HexMap, half: SideCard, where: Where, findings: CardFindings) -> None:
    findings.check_repeats(where, half.controls)
    for i, name in enumerate(half.controls):
        if not _known_area(card, map_, name):
            _check_place(card, map_, name, (*where, i), findings)


def _known_area(card: Card, map_: HexMap, name: str) -> bool:
    """True if a name is that of a Block, where Blocks count, or of an area."""
    if name in _blocks(card, map_):
        return True
    return name in map_.setup_areas or any(name in half.areas for half in card.sides.values())


def _blocks(card: Card, map_: HexMap) -> Collection[str]:
    """Return the Blocks that a card may name: those of a map that names them itself."""
    return () if card.areas != "blocks" or map_.blocks.lettered else map_.blocks.hexes


def refuse_letter(card: Card, map_: HexMap, name: str, where: Where, findings: CardFindings) -> bool:
    """Tell that a card names a Block by the letter that it has by its position only, if it does."""
    if card.areas != "blocks" or not map_.blocks.lettered or name not in map_.blocks.hexes:
        return False
    inside = map_.in_order(map_.blocks.hexes[name])[0]
    right = f"name the Blocks in the map, such as block_names: {{{name}: {inside}, …}}"
    findings.add_problem(
        where, f"Block {name} has its letter by position, and a road that is mended may move it", right
    )
    return True


def _check_place(card: Card, map_: HexMap, name: str, where: Where, findings: CardFindings) -> None:
    """Check that a name which is that of no area is a hex or a Location of the map."""
    hex_ = hex_of(name)
    if hex_ in map_:
        if "." in name:
            location_of(map_, where, name, findings)
        return
    if refuse_letter(card, map_, name, where, findings):
        return
    areas = [*_blocks(card, map_), *map_.setup_areas]
    areas += [area for half in card.sides.values() for area in half.areas]
    kind = "Block" if card.areas == "blocks" else "area"
    advice = did_you_mean(name, dict.fromkeys(areas), "there are") if areas else "name a hex"
    findings.add_problem(where, f"there is no {kind} {name!r} and no such hex", advice)


# Entry Areas --------------------------------------------------------------------------------------


def _arrow_lists(named: CheckedCard) -> Iterator[tuple[CardFindings, Where, Sequence[str]]]:
    """Yield every list of arrow hexes, with where it stands."""
    for side, half in named.card.sides.items():
        yield named.found, ("sides", side, "arrows"), half.arrows
        for i, formation in enumerate(half.formations):
            yield named.found, ("sides", side, "formations", i, "arrows"), formation.arrows
        for i, line in enumerate(named.charts.side(side).rg or ()):
            yield named.inside, ("sides", side, "rg", i, "arrows"), line.arrows


def _check_arrows(map_: HexMap, where: Where, names: Sequence[str], findings: CardFindings, there: OtherEnd) -> None:
    known = [arrow.hex for arrow in map_.entry_arrows]
    findings.check_repeats(where, names)
    for i, name in enumerate(names):
        if name not in known:
            advice = did_you_mean(name, known, "its arrows are") if known else f"laager vasl mark MAP {name}=arrow"
            findings.add_problem((*where, i), f"the map has no Entry Area with its arrow in {name}", advice, there)


def check_arrow_dates(named: CheckedCard) -> None:
    """Entry Areas that open on a date are those of the side, and the dates those of the card."""
    for side, half in named.card.sides.items():
        _check_arrow_dates(named, side, half)


def _check_arrow_dates(named: CheckedCard, side: SideId, half: SideCard) -> None:
    lines = named.charts.side(side).rg or ()
    arrows = [*half.arrows, *(name for formation in half.formations for name in formation.arrows)]
    arrows += [name for line in lines for name in line.arrows]
    ids = [date.id for date in named.card.dates]
    for arrow, name in half.arrow_dates.items():
        where: Where = ("sides", side, "arrow_dates", arrow)
        if arrow not in arrows:
            advice = did_you_mean(arrow, dict.fromkeys(arrows), "it has") if arrows else "add it"
            own = named.found.end_at("sides", side, "arrows")
            named.found.add_problem(where, f"the side {half.name} has no arrow {arrow}", advice, own)
        if name not in ids:
            advice = did_you_mean(name, ids, "the card has")
            named.found.add_problem(where, f"there is no CG Date {name!r}", advice, named.found.end_at("dates"))


def _doubt_entries(named: CheckedCard) -> None:
    """Doubt groups that no Entry Area is for: they can only set up on the map."""
    for side, half in named.card.sides.items():
        shut = [
            line.key for line in named.charts.side(side).rg or () if line.kind in WITH_UNITS and not entries(half, line)
        ]
        if shut:
            right = "add arrows to the side, its formation or the chart"
            named.found.add_doubt(
                ("sides", side, "arrows"),
                f"{', '.join(shut)} {'has' if len(shut) == 1 else 'have'} no Entry Area",
                right,
            )


def entries(half: SideCard, line: RgLine) -> Sequence[str]:
    """Return the arrow hexes by which a group can enter: its own, its formation's or its side's."""
    formation = half.formation(line.formation) if line.formation else None
    return line.arrows or (formation.arrows if formation is not None else half.arrows)


def _check_exits(map_: HexMap, half: SideCard, where: Where, findings: CardFindings) -> None:
    arrows = [*half.arrows, *(name for formation in half.formations for name in formation.arrows)]
    known = {arrow.hex for arrow in map_.entry_arrows}
    edges = {edge for name in arrows if name in known for edge in entry_area(map_, name).edges}
    findings.check_repeats((*where, "exits"), half.exits)
    for i, edge in enumerate(half.exits):
        if edge not in edges:
            right = "its units that leave there are Retained in any of its Entry Areas"
            findings.add_doubt((*where, "exits", i), f"no Entry Area of this side is at the {edge} edge", right)


# Victory ------------------------------------------------------------------------------------------


def _check_conditions(card: Card, map_: HexMap, findings: CardFindings) -> None:
    victory: Any = card.victory
    for part in ("sudden", "final"):
        for i, condition in enumerate(getattr(victory, part)):
            for j, name in enumerate(condition.controls):
                where: Where = ("victory", part, i, "controls", j)
                if _known_area(card, map_, name):
                    continue
                if card.areas == "listed" and hex_of(name) not in map_:
                    findings.add_doubt(
                        where, f"no area is called {name!r} at the start", "the players may list one of that name"
                    )
                    continue
                _check_place(card, map_, name, where, findings)
                _doubt_strategic(map_, name, where, findings)


def _doubt_strategic(map_: HexMap, name: str, where: Where, findings: CardFindings) -> None:
    hex_ = hex_of(name)
    if hex_ not in map_:
        return
    ground = map_.hex(map_.main(hex_))
    if ground.building is None and not ground.has("rubble"):
        right = "nobody Controls it unless it has an Entrenchment or Gun; name another"
        findings.add_doubt(where, f"{name} is neither building nor rubble", right)
