"""`make bench`: each measurement beside a baseline in the same run; a table and JSON.

The figures are of this machine at this moment; no test depends on them. Memory is the peak of
what a run allocates (of a command: its resident set), start-up the median of several runs.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from bench.measuring import Measured, best, command, command_memory, peak

RESULTS = Path("bench-results")


def replay() -> Measured:
    """Loading and folding a log of 10,000 facts, against json.loads of the same lines alone."""
    from bench.logs import long_log
    from laager.campaign.engine import Campaign
    from laager.campaign.log import MemoryStore

    data = long_log(10_000)
    lines = data.splitlines()
    return Measured(
        "replay of a 10,000-fact log",
        best(lambda: Campaign(MemoryStore(data))),
        "json.loads of its lines",
        best(lambda: [json.loads(line) for line in lines]),
        "under 0.25 s",
        peak(lambda: Campaign(MemoryStore(data))),
    )


def campaigns() -> list[Measured]:
    """A long campaign as a server holds it, against reading and folding all of it each time."""
    from bench.campaigns import answerer, look, looker, opened, played, tell

    entries = f"{len(played().splitlines()):,} entries"
    lines = played().splitlines()
    opening = best(opened)
    return [
        Measured(
            f"opening of a campaign of {entries}",
            opening,
            "json.loads of its lines",
            best(lambda: [json.loads(line) for line in lines]),
            "under 0.1 s",
            peak(opened),
        ),
        *(
            Measured(
                f"{what} for 3 viewers, 20 of {entries} new",
                best(looker(do, anew=False), repeat=20),
                "all of it anew",
                best(looker(do, anew=True)),
                "under 2 ms",
                peak(looker(do, anew=False)),
            )
            for what, do in (("views", look), ("log in words", tell))
        ),
        Measured(
            f"20 answers after {entries}",
            best(answerer(5)),
            "opening the campaign",
            opening,
            "under 0.2 s",
            peak(answerer(1)),
        ),
    ]


def by_chance() -> list[Measured]:
    """Whole campaigns played by chance, a few of each ruleset, against those of an earlier commit (CPU seconds)."""
    from bench import chance

    with chance.earlier() as source:
        if source is None:
            sys.stdout.write("not measured: campaigns by chance (the earlier commit is not there)\n")
            return []
        return [
            Measured(
                f"a campaign of {card} by chance, CPU",
                chance.mean(chance.elsewhere(chance.ROOT / "src", card, 3)),
                f"the same in {chance.EARLIER}",
                chance.mean(chance.elsewhere(source, card, 3)),
                "under 0.1 s, 10 times faster" if card == "rzhavets" else "",
                0.0,
            )
            for card in chance.CARDS
        ]


def front() -> Measured:
    """The whole analysis of a 33 x 45 map with 200 controlled Locations, against networkx."""
    from bench.analysis import ours, plain
    from bench.maps import big_map

    big = big_map()
    ours(big)
    return Measured(
        "map analysis, 33 x 45, 200 controlled",
        best(lambda: ours(big)),
        "the same on networkx",
        best(lambda: plain(big), repeat=3),
        "under 20 ms, 20 times faster",
        peak(lambda: ours(big)),
    )


def town() -> Measured:
    """Blocks, Setup Areas and front line of a 40 x 25 town, against networkx."""
    from bench.towns import big_town, ours, plain

    big = big_town()
    if ours(big) != plain(big):
        raise AssertionError("the two ways to find Blocks and front disagree")
    return Measured(
        "Blocks and front, 40 x 25",
        best(lambda: ours(big)),
        "the same on networkx",
        best(lambda: plain(big), repeat=3),
        "under 5 ms",
        peak(lambda: ours(big)),
    )


def tables() -> Measured:
    """10,000 table lookups of 2d6 + DRM with exact odds, against icepool."""
    from bench.lookups import icepool_odds, our_odds

    return Measured(
        "10,000 tables with exact odds", best(our_odds), "icepool", best(icepool_odds, repeat=2), "", peak(our_odds)
    )


def order_of_battle() -> Measured:
    """The check of an order of battle of 3,000 points, against reading it alone."""
    from bench.orders import checked, read

    if not checked().legal:
        raise AssertionError("the order of battle of the bench breaks a rule")
    return Measured(
        "check of a 3,000-point order of battle",
        best(checked, repeat=20),
        "reading it",
        best(read),
        "under 20 ms",
        peak(checked),
    )


def suggestions() -> list[Measured]:
    """A suggested purchase, against a greedy buyer, and a small one against trying everything."""
    from bench.suggestions import LARGE, SMALL, everything, greedy, ours

    if ours(150, SMALL) != everything(150):
        raise AssertionError("the suggestion is not the best there is")
    return [
        Measured(
            "suggested purchase, 3,000 points",
            best(lambda: ours(3000, LARGE)),
            "a greedy buyer of squads alone",
            best(lambda: greedy(3000)),
            "under 1 s",
            peak(lambda: ours(3000, LARGE)),
        ),
        Measured(
            "suggested squads, 150 points",
            best(lambda: ours(150, SMALL)),
            "trying everything",
            best(lambda: everything(150), repeat=1),
            "",
            peak(lambda: ours(150, SMALL)),
        ),
    ]


def boards() -> list[Measured]:
    """Maps made of large VASL boards, against unpacking their pixels alone."""
    from bench.boards import example, ours, own, unpacked

    found = []
    for name, data in (("largest example board", example()), ("own board, 60 x 50", own())):
        if data is None:
            sys.stdout.write(f"not measured: {name} (not there)\n")
            continue
        found.append(
            Measured(
                f"import of the {name}",
                best(lambda data=data: ours(data), repeat=3),  # type: ignore[misc]
                "unpacking its pixels",
                best(lambda data=data: unpacked(data), repeat=3),  # type: ignore[misc]
                "under 1 s, 400 MiB" if name == "largest example board" else "",
                peak(lambda data=data: ours(data)),  # type: ignore[misc]
            )
        )
    return found


def imported_maps() -> list[Measured]:
    """What is done with a map made of a board, on maps of which nothing is known yet."""
    from bench.boards import example, own
    from bench.imported import analysis, drawing, each, elements, made_of, on_picture, plain_analysis, recoded

    found = []
    for name, data in (("largest example board", example()), ("own board, 60 x 50", own())):
        if data is None:
            continue
        made = made_of(data)
        target = name == "largest example board"
        found += [
            Measured(
                f"analysis of the map of the {name}",
                best(each(made, analysis(made), 5)),
                "the same on networkx",
                best(each(made, plain_analysis(made), 2), repeat=2),
                "under 50 ms" if target else "",
                peak(each(made, analysis(made), 1)),
            ),
            Measured(
                f"drawing of the map of the {name}",
                best(each(made, drawing, 5)),
                "writing its elements as XML",
                best(elements(drawing(made.map))),
                "under 0.5 s" if target else "",
                peak(each(made, drawing, 1)),
            ),
            Measured(
                "the same on the board's picture",
                best(each(made, on_picture(made), 3), repeat=3),
                "recoding the picture",
                best(lambda made=made: recoded(made), repeat=3),  # type: ignore[misc]
                "under 0.5 s" if target else "",
                peak(each(made, on_picture(made), 1)),
            ),
        ]
    return found


def saves() -> list[Measured]:
    """Reading of large VASL saves, against unpacking and unveiling alone."""
    from bench.saves import example, ours, own, unveiled

    found = []
    for name, data in (("largest example save", example()), ("own save, 1,000 pieces", own())):
        if data is None:
            sys.stdout.write(f"not measured: {name} (not there)\n")
            continue
        found.append(
            Measured(
                f"reading of the {name}",
                best(lambda data=data: ours(data), repeat=3),  # type: ignore[misc]
                "unpacking and unveiling it",
                best(lambda data=data: unveiled(data), repeat=3),  # type: ignore[misc]
                "under 0.5 s" if name == "largest example save" else "",
                peak(lambda data=data: ours(data)),  # type: ignore[misc]
            )
        )
    return found


def sheets() -> list[Measured]:
    """The Roster and all sheets of a campaign as PDF, against Typst on an empty page."""
    from bench.sheets import every, nothing, roster

    empty = best(nothing)
    return [
        Measured("roster as PDF", best(roster), "an empty page", empty, "", peak(roster)),
        Measured("all sheets as PDF", best(every), "an empty page", empty, "", peak(every)),
    ]


LAAGER = str(Path(sys.executable).with_name("laager"))


def start_up() -> list[Measured]:
    """The command line's start, against Python's own."""
    python = command(sys.executable, "-c", "pass")
    found = []
    for words in (("--help",), ("rules", "pl", "3.47"), ("table", "pl", "redeployment")):
        found.append(
            Measured(
                f"laager {' '.join(words)}",
                command(LAAGER, *words),
                "python -c pass",
                python,
                "under 0.3 s" if words == ("--help",) else "",
                command_memory(LAAGER, *words),
            )
        )
    return found


def server() -> list[Measured]:
    """A server's start and memory, and the pages of a long campaign, against what is bare."""
    from bench.server import PAGES, bare, idle, long_campaign

    ours, plain = idle(), bare()
    found = [
        Measured(
            "laager serve, until it answers (resident)",
            ours.seconds,
            f"Django and uvicorn alone, {plain.mebibytes:.0f} MiB",
            plain.seconds,
            "",
            ours.mebibytes,
        )
    ]
    with long_campaign() as (opening, length):
        empty = best(opening("people/"))
        for page in PAGES:
            found.append(
                Measured(
                    f"page {page or 'table'}, {length:,} entries",
                    best(opening(page)),
                    "page people/",
                    empty,
                    "",
                    peak(opening(page)),
                )
            )
    return found


