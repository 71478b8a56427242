"""Laager from Python: campaigns, maps, tables, orders of battle and VASL files, for people who script.

Everything here is also what `import laager` offers. Each function does one thing that the command
line does too, and raises what it would say: RefusedError (you can't do that now) or DataError (an
input with problems, all of them). Values are immutable, except `Referee`, which is a campaign under way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laager.base import DataError, LaagerError, Problem, Refusal, RefusedError
from laager.base.files import Document, read_document
from laager.campaign import Fact, Sheet, find_ruleset
from laager.campaign.audit import Audit, audit
from laager.campaign.cards import find_card
from laager.campaign.engine import Campaign
from laager.campaign.house import add_house
from laager.campaign.log import FileStore, MemoryStore, Store
from laager.campaign.opening import opening_entries
from laager.campaign.pending import Pending
from laager.campaign.record import KEY as RECORD_KEY
from laager.campaign.record import BegunOnPaper, begin_on_paper, chosen_readings, write_record
from laager.campaign.telling import lines_of, log_in_words
from laager.campaign.views import View, view
from laager.commanders.seats import commanders_setting, play_held_seats
from laager.hexmap import Front, HexMap, controlled_hexes, crests, front, load_map, strategic_terrain
from laager.tables import RowOdds
from laager.tables.load import load_packaged

__all__ = [
    "DataError",
    "Fact",
    "Front",
    "HexMap",
    "LaagerError",
    "Look",
    "Problem",
    "Referee",
    "Refusal",
    "RefusedError",
    "check_ob",
    "front_line",
    "new",
    "odds",
    "open",
    "read_board",
    "read_map",
    "read_save",
    "simulate",
]

PROPOSAL: Any = object()
"""The answer that Laager proposes; always legal."""


class Referee:
    """A campaign under way: what it asks, and the way to answer.

    Get one from `open` or `new`. With a file every call locks it, writes it and lets it go, so that
    other programs can use it in between. `repr` says what is asked of whom.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        with self._hold():
            self._campaign = Campaign(store)
            self._go_on()

    def __repr__(self) -> str:
        campaign = self._campaign
        head = f"<{self.title} ({campaign.ruleset.id}), {campaign.store.name}: {campaign.version} entries>"
        asked = [f"  {pending!r}" for pending in campaign.pending()]
        return "\n".join([head, *(asked or ["  nothing is asked"])])

    @property
    def title(self) -> str:
        """The campaign's title."""
        return str(self._campaign.opening["title"])

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, such as ("axis", "allied")."""
        return tuple(self._campaign.ruleset.sides)

    @property
    def over(self) -> bool:
        """True once the campaign has ended."""
        return self._campaign.over

    @property
    def pending(self) -> tuple[Pending, ...]:
        """What is asked of whom: a question with its form and proposal, or a roll with its modifiers."""
        return self._campaign.pending()

    def answer(self, side: str, key: str, value: Any = PROPOSAL) -> Referee:
        """Answer a question; leave out `value` to take the proposal. Returns the referee itself.

        Raises DataError with everything that is wrong with the answer, or RefusedError if that
        question isn't asked of that side now. Then nothing has changed.
        """
        with self._hold():
            given = self._find_question(side, key).question.default if value is PROPOSAL else value  # type: ignore[union-attr]
            self._campaign.answer(side, key, given)
            self._go_on()
        return self

    def roll(self, side: str, *faces: int) -> Referee:
        """Roll the dice that a side is to roll, or enter the faces it rolled. Returns the referee itself."""
        with self._hold():
            if faces:
                self._campaign.answer(side, "roll", faces)
            else:
                self._campaign.roll_for(side)
            self._go_on()
        return self

    def preview_ruling(self, by: str, ruling: Mapping[str, Any] | str | Path) -> dict[str, Any]:
        """Return what a ruling would change: its list before and after, and what it leaves contradictory.

        `ruling` is a file (`laager: ruling/1`) or its data; `by` is the side that proposes it, or "umpire". Raises
        DataError with everything that is wrong with it. Nothing is stored.
        """
        from laager.rules.board.rulings.proposing import preview_ruling

        return preview_ruling(self._campaign, by, _ruling_document(ruling))

    def propose_ruling(self, by: str, ruling: Mapping[str, Any] | str | Path) -> bool:
        """Ask the table for a ruling; return True if it counts at once, as the umpire's do by the usual terms."""
        from laager.rules.board.rulings.proposing import propose_ruling

        with self._hold():
            counts = propose_ruling(self._campaign, by, _ruling_document(ruling))
            self._go_on()
        return counts

    def answer_ruling(self, side: str, *, agree: bool) -> Referee:
        """Agree to the ruling that is asked for, or refuse it; withdraw one's own. Returns the referee itself."""
        from laager.campaign import rulings

        with self._hold():
            rulings.consent(self._campaign, side, agree)
            self._go_on()
        return self

    def seen_by(self, viewer: str) -> Look:
        """Return what a side may know now; "umpire" for everything, "spectator" for what is public."""
        return Look(self._campaign, view(self._campaign, viewer))

    def verify(self) -> Audit:
        """Prove the log: its dice, modifiers and facts. `Audit.sound` says whether it holds."""
        return audit(self._campaign)

    def _go_on(self) -> None:
        """Go on until a player is asked: commanders answer for the sides that they hold."""
        self._campaign.advance()
        play_held_seats(self._campaign)

    def _find_question(self, side: str, key: str) -> Pending:
        for pending in self._campaign.pending():
            if (pending.side, pending.key) == (side, key) and pending.question is not None:
                return pending
        # Only of that side: what the other one is asked tells how far it has got.
        known = ", ".join(pending.key for pending in self.pending if pending.side == side) or "nothing"
        raise RefusedError(Refusal.NOT_ASKED, f"{side} isn't asked {key!r} now", f"asked now: {known}")

    @contextmanager
    def _hold(self) -> Iterator[None]:
        """Hold the file, and take in what another program has written to it since."""
        if not isinstance(self._store, FileStore):
            yield
            return
        with self._store as store:
            campaign: Campaign | None = getattr(self, "_campaign", None)
            if campaign is not None and len(store.load().entries) != campaign.version:
                campaign.reload()
                self._go_on()
            yield


