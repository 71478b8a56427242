"""Pre-Registered hexes of OBA modules: the question for them, and those that come with a module of the OB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from laager.base import Problem
from laager.campaign import Choice, Field, Procedure, Rows, SecretQuestion, Text, ask, implements
from laager.rules.board.card.parts import other_side
from laager.rules.board.facts import GroupChanged
from laager.rules.board.hasl.buying.groups import fresh_groups
from laager.rules.board.hasl.buying.offers import hex_problem
from laager.rules.board.hasl.context import Hasl
from laager.rules.board.hasl.state import Group
from laager.rules.board.rows import repeated_names

HexRows = Sequence[Mapping[str, str]]


@implements("HASL 3", "ABtF CG10", "ER CG12")
def given_hexes(cg: Hasl, side: str) -> Procedure[None]:
    """A side names the Pre-Registered hexes that come with modules of its OB."""
    modules = [group for group in fresh_groups(cg, side) if group.registers and not group.pre_registered]
    if not modules:
        return
    text = "Which Pre-Registered hexes do the modules of your OB have?"
    rows = yield from ask(hexes_question(cg, side, modules, "given-hexes", text, each=True))
    for row in rows:
        name = cg.map.main(row["hex"])
        module = cg.state.groups[side, row["module"]]
        yield GroupChanged.of(module, f"{module.id}: Pre-Registered hex {name}", pre_registered=(name,))


def hexes_question(
    cg: Hasl, side: str, modules: Sequence[Group], key: str, text: str, *, help_: str = "", each: bool = False
) -> SecretQuestion:
    """Return the secret question for the hexes of modules; those that they have are proposed, else some of the enemy's.

    `each`: all of them must be named.
    """
    ids = Choice.of_labels({module.id: f"{module.id} {module.name}" for module in modules})
    near = cg.sort(cg.state.friendly(other_side(side)) or cg.map.playable)

    def suggest(rng: Random) -> list[dict[str, str]]:
        hexes = cg.sort(cg.map.playable)
        return [{"module": module.id, "hex": rng.choice(hexes)} for module in modules]

    def problems(rows: HexRows) -> list[Problem]:
        missing = _missing(modules, rows) if each else ()
        return [*hexes_problems(cg, rows), *missing]

    return SecretQuestion(
        key=key,
        side=side,
        text=text,
        form=Rows.of(Field("module", ids, "Module"), Field("hex", Text(12), "Hex"), most=len(modules)),
        default=[
            {"module": own_module.id, "hex": own_module.pre_registered[0] if own_module.pre_registered else near[0]}
            for own_module in modules
        ],
        check=problems,
        suggest=suggest,
        help=help_,
    )


def hexes_problems(cg: Hasl, rows: HexRows) -> list[Problem]:
    """Return what is wrong with the hexes: not in play, a module twice."""
    faults = repeated_names(rows, "module")
    for number, row in enumerate(rows, 1):
        wrong = hex_problem(cg, row["hex"])
        if wrong:
            faults.append(Problem(wrong, "name a hex", f"[{number}].hex"))
    return faults


def _missing(modules: Sequence[Group], rows: HexRows) -> Iterator[Problem]:
    named = {row["module"] for row in rows}
    for module in modules:
        if module.id not in named:
            yield Problem(f"{module.id} has no Pre-Registered hex", "name one")
