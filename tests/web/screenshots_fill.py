"""A site that is full of everything: campaigns of all rulesets, told by their answer files.

The pages of this site are looked at by `python -m tests.web.screenshots`, judged by axe, and
looked through for texts that nobody has translated.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from django.utils import timezone

from laager.base.files import Document, check, read_document
from laager.campaign.engine import Campaign
from laager.campaign.log import Entry
from laager.campaign.opening import opening_entries
from laager.campaign.ruleset import find_ruleset
from laager.cli.play.answers import AnswerEntry, AnswersFile, give_all
from laager.rules.board.hasl.skeleton import skeleton
from laager.vasl import read_module
from laager.web.campaigns import actions
from laager.web.campaigns.store import DatabaseStore
from laager.web.library.files import files as library
from laager.web.models import Game, Member, Player, Role, Webhook
from laager.web.play.battle import saves
from laager.web.records.rulings import drafts
from laager.web.seats import members, outgoing, webhooks
from laager.web.seats.permissions import Seat, find_seat
from laager.web.shared.receivers import Delivery
from laager.web.talk import dates, messages
from tests.vasl.module_writer import small
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

SLIPPED = "R18"
"""The hex where a squad of anna's draft stands in the record."""
LOST = 20
"""After so many answers somebody gives up, at the campaign that has ended."""


@cache
def _answers(ruleset: str) -> tuple[tuple[Document, tuple[AnswerEntry, ...]], ...]:
    card, parts = DEMOS[ruleset]
    found = []
    for part in parts:
        with as_file(files("laager.packs") / ruleset / "demo" / f"{card}{part}.yaml") as path:
            document = read_document(path)
        found.append((document, check(document, AnswersFile).answers))
    return tuple(found)


@cache
def told(ruleset: str, stops: tuple[int, ...]) -> dict[int, tuple[Entry, ...]]:
    """Return the log of a shipped campaign after so many of its demo's answers; all, for -1."""
    rules = find_ruleset(ruleset)
    made = rules.read_card(rules.shipped_cards()[DEMOS[ruleset][0]], {})
    store = Memory()
    store.append(opening_entries(ruleset, made.title, made.setting, True, bytes(32)))
    campaign = Campaign(store)
    campaign.advance()
    logs, given = {}, 0
    for document, answers in _answers(ruleset):
        # Many at a time: each giving tries them on a copy of the campaign first.
        inner = [stop - given for stop in stops if given < stop < given + len(answers)]
        for begin, end in pairwise([0, *sorted(inner), len(answers)]):
            give_all(campaign, document, answers[begin:end], None)
            logs[given + end] = tuple(store.entries)
        given += len(answers)
    return logs | {-1: tuple(store.entries)}


def _log(ruleset: str, answers: int) -> tuple[Entry, ...]:
    stops = {one.answers for one in SCENES if one.ruleset == ruleset} | {LOST}
    return told(ruleset, tuple(sorted(stops)))[answers]


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


RECORD = """\
laager: pl-record/1
card: Night March to Rzhavets
round: new
next: cp-replenishment
public:
  fight: {number: 2}
  past:
    1: {type: Axis Assault}
  axis:
    units:
      AX1: {type: 4-6-7, at: L18}
"""
HOUSE = """\
laager: house/1
ruleset: pl
title: Our rules
why: Three firefights are too few for the printed figures.
rules:
  PL 3.47:
    column inclusive: {13: 0}
    modifiers: {attacked: 1, no-idle: off, rain: {value: 1, when: it rained}}
  PL 3.41: off
"""


def _own_files() -> dict[str, str]:
    """Return what lies in anna's library: a card with its map, terms of a purchase, an OB."""
    packs, tests = files("laager.packs"), Path(__file__).parents[1]
    return {
        "rzhavets.yaml": (packs / "pl" / "rzhavets.yaml").read_text(encoding="utf-8"),
        "rzhavets-map.yaml": (packs / "pl" / "rzhavets-map.yaml").read_text(encoding="utf-8"),
        "vistula.yaml": (packs / "dyo" / "vistula.yaml").read_text(encoding="utf-8"),
        "kampfgruppe.yaml": (tests / "design_your_own/data/kampfgruppe.yaml").read_text("utf-8"),
        **skeleton("abtf", "arnhem"),
        "house.yaml": HOUSE,
        "record.yaml": RECORD,
        "broken.yaml": (tests / "design_your_own/data/broken.yaml").read_text("utf-8"),
    }


