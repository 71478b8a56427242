"""Initiative: both sides' chits, what they make of the date, who sets up and moves first."""

from __future__ import annotations

from collections.abc import Mapping

from laager.campaign import Choice, Field, Option, Procedure, Question, Record, Text, ask_all, implements, roll, step
from laager.campaign.temperament import Temperament, sensible
from laager.dice import Dice
from laager.rules.board.card.parts import AXIS, SIDES, other_side
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.charts import ScenarioType
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import ChitsRevealed, MoverDecided, RoundBegun, ScenarioDetermined
from laager.rules.board.hasl.scenario.ending import end_by_condition, first_fulfilled, victory
from laager.rules.board.hasl.state import ATTACK, IDLE, Round

IDLE_DATE = "Idle Date"

LATER = "dr"
"""The entry of chart and players if a dr decides who is first."""


@implements("ABtF 9.6212")
@step("HASL 31", "Sudden Death")
def sudden_death(cg: Hasl) -> Procedure[None]:
    """The campaign ends at once if a sudden condition of the card is fulfilled."""
    met = yield from first_fulfilled(cg, cg.card.victory.sudden, "sudden-death")
    if met is not None:
        yield end_by_condition(cg, met, "Sudden Death")


@implements("ABtF 9.6213")
@step("HASL 25", "Initiative")
def initiative(cg: Hasl) -> Procedure[None]:
    """Both sides choose a chit in secret; together they make a scenario, or an Idle Date."""
    chits = yield from ask_all(chit_question(cg, side) for side in SIDES)
    yield ChitsRevealed(chits=dict(chits), why="both chits are revealed together")
    if is_idle_date(chits):
        yield from begin_idle_date(cg)
        return
    kind = charted_type(cg, chits)
    if kind is None:
        yield from _ask_type(cg, chits)
        return
    if kind.sets_up_first is None or kind.moves_first is None:
        yield from _ask_type(cg, chits, kind)
        return
    first: str = kind.sets_up_first
    why = "by both chits"
    if first == LATER:
        first, why = yield from decide_by_dr(cg, "sets-up", "Who sets up first")
    yield ScenarioDetermined(
        kind_of_scenario=kind.name, sets_up_first=first, moves_first=who_moves_first(kind.moves_first, first), why=why
    )


# The chits ----------------------------------------------------------------------------------------


@implements("ABtF 9.62132")
def chit_question(cg: Hasl, side: str) -> Question:
    """Return the secret question for a side's chit."""
    form = Choice(
        (
            Option(ATTACK, f"Attack ({chits_in_words(cg, side, ATTACK)})", chit_problem(cg, side, ATTACK)),
            Option(IDLE, f"Idle ({chits_in_words(cg, side, IDLE)})", chit_problem(cg, side, IDLE)),
        )
    )

    def judge(temper: Temperament, now: Hasl = cg) -> str:
        # What one buys and which chit one takes are one thought.
        from laager.rules.board.hasl.judgement import wants_attack

        wanted = ATTACK if wants_attack(now, side, temper) else IDLE
        return wanted if wanted in form else IDLE if wanted == ATTACK else ATTACK

    return Question(
        key="chit",
        side=side,
        text=f"Which initiative chit do you choose for {cg.date.title}?",
        form=form,
        secret=True,
        default=cg.later(lambda now: judge(sensible(), now)),
        judge=judge,
        help="Both chits are revealed together. Two Idle chits make an Idle Date: no scenario.",
    )


def chit_limit(cg: Hasl, side: str, chit: str) -> int | None:
    """Return how often a side may choose a chit in the campaign; None: as often as it likes."""
    chits = cg.side(side).chits
    return chits.attack if chit == ATTACK else chits.idle


def chits_used(cg: Hasl, side: str, chit: str) -> int:
    """Return how often a side has chosen a chit."""
    own = cg.state.side(side)
    count: int = own.attacks if chit == ATTACK else own.idles
    return count


def chits_in_words(cg: Hasl, side: str, chit: str) -> str:
    """Return in words how many of a side's chits have been chosen."""
    most = chit_limit(cg, side, chit)
    return f"{chits_used(cg, side, chit)} chosen" + ("" if most is None else f" of {most}")


@implements("HASL 25", "ER 1.5221")
def chit_problem(cg: Hasl, side: str, chit: str) -> str:
    """Return why a side can't choose a chit; "" if it can.

    A side that has used up both goes on with Idle.
    """
    problem = _limit_reached(cg, side, chit) or cg.variant.chit_problem(cg, side, chit)
    if chit == IDLE and problem and chit_problem(cg, side, ATTACK):
        return ""
    return problem


