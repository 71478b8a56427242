"""What rules say in another language: looked up by what stands between the placeholders."""

from __future__ import annotations

import pytest

from laager.campaign.speech import PLACE, Phrase, put, say
from tests.web import texts

TEXTS = [one for one in texts.stored(texts.RULES) if one.id]


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Weather", "Wetter"),
        ("axis reveals 4-6-7 (AX12) in H7", "axis decken 4-6-7 (AX12) in H7 auf"),
        # What stands in a placeholder is looked up in turn.
        (
            "3+3=6, +1 lost (PL 3.47), low intensity: the play of firefight 2 is over CP",
            "3+3=6, +1 verloren (PL 3.47), Intensität niedrig: das Spiel des Firefight 2 ist vorbei CP",
        ),
        ("AX1 to R15", "AX1 nach R15"),
        # The reason of a modifier keeps its comma.
        (
            "Game End dr 4, -1 moving second, after turn 5 (PL CG2) = 3, not above 6 (turn 7)",
            "Game End dr 4, -1 zieht als Zweiter, nach Turn 5 (PL CG2) = 3, nicht über 6 (Turn 7)",
        ),
        # A full stop belongs to no text.
        (
            "The campaign is over, won by the British. Germans conceded.",
            "Die Kampagne ist vorbei, gewonnen von: Briten. Deutsche gaben auf.",
        ),
        (
            "Night: Base NVR 2, moon: none. Germans attack: Cloaking, SW dismantled as far as possible meanwhile.",
            "Nacht: Base NVR 2, kein Mond. Deutsche greifen an: Cloaking, SW inzwischen so weit wie möglich zerlegt.",
        ),
        (
            "CVP of firefight 2: Germans 5, Soviets 8; wrecks on the map: T-34 in P15 (6 CVP), T-34 in Q14",
            "CVP des Firefight 2: Deutsche 5, Sowjets 8; Wracks auf der Karte: T-34 in P15 (6 CVP), T-34 in Q14",
        ),
        ("fortified building", "befestigtes Gebäude"),
        # Sentences stand by themselves, and what nobody has translated stays.
        (
            "Both sides answer before either sees what the other wants. Hint: So far nobody said this.",
            "Beide Seiten antworten, bevor eine sieht, was die andere will. Tipp: So far nobody said this.",
        ),
        ("A sentence of which nothing is known, with 3 words", "A sentence of which nothing is known, with 3 words"),
        ("4-6-7 (AX12)", "4-6-7 (AX12)"),
        ("", ""),
    ],
)
def test_texts_are_said_in_german(english: str, german: str) -> None:
    assert say(english, "de") == german
    assert say(english, "en") == english


def test_each_text_of_the_catalogue_is_found_with_any_parts() -> None:
    """No text hides another: with parts in its places it's found as itself, or as one that says the same of it."""
    assert len(TEXTS) > 1000
    lost = []
    for one in TEXTS:
        text, meaning = str(one.id), str(one.string)
        parts = {name: f"Q{i}" for i, name in enumerate(dict.fromkeys(PLACE.findall(text)))}
        filled = PLACE.sub(lambda found, parts=parts: parts[found[1]], text)  # type: ignore[misc]
        expected = PLACE.sub(lambda found, parts=parts: parts[found[1]], meaning)  # type: ignore[misc]
        if say(filled, "de") != expected:
            lost.append((text, say(filled, "de"), expected))
    # Two texts that say the same in other words, such as "{0} x {1}", may stand for one another.
    assert len(lost) <= len(TEXTS) // 50, lost[:10]


def test_names_in_short_phrases_are_names_and_no_sentences() -> None:
    phrase = Phrase.of("{1} in {2}", "{1} in {2}")
    assert phrase.parts_of("LMG (AX4) in M17") == {"1": "LMG (AX4)", "2": "M17"}
    assert phrase.parts_of("nobody in particular") is None
    assert phrase.parts_of("nobody has said what this may be good for in M17") is None


def test_text_of_any_kind_is_read_in_no_time_and_never_refused() -> None:
    for text in ("(" * 5000, "a, " * 1900, "{0}{name}", "Weather\n\nWeather", " to " * 1500, "\x00é", "x" * 100_000):
        assert isinstance(say(text, "de"), str)
    assert say("Weather\n\nWeather", "de") == "Wetter\n\nWetter"


def test_a_language_without_a_catalogue_is_english() -> None:
    assert say("Weather", "fr") == "Weather"
    assert put("brought back by {who}", "fr", who="Anna") == "brought back by Anna"
    assert put("brought back by {who}", "de", who="{at}") == "zurückgeholt von: {at}"


@pytest.mark.parametrize(
    ("english", "german"),
    [
        # Sentences that are known together, behind others that are not.
        (
            "Nobody knows this. Two rows of five hexes side by side. NVR doesn't count for LOS. "
            "The Japanese see what you record; the rest stays Retained.",
            "Nobody knows this. Zwei Reihen von fünf Hexes nebeneinander. NVR zählt nicht für LOS. "
            "Die Japaner sehen, was du notierst; der Rest bleibt Retained.",
        ),
        ("What now? Hint: A better leader is worth it.", "Was nun? Tipp: Ein besserer Leader lohnt sich."),
        ("Germans: Control the bridge.", "Deutsche: Control über die Brücke."),
        ("CG Roster: Germans (axis)", "CG Roster: Deutsche (axis)"),
        ("1943-07-12 before dawn, night", "1943-07-12 vor Tagesanbruch, Nacht"),
        (
            "2 x 10 CVP lost in the previous firefight and its RePh",
            "2 x 10 CVP verloren im vorigen Firefight und seiner RePh",
        ),
        # A short phrase around English prose says nothing.
        ("A number that is not there", "Eine Zahl, die fehlt"),
        ("a number that is not in the book", "a number that is not in the book"),
        ("100 points, as from 1900 to 1910 and on.", "100 points, as from 1900 to 1910 and on."),
    ],
)
def test_texts_are_taken_apart_where_it_makes_sense(english: str, german: str) -> None:
    assert say(english, "de") == german
