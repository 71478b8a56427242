"""Reading catalogues of Design Your Own: shipped nations, and own files laid over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from laager.base import DataError, Problem, Refusal, RefusedError, did_you_mean, read_each
from laager.base.files import Document, check, read_document, read_packaged
from laager.catalogue.dyo.checks import EntryPlaces, Read, find_repeats, problems_of, warnings_of
from laager.catalogue.dyo.entry import CatalogueEntry
from laager.catalogue.dyo.model import MARK, SECTIONS, DyoCatalogueFile
from laager.catalogue.dyo.nation import DyoNation
from laager.catalogue.dyo.overlay import lay_over, plain_data, with_sources
from laager.catalogue.dyo.spelling import spell_like
from laager.catalogue.dyo.values import OTHER, Dated
from laager.catalogue.nations import PACKAGE, Nations, group_by_nation, shipped_ids, sort_problems

FOLDER = "dyo"

SetName = Literal["house", "published", "none"]
"""Which shipped values a catalogue begins with."""

ANSWERED = "the players"
"""The source of a value that was asked during a purchase."""


@dataclass(frozen=True)
class DyoCatalogue(Nations[DyoNation]):
    """The nations of a purchase by their ids."""

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What is allowed and yet looks wrong, in all files."""
        return tuple(warning for nation in self.values() for warning in nation.warnings)

    def with_values(self, values: Iterable[GivenEntry]) -> DyoCatalogue:
        """Return the catalogue with values filled in that were asked of the players.

        Raises DataError for a value that does not fit.
        """
        nations = dict(self.nations)
        problems: list[Problem] = []
        for value in values:
            try:
                nation = nations[value.nation]
                nations[value.nation] = DyoNation(_fill_in(nation, value), nation.warnings)
            except DataError as err:
                problems += err.problems
        if problems:
            raise DataError(problems)
        return DyoCatalogue(nations)

    def contradictions(self, nation: str) -> tuple[Problem, ...]:
        """Return what doesn't fit together in a nation; fields read `squads.4-4-7.half`."""
        return tuple(problems_of(self.nation(nation).file, EntryPlaces(())))


@dataclass(frozen=True, slots=True)
class GivenEntry:
    """A value that the players gave: of which nation, section, type and field.

    `type` is the entry's key: its type; of an OBA column its year; of an optional weapon
    `vehicle: weapon`; of the capabilities empty. For a dated series `month` is the month that the
    value holds for (None: always).
    """

    nation: str
    section: str
    type: str
    field: str
    value: Any
    month: Dated | None = None


def shipped_nations(set: SetName) -> tuple[str, ...]:  # noqa: A002 - the word that users write
    """Return the ids of the nations that ship with values of a set."""
    return () if set == "none" else shipped_ids(FOLDER, set)


def shipped_set(wanted: SetName, nation: str) -> SetName:
    """Return the set in which a nation's shipped values are where `wanted` is asked for, `none` if there are none."""
    sets: tuple[SetName, ...] = () if wanted == "none" else (wanted, "published")
    return next((candidate for candidate in sets if nation in shipped_nations(candidate)), "none")


def load_dyo(
    *nations: str,
    set: SetName = "house",  # noqa: A002 - the word that users write
    own: Iterable[Path | Document] = (),
) -> DyoCatalogue:
    """Return a catalogue of nations: shipped values of a set, own files laid over them in order.

    Nations that ship, or are named in own files, can be asked for; without `nations` there are
    those of the own files. A nation that has no house values begins with the published ones.
    Raises DataError with all problems of all files, RefusedError for a nation that is nowhere.
    """
    reads, problems = read_each(own, read_file)
    entered = group_by_nation(reads)
    loaded: dict[str, DyoNation] = {}
    for id_ in dict.fromkeys([*nations, *entered]):
        base = shipped_set(set, id_)
        if id_ not in entered:
            if base == "none" and problems:
                # It may be in a file that can't be read.
                raise DataError(problems)
            if base == "none":
                raise RefusedError(Refusal.NO_SUCH, _nowhere(set, id_, entered))
            loaded[id_] = _load_shipped(base, id_)
            continue
        beneath = [] if base == "none" else [_shipped_file(base, id_)]
        try:
            loaded[id_] = nation_of([*beneath, *entered[id_]])
        except DataError as err:
            problems += err.problems
    if problems:
        raise DataError(problems)
    return DyoCatalogue(loaded)


def _nowhere(set_: SetName, id_: str, own: Iterable[str]) -> str:
    """Return the sentence for a nation that is nowhere."""
    if set_ == "none":
        return f"no file is of {id_!r}; {did_you_mean(id_, own)}"
    known = dict.fromkeys([*shipped_nations(set_), *shipped_nations("published"), *own])
    return f"no values ship for {id_!r}; {did_you_mean(id_, known)}"


