"""Terms and orders of battle as files: reading them with every problem at once, and making them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field

from laager.base import DataError, LaagerError, Problem, Refusal, RefusedError
from laager.base.counting import count_of
from laager.base.files import Document, FilePart, Where, check, read_document
from laager.campaign import Readings, implements
from laager.campaign.house import HouseLine, HouseRules, block_document, house_lines, house_rules, lay_house
from laager.catalogue.dyo import DyoCatalogue, gaps, load_dyo
from laager.rules.design_your_own.answers import PACKAGE, Missing
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.lines.bonus import chart_elr, chart_span
from laager.rules.design_your_own.nations import Group, row_of
from laager.rules.design_your_own.ob import OrderOfBattle
from laager.rules.design_your_own.rulebook import RULES, Rulebook, printed_rules
from laager.rules.design_your_own.spelling import spell_ob, spell_value
from laager.rules.design_your_own.state import GivenValue
from laager.rules.design_your_own.terms import SIDES, Contingent, SideTerms, Terms, other_side

P = TypeVar("P", SideTerms, Contingent)

PACKS = "laager.packs"
FOLDER = "dyo"


@dataclass(frozen=True)
class LoadedTerms:
    """Terms under which a purchase can begin: each side's ELR is known, the catalogue is read.

    `warnings` tell what may not be meant so; nothing depends on them. `by_chart` are the sides and nations that have
    their ELR from the chart. `house` are the house rules, as a campaign keeps them.
    """

    terms: Terms
    catalogue: DyoCatalogue
    warnings: tuple[Problem, ...] = ()
    by_chart: tuple[tuple[str, str], ...] = ()
    house: Mapping[str, Any] | None = None


def load_terms(path: Path, readings: Mapping[str, str] | None = None, house: Document | None = None) -> LoadedTerms:
    """Read terms and the catalogue files that they name; `house` are further house rules.

    Raises DataError with all problems.
    """
    document = read_document(path)
    return loaded_terms(document, check(document, Terms), path.parent, (), readings, house)


@implements("DYO H1.1")
def loaded_terms(
    document: Document,
    terms: Terms,
    folder: Path,
    where: Where,
    readings: Mapping[str, str] | None = None,
    house: Document | None = None,
) -> LoadedTerms:
    """Return terms that stand at a place of a document, with all they name; files are in its folder (H1.1).

    `house` are further house rules; they go before those of the terms. Raises DataError with all problems.
    """
    at = _Placed(document, where)
    problems = _readings_problems(at, terms, readings or {})
    kept, house_problems = _read_house(at, terms, house)
    problems += house_problems
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
    by_chart = tuple(_sides_by_chart(terms))
    settled, unsettled = _with_elr(at, terms, catalogue, house_rules(kept, PACKAGE))
    if unsettled:
        raise DataError(unsettled)
    return LoadedTerms(settled, catalogue, tuple(_warnings(at, settled, catalogue)), by_chart, kept)


def _read_house(
    at: _Placed, terms: Terms, further: Document | None
) -> tuple[Mapping[str, Any] | None, Sequence[Problem]]:
    """Return the house rules of terms with further ones laid over them, and what is wrong with them."""
    block = [block_document(at.document, RULES, at=at.where)] if terms.house else []
    kept: Mapping[str, Any] | None = None
    problems: list[Problem] = []
    for house in (*block, *([further] if further else [])):
        try:
            kept, _ = lay_house(kept, house, printed_rules())
        except DataError as err:
            problems += err.problems
    return kept, problems


def _sides_by_chart(terms: Terms) -> Iterator[tuple[str, str]]:
    """Yield the sides, each with a nation of it, that haven't agreed on an ELR."""
    for side in SIDES:
        half = terms.side(side)
        if half.elr is None:
            yield side, half.nation
        yield from ((side, contingent.nation) for contingent in half.contingents if contingent.elr is None)


def settle_by_house(
    terms: Terms, catalogue: DyoCatalogue, by_chart: Collection[tuple[str, str]], house: HouseRules
) -> Terms:
    """Return terms of which the ELR that came from the chart are those of the chart as a house has it.

    Raises DataError where it has none.
    """

    def blank(side: str, part: P) -> P:
        return part.model_copy(update={"elr": None}) if (side, part.nation) in by_chart else part

    sides = {}
    for side, half in terms.sides.items():
        contingents = tuple(blank(side, part) for part in half.contingents)
        sides[side] = blank(side, half).model_copy(update={"contingents": contingents})
    open_ = terms.model_copy(update={"sides": sides})
    settled, unsettled = _with_elr(_Placed(Document({}, "the house rules"), ()), open_, catalogue, house)
    if unsettled:
        raise DataError(unsettled)
    return settled


@dataclass(frozen=True)
class _Placed:
    """Terms at a place of a document, for problems that say where."""

    document: Document
    where: Where

    def problem(self, where: Where, message: str, right: str = "") -> Problem:
        return self.document.problem((*self.where, *where), message, right)


