from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from laager.base import DataError, RefusedError
from laager.base.files import Document, parse_document
from laager.campaign.clause_places import place_of
from laager.campaign.clauses import (
    Clause,
    Coverage,
    Handling,
    Moment,
    RulesIndex,
    coverage,
    implementers,
    implements,
    unknown_clauses,
)
from laager.campaign.steps import Step, step

NUMBERS = count()

Package = Callable[[Mapping[str, str]], str]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Package:
    """Make a package of these files (path -> text) that can be imported; returns its name."""

    def make(contents: Mapping[str, str]) -> str:
        name = f"toyrules{next(NUMBERS)}"
        for path, text in {"__init__.py": "", **contents}.items():
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(textwrap.dedent(text), encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        return name

    return make


def entry(id_: str, **more: Any) -> dict[str, Any]:
    plain = {"id": id_, "title": f"Title of {id_}", "text": "It is so.", "handling": "computed"}
    return {**plain, **more}


def chapter(title: str, *clauses: Any, name: str = "a.yaml") -> Document:
    data = {"laager": "rules-index/1", "ruleset": "tt", "chapter": title, "clauses": clauses}
    return parse_document(json.dumps(data, indent=1), name)


def index() -> RulesIndex:
    return RulesIndex.of(
        [
            chapter(
                "1 Start",
                entry("TT 1.0", title="Toys", handling="asked", see=["TT 2.1"]),
                entry("TT 1.1", handling="reminded", remind=["play", "setup"]),
            ),
            chapter(
                "2 Play",
                entry("TT 2.1", text="Mud slows toys.", remind=["play"], table="mud"),
                entry("TT 2", handling="reminded", remind=["always"], other_tables=["b", "c"]),
                name="b.yaml",
            ),
        ]
    )


def complaints(*documents: Document) -> list[str]:
    with pytest.raises(DataError) as caught:
        RulesIndex.of(documents)
    return [str(problem) for problem in caught.value.problems]


def test_an_index_is_a_mapping_in_the_order_of_the_book() -> None:
    assert list(index()) == ["TT 1.0", "TT 1.1", "TT 2.1", "TT 2"]
    assert len(index()) == 4
    assert index()["TT 2.1"] == Clause(
        id="TT 2.1",
        title="Title of TT 2.1",
        text="Mud slows toys.",
        handling=Handling.COMPUTED,
        table="mud",
        remind=(Moment.PLAY,),
    )
    assert {title: len(group) for title, group in index().chapters.items()} == {"1 Start": 2, "2 Play": 2}
    assert index().chapter_of("TT 2") == "2 Play"
    assert index()["TT 2.1"].tables == ("mud",)
    assert index()["TT 2"].tables == ("b", "c")


def test_a_heading_does_not_say_again_what_the_id_says() -> None:
    index = RulesIndex.load_packaged("laager.rules.bridge_too_far")
    assert index["ABtF 9.2 CG"].heading == ""
    assert index["ABtF 9.2 CPP"].heading == "Campaign Purchase Points (CPP)"
    assert index["ABtF 9.11"].heading == index["ABtF 9.11"].title


def test_an_unknown_clause_is_refused_with_advice() -> None:
    assert index().clause("TT 2.1").table == "mud"
    with pytest.raises(RefusedError, match=r"the index has no clause “TT 1\.11”; did you mean TT 1\.1"):
        index().clause("TT 1.11")
    with pytest.raises(KeyError):
        index()["TT 9"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("toys", ["TT 1.0", "TT 2.1"]),
        ("TOYS mud", ["TT 2.1"]),
        ("tt 2", ["TT 2", "TT 2.1"]),
        ("title of 1", ["TT 1.1", "TT 2.1"]),
        ("so", ["TT 1.0", "TT 1.1", "TT 2"]),
        ("horse", []),
        ("  ", []),
    ],
)
def test_search_finds_all_words_heads_first(words: str, found: list[str]) -> None:
    assert [clause.id for clause in index().search(words)] == found


def test_reminders_of_a_moment_include_those_always_shown() -> None:
    assert [clause.id for clause in index().reminders("play")] == ["TT 1.1", "TT 2.1", "TT 2"]
    assert [clause.id for clause in index().reminders(Moment.SETUP)] == ["TT 1.1", "TT 2"]
    assert [clause.id for clause in index().reminders(Moment.CC)] == ["TT 2"]
    with pytest.raises(ValueError, match="teatime"):
        index().reminders("teatime")


