"""Data files: YAML with line numbers, checked against a Pydantic model.

YAML 1.2. A document is plain Python data, with a map from each path in it to its line, so that
every problem says where it is.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from laager.base.gaps import fill_gaps
from laager.base.problems import DataError, OtherEnd, Problem, WrongValueError, did_you_mean
from laager.base.schema_words import explain, explain_alternatives, field_names_at, noun_of, short_json

Key = str | int
Where = tuple[Key, ...]
M = TypeVar("M", bound=BaseModel)

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 40
MAX_VALUES = 500_000
SPARE_VALUES = 50_000
"""Without aliases no text holds more values than characters; with them this many more."""
MAX_PROBLEMS = 500
"""The most problems reported; aliases can repeat the same one a million times."""

_TAG = "tag:yaml.org,2002:"
_SCALARS = (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("null", r"^(?:~|null|Null|NULL|)$", ("~", "n", "N", "")),
    ("int", r"^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", "-+0123456789"),
    (
        "float",
        r"^(?:[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
        "-+0123456789.",
    ),
)
"""The plain scalars of YAML 1.2's core schema: tag, pattern, first characters.

Only a number with a point is a float here: `1E10` is hex E10 of board 1, as players write it.
"""


LONGEST_NUMBER = 40
"""Most digits of a number; Python can't even print one of 4,300 digits."""


