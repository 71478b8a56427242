"""The pages in German: complete, up to date, and with the numbers and times of the reader."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import translation

from laager.campaign.speech import PLACE, note_missing, say
from laager.web.models import Player
from laager.web.rules.reference import books
from laager.web.shared.translation import translate
from tests.web import texts
from tests.web.conftest import Begin, People
from tests.web.screenshots_fill import fill
from tests.web.screenshots_pages import visits

HOW = "run `python -m tests.web.texts`, and translate what it names"
_PLACES = re.compile(r"%\(\w+\)[a-z]|%%|\{\w+\}")
_BETWEEN_TAGS = re.compile(r">([^<>]+)(?=<)")
_QUOTED = re.compile(r'(?<=")([^"]+)(?=")')

STAYS = frozenset({
    "AFV", "API", "CP", "CPP", "CVP", "DR", "DRM", "ELR", "FPP", "HIP", "ID", "OB",
    "OBA", "OpenAPI", "RG", "SAN", "SW", "TVP", "VASL", "YAML",
})  # fmt: skip
"""Abbreviations that German players use as they are."""


OF_THE_RULES = frozenset(
    {"Did it take part?", "Entry Area (arrow hex) of one that exited", "What it is now, if it changed"}
)
"""Texts that questions of the rules have in the same words; questions stay English."""


@pytest.fixture(params=texts.DOMAINS, ids=lambda domain: domain.name)
def domain(request: pytest.FixtureRequest) -> texts.Domain:
    """The texts of the pages, and those of the printed forms."""
    found: texts.Domain = request.param
    return found


def test_all_texts_are_translated(domain: texts.Domain) -> None:
    missing = texts.untranslated(texts.merged(domain))
    assert not missing, f"not translated, {HOW}: {missing[:5]}"


def test_the_files_are_what_pages_and_templates_say(domain: texts.Domain) -> None:
    assert domain.po.read_bytes() == texts.as_po(texts.merged(domain)), HOW
    assert domain.mo.read_bytes() == texts.as_mo(texts.stored(domain)), HOW


def test_translations_name_what_their_texts_name(domain: texts.Domain) -> None:
    for one in texts.stored(domain):
        ids = [one.id] if isinstance(one.id, str) else list(one.id)
        if one.id:
            for text in texts.said(one):
                named = {frozenset(_PLACES.findall(known)) for known in ids}
                assert frozenset(_PLACES.findall(text)) in named, one.id


SAME = frozenset({"Armor", "Bulldozer (B24.7)", "Front", "Gyrostabilizer", "Inclusive", "Strict"})
"""Words of tables that are the same in German."""
_NAMES = re.compile(r"[A-Z0-9][\w.+/-]*( [A-Z0-9][\w.+/-]*)*")
"""Names and terms of the game, such as `RF 1.6` and `Captured Use`, which stay as they are."""


def test_all_readings_and_tables_are_translated() -> None:
    """A new reading or table has to be translated, though it isn't said by code."""
    catalog = texts.stored(texts.RULES)
    missing = set()
    for book in books():
        said = [text for one in book.readings.values() for text in texts.of_reading(one)]
        said += [text for one in book.tables.values() for text in texts.of_table(one)]
        missing |= {text for text in said if text not in catalog and not _NAMES.fullmatch(text)}
    assert not missing - SAME, f"not translated, {HOW}: {sorted(missing - SAME)[:5]}"


def test_all_blanks_of_the_skeletons_are_translated() -> None:
    catalog = texts.stored(texts.RULES)
    missing = {text for text in texts.of_blanks() if text not in catalog and not _NAMES.fullmatch(text)}
    assert not missing, f"not translated, {HOW}: {sorted(missing)[:5]}"
    said = say("the CPP that the Germans get on each date (ABtF 9.616)", "de")
    assert said == "die CPP der Deutschen an jedem Date (ABtF 9.616)"


NO_WORDS = frozenset({"at: {at}"})
"""What refusals name and nobody translates."""


