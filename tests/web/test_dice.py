"""Dice that players roll themselves: clicked, typed, or left to Laager."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from laager.web.campaigns import actions
from laager.web.campaigns.tables import look
from tests.web.conftest import seat
from tests.web.typing_in import forms_of

if TYPE_CHECKING:
    from django.test import Client

    from laager.web.campaigns.tables import Asked
    from laager.web.models import Game, Player
    from tests.web.conftest import Begin, People


@dataclass
class Rolling:
    """A campaign in which dice are to be entered: the roll that is asked, and by whom."""

    people: People
    game: Game

    def asked(self) -> Asked:
        """Return what is asked first."""
        for user, side in ((self.people.anna, "axis"), (self.people.bert, "allied")):
            with look(seat(self.game, user, side)) as table:
                if table.asked:
                    return table.asked[0]
        raise AssertionError("nothing is asked")

    def roll(self, dice: str = "") -> Asked:
        """Answer with the proposals, but buy nothing, until such dice are asked."""
        for _ in range(80):
            asked = self.asked()
            roll = asked.pending.roll
            if roll is not None and dice in ("", roll.dice.value):
                return asked
            self.go_on(asked)
        raise AssertionError(f"no {dice} was asked")

    def go_on(self, asked: Asked) -> None:
        """Take the proposal, or buy nothing, or let Laager roll."""
        mine = seat(self.game, self.user(asked), asked.pending.side)
        if asked.pending.question is None:
            actions.roll(mine, asked.mark)
        elif asked.pending.key == "purchases":
            # What came of a purchase is shown as a sheet, not with its dice.
            actions.answer(mine, asked.mark, {"groups": []})
        else:
            actions.answer(mine, asked.mark, asked.pending.question.default)

    def user(self, asked: Asked) -> Player:
        """Return who is asked."""
        return self.people.anna if asked.pending.side == "axis" else self.people.bert

    def desk(self, asked: Asked) -> tuple[Client, str]:
        """Return the browser of who is asked, and the address of the roll."""
        address = f"/campaign/{self.game.pk}/{asked.pending.side}/ask/{asked.mark}/"
        return self.people.client(self.user(asked)), address


@pytest.fixture
def rolling(people: People, begin: Begin) -> Rolling:
    return Rolling(people, begin(entered_dice=True))


@pytest.mark.parametrize(("dice", "number"), [("dr", 1), ("DR", 2)])
def test_every_face_can_be_clicked(dice: str, number: int, rolling: Rolling) -> None:
    asked = rolling.roll(dice)
    client, address = rolling.desk(asked)
    text = client.get(address).content.decode()
    assert asked.pending.roll is not None
    assert asked.pending.roll.label in text
    assert text.count('type="radio"') == 6 * number
    faces = ["5", "2"][:number]
    done = client.post(address, {f"die{i}": face for i, face in enumerate(faces)} | {"do": "enter"})
    page = client.get(done["Location"]).content.decode()
    assert f'role="img" aria-label="{", ".join(faces)}"' in page
    # A second click counts for nothing.
    assert client.post(address, {"die0": "6", "die1": "6", "do": "enter"}).status_code == 409


@pytest.mark.parametrize("typed", ["7", "", "x", "3 9", "1 2 3", "0 1"])
def test_faces_that_cannot_be_are_refused_and_stay(typed: str, rolling: Rolling) -> None:
    client, address = rolling.desk(rolling.roll("DR"))
    page = client.post(address, {"faces": typed, "do": "enter"})
    assert page.status_code == 422
    assert re.search(rf'name="faces"\s+value="{typed}"', page.content.decode())
    assert client.post(address, {"faces": "34", "do": "enter"}).status_code == 302


def test_laager_rolls_if_it_is_asked_to(rolling: Rolling) -> None:
    asked = rolling.roll()
    client, address = rolling.desk(asked)
    other = rolling.people.bert if asked.pending.side == "axis" else rolling.people.anna
    assert rolling.people.client(other).post(address, {"do": "roll"}).status_code == 404
    page = client.get(client.post(address, {"do": "roll"})["Location"]).content.decode()
    assert 'class="die' in page


def test_the_odds_stand_beside_a_roll(rolling: Rolling) -> None:
    for _ in range(12):
        asked = rolling.roll()
        client, address = rolling.desk(asked)
        page = client.get(address).content.decode()
        if "<h2>Odds</h2>" in page:
            assert "/6</td>" in page or "/36</td>" in page
            return
        rolling.go_on(asked)
    raise AssertionError("no roll had a table behind it")


def test_the_umpire_looks_on_and_does_not_roll(rolling: Rolling) -> None:
    rolling.roll()
    umpire = rolling.people.client(rolling.people.cleo)
    with look(seat(rolling.game, rolling.people.cleo, "umpire")) as table:
        asked = table.asked[0]
    address = f"/campaign/{rolling.game.pk}/umpire/ask/{asked.mark}/"
    page = umpire.get(address)
    assert page.status_code == 200
    buttons = [button for form in forms_of(page.content) for button in form.buttons]
    assert not {"roll", "enter"} & set(buttons)
    assert umpire.post(address, {"do": "roll"}).status_code == 403