def hot_path() -> list[Measured]:
    """An answer of a program to a server, stage by stage, against the least that a server answers."""
    from bench.hot import engine, served

    found = served() | {"engine": engine()}
    goals = {
        "engine": "under 2 ms",
        "services": "under 5 ms",
        "request": "under 4 ms",
        "cycle": "",
        "used": "under 4 ms",
    }
    names = {
        "engine": "an answer in memory",
        "services": "an answer with the database, without a request",
        "request": "an answer over HTTP",
        "cycle": "a status and an answer over HTTP",
        "used": "CPU of the server for both",
    }
    return [
        Measured(names[stage], found[stage], "/health of the same server", found["health"], goal, 0.0)
        for stage, goal in goals.items()
    ]


def lines_of_sight() -> list[Measured]:
    """LOS on whole boards, against VASL's published speed and against ourselves without short cuts or Numba."""
    from bench import los

    if not los.there("RBv2"):
        sys.stdout.write("not measured: lines of sight (the example boards are not there)\n")
        return []
    found = [_board_ready(name, goal) for name, goal in (("01", "under 1 s"), ("RBv2", "under 2 s"))]
    whole = {}
    for name, goal in (("01", "20 times faster"), ("RBv2", "under 10 s, 10 times faster, 300 MiB in all")):
        count = los.whole(name)
        whole[name] = best(lambda name=name: los.whole(name), repeat=3)  # type: ignore[misc]
        found.append(
            Measured(
                f"LOS of all {count:,} pairs of board {name}, 1 thread",
                whole[name],
                f"VASL's Java, {los.JAVA[name]:,} pairs/s (published, not run)",
                count / los.JAVA[name],
                goal,
                _los_memory(name),
            )
        )
    scattered = best(lambda: los.pairs("01", 80_000))
    mean, longest = los.views("RBv2", 7)
    kept, slowest = los.kept_views("RBv2", 7)
    plain = best(lambda: los.pairs("RBv2", 10_000, short=False), repeat=2)
    few, many = best(lambda: los.pairs("RBv2", 10_000)), best(lambda: los.pairs("RBv2", 80_000))
    rows = [
        ("the same of RBv2, 2 threads", best(lambda: los.whole("RBv2", 2), 2), "1 thread", whole["RBv2"], "under 6 s"),
        ("LOS of 80,000 pairs of board 01 in random order", scattered, "VASL's Java, grouped (published)",
         80_000 / los.JAVA["01"], "5 times faster"),
        (f"viewshed of a hex of RBv2, mean; longest {longest * 1000:.0f} ms", mean,
         "all its pairs at VASL's published speed", 1638 / los.JAVA["RBv2"], "under 10 ms"),
        (f"the same out of its table of all pairs, to all Locations; longest {slowest * 1000:.1f} ms", kept,
         "looking along the lines", mean, "under 1 ms"),
        ("the table of RBv2 read from disk", best(lambda: los.table_read("RBv2")), "making it, ground alone",
         whole["RBv2"], ""),
        ("LOS of 10,000 pairs of RBv2 in random order", few, "every pixel, no short cuts", plain, ""),
        ("LOS of 80,000 pairs of RBv2: 8 times as many", many, "8 times the 10,000", 8 * few, "cost is linear"),
        ("LOS of 200 pairs of RBv2", best(lambda: los.pairs("RBv2", 200)), "without Numba",
         los.uncompiled("RBv2", 200), ""),
        ("laager los, compiled before", command(LAAGER, "los", str(los.BOARDS / "bd01"), "A1", "B1"),
         "laager --version", command(LAAGER, "--version"), "under 3 s"),
    ]  # fmt: skip
    return [*found, *(Measured(*row, 0.0) for row in rows)]