def test_all_refusals_are_translated() -> None:
    """A new refusal has to be translated: pages would say it in English to somebody who reads German."""
    with note_missing() as missed:
        for text in set(texts.of_refusals()) - NO_WORDS:
            say(PLACE.sub("X1", text), "de")
    assert not missed, f"not translated, {HOW} (add those that are new to rules.po): {sorted(missed)[:5]}"


def test_abbreviations_of_the_game_stay() -> None:
    for one in texts.stored(texts.PAGES):
        if isinstance(one.id, str) and one.id in STAYS:
            assert one.string == one.id


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("{% translate 'It is' %}", ["It is"]),
        ("{% include 'a.html' with title=_('Taken over') %}", ["Taken over"]),
        ("{% blocktranslate with by=x %}{{ by }} asks{% endblocktranslate %}", ["%(by)s asks"]),
        (
            "{% blocktranslate count n=x %}{{ n }} hex{% plural %}{{ n }} hexes{% endblocktranslate %}",
            [("%(n)s hex", "%(n)s hexes")],
        ),
        ("{# {% translate 'Never' %} #}It's “quoted”", []),
    ],
)
def test_texts_are_found_in_templates(source: str, found: list[texts.Text]) -> None:
    assert list(texts.of_template(source)) == found


def test_texts_are_found_in_printed_forms() -> None:
    source = 'A = (words("One {n}", n=1), desk.columns("Two", "Three"), words(A), other("No"))\n'
    assert list(texts.of_sheets(source)) == ["One {n}", "Two", "Three"]


def test_texts_are_found_in_modules() -> None:
    source = 'A = _("One") + gettext("Two " "parts")\nB = ngettext("n", "ns", 2) + other("No")\n'
    assert list(texts.of_module(source)) == ["One", "Two parts", ("n", "ns")]
    with pytest.raises(ValueError, match="line 1"):
        list(texts.of_module('_(f"{never}")'))


def test_what_nobody_has_translated_is_noticed() -> None:
    catalog = texts.merged(texts.PAGES)
    catalog.add("A text that is new")
    assert texts.untranslated(catalog) == ["A text that is new"]


def german(user: Player) -> Player:
    user.language = "de"
    user.time_zone = "Europe/Berlin"
    user.save()
    return user


def test_every_page_speaks_german(db: None) -> None:
    """No page shows a text of its frame in English to somebody who reads German."""
    site = fill()
    english = {
        str(one.id)
        for one in texts.stored(texts.PAGES)
        if isinstance(one.id, str) and len(one.id.split()) > 3 and "%" not in one.id
        if one.id != one.string and one.id not in OF_THE_RULES
    }
    assert len(english) > 100
    marked = {text for text in english if set(text) & set('<>"')}
    for page, body in visits(site, tongue="de"):
        assert '<html lang="de"' in body, page.label
        plain = re.sub(r"\s+", " ", body)
        left = english & {text.strip() for text in (*_BETWEEN_TAGS.findall(plain), *_QUOTED.findall(plain))}
        left |= {text for text in marked if f">{text}<" in plain or f"> {text} <" in plain}
        assert not left, f"{page.label}: {left}"


def test_the_browser_s_language_counts_until_one_is_chosen(people: People) -> None:
    client = people.client(None)
    assert "Anmelden" in client.get("/login/", headers={"accept-language": "de-AT"}).content.decode()
    assert "Log in" in client.get("/login/", headers={"accept-language": "fr"}).content.decode()
    people.anna.language = "en"
    people.anna.save()
    mine = people.client(people.anna).get("/", headers={"accept-language": "de"})
    assert "My campaigns" in mine.content.decode()


def test_errors_of_forms_are_german_too(people: People) -> None:
    client = people.client(german(people.anna))
    body = client.post("/account/password/", {"old_password": "wrong"}).content.decode()
    assert "Dieses Feld ist zwingend erforderlich." in body


