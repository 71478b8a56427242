"""Every question of every rule system is answered through its form, as a browser would."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from laager.web.services import forms
from laager.web.services.tables import look
from tests.web.conftest import seat
from tests.web.typing_in import ask_form

if TYPE_CHECKING:
    from django.test import Client

    from laager.web.models import Game, Player
    from laager.web.services.tables import Asked
    from tests.web.conftest import Begin, People

CARDS = ("rzhavets", "rijnoord", "kokusa-ridge", "sorgiva", "vistula")


def asked_of(game: Game, user: Player, side: str) -> Asked | None:
    """Return what a side is asked first."""
    with look(seat(game, user, side)) as table:
        return table.asked[0] if table.asked else None


def typed(client: Client, address: str, asked: Asked, value: Any) -> dict[str, list[str]]:
    """Return what a browser sends for an answer: it is put into the form, and read from there."""
    question = asked.pending.question
    assert question is not None
    csrf = {"view": ["form"], "do": ["save"]}
    page = client.post(address, forms.data_of(question.form, value) | csrf)
    assert page.status_code == 200, page.content.decode()[:2000]
    return ask_form(page.content).data


def play(people: People, game: Game, rng: Random, most: int) -> set[str]:
    """Answer through the pages until nothing is asked; return the keys of what was asked."""
    seats = {"axis": people.anna, "allied": people.bert}
    clients = {side: people.client(user) for side, user in seats.items()}
    keys: set[str] = set()
    for _ in range(most):
        found = [(s, one) for s, u in seats.items() if (one := asked_of(game, u, s))]
        if not found:
            break
        side, asked = rng.choice(found)
        question = asked.pending.question
        address = f"/campaign/{game.pk}/{side}/ask/{asked.mark}/"
        if question is None:
            done = clients[side].post(address, {"do": "roll"})
        else:
            value = question.sample(rng)
            data = typed(clients[side], address, asked, value)
            assert question.accept(forms.value_of(question.form, data)) == question.accept(value)
            keys.add(question.key)
            done = clients[side].post(address, data | {"do": ["give"]})
        assert done.status_code == 302, done.content.decode()[:3000]
    return keys


@pytest.mark.parametrize("card", CARDS)
def test_campaigns_are_played_through_forms(card: str, people: People, begin: Begin) -> None:
    keys = play(people, begin(card), Random(4), 60)
    assert len(keys) > 8
