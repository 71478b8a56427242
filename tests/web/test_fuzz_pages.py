"""Wrong values and files in the forms of uploads, boards, rights, rulings and VASL: sentences, and no error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from laager.web.campaigns.tables import look
from laager.web.library.files import file_templates
from laager.web.library.files import files as library

from .conftest import Begin, People, seat, take_defaults
from .fuzzing import Said
from .fuzzing_pages import fuzz_pages, fuzz_saves
from .test_library_fuzz import check_pages


@pytest.fixture(autouse=True)
def _in_a_hurry(settings: Any) -> None:
    """Let nobody wait who tries this much."""
    settings.CONFIG = settings.CONFIG.model_copy(update={"writes_a_minute": 10**9})


@pytest.fixture
def game_pages(people: People, begin: Begin) -> Sequence[str]:
    """The pages of a campaign that is waiting for the reports of its first battle."""
    game = begin("training")
    assert take_defaults([seat(game, people.anna, "axis"), seat(game, people.bert, "allied")], until="battle-report")
    with look(seat(game, people.anna, "axis")) as table:
        hex_ = next(unit.hex for unit in table.view.state.units_of("axis") if unit.on_map)
    at = f"/campaign/{game.pk}/axis"
    return [f"{at}/ruling/", f"{at}/ruling/hex/{hex_}", f"{at}/ruling/cells/", f"{at}/vasl"]


@pytest.fixture
def library_pages(people: People) -> Sequence[str]:
    """Pages of the library by which files are sent, shared and drawn, and those that begin a campaign."""
    texts = file_templates.made_from("skeleton-pl", "p") | file_templates.made_from("house-pl", "h")
    library.save_all(people.anna, texts, None)
    at = "/library/file"
    pages = ["", "check", "fill?chart=firefights"]
    of_file = [f"{at}/p.yaml/{page}" for page in pages]
    return ["/library/", *of_file, f"{at}/p-map.yaml/map", f"{at}/h.yaml/house", "/new", "/new/training"]


def fuzz(people: People, pages: Sequence[str], most: int | None) -> Iterator[Said]:
    own = people.client(people.anna)
    yield from fuzz_pages(own, pages, most)


def test_some_wrong_files_and_values_are_answered_in_sentences(people: People, library_pages: Sequence[str]) -> None:
    check_pages(fuzz(people, library_pages, 12))


def test_some_wrong_values_of_a_campaign_are_answered_in_sentences(people: People, game_pages: Sequence[str]) -> None:
    check_pages(fuzz(people, game_pages, 12))


@pytest.mark.soak
def test_every_wrong_file_and_value_is_answered_in_sentences(people: People, library_pages: Sequence[str]) -> None:
    check_pages(fuzz(people, library_pages, None))


@pytest.mark.soak
def test_every_wrong_value_of_a_campaign_is_answered_in_sentences(people: People, game_pages: Sequence[str]) -> None:
    check_pages(fuzz(people, game_pages, None))


def test_a_save_that_is_none_is_refused_in_sentences(people: People, game_pages: Sequence[str]) -> None:
    own = people.client(people.anna)
    address = game_pages[0].removesuffix("ruling/")
    mark = re.search(r"/report/([a-z0-9-]+)/", own.get(address, follow=True).content.decode())
    assert mark is not None
    check_pages(fuzz_saves(own, f"{address}report/{mark[1]}/save", "save"))
