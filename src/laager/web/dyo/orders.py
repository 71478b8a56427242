"""Design Your Own besides the questions: terms, checks of orders of battle, odds, suggestions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean
from laager.base.files import Document, check
from laager.campaign import Sheet
from laager.rules.design_your_own.check.check import ObVerdict, as_problem, check_file
from laager.rules.design_your_own.context import Cg
from laager.rules.design_your_own.exports.forms import ENDINGS, FORMS, OF_BOTH, yaml_text
from laager.rules.design_your_own.files import DraftTerms, LoadedOb, context_of, draft_data, facing, load_ob, load_terms
from laager.rules.design_your_own.plan.suggest import Suggestion
from laager.rules.design_your_own.plan.suggest import suggest as suggested
from laager.rules.design_your_own.plan.wishes import Wishes
from laager.rules.design_your_own.sheets.prospects import all_prospects
from laager.rules.design_your_own.sheets.prospects import sheet as odds_sheet
from laager.rules.design_your_own.sheets.roster import roster
from laager.rules.design_your_own.terms import SIDES
from laager.web.dyo.forms import AGREED, READING, Sent, read, wishes
from laager.web.library.files import checks
from laager.web.library.files import files as library
from laager.web.models import OwnFile, Player
from laager.web.shared import processes

RULES = "dyo"


# Terms --------------------------------------------------------------------------------------------


def terms_text(chosen: Mapping[str, Any]) -> tuple[str, str]:
    """Return the name of a file and the terms in it, from the values of the fields. Raises DataError."""
    axis, allied = (chosen[side] for side in SIDES)
    month = f"{chosen['year']}-{chosen['month']}"
    stem = "".join(c for c in f"{axis}-{allied}-{month}".lower() if c.isalnum() or c == "-")
    stem = stem.strip("-") or "purchase"
    readings = {name.removeprefix(READING): value for name, value in chosen.items() if name.startswith(READING)}
    draft = DraftTerms(
        id=stem,
        month=month,
        nations=(axis, allied),
        points=(chosen["points-axis"], chosen["points-allied"]),
        elr=(chosen["elr-axis"], chosen["elr-allied"]),
        open=chosen["open"],
        first=chosen["first"] if chosen["open"] else "",
        boards=tuple(_split_list(chosen["boards"])),
        theatre=chosen["theatre"],
        weather=chosen["weather"],
        catalogue=chosen["catalogue"],
        own=tuple(chosen.get("own", ())),
        title=chosen["title"],
        readings={name: value for name, value in readings.items() if value},
        agreements=tuple(name for name in AGREED if chosen[name]),
        contingents=(chosen["contingents-axis"], chosen["contingents-allied"]),
        reinforcements=(chosen["reinforcements-axis"], chosen["reinforcements-allied"]),
    )
    name = chosen["name"] or stem
    return checks.check_name(name if "." in name else f"{name}.yaml"), yaml_text(draft_data(draft))


def _split_list(text: str) -> list[str]:
    return [part.strip() for part in text.replace("\n", ",").split(",") if part.strip()][:50]


# Orders of battle ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """An order of battle that was read and checked."""

    loaded: LoadedOb
    verdict: ObVerdict
    cg: Cg

    @property
    def side(self) -> str:
        """Whose it is."""
        return self.loaded.ob.side

    @property
    def broken(self) -> list[tuple[str, Problem]]:
        """What is against the rules: the clause, and what is wrong where."""
        return [(find.breach.rule, as_problem(find, self._document)) for find in self.verdict.broken]

    @property
    def unjudged(self) -> list[tuple[str, Problem]]:
        """What nobody can say, as the catalogue lacks a value."""
        return [(find.breach.rule, as_problem(find, self._document)) for find in self.verdict.unjudged]

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
        return [str(warning) for warning in self.loaded.terms.warnings]

    @property
    def _document(self) -> Document:
        document = self.loaded.document
        return Document(document.data, "", document.lines)


@contextmanager
def _folder(user: Player, *names: str) -> Iterator[Any]:
    with library.folder_of(user) as folder, checks.hide_folder(folder):
        for name in names:
            library.find(user, name)
            checks.check_named_files(folder, name)
        yield folder


def load_checked(user: Player, name: str, against: str = "") -> Judged:
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
    return [file for file in files if library.kind_in(file.text) == kind]


def catalogues(user: Player) -> dict[str, str]:
    """Return the catalogues in somebody's library, each with its nation; "" where it doesn't say so."""
    nations = {}
    for file in of_kind(user, "dyo-catalogue"):
        named = re.search(r"^nation:\s*['\"]?([a-z][a-z0-9-]{0,39})\b", file.text, re.MULTILINE)
        nations[file.name] = named[1] if named else ""
    return nations


def export_as(cg: Cg, sides: Sequence[str], form: str) -> tuple[str, str]:
    """Return orders of battle in a form for use elsewhere, and the ending of its file.

    Raises RefusedError for an unknown form, or one that holds one side alone.
    """
    if form not in FORMS:
        advice = did_you_mean(form, FORMS, "forms are")
        raise RefusedError(Refusal.NO_SUCH, f"there is no form {form[:30]!r}", advice)
    if len(sides) > 1 and form != OF_BOTH:
        raise RefusedError(Refusal.BAD_ANSWER, f"{form} holds one side", "choose which")
    return FORMS[form](cg, tuple(sides)), ENDINGS.get(form, "yaml")


# Odds and suggestions -----------------------------------------------------------------------------


def purchase(user: Player, name: str) -> Cg:
    """Return a purchase by terms of somebody's library, before anything is bought."""
    with _folder(user, name) as folder:
        loaded = load_terms(folder / name)
        return Cg.of(loaded.terms, loaded.catalogue, loaded.house)


def odds(cg: Cg, side: str) -> list[Sheet]:
    """Return the odds of every roll that a side can look forward to."""
    return [odds_sheet(prospect, side) for prospect in all_prospects(cg, side)]


COUNTED = {"squads": "at_least", "platoons": "type", "guns": "type"}
"""What stands behind the number of a wish, by its name."""


def wishes_of(chosen: Mapping[str, Any]) -> Wishes:
    """Return a side's wishes from the values of the fields. Raises DataError."""
    problems: list[Problem] = []
    counted = {
        name: [_parse_counted_wish(text, key, name, problems) for text in _split_list(chosen[name])]
        for name, key in COUNTED.items()
    }
    if problems:
        raise DataError(problems, Refusal.BAD_ANSWER)
    try:
        return check(Document({**chosen, **counted}, ""), Wishes)
    except DataError as err:
        raise DataError(err.problems, Refusal.BAD_ANSWER) from None


def _parse_counted_wish(text: str, key: str, name: str, problems: list[Problem]) -> dict[str, Any]:
    number, _, rest = text.partition(":")
    if not number.strip().isascii() or not number.strip().isdecimal():
        right = "a number, as 20, or 20:NAME"
        problems.append(Problem(f"{text[:40]!r} is not a wish", right, name))
        return {}
    wish: dict[str, Any] = {"count": int(number.strip()[:6])}
    return wish | ({key: rest.strip()} if rest.strip() else {})


def suggestion(user: Player, cg: Cg, side: str, sent: Sent) -> Suggestion:
    """Return a purchase that meets a side's wishes, from the fields; a process of its own finds it.

    No campaign should be open meanwhile: some wishes take as long as anything may. Raises DataError, or RefusedError
    as `Processes.do` does.
    """
    wanted = wishes_of(read([wishes()], sent))
    proposal: Suggestion = processes.SLOW.do(user.pk, partial(suggested, cg, side, wanted))
    return proposal
