"""Reading the terms of a purchase and all they name; every problem is told at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from laager.base import DataError, LaagerError, Problem
from laager.base.files import Document, Where, check, read_document
from laager.campaign import Readings, implements
from laager.catalogue.dyo import DyoCatalogue, Month, gaps, load_dyo
from laager.rules.design_your_own.elr import chart_elr, chart_span
from laager.rules.design_your_own.nations import Group, row_of
from laager.rules.design_your_own.reckoning import PACKAGE, Unknown
from laager.rules.design_your_own.terms import SIDES, Contingent, SideTerms, Terms, other

PACKS = "laager.packs"
FOLDER = "dyo"


@dataclass(frozen=True)
class LoadedTerms:
    """Terms under which a purchase can begin: each side's ELR is known, the catalogue is read.

    `warnings` tell what may not be meant so; nothing depends on them.
    """

    terms: Terms
    catalogue: DyoCatalogue
    warnings: tuple[Problem, ...] = ()


def load_terms(path: Path, readings: Mapping[str, str] | None = None) -> LoadedTerms:
    """Read terms and the catalogue files that they name. Raises DataError with all problems."""
    document = read_document(path)
    return loaded_terms(document, check(document, Terms), path.parent, (), readings)


@implements("DYO H1.1")
def loaded_terms(
    document: Document, terms: Terms, folder: Path, where: Where, readings: Mapping[str, str] | None = None
) -> LoadedTerms:
    """Return terms that stand at a place of a document, with all they name; files are beside it.

    Raises DataError with all problems.
    """
    at = _Placed(document, where)
    problems = _readings_problems(at, terms, readings or {})
    try:
        own = [folder / name for name in terms.own]
        catalogue = load_dyo(*terms.nations, set=terms.catalogue, own=own)
    except DataError as err:
        raise DataError([*problems, *err.problems]) from None
    except LaagerError as err:
        raise DataError([*problems, at.problem(("sides",), str(err))]) from None
    problems += _group_problems(at, terms, catalogue)
    if problems:
        raise DataError(problems)
    settled, unsettled = _with_elr(at, terms, catalogue)
    if unsettled:
        raise DataError(unsettled)
    return LoadedTerms(settled, catalogue, tuple(_warnings(at, settled, catalogue)))


@dataclass(frozen=True)
class _Placed:
    """Terms at a place of a document, for problems that say where."""

    document: Document
    where: Where

    def problem(self, where: Where, what: str, right: str = "") -> Problem:
        return self.document.problem((*self.where, *where), what, right)


def _readings_problems(document: _Placed, terms: Terms, readings: Mapping[str, str]) -> list[Problem]:
    known = Readings.load_packaged(PACKAGE)
    found = [document.problem(("readings",), str(problem)) for problem in known.check(terms.readings)]
    return [*found, *known.check(readings)]


def _group_problems(document: _Placed, terms: Terms, catalogue: DyoCatalogue) -> list[Problem]:
    """Return which nations don't say as which of the rules' own tables they count."""
    known = [group.value for group in Group]
    found = []
    for side in SIDES:
        for place, name in enumerate(terms.side(side).nations):
            nation = catalogue.nation(name)
            if nation.group not in known:
                what = f"no table of the rules has {nation.name}"
                right = f"write in its catalogue file as what it counts, group: {', '.join(known)}"
                found.append(document.problem(_nation_place(side, place), what, right))
    return found


def _nation_place(side: str, place: int) -> Where:
    """Return where the terms name a nation of a side: its own is 0, contingents follow."""
    if not place:
        return ("sides", side, "nation")
    return ("sides", side, "contingents", place - 1, "nation")


@implements("DYO H1.28")
def _with_elr(document: _Placed, terms: Terms, catalogue: DyoCatalogue) -> tuple[Terms, list[Problem]]:
    """Give each side whose ELR was not agreed on that of the chart."""
    sides: dict[str, SideTerms] = {}
    problems = []

    def settled(side: str, place: int, half: SideTerms | Contingent) -> int | None:
        if half.elr is not None:
            return half.elr
        own = row_of(catalogue.nation(half.nation), "elr_row")
        enemy = Group(catalogue.nation(terms.side(other(side)).nation).group)
        found = chart_elr(own, terms.month, enemy=enemy, theatre=terms.theatre)
        if isinstance(found, Unknown):
            where = _nation_place(side, place)[:-1]
            has = chart_span(own) if own is not None else ""
            right = f"agree on one and write elr: 0 to 5 for {side} (--elr 3/4 for new terms)"
            what = f"the ELR Chart cannot tell {found.what}{f'; {has}' if has else ''}"
            problems.append(document.problem(where, what, right))
            return None
        return int(found)

    for side in SIDES:
        half = terms.side(side)
        contingents = tuple(
            one.model_copy(update={"elr": settled(side, place, one)})
            for place, one in enumerate(half.contingents, start=1)
        )
        elr = settled(side, 0, half)
        sides[side] = half.model_copy(update={"elr": elr, "contingents": contingents})
    return terms.model_copy(update={"sides": sides}), problems


def _warnings(document: _Placed, terms: Terms, catalogue: DyoCatalogue) -> list[Problem]:
    """Say what should be known before the purchase begins."""
    found = []
    for side in SIDES:
        for place, name in enumerate(terms.side(side).nations):
            nation = catalogue.nation(name)
            missing = gaps(nation, Month(*terms.month))
            if missing:
                lacking = f"lacks {len(missing)} values for {terms.date}"
                what = f"the catalogue of {nation.name} {lacking}"
                right = "they are asked for when they are needed"
                found.append(document.problem(_nation_place(side, place), what, right))
    both = [name for name in terms.side(SIDES[0]).nations if name in terms.side(SIDES[1]).nations]
    if both and not terms.agreements.extra_pieces:
        what = f"both sides buy from the counters of one nation, {both[0]}"
        right = "each has half of them, and Axis an odd one; agree on extra_pieces for more"
        if terms.open and terms.first != "both":
            right = f"{terms.first} buys first, and the other has what is left"
        found.append(document.problem(("sides",), what, right))
    return found


def shipped_terms() -> Mapping[str, Path]:
    """Return the terms that ship with Laager: id to path, by id."""
    folder = Path(str(files(PACKS))) / FOLDER
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}
