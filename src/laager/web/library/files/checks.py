"""The check of a file in the company of the others of its library, as `laager check` does it.

It needs no database, so that a process of its own can do it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import DataError, DoubtInWords, LaagerError, Problem, Refusal, RefusedError
from laager.base.blanks import Blank, BlanksError, count_in_words
from laager.base.files import Document, Where, parse_document, read_document
from laager.campaign import find_ruleset
from laager.campaign.cards import card_map, card_summary
from laager.hexmap.draw import Layers, draw_preview, draw_svg
from laager.kinds import CHECKERS, kind_named, kind_of

if TYPE_CHECKING:
    from laager.campaign.ruleset import NewCampaign
    from laager.campaign.summary import CardSummary

MOST_BYTES = 2**19
"""The largest file, as UTF-8. Reading one of this size takes a second or two."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.ya?ml")
_NOT_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


@dataclass(frozen=True)
class Report:
    """What the check of a file says: its kind, what is wrong, what is only doubtful, what is left to fill in."""

    kind: str = ""
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()
    blanks: tuple[Blank, ...] = ()
    """What is left to fill in, in this file and in those that it names."""

    @property
    def doubts(self) -> tuple[Problem, ...]:
        """What is only doubtful, with where it stands, as far as that is known."""
        return tuple(warning.problem for warning in self.warnings if isinstance(warning, DoubtInWords))

    @property
    def good(self) -> bool:
        """True if nothing is wrong and nothing is left to fill in."""
        return not self.problems and not self.blanks

    @property
    def left(self) -> str:
        """How many blanks are left, and in which file."""
        return count_in_words(self.blanks)

    @property
    def with_blanks(self) -> list[str]:
        """The files that have blanks."""
        return list(dict.fromkeys(blank.problem.file for blank in self.blanks))


def check_name(name: str) -> str:
    """Return a file's name. Raises DataError unless it is plain, without folders."""
    name = name.strip()
    if not NAME.fullmatch(name) or ".." in name:
        if not name:
            raise DataError([Problem("the file has no name", "type one, such as my-card.yaml", "name")])
        right = "letters, digits, - _ . and the ending .yaml, such as my-card.yaml"
        raise DataError([Problem(f"{name[:60]!r} cannot be a file name", right, "name")])
    return name


def normalize_text(text: str, name: str) -> str:
    """Return a text as it is kept: lines end as on Unix. Raises DataError if it isn't text."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    strange = _NOT_TEXT.search(text)
    if strange is not None:
        line = text.count("\n", 0, strange.start()) + 1
        problem = f"there is a character (U+{ord(strange[0]):04X}) that no text has"
        raise DataError([Problem(problem, "choose a YAML file", line=line, file=name)])
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        raise DataError([Problem("is not text", "save it as UTF-8", file=name)]) from None
    if size > MOST_BYTES:
        raise DataError([Problem(f"{size} bytes is too large", f"{MOST_BYTES} at most", file=name)])
    return text


@contextmanager
def write_files(texts: Mapping[str, str]) -> Iterator[Path]:
    """Write texts, by their names, into a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="laager-") as name:
        folder = Path(name)
        for file, text in texts.items():
            (folder / check_name(file)).write_text(text, encoding="utf-8")
        yield folder


@contextmanager
def hide_folder(folder: Path) -> Iterator[None]:
    """Let what is refused name files as their owner does, not where they lie on the server."""
    try:
        yield
    except BlanksError as err:
        blanks = [replace(each, problem=_with_plain_names(each.problem, folder)) for each in err.blanks]
        raise BlanksError(blanks, [_plain_warning(each, folder) for each in err.warnings]) from None
    except DataError as err:
        problems = [_with_plain_names(each, folder) for each in err.problems]
        raise DataError(problems, err.code, _plain(err.heading, folder)) from None
    except RefusedError as err:
        plain = _with_plain_names(err.problem, folder)
        raise RefusedError(err.code, plain.what, plain.right) from None


def _with_plain_names(problem: Problem, folder: Path) -> Problem:
    return replace(
        problem,
        what=_plain(problem.what, folder),
        right=_plain(problem.right, folder),
        file=_shown_file(_plain(problem.file, folder)),
        other=problem.other and replace(problem.other, file=_shown_file(_plain(problem.other.file, folder))),
    )


def _plain_warning(warning: str, folder: Path) -> str:
    if isinstance(warning, DoubtInWords):
        return DoubtInWords(_with_plain_names(warning.problem, folder))
    return _plain(warning, folder)


def _plain(text: str, folder: Path) -> str:
    return text.replace(f"{folder}/", "").replace(str(folder), "your library")


def _shown_file(file: str) -> str:
    """Return what ships with Laager by its name alone: where a server keeps it is nobody's."""
    return Path(file).name if Path(file).is_absolute() else file


NAMED_BY_CARDS: Mapping[str, str] = {"hasl-charts": "charts", "tables": "tables", "catalogue": "catalogue"}
"""The kinds of files that cards are checked with, and the field of a card that names one."""