def test_everything_wrong_is_told_at_once_with_its_line() -> None:
    first = chapter(
        "1 Start",
        entry("TT 1.0", handling="guessed"),
        entry("TT 1.1", handling="reminded"),
        entry("PL 1.2", see=["TT 1.0", "TT 1.O"]),
    )
    second = chapter("1 Start", entry("TT 1.0", txt="?"), name="b.yaml")
    told = complaints(first, second)
    assert told == [
        'a.yaml:10: clauses[1].handling: "guessed" is not known here; one of computed, asked, reminded',
        "a.yaml:12: clauses[2]: TT 1.1 is reminded but never shown; add remind: [creation, "
        "weather, purchase, setup, night, patrol, redeployment, play, end-of-play, cc, repairs, "
        "always]",
        "b.yaml:11: clauses[1].txt: is not known here; did you mean text?",
        "a.yaml:19: clauses[3].id: “PL 1.2” is not a clause of TT; TT 1.23",
        "b.yaml:7: clauses[1].id: there is a clause TT 1.0 already, at a.yaml:7; give one of them another id",
        "a.yaml:25: clauses[3].see[2]: the index has no clause “TT 1.O”; did you mean TT 1.1 or TT 1.0?",
    ]


def test_two_chapters_alike_and_files_that_are_none() -> None:
    twice = complaints(chapter("1 Start", entry("TT 1")), chapter("1 Start", entry("TT 2"), name="b.yaml"))
    assert twice == ["b.yaml:4: chapter: there is a chapter “1 Start” in another file; give it another title"]
    assert complaints(parse_document("just text", "c.yaml")) == [
        'c.yaml:1: "just text" is not a set of fields; write “name: value”, a line for each'
    ]
    assert complaints(chapter("1 Start"))[0].endswith("clauses: is empty; a chapter has a clause at least")
    assert complaints(parse_document("{clauses: [1, {id: 2}]}", "d.yaml"))[0].startswith("d.yaml:1")


def test_a_packaged_index_is_read_in_the_order_of_file_names(package: Package) -> None:
    head = "{laager: rules-index/1, ruleset: tt, chapter: %s, clauses: [%s]}"
    one = "{id: %s, title: T, text: It is so., handling: computed}"
    name = package(
        {
            "index/02-b.yaml": head % ("B", one % "TT 2"),
            "index/01-a.yaml": head % ("A", one % "TT 1"),
            "index/notes.txt": "no index",
        }
    )
    assert list(RulesIndex.load_packaged(name)) == ["TT 1", "TT 2"]
    assert RulesIndex.load_packaged(name) is RulesIndex.load_packaged(name)


def test_a_package_without_an_index_is_told(package: Package) -> None:
    for name in (package({}), package({"index/notes.txt": ""}), "no_such_package"):
        with pytest.raises(DataError, match=f"package {name} has no rules index; it belongs in"):
            RulesIndex.load_packaged(name)


# implements -----------------------------------------------------------------------------------


def test_implements_marks_functions_and_classes() -> None:
    @implements("TT 1")
    @implements("TT 2", "TT 1")
    def rule() -> int:
        return 7

    @implements("TT 3")
    class Base: ...

    @implements("TT 4")
    class Derived(Base): ...

    assert rule() == 7
    assert vars(rule)["__clauses__"] == ("TT 1", "TT 2")
    assert vars(Base)["__clauses__"] == ("TT 3",)
    assert vars(Derived)["__clauses__"] == ("TT 4",)


def test_implements_adds_to_a_step() -> None:
    @implements("TT 2")
    @step("TT 1", "A step", also=("TT 3",))
    def walking(cg: Any) -> Any:
        yield cg

    assert isinstance(walking, Step)
    assert walking.__clauses__ == ("TT 1", "TT 3", "TT 2")
    assert walking.id == "walking"


def test_implements_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="names no clause"):
        implements()


