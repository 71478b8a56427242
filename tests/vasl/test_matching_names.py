"""What VASL's counters are in the catalogue: by name, whatever their place in the palette."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from laager.catalogue import load_packaged
from laager.vasl.report.counters import CounterType, identify, possible_changes
from laager.vasl.saves.counters import CounterKind
from laager.vasl.saves.game import Piece

PALETTE = Path(__file__).parents[3] / "shared" / "vasl" / "pieces-by-gpid.csv"
CODES = {
    "ge": "german", "ru": "russian", "am": "american", "br": "british", "ja": "japanese",
    "fi": "finnish", "it": "italian", "fr": "french", "hu": "hungarian", "ax": "axis-minor",
    "al": "allied-minor",
}  # fmt: skip
KINDS = {
    "mmc": CounterKind.MMC,
    "smc": CounterKind.SMC,
    "sw": CounterKind.SW,
    "gun": CounterKind.GUN,
    "vehicle": CounterKind.VEHICLE,
}


def what(nation: str, kind: CounterKind, name: str, basic: str = "") -> CounterType | None:
    piece = Piece("1", name, name, basic or name, name, kind, None, "999", "Main Map", 0, 0)
    return identify(piece, load_packaged(nation).nation(nation))


@pytest.mark.parametrize(
    ("nation", "kind", "name", "found"),
    [
        ("german", CounterKind.MMC, "4-6-7 1sq", CounterType("4-6-7", "squad")),
        ("german", CounterKind.MMC, "broken 2-4-7 1hs", CounterType("2-4-7", "half-squad")),
        ("german", CounterKind.MMC, "4-6-8 Lehr Esq", CounterType("4-6-8", "squad")),
        ("german", CounterKind.MMC, "2-2-8 Icr", CounterType("2-2-8", "crew")),
        ("german", CounterKind.MMC, "4-6-7 1hs", None),
        ("german", CounterKind.MMC, "9-9-9 1sq", None),
        ("german", CounterKind.MMC, "odd", None),
        ("italian", CounterKind.MMC, "1-2-6 Vcr", CounterType("1-2-6 crew", "crew")),
        ("italian", CounterKind.MMC, "1-2-6 Chs", CounterType("1-2-6", "half-squad")),
        ("german", CounterKind.SMC, "9-1", CounterType("9-1", "leader")),
        ("german", CounterKind.SMC, "Wnd 6+1", CounterType("6+1", "leader")),
        ("german", CounterKind.SMC, "10-2 AL", CounterType("10-2", "armor-leader")),
        ("german", CounterKind.SMC, "6+1 AL", None),
        ("german", CounterKind.SMC, "Hero", CounterType("1-4-9", "hero")),
        ("german", CounterKind.SMC, "Piper", None),
        ("german", CounterKind.SW, "malf LMG", CounterType("LMG", "sw")),
        ("german", CounterKind.SW, "dm 81* MTR", CounterType("dm 81* MTR", "sw")),
        ("american", CounterKind.SW, "60* MTR M2", CounterType("60* MTR", "sw", loose=True)),
        ("german", CounterKind.GUN, "75L AT PaK 40", CounterType("75L AT PaK 40", "gun")),
        ("german", CounterKind.GUN, "88L AA FlaK 18 o. 36", CounterType("88L AA FlaK 18", "gun", loose=True)),
        ("german", CounterKind.VEHICLE, "PzKw IVH", CounterType("PzIVH", "afv")),
        ("german", CounterKind.VEHICLE, "PzKw 38(t)A", CounterType("Pz38tA", "afv")),
        ("german", CounterKind.VEHICLE, "StuG IIIG (L)", CounterType("StuG IIIG", "afv", loose=True)),
        ("german", CounterKind.VEHICLE, "Tog II", None),
        ("german", CounterKind.WRECK, "PzKw IVH Wreck2", CounterType("PzIVH", "afv")),
        ("german", CounterKind.WRECK, "Burnt Out", None),
        ("german", CounterKind.MARKER, "LMG", None),
    ],
)
def test_counters(nation: str, kind: CounterKind, name: str, found: CounterType | None) -> None:
    assert what(nation, kind, name) == found


def test_commissars_are_told_by_the_name_they_began_with() -> None:
    assert what("russian", CounterKind.SMC, "9-0", "ruCOM") == CounterType("9-0", "commissar")
    assert what("russian", CounterKind.SMC, "9-0", "ruLDR") is None
    assert what("russian", CounterKind.SMC, "8-0", "ruLDR") == CounterType("8-0", "leader")
    assert what("german", CounterKind.SMC, "Lehr 9-1 AL", "9-1 AL") == CounterType("9-1", "armor-leader")


def test_what_units_can_become() -> None:
    german = load_packaged("german").nation("german")
    assert possible_changes(german, "4-6-7", "squad") == {
        "2-4-7": "Reduced",
        "4-4-7": "Replaced",
        "4-6-8": "Battle Hardened",
        "2-3-7": "Replaced and Reduced",
    }
    assert possible_changes(german, "2-4-7", "half-squad")["4-6-7"] == "Recombined"
    assert possible_changes(german, "8-0", "leader") == {"7-0": "Replaced", "8-1": "Battle Hardened"}
    assert possible_changes(german, "8-1", "armor-leader") == {"9-1": "Battle Hardened"}
    assert possible_changes(german, "1-4-9", "hero") == possible_changes(german, "LMG", "sw") == {}


@pytest.mark.skipif(not PALETTE.is_file(), reason="the table of VASL's palette is not here")
@pytest.mark.parametrize("code", CODES)
def test_every_type_of_the_catalogue_has_its_counter(code: str) -> None:
    nation = load_packaged(CODES[code]).nation(CODES[code])
    parts = (nation.mmc, nation.smc, nation.support_weapons, nation.guns, nation.vehicles)
    wanted = {(type_, part[type_].kind.value) for part in parts for type_ in part}
    wanted |= {(type_, "armor-leader") for type_ in nation.armor_leaders}
    with PALETTE.open(encoding="utf-8") as file:
        for line in csv.DictReader(file):
            kind = KINDS.get(line["class"])
            if kind is None or (line["nation"] or code) != code:
                continue
            name, basic = line["name"], line["basic_name"]
            piece = Piece("1", name, name, basic, name, kind, code, None, "Main Map", 0, 0)
            found = identify(piece, nation)
            wanted -= {(found.type, found.kind)} if found else set()
    # Step-reduced Japanese squads have no name of their own in the palette.
    assert {type_ for type_, _ in wanted if not type_.endswith(" reduced")} == set()
