"""Suggestions by programs that are solved to the best, and whatever is wished for."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laager.base import RefusedError
from laager.rules.design_your_own.plan.program import Program, Terms
from laager.rules.design_your_own.plan.suggest import suggest
from laager.rules.design_your_own.plan.wishes import Wishes
from tests.design_your_own.harness import cg_of
from tests.design_your_own.test_suggest import clean
from tests.tries import tries

# The program ------------------------------------------------------------------------------------


def by_enumeration(program: Program, goals: list[Terms]) -> tuple[int, ...] | None:
    """The goals' values at their best, found by trying everything."""

    def value(terms: Terms, found: tuple[int, ...]) -> int:
        return sum(number * found[variable] for variable, number in terms.items())

    best = None
    for found in itertools.product(*(range(most + 1) for most in program.most)):
        if all(row.least <= value(row.terms, found) <= row.most for row in program.rows):
            reached = tuple(value(goal, found) for goal in goals)
            best = reached if best is None else max(best, reached)
    return best


@st.composite
def programs(draw: st.DrawFn) -> tuple[Program, list[Terms]]:
    program = Program()
    variables = [program.variable(draw(st.integers(0, 4))) for _ in range(draw(st.integers(1, 4)))]
    sums = st.dictionaries(st.sampled_from(variables), st.integers(-9, 9), max_size=4)
    for _ in range(draw(st.integers(0, 3))):
        least = draw(st.integers(-20, 10))
        program.row(draw(sums), least, least + draw(st.integers(0, 25)))
    return program, [draw(sums) for _ in range(draw(st.integers(1, 2)))]


@tries(40)
@given(programs())
def test_programs_are_solved_to_the_best(made: tuple[Program, list[Terms]]) -> None:
    program, goals = made
    found = program.solve(goals)
    best = by_enumeration(program, goals)
    if found is None:
        assert best is None
    else:
        assert best == tuple(sum(n * found[v] for v, n in goal.items()) for goal in goals)


def test_a_last_goal_is_given_up_where_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program()
    variables = [program.variable(5) for _ in range(40)]
    for step in range(1, 7):
        sizes = {v: (v * v * step + 7 * v) % 83 + 5 for v in variables}
        program.row(sizes, most=sum(sizes.values()) + step)
    goal = {variables[0]: 1}
    tidy = {v: (v * 31) % 17 + 1 for v in variables}
    first = program.solve([goal])
    monkeypatch.setattr("laager.rules.design_your_own.plan.program.SOME_NODES", 0)
    assert program.solve([goal], tidy) == first
    monkeypatch.undo()
    neat = program.solve([goal], tidy)
    assert neat is not None
    assert neat[0] == 5


# Any terms, any wishes --------------------------------------------------------------------------

CLASSES = st.sampled_from(["elite", "first-line", "second-line", "conscript"])
SQUADS = st.fixed_dictionaries(
    {"count": st.integers(1, 15), "at_least": CLASSES},
    optional={"capabilities": st.sampled_from([["sapper"], ["assault-engineer"], ["parachute"]])},
)
PIECES = st.fixed_dictionaries({"count": st.integers(1, 3)})
WORKS = st.sampled_from(
    [
        {"type": "wire", "number": 3},
        {"type": "minefield", "number": 12},
        {"type": "hip-squad", "number": 2},
        {"type": "pillbox", "capacity": 1, "ca_drm": 3, "nca_drm": 5},
        {"type": "sangar", "number": 3},
    ]
)
WISHES = st.fixed_dictionaries(
    {
        "squads": st.lists(SQUADS, max_size=2),
        "platoons": st.lists(PIECES, max_size=2),
        "vehicles": st.lists(PIECES, max_size=1),
        "guns": st.lists(PIECES, max_size=2),
        "oba": st.integers(0, 2),
        "air": st.booleans(),
        "fortifications": st.lists(WORKS, max_size=2),
        "san": st.integers(2, 5),
        "motorized": st.booleans(),
        "capabilities": st.sampled_from([[], ["mol"], ["ski", "winter-camouflage"]]),
        "reserve": st.sampled_from([0, 40]),
        "maximise": st.sampled_from(["equivalency", "squads", "afv", "guns", "points"]),
        "outlook": st.sampled_from(["expected", "worst"]),
        "dice": st.fixed_dictionaries(
            {},
            optional={
                "ordnance": st.integers(2, 12),
                "vehicles": st.integers(2, 12),
                "oba": st.lists(st.integers(2, 12), max_size=1),
                "air": st.integers(2, 12),
            },
        ),
    }
)
TERMS = st.fixed_dictionaries(
    {
        "date": st.sampled_from(["1941-07", "1942-11", "1943-08", "1944-09", "1945-03"]),
        "readings": st.fixed_dictionaries(
            {
                "equivalency-rounding": st.sampled_from(["subsection", "line"]),
                "motorized-basis": st.sampled_from(["initial", "remaining"]),
                "half-squads": st.sampled_from(["no", "yes"]),
            }
        ),
        "agreements": st.fixed_dictionaries({"extra_pieces": st.booleans()}),
    }
)


@settings(max_examples=8, deadline=None)
@given(WISHES, TERMS, st.sampled_from(["axis", "allied"]), st.integers(150, 3000))
def test_whatever_is_suggested_checks_clean(raw: dict[str, Any], terms: dict[str, Any], side: str, points: int) -> None:
    cg = cg_of(**terms, **{side: {"points": points}})
    wishes = Wishes.model_validate(raw)
    try:
        found = suggest(cg, side, wishes)
    except RefusedError as err:
        told = str(err)
    else:
        told = ""
    if told:
        assert "can't be met" in told or not list(wishes.costly_wishes()), told
        return
    clean(found)
    assert len(found.ob.batteries) >= wishes.oba
    assert found.ob.san == wishes.san
    squads = sum(e.number for e in found.ob.infantry if e.kind == "squad")
    assert squads >= max((wish.count for wish in wishes.squads), default=0)