TOY = {
    "rules.py": """
        from functools import cache, cached_property
        from laager.campaign.clauses import implements
        from laager.campaign.steps import step

        @implements("TT 1.0")
        def function(): ...

        @cache
        @implements("TT 1.0")
        def kept(): ...

        @step("TT 2.1", "A step", also=("TT 2",))
        @implements("TT 9.9")
        def marching(cg):
            yield

        class Holder:
            @implements("TT 3.1")
            def method(self): ...

            @property
            @implements("TT 3.2")
            def computed(self): ...

            @cached_property
            @implements("TT 3.3")
            def once(self): ...

            @staticmethod
            @implements("TT 3.4")
            def static(): ...

            @classmethod
            @implements("TT 3.5")
            def of(cls): ...

            @implements("TT 3.6")
            class Inner: ...

        Holder.again = Holder

        class Filling:
            def __getattr__(self, name):
                setattr(Filling, f"seen_{len(vars(Filling))}", name)
                raise AttributeError(name)

        Filling.itself = Filling()

        class Heir(Holder): ...
        """,
    "steps/__init__.py": "",
    "steps/deeper.py": """
        from ..rules import function, marching, Holder
        from laager.campaign.clauses import implements

        also_function = function

        @implements("TT 1.0")
        def other(): ...
        """,
}


def test_implementers_are_found_where_they_are_defined(package: Package) -> None:
    name = package(TOY)
    assert implementers(name) == {
        "TT 1.0": (f"{name}.rules:function", f"{name}.rules:kept", f"{name}.steps.deeper:other"),
        "TT 2": (f"{name}.rules:marching",),
        "TT 2.1": (f"{name}.rules:marching",),
        "TT 3.1": (f"{name}.rules:Holder.method",),
        "TT 3.2": (f"{name}.rules:Holder.computed",),
        "TT 3.3": (f"{name}.rules:Holder.once",),
        "TT 3.4": (f"{name}.rules:Holder.static",),
        "TT 3.5": (f"{name}.rules:Holder.of",),
        "TT 3.6": (f"{name}.rules:Holder.Inner",),
        "TT 9.9": (f"{name}.rules:marching",),
    }


def test_what_rules_are_based_on_carries_out_their_clauses_too(package: Package) -> None:
    base = package(
        {
            "shared.py": """
        from laager.campaign import implements, step

        @implements("TT 2", "UU 1")
        @step("BB 1", "Melee")
        def melee(cg): yield
        """
        }
    )
    name = package(
        {
            "__init__.py": f"BASED_ON = {base!r}",
            "sequence.py": f"""
                from dataclasses import replace
                from {base}.shared import melee

                OWN_MELEE = replace(melee, clause="TT 2.1")
                """,
        }
    )
    by = (f"{base}.shared:melee",)
    assert implementers(name) == {"BB 1": by, "TT 2": by, "TT 2.1": by, "UU 1": by}
    assert list(unknown_clauses(index(), name)) == []
    place = place_of(by[0])
    assert (Path(place.file).name, place.name, place.about) == ("shared.py", "melee", "")
    assert Path(place.file).read_text().splitlines()[place.line - 1].startswith("@implements")


def test_coverage_tells_who_carries_a_clause_out(package: Package) -> None:
    name = package(TOY)
    rows = coverage(index(), name)
    assert rows[0] == Coverage("TT 1.0", Handling.ASKED, implementers(name)["TT 1.0"])
    assert rows[1].by == ("shown: play", "shown: setup")
    assert rows[2].by == (f"{name}.rules:marching",)
    assert rows[3].by == (f"{name}.rules:marching", "shown: always")
    assert all(row.covered for row in rows)
    empty = {row.clause: row.covered for row in coverage(index(), package({}))}
    assert empty == {"TT 1.0": False, "TT 1.1": True, "TT 2.1": False, "TT 2": True}


def test_clauses_that_code_makes_up_are_found(package: Package) -> None:
    name = package(TOY)
    assert list(unknown_clauses(index(), name)) == [*(f"TT 3.{n}" for n in range(1, 7)), "TT 9.9"]
    assert unknown_clauses(index(), name)["TT 9.9"] == (f"{name}.rules:marching",)


def test_a_module_that_cannot_be_imported_is_not_passed_over(package: Package) -> None:
    with pytest.raises(ImportError, match="no_such_module"):
        implementers(package({"broken.py": "import no_such_module"}))
