"""The API is what its OpenAPI document says, whatever is sent to it: schemathesis asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as examples
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Err
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from laager.web.campaigns import tables
from laager.web.models import Game, Member, OwnFile, Role
from laager.web.seats import members
from laager.web.shared import tokens
from tests.web.conftest import seat, take_defaults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from schemathesis import APIOperation, Case

    from tests.web.conftest import Begin, People

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
COSTLY = {"print_sheets", "map_png", "verify", "map_svg", "board_of_map"}
"""Calls that take a second or more; they are made less often."""


@pytest.fixture
def _one_connection() -> Iterator[None]:
    """Let requests leave the test's own connection open, as Django's client for tests does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def game(people: People, begin: Begin, settings: Any, _one_connection: None) -> Game:
    """A campaign under way in which anna has every kind of seat, with one of everything there."""
    much = {"writes_a_minute": 10**6, "login_tries": 10**6}
    settings.CONFIG = settings.CONFIG.model_copy(update=much)
    made = begin()
    both = [seat(made, people.anna, "axis"), seat(made, people.bert, "allied")]
    take_defaults(both, until="purchases")
    for role, side in ((Role.UMPIRE, ""), (Role.SPECTATOR, ""), (Role.MATE, "allied")):
        Member.objects.create(game=made, user=people.anna, role=role, side=side)
    members.invite(both[0], "spectator")
    OwnFile.objects.create(owner=people.anna, name="mine.yaml", text="laager: pl-card/1\n")
    return made


def known(game: Game, people: People) -> Mapping[str, Any]:
    """Return values of parameters under which something is found; others are sent, too."""
    with tables.look(seat(game, people.anna, "axis")) as table:
        mark = table.asked[0].mark
    member = Member.objects.filter(game=game, user=people.anna).values_list("pk", flat=True)
    number = st.integers(1, 60) | st.sampled_from(list(member))
    seats = st.sampled_from(["axis", "axis", "axis", "allied", "umpire", "spectator"])
    names = ["roster", "axis", "R23", "PL 3.47", "elr-change", "mine.yaml", "rzhavets", "E4", "table", "side-axis"]
    return {
        "game": st.just(str(game.pk)),
        "seat": seats,
        "mark": st.just(mark),
        "number": number,
        "version": st.integers(1, 3),
        "rules": st.sampled_from(["pl", "dyo", "abtf"]),
        "name": st.sampled_from(names),
        "user": st.sampled_from([people.anna.pk, people.bert.pk, 0]),
    }


def ask(
    operation: APIOperation[Any, Any, Any, Any], mode: GenerationMode, path: Mapping[str, Any], key: str, count: int
) -> None:
    """Make calls by chance, and hold every answer to the document."""
    wanted = [one.name for one in operation.path_parameters]
    chosen = st.fixed_dictionaries({name: path[name] for name in wanted})

    @seed(5)
    @examples(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), found=chosen, here=st.integers(0, 3))
    def call(case: Case[Any], found: dict[str, Any], here: int) -> None:
        if here and wanted:
            # Mostly at addresses where there is something.
            case.path_parameters = {name: str(value) for name, value in found.items()}
        # Its way into the program doesn't unpack what is compressed.
        headers = {"Authorization": f"Bearer {key}", "Accept-Encoding": "identity"}
        case.call_and_validate(headers=headers, checks=CHECKS)

    call()


def hold(game: Game, people: People, count: int, every: int = 1) -> set[str]:
    """Make calls of every kind, wrong ones for one in `every`; return the names of those that were made."""
    key = tokens.make(people.anna, "schemathesis")
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
    path, made = known(game, people), set()
    for number, result in enumerate(schema.get_all_operations()):
        assert not isinstance(result, Err)
        operation = result.ok()
        name = operation.definition.raw["operationId"]
        most = max(1, count // 8) if name in COSTLY else count
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            wrong = mode is GenerationMode.NEGATIVE
            if wrong and (number % every or (not operation.body and not operation.query)):
                continue
            # What is meant to be refused differs less from call to call.
            times = most if mode is GenerationMode.POSITIVE else max(1, most // 2)
            with transaction.atomic():
                ask(operation, mode, path, key, times)
                transaction.set_rollback(True)
            tables.SHELF.clear()
        made.add(name)
    return made


def test_every_call_answers_as_its_document_says(game: Game, people: People) -> None:
    made = hold(game, people, 1, every=3)
    assert {"answer", "check", "log", "begin", "write_file", "invite", "clause", "wait"} <= made
    assert len(made) > 60


@pytest.mark.soak
def test_every_call_answers_as_its_document_says_in_many_cases(game: Game, people: People) -> None:
    assert len(hold(game, people, 300)) > 60
