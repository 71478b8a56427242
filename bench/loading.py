"""What the load needs inside the server's own database: campaigns to play, and the proof after it.

`python -m bench.loading begin 100 2` lets 100 pairs begin two campaigns each, and prints whose tokens play them;
`python -m bench.loading proof` proves every log and prints how many answers each side has given.
Both run in the environment of the server, as processes of their own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge")
"""Campaigns that last: none of them is over before the load is."""


def begun(number: int, each: int = 1) -> list[dict[str, str]]:
    """Let a number of pairs of people begin some campaigns each; return the seats: campaign, name, token."""
    from laager.campaign.cards import find_card
    from laager.web.campaigns import actions
    from laager.web.models import Player
    from laager.web.shared import tokens

    seats = []
    for i in range(number):
        users = {side: Player.objects.create_user(f"{side}{i}", password=None) for side in ("axis", "allied")}
        keys = {side: tokens.make(user, "load") for side, user in users.items()}
        for j in range(each):
            path, rules = find_card(CARDS[(i + j) % len(CARDS)], None)
            game = actions.begin(users["axis"], path, rules, users)
            seats += [{"game": str(game.pk), "seat": side, "token": key} for side, key in keys.items()]
    return seats


def proven() -> dict[str, Any]:
    """Prove every campaign from its stored lines alone; return what was found and given."""
    from laager.campaign.audit import audit
    from laager.campaign.engine import Campaign
    from laager.web.campaigns.store import DatabaseStore
    from laager.web.models import EntryLine, Game

    faults, given, entries = [], {}, 0
    for game in Game.objects.all():
        numbers = EntryLine.objects.filter(game=game).values_list("number", flat=True)
        if list(numbers) != list(range(1, game.length + 1)):
            faults.append(f"{game.pk}: lines are missing or there twice")
        store = DatabaseStore(game.pk)
        campaign = Campaign(store)
        if store.head != game.head:
            faults.append(f"{game.pk}: the last line is not the one that was stored last")
        faults += [f"{game.pk}: {one.number}: {one.what}" for one in audit(campaign).findings]
        entries += len(campaign.entries)
        for side in campaign.ruleset.sides:
            given[f"{game.pk}/{side}"] = sum(
                entry.type == "answer" and entry.body["side"] == side for entry in campaign.history.counted
            )
    return {"faults": faults, "given": given, "entries": entries}


def services(number: int) -> float:
    """Return the seconds of an answer given without a request, on average; the first campaign is not counted."""
    import time
    from uuid import UUID

    from laager.web.campaigns import actions
    from laager.web.campaigns.tables import look
    from laager.web.models import Member
    from laager.web.seats.permissions import find_seat

    took = 0.0
    # Those begun last with the first card.
    games = list(dict.fromkeys(Member.objects.order_by("-id").values_list("game", flat=True)))
    for game in games[len(CARDS) - 1 : 2 * len(CARDS) : len(CARDS)]:
        members = Member.objects.filter(game=game, side__in=("axis", "allied"))
        seats = [find_seat(one.user, UUID(str(game)), one.side) for one in members]
        took, given = 0.0, 0
        while given < number:
            for seat in seats:
                with look(seat) as table:
                    asked = [one for one in table.asked if one.pending.question is not None][:1]
                for one in asked:
                    started = time.perf_counter()
                    actions.answer(seat, one.mark, one.need_question().default)
                    took, given = took + time.perf_counter() - started, given + 1
    return took / number


def inside(environ: dict[str, str], *words: str) -> Any:
    """Run this module in a server's environment; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.loading", *words],
        env=environ | {"DJANGO_SETTINGS_MODULE": "laager.web.serving.settings"},
        check=True,
        stdout=subprocess.PIPE,
    )
    return json.loads(done.stdout)


def main() -> None:
    """Do what was asked for, and print it as JSON."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "laager.web.serving.settings")
    django.setup()
    does: dict[str, Callable[..., Any]] = {"begin": begun, "proof": proven, "services": services}
    found = does[sys.argv[1]](*map(int, sys.argv[2:]))
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
