"""Reading the terms of a purchase and all they name; every problem is told at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from laager.base import DataError, LaagerError, Problem
from laager.base.files import Document, Where, check, read_document
from laager.campaign.clauses import implements
from laager.campaign.readings import Readings
from laager.catalogue.dyo import DyoCatalogue, Month, gaps, load_dyo
from laager.rules.design_your_own.elr import chart_elr
from laager.rules.design_your_own.nations import Group
from laager.rules.design_your_own.reckoning import PACKAGE, Unknown
from laager.rules.design_your_own.terms import SIDES, SideTerms, Terms, other

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
    document: Document,
    terms: Terms,
    folder: Path,
    where: Where,
    readings: Mapping[str, str] | None = None,
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


def _readings_problems(
    document: _Placed, terms: Terms, readings: Mapping[str, str]
) -> list[Problem]:
    known = Readings.load_packaged(PACKAGE)
    found = [
        document.problem(("readings",), str(problem)) for problem in known.check(terms.readings)
    ]
    return [*found, *known.check(readings)]


def _group_problems(document: _Placed, terms: Terms, catalogue: DyoCatalogue) -> list[Problem]:
    """Return which nations don't say as which of the rules' own tables they count."""
    known = [group.value for group in Group]
    found = []
    for side in SIDES:
        nation = catalogue.nation(terms.side(side).nation)
        if nation.group not in known:
            what = f"no table of the rules has {nation.name}"
            right = f"write in its catalogue file as what it counts, group: {', '.join(known)}"
            found.append(document.problem(("sides", side, "nation"), what, right))
    return found


@implements("DYO H1.28")
def _with_elr(
    document: _Placed, terms: Terms, catalogue: DyoCatalogue
) -> tuple[Terms, list[Problem]]:
    """Give each side whose ELR was not agreed on that of the chart."""
    sides: dict[str, SideTerms] = {}
    problems = []
    for side in SIDES:
        half = terms.side(side)
        sides[side] = half
        if half.elr is not None:
            continue
        own = Group(catalogue.nation(half.nation).group)
        enemy = Group(catalogue.nation(terms.side(other(side)).nation).group)
        found = chart_elr(own, terms.month, enemy=enemy, theatre=terms.theatre)
        if isinstance(found, Unknown):
            where = ("sides", side)
            right = f"agree on one and write elr: 0 to 5 for {side}"
            problems.append(
                document.problem(where, f"the ELR Chart cannot tell {found.what}", right)
            )
            continue
        sides[side] = half.model_copy(update={"elr": int(found)})
    return terms.model_copy(update={"sides": sides}), problems


def _warnings(document: _Placed, terms: Terms, catalogue: DyoCatalogue) -> list[Problem]:
    """Say what should be known before the purchase begins."""
    found = []
    for side in SIDES:
        nation = catalogue.nation(terms.side(side).nation)
        missing = gaps(nation, Month(*terms.month))
        if missing:
            what = f"the catalogue of {nation.name} lacks {len(missing)} values for {terms.date}"
            right = "they are asked for when they are needed"
            found.append(document.problem(("sides", side, "nation"), what, right))
    if len(terms.nations) == 1:
        what = "both sides buy from the counters of one nation"
        right = "share them out beforehand; each side's own limits alone are checked"
        found.append(document.problem(("sides",), what, right))
    return found


def shipped_terms() -> Mapping[str, Path]:
    """Return the terms that ship with Laager: id to path, by id."""
    folder = Path(str(files(PACKS))) / FOLDER
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}
