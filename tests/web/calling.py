"""One campaign with everybody in it, and calls of any address from any of their seats."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from ninja.operation import PathView

from laager.web.campaigns import tables
from laager.web.models import ApiToken, FileVersion, Game, Invitation, Member, Note, OwnFile, Player, Role
from laager.web.shared import tokens
from tests.web.conftest import People, seat
from tests.web.fielded import fielded

API = "api/v1/"
AT_SEAT = re.compile(r"^(api/v1/)?campaigns?/<")
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


# Every address there is ---------------------------------------------------------------------------


def routes() -> list[str]:
    """Return the patterns of all addresses, except those of Django's own admin."""
    found = [route for route, _ in _walked(get_resolver())]
    return sorted({route for route in found if not route.startswith("admin/")})


def _walked(resolver: Any, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for one in resolver.url_patterns:
        route = f"{before}{one.pattern}"
        if isinstance(one, URLResolver):
            yield from _walked(one, route)
        else:
            yield route, one


def calls_of_api() -> set[tuple[str, str]]:
    """Return method and pattern of every call of the API."""
    from laager.web.serving.api import api

    found = set()
    for prefix, router in api._routers:
        assert not prefix
        for path, view in router.path_operations.items():
            assert isinstance(view, PathView)
            route = API + re.sub(r"\{(\w+:)?(\w+)\}", r"<\1\2>", path).lstrip("/")
            found |= {(method, route) for one in view.operations for method in one.methods}
    return found


# The people ---------------------------------------------------------------------------------------


@dataclass
class Somebody:
    """A person in a seat, with what the tests call with: a session, a token."""

    user: Player | None
    seat: str
    client: Client
    key: str = ""

    def fresh(self, **how: Any) -> Client:
        """Return a browser of this person that nothing has happened to yet."""
        made = Client(**how)
        made.cookies.load({name: one.value for name, one in self.client.cookies.items()})
        return made


@dataclass
class Setting:
    """A campaign whose battle is to be reported, with everybody in it.

    The owner watches only, so that what an owner may is told apart from what a player may.
    """

    game: Game
    everybody: Mapping[str, Somebody]
    values: dict[str, dict[str, Any]] = field(default_factory=dict)
    secret: frozenset[str] = frozenset()
    """What no page may hold, whoever looks at it."""

    @staticmethod
    def of(people: People) -> Setting:
        """Make it."""
        game = fielded(people)
        names = {"mate": "emil", "spectator": "fred", "owner": "gina"}
        more = {role: Player.objects.create_user(name) for role, name in names.items()}
        Member.objects.create(game=game, user=more["mate"], role=Role.MATE, side="axis")
        for role in ("spectator", "owner"):
            Member.objects.create(game=game, user=more[role], role=Role.SPECTATOR)
        Game.objects.filter(pk=game.pk).update(owner=more["owner"])
        seats = {
            "axis": (people.anna, "axis"),
            "allied": (people.bert, "allied"),
            "mate": (more["mate"], "axis"),
            "umpire": (people.cleo, "umpire"),
            "spectator": (more["spectator"], "spectator"),
            "owner": (more["owner"], "spectator"),
            "outsider": (people.dora, "axis"),
        }
        everybody = {
            role: Somebody(user, name, people.client(user), tokens.make(user, "tests"))
            for role, (user, name) in seats.items()
        }
        everybody["nobody"] = Somebody(None, "axis", Client())
        made = Setting(Game.objects.get(pk=game.pk), everybody)
        made._fill(people)
        return made

    def _fill(self, people: People) -> None:
        marks = {}
        sides = (("axis", people.anna), ("allied", people.bert), ("umpire", people.cleo))
        for side, user in sides:
            with tables.look(seat(self.game, user, side)) as table:
                marks[side] = table.asked[0].mark
        invited = Invitation.objects.create(game=self.game, role="spectator", digest="x" * 64, ends="2100-01-01T00:00Z")
        leaver = Player.objects.create_user("hans")
        member = Member.objects.create(game=self.game, user=leaver, role=Role.SPECTATOR)
        for role, one in self.everybody.items():
            name = "axis" if one.seat == "spectator" else one.seat
            note = 1
            if one.user is not None and one.seat != "spectator":
                made = Note.objects.create(game=self.game, seat=one.seat, by=one.user, text="x")
                note = made.pk
            self.values[role] = {"mark": marks[name], "note": note}
            self.values[role] |= {"invitation": invited.pk, "member": member.pk}
            token = ApiToken.objects.filter(user=one.user).first()
            self.values[role]["key"] = token.pk if token else 1
            self.values[role] |= {"file": 1, "house": 1}
            if one.user is not None:
                file = OwnFile.objects.create(owner=one.user, name="mine.yaml", text="laager: pl-card/1\n")
                self.values[role]["file"] = file.pk
                house = OwnFile.objects.create(owner=one.user, name="house.yaml", text=HOUSE)
                self.values[role]["house"] = house.pk
                FileVersion.objects.create(
                    file=file, number=1, packed=zlib.compress(b"x"), size=1, written=timezone.now()
                )

    # Calling

    def call(self, role: str, method: str, route: str, at: str = "", **how: Any) -> int:
        """Call an address as somebody, at a seat (else the own one); return the status.

        Nothing that is changed by it stays.
        """
        with transaction.atomic():
            response = self.answer(role, method, route, at, **how)
            if response.streaming:
                response.close()
            elif method == "GET" and self.secret:
                text = response.content.decode("utf-8", "replace") + repr(response.headers)
                assert not any(word in text for word in self.secret), (role, method, route)
            transaction.set_rollback(True)
        if method not in {"GET", "HEAD"} and response.status_code < 400:
            tables.SHELF.clear()
        return int(response.status_code)

    def answer(self, role: str, method: str, route: str, at: str = "", **how: Any) -> Any:
        """Call an address as somebody, at a seat (else the own one); return the answer."""
        one = self.everybody[role]
        path = "/" + PARAMETER.sub(lambda found: str(self._value(found[1], route, role, at or one.seat)), route)
        return self._answer(one, method, path, route, **how)

    def _answer(
        self, one: Somebody, method: str, path: str, route: str, session: bool = False,
        other: bool = False, client: Client | None = None,
    ) -> HttpResponseBase:  # fmt: skip
        if other:
            path = path.replace(str(self.game.pk), "8a9d57f8-41a1-4e6e-9d3c-0a6f5b1f4f00")
        if not route.startswith(API):
            data = FORMS.get(route, {}) if method == "POST" else None
            caller = client or one.fresh()
            key = f"Bearer {one.key}" if route in BY_TOKEN and one.key else ""
            headers = {"Authorization": key} if key else {}
            if method == "POST":
                return caller.post(path, data, headers=headers)
            return caller.get(path, headers=headers)
        body = json.dumps(BODIES[(method, route)]) if (method, route) in BODIES else ""
        # Numbers of people are the database's own.
        body = body.replace(HEIR, str(self._heir()))
        by_token = one.key and not session
        headers = {"Authorization": f"Bearer {one.key}"} if by_token else {}
        caller = client or (one.fresh() if session else Client())
        return caller.generic(method, path, body, "application/json", headers=headers)

    def _heir(self) -> int:
        heir = self.everybody["axis"].user
        assert heir is not None
        return int(heir.pk)

    def _value(self, name: str, route: str, role: str, at: str) -> Any:
        mine = self.values[role]
        if name in {"number", "pk"}:
            for word, key in (
                ("notes", "note"),
                ("invitations", "invitation"),
                ("withdraw", "invitation"),
                ("me", "member"),
                ("remove", "member"),
                ("keep", "member"),
                ("tokens", "key"),
                ("shared", "file"),
            ):
                if word == "shared" and route.endswith("/house"):
                    return mine["house"]
                if f"/{word}/" in route or (word == "me" and "/members/" in route):
                    return mine[key]
            return 0 if "/board/" in route else 1
        known: dict[str, Any] = {"game": self.game.pk, "seat": at, "mark": mine["mark"]}
        known |= {"ruleset": "pl", "rules": "pl", "form": "text", "hex_name": "A1", "rest": "x"}
        known |= {"version": 1, "version_number": 1, "board": 0}
        known |= {"run": "8a9d57f8-41a1-4e6e-9d3c-0a6f5b1f4f00", "kind": "csv"}
        known |= {"user": self._heir(), "card": "rzhavets", "key": "x", "uidb64": "x", "token": "x"}
        if name == "name":
            if "/units/" in route and at == "allied":
                return "AL1"
            if route.endswith("/house"):
                return "house.yaml"
            return next((value for part, value in NAMES.items() if part in route), "mine.yaml")
        return known[name]


HOUSE = "laager: house/1\nruleset: pl\ntitle: Tuesday\nwhy: As we agreed.\nrules: {PL 3.41: off}\n"

NAMES = {
    "/clause": "PL 3.47",
    "/tables/": "elr-change",
    "hex": "A1",
    "/sheets/": "roster",
    "/units/": "AX1",
    "/forecasts/": "elr-change",
    "simulations/": "winners",
    "/cards/shipped": "rzhavets",
    "/talk/": "table",
}
"""What is named in addresses that have this in them."""

BY_TOKEN = {"campaign/<uuid:game>/<slug:seat>/feed/"}
"""Pages that programs fetch with a token."""

FORMS: Mapping[str, Mapping[str, Any]] = {
    f"campaign/<uuid:game>/<slug:seat>/{page}/<slug:mark>/{what}": {"value": "{}"}
    for page in ("report", "setup")
    for what in ("", "check", "save")
}
"""What is sent with forms, where nothing at all would be refused whoever sends it."""

_ANSWER: Mapping[str, Any] = {"answer": {}}
_AT = API + "campaigns/<game>/<seat>"
HEIR = "777777"
"""Stands for the number of who is to be the next owner in what is sent."""

BODIES: Mapping[tuple[str, str], Any] = {
    ("POST", f"{API}tokens"): {"name": "x"},
    ("POST", f"{API}campaigns"): {"card": "rzhavets"},
    ("PUT", f"{API}files/<name>"): {"text": "laager: pl-card/1\n"},
    ("POST", f"{API}files/<name>/check"): {"text": "laager: pl-card/1\n"},
    ("PUT", f"{API}shared/<number>"): {"text": "laager: pl-card/1\n", "was": "x"},
    ("POST", f"{API}shared/<number>/copy"): {},
    ("POST", f"{API}shared/<number>/versions/<version>/restore"): {"was": "x"},
    ("PUT", f"{API}shared/<number>/rights"): {"seen_by": "everybody"},
    ("POST", f"{API}invitations/accept"): {"key": "x"},
    ("POST", f"{_AT}/asked/<mark>/check"): _ANSWER,
    ("POST", f"{_AT}/asked/<mark>/answer"): _ANSWER,
    ("POST", f"{_AT}/asked/<mark>/dice"): {"faces": [1]},
    ("POST", f"{_AT}/asked/<mark>/vasl"): {"data": "aGVsbG8="},
    ("PUT", f"{_AT}/asked/<mark>/draft"): _ANSWER,
    ("POST", f"{_AT}/take-back"): {},
    ("POST", f"{_AT}/take-back/consent"): {"agree": True},
    ("POST", f"{_AT}/bring-back/consent"): {"agree": True},
    ("POST", f"{_AT}/name"): {"unit": "ZZ1", "name": "x"},
    ("POST", f"{_AT}/concede"): {"sure": True},
    ("POST", f"{_AT}/draw/consent"): {"agree": True},
    ("POST", f"{_AT}/settle"): {"agree": True},
    ("POST", f"{_AT}/late"): {"side": "allied"},
    ("POST", f"{_AT}/patience"): {"days": 7, "then": "umpire"},
    ("POST", f"{_AT}/patience/consent"): {"agree": True},
    ("POST", f"{_AT}/reopen"): {"number": 9999, "why": "it was forgotten"},
    ("POST", f"{_AT}/as-before"): {},
    ("POST", f"{_AT}/ruling"): {"ruling": {"laager": "ruling/1", "why": "nothing"}},
    ("POST", f"{_AT}/ruling/check"): {"ruling": {"laager": "ruling/1", "why": "nothing"}},
    ("POST", f"{_AT}/ruling/consent"): {"agree": True},
    ("POST", f"{_AT}/notes"): {"text": "x"},
    ("PUT", f"{_AT}/notes/<number>"): {"text": "x"},
    ("POST", f"{_AT}/talk/<name>"): {"text": "x"},
    ("POST", f"{_AT}/dates"): {"times": [f"{datetime.now(UTC) + timedelta(days=9):%Y-%m-%dT%H:%M}Z"]},
    ("POST", f"{_AT}/dates/<number>/fix"): {"at": "2100-01-01T00:00Z"},
    ("PUT", f"{_AT}/dates/<number>/reply"): {"can_come": []},
    ("PUT", f"{_AT}/listed"): {"listed": False},
    ("PUT", f"{_AT}/public"): {"delay": ""},
    ("PUT", f"{_AT}/mutes/<user>"): {"muted": True},
    ("POST", f"{_AT}/invitations"): {"role": "spectator"},
    ("POST", f"{_AT}/wishes/<number>"): {"agree": True},
    ("POST", f"{_AT}/hand-on"): {"user": int(HEIR)},
    ("PATCH", f"{_AT}/settings"): {"title": "x"},
    ("POST", f"{_AT}/vasl"): {},
    ("PUT", f"{_AT}/webhook"): {"kind": "generic", "url": "https://club.example/laager"},
}
"""What is sent with calls of the API."""
