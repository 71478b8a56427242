"""Design Your Own besides the questions: terms, orders of battle, odds, suggestions, exports."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from laager.base.files import parse_document
from laager.web.campaigns import tables
from laager.web.dyo import orders
from laager.web.library.files import files as library
from laager.web.models import Game, OwnFile
from laager.web.shared import processes
from tests.web.conftest import seat
from tests.web.test_asking import address_of, asked_of
from tests.web.typing_in import ask_form

if TYPE_CHECKING:
    from tests.web.conftest import Begin, People

BATTLE_GROUP = Path(__file__).parents[1] / "design_your_own" / "data" / "kampfgruppe.yaml"
TERMS = {
    "axis": "german", "allied": "russian", "points-axis": "1000", "points-allied": "900",
    "year": "1944", "month": "09", "boards": "3, 16", "do": "look",
}  # fmt: skip


def test_terms_are_agreed_kept_and_begun(people: People) -> None:
    client = people.client(people.anna)
    assert client.get("/dyo/").status_code == 200
    answer = client.post("/dyo/", TERMS | {"open": "yes", "first": "axis", "elr-axis": "4"})
    assert answer["Location"] == "/dyo/terms/german-russian-1944-09.yaml"
    data = parse_document(OwnFile.objects.get().text, "").data
    assert (data["open"], data["first"], data["boards"]) == (True, "axis", [{"id": "3"}, {"id": "16"}])
    assert data["sides"]["axis"] == {"nation": "german", "points": 1000, "elr": 4}
    # The same name is not written over unasked.
    assert client.post("/dyo/", TERMS).status_code == 422
    answer = client.post("/dyo/", TERMS | {"over": "yes", "do": "begin"})
    assert answer["Location"] == "/new/own/german-russian-1944-09.yaml"
    client.post(answer["Location"], {"seat": "both"})
    assert Game.objects.get().ruleset == "dyo"


def test_agreements_contingents_and_reinforcements_are_entered_row_by_row(people: People) -> None:
    client = people.client(people.anna)
    page = client.get("/dyo/").content.decode()
    assert '<option value="finnish"' in page
    page = client.post("/dyo/", TERMS | {"do": "add:contingents-axis"}).content.decode()
    assert 'name="contingents-axis.0.nation"' in page
    assert not OwnFile.objects.exists()
    rows = {
        "contingents-axis": "0", "contingents-axis.0.nation": "finnish", "contingents-axis.0.elr": "4",
        "reinforcements-allied": "0", "reinforcements-allied.0.turn": "3", "reinforcements-allied.0.squads": "4",
        "extra_pieces": "yes",
    }  # fmt: skip
    client.post("/dyo/", TERMS | {"catalogue": "published"} | rows)
    data = parse_document(OwnFile.objects.get().text, "").data
    assert data["agreements"] == {"extra_pieces": True}
    assert data["sides"]["axis"]["contingents"] == [{"nation": "finnish", "elr": 4}]
    assert data["sides"]["allied"]["reinforcements"] == [{"turn": 3, "squads": 4}]
    again = client.post("/dyo/", TERMS | {"contingents-axis": "0", "contingents-axis.0.nation": "german"})
    assert "named twice on one side" in again.content.decode()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"axis": "klingon"}, "klingon"),
        ({"year": "1066"}, "1066"),
        ({"month": "../../x"}, "month"),
        ({"points-axis": "99999"}, "99999"),
        ({"points-axis": "many"}, "a whole number from 1 to 20000"),
        ({"elr-allied": "9"}, "9"),
        ({"own": "../x.yaml"}, "../x.yaml"),
        ({"own": "none.yaml"}, "none.yaml"),
        ({"name": "../x.yaml"}, "cannot be a file name"),
        ({"catalogue": "secret"}, "secret"),
    ],
)
def test_wrong_terms_are_told_and_what_was_typed_stays(change: dict[str, str], told: str, people: People) -> None:
    client = people.client(people.anna)
    answer = client.post("/dyo/", TERMS | {"title": "Typed by me"} | change)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert told in page
    assert 'value="Typed by me"' in page
    assert "/tmp" not in page
    assert not OwnFile.objects.exists()


def test_odds_and_a_proposal_by_terms_that_is_kept_and_legal(people: People) -> None:
    client = people.client(people.anna)
    client.post("/dyo/", TERMS)
    address = "/dyo/terms/german-russian-1944-09.yaml"
    assert "Availability of Guns" in client.get(f"{address}?side=allied").content.decode()
    assert client.get(f"{address}?side=neutral").status_code == 404
    wishes = {"side": "axis", "squads": "12", "oba": "1", "maximise": "squads"}
    page = client.post(address, wishes | {"do": "suggest"})
    assert "What could be bought" in page.content.decode()
    answer = client.post(address, wishes | {"do": "keep", "ob-name": "idea"})
    assert answer["Location"] == "/dyo/ob/idea.yaml"
    assert "Against the rules" not in client.get(answer["Location"]).content.decode()
    for wrong in ({"squads": "x"}, {"oba": "-1"}, {"maximise": "glory"}, {"squads": "900"}):
        assert client.post(address, wishes | {"do": "suggest"} | wrong).status_code in {404, 422}


def ob(**changes: Any) -> str:
    data = yaml.safe_load(BATTLE_GROUP.read_text(encoding="utf-8"))
    data["ob"] |= changes
    return str(yaml.safe_dump(data, sort_keys=False))


def test_an_order_of_battle_is_judged_rule_by_rule_and_exported(people: People) -> None:
    client = people.client(people.anna)
    library.save(people.anna, "kg.yaml", BATTLE_GROUP.read_text(encoding="utf-8"))
    page = client.get("/dyo/ob/kg.yaml").content.decode()
    assert re.search(r'<h2 id="verdict">\s*Legal', page)
    for form in ("ob", "pl", "hasl", "vasl-templates", "list", "bbcode"):
        answer = client.get(f"/dyo/ob/kg.yaml/{form}")
        assert answer.status_code == 200
        assert "attachment" in answer["Content-Disposition"]
        if form == "vasl-templates":
            assert json.loads(answer.content)
        elif form in {"list", "bbcode"}:
            assert "Set up" in answer.content.decode()
            assert answer["Content-Type"] == "text/plain; charset=utf-8"
        else:
            assert parse_document(answer.content.decode(), form).data
    assert client.get("/dyo/ob/kg.yaml/exe").status_code == 404
    assert client.get("/dyo/ob/kg.yaml?against=kg.yaml").status_code == 422
    assert client.get("/dyo/ob/kg.yaml?against=none.yaml").status_code == 404
    library.save(people.anna, "bad.yaml", ob(san={"number": 9}))
    page = client.get("/dyo/ob/bad.yaml").content.decode()
    assert "Against the rules" in page or 'class="refused"' in page
    library.save(people.anna, "t.yaml", "laager: dyo/1\n")
    assert client.get("/dyo/ob/t.yaml").status_code == 422
    assert {file.name for file in orders.of_kind(people.anna, "dyo-ob")} == {"kg.yaml", "bad.yaml"}


def test_a_side_looks_ahead_for_itself_alone(people: People, begin: Begin) -> None:
    game = begin("vistula")
    base = f"/campaign/{game.pk}"
    anna, bert, cleo = map(people.client, (people.anna, people.bert, people.cleo))
    assert anna.get(f"{base}/axis/ahead").status_code == 200
    assert anna.get(f"{base}/axis/ahead?side=allied").status_code == 403
    assert anna.get(f"{base}/axis/ahead/ob?side=allied").status_code == 403
    assert bert.get(f"{base}/axis/ahead").status_code == 404
    assert cleo.get(f"{base}/umpire/ahead?side=allied").status_code == 200
    page = anna.get(f"{base}/axis/ahead?do=suggest&squads=10&maximise=points").content.decode()
    assert "What could be bought" in page
    page = anna.get(f"{base}/axis/ahead?do=suggest&squads=x").content.decode()
    assert "is not a wish" in page
    data = parse_document(anna.get(f"{base}/axis/ahead/ob").content.decode(), "ob").data
    assert data["ob"]["side"] == "axis"
    other = begin("rzhavets")
    assert anna.get(f"/campaign/{other.pk}/axis/ahead").status_code == 404


def test_nobody_waits_while_a_purchase_is_suggested(
    people: People, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some wishes take minutes: a process of its own, which can be stopped, looks for them; the campaign goes on."""
    game = begin("vistula")
    free: list[bool] = []

    def do(who: int, job: Callable[..., Any], *given: Any) -> Any:
        assert who == people.anna.pk
        with ThreadPoolExecutor(1) as thread:
            free.append(thread.submit(is_free).result())
        return job(*given)

    def is_free() -> bool:
        lock = tables.SHELF.get(game.pk, tables.Held).lock
        if not lock.acquire(blocking=False):
            return False
        lock.release()
        return True

    monkeypatch.setattr(processes.SLOW, "do", do)
    page = people.client(people.anna).get(f"/campaign/{game.pk}/axis/ahead?do=suggest&squads=10&maximise=points")
    assert "What could be bought" in page.content.decode()
    assert free == [True]