def _counters() -> bytes:
    """Return the counters of a small module of our own."""
    with TemporaryDirectory() as folder:
        return read_module(small().write(Path(folder) / "VASL.vmod")).pack()


def _rule(site: Filled) -> None:
    """Let anna write a ruling, and bert ask for one."""
    drafts.keep_draft(
        site.seat("report"),
        {
            "laager": "ruling/1",
            "why": "the squad stood one hex further",
            "units": {"AX1": {"at": "Q18"}},
            "ground": {"control": {"Q18": "axis"}},
        },
    )
    asked = {
        "laager": "ruling/1",
        "why": "the river line is still ours, and one number was typed wrong",
        "sides": {"allied": {"cp": 19, "elr": 4}},
        "ground": {"control": {"O16": "allied"}, "blazes": ["+O16"]},
    }
    actions.propose_ruling(site.seat("setup", "allied"), drafts.document_of(asked))


def _talk(site: Filled) -> None:
    """Let people talk at a table."""
    said = (
        ("axis", "table", "Good evening! Shall we fight it out on Thursday? https://example.org/map"),
        ("allied", "table", "Thursday is fine.\nI need a week for the purchases after that, though."),
        ("axis", "side-axis", "They must be short of armour. I would hold the bridge and nothing else."),
        ("axis", "umpire-axis", "Does the Blaze in R15 count for us?"),
        ("allied", "side-allied", "plantedalliedtalk"),
    )
    for side, channel, text in said:
        messages.write_message(site.seat("purchase", side), channel, text, may_be_quoted=True)
    messages.delete_message(site.seat("purchase", "allied"), "table", 2)
    messages.write_message(site.seat("purchase", "allied"), "table", "Thursday is fine.")


def _plan(site: Filled) -> None:
    """Let a session be proposed at one table, and fixed at another."""
    evening = timezone.now().replace(hour=19, minute=0, second=0, microsecond=0) + timedelta(days=6)
    times = [evening, evening + timedelta(days=1), evening + timedelta(days=3, hours=-4)]
    plan = dates.propose_times(site.seat("purchase", "allied"), times, 240, "At the club, upstairs")
    dates.reply_to_plan(site.seat("purchase"), plan.number, times[:2])
    plan = dates.propose_times(site.seat("report"), times, 180)
    dates.fix_time(site.seat("report"), plan.number, times[1])


def fill() -> Filled:
    """Make people and campaigns in an empty database."""
    made = [
        Player.objects.create_user(name, f"{name}@example.org", f"{name}-secret-word", **more)
        for name, more in (
            ("anna", {"time_zone": "Europe/Berlin", "is_staff": True, "is_superuser": True}),
            ("bert", {"time_zone": "America/New_York"}),
            ("cleo", {}),
        )
    ]
    anna, bert, cleo = made
    games = {
        scene.name: _game(anna, scene.title, scene.ruleset, DEMOS[scene.ruleset][0], _log(scene.ruleset, scene.answers))
        for scene in SCENES
    }
    # Names of unreasonable length, units by the hundred: what a page must bear.
    games["chance"] = _game(
        anna, "Sorgiva " + "Donaudampfschifffahrtsgesellschaft" * 3, "hasl", "sorgiva",
        played("sorgiva", REPORTS),
    )  # fmt: skip
    games["ended"] = _game(bert, "Rijnoord: lost", "abtf", "rijnoord", _log("abtf", LOST))
    for game in games.values():
        for side, user in (("axis", anna), ("allied", bert)):
            Member.objects.create(game=game, user=user, role=Role.PLAYER, side=side)
        Member.objects.create(game=game, user=cleo, role=Role.UMPIRE)
        game.refresh_from_db()
    site = Filled(anna, bert, cleo, games, "")
    actions.concede(site.seat("ended"))
    Member.objects.filter(game=games["ended"], role=Role.PLAYER).update(listed=True, public_delay="battle")
    actions.ask_back(site.seat("ridge", "allied"))
    _rule(site)
    library.save_all(anna, _own_files())
    saves.keep_counters(anna, [("counters.gz", _counters())])
    _talk(site)
    _plan(site)
    # One webhook whose receiver is gone.
    hook = webhooks.choose_webhook(site.seat("purchase"), "generic", "https://club.example/laager")
    outgoing.hand_over(hook.member_id, ["gone"])
    hook.refresh_from_db()
    outgoing.settle(hook, ["gone"], Delivery(Webhook.Trouble.ANSWER, 503, "<h1>Back on Monday</h1>"))
    _, site.invitation = members.invite(site.seat("purchase"), Role.SPECTATOR, "", 7)
    return site