def _readings_problems(document: _Placed, terms: Terms, readings: Mapping[str, str]) -> list[Problem]:
    known = Readings.load_packaged(PACKAGE)
    problems = [document.problem(("readings",), str(problem)) for problem in known.check(terms.readings)]
    return [*problems, *known.check(readings)]


def _group_problems(document: _Placed, terms: Terms, catalogue: DyoCatalogue) -> list[Problem]:
    """Return which nations don't say as which of the rules' own tables they count."""
    known = [group.value for group in Group]
    problems = []
    for side in SIDES:
        for place, name in enumerate(terms.side(side).nations):
            nation = catalogue.nation(name)
            if nation.group not in known:
                message = f"no table of the rules has {nation.name}"
                right = f"write in its catalogue file as what it counts, group: {', '.join(known)}"
                problems.append(document.problem(_nation_place(side, place), message, right))
    return problems


def _nation_place(side: str, place: int) -> Where:
    """Return where the terms name a nation of a side: its own is 0, contingents follow."""
    if not place:
        return ("sides", side, "nation")
    return ("sides", side, "contingents", place - 1, "nation")


@implements("DYO H1.28")
def _with_elr(
    document: _Placed, terms: Terms, catalogue: DyoCatalogue, house: HouseRules
) -> tuple[Terms, list[Problem]]:
    """Give each side whose ELR was not agreed on that of the chart."""
    rulebook = Rulebook(house=house)
    sides: dict[str, SideTerms] = {}
    problems = []

    def elr_of(side: str, place: int, half: SideTerms | Contingent) -> int | None:
        if half.elr is not None:
            return half.elr
        own = row_of(catalogue.nation(half.nation), "elr_row")
        enemy = Group(catalogue.nation(terms.side(other_side(side)).nation).group)
        printed = chart_elr(rulebook, own, terms.month, enemy=enemy, theatre=terms.theatre)
        if isinstance(printed, Missing):
            where = _nation_place(side, place)[:-1]
            has = chart_span(rulebook, own) if own is not None else ""
            right = f"agree on one and write elr: 0 to 5 for {side} (--elr 3/4 for new terms)"
            message = f"the ELR Chart doesn't give {printed.what}{f'; {has}' if has else ''}"
            problems.append(document.problem(where, message, right))
            return None
        return int(printed)

    for side in SIDES:
        half = terms.side(side)
        contingents = tuple(
            contingent.model_copy(update={"elr": elr_of(side, place, contingent)})
            for place, contingent in enumerate(half.contingents, start=1)
        )
        elr = elr_of(side, 0, half)
        sides[side] = half.model_copy(update={"elr": elr, "contingents": contingents})
    return terms.model_copy(update={"sides": sides}), problems


def _warnings(document: _Placed, terms: Terms, catalogue: DyoCatalogue) -> list[Problem]:
    """Say what should be known before the purchase begins."""
    warnings = []
    for side in SIDES:
        for place, name in enumerate(terms.side(side).nations):
            nation = catalogue.nation(name)
            missing = gaps(nation, terms.month)
            if missing:
                lacking = f"lacks {count_of(len(missing), 'value')} for {terms.date}"
                message = f"the catalogue of {nation.name} {lacking}"
                right = "they are asked for when they are needed"
                warnings.append(document.problem(_nation_place(side, place), message, right))
    both = [name for name in terms.side(SIDES[0]).nations if name in terms.side(SIDES[1]).nations]
    if both and not terms.agreements.extra_pieces:
        message = f"both sides buy from the counters of one nation, {both[0]}"
        right = "each has half of them, and Axis an odd one; agree on extra_pieces for more"
        if terms.open and terms.first != "both":
            right = f"{terms.first} buys first, and the other has what is left"
        warnings.append(document.problem(("sides",), message, right))
    return warnings


def shipped_terms() -> Mapping[str, Path]:
    """Return the terms that ship with Laager: id to path, by id."""
    folder = Path(str(files(PACKS))) / FOLDER
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


@dataclass(frozen=True)
class DraftTerms:
    """What was agreed on; nations, points and ELR are of axis and allied. Empty: left open."""

    id: str
    month: str
    nations: tuple[str, str]
    points: tuple[int, int]
    elr: tuple[int | None, int | None] | None = None
    open: bool = False
    first: str = ""
    boards: tuple[str, ...] = ()
    theatre: str = ""
    weather: str = ""
    catalogue: str = ""
    own: tuple[str, ...] = ()
    title: str = ""
    readings: Mapping[str, str] = field(default_factory=dict)
    agreements: tuple[str, ...] = ()
    contingents: tuple[Sequence[Mapping[str, Any]], ...] = ((), ())
    reinforcements: tuple[Sequence[Mapping[str, Any]], ...] = ((), ())


