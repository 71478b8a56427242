"""Small integer programs, solved to proven optimality by HiGHS.

Everything is in whole numbers: variables, coefficients, bounds. What the solver returns is checked
against every row in exact arithmetic before anybody sees it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laager.base.extras import extra

Terms = Mapping[int, int]
"""A sum: coefficients by variable."""

FAR = 1_000_000
"""A bound beyond all points and numbers of a purchase."""

ALL_NODES = 2**31 - 1
SOME_NODES = 2000


@dataclass(frozen=True)
class Constraint:
    """A constraint: the sum is at least `least` and at most `most`."""

    terms: Terms
    least: int
    most: int


@dataclass
class Program:
    """Integer variables from 0 up, and rows that they must fulfil."""

    most: list[int] = field(default_factory=list)
    rows: list[Constraint] = field(default_factory=list)

    def variable(self, most: int) -> int:
        """Add a variable from 0 to `most` and return its number."""
        self.most.append(most)
        return len(self.most) - 1

    def row(self, terms: Terms, least: int = -FAR, most: int = FAR) -> None:
        """Add a constraint."""
        self.rows.append(Constraint(dict(terms), least, most))

    def solve(self, goals: Sequence[Terms], tidy: Terms | None = None) -> list[int] | None:
        """Return the values that maximise the goals, each among the best for those before it.

        `tidy` is a last goal that is given up where it takes too long. None: nothing fulfils all
        rows. The same program always has the same answer.
        """
        solver = _Solver(self)
        values: list[int] | None = None
        for goal in goals or [{}]:
            better = solver.best(goal)
            if better is None:
                # Only the first goal can fail: what was found meets all rows of the later ones.
                return values
            values = better
            self._check(values)
            solver.keep(goal, _value(goal, values))
        neat = solver.best(tidy, SOME_NODES) if tidy else None
        if neat is not None:
            self._check(neat)
        return neat or values

    def _check(self, values: Sequence[int]) -> None:
        within = all(0 <= value <= most for value, most in zip(values, self.most, strict=True))
        if not within or any(not row.least <= _value(row.terms, values) <= row.most for row in self.rows):
            raise AssertionError("the solver's answer does not fulfil the program")


def _value(terms: Terms, values: Sequence[int]) -> int:
    return sum(number * values[variable] for variable, number in terms.items())


class _Solver:
    """HiGHS with one program in it. It is imported here, because few commands need it."""

    def __init__(self, program: Program) -> None:
        with extra("suggest"):
            import highspy

        api: Any = highspy
        self._api = api
        self._columns = len(program.most)
        self._solver = api.Highs()
        for name, value in _OPTIONS.items():
            self._solver.setOptionValue(name, value)
        self._solver.passModel(self._model(program))

    def _model(self, program: Program) -> Any:
        model = self._api.HighsLp()
        model.num_col_, model.num_row_ = self._columns, len(program.rows)
        model.col_cost_ = [0.0] * self._columns
        model.col_lower_ = [0.0] * self._columns
        model.col_upper_ = [float(most) for most in program.most]
        model.row_lower_ = [float(row.least) for row in program.rows]
        model.row_upper_ = [float(row.most) for row in program.rows]
        model.integrality_ = [self._api.HighsVarType.kInteger] * self._columns
        model.sense_ = self._api.ObjSense.kMaximize
        start, index, value = [0], list[int](), list[float]()
        for row in program.rows:
            for variable, number in sorted(row.terms.items()):
                index.append(variable)
                value.append(float(number))
            start.append(len(index))
        model.a_matrix_.format_ = self._api.MatrixFormat.kRowwise
        model.a_matrix_.start_, model.a_matrix_.index_ = start, index
        model.a_matrix_.value_ = value
        return model

    def best(self, goal: Terms, nodes: int = ALL_NODES) -> list[int] | None:
        """Return the values that maximise a goal.

        None: nothing fulfils the rows, or the best was not found within so many nodes of the
        search. Nodes are counted and not seconds, so that every machine finds the same.
        """
        for variable in range(self._columns):
            self._solver.changeColCost(variable, float(goal.get(variable, 0)))
        self._solver.setOptionValue("mip_max_nodes", nodes)
        self._solver.run()
        status = self._solver.getModelStatus()
        known = self._api.HighsModelStatus
        if status == known.kInfeasible or (nodes < ALL_NODES and status == known.kSolutionLimit):
            return None
        if status not in (known.kOptimal, known.kModelEmpty):
            raise AssertionError(f"the solver ended with {status}")
        return [round(value) for value in self._solver.getSolution().col_value]

    def keep(self, goal: Terms, value: int) -> None:
        """Add the row that a goal's value is not given up again."""
        terms = sorted((variable, number) for variable, number in goal.items() if number)
        if terms:
            variables = [variable for variable, _ in terms]
            numbers = [float(number) for _, number in terms]
            self._solver.addRow(float(value), float(FAR), len(terms), variables, numbers)


_OPTIONS: Mapping[str, Any] = {
    "output_flag": False,
    "threads": 1,
    "random_seed": 0,
    # Goals are whole numbers: what is less than one away from the bound is the best.
    "mip_abs_gap": 0.5,
    "mip_rel_gap": 0.0,
}
