"""What must hold between the entries of a nation: every name exists, chains fit and end.

All problems of all files of the nation are found together, each with its file and line.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from laager.base import Problem, did_you_mean
from laager.base.files import Document, Where
from laager.catalogue.inherit import PlacedEntry, Source, complete_entries
from laager.catalogue.kinds import DISRUPTED, FANATIC, Grade, Kind, usual_cvp
from laager.catalogue.model import CatalogueFile, leader_rank
from laager.catalogue.nations import sort_problems


@dataclass(frozen=True, slots=True)
class Name:
    """A type's text where a file enters it."""

    text: str
    kind: Kind
    document: Document
    where: Where


def check_nation(sources: Sequence[Source]) -> list[Problem]:
    """Return everything that is wrong between the entries of one nation's files."""
    placed = complete_entries(sources)
    # The first of two alike counts; the second is complained of.
    mmc = {entry.entry.type: entry for entry in reversed(placed)}
    problems = [
        *_check_headings(sources),
        *_find_repeats(list_names(sources)),
        *_check_leaders(sources),
        *_check_crews_and_sw(sources, mmc),
    ]
    for entry in placed:
        problems += _check_fields(entry)
        problems += _check_references(entry, mmc)
    if not problems:
        for field in ("replaced", "hardened", "reduced"):
            problems += _find_circles(placed, field)
    return sort_problems(problems, (document for document, _ in sources))


def list_names(sources: Sequence[Source]) -> Iterator[Name]:
    """Return every type text that the files enter, in their order."""
    for document, file in sources:
        for i, entry in enumerate(file.squads):
            yield Name(entry.type, Kind(entry.kind), document, ("squads", i, "type"))
        if file.leaders:
            yield from _leader_names(document, file)
        for i, sw in enumerate(file.support_weapons):
            yield Name(sw.type, Kind.SW, document, ("support_weapons", i, "type"))
        for i, guns in enumerate(file.guns):
            for j, text in enumerate(guns.types):
                yield Name(text, Kind.GUN, document, ("guns", i, "types", j))
        for i, group in enumerate(file.vehicles):
            for j, text in enumerate(group.types):
                yield Name(text, Kind(group.kind), document, ("vehicles", i, "types", j))


def _leader_names(document: Document, file: CatalogueFile) -> Iterator[Name]:
    leaders = file.leaders
    assert leaders is not None
    for i, text in enumerate(leaders.ladder):
        yield Name(text, Kind.LEADER, document, ("leaders", "ladder", i))
    for i, text in enumerate(leaders.armor):
        yield Name(text, Kind.ARMOR_LEADER, document, ("leaders", "armor", i))
    for i, entry in enumerate(leaders.commissars):
        yield Name(entry.type, Kind.COMMISSAR, document, ("leaders", "commissars", i, "type"))
    if leaders.hero:
        yield Name(leaders.hero, Kind.HERO, document, ("leaders", "hero"))


def _check_headings(sources: Sequence[Source]) -> Iterator[Problem]:
    """The files of a nation agree on its name, and one of them gives its leaders."""
    first_document, first = sources[0]
    for document, file in sources[1:]:
        if file.name != first.name:
            yield document.problem(
                ("name",),
                f"{file.nation} is {first.name!r} in {first_document.name} and {file.name!r} here",
                "give a nation one name",
            )
    for field in ("leaders", "side", "group", "gun_crew", "vehicle_crew"):
        given = [document for document, file in sources if getattr(file, field) is not None]
        for document in given[1:]:
            yield document.problem(
                (field,), f"stands in {given[0].name} already", "give it in one file of the nation only"
            )
    for field in ("leaders", "side"):
        if not any(getattr(file, field) for _, file in sources):
            yield first_document.problem((field,), "is missing", "add it to one file of the nation")
    if not any(file.squads for _, file in sources):
        yield first_document.problem(("squads",), "there is no squad", "enter at least one")


