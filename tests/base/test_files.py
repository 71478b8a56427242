from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

import laager
from laager.base import DataError, did_you_mean, files
from laager.base.files import check, field_path, load, parse_document, read_document
from laager.base.schema_words import SHAPES
from laager.hexmap import PICTURE_FILE
from laager.tables.file import NAME


class Side(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    elr: int = Field(ge=0, le=5)


class Card(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    title: str
    sides: dict[str, Side]


def problems(text: str) -> str:
    with pytest.raises(DataError) as caught:
        check(parse_document(text, "c.yaml"), Card)
    return str(caught.value)


def test_every_problem_is_told_with_its_line_and_advice() -> None:
    told = problems("titel: x\nsides:\n  axis: {elr: 7}\n  allied:\n    elr: 3\n    erl: 2\n")
    assert told.splitlines() == [
        "c.yaml:1: titel: is not known here; did you mean title?",
        "c.yaml:1: title: is missing; add it",
        "c.yaml:3: sides.axis.elr: 7 is too high; write 5 or less",
        "c.yaml:6: sides.allied.erl: is not known here; did you mean elr?",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: [1", "expected ',' or ']'"),
        ("a: 1\na: 2\n", "c.yaml:2: a: is here twice"),
        ("a: 0x" + "f" * 5000, 'c.yaml:1: a: "0xffff'),
        ("a: " + "9" * 5000, "cannot be read; a number of at most 40 digits"),
        ("", "the file is empty"),
        ("? [1,2]\n: 3\n", "a name must be plain text"),
        ("a: *b", "undefined alias"),
        ("a: &a [*a]", "a[1]: this contains itself; leave the alias out"),
        ("&a [*a, *a]", "[1]: this contains itself"),
        ("a: &a {b: *a, c: *a}", "a.b: this contains itself"),
        ("a: " + "[" * 60 + "]" * 60, "nested too deeply"),
        ("\tx: 1", "c.yaml:1"),
    ],
)
def test_text_that_is_not_a_data_file_is_refused(text: str, told: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_document(text, "c.yaml")
    assert told in str(caught.value)


def test_a_large_text_that_is_no_yaml_is_explained_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_composed_slowly", None)
    line = "  - {name: A1, terrain: woods}\n"
    text = "hexes:\n" + line * (files.EXPLAINED // len(line) + 1)
    for wrong, told in (("  - {a: b\n", ":1616: "), ("  - *no\n", ":1615: "), ("\x00", "not YAML")):
        with pytest.raises(DataError) as caught:
            parse_document(text + wrong, "c.yaml")
        assert told in str(caught.value)


@pytest.mark.parametrize("text", ["[" * 300_000, "{a: " * 300_000, "- " * 300_000, "? " * 300_000])
def test_depths_that_would_end_the_process_are_refused(text: str) -> None:
    with pytest.raises(DataError, match="nested too deeply"):
        parse_document(text, "deep.yaml")


def test_many_brackets_are_no_depth() -> None:
    text = "a:\n" + "  - {x: [1, 2], y: {z: 3}}\n" * 1500
    assert len(parse_document(text, "broad.yaml").data["a"]) == 1500


def test_a_file_that_unfolds_without_end_is_refused() -> None:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    with pytest.raises(DataError, match="too large once its aliases"):
        parse_document("\n".join(lines), "bomb.yaml")


def test_the_same_again_and_again_is_told_a_number_of_times() -> None:
    bad = "a: &a {" + ", ".join(f"k{i}: !tag x" for i in range(100)) + "}\n"
    text = bad + "b: [" + ", ".join(["*a"] * 300) + "]\n"
    with pytest.raises(DataError) as caught:
        parse_document(text, "c.yaml")
    assert 100 < len(caught.value.problems) <= 500


def test_dates_and_words_stay_text() -> None:
    data = parse_document("x: 2026-01-01\ny: no\nz: 12:30\nn: 3\nb: true\n", "c").data
    assert data == {"x": "2026-01-01", "y": "no", "z": "12:30", "n": 3, "b": True}


def test_a_hex_of_a_numbered_board_is_no_number() -> None:
    data = parse_document("hexes: [1E10, 22E5]\nprice: 1.5\nbig: 1.0E3\n", "card.yaml").data
    assert data == {"hexes": ["1E10", "22E5"], "price": 1.5, "big": 1000.0}


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_document(tmp_path / "none.yaml")
    with pytest.raises(DataError, match="folder"):
        read_document(tmp_path)
    binary = tmp_path / "b.yaml"
    binary.write_bytes(b"a: \xff\xfe")
    with pytest.raises(DataError, match="byte 3 is not UTF-8"):
        read_document(binary)


def test_load_reads_a_good_file(tmp_path: Path) -> None:
    path = tmp_path / "card.yaml"
    path.write_text("title: t\nsides: {axis: {elr: 3}}\n")
    assert load(path, Card).sides["axis"].elr == 3


def test_dotted_counts_from_one() -> None:
    assert field_path(("a", 0, "b")) == "a[1].b"


def test_advice_names_the_nearest_words() -> None:
    assert did_you_mean("axsi", ["axis", "allied"]) == "did you mean axis?"
    assert did_you_mean("zzz", ["axis", "allied"]) == "one of axis, allied"
    assert did_you_mean("zzz", []) == "there are none to choose from"
    assert did_you_mean("zzz", ["", "scarce"]) == 'one of "", scarce'


class Terms(BaseModel):
    model_config = ConfigDict(extra="forbid")
    points: int


class Order(BaseModel):
    model_config = ConfigDict(extra="forbid")
    laager: Literal["order/1"]
    terms: str | Terms


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("laager: map/1\nhexes: []\n", [':1: laager: "map/1" is not known here; write order/1']),
        (
            "laager: order/2\nterms: {points: 5}\nx: 1\n",
            [
                ':1: laager: "order/2" is not known here; write order/1',
                ":3: x: is not known here; known are laager, terms",
            ],
        ),
        (
            "laager: order/1\nterms: {points: five}\n",
            [':2: terms.points: "five" is not a whole number; write a number such as 3'],
        ),
    ],
)
def test_only_what_is_wrong_is_told(tmp_path: Path, text: str, told: list[str]) -> None:
    """Not all that a file of another kind lacks, nor each form that a part is not."""
    path = tmp_path / "o.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        check(read_document(path), Order)
    assert [str(one).partition("/o.yaml")[2] for one in caught.value.problems] == told


def test_every_pattern_of_a_file_is_told_in_words() -> None:
    source = Path(laager.__file__).parent
    written = (
        path.read_text(encoding="utf-8") for path in source.rglob("*.py") if path.relative_to(source).parts[0] != "web"
    )
    patterns = {found for text in written for found in re.findall(r'pattern=r"(.*?)"', text)}
    assert patterns
    assert patterns <= set(SHAPES)
    for pattern in {*patterns, PICTURE_FILE, NAME}:

        class Named(BaseModel):
            name: str = Field(pattern=pattern)

        with pytest.raises(DataError, match="is not valid; ") as caught:
            check(parse_document("name: ' \\/ '", "c.yaml"), Named)
        assert pattern not in str(caught.value)


def test_advice_names_nothing_twice() -> None:
    assert did_you_mean("DenseJungel", ["DenseJungle", "DenseJungle"]) == "did you mean DenseJungle?"
    assert did_you_mean("x", ["Brush", "Brush"]) == "one of Brush"