def _ruling_document(ruling: Mapping[str, Any] | str | Path) -> Document:
    """Return a ruling as a file."""
    if isinstance(ruling, Mapping):
        return Document({"laager": "ruling/1", **ruling}, "ruling")
    return read_document(Path(ruling))


@dataclass(frozen=True, repr=False)
class Look:
    """What one viewer may know of a campaign at one moment."""

    _campaign: Campaign
    view: View
    """The engine's view: state, log entries, pending questions."""

    def __repr__(self) -> str:
        waiting = " and ".join(self.view.waiting_for) or "nobody"
        return f"<{self.view.title} as {self.view.viewer} sees it: {self.view.version} entries, waiting for {waiting}>"

    @property
    def state(self) -> Any:
        """The state as the viewer knows it; which class it is depends on the rules."""
        return self.view.state

    @property
    def log(self) -> list[str]:
        """The log in words, one line per event."""
        return lines_of(log_in_words(self._campaign, self.view))

    def record(self) -> str:
        """Return the record at the start of the present step, as a file from which a campaign can go on.

        It has the viewer's own secrets, the umpire's all. Raises RefusedError once the campaign is over.
        """
        return write_record(self._campaign, self.view.viewer)

    def facts(self, kind: str = "") -> Iterator[Fact]:
        """Yield the facts that count and that the viewer may know, in order; of one kind if you name it."""
        for seen in self.view.log:
            if seen.counts and seen.entry.type in {"fact", "declared"} and kind in {"", seen.entry.body["kind"]}:
                yield self._campaign.fact_of(seen.entry)

    def sheets(self) -> Sequence[Sheet]:
        """Return the record sheets, such as the roster and the purchase record."""
        rules = find_ruleset(self._campaign.ruleset.id)
        return rules.sheets(self._campaign.context, self.state)

    def map_svg(self) -> str:
        """Return the campaign's map as SVG, with what the viewer knows drawn on it."""
        from laager.hexmap.draw import draw_svg

        rules = find_ruleset(self._campaign.ruleset.id)
        map_, layers = rules.drawing(self._campaign.context, self.state)
        return draw_svg(map_, layers)


def open(file: str | Path) -> Referee:  # noqa: A001
    """Open a campaign file. Raises DataError if it isn't one, RefusedError if another program holds it."""
    return Referee(FileStore(Path(file)))


def new(
    card: str | Path,
    file: str | Path | None = None,
    *,
    rules: str | None = None,
    readings: Mapping[str, str] | None = None,
    entered_dice: bool = False,
    seed: bytes | None = None,
    house: str | Path | None = None,
    record: str | Path | None = None,
    commanders: Mapping[str, str] | None = None,
) -> Referee:
    """Begin a campaign from a card: a file, or the name of a card that ships with Laager.

    `file` is the campaign file to make; without one the campaign lives in memory. `rules` names the
    rule system if the card leaves it open, `readings` how to read rules where groups differ.
    `entered_dice`: the players roll; call `Referee.roll` with the faces. A `seed` of 32 bytes fixes the
    dice, for simulations and tests. `house` is a file of house rules, `record` one from which the campaign
    goes on; a side whose part it lacks is asked for it. `commanders` names who holds a side that no person plays, as
    {"axis": "bold"}. Raises DataError with all that is wrong with these files.
    """
    path, ruleset = find_card(str(card), rules)
    document = read_document(Path(record)) if record is not None else None
    on_paper = chosen_readings(document) if document else {}
    made = find_ruleset(ruleset).read_card(path, {**on_paper, **(readings or {})})
    if house is not None:
        made = add_house(find_ruleset(ruleset), made, read_document(Path(house)))
    begun = begin_on_paper(ruleset, made, document) if document else BegunOnPaper(made)
    held = commanders_setting(find_ruleset(ruleset).sides, commanders or {})
    entries = opening_entries(ruleset, made.title, begun.made.setting | held, entered_dice, seed, drawn=True)
    if file is None:
        store: MemoryStore | FileStore = MemoryStore()
        store.append(entries)
    else:
        store = FileStore(Path(file))
        with store:
            store.create(entries)
    referee = Referee(store)
    for side, part in begun.secrets.items():
        referee.answer(side, RECORD_KEY, part)
    return referee


