"""Orders of battle as files of their own (`laager: dyo-ob/1`), whoever made them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from laager.base import DataError, Problem, Refusal, RefusedError
from laager.base.files import Document, check, read_document
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.loading import LoadedTerms, load_terms, loaded_terms
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.state import GivenValue
from laager.rules.design_your_own.terms import Part, Terms


class ObFile(Part):
    """One side's order of battle, and the terms under which it was bought.

    `terms` are written out, or the name of a file of terms beside this one. `values` are those
    that the catalogue lacks and the side has told while it bought.
    """

    laager: Literal["dyo-ob/1"]
    title: str = Field(default="", max_length=120)
    source: str = Field(default="house", max_length=60)
    terms: str | Terms
    values: tuple[GivenValue, ...] = ()
    ob: OrderOfBattle


@dataclass(frozen=True)
class LoadedOb:
    """An order of battle that was read, its terms with their catalogue, and its document."""

    ob: OrderOfBattle
    terms: LoadedTerms
    document: Document
    values: tuple[GivenValue, ...] = ()


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
    return LoadedOb(made.ob, terms, document, made.values)


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


def facing(loaded: LoadedOb, enemy: LoadedOb, file: str, against: str) -> None:
    """Raise RefusedError if two orders of battle are not the two sides of one purchase."""
    own, other = loaded.terms.terms, enemy.terms.terms
    if loaded.ob.side == enemy.ob.side:
        what = f"{file} and {against} are both of the {loaded.ob.side} side"
        raise RefusedError(Refusal.BAD_DATA, what, "name one of each side")
    if (own.date, own.sides) != (other.date, other.sides):
        what = f"{file} and {against} are of different terms"
        right = "both need the same month, nations, points and ELR"
        raise RefusedError(Refusal.BAD_DATA, what, right)


def context_of(loaded: LoadedOb) -> Cg:
    """Return the context in which an order of battle that was read can be looked at."""
    cg = Cg.of(loaded.terms.terms, loaded.terms.catalogue)
    side = loaded.ob.side
    cg.state = replace(cg.state.having(loaded.ob), given={side: loaded.values})
    return cg


def ob_data(cg: Cg, side: str) -> dict[str, Any]:
    """Return a side's order of battle as the plain data of a file, terms and all.

    What was agreed, chosen and told during the purchase is in it, so that nothing is asked again.
    """
    known = cg.readings
    chosen = {name: option for name, option in cg.chosen.items() if option != known.value({}, name)}
    settled = {"readings": chosen, "weather": cg.state.weather}
    terms = cg.terms.model_copy(update=settled).model_dump(mode="json", exclude_defaults=True)
    given = [value.model_dump(mode="json") for value in cg.state.given.get(side, ())]
    return {
        "laager": "dyo-ob/1",
        "title": cg.terms.title,
        "source": cg.terms.source,
        "terms": {"laager": cg.terms.laager, **terms},
        **({"values": given} if given else {}),
        "ob": cg.ob(side).model_dump(mode="json", exclude_defaults=True),
    }