def draft_id(name: str) -> str:
    """Return the id of terms that are called so."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "purchase"


def draft_data(draft: DraftTerms) -> dict[str, Any]:
    """Return terms as the plain data of a file (`laager: dyo/1`)."""
    sides: dict[str, dict[str, Any]] = {}
    for place, side in enumerate(SIDES):
        sides[side] = {"nation": draft.nations[place], "points": draft.points[place]}
        elr = draft.elr[place] if draft.elr is not None else None
        if elr is not None:
            sides[side]["elr"] = elr
        for name in ("contingents", "reinforcements"):
            if rows := getattr(draft, name)[place]:
                sides[side][name] = [_without_blanks(row) for row in rows]
    names = [_name(nation) for nation in draft.nations]
    data: dict[str, Any] = {
        "laager": "dyo/1",
        "id": draft.id,
        "title": draft.title or f"{names[0]} against {names[1]}, {draft.month}",
        "date": draft.month,
        "open": draft.open,
    }
    if draft.open and draft.first:
        data["first"] = draft.first
    if draft.boards:
        data["boards"] = [{"id": name} for name in draft.boards]
    for name in ("theatre", "weather", "catalogue"):
        if getattr(draft, name):
            data[name] = getattr(draft, name)
    if draft.own:
        data["own"] = list(draft.own)
    if draft.agreements:
        data["agreements"] = dict.fromkeys(draft.agreements, True)
    if draft.readings:
        data["readings"] = dict(draft.readings)
    return data | {"sides": sides}


def _without_blanks(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value not in ("", None)}


def _name(nation: str) -> str:
    return nation.replace("-", " ").capitalize()


class ObFile(FilePart):
    """One side's order of battle, and the terms under which it was bought.

    `terms` are written out, or the name of a file of terms in the same folder. `values` are those
    that the catalogue lacks and the side gave while it bought.
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


def load_ob(path: Path, house: Document | None = None) -> LoadedOb:
    """Read an order of battle and its terms; `house` are further house rules. Raises DataError with every problem.

    It must be of a side of its terms. `check` says if the rules allow it.
    """
    document = read_document(path)
    made = check(document, ObFile)
    if isinstance(made.terms, str):
        terms = load_terms(path.parent / made.terms, house=house)
    else:
        terms = loaded_terms(document, made.terms, path.parent, ("terms",), house=house)
    problems = list(_problems(document, made.ob, terms.terms))
    if problems:
        raise DataError(problems)
    values = tuple(spell_value(value, terms.catalogue.nation(value.nation or made.ob.nation)) for value in made.values)
    loaded = LoadedOb(made.ob, terms, document, values)
    return replace(loaded, ob=spell_ob(made.ob, context_of(loaded).nation(made.ob.side)))


def _problems(document: Document, ob: OrderOfBattle, terms: Terms) -> list[Problem]:
    half = terms.side(ob.side)
    problems = []
    if ob.nation != half.nation:
        right = f"{half.nation}, as the terms have it"
        message = f"{ob.side} is not {ob.nation}"
        problems.append(document.problem(("ob", "nation"), message, right))
    if ob.allotment != half.points:
        message = f"{ob.allotment} points are not the allotment"
        right = f"{half.points}, as the terms have it"
        problems.append(document.problem(("ob", "allotment"), message, right))
    return problems


def facing(loaded: LoadedOb, enemy: LoadedOb, file: str, against: str) -> None:
    """Raise RefusedError if two orders of battle are not the two sides of one purchase."""
    own, other = loaded.terms.terms, enemy.terms.terms
    if loaded.ob.side == enemy.ob.side:
        message = f"{file} and {against} are both of the {loaded.ob.side} side"
        raise RefusedError(Refusal.BAD_DATA, message, "name one of each side")
    if (own.date, own.sides) != (other.date, other.sides):
        message = f"{file} and {against} are of different terms"
        right = "both need the same month, nations, points and ELR"
        raise RefusedError(Refusal.BAD_DATA, message, right)


def house_lines_of(loaded: LoadedOb) -> tuple[HouseLine, ...]:
    """Return what is played differently by the house rules of an order of battle."""
    house = house_rules(loaded.terms.house, PACKAGE)
    return house_lines(house, printed_rules()) if house else ()


def context_of(loaded: LoadedOb) -> Cg:
    """Return the context in which an order of battle that was read can be looked at."""
    cg = Cg.of(loaded.terms.terms, loaded.terms.catalogue, loaded.terms.house)
    side = loaded.ob.side
    cg.state = replace(cg.state.having(loaded.ob), given={side: loaded.values})
    return cg


def ob_data(cg: Cg, side: str) -> dict[str, Any]:
    """Return a side's order of battle as the plain data of a file, terms and all.

    It has what was agreed, chosen and given during the purchase, so that nothing is asked again.
    """
    known = cg.readings
    chosen = {name: option for name, option in cg.chosen.items() if option != known.value({}, name)}
    house = {name: part for name, part in cg.house.data.items() if name not in ("laager", "ruleset")}
    settled = {"readings": chosen, "weather": cg.state.weather, "house": house}
    terms = cg.terms.model_copy(update=settled).model_dump(mode="json", exclude_defaults=True)
    given = [value.model_dump(mode="json") for value in cg.state.given.get(side, ())]
    return {
        "laager": "dyo-ob/1",
        "title": str(cg.terms.title),
        "source": cg.terms.source,
        "terms": {"laager": cg.terms.laager, **terms},
        **({"values": given} if given else {}),
        "ob": cg.ob(side).model_dump(mode="json", exclude_defaults=True),
    }
