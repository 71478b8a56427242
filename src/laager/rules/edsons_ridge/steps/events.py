"""What players report, or have rolled, during play (CG5d, CG14(4), CG18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laager.base import Problem
from laager.campaign import Choice, Field, Number, Option, Procedure, Question, Record, Text, ask, implements, roll
from laager.dice import Dice
from laager.rules.board.card.parts import SIDES, other_side
from laager.rules.board.facts import TerrainChanged
from laager.rules.board.hasl.facts import RollTold
from laager.rules.edsons_ridge.facts import Released
from laager.rules.edsons_ridge.night import defender, is_held_back, releases_reinforcements
from laager.rules.edsons_ridge.steps import fpf
from laager.rules.edsons_ridge.terrain import HEAVY_OBA_MM, jungle_hit

if TYPE_CHECKING:
    from laager.rules.edsons_ridge.context import Er

REINFORCEMENT_DR = "reinforcement-dr"
RELEASED = "released"
JUNGLE = "jungle-hit"
FPF_PLACED = "fpf-placed"
FPF_REMOVAL = "fpf-removal"
WIRE = "wire"


def event_options(cg: Er) -> tuple[Option, ...]:
    """Return what players can report or have rolled now."""
    choices = [Option(JUNGLE, f"OBA of {HEAVY_OBA_MM}mm or more hit jungle with an Original MA result")]
    choices.append(Option(WIRE, "a unit rolls for the MF to get below Wire"))
    side = defender(cg)
    if side and is_held_back(cg, side):
        name = cg.side(side).name
        choices.append(Option(REINFORCEMENT_DR, f"{name} make a reinforcement dr in the RPh"))
        choices.append(Option(RELEASED, f"a unit of {name} saw a Known enemy, or was attacked (not OBA, Sniper)"))
    if fpf.unplaced_barrages(cg):
        choices.append(Option(FPF_PLACED, "the U.S. lay down a FPF Barrage"))
    if fpf.barrages_in_play(cg):
        choices.append(Option(FPF_REMOVAL, "a U.S. RPh: dr for the removal of a FPF Barrage"))
    return tuple(choices)


def carry_out_event(cg: Er, event: str, turn: int) -> Procedure[None]:
    """Record or roll what the players report for a Game Turn."""
    if event == JUNGLE:
        yield from record_jungle_hit(cg)
    elif event == WIRE:
        yield from roll_below_wire(cg)
    elif event == FPF_PLACED:
        yield from fpf.place_barrage(cg, turn)
    elif event == FPF_REMOVAL:
        yield from fpf.roll_for_removal(cg, turn)
    elif event == REINFORCEMENT_DR:
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
    if releases_reinforcements(rolled.final, turn):
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
        form=Choice.of_labels({name: name or "units of the OB" for name in names}),
        secret=True,
        default="",
        rule="ER CG5d",
    )


@implements("ER CG14(4)")
def record_jungle_hit(cg: Er) -> Procedure[None]:
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
                Field("calibre", Number(HEAVY_OBA_MM, 200), "Calibre in mm", HEAVY_OBA_MM),
            ),
            default={"hex": "", "calibre": HEAVY_OBA_MM},
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
def roll_below_wire(cg: Er) -> Procedure[None]:
    """The dr for the MF to get below Wire, less 2, at least 1; told to both, kept nowhere."""
    mover = cg.state.scenario.moves_first or SIDES[0]
    side = yield from ask(
        Question(
            key="wire-side",
            side=mover,
            text="Whose unit gets below Wire? That side rolls.",
            form=Choice.of(mover, other_side(mover)),
            default=mover,
            rule="ER CG17",
        )
    )
    table = cg.table("wire")
    modifiers = [table.modifier("campaign")]
    yield from roll(side, "MF to get below Wire (1 at least)", Dice.dr, modifiers, rule="ER CG17", table=table.id)
