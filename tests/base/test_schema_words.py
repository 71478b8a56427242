"""What a schema refuses is told in sentences of ours: each field of each kind of file gets wrong values."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from pydantic_core._pydantic_core import list_all_errors

from laager.base import DataError, Problem
from laager.base.files import Document, Where, check, parse_document, read_document
from laager.base.schema_words import explain
from laager.hexmap.files.mapfile import MapFile
from laager.kinds import kind_named, model_of

WRONG: tuple[Any, ...] = (-5, 1.5, "x y!", None, [], {}, [1], {"x": 1})
RAW = [
    re.compile(re.sub(r"\\\{\w+\\\}", ".*", re.escape(error["message_template_python"])))
    for error in list_all_errors()
    # These two hand on what our own validators say.
    if error["type"] not in {"value_error", "assertion_error"}
]
RAW += [
    re.compile(part) for part in ("Input should", "dictionary", "instance of", "Tuple", "List should", "valid string")
]


def example_files() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in sorted(Path(str(files("laager"))).rglob("*.yaml")):
        if path.parent.name != "skeleton":
            found.setdefault(kind_named(read_document(path).data), path)
    return found


def short(data: Any) -> Any:
    """Return a file's data with the first entries of each list alone: the others are of the same kind."""
    if isinstance(data, dict):
        return {key: short(value) for key, value in data.items()}
    return [short(value) for value in data[:3]] if isinstance(data, list) else data


def fields(data: Any, where: Where = ()) -> Iterator[Where]:
    """Yield the path of each field, of a list those of its first entry."""
    inner = data.items() if isinstance(data, dict) else enumerate(data[:1]) if isinstance(data, list) else ()
    for key, value in inner:
        yield (*where, key)
        yield from fields(value, (*where, key))


def with_value(data: Any, where: Where, value: Any) -> Any:
    """Return the same data with one other value; what isn't on the way to it is shared."""
    if not where:
        return value
    changed = copy.copy(data)
    changed[where[0]] = with_value(data[where[0]], where[1:], value)
    return changed


def raw_texts(text: str) -> list[str]:
    return [pattern.pattern for pattern in RAW if pattern.search(text)]


@pytest.mark.parametrize("kind", sorted(example_files()))
def test_no_text_of_the_validator_reaches_a_person(kind: str) -> None:
    document = read_document(example_files()[kind])
    model, data, told = model_of(kind), short(document.data), 0
    for where in list(fields(data))[:120]:
        for value in WRONG:
            try:
                check(Document(with_value(data, where, value), document.name, document.lines), model)
            except DataError as err:
                told += len(err.problems)
                for problem in err.problems:
                    assert not raw_texts(f"{problem.what}; {problem.right}"), str(problem)
    assert told > 5


def test_what_a_message_repeats_is_cut_short() -> None:
    name, text = "a" * 3000, "a" * 59 + "…"
    assert Problem(f"there is no map '{name}'").what == f"there is no map '{text}'"
    assert Problem(f"\"{name}\" is odd, and '{name}'").what == f"\"{text}\" is odd, and '{text}'"
    said = "there is no nation 'x y!', and what stands between two quotes in a long sentence isn't cut short, 'as here'"
    assert Problem(said).what == said


@pytest.mark.parametrize("error", list_all_errors(), ids=lambda error: error["type"])
def test_each_thing_that_a_validator_can_say_has_a_sentence(error: Any) -> None:
    context = dict.fromkeys(re.findall(r"\{(\w+)\}", error["message_template_python"]), 3)
    given = {"type": error["type"], "loc": (), "input": 1, "msg": error["example_message_python"], "ctx": context}
    wrong, right = explain(given | {"ctx": context | {"pattern": "x"}})
    assert wrong
    assert not raw_texts(f"{wrong}; {right}".replace("assertion", ""))


def test_a_list_is_not_called_short_for_its_wrong_entries() -> None:
    text = "laager: map/1\nid: m\ntitle: M\nsource: own\nboards:\n- {board: 1, columns: 6, rows: x}\n"
    with pytest.raises(DataError) as caught:
        check(parse_document(text, "m.yaml"), MapFile)
    assert [problem.field for problem in caught.value.problems] == ["boards[1].rows"]


def test_what_is_left_to_fill_in_or_unknown_is_told_as_such() -> None:
    blank = {"type": "bool_type", "input": "<fill in> its Gun", "msg": ""}
    assert explain(blank) == ("isn't filled in yet", "write true or false")
    unknown = {"type": "literal_error", "input": None, "msg": "", "ctx": {"expected": "'axis' or 'allied'"}}
    assert explain(unknown) == ("is empty", "one of axis, allied")
    kept_back = {"type": "string_too_long", "msg": "", "ctx": {"max_length": 40}}
    assert explain(kept_back) == ("is too long", "40 letters at most")


def test_the_number_of_a_board_needs_no_quotes() -> None:
    text = "laager: map/1\nid: m\ntitle: M\nsource: own\nboards:\n- {board: 1, columns: 6, rows: 5}\nplayable: [1E3]\n"
    read = check(parse_document(text, "m.yaml"), MapFile)
    assert (read.boards[0].board, read.playable) == ("1", ("1E3",))
    with pytest.raises(DataError, match=r"m.yaml:6: boards\[1\]: 1 is not a set of fields"):
        check(parse_document(text.replace("{board: 1, columns: 6, rows: 5}", "1"), "m.yaml"), MapFile)
