"""The story of a campaign: battles, losses, points, luck in exact numbers, formats, and no secret in any of them."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import pytest

from laager.base import RefusedError
from laager.campaign import find_ruleset
from laager.campaign.ending import concede
from laager.campaign.engine import Campaign
from laager.campaign.log import Entry, MemoryStore
from laager.campaign.views import view
from laager.dice import Dice
from laager.hexmap.draw import Curve, draw_chart, draw_result
from laager.hexmap.draw.result import wrap_text
from laager.rules.board.card.parts import other_side
from laager.rules.board.facts import UnitMarked, UnitNamed
from laager.rules.board.units import Mark
from laager.sheets.story import (
    FORMATS,
    Heading,
    Listing,
    Paragraph,
    Story,
    StoryPicture,
    StoryTable,
    after_action,
    battles,
    describe,
    find_battle,
    result_picture,
    whole_story,
    write_document,
)
from laager.sheets.story import losses as lost
from laager.sheets.story.battles import Event
from laager.sheets.story.ground import Won, change_of_hands
from laager.sheets.story.lead import say_winner, tell_battle
from laager.sheets.story.luck import Tally, rolls_of_note, table_rolls, table_tallies, tallies
from laager.sheets.story.reports import list_places
from laager.sheets.story.sentences import Teller
from laager.sheets.words import words_of
from tests.sheets.campaigns import played

LOGS = Path(__file__).parent.parent / "old_campaigns" / "logs"
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
CAMPAIGNS = ("pl-rzhavets", "abtf-rijnoord", "er-kokusa-ridge")


@cache
def lines(name: str) -> tuple[bytes, ...]:
    return tuple(gzip.decompress((LOGS / f"{name}.laager.gz").read_bytes()).splitlines(keepends=True))


@cache
def campaign_of(name: str, share: float = 1.0) -> Campaign:
    """A recorded campaign, or its beginning. Not to be changed."""
    kept = lines(name)
    return Campaign(MemoryStore(b"".join(kept[: int(len(kept) * share)])))


def text_of(document: Story) -> str:
    return json.dumps(describe(document), ensure_ascii=False)


# What happened ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_battles_losses_and_points_add_up_to_the_state(name: str) -> None:
    """What the story adds up is what the rules have on the roster, by another way."""
    campaign = campaign_of(name)
    seen = view(campaign, "umpire")
    known = battles(campaign, seen)
    assert [one.number for one in known] == list(range(1, len(known) + 1))
    assert any(one.fought for one in known)
    for one in known:
        assert one.begun <= one.counts_from <= max(one.last, one.ends)
        assert not one.fought or one.counts_from <= one.before < one.reported <= one.last
    points = lost.points(seen, known, ("axis", "allied"))
    for side in ("axis", "allied"):
        final = [one for one in points if one.side == side][-1]
        own = seen.state.side(side)
        if hasattr(own, "cvp_total"):
            assert final.cvp_total == own.cvp_total
        else:
            assert final.tvp_total == own.tvp
            past = [fight.cvp.get(side, 0) for fight in seen.state.past]
            assert final.cvp_total == sum(past) + own.cvp
    found = lost.without_weakened(lost.losses(seen))
    state = {unit.id for unit in seen.state.units.values() if unit.place in lost.LOST}
    assert state <= {one.unit for one in found}
    kinds = lost.by_kind(found)
    assert sum(sum(sides.values()) for sides in kinds.values()) == len(found)


def test_losses_of_a_battle_come_by_group_with_its_strength() -> None:
    campaign = campaign_of("pl-rzhavets")
    seen = view(campaign, "umpire")
    battle = find_battle(campaign, seen)
    for side in ("axis", "allied"):
        groups = lost.by_group(campaign, seen, battle, side)
        found = [one for one in lost.losses(seen, battle) if one.side == side]
        assert sum(len(group.losses) for group in groups) == len(found)
        for group in groups:
            assert len({one.unit for one in lost.without_weakened(group.losses)}) <= max(group.strength, 1)


def test_a_battle_that_was_not_fought_is_refused_in_words() -> None:
    campaign = campaign_of("pl-rzhavets")
    with pytest.raises(RefusedError, match="battle 99 hasn't been fought; fought were 1"):
        after_action(campaign, "axis", 99)
    with pytest.raises(RefusedError, match="no battle has been fought yet"):
        after_action(campaign_of("pl-rzhavets", 0.02), "axis")
    with pytest.raises(RefusedError, match="no battles to tell of"):
        whole_story(campaign_of("dyo-vistula"), "axis")


LEADS = {
    ("pl-rzhavets", "axis", "en"): (
        "The Germans attacked. Weather: Clear. "
        "Objective of the Germans: Control at least three of church, school, mill, kolkhoz, bridge and village soviet. "
        "Objective of the Soviets: Control at least four of church, school, mill, kolkhoz, bridge and village soviet. "
        "Play ended in turn 7 by the Game End dr. "
        "The Soviets won: they fulfilled the objective of the firefight. The Germans took GG20. "
        "The Germans lost 1 squad and 1 leader, and scored 5 CVP. "
        "The Soviets lost 1 squad and 1 half-squad, and scored 6 CVP. "
        "Leaders of the Germans: 9-1 killed, promoted to 9-1."
    ),
    ("pl-rzhavets", "axis", "de"): (
        "Deutsche griffen an. Wetter: Clear. "
        "Objective (Deutsche): Control über mindestens drei von Kirche, Schule, Mühle, Kolchos, Brücke und Dorfsowjet. "
        "Objective (Sowjets): Control über mindestens vier von Kirche, Schule, Mühle, Kolchos, Brücke und Dorfsowjet. "
        "Das Spiel endete in Turn 7 durch den Game End dr. "
        "Sieger: Sowjets. Das Objective des Firefight ist erfüllt. Deutsche nahmen GG20. "
        "Deutsche verloren 1 Squad und 1 Leader und erzielten 5 CVP. "
        "Sowjets verloren 1 Squad und 1 Half-Squad und erzielten 6 CVP. "
        "Leader (Deutsche): 9-1 gefallen, befördert zu 9-1."
    ),
    ("abtf-rijnoord", "axis", "en"): (
        "The British attacked. Weather: Clear. "
        "Play ended in turn 7 by the Game End dr. The Germans took L7. "
        "The Germans lost 1 leader, and scored 13 CVP. "
        "The British lost 3 squads and 1 support weapon, and scored 1 CVP. "
        "Leaders of the Germans: 8-0 killed, 8-0 wounded."
    ),
    ("er-kokusa-ridge", "allied", "en"): (
        "The Japanese attacked. Weather: Clear. Play ended in turn 35 by the Game End dr. "
        "No ground changed hands. "
        "The Japanese lost 2 squads, 1 half-squad, 1 crew and 3 support weapons, and scored 9 CVP. "
        "The U.S. lost 3 crews, 1 leader and 2 support weapons, and scored 6 CVP. "
        "Leaders of the U.S.: 8-0 captured."
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "viewer", "language"), LEADS)
def test_the_lead_of_a_battle_says_what_mattered_in_it(name: str, viewer: str, language: str) -> None:
    lead = after_action(campaign_of(name), viewer, 1, language).blocks[:3]
    assert all(isinstance(block, Paragraph) for block in lead)
    assert " ".join(block.text for block in lead if isinstance(block, Paragraph)) == LEADS[name, viewer, language]


def test_blocks_that_change_hands_are_told_by_their_names() -> None:
    blocks = "NCAHRDTB"
    before, after = (
        SimpleNamespace(ground=SimpleNamespace(control=control), block_control=dict.fromkeys(blocks, side))
        for side, control in (("axis", {"B10": "axis"}), ("allied", dict.fromkeys(("A2", "B10", "B9"), "allied")))
    )
    assert change_of_hands("allied", before, after) == Won("allied", ("A2", "B9", "B10"), (), tuple("ABCDHNRT"))
    assert change_of_hands("axis", before, after) == Won("axis", (), ("B10",), (), tuple("ABCDHNRT"))


def test_the_roll_to_talk_about_is_told_whole_in_german() -> None:
    told = [block.text for block in whole_story(campaign_of("abtf-rijnoord"), "axis", "de").blocks
            if isinstance(block, Paragraph) and block.text.startswith("Der Wurf des Abends")]  # fmt: skip
    assert told
    assert not [text for text in told if re.search(r"\b(Germans|British|of|for|the)\b", text)]


@pytest.mark.parametrize(("viewer", "group"), [("axis", "–"), ("allied", "Raider Platoon (I1/2)")])
def test_careers_are_those_who_were_in_every_battle_as_the_viewer_knows_them(viewer: str, group: str) -> None:
    tables = {one.title: one for one in whole_story(campaign_of("er-kokusa-ridge"), viewer).blocks
              if isinstance(one, StoryTable)}  # fmt: skip
    americans = tables["U.S. who were in every battle"]
    assert americans.columns == ("Unit", "Group", "What became of it")
    if viewer == "axis":
        assert americans.rows == (
            ("10-2", "–", "in action"),
            ("4-4-7 → 2-3-7", "–", "in action"),
            ("5-5-8", "–", "in action"),
            ("5-5-8 → 3-4-8", "–", "eliminated"),
            ("2-2-7", "–", "eliminated"),
        )
    else:
        assert ("9-2", group, "eliminated") in americans.rows
    japanese = tables["Japanese who were in every battle"]
    assert (len(japanese.rows) > 1) is (viewer == "axis")
    assert all(row[1] == "–" for row in japanese.rows) is (viewer == "allied")


def test_fortifications_that_were_bought_are_called_as_players_call_them() -> None:
    tables = [one for one in whole_story(campaign_of("pl-rzhavets"), "axis").blocks if isinstance(one, StoryTable)]
    bought = {row[0] for one in tables if one.columns[0] == "What" for row in one.rows}
    assert {"A-P mines", "fortified building", "HIP"} <= bought
    assert not {"a-p-mines", "fortified-building", "hip"} & bought


def test_a_battle_keeps_its_name_when_a_side_concedes_before_all_is_reported() -> None:
    kept = lines("abtf-rijnoord")
    campaign = Campaign(MemoryStore(b"".join(kept[: int(len(kept) * 0.28)])))
    campaign.advance()
    concede(campaign, find_ruleset("abtf").concession_fact("axis"))
    [battle] = [battle for battle in battles(campaign, view(campaign, "umpire")) if battle.fought]
    assert battle.title == "CG Date 17 September, night, 1 of 6"


def test_a_campaign_of_one_battle_has_no_careers() -> None:
    blocks = whole_story(campaign_of("abtf-rijnoord", 0.4), "axis").blocks
    assert "Careers" not in [one.text for one in blocks if isinstance(one, Heading)]


@pytest.mark.parametrize(
    ("taken", "text"),
    [
        ((), ""),
        (("A1",), "The Germans took A1."),
        (("A1", "A2", "A3", "A4"), "The Germans took A1, A2, A3, A4."),
        (tuple(f"A{n}" for n in range(1, 42)), "The Germans took A1, A2, A3, A4 and 37 more."),
    ],
)
def test_a_lead_names_few_locations_and_counts_the_rest(taken: tuple[str, ...], text: str) -> None:
    campaign = campaign_of("pl-rzhavets")
    seen = view(campaign, "umpire")
    won = [Won("axis", taken, ()), Won("allied", (), ())]
    lead = " ".join(tell_battle(Teller(campaign, seen, words_of("en")), find_battle(campaign, seen, 1), (), won, ()))
    assert (text or "No ground changed hands.") in lead


@pytest.mark.parametrize(("language", "winner"), [("en", "Winner: Soviets"), ("de", "Sieger: Sowjets")])
def test_the_result_says_who_won_and_with_how_many_points(language: str, winner: str) -> None:
    draw = result_picture(campaign_of("pl-rzhavets"), "axis", language)
    assert isinstance(draw, partial)
    svg = draw_result(*draw.args)
    texts = re.findall(r"<text [^>]*>([^<]+)</text>", svg)
    for text in ("Night March to", "Rzhavets", winner, "CVP 30, TVP 3", "CVP 36, TVP 45"):
        assert text in texts
    assert not any("Allied" in text for text in texts)


def test_a_leader_who_is_lost_is_not_told_as_wounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_of("pl-rzhavets")
    seen = view(campaign, "umpire")
    teller = Teller(campaign, seen, words_of("en"))
    leader = next(unit for unit in seen.state.units.values() if unit.kind == "leader" and unit.side == "axis")
    fates = [
        Event(1, "unit-marked", {"unit": leader.id, "add": ["wounded"]}),
        Event(2, "unit-gone", {"unit": leader.id, "place": "eliminated"}),
    ]
    for happened in (fates, fates[::-1]):
        monkeypatch.setattr("laager.sheets.story.lead.events", lambda _, happened=happened: iter(happened))
        lead = " ".join(tell_battle(teller, replace(find_battle(campaign, seen, 1), counts_from=0), (), (), ()))
        assert f"Leaders of the Germans: {leader.type} killed." in lead


def test_the_own_name_of_a_campaign_stands_above_its_card() -> None:
    draw = result_picture(campaign_of("pl-rzhavets"), "axis", "en", "Tuesdays with Bert")
    assert isinstance(draw, partial)
    svg = draw_result(*draw.args)
    assert 0 < svg.index(">Tuesdays with Bert</text>") < svg.index(">Night March to Rzhavets</text>")


def test_a_campaign_that_goes_on_has_no_result() -> None:
    with pytest.raises(RefusedError, match="the campaign goes on; come back when it is over"):
        result_picture(campaign_of("pl-rzhavets", 0.6), "axis")


def test_a_long_text_of_a_result_ends_in_dots() -> None:
    lines_of_text = wrap_text("control the bridge " * 30, 18, False, 4)
    assert len(lines_of_text) == 4
    assert lines_of_text[-1].endswith(" …")
    assert wrap_text("short", 18, False, 4) == ["short"]


# Luck ---------------------------------------------------------------------------------------------


def test_luck_by_hand() -> None:
    # 2, 12, 4 and 6: 24 instead of 28; the variance of four DR is 4 x 35/6 = 70/3.
    tally = Tally("axis", Dice.DR, {2: 1, 12: 1, 4: 1, 6: 1})
    assert (tally.rolls, tally.total, tally.mean) == (4, 24, Fraction(6))
    assert tally.expected == 28
    assert tally.variance == Fraction(70, 3)
    assert tally.sigmas == pytest.approx(-4 / (70 / 3) ** 0.5)
    assert tally.due(7) == Fraction(4 * 6, 36)
    assert Tally("axis", Dice.dr, {1: 2}).variance == Fraction(35, 6)


def test_the_variance_is_that_of_all_falls_of_the_dice() -> None:
    falls = [a + b for a in range(1, 7) for b in range(1, 7)]
    mean = Fraction(sum(falls), 36)
    assert Tally("", Dice.DR, {7: 1}).variance == sum((Fraction(fall) - mean) ** 2 for fall in falls) / 36


def test_the_tallies_are_the_rolls_of_the_log() -> None:
    campaign = campaign_of("abtf-rijnoord")
    seen = view(campaign, "umpire")
    counted = Counter(
        (one.entry.body["side"], one.entry.body["dice"], sum(one.entry.body["faces"]))
        for one in seen.log
        if one.counts and one.entry.type == "roll"
    )
    found = Counter(
        {
            (one.who, one.dice.value, value): n
            for one in tallies(seen, ("axis", "allied"))
            for value, n in one.counts.items()
        }
    )
    assert found == counted


def test_rolls_of_note_are_rare_and_say_how_rare() -> None:
    campaign = campaign_of("abtf-rijnoord")
    seen = view(campaign, "umpire")
    found = [roll for one in battles(campaign, seen) if one.fought for roll in rolls_of_note(campaign, seen, one, "en")]
    assert found
    for roll in found:
        assert roll.total == 36
        falls = [a + b for a in range(1, 7) for b in range(1, 7)]
        value = roll.rolled.original
        assert roll.ways == sum(fall <= value if roll.low else fall >= value for fall in falls)
        assert roll.ways <= 3
    assert len({roll.number for roll in found}) == len(found)


def test_the_chart_of_dice_has_a_bar_for_each_value_and_side_as_high_as_its_share() -> None:
    campaign = campaign_of("abtf-rijnoord")
    chart = next(one for one in whole_story(campaign, "umpire").pictures if one.name == "dice")
    rolled = [one for one in tallies(view(campaign, "umpire"), ("axis", "allied")) if one.dice is Dice.DR]
    bars = [
        float(one) for one in re.findall(r'<rect x="[\d.]+" y="[\d.]+" width="[\d.]+" height="([\d.]+)"', chart.svg)
    ]
    heights = bars[: 11 * len(rolled)]
    shares = [tally.counts.get(value, 0) / tally.rolls for tally in rolled for value in range(2, 13)]
    scale = max(heights) / max(shares)
    assert heights == pytest.approx([share * scale for share in shares], abs=0.06)
    assert "fair dice" in chart.svg


def test_a_table_of_the_ground_lists_few_locations_and_counts_the_rest() -> None:
    won = Won("axis", tuple(f"A{n}" for n in range(1, 50)), ("B1",))
    assert list_places(words_of("en"), won, gained=True).endswith(", A12 and 37 more")
    assert list_places(words_of("de"), won, gained=True).endswith(", A12 und 37 weitere")
    assert list_places(words_of("en"), won, gained=False) == "B1"


ROLLS = [["Ann", "IFT", "DR", [1, 1]], ["Bob", "", "dr", [6]], ["Ann", "MC", "DR", [3, 4]]]


def test_the_dice_of_the_game_board_count_once_though_both_give_their_log() -> None:
    class Seen:
        def __init__(self, *given: list[list[object]]) -> None:
            bodies = [{"dice": dice} for dice in given]
            self.log = [
                type("S", (), {"counts": True, "number": i, "entry": Entry(i, "answer", body)})()
                for i, body in enumerate(bodies, 1)
            ]

    once = table_rolls(Seen(ROLLS))  # type: ignore[arg-type]
    assert table_rolls(Seen(ROLLS, ROLLS[:2])) == once  # type: ignore[arg-type]
    assert table_rolls(Seen(ROLLS[:1], ROLLS)) == once  # type: ignore[arg-type]
    ann, bob = table_tallies(once)
    assert (ann.who, ann.dice, dict(ann.counts)) == ("Ann", Dice.DR, {2: 1, 7: 1})
    assert (bob.who, bob.dice, dict(bob.counts)) == ("Bob", Dice.dr, {6: 1})


# Formats ------------------------------------------------------------------------------------------

ODD = "a | b *c* [b]d[/b] <script> _e_ #f"


def odd() -> Story:
    chart = StoryPicture("cvp", ODD, lambda: draw_chart("CVP", ("1", "2"), [Curve("axis", "Germans", (1, 4))]))
    grid = StoryTable(ODD, ("", "x"), ((ODD, "1"), ("y", "22")))
    return Story("odd", ODD, "below", (Heading(ODD), Paragraph(ODD), Listing((ODD,), (7,)), grid, chart))


def test_no_text_is_markup_in_any_format() -> None:
    html = write_document(odd(), "html").data.decode()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    forum = write_document(odd(), "bbcode").data.decode()
    assert "[b]d[/b]" not in forum
    markdown = write_document(odd(), "md")
    text = markdown.data.decode()
    assert "*c*" not in text.replace("\\*", "")
    assert len(re.findall(r"(?<!\\)\|", next(line for line in text.splitlines() if line.startswith("| a")))) == 3
    assert set(markdown.beside) == {"cvp.png"}
    assert markdown.beside["cvp.png"].startswith(b"\x89PNG")
    assert write_document(odd(), "pdf").data.startswith(b"%PDF")


def test_a_packed_story_has_its_pictures_and_the_same_bytes_each_time() -> None:
    one = write_document(odd(), "bbcode").as_one_file()
    assert (one.name, one.data) == ("odd.zip", write_document(odd(), "bbcode").as_one_file().data)
    with ZipFile(BytesIO(one.data)) as archive:
        assert archive.namelist() == ["odd.txt", "cvp.png"]
    assert write_document(odd(), "html").as_one_file().name == "odd.html"


def test_tables_of_fixed_letters_line_up() -> None:
    text = write_document(
        replace(odd(), blocks=(StoryTable("t", ("What", "n"), (("long " * 12, "5"), ("y", "12"))),)), "bbcode"
    )
    inside = text.data.decode().partition("[code]\n")[2].partition("\n[/code]")[0].splitlines()
    assert inside[0].endswith(" n")
    assert inside[-1].endswith("12")
    assert len(inside[-1]) == len(inside[0]) == len(inside[1])


def test_an_unknown_format_says_which_there_are() -> None:
    with pytest.raises(RefusedError, match="there is no format 'doc'; there are md, bbcode, html, pdf"):
        write_document(odd(), "doc")


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_story_of_every_system_is_told_with_a_film(name: str) -> None:
    campaign = campaign_of(name, 0.4)
    film = next(one for one in whole_story(campaign, "umpire").pictures if one.moves)
    moments = len([one for one in battles(campaign, view(campaign, "umpire")) if one.fought]) + 1
    assert film.svg.count("<animate ") == moments
    ids = re.findall(r' id="([^"]+)"', film.svg)
    assert len(ids) == len(set(ids))
    assert set(FORMATS) == {"md", "bbcode", "html", "pdf"}


def test_the_story_in_german_has_no_english_headings() -> None:
    english, german = (after_action(campaign_of("pl-rzhavets"), "axis", 1, one) for one in ("en", "de"))
    heads = [[block.text for block in one.blocks if isinstance(block, Heading)] for one in (english, german)]
    assert len(heads[0]) == len(heads[1])
    assert not set(heads[0]) & set(heads[1])


@pytest.mark.parametrize("share", [0.05, 0.12, 0.25, 0.4])
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_no_heading_of_a_story_stands_over_nothing(name: str, share: float) -> None:
    campaign = campaign_of(name, share)
    for viewer in ("axis", "umpire"):
        try:
            blocks = whole_story(campaign, viewer).blocks
        except RefusedError:
            continue
        empty = [one.text for one, after in zip(blocks, (*blocks[1:], Heading("")), strict=True)
                 if isinstance(one, Heading) and isinstance(after, Heading)]  # fmt: skip
        assert not empty


# Secrets ------------------------------------------------------------------------------------------

NAMED = "Tarnname77"


def with_secret(name: str, share: float) -> tuple[Campaign, str]:
    """The beginning of a campaign in which a hidden unit got a name that its owner alone knows; whose it is."""
    kept = lines(name)
    store = MemoryStore(b"".join(kept[: int(len(kept) * share)]))
    campaign = Campaign(store)
    unit = next(one for one in campaign.state.units.values() if not one.known and one.kind == "squad")
    fact = UnitNamed(unit=unit.id, name=NAMED, rule="PL 1.4", to=(unit.side,))
    body = {"kind": fact.kind, "fact": fact.body()}
    number = len(store.load().entries) + 1
    store.append([Entry(number, "declared", body, NOON.isoformat(), "", (unit.side,))])
    return Campaign(store), unit.side


def everything(campaign: Campaign, viewer: str, drawn: bool = True) -> bytes:
    """All bytes of the story and of each report that a viewer gets, with their drawings (which take a while)."""
    seen = view(campaign, viewer)
    known = [one.number for one in battles(campaign, seen) if one.fought]
    told = [whole_story(campaign, viewer), *(after_action(campaign, viewer, number) for number in known)]
    return b"\n".join(
        text_of(one).encode() + b"".join(picture.svg.encode() for picture in one.pictures if drawn) for one in told
    )


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("er-kokusa-ridge", 0.4),
        pytest.param("pl-rzhavets", 0.6, marks=pytest.mark.soak),
        pytest.param("abtf-rijnoord", 0.6, marks=pytest.mark.soak),
    ],
)
def test_what_a_side_does_in_secret_changes_no_byte_of_the_others_story(name: str, share: float) -> None:
    before = campaign_of(name, share)
    after, side = with_secret(name, share)
    for viewer in (other_side(side), "spectator"):
        mine = everything(after, viewer)
        assert mine == everything(before, viewer)
        assert NAMED.encode() not in mine


@pytest.mark.parametrize(("name", "share"), [("er-kokusa-ridge", 0.4), ("abtf-rijnoord", 0.6)])
def test_the_wound_of_a_leader_out_of_sight_is_told_to_his_side_alone(name: str, share: float) -> None:
    kept = lines(name)
    store = MemoryStore(b"".join(kept[: int(len(kept) * share)]))
    before = Campaign(store)
    unit = next(one for one in before.state.units.values() if one.kind == "leader" and one.in_play and not one.known)
    fact = UnitMarked(unit=unit.id, add=frozenset({Mark.WOUNDED}), rule="PL 1.4", to=(unit.side,))
    number, body = len(store.load().entries) + 1, {"kind": fact.kind, "fact": fact.body()}
    store.append([Entry(number, "declared", body, NOON.isoformat(), "", (unit.side,))])
    after = Campaign(store)
    for viewer in (other_side(unit.side), "spectator"):
        assert everything(after, viewer, drawn=False) == everything(campaign_of(name, share), viewer, drawn=False)
    assert f"{unit.type} wounded" in text_of(after_action(after, unit.side))


@pytest.mark.parametrize("name", CAMPAIGNS)
@pytest.mark.parametrize("viewer", ["axis", "allied", "spectator"])
def test_the_story_names_no_group_and_no_purchase_of_the_enemy(name: str, viewer: str) -> None:
    campaign = campaign_of(name, 0.4)
    text = everything(campaign, viewer, drawn=False).decode()
    state = campaign.state
    for side in ("axis", "allied"):
        ids = {f"({group.id})" for group in state.groups_of(side)}
        own = {f"({group.id})" for group in state.groups_of(viewer)} if viewer == side else set()
        others = (
            {f"({group.id})" for group in state.groups_of(other_side(side))} if viewer == other_side(side) else set()
        )
        assert not {one for one in ids - own - others if one in text}
    if viewer == "spectator":
        assert text.count("secret until the campaign is over") == 2


def test_a_demo_has_its_story_too() -> None:
    campaign = played("rzhavets")
    text = text_of(after_action(campaign, "axis"))
    assert "Play ended in turn" in text


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_whole_story_sums_up_battles_and_what_each_side_lost_by_kind(language: str) -> None:
    campaign = campaign_of("pl-rzhavets")
    seen = view(campaign, "umpire")
    known = [one for one in battles(campaign, seen) if one.fought]
    squads = lost.by_kind(lost.losses(seen))["Squads"]
    lead = whole_story(campaign, "umpire", language).blocks[1]
    assert isinstance(lead, Paragraph)
    begins = {"en": "battles were fought.", "de": "Gefechte wurden geschlagen."}[language]
    assert lead.text.startswith(f"{len(known)} {begins}")
    assert all(f"Squads {count}" in lead.text for count in squads.values())


@pytest.mark.parametrize(
    ("winner", "why", "told"),
    [
        ("axis", "CVP 9 against 4", "The Germans won with 9 CVP against 4."),
        ("axis", "CVP 4 each: the defender wins", "The Germans won as the defenders, with 4 CVP on each side."),
        ("", "CVP 4 each in a Dual Attack: neither side wins", "Nobody won: each side scored 4 CVP in a Dual Attack."),
        ("axis", "as the players say", "The Germans won: as the players say."),
    ],
)
def test_why_a_battle_was_won_is_a_sentence(winner: str, why: str, told: str) -> None:
    campaign = campaign_of("pl-rzhavets")
    teller = Teller(campaign, view(campaign, "axis"), words_of("en"))
    assert say_winner(teller, {"winner": winner, "why": why}) == told
