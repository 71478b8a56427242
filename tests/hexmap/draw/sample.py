"""A map with something of almost everything, and layers to lay over it."""

from __future__ import annotations

from functools import cache
from typing import Any

from laager.base.files import Document, parse_document
from laager.hexmap import HexMap, controlled_hexes, crests, front, map_from_document, strategic_terrain
from laager.hexmap.draw import FrontLayer, Layers, UnitMark, front_layer

SIDES = {"axis": "German", "allied": "Russian"}
TVP = {"M10": 3, "N9": 4, "W5": 5, "C12": 2, "I12": 1, "G6": 1}

SAMPLE = r"""laager: map/1
id: sample
title: Sample valley
source: house
source_note: Made for the tests of the drawing.
boards:
  - {columns: 25, rows: 20}
terrain:
  woods: [A1-A5, B1-B5, C2-C4, D3, M14-M17, N13-N17, O14-O18, P14-P16, T3, U3-U5, V3, H2, Y12-Y16,
      X13-X15, W14]
  orchard: [H9-H11, I10-I11, J10, R8-R9, S9]
  brush: [E14-E15, F13-F15, G15, D8, S16]
  grain: [P3-P6, Q4-Q7, R3-R5, L4-L6, K5-K6, C17-C19, D17-D18]
  marsh: [T17-T19, U18-U20, V18]
  crag: [W7, J2]
  plowed: [E10-E12, D11]
  vineyard: [U11-U13, T12]
  graveyard: [M9]
  pond: [G18, H17, H18]
also:
  woods: [D5, L13, V5]
  brush: [E4, G13, S4]
  rubble: [N8]
levels:
  1: [S2-S6, T1-T6, U2, U6-U7, V1-V2, V6-V7, W2-W3, W7-W8, X2-X3, X6-X7, Y3-Y6, B9-B12, C10, C13,
      D9-D10, D12, E10-E13]
  2: [U3-U5, V3, V5, W4, W6, X4-X5, C11-C12, D11]
  3: [V4, W5]
  -1: [J14, K15, J15, K16, I16]
buildings:
  - {name: Church, material: stone, levels: 1, hexes: [M10]}
  - {name: Mill, material: wooden, levels: 1, cellar: true, hexes: [I12]}
  - {name: Town hall, material: stone, levels: 2, cellar: true, hexes: [N9, O10, O9]}
  - {material: stone, levels: 1, hexes: [L9]}
  - {material: stone, levels: 0, hexes: [L10]}
  - {material: wooden, hexes: [N10, N11]}
  - {material: wooden, hexes: [P10]}
  - {material: wooden, hexes: [K9]}
  - {material: wooden, hexes: [M12]}
  - {material: stone, hexes: [G6]}
  - {material: hut, hexes: [X10]}
  - {material: hut, hexes: [W11]}
  - {name: "Kolkhoz \"Red <Star>\" & Sons", material: wooden, levels: 0, hexes: [R14, S15]}
roads:
  - {kind: paved, along: [A11, B10, C10, D9, E9, F8, G8, H8, I9, J9, K10, L10, M11, N11, O12, P12,
      Q12, R11, S11, T10, U10, V9, W9, X8, Y8]}
  - {kind: unpaved, along: [M1, M2, M3, M4, M5, M6, M7, M8, M9, M10, M11, M12, L12, L13, L14, K15,
      K16, K17, K18, K19, K20]}
  - {kind: unpaved, along: [P12, Q13, R13, S14, T14, U15, V15, W16, X16, Y17]}
  - {kind: path, along: [G8, G7, G6, F5, E5, D4, C4, B3, A3]}
  - {kind: railway, along: [A16, B16, C17, D17, E18, F18, G19, H19, I20]}
watercourses:
  - {kind: stream, along: [F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, G11, G12, H12, H13, I14, I15,
      J15, J16, J17, J18, J19, J20]}
  - {kind: gully, along: [W20, W19, V18, V17, U17, T16, S16, R15, R16, Q17, Q18]}
hexsides:
  wall: [M9/N8, M9/M8, L8/M9, M9/L9, P9/P10, P10/Q10, Q11/P10]
  hedge: [P6/P7, Q7/Q8, Q7/P7, Q7/R7, R6/R7, H8/H9, I9/I10, J9/J10]
  bocage: [D13/D14, E14/E13, F12/F13]
  cliff: [V7/V8, W8/W9, U7/U8, X7/X8]
  roadblock: [C10/D9, S11/T10]
features:
  bridge: [F8, J16]
  ford: [F5, I15]
  hilltop: [W5]
  hillock-summit: [C12]
names: {H7: "Hill 203", V11: "Vineyards", P18: "East wood", L2: "Northfield"}
not_playable: [Y18-Y20, X19-X20]
"""


@cache
def sample_map() -> HexMap:
    """Return a valley with a town, 25 by 20 hexes."""
    return map_from_document(parse_document(SAMPLE, "sample.yaml"))


def made(boards: list[dict[str, Any]] | None = None, **sections: Any) -> HexMap:
    """Return a map of the given sections of a map file."""
    head = {"laager": "map/1", "id": "test", "title": "Test", "source": "house"}
    boards = boards or [{"columns": 5, "rows": 5}]
    return map_from_document(Document({**head, "boards": boards, **sections}, "test.yaml"))


@cache
def sample_front() -> FrontLayer:
    """Return a front through the town, with a pocket of one side in the other's region."""
    map_ = sample_map()
    strategic = strategic_terrain(map_, tvp=TVP)
    control = {}
    for location in strategic:
        one = map_.hex(location.split(".")[0])
        west = one.q < 9 or (one.q < 12 and one.r + one.q / 2 < 9)
        control[location] = "axis" if west else "allied"
    control |= {"J2": "allied", "H2": "allied", "N9": "axis", "N9.1": "axis", "N9.2": "allied"}
    held = {side: controlled_hexes(map_, strategic, crests(map_), control, side) for side in SIDES}
    ground = {where: side for where, side in control.items() if "." not in where}
    edges = {"axis": map_.edge("west"), "allied": map_.edge("east")}
    return front_layer(front(map_, held, ground, edges))


def sample_layers() -> Layers:
    """Return a picture with everything that a layer can show."""
    return Layers(
        subtitle="After the second firefight \u00b7 13 July 1943, a.m.",
        sides=SIDES,
        control={"M10": "allied", "N9": "axis", "N9.1": "axis", "N9.2": "allied", "W5": "allied"},
        strategic=["M10", "N9.2", "W5"],
        front=sample_front(),
        entry={"axis": frozenset({"A10", "A11", "B20"}), "allied": frozenset({"Y7", "X18", "S1"})},
        tvp=TVP,
        units=[
            UnitMark("M10", "axis", "4-6-7", count=3),
            UnitMark("N9", "axis", "9-2"),
            UnitMark("N9.2", "allied", "T-34 M43"),
            UnitMark("P13", "allied", "Ambush", concealed=True),
            UnitMark("Q12", "allied", "Scout", concealed=True, own=True),
        ],
        highlight=["G11", "G12", "H11"],
        targets=True,
    )
