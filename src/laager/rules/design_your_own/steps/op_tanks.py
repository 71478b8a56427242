"""OP tanks: for batteries of a motorized unit, after the OBA is bought (DYO H1.46)."""

from __future__ import annotations

from collections.abc import Mapping

from laager.campaign import Choice, Option, Procedure, Question, ask, step
from laager.catalogue.dyo import OpTank as Entered
from laager.rules.design_your_own.charts import OpTank
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.facts import OpTankTaken
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.ob import OBA, BatteryEntry, VehicleEntry
from laager.rules.design_your_own.op_tanks import op_tank_breaches, op_tanks
from laager.rules.design_your_own.recording import id_letters
from laager.rules.design_your_own.steps.buying import closing, counters_short, taken_words, too_dear, why_not

NONE = "none"


@step(
    "DYO H1.46",
    "OP tanks",
    each_side=True,
    also=("DYO H1.462", "DYO H1.463", "DYO H1.464", "DYO H1.4641", "DYO H1.465", "DYO H1.13"),
)
def op_tanks_taken(cg: Cg, side: str) -> Procedure[None]:
    """Each battery may have one OP tank that fits it, if the side is a motorized unit."""
    if cg.ob(side).vehicles.motorized is not None:
        for battery in cg.ob(side).batteries:
            yield from _for_battery(cg, side, battery)
    yield closing(cg, side, OBA)


def known_op_tanks(cg: Cg, side: str) -> tuple[OpTank, ...]:
    """Return the OP tanks of a side's nation: those of its catalogue, else those of the rules."""
    nation, group = cg.nation(side), cg.group(side)
    if nation.knows("op_tanks"):
        return tuple(_entered(tank, group) for tank in nation.op_tanks(cg.month))
    return op_tanks(group)


def _entered(tank: Entered, group: Group) -> OpTank:
    oba = tank.oba if isinstance(tank.oba, tuple) else None
    return OpTank(
        id=tank.type,
        name=tank.type,
        counter=tank.counter if isinstance(tank.counter, str) else None,
        groups=(group,),
        bpv=tank.bpv if isinstance(tank.bpv, int) else None,
        oba=oba or None,
        theatre=tank.theatre if isinstance(tank.theatre, str) else "",
        rule="DYO H1.46",
    )


def _for_battery(cg: Cg, side: str, battery: BatteryEntry) -> Procedure[None]:
    tanks = {tank.id: tank for tank in known_op_tanks(cg, side)}
    options = [_option(cg, side, battery, tank) for tank in tanks.values()]
    if all(option.why_not for option in options):
        return
    chosen = yield from ask(
        Question(
            key="op-tank",
            side=side,
            text=f"Does battery {battery.letter} ({battery.text}) get an OP tank? You have {cg.left(side)} points.",
            form=Choice((*options, Option(NONE, "no OP tank"))),
            rule="DYO H1.46",
            secret=True,
            default=NONE,
            irrevocable=lambda chosen: taken_words(cg, side, _cost(tanks, chosen)),
            nothing="No OP tank",
            help="Its Observer uses the radio of the tank, in place of radio or field phone.",
        )
    )
    if chosen == NONE:
        return
    tank = tanks[chosen]
    assert tank.bpv is not None
    why = f"{tank.bpv} BPV; a normal tank counter stands for it"
    yield OpTankTaken(side=side, entry=entry_of(cg, side, tank, battery), why=why, to=(side,))


def _cost(tanks: Mapping[str, OpTank], chosen: str) -> int:
    return tanks[chosen].bpv or 0 if chosen in tanks else 0


def entry_of(cg: Cg, side: str, tank: OpTank, battery: BatteryEntry) -> VehicleEntry:
    """Return the line of an OP tank: the counter that stands for it, with the next letter."""
    type_ = tank.counter or tank.name
    held = sum(entry.type == type_ for entry in cg.ob(side).vehicles.entries)
    return VehicleEntry(type=type_, id=id_letters(held, 1), bpv=tank.bpv or 0, op=battery.letter)


def _option(cg: Cg, side: str, battery: BatteryEntry, tank: OpTank) -> Option:
    if tank.bpv is None:
        return Option(tank.id, tank.name, f"its BPV is not known ({tank.rule}); enter it in a catalogue")
    legal = op_tank_breaches(
        tank,
        group=cg.group(side),
        year=cg.month.year,
        motorized=cg.ob(side).vehicles.motorized is not None,
        battery=battery.text,
        served=battery.contact == "op-tank",
        theatre=cg.terms.theatre,
    )
    type_ = tank.counter or tank.name
    held = sum(entry.type == type_ for entry in cg.ob(side).vehicles.entries)
    listed = {one.type: one.counters for one in cg.nation(side).vehicles(cg.month)}
    short = counters_short(cg, type_, held, 1, listed.get(type_))
    dear = too_dear(cg, side, tank.bpv, tank.name)
    return Option(tank.id, f"{tank.name}: {tank.bpv}", why_not(*legal, short, dear))
