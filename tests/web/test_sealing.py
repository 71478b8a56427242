"""Seeds of dice in the database: sealed with a key that lies outside it."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from typer.testing import CliRunner

from laager.base import DataError, Refusal
from laager.campaign import views
from laager.campaign.facts import UMPIRE
from laager.cli.app import app
from laager.web.campaigns import actions, sealing, store, tables
from laager.web.models import EntryLine, Game
from laager.web.serving.config import Config
from tests.web import planted
from tests.web.calling import Setting
from tests.web.conftest import seat

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

EXAMPLES = Path(__file__).parents[2] / "docs/examples"


def stored(game: Game) -> str:
    return EntryLine.objects.get(game=game, number=2).line


def test_the_database_holds_no_seed(begin: Begin) -> None:
    game = begin()
    seed = json.loads(store.text_of(game.pk).splitlines()[1])["body"]["seed"]
    held = "".join(EntryLine.objects.filter(game=game).values_list("line", flat=True))
    assert stored(game).startswith("sealed/1:")
    assert not planted.found_in(held, planted.seeds(game))
    assert len(bytes.fromhex(seed)) == 32


def test_the_same_seed_is_sealed_differently_in_each_campaign(begin: Begin) -> None:
    one, other = begin(), begin()
    EntryLine.objects.filter(game=other, number=2).update(line=stored(one))
    with pytest.raises(DataError, match="sealed with a key that the server doesn"):
        store.text_of(other.pk)


def test_the_file_had_at_the_end_is_proven_by_the_command_and_by_the_example(
    people: People, begin: Begin, tmp_path: Path
) -> None:
    game = begin()
    actions.concede(seat(game, people.bert, "allied"))
    answer = people.client(people.anna).get(f"/campaign/{game.pk}/axis/over/campaign.laager")
    file = tmp_path / "had.laager"
    file.write_bytes(answer.content)
    told = CliRunner().invoke(app, ["verify", "-c", str(file)])
    assert told.exit_code == 0, told.output
    checked = subprocess.run(
        [sys.executable, EXAMPLES / "check_chain.py", file], capture_output=True, text=True, check=True
    )
    game.refresh_from_db()
    assert game.head in checked.stdout, checked.stderr


def test_without_the_key_it_is_said_what_is_missing(people: People, begin: Begin, settings: Any) -> None:
    game = begin()
    key = settings.SECRET_KEY
    settings.SECRET_KEY = "another key of fifty characters, or nearly so many"
    tables.SHELF.clear()
    with pytest.raises(DataError, match="LAAGER_OLD_SECRET_KEYS") as err:
        store.DatabaseStore(game.pk).load()
    assert err.value.code is Refusal.BROKEN_LOG
    assert store.closed_seals() == store.renew_seals() == 1
    answer = people.client(people.anna).get(f"/campaign/{game.pk}/axis/")
    assert answer.status_code == 503
    assert "sealed with a key that the server doesn" in answer.content.decode()
    # With the old key beside, it is opened, and sealed with the new one when the server starts.
    settings.SECRET_KEY_FALLBACKS = [key]
    before = stored(game)
    assert len(store.text_of(game.pk).splitlines()) == game.length
    assert store.renew_seals() == 0
    settings.SECRET_KEY_FALLBACKS = []
    assert stored(game) != before
    assert len(store.text_of(game.pk).splitlines()) == game.length


def test_what_is_sealed_with_the_present_key_stays_as_it_is(begin: Begin) -> None:
    game = begin()
    before = stored(game)
    assert store.renew_seals() == 0
    assert stored(game) == before


def test_old_keys_are_read_from_the_settings() -> None:
    config = Config.of({"LAAGER_OLD_SECRET_KEYS": "one, two"})
    assert config.old_secret_keys == ("one", "two")


def test_campaigns_begun_before_are_sealed_when_the_database_is_brought_up_to_date(begin: Begin) -> None:
    game = begin()
    whole = store.text_of(game.pk)
    plain = whole.splitlines(keepends=True)[1].decode()
    EntryLine.objects.filter(game=game, number=2).update(line=plain)
    assert store.text_of(game.pk) == whole
    step: Any = importlib.import_module("laager.web.migrations.0002_seal_seeds").Migration
    editor = SimpleNamespace(connection=connection)
    step.operations[0].code(apps, editor)
    assert sealing.unseal(game.pk, stored(game)) == plain != stored(game)
    step.operations[0].reverse_code(apps, editor)
    assert stored(game) == plain


@pytest.mark.once
def test_the_proof_that_a_log_is_sound_gives_no_seed(people: People) -> None:
    """What other addresses answer is searched in `test_authorisation`."""
    setting = Setting.of(people)
    proof = setting.answer("umpire", "POST", "campaign/<uuid:game>/<slug:seat>/over/verify")
    assert "The log is sound" in proof.content.decode()
    assert not planted.found_in(proof.content.decode(), planted.seeds(setting.game))


def test_what_is_dumped_for_a_backup_has_no_seed(begin: Begin) -> None:
    game = begin()
    out = StringIO()
    call_command("dumpdata", "web", stdout=out)
    assert str(game.pk) in out.getvalue()
    assert not planted.found_in(out.getvalue(), planted.seeds(game))


def test_not_even_the_umpires_view_has_the_seed(begin: Begin) -> None:
    game = begin()
    campaign = store_campaign(game)
    seen = views.view(campaign, UMPIRE)
    assert seen.log[1].entry.type == "seed"
    assert seen.log[1].entry.body == {}
    assert not planted.found_in(repr(seen), planted.seeds(game))


def store_campaign(game: Game) -> Any:
    from laager.campaign.engine import Campaign

    return Campaign(store.DatabaseStore(game.pk))
