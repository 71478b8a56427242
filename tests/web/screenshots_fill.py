"""A site that is full of everything: campaigns of all rulesets, told by their answer files.

The pages of this site are looked at by `python -m tests.web.screenshots`, judged by axe, and
looked through for texts that nobody has translated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from laager.base.files import check, read_document
from laager.campaign.engine import Campaign
from laager.campaign.log import Entry
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.cli.answers import AnswersFile, give_all
from laager.web.models import Game, Member, Player, Role
from laager.web.services import actions, library, people
from laager.web.services.seats import Seat, find_seat
from laager.web.services.store import DatabaseStore
from tests.web.fielded import REPORTS, Memory, played

DEMOS = {
    "pl": ("rzhavets", ("-1", "-2")),
    "abtf": ("rijnoord", ("-1", "-2")),
    "er": ("kokusa-ridge", ("-1", "-2")),
    "dyo": ("vistula", ("",)),
}
"""The cards that have answer files, and how these are called."""


@dataclass(frozen=True)
class Scene:
    """A campaign at a moment worth seeing: after so many answers of its demo, -1 for all."""

    name: str
    title: str
    ruleset: str
    answers: int = -1


SCENES = (
    Scene("purchase", "Rzhavets: the third day", "pl"),
    Scene("setup", "Rzhavets, with the club’s newcomers", "pl", 10),
    Scene("roll", "Rzhavets by post", "pl", 12),
    Scene("report", "Rzhavets: the first firefight", "pl", 21),
    Scene("refit", "Rijnoord, Sunday", "abtf", 27),
    Scene("town", "Rijnoord: the second morning", "abtf"),
    Scene("ridge", "Kokusa Ridge, the second night", "er", 30),
    Scene("design", "Vistula, January 1945", "dyo", 7),
    Scene("designed", "Vistula: both have bought", "dyo"),
)


@cache
def _answers(ruleset: str) -> tuple[tuple[Any, Any], ...]:
    card, parts = DEMOS[ruleset]
    found = []
    for part in parts:
        with as_file(files("laager.packs") / ruleset / "demo" / f"{card}{part}.yaml") as path:
            document = read_document(path)
        found += [(document, one) for one in check(document, AnswersFile).answers]
    return tuple(found)


@cache
def told(ruleset: str) -> tuple[tuple[Entry, ...], ...]:
    """Return the log of a shipped campaign after none, one, two… of its demo's answers."""
    rules = find_ruleset(ruleset)
    made = rules.read_card(rules.shipped_cards()[DEMOS[ruleset][0]], {})
    store = Memory()
    store.append(opening_entries(ruleset, made.title, made.setting, True, bytes(32)))
    campaign = Campaign(store)
    campaign.advance()
    logs = [tuple(store.entries)]
    for document, one in _answers(ruleset):
        give_all(campaign, document, (one,), None)
        logs.append(tuple(store.entries))
    return tuple(logs)


@dataclass
class Filled:
    """The site: who is there, the campaigns by name, an open invitation's key."""

    anna: Player
    bert: Player
    cleo: Player
    games: dict[str, Game]
    invitation: str

    def seat(self, name: str, side: str = "axis") -> Seat:
        """Return a seat at one of the campaigns: anna's, bert's or cleo's."""
        user = {"axis": self.anna, "allied": self.bert}.get(side, self.cleo)
        return find_seat(user, self.games[name].pk, side)


def _game(owner: Player, title: str, ruleset: str, card: str, entries: tuple[Entry, ...]) -> Game:
    game = Game.objects.create(title=title, ruleset=ruleset, card=card, owner=owner)
    DatabaseStore(game.pk).append(entries)
    return game


def _own_files() -> dict[str, str]:
    """Return what lies in anna's library: a card with its map, terms of a purchase, an OB."""
    packs, tests = files("laager.packs"), Path(__file__).parents[1]
    return {
        "rzhavets.yaml": (packs / "pl" / "rzhavets.yaml").read_text(encoding="utf-8"),
        "rzhavets-map.yaml": (packs / "pl" / "rzhavets-map.yaml").read_text(encoding="utf-8"),
        "vistula.yaml": (packs / "dyo" / "vistula.yaml").read_text(encoding="utf-8"),
        "kampfgruppe.yaml": (tests / "design_your_own/data/kampfgruppe.yaml").read_text("utf-8"),
        "broken.yaml": (tests / "design_your_own/data/broken.yaml").read_text("utf-8"),
    }


def fill() -> Filled:
    """Make people and campaigns in an empty database."""
    made = [
        Player.objects.create_user(name, f"{name}@example.org", f"{name}-secret-word", **more)
        for name, more in (
            ("anna", {"time_zone": "Europe/Berlin", "is_staff": True}),
            ("bert", {"time_zone": "America/New_York"}),
            ("cleo", {}),
        )
    ]
    anna, bert, cleo = made
    games = {
        scene.name: _game(
            anna,
            scene.title,
            scene.ruleset,
            DEMOS[scene.ruleset][0],
            told(scene.ruleset)[scene.answers],
        )
        for scene in SCENES
    }
    # Names of unreasonable length, units by the hundred: what a page must bear.
    games["chance"] = _game(
        anna, "Sorgiva " + "Donaudampfschifffahrtsgesellschaft" * 3, "hasl", "sorgiva",
        played("sorgiva", REPORTS),
    )  # fmt: skip
    games["ended"] = _game(bert, "Rijnoord: lost", "abtf", "rijnoord", told("abtf")[20])
    for game in games.values():
        for side, user in (("axis", anna), ("allied", bert)):
            Member.objects.create(game=game, user=user, role=Role.PLAYER, side=side)
        Member.objects.create(game=game, user=cleo, role=Role.UMPIRE)
        game.refresh_from_db()
    site = Filled(anna, bert, cleo, games, "")
    actions.concede(site.seat("ended"))
    actions.ask_back(site.seat("ridge", "allied"))
    library.save_all(anna, _own_files())
    _, site.invitation = people.invite(site.seat("purchase"), Role.SPECTATOR, "", 7)
    return site
