"""Design Your Own besides the questions: terms, checks of orders of battle, odds, suggestions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.files import Document, check
from laager.campaign import Sheet
from laager.catalogue.dyo import shipped_nations
from laager.rules.design_your_own.check.check import Verdict, check_file, placed
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.forms import FORMS, OF_BOTH, yaml_text
from laager.rules.design_your_own.files import Draft, LoadedOb, context_of, draft_data, facing, load_ob, load_terms
from laager.rules.design_your_own.plan.suggest import Suggestion
from laager.rules.design_your_own.plan.suggest import suggest as suggested
from laager.rules.design_your_own.plan.wishes import Wishes
from laager.rules.design_your_own.sheets.prospects import all_prospects
from laager.rules.design_your_own.sheets.prospects import sheet as odds_sheet
from laager.rules.design_your_own.sheets.roster import roster
from laager.rules.design_your_own.terms import SIDES
from laager.web.models import OwnFile, Player
from laager.web.services.library import files as library

RULES = "dyo"
Posted = Mapping[str, str]


def nations() -> list[str]:
    """Return the nations that come with Laager."""
    return sorted({*shipped_nations("house"), *shipped_nations("published")})


# Terms --------------------------------------------------------------------------------------------


def terms_text(posted: Posted, readings: Mapping[str, str], own: Sequence[str]) -> tuple[str, str]:
    """Return the name of a file and the terms in it, from what was typed. Raises DataError."""
    problems: list[Problem] = []
    numbers = _Numbers(posted, problems)
    axis, allied = (posted.get(side, "").strip() for side in SIDES)
    points = numbers.given("points-axis", 1000), numbers.given("points-allied", 1000)
    elr = numbers.left_open("elr-axis"), numbers.left_open("elr-allied")
    month = posted.get("month", "").strip()
    stem = "".join(c for c in f"{axis}-{allied}-{month}".lower() if c.isalnum() or c == "-")
    if problems:
        raise DataError(problems, Refusal.BAD_ANSWER)
    named = (name.strip() for name in posted.get("boards", "").split(","))
    in_the_open = posted.get("open") == "yes"
    draft = Draft(
        id=stem.strip("-") or "purchase",
        month=month,
        nations=(axis, allied),
        points=points,
        elr=elr,
        open=in_the_open,
        first=posted.get("first", "") if in_the_open else "",
        boards=tuple(name for name in named if name),
        theatre=posted.get("theatre", "").strip(),
        weather=posted.get("weather", "").strip(),
        catalogue=posted.get("catalogue", ""),
        own=tuple(own),
        title=posted.get("title", "").strip(),
        readings=readings,
    )
    name = posted.get("name", "").strip() or f"{stem.strip('-') or 'purchase'}.yaml"
    return library.checked_name(name if "." in name else f"{name}.yaml"), yaml_text(draft_data(draft))


@dataclass
class _Numbers:
    posted: Posted
    problems: list[Problem]

    def given(self, name: str, default: int) -> int:
        found = self.left_open(name)
        return default if found is None else found

    def left_open(self, name: str) -> int | None:
        text = self.posted.get(name, "").strip()
        if not text:
            return None
        if not text.isascii() or not text.isdigit() or len(text) > 6:
            self.problems.append(Problem(f"{text[:20]!r} is not a number", "type digits only", name))
            return None
        return int(text)


# Orders of battle ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """An order of battle that was read and checked."""

    loaded: LoadedOb
    verdict: Verdict
    cg: Cg

    @property
    def side(self) -> str:
        """Whose it is."""
        return self.loaded.ob.side

    @property
    def broken(self) -> list[tuple[str, Problem]]:
        """What is against the rules: the clause, and what is wrong where."""
        return [(one.breach.rule, placed(one, self._document)) for one in self.verdict.broken]

    @property
    def unjudged(self) -> list[tuple[str, Problem]]:
        """What nobody can say, as the catalogue lacks a value."""
        return [(one.breach.rule, placed(one, self._document)) for one in self.verdict.unjudged]

    @property
    def spent(self) -> list[tuple[str, int]]:
        """What was spent, by section."""
        return [(name.replace("-", " "), n) for name, n in self.verdict.ob.spent.items() if n]

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The Purchase Roster."""
        return roster(self.cg, self.side)

    @property
    def warnings(self) -> list[str]:
        """What is doubtful about the terms."""
        return [str(one) for one in self.loaded.terms.warnings]

    @property
    def _document(self) -> Document:
        document = self.loaded.document
        return Document(document.data, "", document.lines)


