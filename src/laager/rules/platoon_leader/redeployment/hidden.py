"""Hidden units and fortifications between firefights (PL 3.2, 3.212, 3.24, 3.241)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from laager.campaign import Fact, Option, Procedure, SecretQuestion, Several, ask, implements, step
from laager.hexmap import Situation
from laager.rules.board.card.parts import SIDES
from laager.rules.board.changes import change_marks, reveal, sort_by_holder
from laager.rules.board.facts import FortJoined
from laager.rules.board.places import hex_of
from laager.rules.board.rows import unit_list
from laager.rules.board.setup.hiding import is_in_cover
from laager.rules.board.units import HIDING, Fort, Mark, Unit
from laager.rules.board.wording import yield_facts
from laager.rules.platoon_leader.context import WORKS, Cg
from laager.rules.platoon_leader.redeployment.moving import fortification_sorts
from laager.rules.platoon_leader.redeployment.situations import front_of, in_friendly_mlr, on_map, situation_of
from laager.rules.platoon_leader.reorganization.control import control_passes


def may_hide(cg: Cg, side: str) -> bool:
    """True if a side could have anything hidden, as both sides see on its card.

    Ask such a side about what it hides even if it hides nothing: the question must not give it away.
    """
    card = cg.side(side)
    nation = cg.nation(side)
    lines = [line for group in card.chart for line in group.units] + list(card.ob.units)
    return card.fortifications is not None or any(nation.is_gun(line.type) for line in lines)


# As Strategic Terrain ---------------------------------------------------------------------------


def hidden_works(cg: Cg, side: str) -> tuple[Fort, ...]:
    """Return a side's hidden fortifications that would be Strategic Terrain if they were known."""
    return tuple(
        fort for fort in cg.state.forts.values() if fort.side == side and fort.hidden and fort.at and fort.kind in WORKS
    )


def hidden_guns(cg: Cg, side: str) -> tuple[Unit, ...]:
    """Return a side's hidden emplaced Guns with their crews."""
    guns = (unit for unit in on_map(cg, side) if unit.kind == "gun" and unit.has(Mark.HIP))
    return tuple(gun for gun in guns if gun.has(Mark.EMPLACED) and gun.with_unit)


def works_question(cg: Cg, side: str) -> SecretQuestion:
    """Ask which hidden fortifications and Guns are revealed as Strategic Terrain."""
    options = [Option(fort.id, f"{fort.kind} in {fort.at}") for fort in hidden_works(cg, side)]
    options += [Option(gun.id, f"{gun.label} in {gun.at}") for gun in hidden_guns(cg, side)]
    return SecretQuestion(
        key="reveal-works",
        side=side,
        text="Which hidden fortifications and Guns do you reveal as Strategic Terrain?",
        form=Several(tuple(options)),
        rule="PL GEO",
        help="What you reveal makes a cluster around it if you Control its Location. Every side that "
        "could have such things is asked.",
    )


def works_revealed(cg: Cg, side: str, chosen: Iterable[str]) -> Iterator[Fact]:
    """Return the facts by which hidden fortifications and Guns are revealed, crews with Guns."""
    why = "revealed as Strategic Terrain"
    places = []
    for name in chosen:
        fort, gun = cg.state.forts.get(name), cg.state.units.get(name)
        if fort is not None:
            yield from reveal_fort(fort, why)
        elif gun is not None:
            yield from change_marks(gun, add=[Mark.WAS_REVEALED], why=why)
            # The crew first: the Gun shows who mans it.
            for unit in (cg.state.units.get(gun.with_unit), gun):
                if unit is not None:
                    yield from reveal(cg.state.units[unit.id], why)
        work = fort or gun
        places += [work.at] if work is not None and work.at else []
    yield from works_controlled(cg, side, places)


def reveal_fort(fort: Fort, why: str) -> Iterator[Fact]:
    """A hidden fortification is placed on the map."""
    yield FortJoined(fort=fort.but(hidden=False), why=why)


@implements("PL 1.4 Strategic Terrain")
def works_controlled(cg: Cg, side: str, locations: Iterable[str]) -> Iterator[Fact]:
    """New Strategic Terrain that nobody Controls is Controlled by the side whose work it is."""
    control = cg.state.ground.control
    fresh = {name: side for name in locations if name not in control}
    return control_passes(cg, fresh, "its fortification or emplaced Gun")


