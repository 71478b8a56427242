"""Jungle Paths: where their markers can be, placing them, showing them before setup (CG16; GEO-5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.campaign import Choice, Fact, Field, Placing, Procedure, Rows, SecretQuestion, Text, ask, implements, step
from laager.hexmap import jungle_path_problems
from laager.hexmap.coords import LIST_EXAMPLE
from laager.rules.board.facts import FortGone, FortJoined
from laager.rules.board.hasl.charts import JUNGLE_PATH
from laager.rules.board.numbering import next_fort_id
from laager.rules.board.places import parse_hexes
from laager.rules.board.rows import repeated_names
from laager.rules.board.units import Fort
from laager.rules.board.wording import yield_facts

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er


def unplaced_purchases(cg: Er, side: str) -> list[Fort]:
    """Return a side's purchases whose markers aren't on the map yet."""
    return [
        fort for fort in cg.state.forts.values() if fort.side == side and fort.kind == JUNGLE_PATH and fort.at is None
    ]


def placed_markers(cg: Er, side: str | None = None) -> list[Fort]:
    """Return the markers on the map, of one side or of both."""
    return [
        fort
        for fort in cg.state.forts.values()
        if fort.kind == JUNGLE_PATH and fort.at is not None and side in (None, fort.side)
    ]


@implements("ER CG16", "ER 1.520 Note e", "ER GEO-5")
def marker_problems(cg: Er, side: str, names: Sequence[str]) -> Iterator[Problem]:
    """Yield all that is wrong with where the markers of one purchase are."""
    isolated = {name for area in cg.state.areas_of(side) if area.isolated for name in area.hexes} & set(
        map(cg.map.main, names)
    )
    if isolated:
        yield Problem(f"{', '.join(cg.sort(isolated))} is Isolated", "no Jungle Path is placed there (ER 1.520 Note e)")
    several = cg.reading("jungle-path-gaps") == "several"
    yield from jungle_path_problems(cg.map, names, several=several)


@step("ER CG16", "Jungle Paths", edition=2)
def jungle_paths(cg: Er, side: str) -> Procedure[None]:
    """A side places the markers of its new Jungle Paths, three for each purchase, in secret."""
    bought = unplaced_purchases(cg, side)
    if not bought:
        return
    rows = yield from ask(paths_question(cg, side, bought))
    placed = {row["path"]: cg.sort(parse_hexes(cg, row["hexes"])[0]) for row in rows}
    for fort in bought:
        yield from yield_facts(place_markers(cg, fort, placed.get(fort.id, ())))


def paths_question(cg: Er, side: str, bought: Sequence[Fort]) -> SecretQuestion:
    """Return the secret question where the markers go."""
    form = Rows.of(
        Field("path", Choice.of(*(fort.id for fort in bought)), "Purchase"),
        Field("hexes", Text(200), f"Hexes of its markers, three at most, {LIST_EXAMPLE}"),
        most=len(bought),
    )
    return SecretQuestion(
        key="jungle-paths",
        side=side,
        text=f"Where do the markers of your {len(bought)} Jungle Paths go?",
        form=form,
        check=lambda rows: path_problems(cg, side, rows),
        suggest=lambda rng: random_markers(cg, side, bought, rng),
        placing=Placing(lambda: {"hexes": legal_hexes(cg, side)}),
        help="Those of one purchase are ADJACENT, or parted by an Open Ground or Palm hex. In "
        "Bamboo and dense jungle a marker counts as two. What you don't place now is lost.",
    )


@implements("ER CG16")
def path_problems(cg: Er, side: str, rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return all that is wrong with the markers of all purchases."""
    problems = repeated_names(rows, "path")
    for number, row in enumerate(rows, 1):
        hexes, wrong = parse_hexes(cg, row["hexes"])
        row_problems = wrong or marker_problems(cg, side, hexes)
        problems += [problem.inside(f"[{number}].hexes") for problem in row_problems]
    return problems


def random_markers(cg: Er, side: str, bought: Sequence[Fort], rng: Random) -> list[dict[str, Any]]:
    """Return a random marker for each purchase, if it is legal."""
    hexes = cg.sort(cg.map.playable)
    rows = []
    for fort in bought:
        name = rng.choice(hexes)
        if not list(marker_problems(cg, side, [name])):
            rows.append({"path": fort.id, "hexes": name})
    return rows


def legal_hexes(cg: Er, side: str) -> list[str]:
    """Return the hexes in which a marker alone is legal."""
    return [name for name in cg.map.playable if not list(marker_problems(cg, side, [name]))]


@implements("ER CG16")
def place_markers(cg: Er, fort: Fort, hexes: Sequence[str]) -> Iterator[Fact]:
    """Yield that the markers of a purchase are on the map, unknown to the enemy; the others are lost."""
    why = f"{len(hexes)} markers of {fort.id} are placed"
    yield FortGone(fort=fort.id, why=why, to=(fort.side,))
    for at in hexes:
        marker = Fort(
            id=next_fort_id(cg, fort.side), side=fort.side, kind=JUNGLE_PATH, at=at, firefight=cg.state.number
        )
        yield FortJoined(fort=marker, why=f"Jungle Path of {fort.id}", to=(fort.side,))


@implements("ER 1.523")
@step("ER CG16", "Jungle Paths shown")
def paths_revealed(cg: Er) -> Procedure[None]:
    """Before setup both sides see all Jungle Paths: they are never hidden."""
    for fort in [marker for marker in placed_markers(cg) if marker.hidden]:
        yield FortJoined(fort=fort.but(hidden=False), why="shown before setup")
