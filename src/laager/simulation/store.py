"""A run's results on disk: a Parquet file with a row for each campaign, which a later run can continue.

While a run goes on, each outcome is added to a journal beside the file as it comes. Whatever ends the run, the next
one takes the journal up; when a run ends well, the journal goes into the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from laager.base import DataError, Problem
from laager.base.extras import extra
from laager.simulation.outcome import CampaignOutcome
from laager.simulation.plan import SimulationPlan

ROWS_AT_ONCE = 500
"""Rows that are read or written at a time, so that memory stays flat."""

PLAN = b"laager.plan"


class ResultsFile:
    """The results of one plan, in a file that may be there already. Use it with `with`.

    Raises DataError if the file isn't one of results, or is of another plan.
    """

    def __init__(self, path: Path, plan: SimulationPlan) -> None:
        self.path = path
        self.plan = plan
        self.journal = path.with_name(f"{path.name}.journal")
        self.numbers: set[int] = set()
        self._out: Any = None

    def __enter__(self) -> Self:
        if self.path.exists():
            self._check_plan()
        self._cut_torn_line()
        self._out = self.journal.open("ab")
        if self._out.tell() == 0:
            self._out.write(f"{self.plan.key}\n".encode())
            self._out.flush()
        elif self._journal_key() != self.plan.key:
            self._out.close()
            raise self._other_plan(self.journal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, err: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._out.close()
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.fold_journal()

    def earlier(self) -> Iterator[CampaignOutcome]:
        """Yield what is there already, each campaign once."""
        for outcome in (*(() if not self.path.exists() else self._rows()), *self._journal_rows()):
            if outcome.number not in self.numbers:
                self.numbers.add(outcome.number)
                yield outcome

    def add(self, outcome: CampaignOutcome) -> None:
        """Keep one more; it is in the journal when this returns."""
        if outcome.number not in self.numbers:
            self.numbers.add(outcome.number)
            self._out.write(outcome.model_dump_json().encode() + b"\n")
            self._out.flush()

    def fold_journal(self) -> None:
        """Write the file anew with what the journal has, and end the journal."""
        fresh = self.path.with_name(f"{self.path.name}.new")
        seen: set[int] = set()
        rows = (*(() if not self.path.exists() else (self._rows(),)), self._journal_rows())
        write_parquet(fresh, self.plan, _once((row for part in rows for row in part), seen))
        fresh.replace(self.path)
        self.journal.unlink()

    # Reading --------------------------------------------------------------------------------------

    def _check_plan(self) -> None:
        with extra("simulate"):
            import pyarrow
            import pyarrow.parquet as pq
        try:
            key = (pq.read_schema(self.path).metadata or {}).get(PLAN, b"").decode()
        except (pyarrow.ArrowInvalid, OSError):
            raise DataError(
                [Problem("isn't a Parquet file of results", "name another one", file=str(self.path))]
            ) from None
        if key != self.plan.key:
            raise self._other_plan(self.path)

    def _other_plan(self, path: Path) -> DataError:
        wrong = "has results of another run: another card, commanders, seed or setting"
        return DataError([Problem(wrong, "name another file with --out", file=str(path))])

    def _cut_torn_line(self) -> None:
        """Cut off a line of the journal that a crash left unfinished."""
        if self.journal.exists():
            data = self.journal.read_bytes()
            if data and not data.endswith(b"\n"):
                self.journal.write_bytes(data[: data.rfind(b"\n") + 1])

    def _journal_key(self) -> str:
        with self.journal.open("rb") as lines:
            return lines.readline().decode(errors="replace").strip()

    def _rows(self) -> Iterator[CampaignOutcome]:
        import pyarrow.parquet as pq

        with pq.ParquetFile(self.path) as file:
            for batch in file.iter_batches(ROWS_AT_ONCE, columns=["outcome"]):
                for text in batch.column("outcome").to_pylist():
                    yield CampaignOutcome.model_validate_json(text)

    def _journal_rows(self) -> Iterator[CampaignOutcome]:
        with self.journal.open("rb") as lines:
            for line in islice(lines, 1, None):
                yield CampaignOutcome.model_validate_json(line)


def _once(outcomes: Iterable[CampaignOutcome], seen: set[int]) -> Iterator[CampaignOutcome]:
    for outcome in outcomes:
        if outcome.number not in seen:
            seen.add(outcome.number)
            yield outcome


def write_parquet(path: Path, plan: SimulationPlan, outcomes: Iterable[CampaignOutcome]) -> None:
    """Write outcomes as Parquet: flat columns for analysis, and the whole outcome as JSON."""
    with extra("simulate"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    schema = pa.schema(
        [(name, pa.int64() if isinstance(value, int) else pa.string()) for name, value in _row(EMPTY, plan).items()],
        metadata={PLAN: plan.key.encode()},
    )
    rest = iter(outcomes)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while batch := list(islice(rest, ROWS_AT_ONCE)):
            writer.write_table(pa.Table.from_pylist([_row(outcome, plan) for outcome in batch], schema))


EMPTY = CampaignOutcome(number=0)


def _row(outcome: CampaignOutcome, plan: SimulationPlan) -> dict[str, int | str | None]:
    from laager.simulation.outcome import FIGURES

    final: dict[str, int | str | None] = {
        f"{side}_{figure}": outcome.final.get(side, {}).get(figure, 0) for side in plan.commanders for figure in FIGURES
    }
    return {
        "number": outcome.number,
        "seed": plan.campaign_seed(outcome.number).hex(),
        "winner": outcome.winner,
        "ending": outcome.ending,
        "dead_end": outcome.dead_end,
        "battles": outcome.fought,
        "slots": len(outcome.slots),
        "answers": outcome.answers,
        "entries": outcome.entries,
        **final,
        "outcome": outcome.model_dump_json(),
    }
