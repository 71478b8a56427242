"""`laager dyo new`: terms from options and from what is asked, and the purchase begun by them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from laager.base import DataError, Problem, Refusal, RefusedError, WrongValueError, did_you_mean
from laager.base.files import Document, check, parse_document
from laager.campaign import Question, Text
from laager.cli.asking.person import STOP, ask_person
from laager.cli.ending import WrongUseError
from laager.cli.out import show
from laager.cli.play.campaign_file import SUFFIX
from laager.cli.play.file_session import FileSession
from laager.cli.play.session import BeginOptions, session
from laager.cli.writing import check_free, put

if TYPE_CHECKING:
    from laager.catalogue.dyo import SetName

SIDES = ("axis", "allied")
DEFAULT_POINTS = "1000/1000"
HIGHEST_ELR = 5
SETS = ("house", "published", "none")

_PAIR = re.compile(r"(\d+)(?:/(\d+))?")
_ELR = re.compile(r"(\d?)/(\d?)|(\d)")
"""An ELR of each side, either of which the chart can give (3/, /4), or one for both."""


@dataclass(frozen=True)
class TermOptions:
    """What the options say; None is what they leave open."""

    month: str | None = None
    points: str | None = None
    axis: str | None = None
    allied: str | None = None
    open: bool | None = None
    first: str | None = None
    elr: str | None = None
    boards: str | None = None
    theatre: str | None = None
    weather: str | None = None
    catalogue: str | None = None
    own: tuple[Path, ...] = ()
    title: str | None = None
    readings: tuple[str, ...] = ()


def new(given: TermOptions, out: Path | None, entered_dice: bool, as_json: bool) -> None:
    """Write terms, and begin a purchase by them. Raises what is wrong with an option."""
    problems = _problems(given)
    if problems:
        raise DataError(problems, Refusal.BAD_ANSWER)
    full = _ask_missing(given, as_json)
    path = _target(out, full)
    at = session()
    purchase = path.with_suffix(SUFFIX) if isinstance(at, FileSession) else None
    check_free(*filter(None, [path, purchase]))
    text = _text(full, path)
    _check_terms(text, path)
    put(path, text.encode())
    try:
        begun, lines = at.begin(BeginOptions(str(path), purchase, entered_dice=entered_dice))
    except BaseException:
        path.unlink()
        raise
    buy = f"; buy with: laager dyo buy --side axis (or allied) -c {purchase}" if purchase else ""
    show(as_json, begun, *lines, *_sets_of(full), f"terms: {path}{buy}")


# Options ----------------------------------------------------------------------------------------


def _problems(given: TermOptions) -> list[Problem]:
    """Return everything that is wrong with the options by themselves."""
    problems = [
        *_month_problems(given.month),
        *_pair_problems(given.points, "--points", 1, "1000/900, or 1000 for each"),
        *_elr_problems(given.elr),
    ]
    for side in SIDES:
        problems += _nation_problems(getattr(given, side), f"--{side}", given)
    if given.first is not None and given.first not in (*SIDES, "both"):
        right = did_you_mean(given.first, (*SIDES, "both"))
        problems.append(Problem(f"{given.first!r} isn't a side", right, "--first"))
    if given.first in SIDES and not given.open:
        message = "buying first has no meaning in secret"
        problems.append(Problem(message, "add --open, or leave it out", "--first"))
    if given.catalogue is not None and given.catalogue not in SETS:
        right = did_you_mean(given.catalogue, SETS)
        problems.append(Problem(f"{given.catalogue!r} isn't a set", right, "--catalogue"))
    for text in given.readings:
        if "=" not in text:
            right = "write ID=OPTION (laager rules dyo --readings lists them)"
            problems.append(Problem(f"{text!r} isn't a reading", right, "--reading"))
    return problems


def _month_problems(month: str | None) -> list[Problem]:
    from laager.rules.design_your_own.terms import FIRST_YEAR, LAST_YEAR, month_of

    if month is None:
        return []
    try:
        date = month_of(month)
    except WrongValueError as err:
        return [replace(err.problem, field="--month")]
    if FIRST_YEAR <= date.year <= LAST_YEAR:
        return []
    right = f"a month from {FIRST_YEAR} to {LAST_YEAR}"
    return [Problem(f"{month} is outside the war", right, "--month")]


def _pair_problems(text: str | None, option: str, least: int, example: str) -> list[Problem]:
    from laager.rules.design_your_own.terms import MOST_POINTS

    if text is None:
        return []
    pair = _pair(text)
    if pair is None:
        return [Problem(f"{text!r} is not a pair of numbers", f"write it as {example}", option)]
    if not all(least <= number <= MOST_POINTS for number in pair):
        return [Problem(f"{text} is too small or too large", f"{least} to {MOST_POINTS} for a side", option)]
    return []


def _elr_problems(text: str | None) -> list[Problem]:
    if text is None or _elr(text) is not None:
        return []
    right = "write 0 to 5 for each side as 3/4, one side alone as 3/ or /4, or 3 for both"
    return [Problem(f"{text!r} is not a pair of ELR", right, "--elr")]


def _elr(text: str) -> tuple[int | None, int | None] | None:
    """Return the agreed ELR of Axis and Allies, None for the chart's; None if the text isn't one."""
    match = _ELR.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        return None
    axis, allied = (match[3], match[3]) if match[3] else (match[1], match[2])
    numbers = tuple(int(elr) if elr else None for elr in (axis, allied))
    return None if any(elr is not None and elr > HIGHEST_ELR for elr in numbers) else (numbers[0], numbers[1])


def _pair(text: str) -> tuple[int, int] | None:
    match = _PAIR.fullmatch(text.strip())
    return (int(match[1]), int(match[2] or match[1])) if match else None


def _nation_problems(nation: str | None, option: str, given: TermOptions) -> list[Problem]:
    """Return what is wrong with a nation; with catalogue files of one's own there may be others."""
    if nation is None or given.own or given.catalogue == "none":
        return []
    known = _nations(given)
    if nation in known:
        return []
    right = f"{did_you_mean(nation, known, 'shipped are')}; others need --own FILE"
    return [Problem(f"there is no nation {nation!r}", right, option)]


