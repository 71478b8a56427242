"""Meanings of colours' names: `DenseJungleHL`, `ERroadL_1`, `v9Level2` are terrain and level in a word.

VASL's shared table knows most names. Boards with colours of their own name them in the same manner.
"""

from __future__ import annotations

import re

_LEVEL = re.compile(r"(?:Level|Lvl|L)(_?)([0-9])(?![0-9])")
_NOTHING = re.compile(r"num|text|font|note|strip|indicator|hexid|dot\b|wire|slope|contour", re.IGNORECASE)
"""Colours of print and lines over the ground."""

_WORDS: tuple[tuple[str, str], ...] = (
    ("rowhouse", "Rowhouse Wall, 1 Level"),
    ("chimney", "Stone Building"),
    ("bldgshadow", "Open Ground"),
    ("sto?n?e?bldg|stonestair|sto?n?ebuild|stonefact", "Stone Building"),
    ("woo?d?bldg|woodstair|woodbuild|woodenb", "Wooden Building"),
    ("factory", "Stone Factory, 1.5 Level"),
    ("rubble", "Stone Rubble"),
    ("bridge(?!.*road)(?!.*rd)", "Single Hex Stone Bridge"),
    ("dense ?jungle", "Dense Jungle"),
    ("jungle", "Light Jungle"),
    ("bamboo", "Bamboo"),
    ("palm", "Palm Trees"),
    ("kunai", "Kunai"),
    ("huts?(?![a-z])", "Huts"),
    ("paddy", "Rice Paddy, Irrigated"),
    ("sunk(en)?r", "Sunken Road"),
    ("pavedr|paved_r|street", "Paved Road"),
    ("road|dirtrd|drtrd", "Dirt Road"),
    ("rail", "Railroad, Ground Level"),
    ("path|trail|track", "Path"),
    ("bocage", "Bocage"),
    ("hedge", "Hedge"),
    ("wall", "Wall"),
    ("orch", "Orchard"),
    ("vineyard", "Vineyard"),
    ("olive", "Olive Grove"),
    ("lumber", "Lumberyard"),
    ("ltwoods|lightwoods", "Light Woods"),
    ("pine", "Pine Woods"),
    ("forest", "Forest"),
    ("wood", "Woods"),
    ("brush", "Brush"),
    ("grain|wheat", "Grain"),
    ("furrow", "Open Ground"),
    ("plow", "Plowed Field"),
    ("swamp", "Swamp"),
    ("marsh", "Marsh"),
    ("mudflat", "Open Ground"),
    ("drystream", "Dry Stream"),
    ("stream|creek|brook", "Shallow Stream"),
    ("gully", "Gully"),
    ("wadi", "Wadi"),
    ("ford", "Ford"),
    ("canal", "Canal"),
    ("river", "River"),
    ("ocean|sea(?![a-z])", "Ocean"),
    ("beach", "Beach, Slight Slope"),
    ("water|lake|pond|ice(?![a-z])", "Water"),
    ("cliff", "Cliff"),
    ("crag", "Crags"),
    ("grave|cemet", "Graveyard"),
    ("shellhole", "Shellholes"),
    ("hammada", "Hammada"),
    ("scrub", "Scrub"),
    ("d[ie]{2}r", "Dier"),
    ("dune|sand", "Sand"),
    ("hillock", "Hillock"),
    ("cactus", "Cactus Patch"),
    ("broken", "Broken Ground"),
    ("debris", "Debris"),
)
_MEANINGS = tuple((re.compile(pattern, re.IGNORECASE), terrain) for pattern, terrain in _WORDS)
_GROUND = re.compile(r"level|lvl|shadow|highlight|crest|desert|mist|winter|mud|(?:^|[a-z0-9])L_?[0-9]|^L_?[0-9]")


def meaning_of_name(name: str) -> tuple[str | None, int | None]:
    """Return the terrain (VASL's name) and the level that a colour's name says, each None if it says none."""
    level = level_in(name)
    if _NOTHING.search(name):
        return None, None
    plain = re.sub(r"^v[0-9]+", "", name)
    for pattern, terrain in _MEANINGS:
        if pattern.search(plain):
            return terrain, level
    if level is not None or _GROUND.search(plain):
        return "Open Ground", level
    return None, None


def level_in(name: str) -> int | None:
    """Return the level in a colour's name: 1 of `OrchL1`, -1 of `Level_1`."""
    match = _LEVEL.search(name)
    return None if match is None else (-1 if match[1] else 1) * int(match[2])