def guns_controlled(cg: Cg) -> Iterator[Fact]:
    """Guns that were emplaced in friendly Controlled Terrain are Controlled Strategic Terrain."""
    for side in SIDES:
        held = front_of(cg).controlled[side]
        guns = [
            unit.at or ""
            for unit in on_map(cg, side)
            if unit.kind == "gun" and unit.with_unit and unit.hex in held
            if unit.has(Mark.EMPLACED) and not unit.has(Mark.HIP)
        ]
        yield from works_controlled(cg, side, guns)


# Losing HIP and concealment ---------------------------------------------------------------------


@implements("PL 3.212")
def hip_lost(cg: Cg) -> Iterator[Fact]:
    """Hidden units outside a friendly MLR are no longer hidden: they stand on the map under "?"."""
    for side in SIDES:
        for unit in on_map(cg, side):
            if unit.has(Mark.HIP) and not in_friendly_mlr(cg, unit):
                yield from under_concealment(unit, "HIP is lost outside a friendly MLR")


def under_concealment(unit: Unit, why: str) -> Iterator[Fact]:
    """A hidden unit is placed on the map under a "?"."""
    yield from change_marks(unit, add=[Mark.CONCEALED], remove=[Mark.HIP], why=why)


def concealment_lost_in(cg: Cg, side: str, *situations: Situation) -> Iterator[Fact]:
    """Units of a side in these situations lose HIP and concealment."""
    for unit in sort_by_holder(cg, on_map(cg, side)):
        hiding = unit.has(*HIDING) or not unit.known
        if hiding and situation_of(cg, unit) in situations:
            yield from reveal(unit, f"no concealment {_situation_words(situation_of(cg, unit))}")


def _situation_words(situation: Situation) -> str:
    return {
        Situation.ENEMY_MLR: "in the enemy MLR",
        Situation.ISOLATED: "when Isolated",
        Situation.UNCONTROLLED: "in Uncontrolled Terrain",
        Situation.NO_MANS_LAND: "in No Man's Land",
        Situation.FRIENDLY_MLR: "in the friendly MLR",
    }[situation]


@step("PL 3.218", "Concealment after redeployment")
def concealment_lost(cg: Cg) -> Procedure[None]:
    """Units that are not in a friendly MLR by now lose concealment."""
    outside = [where for where in Situation if where is not Situation.FRIENDLY_MLR]
    for side in SIDES:
        yield from yield_facts(concealment_lost_in(cg, side, *outside))


# Staying hidden ---------------------------------------------------------------------------------


@step("PL 3.24", "Hidden units and fortifications", each_side=True, also=("PL 3.241",))
def hidden_units(cg: Cg, side: str) -> Procedure[None]:
    """Hidden units in the friendly MLR can stay hidden; some hidden fortifications can't."""
    if may_hide(cg, side):
        chosen = yield from ask(_staying_question(cg, side))
        for name in chosen:
            why = "its owner gives up hiding"
            yield from yield_facts(under_concealment(cg.state.units[name], why))
    for fort in fortifications_shown(cg, side):
        yield from yield_facts(
            fact.but(rule="PL 3.241")
            for fact in reveal_fort(fort, "neither in concealment terrain nor in a friendly MLR")
        )


def staying_hidden(cg: Cg, side: str) -> tuple[Unit, ...]:
    """Return the units that can stay hidden where they are: those still hidden in their MLR."""
    hidden = (unit for unit in on_map(cg, side) if unit.has(Mark.HIP))
    return tuple(unit for unit in hidden if in_friendly_mlr(cg, unit))


def _staying_question(cg: Cg, side: str) -> SecretQuestion:
    units = staying_hidden(cg, side)
    text = "Your hidden units can stay hidden for the next firefight. Which of them come out?"
    if not units:
        text = "You have no hidden units. (You are asked all the same, so that nobody learns it.)"
    return SecretQuestion(
        key="give-up-hip",
        side=side,
        text=text,
        form=unit_list(units, placed=True),
        help='Units that come out stand on the map under a "?". You can change CA and TCA freely.',
    )


@implements("PL 3.241")
def fortifications_shown(cg: Cg, side: str) -> Iterator[Fort]:
    """Return a side's hidden foxholes, sangars, trenches and roadblocks that are placed on map.

    Not those in concealment terrain, in the friendly MLR, or with a unit that can stay hidden.
    """
    friendly = front_of(cg).friendly_mlr[side]
    with_hidden = {unit.at for unit in staying_hidden(cg, side)}
    for fort in cg.state.forts.values():
        sort = fortification_sorts().get(fort.kind)
        if fort.side != side or not fort.hidden or not fort.at or fort.at in with_hidden:
            continue
        name = hex_of(fort.at)
        if sort and sort.shown_in_open and name not in friendly and not is_in_cover(cg, name):
            yield fort