def check(texts: Mapping[str, str], name: str) -> Report:
    """Check one of several texts that lie in one folder, also against the cards that name it. Raises nothing."""
    report = _check_alone(texts, name)
    problems = [*report.problems]
    for card in _cards_naming(texts, name, NAMED_BY_CARDS.get(report.kind, "")):
        for problem in _check_alone(texts, card).problems:
            if problem.file == name or (problem.other is not None and problem.other.file == name):
                problems.append(problem)
    return replace(report, problems=tuple(dict.fromkeys(problems)))


def _cards_naming(texts: Mapping[str, str], name: str, field: str) -> Iterator[str]:
    """Yield the cards that name a file in a field."""
    if not field:
        return
    for card, text in texts.items():
        if name not in text or f"{field}:" not in text:
            continue
        try:
            data = parse_document(text, card).data
        except DataError:
            # Its own page says where it breaks.
            continue
        if kind_named(data) in {"hasl-card", "pl-card"}:
            named = data.get(field)
            if named == name or (isinstance(named, list) and name in named):
                yield card


def _check_alone(texts: Mapping[str, str], name: str) -> Report:
    text, kind = texts[name], ""
    try:
        document = parse_document(normalize_text(text, name), name)
        kind = kind_named(document.data)
        kind = kind_of(document)
        with write_files(texts) as folder, hide_folder(folder):
            check_named_files(folder, name)
            warnings = CHECKERS[kind](folder / name)
            return Report(kind, (), tuple(_plain_warning(warning, folder) for warning in warnings))
    except BlanksError as left:
        return Report(kind, (), left.warnings, left.blanks)
    except DataError as err:
        return Report(kind, err.problems)
    except LaagerError as err:
        return Report(kind, (Problem(str(err), file=name),))


def check_named_files(folder: Path, name: str) -> None:
    """Raise DataError for names of files that lead out of a folder.

    Cards are held to that by the rule systems; terms of a purchase may name files anywhere on the
    machine of who runs the command line, but not on this server.
    """
    document = read_document(folder / name)
    kind = kind_named(document.data)
    named = list(_named_files(document, kind))
    problems = [
        document.problem(where, f"{file!r} leads out of your library", "name a file in it")
        for where, file in named
        if not NAME.fullmatch(file) or ".." in file
    ]
    if problems:
        raise DataError(problems)
    if kind == "dyo-ob":
        for where, file in named:
            if where == ("terms",) and (folder / file).is_file():
                check_named_files(folder, file)


def _named_files(document: Document, kind: str) -> Iterator[tuple[Where, str]]:
    data = document.data
    if not isinstance(data, dict) or kind not in {"dyo", "dyo-ob"}:
        return
    places: list[tuple[Where, object]] = [((), data)] if kind == "dyo" else []
    if kind == "dyo-ob":
        terms = data.get("terms")
        if isinstance(terms, str):
            yield ("terms",), terms
        places = [(("terms",), terms)]
    for where, place in places:
        own = place.get("own") if isinstance(place, dict) else None
        for i, named in enumerate(own if isinstance(own, list) else ()):
            if isinstance(named, str):
                yield (*where, "own", i), named


FILE_FIELDS = ("map", "charts", "tables", "catalogue", "terms", "own", "house")
"""The entries at the top of a file that name other files, each one or a list of them."""


def files_named_by(data: object) -> list[str]:
    """Return the names in a file's entries that can be files of its library."""
    if not isinstance(data, dict):
        return []
    named: list[object] = []
    for entry in FILE_FIELDS:
        value = data.get(entry)
        if isinstance(value, dict):
            named += files_named_by(value)
        else:
            named += value if isinstance(value, list) else [value]
    return [name for name in named if isinstance(name, str) and NAME.fullmatch(name)]


def summarize_card(rules: str, text: str, name: str) -> CardSummary:
    """Return what players compare before they choose a card. Raises DataError if it isn't valid."""
    return card_summary(find_ruleset(rules), parse_document(text, name))


def read_card(rules: str, texts: Mapping[str, str], name: str, readings: Mapping[str, str]) -> NewCampaign:
    """Read a card that lies among other texts, and all it names. Raises DataError, RefusedError."""
    with write_files(texts) as folder, hide_folder(folder):
        check_named_files(folder, name)
        made = find_ruleset(rules).read_card(folder / name, readings)
        return replace(made, warnings=tuple(warning.replace(f"{folder}/", "") for warning in made.warnings))


def draw_shipped_map(rules: str, card: Path, whole: bool) -> bytes:
    """Draw a card's map, small or whole. Raises RefusedError (no-such), DataError."""
    map_ = card_map(find_ruleset(rules), card)
    if map_ is None:
        raise RefusedError(Refusal.NO_SUCH, "this card has no map")
    drawn = draw_svg(map_, Layers(targets=True, legend=False)) if whole else draw_preview(map_)
    return drawn.encode()


def draw_own_map(rules: str, texts: Mapping[str, str], name: str, whole: bool) -> bytes:
    """Draw the map of a card that lies among other texts. Raises as `picture` does."""
    with write_files(texts) as folder, hide_folder(folder):
        check_named_files(folder, name)
        return draw_shipped_map(rules, folder / name, whole)