@contextmanager
def _folder(user: Player, *names: str) -> Iterator[Any]:
    with library.folder_of(user) as folder, library.telling_names(folder):
        for name in names:
            library.find(user, name)
            library.guard(folder, name)
        yield folder


def judged(user: Player, name: str, against: str = "") -> Judged:
    """Return an order of battle of somebody's library, checked. Raises DataError, RefusedError."""
    with _folder(user, name, *([against] if against else [])) as folder:
        loaded = load_ob(folder / name)
        enemy = load_ob(folder / against) if against else None
        if enemy is not None:
            facing(loaded, enemy, name, against)
        verdict = check_file(loaded, enemy)
        cg = context_of(loaded)
        cg.state = cg.state.having(verdict.ob)
        return Judged(loaded, verdict, cg)


def of_kind(user: Player, kind: str) -> list[OwnFile]:
    """Return somebody's files of a kind."""
    files = OwnFile.objects.filter(owner=user).defer("before")
    return [one for one in files if library.kind_in(one.text) == kind]


def exported(cg: Cg, sides: Sequence[str], form: str) -> tuple[str, str]:
    """Return orders of battle in a form for use elsewhere, and the ending of its file.

    Raises RefusedError for an unknown form, or one that holds one side alone.
    """
    if form not in FORMS:
        advice = did_you_mean(form, FORMS, "forms are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no form {form[:30]!r}", advice)
    if len(sides) > 1 and form != OF_BOTH:
        raise RefusedError(Refusal.BAD_ANSWER, f"{form} holds one side", "choose which")
    return FORMS[form](cg, tuple(sides)), "json" if form == OF_BOTH else "yaml"


# Odds and suggestions -----------------------------------------------------------------------------


def purchase(user: Player, name: str) -> Cg:
    """Return a purchase by terms of somebody's library, before anything is bought."""
    with _folder(user, name) as folder:
        loaded = load_terms(folder / name)
        return Cg.of(loaded.terms, loaded.catalogue)


def odds(cg: Cg, side: str) -> list[Sheet]:
    """Return the odds of every roll that a side can look forward to."""
    return [odds_sheet(one, side) for one in all_prospects(cg, side)]


COUNTED = {"squads": "at_least", "platoons": "type", "guns": "type"}
"""What stands behind the number of a wish, by its name."""
GOALS = ("equivalency", "squads", "afv", "guns", "points")


def wishes_of(posted: Posted) -> Wishes:
    """Return a side's wishes from what was typed. Raises DataError."""
    data: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, key in COUNTED.items():
        listed = [_counted(text, key, name, problems) for text in _lines(posted.get(name, ""))]
        if listed:
            data[name] = listed
    numbers = _Numbers(posted, problems)
    for name in ("oba", "san", "reserve"):
        found = numbers.left_open(name)
        if found is not None:
            data[name] = found
    for name in ("air", "motorized"):
        if posted.get(name) == "yes":
            data[name] = True
    for name in ("maximise", "outlook"):
        if posted.get(name):
            data[name] = posted[name]
    if problems:
        raise DataError(problems, Refusal.BAD_ANSWER)
    try:
        return check(Document(data, ""), Wishes)
    except DataError as err:
        raise DataError(err.problems, Refusal.BAD_ANSWER) from None


def _lines(text: str) -> list[str]:
    return [one.strip() for one in text.replace("\n", ",").split(",") if one.strip()][:50]


def _counted(text: str, key: str, name: str, problems: list[Problem]) -> dict[str, Any]:
    number, _, rest = text.partition(":")
    if not number.strip().isascii() or not number.strip().isdecimal():
        right = "a number, as 20, or 20:NAME"
        problems.append(Problem(f"{text[:40]!r} is not a wish", right, name))
        return {}
    wish: dict[str, Any] = {"count": int(number.strip()[:6])}
    return wish | ({key: rest.strip()} if rest.strip() else {})


def suggestion(cg: Cg, side: str, posted: Posted) -> Suggestion:
    """Return a purchase that meets a side's wishes. Raises DataError or RefusedError."""
    return suggested(cg, side, wishes_of(posted))
