"""What a battle report says about the ground: checks, and what follows.

`side` is the one that reports, or "" for what both sides enter together: then only what both know is there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from laager.base import Problem, did_you_mean
from laager.campaign import Fact
from laager.hexmap.terrain import RUBBLE
from laager.rules.board.context import CardContext
from laager.rules.board.facts import FireChanged, FortJoined, TerrainChanged
from laager.rules.board.moves import collapse
from laager.rules.board.numbering import next_fort_id
from laager.rules.board.places import hex_problem, main_location, place_problem
from laager.rules.board.report import form
from laager.rules.board.report.checks import is_repeated
from laager.rules.board.report.facts import WHY
from laager.rules.board.report.outcome import rows_of
from laager.rules.board.units import Fort


def ground_problems(
    cg: CardContext, side: str, answer: form.GroundAnswer, strategic: Collection[str], strategic_words: str
) -> Iterator[Problem]:
    """Yield what is wrong with Control, fires and changes of the map.

    `strategic` are the Locations that can change Control, `strategic_words` what the rules call one.
    """
    yield from _control_problems(cg, side, answer["control"], strategic, strategic_words)
    yield from _fire_problems(cg, answer["fires"])
    yield from _terrain_problems(cg, side, answer["terrain"])


def new_strategic(
    cg: CardContext,
    side: str,
    terrain: Sequence[form.TerrainRow],
    forts: Sequence[form.ReportFortRow],
    kinds: Collection[str],
) -> Iterator[str]:
    """Yield the Locations that a report makes Strategic: rubble, and fortifications of these kinds."""
    for _, change in rows_of("terrain", terrain, "at", "what"):
        if change["what"] == "rubble" and not change["gone"] and not place_problem(cg, side, change["at"]):
            yield main_location(cg, change["at"])
    for _, fort in rows_of("forts", forts, "do"):
        placed = fort["do"] == form.PLACED and fort["kind"] in kinds
        if placed and not place_problem(cg, side, fort["at"] or ""):
            yield main_location(cg, fort["at"])


def _control_problems(
    cg: CardContext, side: str, rows: Sequence[form.ControlRow], strategic: Collection[str], words: str
) -> Iterator[Problem]:
    read = list(rows_of("control", rows, "location"))
    named = [main_location(cg, row["location"]) for _, row in read]
    for (where, row), location in zip(read, named, strict=True):
        here = f"{where}.location"
        if wrong := place_problem(cg, side, row["location"]):
            yield Problem(*wrong, here)
        elif location not in strategic:
            right = did_you_mean(location, cg.sort(strategic), "Strategic are")
            yield Problem(f"{location} is not {words}", right, here)
        if is_repeated(named, location):
            yield Problem(f"{location} is listed twice", "list it once", here)


def _fire_problems(cg: CardContext, rows: Sequence[form.FireRow]) -> Iterator[Problem]:
    read, ground = list(rows_of("fires", rows, "at")), cg.state.ground
    named = [main_location(cg, row["at"]) for _, row in read]
    for (where, row), name in zip(read, named, strict=True):
        burning = name in ground.flames | ground.blazes
        if wrong := hex_problem(cg, row["at"]):
            yield Problem(*wrong, f"{where}.at")
        elif row["now"] != "none" and name in ground.burnt:
            right = "now: none" if burning else "leave the row out"
            yield Problem(f"{name} is burnt down", right, f"{where}.now")
        elif row["now"] == "none" and not burning:
            yield Problem(f"there was no fire in {name}", "leave the row out", f"{where}.now")
        if is_repeated(named, name):
            yield Problem(f"{name} is listed twice", "list it once", f"{where}.at")


def _terrain_problems(cg: CardContext, side: str, rows: Sequence[form.TerrainRow]) -> Iterator[Problem]:
    read = list(rows_of("terrain", rows, "at", "what"))
    named = [(main_location(cg, row["at"]), row["what"]) for _, row in read]
    for (where, row), (at, kind) in zip(read, named, strict=True):
        if wrong := place_problem(cg, side, row["at"]):
            yield Problem(*wrong, f"{where}.at")
        elif row["gone"] and not _is_there(cg, at, kind):
            yield Problem(f"there was no {kind} in {at}", "leave the row out", f"{where}.gone")
        if is_repeated(named, (at, kind)):
            yield Problem(f"{kind} in {at} is listed twice", "list it once", f"{where}.at")


def _is_there(cg: CardContext, at: str, kind: str) -> bool:
    """True if a Location has changed in a way; rubble may be printed."""
    return kind in cg.state.ground.changes.get(at, ()) or (kind == RUBBLE and at in cg.map and cg.map.hex(at).has(kind))


def fort_problems(
    cg: CardContext, side: str, field: str, rows: Sequence[form.ReportFortRow], known: Mapping[str, Fort]
) -> Iterator[Problem]:
    """Yield what is wrong with fortifications placed, removed and found; `known` are those there were."""
    read = list(rows_of(field, rows, "do"))
    named = [row["fort"] for _, row in read if row["fort"]]
    for where, row in read:
        here = f"{where}.fort"
        if row["do"] == form.PLACED:
            yield from _placed_problems(cg, side, where, row)
            continue
        fort = known.get(row["fort"])
        if fort is None:
            yield Problem(f"you know of no fortification {row['fort']!r}", did_you_mean(row["fort"], known), here)
        elif row["do"] == form.REVEALED and fort.side != side:
            yield Problem(f"{fort.id} is not yours", "its owner reveals it", here)
        elif row["do"] == form.REVEALED and (not fort.hidden or not fort.at):
            message = "is on the map already" if fort.at else "is nowhere on the map"
            yield Problem(f"{fort.id} {message}", "leave it out", here)
        if fort is not None and is_repeated(named, fort.id):
            yield Problem(f"{fort.id} is listed twice", "list it once", here)


def _placed_problems(cg: CardContext, side: str, where: str, row: form.ReportFortRow) -> Iterator[Problem]:
    if not row.get("side", side):
        yield Problem("a fortification was placed, but whose is it?", "add side", f"{where}.side")
    if not row["kind"]:
        yield Problem("a fortification was placed, but which?", "add kind", f"{where}.kind")
    if row["fort"]:
        yield Problem("a fortification placed in play has no number yet", "leave fort out", f"{where}.fort")
    if wrong := place_problem(cg, side, row["at"] or ""):
        yield Problem(*wrong, f"{where}.at")


def point_problems(answer: form.GroundAnswer) -> Iterator[Problem]:
    """Yield what is wrong with the CVP entered by hand."""
    for where, row in rows_of("cvp", answer["cvp"], "points", "why"):
        if not row["points"]:
            yield Problem("0 CVP change nothing", "leave the row out", f"{where}.points")
        if not row["why"].strip():
            yield Problem("CVP for what?", "say it in a few words", f"{where}.why")


# What follows -----------------------------------------------------------------------------------


def control_claims(cg: CardContext, rows: Iterable[form.ControlRow]) -> dict[str, str]:
    """Return by Location which side Controls it now; "" for nobody."""
    return {main_location(cg, row["location"]): "" if row["side"] == form.NOBODY else row["side"] for row in rows}


def fire_facts(cg: CardContext, rows: Iterable[form.FireRow]) -> Iterator[Fact]:
    """Yield the fact that fires began, grew or went out; nothing if none did."""
    now = {main_location(cg, row["at"]): row["now"] for row in rows}
    ground = cg.state.ground
    flames = (ground.flames - set(now)) | {at for at, fire in now.items() if fire == "flame"}
    blazes = (ground.blazes - set(now)) | {at for at, fire in now.items() if fire == "blaze"}
    if (flames, blazes) != (ground.flames, ground.blazes):
        yield FireChanged(flames=flames, blazes=blazes, why=WHY)


def terrain_facts(cg: CardContext, rows: Iterable[form.TerrainRow]) -> Iterator[Fact]:
    """Yield the changes of the map that the record doesn't have yet."""
    for row in rows:
        at, kind, gone = main_location(cg, row["at"]), row["what"], row["gone"]
        if _is_there(cg, at, kind) != gone:
            continue
        if kind == RUBBLE and not gone:
            yield from collapse(cg, at, WHY)
        else:
            yield TerrainChanged(at=at, what=kind, gone=gone, why=WHY)


def place_fort(cg: CardContext, side: str, row: form.ReportFortRow) -> Fact:
    """Return the fact that a fortification was placed in play."""
    fort = Fort(
        id=next_fort_id(cg, side),
        side=side,
        kind=row["kind"],
        size=row["size"],
        factors=row.get("factors", 0),
        at=main_location(cg, row["at"]),
        hidden=False,
        firefight=cg.state.number,
    )
    return FortJoined(fort=fort, why="placed in play")
