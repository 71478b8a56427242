"""The rules to read: clauses, tables with their odds, readings, the sequence of play."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema
from pydantic import Field

from laager.campaign import Clause
from laager.web.api.refusals import answers
from laager.web.campaigns.shapes import StepOut
from laager.web.rules import reference

router = Router(tags=["rules"])

RulesId = Annotated[str, Path(max_length=60, description="A rule system, such as `pl`.")]
Name = Annotated[str, Path(max_length=120)]


class BookOut(Schema):
    """A rule system."""

    id: str
    title: str
    sides: list[str]
    clauses: int
    tables: int


class ReadingOut(Schema):
    """Where a rule can be read in several ways."""

    id: str
    rule: str
    question: str
    default: str
    options: dict[str, str]
    why: str
    changes: str


class ContentsOut(BookOut):
    """What there is of a rule system: clauses by chapter, tables, readings, steps."""

    chapters: dict[str, list[str]]
    table_ids: list[str]
    readings: list[ReadingOut]
    steps: list[StepOut]


class ClauseOut(Schema):
    """A clause in our own words, and what Laager does about it."""

    id: str
    title: str
    text: str
    handling: str
    tables: list[str]
    readings: list[str]
    remind: list[str]
    see: list[str]
    steps: list[str]


class ChanceOut(Schema):
    """A row of a table: the final rolls, what it says, and how often it comes."""

    span: str
    results: dict[str, str]
    ways: int
    of: int
    percent: float


class TableOut(Schema):
    """A table, with the odds of each row."""

    id: str
    title: str
    rule: str
    dice: str
    drm: int
    modifiers: list[str] = Field(description="What can change the roll, in words.")
    rows: list[ChanceOut]
    notes: list[str]


def _book(book: reference.Book) -> dict[str, Any]:
    return {
        "id": book.id,
        "title": book.title,
        "sides": book.ruleset.sides,
        "clauses": len(book.index),
        "tables": len(book.tables),
    }


def _clause(book: reference.Book, clause: Clause) -> dict[str, Any]:
    return vars(clause) | {"tables": clause.tables, "steps": [step.id for step in book.steps_of(clause.id)]}


@router.get("/rules", response=answers(list[BookOut]), operation_id="rules")
def shelf(request: HttpRequest) -> Any:
    """List the rule systems."""
    return [_book(book) for book in reference.books()]


@router.get("/rules/{rules}", response=answers(ContentsOut, 404), operation_id="rulebook")
def contents(request: HttpRequest, rules: RulesId) -> Any:
    """Return the contents of a rule system."""
    book = reference.book(rules)
    return _book(book) | {
        "chapters": {name: [clause.id for clause in clauses] for name, clauses in book.index.chapters.items()},
        "table_ids": list(book.tables),
        "readings": book.readings.values(),
        "steps": book.ruleset.steps.values(),
    }


@router.get("/rules/{rules}/clauses", response=answers(list[ClauseOut], 404), operation_id="clauses")
def clauses(
    request: HttpRequest,
    rules: RulesId,
    q: Annotated[str, Query(max_length=200, description="Words to look for.")] = "",
) -> Any:
    """Give the clauses of a rule system; those with some words, the best first."""
    book = reference.book(rules)
    wanted = reference.search(book, q) if q.strip() else book.index.values()
    return [_clause(book, clause) for clause in wanted]


@router.get("/rules/{rules}/clauses/{path:name}", response=answers(ClauseOut, 404), operation_id="clause")
def clause(request: HttpRequest, rules: RulesId, name: Name) -> Any:
    """Give a clause."""
    book = reference.book(rules)
    return _clause(book, book.clause(name))


@router.get("/rules/{rules}/tables/{name}", response=answers(TableOut, 404), operation_id="table")
def table(
    request: HttpRequest,
    rules: RulesId,
    name: Name,
    drm: Annotated[int, Query(ge=-99, le=99, description="The sum of the modifiers.")] = 0,
) -> Any:
    """Give a table with the exact odds of each row."""
    printed = reference.book(rules).table(name)
    columns = printed.columns or ("result",)
    return {
        "id": printed.id,
        "title": printed.title,
        "rule": printed.rule,
        "dice": printed.dice.value,
        "drm": drm,
        "modifiers": [f"{modifier} [{modifier.rule}]" for modifier in printed.modifiers],
        "rows": [
            {"span": row.span, "results": dict(zip(columns, row.words, strict=True)),
             "ways": row.ways, "of": row.total, "percent": row.percent}
            for row in reference.chances(printed, drm)
        ],
        "notes": printed.notes,
    }  # fmt: skip