def _limit_reached(cg: Hasl, side: str, chit: str) -> str:
    most = chit_limit(cg, side, chit)
    if most is None or chits_used(cg, side, chit) < most:
        return ""
    return f"all {most} {chit.capitalize()} chits of the campaign have been chosen; take the other"


@implements("ABtF 9.2 Idle Date")
def is_idle_date(chits: Mapping[str, str]) -> bool:
    """True if neither side attacks."""
    return all(chit == IDLE for chit in chits.values())


@implements("HASL 25")
def begin_idle_date(cg: Hasl) -> Procedure[None]:
    """No scenario is played; the campaign goes on with the next date, or ends after the last."""
    yield ScenarioDetermined(kind_of_scenario=IDLE_DATE, idle=True, why="both sides chose an Idle chit")
    if cg.next_date is None:
        yield from victory(cg)
        return
    yield RoundBegun(round=Round.IDLE, why="no scenario is played on an Idle Date")


# Who is first -------------------------------------------------------------------------------------


@implements("HASL 26")
def charted_type(cg: Hasl, chits: Mapping[str, str]) -> ScenarioType | None:
    """Return the kind of scenario that the chart makes of both chits; None: it has none."""
    kinds = cg.charts.scenario_types or ()
    wanted = tuple(chits[side] for side in SIDES)
    return next((kind for kind in kinds if (kind.axis, kind.allied) == wanted), None)


def who_moves_first(moves_first: str, sets_up_first: str) -> str:
    """Return who moves first; "" if a dr before play decides."""
    if moves_first == LATER:
        return ""
    return other_side(sets_up_first) if moves_first == "second" else moves_first


def decide_by_dr(cg: Hasl, role: str, label: str) -> Procedure[tuple[str, str]]:
    """Make an open dr between the sides; returns the side and how that came about."""
    rolled = yield from roll(AXIS, label, Dice.dr)
    side = cg.variant.first_side_by_dr(cg, role, rolled.final)
    return side, f"{label}: dr {rolled.final}, {cg.side(side).name}"


def plain_type_name(cg: Hasl, chits: Mapping[str, str]) -> str:
    """Return a plain name for the kind of scenario that two chits make."""
    attackers = [side for side in SIDES if chits[side] == ATTACK]
    if len(attackers) > 1:
        return "Dual Attack"
    return f"{cg.side(attackers[0]).name} Attack"


def _ask_type(cg: Hasl, chits: Mapping[str, str], kind: ScenarioType | None = None) -> Procedure[None]:
    """Have the players say who is first where the chart doesn't."""
    name = kind.name if kind is not None else plain_type_name(cg, chits)
    defender = next((side for side in SIDES if chits[side] == IDLE), AXIS)
    first = kind.sets_up_first if kind is not None and kind.sets_up_first else defender
    default = {"kind": name, "sets-up": first, "moves": other_side(defender)}
    answer = yield from ask_and_confirm(
        "scenario-type",
        SIDES[0],
        f"{plain_type_name(cg, chits)}: who sets up and who moves first?",
        Record.of(
            Field("kind", Text(60), "What this kind of scenario is called", name),
            Field("sets-up", _side_choice(cg, "a dr now decides"), "Sets up first", default["sets-up"]),
            Field("moves", _side_choice(cg, "a dr before play decides"), "Moves first", default["moves"]),
        ),
        default,
        help="The module's chart of scenario types says so.",
        tell=lambda given: ", ".join(f"{name} {cg.word_for(value)}" for name, value in given.items() if value),
    )
    side, why = answer["sets-up"], "as the players say"
    if side == LATER:
        side, why = yield from decide_by_dr(cg, "sets-up", "Who sets up first")
    yield ScenarioDetermined(
        kind_of_scenario=answer["kind"] or name,
        sets_up_first=side,
        moves_first=who_moves_first(answer["moves"], side),
        why=why,
    )


def _side_choice(cg: Hasl, dr: str) -> Choice:
    return Choice.of_labels({side: cg.side(side).name for side in SIDES} | {LATER: dr})


@implements("HASL 26")
def first_mover(cg: Hasl) -> Procedure[None]:
    """Before play begins a dr decides who moves first, if nothing has decided it yet."""
    if cg.state.scenario.moves_first:
        return
    side, why = yield from decide_by_dr(cg, "moves", "Who moves first")
    yield MoverDecided(side=side, why=why)
