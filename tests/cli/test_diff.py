"""`laager diff`: what differs between two versions of a card, in the words of its charts."""

from __future__ import annotations

import json
from pathlib import Path

from laager.rules.board.card.files import shipped_files

from .conftest import Laager

CARD = shipped_files("pl", "")["training"]


def versions(*changes: tuple[str, str]) -> tuple[Path, Path]:
    text = CARD.read_text("utf-8")
    Path("old.yaml").write_text(text, encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    Path("new.yaml").write_text(text, encoding="utf-8")
    return Path("old.yaml"), Path("new.yaml")


def test_what_differs_is_told_in_the_words_of_the_charts(laager: Laager) -> None:
    evening = "  - {date: 1941-08-03, time: evening, game_end: {4: 3, 5: 6}, weather: Clear}\n"
    told = laager.well(
        "diff",
        *versions(
            (evening, ""),
            ("        cost: 3\n", "        cost: 6\n"),
            ("limits: {wire: 2}", "limits: {wire: 3}"),
            ("F7: 1, G5: 2, H3: 2", "F7: 1, G5: 4"),
        ),
    ).splitlines()
    assert told[:-1] == [
        "Calendar, 1941-08-03 evening: gone; it was: evening, 4 3, 5 6, Clear",
        "Soviets: groups to buy, I1: CP 6 instead of 3",
        "Soviets: fortifications: Limits wire 3 instead of wire 2",
        "TVP, G5: TVP 4 instead of 2",
        "TVP, H3: gone; it was: 2",
    ]
    assert told[-1].endswith("begin from there: laager new new.yaml --from record.yaml")


def test_a_changed_time_is_told_as_one_change(laager: Laager) -> None:
    evening = "date: 1941-08-03, time: evening"
    told = laager.well("diff", *versions((evening, "date: 1941-08-03, time: night"))).splitlines()
    assert told[:-1] == ["Calendar, 1941-08-03 evening: Time night instead of evening"]
    told = laager.well("diff", *versions((evening, "date: 1941-08-04, time: evening"))).splitlines()
    assert told[:-1] == ["Calendar, 1941-08-03 evening: Day 1941-08-04 instead of 1941-08-03"]


def test_texts_that_no_chart_shows_are_not_passed_over(laager: Laager) -> None:
    old, new = versions(("playing_time: {least: 20,", "playing_time: {least: 30,"))
    assert laager.well("diff", old, new) == "What no chart shows differs, too, such as texts for players.\n"
    assert laager.well("diff", old, old) == "old.yaml and old.yaml say the same\n"
    assert json.loads(laager.well("diff", old, new, "--json")) == {"differences": [], "others": True}


def test_a_shipped_card_goes_by_its_name(laager: Laager) -> None:
    old, new = versions(("limits: {wire: 2}", "limits: {wire: 3}"))
    assert laager.well("diff", "training", old) == "training and old.yaml say the same\n"
    assert "wire 3 instead of wire 2" in laager.well("diff", "training", new)
    assert "did you mean training?" in laager("diff", "trainin", new).err


def test_only_files_of_one_kind_with_charts_are_compared(laager: Laager) -> None:
    old, _ = versions()
    map_ = CARD.with_name("training-map.yaml")
    for one, other, wrong in ((old, map_, "is of another kind than"), (map_, old, "has no charts")):
        ended = laager("diff", one, other)
        assert ended.code == 1
        assert wrong in ended.err