def _nations(given: TermOptions) -> list[str]:
    from laager.catalogue.dyo import shipped_nations

    nations = set(shipped_nations("published"))
    if given.catalogue != "published":
        nations |= set(shipped_nations("house"))
    return sorted(nations)


def _nations_help(given: TermOptions) -> str:
    """Say which nations ship, and which of them with prices."""
    from laager.catalogue.dyo import shipped_nations

    priced = [] if given.catalogue in ("published", "none") else list(shipped_nations("house"))
    bare = ", ".join(name for name in _nations(given) if name not in priced)
    with_prices = f"With house prices: {', '.join(priced)}. " if priced else ""
    return f"{with_prices}Of these there is only what the rules state, their prices are yours to enter: {bare}."


def _sets_of(given: TermOptions) -> list[str]:
    """Say from which values each nation's catalogue is made."""
    from laager.catalogue.dyo import shipped_set

    words = {
        "house": "house values, Laager's own and not the published ones",
        "published": "what the rules state, which has hardly a price",
        "none": "no shipped values",
    }
    wanted = cast("SetName", given.catalogue or "house")
    own = f", under {', '.join(path.name for path in given.own)}" if given.own else ""
    nations = dict.fromkeys((given.axis or "", given.allied or ""))
    return [f"catalogue of {nation}: {words[shipped_set(wanted, nation)]}{own}" for nation in nations]


# What is asked ----------------------------------------------------------------------------------


def _ask_missing(given: TermOptions, as_json: bool) -> TermOptions:
    """Ask for what the options leave open. Raises WrongUseError where nobody can be asked."""
    needed = ("month", "axis", "allied", "points")
    missing = [name for name in needed if getattr(given, name) is None]
    if missing and as_json:
        names = ", ".join(f"--{name}" for name in missing)
        raise WrongUseError(f"{names} must be given with --json")
    for name in missing:
        answer = ask_person(_question(name, given))
        if answer is STOP:
            rest = ", ".join(f"--{option}" for option in missing if getattr(given, option) is None)
            raise WrongUseError(f"nothing was begun; still open: {rest}")
        answered: dict[str, Any] = {name: str(answer)}
        given = replace(given, **answered)
    return given