def test_a_purchase_is_a_shop_with_counters_and_buttons(people: People, begin: Begin) -> None:
    game = begin("vistula")
    client = people.client(people.anna)
    asked = asked_of(game, people.anna, "axis")
    assert asked
    address = address_of(game, "axis", asked)
    page = client.get(address).content.decode()
    line = re.search(r'<tr data-line-of="4-6-7".*?</tr>', page, re.DOTALL)
    assert line, page
    assert 'href="#counter-0-squad-4-6-7' in line[0]
    assert page.count('<symbol id="counter-0-squad-4-6-7') == 1
    assert re.search(r"BPV \d+, MPV \d+", line[0])
    page = client.post(address, {"do": "more:lines:type=4-6-7"}).content.decode()
    rows = {"a.lines": "0", "a.lines.0.type": "4-6-7", "a.lines.0.number": "1"}
    page = client.post(address, rows | {"do": "more:lines:type=4-6-7"}).content.decode()
    assert re.search(r'name="a.lines.0.number"[^>]*value="2"', page)
    page = client.post(address, rows | {"a.lines.0.number": "300"} | {"do": "save"}).content.decode()
    line = re.search(r'<tr data-line-of="4-6-7".*?</tr>', page, re.DOTALL)
    assert line
    assert "one game has 26" in line[0]


