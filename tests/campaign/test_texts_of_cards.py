"""Texts of cards in several languages: read, kept in logs, said in the viewer's language, hidden from nobody else's."""

from __future__ import annotations

import pickle
from typing import Any, cast

import pytest
import yaml

from laager.base import DataError
from laager.base.files import FilePart, check, parse_document
from laager.base.texts import FreeText, Multilingual, is_in_languages, meanings_of
from laager.campaign import find_ruleset
from laager.campaign.cards import find_card, shipped_cards
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.opening import opening_entries
from laager.campaign.speech import say, with_texts_of_card
from laager.campaign.telling import log_in_words
from laager.campaign.views import view
from laager.rules.board.hasl.grids.cells import Sentences, WordsCell
from laager.rules.board.hasl.grids.grid import Column
from laager.rules.platoon_leader.card.card import Card
from laager.sheets.offers import leaf

TRAINING = find_card("training", None)[0]


class Part(FilePart):
    name: FreeText = ""
    hints: dict[str, FreeText] = {}


def test_a_text_is_one_or_several_and_is_written_as_it_came() -> None:
    data: dict[str, Any] = {"name": {"de": "Rot", "en": "Red"}, "hints": {"a": "plain", "b": {"fr": "oui", "de": "ja"}}}
    part = Part.model_validate(data)
    assert (part.name, part.hints["a"], part.hints["b"]) == ("Red", "plain", "ja")
    assert part.model_dump(mode="json", exclude_defaults=True) == data
    assert Part.model_validate_json(part.model_dump_json()) == part
    again = pickle.loads(pickle.dumps(part.name))
    assert isinstance(again, Multilingual)
    assert again.meanings == data["name"]
    assert meanings_of(part) == {"de": {"Red": "Rot", "ja": "ja"}, "fr": {"ja": "oui"}}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("{}", "{} is not a text; write a text"),
        ("{EN: Red}", "'EN' is no language"),
        ("{en: Red, de: ' '}", "the text for 'de' is not there"),
        ("{en: 3}", "name"),
        ("[Red]", "name"),
    ],
)
def test_what_is_no_text_is_refused_with_what_is_right(text: str, wrong: str) -> None:
    with pytest.raises(DataError) as refused:
        check(parse_document(f"name: {text}", "card.yaml"), Part)
    assert wrong in str(refused.value)
    assert "card.yaml" in str(refused.value)
    assert not is_in_languages({"en": 3})


def test_a_text_is_said_in_the_viewers_language_else_in_its_own() -> None:
    red = Multilingual({"en": "Red", "de": "Rot"})
    assert [say(red, language) for language in ("en", "de", "fr")] == ["Red", "Rot", "Red"]
    with with_texts_of_card({"de": {"Take the mill.": "Nimm die Mühle."}}):
        assert say("Take any weather. Hint: Take the mill.", "de").endswith("Nimm die Mühle.")
        assert say("Take the mill.", "en") == "Take the mill."
    assert say("Take the mill.", "de") == "Take the mill."


def begun(card: dict[str, Any]) -> Campaign:
    ruleset = find_ruleset("pl")
    setting = ruleset.read_card(TRAINING, {}).setting
    made = Card.model_validate(card).model_dump(mode="json", exclude_defaults=True)
    store = MemoryStore()
    store.load()
    store.append(opening_entries("pl", "A mill", {**setting, "card": made}, seed=bytes(32)))
    campaign = Campaign(store)
    campaign.advance()
    return campaign


def test_a_campaign_says_what_its_card_says_and_its_log_is_the_same_in_every_language() -> None:
    card = yaml.safe_load(TRAINING.read_text(encoding="utf-8"))
    card["sides"]["axis"]["name"] = {"en": "Red", "de": "Die Roten"}
    card["hints"]["agreements"] = {"en": "Tick nothing at all.", "de": "Kreuz gar nichts an."}
    campaign = begun(card)
    seen = view(campaign, "axis")
    question = seen.pending[0].question
    assert question is not None
    assert question.help.endswith("Hint: Tick nothing at all.")
    with with_texts_of_card(campaign.context.texts):
        assert "Kreuz gar nichts an." in say(question.help, "de")
    english, german = ("\n".join(line.text for line in log_in_words(campaign, seen, code)) for code in ("en", "de"))
    assert "Die Roten" not in english
    assert "Die Kampagne beginnt" in german
    printed = [str(leaf(campaign, "axis", "roster-axis", code)) for code in ("en", "de")]
    assert ["Red" in text for text in printed] == [True, False]
    assert ["Die Roten" in text for text in printed] == [False, True]
    sheets = {sheet.id: sheet for sheet in cast("Any", campaign.ruleset).sheets(campaign.context, seen.state)}
    with with_texts_of_card(campaign.context.texts):
        about = [say(cell, "de") for row in sheets["about"].rows for cell in row]
    assert any(cell.startswith("Irgendwo in der Steppe") for cell in about)
    assert not any("Somewhere" in cell for cell in about)


@pytest.mark.parametrize("card", [card.id for card in shipped_cards()])
def test_each_shipped_card_brings_its_prose_in_german(card: str) -> None:
    data = yaml.safe_load(find_card(card, None)[0].read_text(encoding="utf-8"))
    hints, about = data.get("hints", {}), data.get("about", {})
    prose = [data["source_note"], *hints.values(), *about.values(), *data.get("rules", ()), *data.get("needs", ())]
    prose += [balance["text"] for balance in data.get("balance", ())]
    assert len(prose) > 3
    without = [text for text in prose if not is_in_languages(text) or {"en", "de"} - set(text)]
    assert not [text for text in without if not str(text).startswith("Beyond Valor")], without


def test_a_cell_shows_the_own_text_and_leaves_others_alone() -> None:
    assert WordsCell().text({"en": "Red", "de": "Rot"}) == "Red"
    assert WordsCell().text({"count": 3}) is None


def test_a_chart_that_is_pasted_back_loses_no_language() -> None:
    rules = Column(("rules",), "SSR", "", Sentences())
    title = Column(("title",), "Title", "", WordsCell())
    row: dict[str, Any] = {"rules": [{"en": "No PF.", "de": "Keine PF."}, "Mud."], "title": {"en": "Red", "de": "Rot"}}
    assert rules.of(row)[0] == "No PF. | Mud."
    rules.put(row, "Mud. | No PF. | Snow.")
    assert row["rules"] == ["Mud.", {"en": "No PF.", "de": "Keine PF."}, "Snow."]
    title.put(row, "Blue")
    assert row["title"] == {"en": "Blue", "de": "Rot"}
