"""Arrivals of a CG Date: groups that the OB gives, CPP, Campaign Exhaustion."""

from __future__ import annotations

from laager.campaign import Field, Number, Procedure, Record, SecretQuestion, ask, implements, roll, step
from laager.dice import Dice
from laager.rules.board.card.parts import SIDES
from laager.rules.board.hasl.asking import ask_and_confirm
from laager.rules.board.hasl.buying.groups import join_given
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.facts import CppChanged, ExhaustionSet


@implements("ABtF 9.615", "ER 1.515")
@step("HASL 18", "What the OB gives")
def given_reinforcements(cg: Hasl) -> Procedure[None]:
    """Each side receives what the card lists for the date, if it lists anything."""
    for side in SIDES:
        given = cg.date.given.get(side)  # type: ignore[call-overload]
        if given is not None:
            yield from join_given(cg, side, given, f"given by the OB on {cg.date.title}")


@implements("ABtF 9.616", "ER 1.516")
@step("HASL 19", "CPP", each_side=True)
def cpp_replenishment(cg: Hasl, side: str) -> Procedure[None]:
    """A side gains CPP: by the date, else by its chart, else as its owner looks it up."""
    points = cg.date.cpp.get(side) or cg.side_charts(side).cpp  # type: ignore[call-overload]
    if points is None:
        gain = yield from ask(
            SecretQuestion(
                key="cpp",
                side=side,
                text=f"How many CPP do you gain for {cg.date.title}?",
                form=Number(0, 99),
                default=0,
                help="Neither card nor charts say: roll by the module's own chart.",
            )
        )
        why = "as you looked it up"
    else:
        gain, why = points.fixed, f"{points.fixed} CPP"
        if points.dice is not None:
            rolled = yield from roll(side, "CPP Replenishment", Dice(points.dice), secret=True)
            gain += rolled.final
            why = f"{points.fixed} + {rolled}" if points.fixed else str(rolled)
    if gain:
        yield CppChanged(side=side, by=gain, why=why, to=(side,))


@implements("HASL 2", "ABtF 9.6162")
@step("HASL 19", "Campaign Exhaustion")
def exhaustion(cg: Hasl) -> Procedure[None]:
    """The Campaign Exhaustion DRM of the date: as the card has it, else as the players agree."""
    printed = cg.date.exhaustion
    missing = [side for side in SIDES if side not in printed]
    entered = {}
    if missing:
        fields = tuple(
            Field(side, Number(-9, 9), f"Campaign Exhaustion DRM of the {cg.side(side).name}", 0) for side in missing
        )
        entered = yield from ask_and_confirm(
            "exhaustion",
            SIDES[0],
            f"What is the Campaign Exhaustion DRM on {cg.date.title}?",
            Record(fields),
            dict.fromkeys(missing, 0),
            help="The card does not print it.",
            tell=lambda answer: ", ".join(f"{cg.word_for(side)} {drm:+d}" for side, drm in answer.items()),
        )
    for side in SIDES:
        drm = entered[side] if side in missing else printed[side]  # type: ignore[index]
        why = "as the players say" if side in missing else "printed for the date"
        yield ExhaustionSet(side=side, drm=drm, why=why)