def test_who_submits_each_page_as_it_comes_buys_a_balanced_force(people: People, begin: Begin) -> None:
    game = begin("vistula")
    client = people.client(people.anna)
    for _ in range(60):
        asked = asked_of(game, people.anna, "axis")
        if asked is None:
            break
        address = address_of(game, "axis", asked)
        question = asked.pending.question
        if question is None:
            assert client.post(address, {"do": "roll"}).status_code == 302
            continue
        sent = ask_form(client.get(address).content).data
        agreed = {"do": ["sure"], "sure-of": [question.warning(question.default)]}
        assert client.post(address, sent | agreed).status_code == 302, question.key
    page = client.get(f"/campaign/{game.pk}/axis/ahead/ob").content.decode()
    ob = parse_document(page, "ob").data["ob"]
    assert all(ob[name] for name in ("infantry", "ordnance", "vehicles", "oba")), ob
    with tables.look(seat(game, people.anna, "axis")) as table:
        bought = table.view.state.ob("axis")
    # What is left buys no more of any squad that the game has counters for (DYO H1.11).
    numbers = Counter[str]()
    for entry in bought.infantry:
        numbers[entry.type] += entry.number
    squads = [entry for entry in bought.infantry if entry.kind == "squad"]
    assert all(entry.each > bought.left for entry in squads if numbers[entry.type] < 26)
