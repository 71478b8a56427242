"""What the load needs inside the server's own database: campaigns to play, and the proof after it.

`python -m bench.loading begin 100` begins campaigns and prints whose tokens play them;
`python -m bench.loading proof` proves every log and prints how many answers each side has given.
Both run in the environment of the server, as processes of their own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge")
"""Campaigns that last: none of them is over before the load is."""


def begun(number: int) -> list[dict[str, str]]:
    """Begin campaigns of two people each; return the seats: campaign, name, token."""
    from laager.campaign.cards import find_card
    from laager.web.models import Player
    from laager.web.services.people import tokens
    from laager.web.services.play import actions

    seats = []
    for i in range(number):
        path, rules = find_card(CARDS[i % len(CARDS)], None)
        users = {side: Player.objects.create_user(f"{side}{i}", password=None) for side in ("axis", "allied")}
        game = actions.begin(users["axis"], path, rules, users)
        seats += [
            {"game": str(game.pk), "seat": side, "token": tokens.make(user, "load")} for side, user in users.items()
        ]
    return seats


def proven() -> dict[str, Any]:
    """Prove every campaign from its stored lines alone; return what was found and given."""
    from laager.campaign.audit import audit
    from laager.campaign.engine import Campaign
    from laager.web.models import EntryLine, Game
    from laager.web.services.play.store import DatabaseStore

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


def inside(environ: dict[str, str], *words: str) -> Any:
    """Run this module in a server's environment; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.loading", *words],
        env=environ | {"DJANGO_SETTINGS_MODULE": "laager.web.settings"},
        check=True,
        stdout=subprocess.PIPE,
    )
    return json.loads(done.stdout)


def main() -> None:
    """Do what was asked for, and print it as JSON."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "laager.web.settings")
    django.setup()
    found = begun(int(sys.argv[2])) if sys.argv[1] == "begin" else proven()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