def _find_repeats(entered: Iterable[Name]) -> Iterator[Problem]:
    """A text stands for one type; only an armor leader may share it with a leader."""
    first: dict[tuple[bool, str], Name] = {}
    for name in entered:
        key = (name.kind is Kind.ARMOR_LEADER, name.text)
        before = first.setdefault(key, name)
        if before is name:
            continue
        line = before.document.line(before.where)
        place = f"line {line}" if before.document is name.document else before.document.name
        right = "remove one of the two"
        if before.kind is not name.kind:
            right = "add a word that tells them apart"
            if name.kind.is_mmc:
                right += f", as '{name.text} {name.kind.value}'"
        yield name.document.problem(name.where, f"{name.text!r} is {before.kind.words} already ({place})", right)


_NEEDED = {
    "half": "name the half-squad that it becomes",
    "whole": "name the squad that two of it form",
    "grade": "elite, first-line, second-line, green or conscript",
    "replaced": f"name the type below it, or write {DISRUPTED}",
    "hardened": f"name the type above it, or write {FANATIC}",
}


def _check_fields(placed: PlacedEntry) -> Iterator[Problem]:
    """Which fields a kind must have and must not have."""
    entry = placed.entry
    needed = {Kind.SQUAD: "half", Kind.HALF_SQUAD: "whole"}.get(placed.kind)
    # A half-squad inherits these; if it cannot, its squad is at fault and is named.
    own = () if placed.kind is Kind.HALF_SQUAD else ("grade", "replaced", "hardened")
    for field in (needed, *own):
        if field and getattr(entry, field) is None:
            yield placed.problem(field.replace("grade", "class"), "is missing", _NEEDED[field])
    for field in ("half", "reduced", "whole"):
        allowed = field == needed or (field == "reduced" and placed.kind is Kind.SQUAD)
        if getattr(entry, field) is not None and not allowed:
            yield placed.problem(field, f"{placed.kind.words} doesn't have this", "leave it empty")


def _check_references(placed: PlacedEntry, mmc: Mapping[str, PlacedEntry]) -> Iterator[Problem]:
    """Every type that the entry names exists, is of the right kind, and fits."""
    entry = placed.entry
    if entry.half is not None and (yield from _check_reference(placed, "half", mmc, Kind.HALF_SQUAD)):
        yield from _check_cvp(placed, "half", mmc[entry.half])
    if entry.reduced is not None and (yield from _check_reference(placed, "reduced", mmc, Kind.SQUAD, Kind.HALF_SQUAD)):
        yield from _check_cvp(placed, "reduced", mmc[entry.reduced])
    if entry.whole is not None and (yield from _check_reference(placed, "whole", mmc, Kind.SQUAD)):
        half = mmc[entry.whole].entry.half
        if half not in (None, entry.type):
            yield placed.problem(
                "whole",
                f"the half-squad of {entry.whole!r} is {half!r}, not {entry.type!r}",
                "make half and whole agree",
            )
    for field, end in (("replaced", DISRUPTED), ("hardened", FANATIC)):
        text = getattr(entry, field)
        if text in (None, end) or field in placed.inherited:
            continue
        if (yield from _check_reference(placed, field, mmc, placed.kind)):
            yield from _check_grade(placed, field, mmc[text].entry.grade)


def _check_reference(
    placed: PlacedEntry, field: str, mmc: Mapping[str, PlacedEntry], *kinds: Kind
) -> Generator[Problem, None, bool]:
    """Yield a problem unless the field names an MMC of one of the kinds; return True if it does."""
    text = getattr(placed.entry, field)
    fitting = [type_ for type_, other in mmc.items() if other.kind in kinds and other is not placed]
    word = {"replaced": DISRUPTED, "hardened": FANATIC}.get(field)
    known = [*fitting, word] if word else fitting
    if text not in mmc:
        yield placed.problem(field, f"there is no type {text!r}", did_you_mean(text, known))
        return False
    if mmc[text].kind not in kinds:
        right = f"name {kinds[0].words}; {did_you_mean(text, known)}"
        yield placed.problem(field, f"{text!r} is {mmc[text].kind.words}", right)
        return False
    return True


def _check_cvp(placed: PlacedEntry, field: str, other: PlacedEntry) -> Iterator[Problem]:
    before, after = _cvp(placed), _cvp(other)
    if after > before:
        yield placed.problem(
            field,
            f"{other.entry.type!r} is worth {after} CVP, {placed.entry.type!r} only {before}",
            "what is left of a unit cannot be worth more than the unit",
        )


