"""How long lists are told in a line, and sides as their people."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from laager.campaign import sentences
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore
from laager.campaign.sentences import join_clauses, people, said_of_many, who_does, with_names, without_needless_article
from laager.campaign.speech import note_missing
from laager.campaign.telling import MOST_LISTED, brief, lines_of, log_in_words, tell_fact
from laager.campaign.views import view
from laager.rules.board.facts import UnitMarked
from laager.rules.board.units import Mark

LOG = Path(__file__).parent.parent / "old_campaigns" / "logs" / "abtf-rijnoord.laager.gz"


def listed(letter: str, count: int) -> str:
    return ", ".join(f"{letter}{number}" for number in range(1, count + 1))


def test_a_long_list_of_locations_shows_the_first_and_how_many_more_there_are() -> None:
    assert brief(f"Control of {listed('N', 40)} lost") == f"Control of {listed('N', 8)}, … and 32 more lost"
    short = f"Control of {listed('N', MOST_LISTED)} lost"
    assert brief(short) == short


def test_units_are_all_named_though_their_ids_look_like_hexes() -> None:
    text = f"40 x 4-6-7 ({listed('AX', 40)}) join I1/1"
    assert brief(text) == text


def test_an_answer_that_names_a_side_is_told_with_its_people() -> None:
    kept = gzip.decompress(LOG.read_bytes()).splitlines(keepends=True)
    campaign = Campaign(MemoryStore(b"".join(kept[: len(kept) // 3])))
    answers = [one.text for one in log_in_words(campaign, view(campaign, "umpire")) if one.entry.type == "answer"]
    assert any(re.search("turn [0-9]+, (Germans|British)$", text) for text in answers)
    assert not any(text.endswith(("axis", "allied")) for text in answers)


def test_what_is_told_of_one_unit_says_is_once() -> None:
    assert (
        join_clauses("is concealed", "is with LMG (AX4)", "is now in M3") == "is concealed, with LMG (AX4), now in M3"
    )
    assert join_clauses("breaks", "is now in M3", "is off the map") == "breaks, is now in M3, off the map"
    assert (
        join_clauses("is concealed, now in M3", "joins I1/1", "is wounded")
        == "is concealed, now in M3, joins I1/1, is wounded"
    )
    assert join_clauses("ist verwundet", "ist jetzt in M3", language="de") == "ist verwundet, jetzt in M3"


def test_of_several_units_verbs_follow() -> None:
    assert said_of_many("rallies, is now in M3, off the map") == "rally, are now in M3, off the map"
    assert said_of_many("kommt zu I1/1, ist jetzt in M3", "de") == "kommen zu I1/1, sind jetzt in M3"


def test_the_log_says_in_sentences_what_became_of_units_and_points() -> None:
    campaign = Campaign(MemoryStore(gzip.decompress(LOG.read_bytes())))
    lines = lines_of(log_in_words(campaign, view(campaign, "umpire")), full=True)
    assert not [line for line in lines if re.search(r" [+-](?!\d)\w+", line.partition("(")[0]) and "answer" not in line]
    said = "\n".join(lines_of(log_in_words(campaign, view(campaign, "umpire"))))
    for sentence in (
        " rally, are no longer under DM",
        " is cloaked, now in ",
        " spend 4 CPP",
        ' lose 6-4-8 "E", DC "E", captured',
    ):
        assert sentence in said, sentence


PEOPLES = {"axis": "Red", "allied": "Germans"}


def test_a_people_is_many_and_has_an_article_and_a_side_called_red_is_one_without() -> None:
    assert [people(PEOPLES, side) for side in PEOPLES] == ["Red", "the Germans"]
    assert [who_does(PEOPLES, side, "wins", "en") for side in PEOPLES] == ["Red wins", "Germans win"]
    assert with_names("axis answers for allied, and allied answers of axis", PEOPLES) == (
        "Red answers for the Germans, and Germans answer of Red"
    )
    for name in ("British", "Japanese", "French", "Dutch", "Royal Marines", "Guardsmen", "U.S."):
        assert people({"axis": name}, "axis") == f"the {name}"
    for name in ("Red", "Kampfgruppe Peiper", "Team 2"):
        assert people({"axis": name}, "axis") == name


def test_a_sentence_of_the_story_drops_the_article_only_before_a_name_that_takes_none() -> None:
    assert without_needless_article("The Red attacked.", "Red", "axis") == "Red attacked."
    assert without_needless_article("Lost by the Red: 2 squads.", "Red", "axis") == "Lost by Red: 2 squads."
    assert (
        without_needless_article("The Germans attacked the Red.", "Germans", "axis") == "The Germans attacked the Red."
    )
    assert without_needless_article("The Redoubt fell.", "Red", "axis") == "The Redoubt fell."


def test_no_line_stays_english_because_it_is_the_first_with_a_verb() -> None:
    sentences._verbs.cache_clear()
    with note_missing() as missed:
        assert join_clauses("ist unter „?“", "sammelt sich", language="de") == "ist unter „?“, sammelt sich"
    assert missed == []


def test_a_short_clause_is_no_part_of_a_name() -> None:
    def rally(*marks: Mark) -> str:
        return tell_fact(UnitMarked(unit="AX12", remove=frozenset(marks)), "de")

    assert rally(Mark.BROKEN) == "AX12 sammelt sich"
    assert rally(Mark.BROKEN, Mark.DM) == "AX12 sammelt sich, ist nicht mehr DM"