def _whole(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise ValueError
    return int(text, 0) if text[:2] in {"0x", "0o"} else int(text)


def _real(text: str) -> float:
    return float(text.replace(".inf", "inf").replace(".nan", "nan").replace(".Inf", "inf"))


_PLAIN: Mapping[str, Callable[[str], Any]] = {
    "str": str,
    "int": _whole,
    "float": _real,
    "bool": lambda text: text.lower() == "true",
    "null": lambda _: None,
    "timestamp": str,
}
"""How the text of a scalar becomes a value, by its tag. Dates stay text."""


class FilePart(BaseModel):
    """Base of what people write in files: immutable, no unknown names, built when first needed."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


@dataclass(frozen=True)
class Document:
    """A parsed file: plain `data`, the `lines` of its paths, and its `name` for messages.

    `was` has the paths in the file of those parts that stand elsewhere in `data`, as something was taken out. `gaps`
    are the paths in `data` where blanks were.
    """

    data: Any
    name: str
    lines: Mapping[Where, int] = field(default_factory=dict)
    was: Mapping[Where, Where] = field(default_factory=dict)
    gaps: frozenset[Where] = frozenset()

    def line(self, where: Where) -> int | None:
        """Return the line (from 1) of a path, or of the nearest thing around it."""
        for end in range(len(where), -1, -1):
            if where[:end] in self.lines:
                return self.lines[where[:end]]
        return None

    def problem(self, where: Where, text: str, right: str = "", other: Where | None = None) -> Problem:
        """Return a problem located at a path of this document, and at its other end if it has one."""
        end = None if other is None else OtherEnd(self.name, field_path(self.in_file(other)))
        steps = self.in_file(where)
        return Problem(text, right, field_path(steps), self.line(where), self.name, other=end, steps=steps)

    def in_file(self, where: Where) -> Where:
        """Return a path of `data` as it is in the file."""
        if self.was:
            for end in range(len(where), 0, -1):
                if where[:end] in self.was:
                    return (*self.was[where[:end]], *where[end:])
        return where


def field_path(where: Where) -> str:
    """Return a path as people write it: `sides.axis.charts[2].cost` (positions from 1)."""
    text = ""
    for key in where:
        if isinstance(key, int):
            text += f"[{key + 1}]"
        else:
            text += f".{key}" if text else key
    return text


_unsaved: ContextVar[Mapping[Path, str] | None] = ContextVar("unsaved", default=None)


@contextmanager
def reading_unsaved(texts: Mapping[Path, str]) -> Iterator[None]:
    """Read these files, named by their whole paths, as an editor has them and not as they were saved."""
    before = _unsaved.set(texts)
    try:
        yield
    finally:
        _unsaved.reset(before)


def read_bytes(path: Path, most: int = MAX_BYTES) -> bytes:
    """Return what is in a file. Raises DataError if it can't be read or has more than `most` bytes."""
    right = ""
    unsaved = _unsaved.get()
    if unsaved and (text := unsaved.get(path.absolute())) is not None:
        return text.encode()
    try:
        size = path.stat().st_size
        if size <= most:
            with path.open("rb") as file:
                data = file.read(most + 1)  # A device can go on without end.
            if len(data) <= most:
                return data
        wrong = f"{size} bytes is too large" if size > most else "is too large"
        right = f"{most >> 20} MiB at most" if most >= 1 << 20 else f"{most} bytes at most"
    except FileNotFoundError:
        wrong = "there is no such file"
    except IsADirectoryError:
        wrong, right = "this is a folder", "name a file"
    except (OSError, ValueError) as err:
        wrong = f"can't be read ({getattr(err, 'strerror', None) or err})"
    raise DataError([Problem(wrong, right, file=str(path))])


def read_text(path: Path, right: str = "save the file as UTF-8", *, as_is: bool = False) -> str:
    """Return the text of a file, `decoded` or exactly `as_is` in UTF-8.

    Raises DataError, with `right` as advice if it isn't text.
    """
    data = read_bytes(path)
    try:
        return data.decode() if as_is else decode_text(data)
    except UnicodeDecodeError as err:
        raise DataError([Problem(f"byte {err.start} is not UTF-8 text", right, file=str(path))]) from None


def read_document(path: Path) -> Document:
    """Read a YAML (or JSON) file. Raises DataError if it can't be read or isn't YAML."""
    return parse_document(read_text(path), str(path))


def decode_text(data: bytes) -> str:
    """Return the text of a file with plain line ends. Raises UnicodeDecodeError.

    UTF-8, or what editors and shells of Windows write: with a byte order mark, UTF-16 if that says so.
    """
    coding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    return data.decode(coding).replace("\r\n", "\n").replace("\r", "\n")


def read_packaged(package: str, *path: str) -> Document:
    """Read a YAML file that ships inside a package. Raises DataError if it isn't there or isn't YAML.

    Its path there is its name in messages.
    """
    from importlib.resources import files

    try:
        text = files(package).joinpath(*path).read_text(encoding="utf-8")
    except (ModuleNotFoundError, FileNotFoundError, NotADirectoryError):
        wrong = f"package {package} has no file {'/'.join(path)}"
        raise DataError([Problem(wrong, "is it installed?", file="/".join((package, *path)))]) from None
    return parse_document(text, "/".join(path))


def parse_document(text: str, name: str, *, own: bool = False) -> Document:
    """Parse YAML text; `name` stands for the file in messages. Raises DataError.

    `own` text was written by the program a moment ago: how deeply it nests isn't checked before it is parsed.
    """
    if not own:
        _refuse_abysses(text, name)
    node = compose(text, name)
    if node is None:
        raise DataError([Problem("the file is empty", file=name)])
    reader = _Reader(name, min(MAX_VALUES, SPARE_VALUES + len(text)))
    data = reader.value(node, (), 0)
    if reader.problems:
        raise DataError(reader.problems)
    return Document(data, name, reader.lines)


EXPLAINED = 50_000
"""Characters of a text that LibYAML refuses and ruamel.yaml still looks at: that takes a third of a second."""

_OPENING = re.compile(r"[\[{]")
_MANY = 2000
"""LibYAML's recursion ends the process at some tens of thousands of levels."""
_STEEP = re.compile(r"^ {200}|(?:[-?:][ \t]+){50}", re.MULTILINE)


def _refuse_abysses(text: str, name: str) -> None:
    """Raise DataError for text that nests so deeply that LibYAML's recursion would end the process.

    Where too few brackets and spaces are there to nest that deeply, nothing is parsed.
    """
    import yaml

    brackets = sum(1 for _ in zip(range(_MANY), _OPENING.finditer(text), strict=False))
    if brackets < _MANY and not _STEEP.search(text):
        return
    depth = 0
    try:
        for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > 10 * MAX_DEPTH:
                line = event.start_mark.line + 1 if event.start_mark else None
                right = f"at most {MAX_DEPTH} levels"
                raise DataError([Problem("nested too deeply", right, "", line, name)])
    except (yaml.YAMLError, ValueError):
        return  # The reader reports what is wrong with it.


def compose(text: str, name: str) -> Any:
    """Return the document's node, whose parts know where they stand. Raises DataError if it isn't YAML.

    LibYAML is ten times faster; ruamel.yaml, which keeps to YAML 1.2 and explains itself better,
    has the last word on what LibYAML refuses, unless that takes too long.
    """
    from yaml import MarkedYAMLError
    from yaml import YAMLError as FastError

    try:
        return _fast_loader()(text).get_single_node()
    except (FastError, ValueError, RecursionError) as err:
        if len(text) > EXPLAINED:
            if isinstance(err, MarkedYAMLError):
                raise _not_yaml(err, name) from None
            raise DataError([Problem(f"not YAML: {_first_line(err)}", file=name)]) from None
        return _composed_slowly(text, name)


@cache
def _fast_loader() -> Any:
    """Return a LibYAML loader that knows the scalars of YAML 1.2 and no others."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]
        yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

    for tag, pattern, first in _SCALARS:
        Loader.add_implicit_resolver(f"{_TAG}{tag}", re.compile(pattern), list(first))
    return Loader


def _composed_slowly(text: str, name: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as err:
        raise _not_yaml(err, name) from None
    except (YAMLError, ValueError, RecursionError) as err:
        raise DataError([Problem(f"not YAML: {_first_line(err)}", file=name)]) from None


def _not_yaml(err: Any, name: str) -> DataError:
    """Return what a parser has against a text, in the line where it stands."""
    mark = err.problem_mark or err.context_mark
    line = mark.line + 1 if mark else None
    wrong = (err.problem or "not YAML").strip()
    return DataError([Problem(wrong, "check indentation, colons and quotes here", line=line, file=name)])


def _first_line(err: Exception) -> str:
    return str(err).splitlines()[0] if str(err) else type(err).__name__


class _Reader:
    """Turns YAML nodes into plain data, noting the line of each path."""

    def __init__(self, name: str, most: int) -> None:
        self.name = name
        self.most = most
        self.lines: dict[Where, int] = {}
        self.problems: list[Problem] = []
        self.count = 0
        self._around: set[int] = set()

    def value(self, node: Any, where: Where, depth: int) -> Any:
        line = node.start_mark.line + 1
        self.lines.setdefault(where, line)
        self.count += 1
        if self.count > self.most:
            # Aliases can unfold a small file without end.
            at_most = f"at most {self.most} values"
            raise DataError(
                [Problem("the file is too large once its aliases are unfolded", at_most, "", line, self.name)]
            )
        if depth > MAX_DEPTH:
            self._complain(where, line, "nested too deeply", f"at most {MAX_DEPTH} levels")
            return None
        if node.id in {"sequence", "mapping"}:
            return self._collection(node, where, depth)
        kind = str(node.tag).removeprefix(_TAG)
        if kind not in _PLAIN:
            self._complain(where, line, f"the tag {node.tag} is not known", "leave it out")
            return None
        try:
            return _PLAIN[kind](node.value)
        except ValueError:
            right = f"a number of at most {LONGEST_NUMBER} digits"
            self._complain(where, line, f"{short_json(node.value)} cannot be read", right)
            return None

    def _collection(self, node: Any, where: Where, depth: int) -> Any:
        if id(node) in self._around:
            # An alias of what it stands in has no end; with two of them each level doubles.
            line = node.start_mark.line + 1
            wrong, right = "this contains itself", "leave the alias out"
            raise DataError([Problem(wrong, right, field_path(where), line, self.name, steps=where)])
        self._around.add(id(node))
        try:
            if node.id == "mapping":
                return self._mapping(node, where, depth)
            return [self.value(item, (*where, i), depth + 1) for i, item in enumerate(node.value)]
        finally:
            self._around.discard(id(node))

    def _mapping(self, node: Any, where: Where, depth: int) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if key_node.id != "scalar":
                self._complain(where, line, "a name must be plain text", "")
                continue
            key = str(key_node.value)
            if key in mapping:
                self._complain((*where, key), line, "is here twice", "remove one of the two")
                continue
            self.lines[(*where, key)] = line
            mapping[key] = self.value(value_node, (*where, key), depth + 1)
        return mapping

    def _complain(self, where: Where, line: int, text: str, right: str) -> None:
        self.problems.append(Problem(text, right, field_path(where), line, self.name, steps=where))
        if len(self.problems) >= MAX_PROBLEMS:
            raise DataError(self.problems)


def load(path: Path, model: type[M]) -> M:
    """Read a file into a model. Raises DataError with every problem, located."""
    return check(read_document(path), model)


_KIND = re.compile(r"[a-z-]+/[0-9]+")
"""The value of `laager` in a file of any kind."""


def check(document: Document, model: type[M]) -> M:
    """Check a document against a model. Raises DataError with every problem, located.

    What is missing where a blank was gets a stand-in, so that the rest can be checked.
    """
    try:
        return model.model_validate(document.data)
    except ValidationError as err:
        if document.gaps:
            try:
                made = fill_gaps(document.data, document.gaps, model.model_validate, _place_of)
            except ValidationError as also:
                raise DataError(problems_of(also, document, model)) from None
            if made is not None:
                return made
        raise DataError(problems_of(err, document, model)) from None


def problems_of(err: ValidationError, document: Document, model: type[BaseModel]) -> list[Problem]:
    """Turn Pydantic's errors into problems with lines and advice, in the file's order."""
    errors = [error for error in err.errors(include_url=False) if not _only_lacks_wrong_entries(error)]
    by_place: dict[Where, list[ErrorDetails]] = {}
    for error in [e for e in errors if _of_another_kind(e)] or errors:
        by_place.setdefault(tuple(_real_path(error, document.data)), []).append(error)
    inside = {where[:end] for where in by_place for end in range(len(where))}
    problems = []
    for where, here in by_place.items():
        kinds = [error for error in here if noun_of(error["type"])]
        others = [error for error in here if error not in kinds]
        # Where values of several kinds may stand, what fits one of them best says the most.
        if others or where in inside:
            problems += [_problem_of(error, where, document, model) for error in others]
        elif kinds:
            problems.append(document.problem(where, *explain_alternatives(kinds)))
    return sorted(dict.fromkeys(problems), key=lambda p: (p.line or 0, p.field))


def _problem_of(error: Mapping[str, Any], where: Where, document: Document, model: type[BaseModel]) -> Problem:
    cause = (error.get("ctx") or {}).get("error")
    at, other = (cause.at, cause.other) if isinstance(cause, WrongValueError) else ((), None)
    return document.problem((*where, *at), *_sentence(error, model), None if other is None else (*where, *other))


def _of_another_kind(error: Mapping[str, Any]) -> bool:
    """True if a file is of another kind; then no other problem matters."""
    if error["loc"] != ("laager",) or error["type"] != "literal_error":
        return False
    given, wanted = str(error["input"]), str(error["ctx"]["expected"]).strip("'")
    kinds = given.partition("/")[0], wanted.partition("/")[0]
    # A typo (table for tables) still means this kind, and all its problems are reported.
    return bool(_KIND.fullmatch(given)) and SequenceMatcher(None, *kinds).ratio() < 0.9


def _only_lacks_wrong_entries(error: Mapping[str, Any]) -> bool:
    """True if a list is only too short because entries of it are wrong, which is said of each."""
    entries = error.get("input")
    return error["type"] == "too_short" and isinstance(entries, list) and len(entries) >= error["ctx"]["min_length"]


def _place_of(error: ErrorDetails, data: Any) -> Where:
    return tuple(_real_path(error, data))


def _real_path(error: ErrorDetails, data: Any) -> Iterator[Key]:
    """Leave out the parts of Pydantic's path that are names of union members, not of data."""
    loc = error["loc"]
    last = len(loc) - 1
    for i, key in enumerate(loc):
        if isinstance(data, dict) and str(key) in data:
            data = data[str(key)]
            yield str(key)
        elif isinstance(data, list) and isinstance(key, int) and key < len(data):
            data = data[key]
            yield key
        elif i == last and error["type"] == "missing" and isinstance(data, dict):
            yield key


def _sentence(error: Mapping[str, Any], model: type[BaseModel]) -> tuple[str, str]:
    if error["type"] == "extra_forbidden":
        name = error["loc"][-1] if error["loc"] else "?"
        return "is not known here", did_you_mean(name, field_names_at(model, error["loc"]), "known are")
    return explain(error)
