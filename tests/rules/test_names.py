"""What players call units: letters that stay, names that a side gives, and nothing of that for the enemy."""

from __future__ import annotations

import re

import pytest

from laager.base import RefusedError
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import ROOT, Entry, MemoryStore, encode
from laager.campaign.naming import rename
from laager.campaign.telling import log_in_words
from laager.campaign.views import view
from laager.rules.board.names import UnitNames, letter, letters_of, with_article
from tests.web.fielded import played


def _campaign() -> Campaign:
    data, head = b"", ROOT
    entries: tuple[Entry, ...] = played("rijnoord", ("setup",))
    for entry in entries:
        line, head = encode(entry, head)
        data += line
    return Campaign(MemoryStore(data))


@pytest.fixture(scope="module")
def campaign() -> Campaign:
    return _campaign()


def test_letters_and_articles() -> None:
    assert [letter(number) for number in (0, 25, 26, 52)] == ["A", "Z", "AA", "BA"]
    words = ("4-4-7", "8-1", "LMG", "MMG", "DC", "FT")
    assert [with_article(word) for word in words] == ["a 4-4-7", "an 8-1", "an LMG", "an MMG", "a DC", "an FT"]


def test_a_group_has_each_letter_once_and_keeps_it(campaign: Campaign) -> None:
    state = view(campaign, "axis").state
    letters = letters_of(state)
    names = UnitNames(state)
    own = [unit for unit in state.units.values() if unit.side == "axis"]
    assert letters.keys() == {unit.id for unit in own}
    called = [names.name(unit) for unit in own if unit.kind in {"squad", "half-squad", "crew"}]
    assert len(set(called)) == len(called)
    lost = state.with_unit(own[0].id, lambda unit: unit.but(type="2-4-7", kind="half-squad"))
    assert letters_of(lost) == letters


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_group_of_a_named_unit_is_said_once(campaign: Campaign, language: str) -> None:
    names = UnitNames(view(campaign, "axis").state, language)
    own = next(unit for unit in names.state.units.values() if unit.side == "axis" and unit.group)
    plain = f"{own.type} ({own.id})"
    for of in dict.fromkeys(("of", {"en": "of", "de": "von"}[language])):
        assert names.say(f"{plain} {of} {own.group}") == names.say(plain)
        assert names.say(f"{plain} {of} {own.group} is there").endswith(f"{own.group} is there")
    assert names.say(f"{plain} of {own.group}1") == f"{names.say(plain)} of {own.group}1"
    # Who has a name of his own is named without the group.
    called = UnitNames(names.state, language, {own.id: "Otto"})
    assert called.say(f"{plain} of {own.group}") == f"{own.type} Otto of {own.group}"


def test_the_enemy_reads_neither_letters_nor_groups_nor_numbers(campaign: Campaign) -> None:
    for viewer, enemy in (("axis", "AL"), ("allied", "AX"), ("spectator", "A")):
        seen = view(campaign, viewer)
        assert not any(unit_id.startswith(enemy) for unit_id in letters_of(seen.state)) or viewer == "spectator"
        for line in log_in_words(campaign, seen):
            assert not re.search(rf"\({enemy}[XL]?\d+\)", line.text), line.text
            if viewer == "spectator":
                assert ' "' not in line.text or "of " not in line.text.partition(' "')[2], line.text


def test_a_name_is_its_sides_secret_until_the_enemy_knows_the_unit() -> None:
    campaign = _campaign()
    state = view(campaign, "axis").state
    hidden = next(unit for unit in state.units.values() if unit.side == "axis" and not unit.known)
    before = view(campaign, "allied")
    rename(campaign, "axis", hidden.id, "Rotkopf")
    after = view(campaign, "allied")
    assert (after.version, after.named) == (before.version, {})
    assert view(campaign, "axis").named == {hidden.id: "Rotkopf"}
    told = [line.text for line in log_in_words(campaign, view(campaign, "axis"))]
    assert "is called Rotkopf from now on" in told[-1]
    assert "Rotkopf" not in "".join(line.text for line in log_in_words(campaign, after))
    # It goes on being asked the same, and the name stays in the log.
    again = Campaign(MemoryStore(campaign.store.data))  # type: ignore[attr-defined]
    assert view(again, "axis").named == {hidden.id: "Rotkopf"}
    assert [one.key for one in again.pending()] == [one.key for one in campaign.pending()]
    assert audit(campaign).sound


@pytest.mark.parametrize("name", ["x" * 31, "a(b)", 'say "hi"', "line\x07"])
def test_what_can_be_no_name_is_refused(name: str, campaign: Campaign) -> None:
    own = next(unit for unit in view(campaign, "axis").state.units.values() if unit.side == "axis")
    version = campaign.version
    with pytest.raises(RefusedError):
        rename(campaign, "axis", own.id, name)
    with pytest.raises(RefusedError):
        rename(campaign, "allied", own.id, "Rotkopf")
    assert campaign.version == version
