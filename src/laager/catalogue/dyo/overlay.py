"""One file laid over another: a value of the upper one counts; what it doesn't know comes from the lower one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from laager.catalogue.dyo.battery import Battery
from laager.catalogue.dyo.entry import CatalogueEntry
from laager.catalogue.dyo.model import MARK, SECTIONS, DyoCatalogueFile
from laager.catalogue.dyo.values import UNKNOWN, Month, Series


def with_sources(file: DyoCatalogueFile) -> DyoCatalogueFile:
    """Return a file in which every value names its source itself."""
    sections: dict[str, Any] = {}
    for section in SECTIONS:
        entries = file.entries(section)
        if entries is not None:
            done = [_entry_with_sources(entry, file.source) for entry in entries]
            sections[section] = done[0] if section == "capabilities" else done
    return file.model_copy(update=sections)


def _entry_with_sources(entry: CatalogueEntry, usual: str) -> CatalogueEntry:
    source = entry.source or usual
    sources = {name: entry.sources.get(name, source) for name in entry.given_fields()}
    return entry.model_copy(update={"source": source, "sources": sources})


def lay_over(base: DyoCatalogueFile, top: DyoCatalogueFile) -> DyoCatalogueFile:
    """Return two files of a nation as one. Both must be `sourced`.

    Values of `top` count; where it knows nothing, those of `base` do.
    """
    sections: dict[str, Any] = {}
    for section in SECTIONS:
        below, above = base.entries(section), top.entries(section)
        if below is None and above is None:
            continue
        merged = {entry.key: entry for entry in below or ()}
        for entry in above or ():
            old = merged.get(entry.key)
            merged[entry.key] = entry if old is None else _lay_entry_over(old, entry)
        done = list(merged.values())
        sections[section] = done[0] if section == "capabilities" else done
    notes = list(dict.fromkeys([*base.notes, *top.notes]))
    return top.model_copy(update={**sections, "notes": notes, "group": top.group or base.group})


def _lay_entry_over(base: CatalogueEntry, top: CatalogueEntry) -> CatalogueEntry:
    update: dict[str, Any] = {}
    sources = dict(base.sources)
    for name in top.given_fields():
        field = top.field_of(name)
        old, new = getattr(base, field), getattr(top, field)
        if new is UNKNOWN or (isinstance(new, Series) and new.is_unknown):
            if field not in base.model_fields_set:
                update[field], sources[name] = new, top.sources[name]
            continue
        if isinstance(new, Series) and isinstance(old, Series):
            new = new.fill_from(old)
        same = isinstance(new, Battery) and isinstance(old, Battery) and new.with_bpv_of(old) == old
        if same and new.bpv is UNKNOWN:
            # The same battery, of which the upper file knows no more.
            continue
        update[field], sources[name] = new, top.sources[name]
    if top.note:
        update["note"] = top.note
    return base.model_copy(update={**update, "sources": sources})


@dataclass(frozen=True, slots=True)
class Conflict:
    """A value on which two files disagree; for a series, in which month first."""

    section: str
    key: str
    field: str
    first: Any
    second: Any
    month: Month | None = None

    def __str__(self) -> str:
        place = ".".join(part for part in (self.section, self.field) if part)
        thing = f" {self.key}" if self.key else ""
        when = f" in {self.month}" if self.month else ""
        return f"{place}{thing}{when}: {describe_value(self.first)} or {describe_value(self.second)}"


def find_conflicts(first: DyoCatalogueFile, two: DyoCatalogueFile) -> Iterator[Conflict]:
    """Yield every value that both files know, and not the same."""
    for field in ("name", "group"):
        mine, theirs = getattr(first, field), getattr(two, field)
        if mine and theirs and mine != theirs:
            yield Conflict("", "", field, mine, theirs)
    for section in SECTIONS:
        theirs_by_key = {entry.key: entry for entry in two.entries(section) or ()}
        for entry in first.entries(section) or ():
            other = theirs_by_key.get(entry.key)
            if other is not None:
                yield from _find_entry_conflicts(section, entry, other)


def _find_entry_conflicts(section: str, first: CatalogueEntry, two: CatalogueEntry) -> Iterator[Conflict]:
    both = [name for name in first.given_fields() if name in set(two.given_fields())]
    for name in both:
        field = first.field_of(name)
        mine, theirs = getattr(first, field), getattr(two, field)
        if isinstance(mine, Series) and isinstance(theirs, Series):
            month = mine.differs(theirs)
            if month is not None:
                yield Conflict(section, first.key, name, mine.at(month), theirs.at(month), month)
        elif UNKNOWN not in (mine, theirs) and mine != theirs and not _one_open(mine, theirs):
            yield Conflict(section, first.key, name, mine, theirs)


def _one_open(mine: object, theirs: object) -> bool:
    """True if they are the same battery, and one of them has no BPV yet."""
    if not isinstance(mine, Battery) or not isinstance(theirs, Battery):
        return False
    return mine.text == theirs.text and UNKNOWN in (mine.bpv, theirs.bpv)


def describe_value(value: Any) -> str:
    """Return a value as a sentence names it."""
    if value is None:
        return "none"
    if value is UNKNOWN:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)


# As plain data -----------------------------------------------------------------------------------


def plain_data(file: DyoCatalogueFile) -> dict[str, Any]:
    """Return a file as plain data, each source said once where many values share it."""
    file = with_sources(file)
    usual = Counter(
        source for section in SECTIONS for entry in file.entries(section) or () for source in entry.sources.values()
    )
    source = usual.most_common(1)[0][0] if usual else file.source
    data: dict[str, Any] = {"laager": MARK, "nation": file.nation, "name": file.name}
    data["source"] = source
    if file.group:
        data["group"] = file.group
    if file.notes:
        data["notes"] = list(file.notes)
    for section in SECTIONS:
        entries = file.entries(section)
        if entries is not None:
            done = [_plain_entry(entry, source) for entry in entries]
            data[section] = done[0] if section == "capabilities" else done
    return data


def _plain_entry(entry: CatalogueEntry, usual: str) -> dict[str, Any]:
    data = entry.plain()
    sources: Mapping[str, str] = data.pop("sources", {})
    data.pop("source", None)
    if not data.get("note"):
        data.pop("note", None)
    many = Counter(sources.values())
    own = many.most_common(1)[0][0] if many else entry.source or usual
    if usual in many and many[usual] == many[own]:
        own = usual
    if own != usual:
        data["source"] = own
    others = {name: source for name, source in sources.items() if source != own}
    if others:
        data["sources"] = others
    return data
