"""What players report, or have rolled, during play (CG5d, CG14(4), CG18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import Choice, Field, Number, Option, Procedure, Question, Record, Text, ask, implements, roll
from laager.dice import Dice
from laager.rules.board.card.parts import SIDES, other
from laager.rules.board.facts import TerrainChanged
from laager.rules.board.hasl.facts import RollTold
from laager.rules.edsons_ridge.facts import Released
from laager.rules.edsons_ridge.night import defender, held_back, released_by
from laager.rules.edsons_ridge.steps import fpf
from laager.rules.edsons_ridge.terrain import HEAVY, jungle_hit

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

DR, SEEN, JUNGLE, PLACED, REMOVAL, WIRE = (
    *("reinforcement-dr", "released", "jungle-hit"),
    *("fpf-placed", "fpf-removal", "wire"),
)


def options(cg: Er) -> tuple[Option, ...]:
    """Return what players can report or have rolled now."""
    found = [Option(JUNGLE, f"OBA of {HEAVY}mm or more hit jungle with an Original MA result")]
    found.append(Option(WIRE, "a unit rolls for the MF to get below Wire"))
    side = defender(cg)
    if side and held_back(cg, side):
        name = cg.side(side).name
        found.append(Option(DR, f"{name} make a reinforcement dr in the RPh"))
        found.append(Option(SEEN, f"a unit of {name} saw a Known enemy, or was attacked (not OBA, Sniper)"))
    if fpf.waiting(cg):
        found.append(Option(PLACED, "the U.S. lay down a FPF Barrage"))
    if fpf.falling(cg):
        found.append(Option(REMOVAL, "a U.S. RPh: dr for the removal of a FPF Barrage"))
    return tuple(found)


def carry_out(cg: Er, event: str, turn: int) -> Procedure[None]:
    """Record or roll what the players report for a Game Turn."""
    if event == JUNGLE:
        yield from jungle(cg)
    elif event == WIRE:
        yield from below_wire(cg)
    elif event == PLACED:
        yield from fpf.barrage_placed(cg, turn)
    elif event == REMOVAL:
        yield from fpf.barrage_removal(cg, turn)
    elif event == DR:
        yield from reinforcement_dr(cg, turn)
    else:
        why = "a unit of the Scenario Defender saw a Known enemy or was attacked"
        yield Released(who=defender(cg), why=why, rule="ER CG5d")


@implements("ER CG5d")
def reinforcement_dr(cg: Er, turn: int) -> Procedure[None]:
    """The dr of a RPh of a Game Turn for all of the Scenario Defender's units off the map.

    By the reading it is for one of his RG, which only he knows.
    """
    side, rule = defender(cg), "ER CG5d"
    who, to = side, None
    if cg.reading("night-release") == "group":
        group = yield from ask(_which_group(cg, side))
        who, to = group or "OB", (side,)
    rolled = yield from roll(side, f"Reinforcements, turn {turn}", Dice.dr, rule=rule)
    if released_by(rolled.final, turn):
        why = f"dr {rolled.final} is less than turn {turn}"
        yield Released(who=who, why=why, rule=rule, to=to)
    else:
        why = f"dr {rolled.final} isn't less than turn {turn}"
        text = f"reinforcements of {who} may not enter yet"
        yield RollTold(text=text, why=why, rule=rule, to=to)


def _which_group(cg: Er, side: str) -> Question:
    waiting = [unit.group for unit in cg.state.units_of(side) if not unit.on_map]
    names = dict.fromkeys(("", *waiting))
    return Question(
        key="reinforcement-dr",
        side=side,
        text="For which RG is the reinforcement dr made?",
        form=Choice.named({name: name or "units of the OB" for name in names}),
        secret=True,
        default="",
        rule="ER CG5d",
    )


@implements("ER CG14(4)")
def jungle(cg: Er) -> Procedure[None]:
    """Heavy OBA changes jungle for good: light into shellholed Palm, dense into rubble."""

    def check(answer: dict[str, object]) -> list[Problem]:
        name, calibre = str(answer["hex"]), int(str(answer["calibre"]))
        if not name:
            return []
        if name not in cg.map:
            return [Problem(f"{name} isn't on the map", "name a hex", "hex")]
        why = jungle_hit(cg, cg.map.main(name), calibre).why_not
        return [Problem(why, "leave the hex empty", "hex")] if why else []

    side = cg.state.scenario.moves_first or SIDES[0]
    answer = yield from ask(
        Question(
            key="jungle-hit",
            side=side,
            text="Which jungle hex was hit, with an Original MA result?",
            form=Record.of(
                Field("hex", Text(12), "Hex; empty: none", ""),
                Field("calibre", Number(HEAVY, 200), "Calibre in mm", HEAVY),
            ),
            default={"hex": "", "calibre": HEAVY},
            check=check,
            rule="ER CG14(4)",
        )
    )
    if answer["hex"]:
        at = cg.map.main(answer["hex"])
        hit = jungle_hit(cg, at, answer["calibre"])
        why = f"MA result of {answer['calibre']}mm OBA"
        yield TerrainChanged(at=at, what=hit.change, why=why, rule="ER CG14(4)")


@implements("ER CG17", "ER 1.520 Note f")
def below_wire(cg: Er) -> Procedure[None]:
    """The dr for the MF to get below Wire, less 2, at least 1; told to both, kept nowhere."""
    mover = cg.state.scenario.moves_first or SIDES[0]
    side = yield from ask(
        Question(
            key="wire-side",
            side=mover,
            text="Whose unit gets below Wire? That side rolls.",
            form=Choice.of(mover, other(mover)),
            default=mover,
            rule="ER CG17",
        )
    )
    table = cg.table("wire")
    modifiers = [table.modifier("campaign")]
    yield from roll(side, "MF to get below Wire (1 at least)", Dice.dr, modifiers, rule="ER CG17")
