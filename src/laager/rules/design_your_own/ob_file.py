"""Orders of battle as files of their own (`laager: dyo-ob/1`), whoever made them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from laager.base import DataError, Problem
from laager.base.files import Document, check, read_document
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.loading import LoadedTerms, load_terms, loaded_terms
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.terms import Part, Terms


class ObFile(Part):
    """One side's order of battle, and the terms under which it was bought.

    `terms` are written out, or the name of a file of terms beside this one.
    """

    laager: Literal["dyo-ob/1"]
    title: str = Field(default="", max_length=120)
    source: str = Field(default="house", max_length=60)
    terms: str | Terms
    ob: OrderOfBattle


@dataclass(frozen=True)
class LoadedOb:
    """An order of battle that was read, its terms with their catalogue, and its document."""

    ob: OrderOfBattle
    terms: LoadedTerms
    document: Document


def load_ob(path: Path) -> LoadedOb:
    """Read an order of battle and its terms. Raises DataError with every problem.

    Whether the rules allow it is not asked here; only that it is one, of a side of its terms.
    """
    document = read_document(path)
    made = check(document, ObFile)
    if isinstance(made.terms, str):
        terms = load_terms(path.parent / made.terms)
    else:
        terms = loaded_terms(document, made.terms, path.parent, ("terms",))
    problems = list(_problems(document, made.ob, terms.terms))
    if problems:
        raise DataError(problems)
    return LoadedOb(made.ob, terms, document)


def _problems(document: Document, ob: OrderOfBattle, terms: Terms) -> list[Problem]:
    half = terms.side(ob.side)
    found = []
    if ob.nation != half.nation:
        right = f"{half.nation}, as the terms have it"
        what = f"{ob.side} is not {ob.nation}"
        found.append(document.problem(("ob", "nation"), what, right))
    if ob.allotment != half.points:
        what = f"{ob.allotment} points are not the allotment"
        right = f"{half.points}, as the terms have it"
        found.append(document.problem(("ob", "allotment"), what, right))
    return found


def ob_data(cg: Cg, side: str) -> dict[str, Any]:
    """Return a side's order of battle as the plain data of a file, terms and all."""
    terms = cg.terms.model_dump(mode="json", exclude_defaults=True)
    return {
        "laager": "dyo-ob/1",
        "title": cg.terms.title,
        "source": cg.terms.source,
        "terms": {"laager": cg.terms.laager, **terms},
        "ob": cg.ob(side).model_dump(mode="json", exclude_defaults=True),
    }