# Maps, tables, orders of battle, VASL ----------------------------------------------------------------


def simulate(
    card: str | Path,
    campaigns: int = 100,
    *,
    commanders: Mapping[str, str] | None = None,
    seed: int = 1,
    setting: str = "usual",
    battles: str = "stated",
    what_if: Sequence[str] = (),
    workers: int = 1,
    dask: str = "",
    results: str | Path | None = None,
    readings: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Any:
    """Play whole campaigns of a card, and return what came out: `tally`, `comparisons`, `sheets()`, `plots()`.

    `commanders` names who decides for a side ("sensible" if left out), `setting` how hard battles are (mild, usual,
    bloody), `what_if` changes of the card that are played with the same dice (`axis.cp+2`). `results` is a Parquet
    file that keeps each campaign, and from which a run goes on. `progress` is called with how many have been played,
    and of how many. With `workers` above 1 call it under `if __name__ == "__main__"`. Raises RefusedError or DataError
    before anything is played.
    """
    from laager.simulation.plan import read_plan
    from laager.simulation.run import Means, run_plan

    how: dict[str, Any] = {"seed": seed, "intensity": setting, "battles": battles}
    plan = read_plan(str(card), readings=readings, **{**how, **(commanders or {})})
    file = Path(results) if results is not None else None
    return run_plan(plan, campaigns, what_if, means=Means(workers, dask), results=file, progress=progress)


def read_map(file: str | Path) -> HexMap:
    """Read a map file. Raises DataError with every problem in it."""
    return load_map(Path(file))


def front_line(
    map_: HexMap, controlled: Mapping[str, Sequence[str]], edges: Mapping[str, Sequence[str]] | None = None
) -> Front:
    """Derive the front of two sides from the Locations that each Controls (PL 3.2, PL GEO G2 to G11).

    Of the Locations only Strategic Terrain counts; `edges` names each side's Friendly Map Edges
    ("north", "east" …). The front has clusters, links, MLR, No Man's Land, Isolated and Uncontrolled
    hexes by name. Raises RefusedError for a hex or edge that the map hasn't, or not exactly two sides.
    """
    if len(controlled) != 2:
        raise RefusedError(Refusal.BAD_DATA, "a front lies between two sides", "give the Locations of exactly two")
    strategic, military = strategic_terrain(map_), crests(map_)
    control = {location: side for side, locations in controlled.items() for location in locations}
    return front(
        map_,
        {side: controlled_hexes(map_, strategic, military, control, side) for side in controlled},
        {location: side for location, side in control.items() if location in map_},
        {side: tuple(map_.edge(name) & map_.playable for name in (edges or {}).get(side, ())) for side in controlled},
    )


def odds(rules: str, table: str, drm: int = 0, column: str | None = None) -> tuple[RowOdds, ...]:
    """Return the exact odds of each row of a table, for rules such as "pl" and a table such as "elr-change"."""
    return load_packaged(find_ruleset(rules).package, "tables.yaml").table(table).odds(drm, column)


def check_ob(file: str | Path, against: str | Path | None = None, house: str | Path | None = None) -> Any:
    """Check an order of battle against the rules of Design Your Own; `against` is the enemy's, `house` your own rules.

    The verdict has `legal`, `broken` (rules, with where and what would be right), `unjudged`, and
    `ob` with all prices filled in. Raises DataError if a file can't be read.
    """
    from laager.rules.design_your_own.check.check import check_file
    from laager.rules.design_your_own.files import facing, load_ob

    own_rules = read_document(Path(house)) if house is not None else None
    own = load_ob(Path(file), own_rules)
    enemy = load_ob(Path(against), own_rules) if against is not None else None
    if enemy is not None:
        facing(own, enemy, str(file), str(against))
    return check_file(own, enemy)


def read_board(file: str | Path) -> Any:
    """Read a VASL board archive: its hexes, terrain and grid. Raises DataError with what is wrong."""
    from laager.vasl import read_board as read

    return read(Path(file))


def read_save(file: str | Path) -> Any:
    """Read a VASL save: boards and pieces. Raises DataError with what is wrong."""
    from laager.vasl import read_save as read

    return read(Path(file))
