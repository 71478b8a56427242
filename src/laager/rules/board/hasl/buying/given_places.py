"""Where the groups of the OB come, as far as the card leaves it open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from laager.base import Problem
from laager.campaign import Choice, Field, Procedure, Question, Rows, SecretQuestion, Text, ask, implements
from laager.rules.board.card.parts import other_side
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.buying.groups import fresh_groups, line_of
from laager.rules.board.hasl.buying.offers import DateShop, hex_problem, wants_hex
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import Group, GroupArrival
from laager.rules.board.sentences import say_change

Ways = Mapping[GroupArrival, Sequence[str]]
"""The ways in which a group may come, each with the places where it may."""


@implements("HASL 3", "HASL 9")
def given_places(cg: Hasl, side: str) -> Procedure[None]:
    """Record how and where each given group comes; ask if there is more than one way."""
    open_ = [group for group in fresh_groups(cg, side) if _open(cg, group)]
    settled = [group for group in open_ if not _must_ask(cg, group)]
    for group in settled:
        ways = ways_of(cg, group)
        arrival = next(iter(ways))
        yield _place_group(group, arrival, ways[arrival][0], "")
    asked = [group for group in open_ if group not in settled]
    if not asked:
        return
    answer = yield from ask(_question(cg, side, asked))
    rows = {row["group"]: row for row in answer}
    for group in asked:
        row = rows[group.id]
        yield _place_group(group, GroupArrival(row["arrival"]), row["area"], row["objective"])


def ways_of(cg: Hasl, group: Group) -> Ways:
    """Return how and where a given group may come: as the card says, else as the rules allow."""
    line = line_of(cg, group)
    allowed = cg.variant.arrivals(cg, group.side, line)
    ways = (group.arrival,) if group.arrival is not None else allowed
    places = {way: DateShop(cg, group.side).areas(line, way) for way in ways}
    if group.area:
        places = {way: (group.area,) for way in ways if group.arrival or group.area in places[way]}
    return {way: areas for way, areas in places.items() if areas}


def _open(cg: Hasl, group: Group) -> bool:
    if not group.given or not ways_of(cg, group) or (group.setup and not _hex_missing(cg, group)):
        return False
    return group.arrival is None or not group.area or _hex_missing(cg, group)


def _must_ask(cg: Hasl, group: Group) -> bool:
    return _hex_missing(cg, group) or sum(map(len, ways_of(cg, group).values())) > 1


def _hex_missing(cg: Hasl, group: Group) -> bool:
    return bool(wants_hex(cg, group.side, line_of(cg, group))) and not group.objective


def _place_group(group: Group, arrival: GroupArrival, area: str, objective: str) -> GroupChanged:
    more = {"objective": objective} if objective else {}
    return GroupChanged.of(
        group, f"{group.id}: {say_change('arrival', arrival)}, {area}", arrival=arrival, area=area, **more
    )


# The question -------------------------------------------------------------------------------------


def _question(cg: Hasl, side: str, groups: Sequence[Group]) -> Question:
    ways = {group.id: ways_of(cg, group) for group in groups}
    arrivals = dict.fromkeys(way for areas_by_way in ways.values() for way in areas_by_way)
    areas = dict.fromkeys(a for areas_by_way in ways.values() for names in areas_by_way.values() for a in names)
    fields = (
        Field("group", Choice.of_labels({g.id: f"{g.id}, {g.name}" for g in groups}), "Group"),
        Field("arrival", Choice.of(*(way.value for way in arrivals)), "How it comes"),
        Field("area", Choice.of(*areas), "Setup Area or Entry Area"),
        Field("objective", Text(limit=12), "Objective hex, where one is recorded", ""),
    )
    return SecretQuestion(
        "given-groups",
        side,
        "How and where do the groups of your OB come?",
        Rows.of(*fields, most=len(groups)),
        default=[_first(cg, group) for group in groups],
        check=lambda rows: tuple(_problems(cg, groups, rows)),
        suggest=lambda rng: [_random_row(cg, group, rng) for group in groups],
    )


def _first(cg: Hasl, group: Group) -> dict[str, str]:
    """Return the first way and place: on the map before entering, where both are possible."""
    ways = ways_of(cg, group)
    arrival = GroupArrival.ON_MAP if GroupArrival.ON_MAP in ways else next(iter(ways))
    row = {"group": group.id, "arrival": arrival.value, "area": ways[arrival][0], "objective": ""}
    if _hex_missing(cg, group):
        row["objective"] = _hexes(cg, group)[0]
    return row


def _hexes(cg: Hasl, group: Group) -> Sequence[str]:
    """Return hexes to propose as objectives: those of the enemy's Setup Areas, else any."""
    return cg.sort(cg.state.friendly(other_side(group.side)) or cg.map.playable)


def _random_row(cg: Hasl, group: Group, rng: Random) -> dict[str, str]:
    ways = ways_of(cg, group)
    arrival = rng.choice(tuple(ways))
    row = {"group": group.id, "arrival": arrival.value, "area": rng.choice(ways[arrival])}
    return row | {"objective": rng.choice(_hexes(cg, group)) if _hex_missing(cg, group) else ""}


def _problems(cg: Hasl, groups: Sequence[Group], rows: Sequence[Mapping[str, str]]) -> Iterator[Problem]:
    ids = [row["group"] for row in rows]
    for group in groups:
        if ids.count(group.id) != 1:
            yield Problem(f"{group.id} is named {ids.count(group.id)} times", "name it once")
    by_id = {group.id: group for group in groups}
    for number, row in enumerate(rows, 1):
        group = by_id[row["group"]]
        ways = ways_of(cg, group)
        places = ways.get(GroupArrival(row["arrival"]), ())
        if not places:
            right = f"it comes {' or '.join(way.value for way in ways)}"
            yield Problem(f"{group.id} can't come {row['arrival']}", right, f"[{number}].arrival")
        elif row["area"] not in places:
            right = f"one of {', '.join(places)}"
            yield Problem(f"{group.id} can't come {row['arrival']} in {row['area']}", right, f"[{number}].area")
        fault = hex_problem(cg, row["objective"]) if _hex_missing(cg, group) else ""
        if fault:
            yield Problem(f"{group.id} has no objective hex: {fault}", "name a hex", f"[{number}].objective")
        elif row["objective"] and not _hex_missing(cg, group):
            yield Problem(f"no hex is recorded for {group.id}", "leave it out", f"[{number}].objective")
