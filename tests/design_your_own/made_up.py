"""Terms between any two nations of the charts, with catalogues made up at random over the published values."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import yaml

from laager.campaign import Readings
from laager.catalogue.dyo import catalogue_data, load_dyo, shipped_nations
from laager.catalogue.model import leader_rank
from laager.rules.design_your_own.answers import PACKAGE
from laager.rules.design_your_own.files import shipped_terms

NATIONS = shipped_nations("published")
"""Every nation with rows in the charts of the rules."""

LEADERS = ("6+1", "7-0", "8+1", "8-0", "8-1", "9-0", "9-1", "9-2", "10-0", "10-1", "10-2", "10-3")
LADDERS = (("8-0", "8-1", "9-1", "9-2", "10-2"), ("8-0", "9-0", "9-1", "10-0", "10-1"), ("9-0", "9-1", "10-0", "10-2"))
DATES = ("1937-03", "1938-11", "1939-09", "1940-05", "1941-07", "1942-11", "1943-08", "1944-09", "1945-03")
SECTIONS = ("squads", "guns", "vehicles", "armament", "transport", "oba", "support_weapons", "armor_leaders")

_READINGS = tuple(Readings.load_packaged(PACKAGE).values())


@cache
def _donor(nation: str) -> dict[str, Any]:
    return catalogue_data(load_dyo(nation, set="house"))[0]


def _capabilities(rng: Random) -> dict[str, Any]:
    found: dict[str, Any] = {
        "lg": rng.choice([1, 2, 3, 4, 5, 7, "unknown"]),
        "pf_range": rng.choice([0, 2, {"1944": 2, "other": "unknown"}]),
        "commissars": rng.choice([True, False, "unknown"]),
        "crew_morale": rng.choice([7, 8, "unknown"]),
        "partisan": rng.random() < 0.1,
    }
    own = tuple(sorted(rng.sample(LEADERS, rng.randint(1, 6)), key=leader_rank))
    for name, value in (("ladder", list(rng.choice([*LADDERS, own]))), ("fraction_leader", rng.choice(LEADERS))):
        if rng.random() < 0.6:
            found[name] = value
    return found


def _entries(donor: str, section: str, rng: Random) -> list[dict[str, Any]]:
    made = []
    for entry in _donor(donor)[section]:
        if rng.random() < 0.1 and section not in ("squads", "vehicles"):
            continue
        # What others are named by stays; where it comes from and words don't matter.
        one = {name: value for name, value in entry.items() if name not in ("note", "source", "sources")}
        for name in ("bpv", "rf", "dates", "counters", "ratio", "fp"):
            if name in one and rng.random() < 0.08:
                one[name] = "unknown"
        if section == "squads" and rng.random() < 0.15:
            one["dates"] = rng.choice(["1944..", "..1941", "none"])
        if section == "squads" and one.get("kind") == "squad" and rng.random() < 0.05:
            one["elr"] = rng.randint(0, 5)
        made.append(one)
    return made


def catalogue_file(nation: str, rng: Random) -> dict[str, Any]:
    """Values of a nation, many of them unknown, with leaders of its own ladder."""
    line, donor = _capabilities(rng), rng.choice(("german", "russian"))
    file: dict[str, Any] = {
        "laager": "dyo-catalogue/1",
        "nation": nation,
        "name": nation.replace("-", " ").title(),
        "source": "example",
        "capabilities": line,
        **{section: _entries(donor, section, rng) for section in SECTIONS if rng.random() < 0.9},
    }
    if "vehicles" not in file or "squads" not in file:
        for section in ("vehicles", "armament"):
            file.pop(section, None)
    file["leaders"] = [{"type": type_, "counters": rng.choice([0, 1, 3, 9, "unknown"])} for type_ in LEADERS]
    return file


def write_terms(folder: Path, rng: Random, axis: str, allied: str) -> Path:
    """Write terms between two nations, with a catalogue for each, and return their path."""
    terms = yaml.safe_load(shipped_terms()["vistula"].read_text(encoding="utf-8"))
    own = []
    for nation in dict.fromkeys((axis, allied)):
        path = folder / f"{nation}.yaml"
        path.write_text(yaml.safe_dump(catalogue_file(nation, rng), sort_keys=False), encoding="utf-8")
        own.append(path.name)
    terms |= {
        "catalogue": "published",
        "own": own,
        "date": rng.choice(DATES),
        "open": rng.random() < 0.3,
        "readings": {one.id: rng.choice(list(one.options)) for one in _READINGS if rng.random() < 0.3},
    }
    for side, nation in (("axis", axis), ("allied", allied)):
        terms["sides"][side] |= {"nation": nation, "points": rng.randint(20, 3000), "elr": rng.randint(0, 5)}
    path = folder / "terms.yaml"
    path.write_text(yaml.safe_dump(terms, sort_keys=False), encoding="utf-8")
    return path