def _question(name: str, given: TermOptions) -> Question:
    checks: dict[str, Callable[[str], list[Problem]]] = {
        "month": _month_problems,
        "points": lambda text: _pair_problems(text, "", 1, "1000/900, or 1000 for each"),
        "axis": lambda text: _nation_problems(text, "", given),
        "allied": lambda text: _nation_problems(text, "", given),
    }
    texts = {
        "month": "In which month and year?",
        "points": "How many points have axis and allied?",
        "axis": "Which nation are the Axis?",
        "allied": "Which nation are the Allies?",
    }
    nations = _nations_help(given)
    helps = {
        "month": "As 1944-09.",
        "points": "As 1000/900, or one number for both.",
        "axis": nations,
        "allied": nations,
    }
    defaults = {"month": "1944-09", "points": DEFAULT_POINTS, "axis": "german", "allied": "russian"}
    return Question(
        key=name,
        side="terms",
        text=texts[name],
        form=Text(limit=60),
        rule="DYO H1.1",
        default=defaults[name],
        help=helps[name],
        check=lambda text: [Problem(problem.what, problem.right) for problem in checks[name](text)],
    )


# The file ---------------------------------------------------------------------------------------


def _target(out: Path | None, given: TermOptions) -> Path:
    """Return the file of the terms; its folder must be there."""
    path = out or Path(f"{given.axis}-{given.allied}-{given.month}.yaml")
    if path.is_dir():
        right = f"name the file, such as {path / 'terms.yaml'}"
        raise RefusedError(Refusal.BAD_DATA, f"{path} is a folder", right)
    if path.suffix not in {".yaml", ".yml"}:
        path = path.with_suffix(".yaml") if path.suffix == SUFFIX else Path(f"{path}.yaml")
    if not path.parent.is_dir():
        raise RefusedError(Refusal.BAD_DATA, f"there is no folder {path.parent}", "make it first")
    return path


def _text(given: TermOptions, path: Path) -> str:
    from laager.rules.design_your_own.exports.forms import yaml_text

    return yaml_text(_data(given, path))


def _data(given: TermOptions, path: Path) -> dict[str, Any]:
    from laager.rules.design_your_own.files import DraftTerms, draft_data, draft_id

    named = (name.strip() for name in (given.boards or "").split(","))
    pairs = (text.partition("=") for text in given.readings)
    return draft_data(
        DraftTerms(
            id=draft_id(path.stem),
            month=given.month or "",
            nations=(given.axis or "", given.allied or ""),
            points=_pair(given.points or "") or (1, 1),
            elr=_elr(given.elr) if given.elr is not None else None,
            open=bool(given.open),
            first=given.first or "",
            boards=tuple(name for name in named if name),
            theatre=given.theatre or "",
            weather=given.weather or "",
            catalogue=given.catalogue or "",
            own=tuple(_relative_path(own, path) for own in given.own),
            title=given.title or "",
            readings={name.strip(): option.strip() for name, _, option in pairs},
        )
    )


def _relative_path(own: Path, path: Path) -> str:
    """Return how terms name a file: as seen from their folder."""
    import os

    return Path(os.path.relpath(own, path.parent)).as_posix()


def _check_terms(text: str, path: Path) -> None:
    """Raise DataError with what is wrong with the terms together, before anything is written."""
    from laager.rules.design_your_own.files import loaded_terms
    from laager.rules.design_your_own.terms import Terms

    document = parse_document(text, "the terms")
    # The lines of a file that is not there yet say nothing.
    document = Document(document.data, document.name)
    loaded_terms(document, check(document, Terms), path.parent, ())


# Wishes -----------------------------------------------------------------------------------------

_COUNTED = {"squads": "at_least", "platoons": "type", "guns": "type"}
"""What stands behind the colon of a wish, by its name."""


def wishes_of(**options: Any) -> dict[str, Any]:
    """Return wishes as a file has them, from the options that were given."""
    wishes: dict[str, Any] = {}
    for name, value in options.items():
        if name in _COUNTED and value:
            wishes[name] = [_parse_counted_wish(text, _COUNTED[name]) for text in value]
        elif value is not None and value is not False and value != []:
            wishes[name] = value
    return wishes


def _parse_counted_wish(text: str, name: str) -> dict[str, Any]:
    number, _, rest = text.partition(":")
    if not number.strip().isdecimal():
        raise WrongUseError(f"{text!r} isn't a wish; write a number, as 20, or 20:NAME")
    wish: dict[str, Any] = {"count": int(number)}
    return wish | ({name: rest.strip()} if rest.strip() else {})
