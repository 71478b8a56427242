"""Catalogue files made up at random, all of them good."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

YEARS = st.integers(1938, 1946)
WORDS = st.text("abc 4-/*(é", min_size=1, max_size=8).map(lambda text: " ".join(text.split()))
NAMES = WORDS.filter(lambda text: text and text not in ("-", "none", "unknown"))
REMARKS = st.one_of(
    NAMES,
    st.sampled_from(
        ["'tis", "=SUM(A1)", "4-6-8", "1944", "yes", "a: b", "a # b", 'say "a, b"', "{x}", "[y]",
         "- z", "null", "1e3", "~", "it's; so", "@home", "+1", "100%", "? !", "*star", "&amp"],
    ),
)  # fmt: skip
SOURCES = st.one_of(st.sampled_from(["house", "example", "DYO H1.26", "p. 12", "our = book"]), NAMES)


def unsure(value: st.SearchStrategy[Any], none: bool = False) -> st.SearchStrategy[Any]:
    """Sometimes unknown, and sometimes none if there can be none."""
    return st.one_of(value, st.just("unknown"), *([st.just("none")] if none else []))


@st.composite
def series(draw: st.DrawFn, value: st.SearchStrategy[Any]) -> Any:
    """A value for always, or by period."""
    years = sorted(draw(st.sets(YEARS, max_size=4)))
    if not years:
        return draw(unsure(value, none=True))
    found = {str(year): draw(unsure(value, none=True)) for year in years}
    if draw(st.booleans()):
        found["other"] = "unknown"
    return found


RF = st.integers(1, 20).map(lambda tenths: tenths / 10)
POINTS = st.integers(1, 200)
COUNTERS = st.integers(0, 30)
DATES = st.one_of(
    st.sampled_from(["always", "none", "unknown", "1941, 1943..1944-06", "1944..", "..1942-03"]), series(st.just(True))
)


def entry(needed: dict[str, Any], fields: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An entry with some of its fields, a remark and sources now and then."""

    def sourced(data: dict[str, Any], source: str) -> dict[str, Any]:
        names = [name for name in data if name in fields and name != "note"]
        return {**data, "sources": {names[-1]: source}} if names and len(names) % 2 else data

    made = st.fixed_dictionaries(needed, optional={**fields, "note": REMARKS, "source": SOURCES})
    return st.builds(sourced, made, SOURCES)


def unique(one: st.SearchStrategy[dict[str, Any]], *keys: str) -> st.SearchStrategy[Any]:
    """A list of entries, each key but once."""
    return st.lists(one, max_size=4, unique_by=lambda data: tuple(data[key] for key in keys))


FACTORS = st.builds("{}-{}-{}".format, *([st.integers(1, 9)] * 3))
MAY_BE = st.lists(st.sampled_from(["assault-engineer", "sapper", "commando"]), max_size=2)
BATTERIES = st.builds(
    "{}{} {}".format,
    st.sampled_from(["70+", "80+", "150"]),
    st.sampled_from(["", "M", "R"]),
    st.one_of(st.just("?"), st.integers(1, 300)),
)
CELLS = {str(dr): unsure(BATTERIES, none=True) for dr in (2, 7, 12)}

SECTIONS: dict[str, st.SearchStrategy[Any]] = {
    "capabilities": entry(
        {},
        {
            "lg": series(st.integers(1, 9)),
            "pf_range": series(st.integers(0, 3)),
            "crew_morale": unsure(st.integers(7, 9)),
            "commissars": series(st.booleans()),
            "elr_row": unsure(st.sampled_from(["german", "gmd"]), none=True),
            "reads": unsure(st.lists(NAMES.filter(lambda text: "," not in text), max_size=2)),
            "partisan": st.booleans(),
            "column": st.sampled_from(["general", "finn", "japanese"]),
        },
    ),
    "squads": unique(
        entry(
            {"type": FACTORS},
            {
                "kind": st.just("crew"),
                "class": unsure(st.sampled_from(["elite", "first-line", "conscript"])),
                "bpv": unsure(POINTS),
                "dates": DATES,
                "counters": unsure(COUNTERS),
                "pf_range": series(st.integers(0, 3)),
                "elr": unsure(st.integers(0, 5), none=True),
                "equivalent": unsure(st.sampled_from([0, 0.5, 1])),
                "may_be": unsure(MAY_BE, none=True),
                "ski_included": st.booleans(),
            },
        ),
        "type",
    ),
    "guns": unique(
        entry(
            {"type": NAMES},
            {
                "sort": unsure(st.sampled_from(["at", "mortar"])),
                "bpv": unsure(POINTS),
                "rf": series(RF),
                "dm": unsure(st.booleans()),
                "tow": unsure(NAMES, none=True),
            },
        ),
        "type",
    ),
    "transport": unique(
        entry(
            {"type": NAMES, "sort": st.sampled_from(["wagon", "horse"])},
            {"bpv": unsure(POINTS), "dates": DATES, "limit": unsure(NAMES, none=True)},
        ),
        "type",
    ),
    "oba": unique(entry({"year": YEARS}, {**CELLS, "max_bpv": unsure(POINTS)}), "year"),
    "support_weapons": unique(
        entry({"type": NAMES}, {"ratio": series(st.integers(1, 20)), "per": st.just("assault-engineers")}), "type"
    ),
}


@st.composite
def files(draw: st.DrawFn, nation: str = "testland") -> dict[str, Any]:
    """A file's plain data."""
    head = {"laager": "dyo-catalogue/1", "nation": nation, "name": "Testland"}
    optional = {**SECTIONS, "group": st.just("finnish"), "notes": st.lists(REMARKS, max_size=2, unique=True)}
    made = draw(st.fixed_dictionaries({"source": SOURCES}, optional=optional))
    return {**head, **made}
