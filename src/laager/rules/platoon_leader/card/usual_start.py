"""How a card usually begins: a calendar, and the ratings of a nation in a month (PL 1.4).

All of it is ours, a beginning to be tried and changed: no published card and no table of the rules says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from laager.catalogue.dyo import Month

RATINGS: Mapping[str, Sequence[tuple[str, int, int]]] = {
    "allied-minor": (("1939-01", 2, 2),),
    "american": (("1939-01", 3, 3), ("1944-09", 4, 3)),
    "axis-minor": (("1939-01", 2, 2),),
    "british": (("1939-01", 3, 3), ("1942-10", 4, 3)),
    "finnish": (("1939-01", 4, 5),),
    "french": (("1939-01", 3, 2), ("1940-06", 2, 2), ("1943-01", 3, 3)),
    "german": (("1939-01", 4, 3), ("1944-01", 3, 3), ("1945-01", 2, 4)),
    "hungarian": (("1939-01", 2, 2),),
    "italian": (("1939-01", 2, 2),),
    "japanese": (("1937-01", 4, 4), ("1944-01", 3, 5)),
    "partisan": (("1939-01", 5, 4),),
    "russian": (("1939-01", 2, 3), ("1942-11", 3, 4), ("1944-06", 4, 4)),
}
"""ELR and SAN of a nation from a month on."""
CP_OF_ATTACKER, CP_OF_DEFENDER, ATTACK_COST = 20, 16, 3
PACES: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "2": (1, ("morning", "afternoon")),
    "3": (1, ("morning", "afternoon", "night")),
    "1": (1, ("morning",)),
    "1/2": (2, ("morning",)),
    "1/7": (7, ("morning",)),
}
"""Firefights a day: the days to the next ones, and the times of a day."""
DAY_END, NIGHT_END = {5: 2, 6: 3, 7: 5, 8: 6}, {5: 2, 6: 4, 7: 6}
NVR = {"none": 2, "half": 3, "full": 4}
WET_MONTHS = (1, 2, 3, 10, 11, 12)
NEW_MOON, LUNAR_MONTH = date(2000, 1, 6), 29.530588
MOST_FIREFIGHTS = 40


def usual_ratings(nation: str, month: Month | None) -> tuple[int, int] | None:
    """Return the ELR and the SAN of a nation in a month, or at first; None for nations of one's own."""
    ratings = RATINGS.get(nation)
    if not ratings:
        return None
    fitting = [each for each in ratings if month is not None and Month.of(each[0]) <= month]
    return (fitting[-1] if fitting else ratings[0])[1:]


def usual_start(nation: str, month: Month | None, attacks: bool) -> dict[str, int]:
    """Return what a side has at the start, by the fields of a card."""
    ratings = usual_ratings(nation, month)
    known = dict(zip(("elr", "san"), ratings, strict=True)) if ratings else {}
    return {**known, "cp": CP_OF_ATTACKER if attacks else CP_OF_DEFENDER, "attack_cost": ATTACK_COST}


def usual_calendar(first: date, count: int, pace: str) -> list[dict[str, Any]]:
    """Return the lines of a calendar, from the morning of a day on. The moon is that of the night."""
    days, times = PACES[pace]
    return [_firefight(first + timedelta(i // len(times) * days), times[i % len(times)]) for i in range(count)]


def _firefight(day: date, time: str) -> dict[str, Any]:
    line: dict[str, Any] = {"date": str(day), "time": time, "game_end": dict(DAY_END)}
    if time == "night":
        moon = moon_on(day)
        line |= {"game_end": dict(NIGHT_END), "night": {"base_nvr": NVR[moon], "moon": moon}}
    return {**line, "weather": "Overcast" if day.month in WET_MONTHS else "Clear"}


def moon_on(day: date) -> str:
    """Return how much of the moon there is in the night after a day: none, half or full."""
    age = (day - NEW_MOON).days % LUNAR_MONTH / LUNAR_MONTH
    if min(age, 1 - age) < 1 / 8:
        return "none"
    return "full" if abs(age - 1 / 2) < 1 / 8 else "half"


def usual_places(map_: Any) -> dict[str, tuple[str, int]]:
    """Return the places of a map file that are worth points: buildings with names, bridges and fords; name and TVP."""
    if not isinstance(map_, Mapping):
        return {}
    places: dict[str, tuple[str, int]] = {}
    for building in map_.get("buildings") or ():
        if isinstance(building, Mapping) and building.get("name") and building.get("hexes"):
            places.setdefault(str(building["hexes"][0]), (str(building["name"]), 1))
    for sort, points in (("bridge", 2), ("ford", 1)):
        for hex_ in (map_.get("features") or {}).get(sort) or ():
            places.setdefault(str(hex_), (sort.capitalize(), points))
    return places


def usual_setup(kind: str) -> str:
    """Return how a group of the OB comes into play: vehicles drive up, others are there."""
    return "off-map" if kind in ("afv", "vehicle") else "on-map"
