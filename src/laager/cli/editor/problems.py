"""What is wrong with a file while it is typed, by file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from laager.base import DataError, Problem, RefusedError
from laager.base.blanks import BlanksError
from laager.base.files import decode_text, parse_document, reading_unsaved
from laager.kinds import CHECKERS, kind_of

OURS = re.compile(r"^laager:", re.MULTILINE)
"""What a file of ours has somewhere; other YAML files are none of our business."""
_WHERE = re.compile(r"^(?P<file>.+?):(?P<line>\d+): (?P<text>.*)$", re.DOTALL)


class Severity(Enum):
    """How much a mark weighs: it must be mended, should be looked at, or is still to be filled in."""

    ERROR = "error"
    WARNING = "warning"
    BLANK = "blank"


@dataclass(frozen=True)
class LineMark:
    """One thing to say about a line (from 0) of a file."""

    file: Path
    line: int
    text: str
    severity: Severity


def find_problems(path: Path, texts: Mapping[Path, str]) -> list[LineMark]:
    """Check a file as an editor has it, with the others that it has open; nothing for files that aren't ours.

    Problems of files that it uses, such as its map, name those.
    """
    if not OURS.search(texts[path]):
        return []
    try:
        with reading_unsaved(texts):
            kind = kind_of(parse_document(decode_text(texts[path].encode()), str(path)))
            return [_read_warning(path, warning) for warning in CHECKERS[kind](path)]
    except BlanksError as left:
        warnings = [_read_warning(path, warning) for warning in left.warnings]
        return warnings + list(_locate(path, [blank.problem for blank in left.blanks], Severity.BLANK))
    except DataError as err:
        return list(_locate(path, err.problems, Severity.ERROR))
    except RefusedError as err:
        return list(_locate(path, [err.problem], Severity.ERROR))


def _locate(path: Path, problems: list[Problem] | tuple[Problem, ...], severity: Severity) -> Iterator[LineMark]:
    for problem in problems:
        text = f"{problem.what}; {problem.right}" if problem.right else problem.what
        file = Path(problem.file) if problem.file and Path(problem.file).is_absolute() else path
        yield LineMark(file, (problem.line or 1) - 1, text, severity)


def _read_warning(path: Path, warning: str) -> LineMark:
    """Return a warning, which has its file and line in its text where they are known."""
    match = _WHERE.match(warning)
    if match is None:
        return LineMark(path, 0, warning, Severity.WARNING)
    return LineMark(Path(match["file"]), int(match["line"]) - 1, match["text"], Severity.WARNING)