def _board_ready(name: str, goal: str) -> Measured:
    from bench import los
    from bench.boards import unpacked

    data = (los.BOARDS / f"bd{name}").read_bytes()
    return Measured(
        f"board {name} made ready for LOS",
        best(lambda: los.made(name), repeat=3),
        "unpacking its pixels",
        best(lambda: unpacked(data), repeat=3),
        goal,
        peak(lambda: los.made(name)),
    )


def _los_memory(name: str) -> float:
    """Return the peak of a process that does nothing else, in MiB."""
    code = f"from bench import los; los.whole({name!r})"
    return command_memory(sys.executable, "-c", code)


def main() -> None:
    """Measure everything, print a table, write JSON."""
    from rich.console import Console
    from rich.table import Table

    found = [
        replay(),
        *campaigns(),
        *by_chance(),
        front(),
        town(),
        tables(),
        order_of_battle(),
        *suggestions(),
        *boards(),
        *imported_maps(),
        *lines_of_sight(),
        *saves(),
        *sheets(),
        *start_up(),
        *server(),
        *hot_path(),
    ]
    table = Table("what", "ours", "baseline", "", "times faster", "memory", "target")
    for one in found:
        table.add_row(
            one.name,
            f"{one.seconds * 1000:.1f} ms",
            one.baseline,
            f"{one.baseline_seconds * 1000:.1f} ms",
            f"{one.times:.2f}",
            f"{one.mebibytes:.1f} MiB",
            one.target,
        )
    Console(width=150).print(table)
    RESULTS.mkdir(exist_ok=True)
    rows = [asdict(one) | {"times": one.times} for one in found]
    (RESULTS / "results.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(f"written: {RESULTS / 'results.json'}\n")


if __name__ == "__main__":
    main()
