"""What is printed for programs: JSON, of a known shape, with nothing beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from .conftest import Laager
from .evenings import BLUE_PLAN, RED_PLAN, THE_REST

Write = Callable[[str, str], Path]
Shape = dict[str, Any]

TEXT: Shape = {"type": "string"}
WHOLE: Shape = {"type": "integer"}
YES_NO: Shape = {"type": "boolean"}


def some(item: Shape) -> Shape:
    return {"type": "array", "items": item}


def fields(**shapes: Shape) -> Shape:
    """Return the shape of an object with exactly these fields."""
    return {"type": "object", "properties": shapes, "required": list(shapes), "additionalProperties": False}


CARD = fields(
    id=TEXT, ruleset=TEXT, title=TEXT, source=TEXT, file=TEXT, theatre=TEXT, first={"type": ["string", "null"]},
    last={"type": ["string", "null"]}, sides=some(fields(id=TEXT, name=TEXT, points={"type": ["integer", "null"]})),
    battles=WHOLE, battle=TEXT, boards=some(TEXT), needs=some(TEXT),
    takes={"type": ["object", "null"], "required": ["least", "most", "unit", "estimated"]},
)  # fmt: skip
FORM: Shape = {"type": "object", "required": ["kind"]}
QUESTION = fields(key=TEXT, side=TEXT, text=TEXT, rule=TEXT, secret=YES_NO, help=TEXT, default={}, form=FORM)
MODIFIER = fields(value=WHOLE, reason=TEXT, rule=TEXT)
ROLL = fields(
    key={"const": "roll"}, side=TEXT, label=TEXT, dice={"enum": ["DR", "dr"]},
    modifiers=some(MODIFIER),
)  # fmt: skip
OUTCOME = fields(
    version=WHOLE,
    news=some(fields(number=WHOLE, type=TEXT, text=TEXT)),
    requests=some(TEXT),
    waiting_for=some(TEXT),
    asked=some(fields(side=TEXT, key=TEXT)),
)
STATUS = fields(
    title=TEXT, viewer=TEXT, version=WHOLE, headline=some(TEXT), requests=some(TEXT),
    waiting_for=some(TEXT), pending=some({"anyOf": [QUESTION, ROLL]}),
)  # fmt: skip
ENTRY = fields(number=WHOLE, at=TEXT, type=TEXT, counts=YES_NO, text=TEXT, body={"type": "object"})
SHEET = fields(
    id=TEXT, title=TEXT, side=TEXT, notes=some(TEXT),
    rows=some({"type": "object", "additionalProperties": TEXT}),
)  # fmt: skip
CLAUSE: Shape = {"type": "object", "required": ["id", "title", "text", "handling"]}
NEW = {
    **OUTCOME,
    "properties": {
        **OUTCOME["properties"],
        "file": TEXT,
        "title": TEXT,
        "commitment": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "warnings": some(TEXT),
    },
    "required": [*OUTCOME["required"], "file", "title", "commitment", "warnings"],
}

SHAPES: dict[str, Shape] = {
    "new evening --file other.laager --json": NEW,
    "status -c evening --json": STATUS,
    "status -c evening --side red --json": STATUS,
    "next --json": OUTCOME,
    "next --json --defaults 3": OUTCOME,
    "undo --json": OUTCOME,
    "undo --side red --json": OUTCOME,
    "patience --json": fields(days=WHOLE, then=TEXT, late=some(fields(side=TEXT, waited_since=TEXT, late_since=TEXT))),
    "patience --days 7 --side red --json": OUTCOME,
    "end --side red --draw --json": OUTCOME,
    "end --side red --concede --json": OUTCOME,
    "log --json": some(ENTRY),
    "log --json --last 3 --side blue": some(ENTRY),
    "why 30 --json": fields(
        entry=ENTRY, rule={"anyOf": [TEXT, CLAUSE]}, causes=some(ENTRY), house=some(TEXT)
    ),
    "sheet --json": some(SHEET),
    "sheet points --json": some(SHEET),
    "map --json": fields(file=TEXT, bytes=WHOLE),
    "export": fields(
        title=TEXT, viewer=TEXT, ruleset=TEXT, commitment=TEXT, state={"type": "object"},
        log=some(ENTRY), pending=some(QUESTION), waiting_for=some(TEXT),
    ),
    "verify --json": fields(
        sound=YES_NO, entries=WHOLE, rolls=WHOLE, entered=WHOLE, facts=WHOLE, head=TEXT,
        findings=some(fields(entry=WHOLE, what=TEXT)), corrected=some(TEXT), house=some(TEXT),
        readings=some(TEXT),
        rulings=some({"type": "object"}), note=TEXT,
    ),
    "cards --json": some(CARD),
    "cards training --json": CARD,
    "rules parlour --json": some(CLAUSE),
    "rules parlour 2 --json": CLAUSE,
    "rules parlour --search plan --json": some(CLAUSE),
    "rules parlour --coverage --json": SHEET,
    "rules parlour --readings --json": some({"type": "object", "required": ["id", "options"]}),
    "table parlour --json": some(SHEET),
    "table parlour nerve --json": some(SHEET),
    "catalogue list --json": some(fields(nation=TEXT, name=TEXT, side=TEXT, types=WHOLE)),
    "catalogue list german --json": fields(
        nation=TEXT, name=TEXT, side=TEXT,
        types=some({"type": "object", "required": ["type", "kind", "cvp", "house", "note", "months"]}),
    ),
    "check {map} --json": fields(file=TEXT, kind=TEXT, good=YES_NO, warnings=some(TEXT)),
    "schema map": {"type": "object", "required": ["$schema", "title", "properties"]},
}  # fmt: skip


@pytest.fixture
def late(evening: Laager, write: Write) -> Laager:
    for name, text in (("red", RED_PLAN), ("blue", BLUE_PLAN), ("rest", THE_REST)):
        evening.well("answer", write(f"{name}.yaml", text))
    return evening


@pytest.mark.parametrize("words", SHAPES, ids=lambda text: text)
def test_json_has_its_shape(late: Laager, words: str) -> None:
    source = Path(__file__).parent / "parlour" / "map.yaml"
    out = late.well(*words.format(map=source).split())
    problems = [error.message for error in Draft202012Validator(SHAPES[words]).iter_errors(json.loads(out))]
    assert not problems, out


def test_answers_and_reports_tell_what_came_of_them(evening: Laager, write: Write) -> None:
    validator = Draft202012Validator(OUTCOME)
    told = json.loads(evening.well("answer", write("a.yaml", RED_PLAN), "--json", "-s", "red"))
    validator.validate(told)
    assert told["waiting_for"] == ["blue"]
    assert any(one["text"].startswith("4-6-7 (R1) to B2") for one in told["news"])
    evening.well("answer", write("b.yaml", BLUE_PLAN))
    evening.well("answer", write("c.yaml", THE_REST))
    template = evening.well("report", "-s", "red", "--template")
    validator.validate(json.loads(evening.well("report", "-s", "red", write("r.yaml", template), "--json")))
    evening.well("undo")
    validator.validate(json.loads(evening.well("redo", "--json")))


def test_dice_to_be_entered_are_described(evening: Laager, write: Write) -> None:
    evening.well("answer", write("a.yaml", RED_PLAN.partition("  - {side: red, rolls")[0]))
    pending = json.loads(evening.well("status", "--json", "--side", "red"))["pending"]
    assert pending == [
        {
            "key": "roll",
            "side": "red",
            "label": "Nerve of red",
            "dice": "dr",
            "modifiers": [{"value": 4, "reason": "the bid of red", "rule": "PARLOUR 2"}],
        }
    ]


def test_entries_of_taking_back_are_numbered_as_the_viewer_sees_them(late: Laager) -> None:
    late.well("undo", "--side", "blue", "--to", "4")
    late.well("undo", "--side", "red", "--agree")
    entries = json.loads(late.well("log", "--json", "--side", "blue"))
    assert [one["body"]["to"] for one in entries if one["type"] in {"undo", "undo-asked"}] == [4, 4]


REFUSAL = fields(
    refused=TEXT,
    text=TEXT,
    problems=some(fields(file=TEXT, line={"type": ["integer", "null"]}, field=TEXT, what=TEXT, right=TEXT)),
)


@pytest.mark.parametrize(
    ("words", "code", "refused"),
    [
        ("status --side rad --json", 1, "no-such"),
        ("status -c nothing.laager --json", 3, "bad-data"),
        ("check nothing.yaml --json", 3, "bad-data"),
        ("answer wrong.yaml --json", 1, "bad-answer"),
        ("end --side red --json", 2, "bad-answer"),
        ("redo --json", 1, "no-such"),
    ],
)
def test_refusals_are_json_too(evening: Laager, write: Write, words: str, code: int, refused: str) -> None:
    write("wrong.yaml", "laager: answers/1\nanswers:\n  - {side: red, for: plan, answer: {bid: 1}}\n")
    ended = evening(*words.split())
    assert (ended.code, ended.out) == (code, "")
    told = json.loads(ended.err)
    Draft202012Validator({**REFUSAL, "required": ["refused", "text"]}).validate(told)
    assert told["refused"] == refused
    if refused == "bad-answer" and code == 1:
        assert told["problems"] == [
            {
                "file": "wrong.yaml",
                "line": 3,
                "field": "answers[1].answer.word",
                "what": "is missing",
                "right": "add it",
            }
        ]