def read_file(source: Path | Document) -> Read:
    """Return a file, good by itself. Raises DataError with all that is wrong with it."""
    document = read_document(source) if isinstance(source, Path) else source
    mark = document.data.get("laager") if isinstance(document.data, dict) else None
    if isinstance(mark, str) and mark.partition("/")[0] != MARK.partition("/")[0]:
        # Another kind of file is wrong in every line; that needs but one sentence.
        message, right = f"{mark!r} is another kind of file", f"begin with laager: {MARK}"
        raise DataError([document.problem(("laager",), message, right)])
    file = check(document, DyoCatalogueFile)
    twice = list(find_repeats(document, file))
    if twice:
        raise DataError(sorted(twice, key=lambda problem: problem.line or 0))
    return document, file


def nation_of(sources: Sequence[Read]) -> DyoNation:
    """Return the nation of files that are good by themselves, later ones laid over earlier ones.

    Raises DataError with all that is wrong between their entries.
    """
    reads: list[Read] = []
    file: DyoCatalogueFile | None = None
    for document, read in sources:
        spelt = spell_like(with_sources(read), file)
        reads.append((document, spelt))
        file = spelt if file is None else lay_over(file, spelt)
    assert file is not None
    places = EntryPlaces(reads)
    problems = list(problems_of(file, places))
    if problems:
        raise DataError(sort_problems(problems, (document for document, _ in sources)))
    return DyoNation(file, tuple(warnings_of(file, places)))


def _shipped_file(set_: SetName, id_: str) -> Read:
    document = read_packaged(PACKAGE, FOLDER, set_, f"{id_}.yaml")
    return document, check(document, DyoCatalogueFile)


@cache
def _load_shipped(set_: SetName, id_: str) -> DyoNation:
    # Kept: nations are immutable, and every purchase names the same few.
    return nation_of([_shipped_file(set_, id_)])


# Plain data, for the record of a purchase ---------------------------------------------------------


def catalogue_data(catalogue: DyoCatalogue) -> list[dict[str, Any]]:
    """Return a catalogue as plain data, one file for each nation."""
    return [plain_data(nation.file) for nation in catalogue.values()]


def from_data(data: Iterable[Mapping[str, Any]]) -> DyoCatalogue:
    """Return the catalogue of plain data that `catalogue_data` gave; it was checked then."""
    files = [with_sources(DyoCatalogueFile.model_validate(dict(file_data))) for file_data in data]
    return DyoCatalogue({file.nation: DyoNation(file) for file in files})


def _required_fields(entry: CatalogueEntry) -> dict[str, Any]:
    """Return the fields without which there is no such entry, as plain data with their sources."""
    fields = type(entry).model_fields
    needed = [name for name in fields if fields[name].is_required() and name not in entry.keys]
    sources = {name: entry.sources[name] for name in needed if name in entry.sources}
    return {name: getattr(entry, name) for name in needed} | ({"sources": sources} if sources else {})


def _fill_in(nation: DyoNation, given: GivenEntry) -> DyoCatalogueFile:
    """Return a nation's file with one more value."""
    model = SECTIONS.get(given.section)
    if model is None or given.field not in model.names():
        known = SECTIONS if model is None else model.names()
        word = given.section if model is None else given.field
        message = f"there is no {'section' if model is None else 'field'} {word!r}"
        raise DataError([Problem(message, did_you_mean(word, known))])
    parts = given.type.split(": ", len(model.keys) - 1) if model.keys else []
    names: dict[str, Any] = dict(zip(model.keys, parts, strict=False))
    old = DyoNation(nation.file).entries_of(given.section) if model.keys else ()
    for entered in old:
        # What makes an entry complete is said again.
        names |= _required_fields(entered) if entered.key == given.type else {}
    value = list(given.value) if isinstance(given.value, tuple) else given.value
    if given.month is not None and model.is_dated(given.field):
        # Laid over what is known, it changes this month only.
        value = {f"{given.month.year}-{given.month.month}": value, OTHER: "unknown"}
    entry = {**names, given.field: value}
    section: Any = entry if given.section == "capabilities" else [entry]
    head = {"laager": MARK, "nation": nation.id, "name": nation.name, "source": ANSWERED}
    data = {**head, given.section: section}
    try:
        top = with_sources(check(Document(data, ""), DyoCatalogueFile))
    except DataError as err:
        place = f"{given.section}.{given.type}.{given.field}" if given.type else given.field
        raise DataError([Problem(err.problems[0].what, err.problems[0].right, place)]) from None
    return lay_over(nation.file, top)
