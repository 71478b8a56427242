"""FPF Barrages: Blast Areas recorded before setup, how long they last, what is left of them (CG18; GEO-6)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from laager.base import Problem
from laager.base.counting import count_of
from laager.campaign import (
    Choice,
    Fact,
    Field,
    Option,
    Placing,
    Procedure,
    Question,
    Rows,
    SecretQuestion,
    SightAsked,
    Sights,
    Text,
    YesNo,
    ask,
    implements,
    roll,
    step,
)
from laager.dice import Dice, Modifier
from laager.hexmap import BLAST_REACH, blast_area, blast_area_cover, blast_area_problems, blast_areas
from laager.hexmap.coords import LIST_EXAMPLE, as_ranges
from laager.rules.board.card.parts import ALLIED
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.facts import RollTold
from laager.rules.board.hasl.public import could_buy
from laager.rules.board.hasl.state import IDLE, Group
from laager.rules.board.los_requests import locations_in
from laager.rules.board.places import parse_hexes
from laager.rules.board.wording import yield_facts
from laager.rules.edsons_ridge.facts import BarrageChanged, BlastAreaRecorded
from laager.rules.edsons_ridge.state import Barrage

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

FPF = "fpf-barrage"
"""The `RgLine.special` of a FPF Barrage group."""

PLACING = ("the start of a U.S. PFPh", "the start of a U.S. DFPh", "the start of a Japanese MPh")
"""When a Barrage can be laid down (CG18a)."""


def retained_barrages(cg: Er) -> list[Group]:
    """Return the U.S. FPF groups that are Retained and not recorded for the present scenario."""
    return [
        group
        for group in cg.state.groups_of(ALLIED)
        if not group.lost and not group.placed and special_kind(cg, group) == FPF
    ]


def special_kind(cg: Er, group: Group) -> str:
    """Return the special kind of a group of type M, by its chart line or else by its name; "" for none."""
    line = cg.line(group.side, group.rg)
    if line is not None:
        return line.special
    name = group.name.casefold()
    return FPF if "fpf" in name else "bombardment" if "bombardment" in name else ""


@implements("ER CG18")
def usable_barrages(cg: Er) -> int:
    """Return how many Blast Areas the U.S. may record now: if Idle, two a scenario at most."""
    if cg.state.scenario.chits.get(ALLIED) != IDLE:
        return 0
    free = cg.rule_charts.fpf.most - len(cg.state.barrages_now())
    return max(0, min(free, len(retained_barrages(cg))))


def covering_areas(cg: Er) -> Mapping[str, tuple[str, ...]]:
    """Return the U.S. Setup and Entry Areas that a Blast Area may be covered from."""
    return cg.own_areas(ALLIED)


@implements("ER CG18", "ER GEO-6")
def area_problems(cg: Er, hexes: Collection[str]) -> tuple[Problem, ...]:
    """Return all that is wrong with a Blast Area, except for LOS, which the players check."""
    zigzag = cg.reading("fpf-shape") == "zigzag"
    return blast_area_problems(cg.map, hexes, covering_areas(cg), zigzag=zigzag)


def within_reach(cg: Er) -> frozenset[str]:
    """Return the hexes in play that some U.S. area reaches."""
    return (
        frozenset[str]().union(*(cg.map.hexes_within(area, BLAST_REACH) for area in covering_areas(cg).values()))
        & cg.map.playable
    )


def areas_covering(cg: Er, hexes: Collection[str]) -> tuple[str, ...]:
    """Return the areas within reach of all its hexes: from one of them LOS is needed."""
    return blast_area_cover(cg.map, hexes, covering_areas(cg))


@implements("ER CG18c")
def removal_turn(cg: Er, barrage: Barrage) -> int:
    """Return the Game Turn of the first dr for removal: the fourth after placement."""
    return barrage.placed + (4 if cg.reading("fpf-fourth-turn") == "plus-4" else 3)


@implements("ER CG18c")
def removal_modifiers(cg: Er, barrage: Barrage, turn: int) -> Iterator[Modifier]:
    """Yield the drm of the dr for removal: -1 the first time."""
    if turn == removal_turn(cg, barrage):
        yield cg.table("fpf-removal").modifier("fourth-turn")


@implements("ER CG18")
def keeps_unplaced(cg: Er) -> bool:
    """True if a FPF group not laid down is Retained: always, or (a reading) after Attack alone."""
    if cg.reading("fpf-unplaced") == "any-reason":
        return True
    return cg.state.scenario.chits.get(ALLIED) != IDLE


AREAS_TO_CHOOSE_AMONG = 200
"""Number of legal Blast Areas among which a random answer chooses."""


@step("ER CG18", "FPF Blast Areas")
def blast_areas_recorded(cg: Er) -> Procedure[None]:
    """The U.S. record the Blast Areas of their FPF Barrages, in the open, before any setup.

    They are asked whenever they are Idle and could have one: the question must not give away that they do.
    """
    if cg.state.scenario.chits.get(ALLIED) != IDLE or not could_buy(cg, ALLIED, lambda line: line.special == FPF):
        return
    rows = yield from ask(blast_question(cg))
    for row, group in zip(rows, retained_barrages(cg), strict=False):
        hexes = tuple(cg.sort(parse_hexes(cg, row["hexes"])[0]))
        yield from yield_facts(record_blast_area(cg, hexes, row["area"]))
        changes = {"placed": True}
        why = "its Blast Area is recorded"
        yield GroupChanged(side=ALLIED, group=group.id, changes=changes, why=why, to=(ALLIED,))


def blast_question(cg: Er) -> SecretQuestion:
    """Return the question for the Blast Areas; as many as are Retained, two at most."""
    choice = Choice.of(*(name for name in covering_areas(cg)))
    form = Rows.of(
        Field("hexes", Text(200), f"The ten hexes, {LIST_EXAMPLE}"),
        Field("area", choice, "U.S. area within five hexes of all of them"),
        Field("los", YesNo(), "Has a hex of that area LOS to the base level of one?", True),
        most=usable_barrages(cg),
    )
    return SecretQuestion(
        key="blast-areas",
        side=ALLIED,
        text=f"Which Blast Areas do you record for FPF Barrages? {_count_in_words(cg)}",
        form=form,
        check=lambda rows: blast_problems(cg, rows),
        suggest=lambda rng: random_area(cg, rng),
        sights=Sights(lambda rows, _: tuple(los_to_blast_areas(cg, rows)), resolve_los),
        placing=Placing(lambda: {"hexes": within_reach(cg)}),
        help="Two rows of five hexes side by side. NVR doesn't count for LOS. The Japanese "
        "see what you record; the rest stays Retained.",
    )


def _count_in_words(cg: Er) -> str:
    """Return in words how many Barrages the U.S. have, and how many of them they can record."""
    retained, free = len(retained_barrages(cg)), usable_barrages(cg)
    held = f"You have {count_of(retained, 'FPF Barrage')}" if retained else "You have no FPF Barrage"
    return f"{held}, and may record {free} of them now." if free < retained else f"{held}."


@implements("ER CG18", "ER GEO-6")
def blast_problems(cg: Er, rows: Sequence[Mapping[str, Any]]) -> list[Problem]:
    """Return all that is wrong with Blast Areas: shape, play, reach, LOS."""
    problems: list[Problem] = []
    for number, row in enumerate(rows, 1):
        where = f"[{number}]"
        hexes, wrong = parse_hexes(cg, row["hexes"])
        row_problems = wrong or area_problems(cg, hexes)
        problems += [problem.inside(f"{where}.hexes") for problem in row_problems]
        if row_problems:
            continue
        if row["area"] not in (possible := areas_covering(cg, hexes)):
            problems.append(
                Problem(f"{row['area']} doesn't reach all of them", f"{' or '.join(possible)} does", f"{where}.area")
            )
        if not row["los"]:
            right = "an Observer in the area must see the base level of a hex of it"
            problems.append(Problem(f"no LOS from {row['area']}", right, f"{where}.los"))
    return problems


def los_to_blast_areas(cg: Er, rows: Sequence[Mapping[str, Any]]) -> Iterator[SightAsked]:
    """Yield for each Blast Area the question whether its area has LOS to the base level of one of its hexes."""
    for number, row in enumerate(rows, 1):
        hexes, wrong = parse_hexes(cg, row["hexes"])
        if wrong or row["area"] not in covering_areas(cg):
            continue
        sources = tuple(locations_in(cg.map, covering_areas(cg)[row["area"]]))
        title = f"Blast Area {number} from {row['area']}"
        yield SightAsked(str(number), title, sources, tuple(hexes), "ER CG18", says=row["los"], counting=row["area"])


def resolve_los(rows: Sequence[Mapping[str, Any]], los_of_rows: Mapping[str, bool]) -> list[dict[str, Any]]:
    """Return the Blast Areas with the computed LOS."""
    return [{**row, "los": los_of_rows.get(str(number), row["los"])} for number, row in enumerate(rows, 1)]


def random_area(cg: Er, rng: Random) -> list[dict[str, Any]]:
    """Return a random Blast Area, or none."""
    if not usable_barrages(cg) or rng.random() < 0.3:
        return []
    zigzag = cg.reading("fpf-shape") == "zigzag"
    possible = list(islice(blast_areas(cg.map, covering_areas(cg), zigzag=zigzag), AREAS_TO_CHOOSE_AMONG))
    if not possible:
        return []
    area = rng.choice(possible)
    hexes = as_ranges(area.hexes)
    return [{"hexes": hexes, "area": areas_covering(cg, area.hexes)[0], "los": True}]


@implements("ER CG18", "ER CG18a")
def record_blast_area(cg: Er, hexes: Sequence[str], area: str) -> Iterator[Fact]:
    """Yield that a Blast Area is recorded, with the corners where its counters go."""
    zigzag = cg.reading("fpf-shape") == "zigzag"
    shape = blast_area(cg.map, hexes, zigzag=zigzag)
    assert shape is not None, "its shape was checked"
    number = len(cg.state.barrages_now()) + 1
    barrage = Barrage(number=number, hexes=tuple(hexes), corners=shape.corners, area=area)
    yield BlastAreaRecorded(barrage=barrage, why=f"within five hexes of {area}")


# In play ------------------------------------------------------------------------------------------


def unplaced_barrages(cg: Er) -> list[Barrage]:
    """Return the Barrages recorded that have not been laid down."""
    return [barrage for barrage in cg.state.barrages_now() if not barrage.placed]


def barrages_in_play(cg: Er) -> list[Barrage]:
    """Return the Barrages in play."""
    return [barrage for barrage in cg.state.barrages_now() if barrage.placed and not barrage.over]


def choose_barrage(key: str, text: str, barrages: Sequence[Barrage]) -> Procedure[Barrage]:
    """Ask which Barrage, if there are several."""
    if len(barrages) == 1:
        return barrages[0]
    options = tuple(Option(str(barrage.number), f"FPF Barrage {barrage.number}") for barrage in barrages)
    answer = yield from ask(
        Question(key=key, side=ALLIED, text=text, form=Choice(options), default=options[0].value, rule="ER CG18a")
    )
    return next(barrage for barrage in barrages if str(barrage.number) == answer)


@implements("ER CG18a", "ER CG18b")
def place_barrage(cg: Er, turn: int) -> Procedure[None]:
    """A Barrage is laid down: the Accuracy dr, and if it errs the direction of a C1.31 DR."""
    barrage = yield from choose_barrage("fpf-placed", "Which FPF Barrage do you place?", unplaced_barrages(cg))
    rule = "ER CG18b"
    rolled = yield from roll(
        ALLIED, f"Accuracy of FPF Barrage {barrage.number}", Dice.dr, rule=rule, table="fpf-accuracy"
    )
    accurate = cg.table("fpf-accuracy").result(rolled.final) == "accurate"
    corners, why = ", ".join(barrage.corners), f"accuracy dr {rolled.final}"
    if not accurate:
        # The white die of the C1.31 DR counts as 1: the colored one alone has to be rolled.
        label = f"C1.31 of FPF Barrage {barrage.number}: colored die, the white one is 1"
        thrown = yield from roll(ALLIED, label, Dice.dr, rule=rule)
        why += f"; moved by a C1.31 DR with white 1, colored {thrown.faces[0]}"
    changes = {"placed": turn, "accurate": accurate}
    why += f"; counters in {corners}" if accurate else f", all counters from {corners}"
    yield BarrageChanged(number=barrage.number, changes=changes, why=why, rule=rule)


@implements("ER CG18c")
def roll_for_removal(cg: Er, turn: int) -> Procedure[None]:
    """The dr in the U.S. RPh of a Game Turn with which a Barrage ends."""
    text = "For which FPF Barrage is the dr for removal?"
    barrage = yield from choose_barrage("fpf-removal", text, barrages_in_play(cg))
    first, name = removal_turn(cg, barrage), f"FPF Barrage {barrage.number}"
    if turn < first:
        too_early = f"no dr for the removal of {name} in turn {turn}: it comes from turn {first} on"
        yield RollTold(text=too_early, rule="ER CG18c")
        return
    rolled = yield from roll(
        ALLIED,
        f"Removal of {name}, turn {turn}",
        Dice.dr,
        list(removal_modifiers(cg, barrage, turn)),
        rule="ER CG18c",
        table="fpf-removal",
    )
    if cg.table("fpf-removal").result(rolled.final) == "removed":
        why = f"{rolled}, turn {turn}"
        yield BarrageChanged(number=barrage.number, changes={"over": True}, why=why, rule="ER CG18c")
    else:
        yield RollTold(text=f"{name} stays", why=str(rolled), rule="ER CG18c")


# After play ---------------------------------------------------------------------------------------


def recorded_barrages(cg: Er) -> list[Group]:
    """Return the U.S. FPF groups whose Blast Areas are recorded, in the order of recording."""
    return [
        group
        for group in cg.state.groups_of(ALLIED)
        if group.placed and not group.lost and special_kind(cg, group) == FPF
    ]


@implements("ER CG18")
def settle_groups(cg: Er, placed: Collection[int]) -> Iterator[Fact]:
    """Yield that Barrages laid down are used up, and the others Retained for the next Idle, or lost.

    `placed` are the numbers of those laid down, reported in play or after it.
    """
    turn = max(1, cg.state.scenario.last_turn)
    for barrage in unplaced_barrages(cg):
        if barrage.number in placed:
            changes: dict[str, Any] = {"placed": turn}
            yield BarrageChanged(number=barrage.number, changes=changes, why="as reported")
    for number, group in enumerate(recorded_barrages(cg), 1):
        yield _after_scenario(cg, group, "laid down" if number in placed else "")
    for group in retained_barrages(cg):
        if not keeps_unplaced(cg):
            yield _after_scenario(cg, group, "")


def _after_scenario(cg: Er, group: Group, used: str) -> GroupChanged:
    lost = used or ("" if keeps_unplaced(cg) else "not placed in an Idle scenario")
    changes = {"lost": lost} if lost else {"placed": False}
    why = lost or "not laid down: Retained for the next Idle"
    return GroupChanged(side=ALLIED, group=group.id, changes=changes, why=why, to=(ALLIED,))