def test_a_mistyped_address_has_a_page_of_its_own(people: People) -> None:
    client = people.client(german(people.anna))
    client.raise_request_exception = False
    answer = client.get("/campaign/mistyped/")
    assert answer.status_code == 404
    assert "Hier ist nichts" in answer.content.decode()
    strange = people.client(None).get("/nowhere", headers={"accept-language": "en"})
    assert "There is no such page" in strange.content.decode()
    assert 'href="/"' in strange.content.decode()


def test_a_fault_of_the_server_has_a_page_that_says_so(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("laager.web.starting.home.render", lambda *_: 1 / 0)
    client = people.client(people.anna)
    client.raise_request_exception = False
    answer = client.get("/")
    assert answer.status_code == 500
    told = answer.content.decode()
    assert "fault of Laager" in told
    assert "division" not in told


def test_dates_are_written_as_in_germany(begin: Begin, people: People) -> None:
    game = begin()
    client = people.client(german(people.anna))
    body = client.get(f"/campaign/{game.pk}/axis/people/").content.decode()
    today = datetime.now(UTC)
    with translation.override("de"):
        assert re.search(rf"\d\d\.\d\d\.{today.year}", body)
    assert f"/{today.year}" not in body


_ARTICLE = r"(?:d(?:ie|er|as|en|em|es)|ein(?:e|er|en|em|es)?|zu[mr]|vom|beim|im)"
_OF_A_SIDE = r"(?:(?:other_)?sides?|names?|who|whose|people|winner|loser|of|contingent|nation|words)\d*"
ARTICLE_OF_A_SIDE = re.compile(rf"\b{_ARTICLE} (?:\{{{_OF_A_SIDE}\}}|%\({_OF_A_SIDE}\)s)", re.IGNORECASE)
"""An article before the name of a side: it fits `Deutsche` or `Sowjets` and not every one that a card may bring."""

NO_SIDES = frozenset({
    "durch Tausch: ein {of}",
})  # fmt: skip
"""German texts in which such a placeholder holds something else."""


def test_no_article_stands_before_a_side(domain: texts.Domain) -> None:
    said = {
        form
        for text in texts.stored(domain)
        for form in ([text.string] if isinstance(text.string, str) else text.string or ())
    }
    wrong = sorted(form for form in said - NO_SIDES if ARTICLE_OF_A_SIDE.search(form))
    assert not wrong, f"say it without the article, such as `Sieger: {{side}}`: {wrong}"


def test_articles_before_sides_are_found() -> None:
    assert ARTICLE_OF_A_SIDE.search("Was haben die {side}?")
    assert ARTICLE_OF_A_SIDE.search("Sniper der %(side)s")
    assert not ARTICLE_OF_A_SIDE.search("Sieger: {side}, der DRM gilt")


def test_sides_and_theatres_of_cards_are_german(people: People) -> None:
    german = Client(headers={"accept-language": "de"})
    german.force_login(people.anna)
    page = german.get("/new/training").content.decode()
    assert "Deutsche" in page
    assert ">Germans" not in page
    assert "Germans:" not in page
    for text in ("North-West Europe", "Pacific", "Western Alps", "Ammunition", "Cost of the Attack Option"):
        assert say(text, "de") != text


def test_the_word_of_a_side_for_programs_is_not_said() -> None:
    said = [translate(text) for text in ("CG Roster: Germans (axis)", "U.S. (allied): CVP 10 amassed, ELR 4, SAN 4")]
    assert said == ["CG Roster: Germans", "U.S.: CVP 10 amassed, ELR 4, SAN 4"]


def test_calculations_and_weapons_that_nobody_has_are_said_whole() -> None:
    """What is bought is followed by how its price came about: figures and terms, which stay."""
    price = "10 x 9 BPV x 1.2 Sappers (FRU 3) + 5 inherent AT range = 100"
    assert say(f"Germans buys 10 4-6-7 for 100 ({price})", "de") == f"Deutsche kaufen 10 4-6-7 für 100 ({price})"
    assert say("MMG is with nobody any more", "de") == "MMG ist bei niemandem mehr"
