"""Every address and every call of the API, from every seat of every kind: one table says it all."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from tests.web import planted, rights
from tests.web.calling import API, AT_SEAT, Setting, calls_of_api, routes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.web.conftest import People

SITE, SEATS = rights.site(), rights.at_a_seat()
COSTLY = {rights.whole(address) for address in rights.COSTLY}
NOBODY = {rights.whole(address): status for address, status in rights.NOBODY.items()}
READS = {"GET"}


@pytest.fixture
def setting(people: People, settings: Any) -> Setting:
    """One campaign with everybody in it; nobody is told to wait."""
    much = {"writes_a_minute": 10**6, "login_tries": 10**6}
    settings.CONFIG = settings.CONFIG.model_copy(update=much)
    return Setting.of(people)


def told(found: dict[str, tuple[int, int]]) -> str:
    """Return what is not as the table says."""
    return "\n".join(f"{call}: {got}, not {want}" for call, (got, want) in found.items())


# Nothing is left out ------------------------------------------------------------------------------


def test_every_address_is_in_the_table() -> None:
    """Whoever adds an address says who may call it: a line in tests/web/rights.py."""
    known = {route for _, route in (*SITE, *SEATS)}
    there = set(routes())
    assert sorted(there - known) == [], "addresses that are not in the table"
    assert sorted(known - there) == [], "addresses in the table that there are not"


def test_every_call_of_the_api_is_in_the_table() -> None:
    ours = {f"{API}{rest}" for rest in ("", "docs", "openapi.json")}
    known = {(m, route) for m, route in (*SITE, *SEATS) if route.startswith(API)}
    assert {one for one in known if one[1] not in ours} == calls_of_api()


def test_addresses_of_campaigns_are_all_held_by_seats() -> None:
    assert {route for route in routes() if AT_SEAT.match(route)} == {r for _, r in SEATS}


# Who may what -------------------------------------------------------------------------------------


def test_the_site_lets_in_who_may(setting: Setting) -> None:
    wrong = {}
    for (method, route), (somebody, nobody) in SITE.items():
        for role, want in (("axis", somebody), ("nobody", nobody)):
            got = setting.call(role, method, route)
            if got != want:
                wrong[f"{method} {route} as {role}"] = got, want
    assert not wrong, told(wrong)


ALIKE = (("axis", "allied"), ("spectator", "owner"))
"""Pairs of roles of which one, in turn, looks at an address that answers both the same."""


def seats_to_call(number: int, method: str, wanted: Mapping[str, int]) -> Mapping[str, int]:
    """Return whom to call an address: everybody who differs from others by more than their name.

    On PostgreSQL one for each answer that there is, so that each query is made.
    """
    if connection.vendor != "sqlite":
        first = {want: role for role, want in reversed([*wanted.items()])}
        return {role: want for want, role in first.items()}
    if method not in READS:
        return wanted
    left_out = {pair[number % 2] for pair in ALIKE if wanted[pair[0]] == wanted[pair[1]]}
    return {role: want for role, want in wanted.items() if role not in left_out}


def test_every_seat_may_what_its_role_may(setting: Setting) -> None:
    """And nothing that anybody gets holds the seed of the dice."""
    setting.secret = frozenset(planted.seeds(setting.game))
    wrong = {}
    for number, ((method, route), wanted) in enumerate(SEATS.items()):
        for role, want in seats_to_call(number, method, wanted).items():
            if route in COSTLY:
                continue
            got = setting.call(role, method, route)
            if got != want:
                wrong[f"{method} {route} as {role}"] = got, want
    assert not wrong, told(wrong)


Stranger = tuple[str, str, dict[str, Any]]
"""Who calls an address without a right to the seat: who, at which seat, how."""

ALWAYS: tuple[Stranger, ...] = (("nobody", "axis", {}), ("outsider", "axis", {}), ("axis", "allied", {}))
STRANGERS: tuple[Stranger, ...] = (
    ("axis", "umpire", {}),
    ("allied", "axis", {}),
    ("mate", "allied", {}),
    ("spectator", "umpire", {}),
    ("owner", "axis", {}),
    ("umpire", "axis", {}),
    ("axis", "axis", {"other": True}),
)


def in_turn() -> Iterator[tuple[str, str, Stranger]]:
    """Yield calls: each address by those that always call, and by one of the others, each of whom has many turns."""
    for (method, route), other in zip(SEATS, cycle(STRANGERS), strict=False):
        yield from ((method, route, one) for one in (*ALWAYS, other))


def every_stranger() -> Iterator[tuple[str, str, Stranger]]:
    """Yield calls: each address by everybody."""
    for method, route in SEATS:
        yield from ((method, route, one) for one in (*ALWAYS, *STRANGERS))


@pytest.mark.once
@pytest.mark.parametrize("calls", [in_turn, pytest.param(every_stranger, marks=pytest.mark.soak)])
def test_who_has_no_such_seat_gets_what_a_campaign_gives_that_there_is_not(
    setting: Setting, calls: Callable[[], Iterator[tuple[str, str, Stranger]]]
) -> None:
    """Also who sits elsewhere in the same campaign, or owns it; and at every other campaign."""
    wrong = {}
    for method, route, (role, at, how) in calls():
        want = 404
        if role == "nobody":
            want = NOBODY.get(route, 401 if route.startswith(API) else 302)
        got = setting.call(role, method, route, at, **how)
        if got != want:
            wrong[f"{method} {route} at {at} as {role} {how}"] = got, want
    assert not wrong, told(wrong)


@pytest.mark.once
def test_what_changes_something_by_a_session_needs_the_csrf_token(setting: Setting) -> None:
    wrong = {}
    for method, route in (*SITE, *SEATS):
        if method in READS:
            continue
        client = setting.everybody["axis"].fresh(enforce_csrf_checks=True)
        got = setting.call("axis", method, route, session=True, client=client)
        if got != 403:
            wrong[f"{method} {route}"] = got, 403
    assert not wrong, told(wrong)


@pytest.mark.once
def test_with_its_csrf_token_a_session_may_what_a_token_may(setting: Setting) -> None:
    wrong = {}
    for (method, route), wanted in SEATS.items():
        if method in READS or not route.startswith(API):
            continue
        got = setting.call("axis", method, route, session=True)
        if got != wanted["axis"]:
            wrong[f"{method} {route}"] = got, wanted["axis"]
    assert not wrong, told(wrong)