def _cvp(placed: PlacedEntry) -> int:
    return placed.entry.cvp if placed.entry.cvp is not None else usual_cvp(placed.kind) or 0


def _check_grade(placed: PlacedEntry, field: str, grade: Grade | None) -> Iterator[Problem]:
    if grade is None or placed.entry.grade is None:
        return
    wrong = grade > placed.entry.grade if field == "replaced" else grade < placed.entry.grade
    if wrong:
        way = "better" if field == "replaced" else "worse"
        text = getattr(placed.entry, field)
        yield placed.problem(
            field,
            f"{text!r} is {grade.value}, {way} than {placed.entry.grade.value}",
            f"a {field} unit cannot be of a {way} class",
        )


def _find_circles(placed: Sequence[PlacedEntry], field: str) -> Iterator[Problem]:
    """Yield a problem for each circle of types that change into one another."""
    by_type = {entry.entry.type: entry for entry in placed}
    done: set[str] = set()
    for entry in placed:
        path: list[str] = []
        text: str | None = entry.entry.type
        while text in by_type and text not in done and text not in path:
            path.append(text)
            text = getattr(by_type[text].entry, field)
        if text in path:
            circle = [*path[path.index(text) :], text]
            yield by_type[text].problem(
                field, "the types go round in a circle: " + " -> ".join(circle), "let the chain end"
            )
        done.update(path)


def _check_leaders(sources: Sequence[Source]) -> Iterator[Problem]:
    for document, file in sources:
        leaders = file.leaders
        if leaders is None:
            continue
        for field in ("ladder", "armor"):
            yield from _check_rising(document, field, getattr(leaders, field))
        known = {*leaders.ladder, *leaders.armor, leaders.hero}
        for i, entry in enumerate(leaders.commissars):
            if entry.stands_for not in leaders.ladder:
                yield document.problem(
                    ("leaders", "commissars", i, "stands_for"),
                    f"there is no leader {entry.stands_for!r}",
                    did_you_mean(entry.stands_for, leaders.ladder),
                )
            known.add(entry.type)
        for text in leaders.cvp:
            if text not in known:
                yield document.problem(
                    ("leaders", "cvp", text), f"there is no leader {text!r}", did_you_mean(text, leaders.ladder)
                )


def _check_rising(document: Document, field: str, ladder: Sequence[str]) -> Iterator[Problem]:
    """Morale never falls on the way up, nor does the DRM at the same morale."""
    for i in range(1, len(ladder)):
        if leader_rank(ladder[i]) < leader_rank(ladder[i - 1]):
            yield document.problem(
                ("leaders", field, i),
                f"{ladder[i]!r} is no better than {ladder[i - 1]!r} before it",
                "begin with the worst leader and end with the best",
            )


def _check_crews_and_sw(sources: Sequence[Source], mmc: Mapping[str, PlacedEntry]) -> Iterator[Problem]:
    """Crews of Guns and vehicles exist; a dismantled SW is no heavier; inherent crews fit in."""
    crews = [text for text, entry in mmc.items() if entry.kind is Kind.CREW]
    for document, file in sources:
        for field in ("gun_crew", "vehicle_crew"):
            text = getattr(file, field)
            if text is not None and text not in crews:
                yield document.problem((field,), f"there is no crew {text!r}", did_you_mean(text, crews))
        for i, sw in enumerate(file.support_weapons):
            if sw.dm_pp is not None and sw.dm_pp > sw.pp:
                yield document.problem(
                    ("support_weapons", i, "dm_pp"),
                    f"{sw.dm_pp} PP dismantled is more than {sw.pp} PP",
                    "a dismantled SW is no heavier",
                )
        for i, group in enumerate(file.vehicles):
            if group.crew > group.cvp:
                yield document.problem(
                    ("vehicles", i, "crew_cvp"),
                    f"{group.crew} CVP of the crew are more than {group.cvp} CVP in all",
                    "cvp includes the inherent crew",
                )
