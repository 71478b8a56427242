"""The rows of a database as plain values, and back: by the models that its migrations describe, not by today's."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.core.management.color import no_style
from django.db import Error, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor

from laager.base import DataError, Problem, Refusal, RefusedError

if TYPE_CHECKING:
    from django.db.migrations.graph import MigrationGraph
    from django.db.migrations.loader import MigrationLoader
    from django.db.models import Model

    from laager.web.serving.backup.archive import BackupWriter, OpenBackup

LEFT_OUT = frozenset({"sessions.session", "web.throttle"})
"""Tables that aren't kept: people log in again, and tries are counted anew."""
ORDER = {"web.entryline": ("game_id", "number")}
"""In which order rows are read, where it isn't that of their keys: the lines of a campaign follow one another."""
MOST_ROWS, MOST_CHARS = 500, 4_000_000
"""Most rows, and most characters of rows, that are inserted at once."""


@contextmanager
def one_moment() -> Iterator[None]:
    """Let everything that is read inside be of one moment, while others go on writing."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    with connection.cursor() as cursor:
        # Django's own transactions lock out everybody who writes (`transaction_mode` in settings).
        cursor.execute("BEGIN")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def applied_migrations() -> list[tuple[str, str]]:
    """Return the migrations that the database has. Raises RefusedError if it has none, or some of a newer Laager."""
    loader = MigrationExecutor(connection).loader
    applied = sorted(loader.applied_migrations)
    if not any(app == "web" for app, _name in applied):
        right = "look at LAAGER_DATA and DATABASE_URL: they must be those of the server"
        raise RefusedError(Refusal.NO_SUCH, "this database has nothing of Laager in it", right)
    check_not_newer(loader)
    return applied


def check_not_newer(loader: MigrationLoader) -> None:
    """Raise RefusedError if the database has migrations that this Laager doesn't know."""
    if unknown := sorted(key for key in loader.applied_migrations if key not in loader.graph.nodes):
        raise RefusedError(
            Refusal.BAD_DATA,
            f"a newer Laager made this database ({_names(unknown)})",
            "install that one, or a newer one",
        )


def _names(keys: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{app} {name}" for app, name in keys)


def dump(writer: BackupWriter, migrations: Sequence[tuple[str, str]]) -> None:
    """Write all rows of the database, which has these migrations."""
    for model in _models_at(migrations):
        label = model._meta.label_lower
        columns = [field.attname for field in model._meta.concrete_fields]
        rows = model._base_manager.order_by(*ORDER.get(label, ("pk",))).values_list(*columns)
        writer.add_table(label, columns, (list(map(_plain, row)) for row in rows.iterator(chunk_size=200)))


def _models_at(migrations: Sequence[tuple[str, str]]) -> list[type[Model]]:
    """Return the models with tables of their own as they are when a database has these migrations."""
    loader = MigrationExecutor(connection).loader
    made = loader.project_state(list(migrations)).apps.get_models(include_auto_created=True)
    return [
        model
        for model in made
        if model._meta.managed and not model._meta.proxy and model._meta.label_lower not in LEFT_OUT
    ]


def _plain(value: Any) -> Any:
    """Return a column's value as JSON has it."""
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    if isinstance(value, date):  # Or a moment, which is one.
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def is_empty() -> bool:
    """Return True if the database has no table."""
    return not connection.introspection.table_names()


def clear() -> None:
    """Take all tables out of a database that was empty before."""
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            how = " CASCADE" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{how}")


def load(archive: OpenBackup) -> None:
    """Put the rows of a backup into an empty database, with the migrations that the backup had.

    Raises DataError if the backup doesn't fit them or the database doesn't take a row, RefusedError if a newer Laager
    made it.
    """
    executor = MigrationExecutor(connection)
    wanted = list(archive.manifest.migrations)
    if unknown := [key for key in wanted if key not in executor.loader.graph.nodes]:
        raise RefusedError(
            Refusal.BAD_DATA,
            f"Laager {archive.manifest.version} made this backup; this one doesn't know all of it ({_names(unknown)})",
            "install that version, or a newer one",
        )
    executor.migrate(_last_of(wanted, executor.loader.graph))
    known = {model._meta.label_lower: model for model in _models_at(wanted)}
    with transaction.atomic():
        for label in archive.manifest.tables:
            if label not in known:
                raise DataError([_misfit(archive, label, "this table is unknown")])
            _load_table(archive, known[label])
        for sql in connection.ops.sequence_reset_sql(no_style(), list(known.values())):
            with connection.cursor() as cursor:
                cursor.execute(sql)


def _last_of(migrations: Sequence[tuple[str, str]], graph: MigrationGraph) -> list[tuple[str, str]]:
    """Return those of some migrations that no other one of the same application follows."""
    done = set(migrations)
    return [
        key
        for key in migrations
        if not any(child.key in done and child.key[0] == key[0] for child in graph.node_map[key].children)
    ]


def _load_table(archive: OpenBackup, model: type[Model]) -> None:
    label = model._meta.label_lower
    by_column = {field.attname: field for field in model._meta.concrete_fields}
    columns = archive.columns(label)
    if unknown := [name for name in columns if name not in by_column]:
        raise DataError([_misfit(archive, label, f"these columns are unknown: {', '.join(unknown)}")])
    fields = [by_column[name] for name in columns]
    for field in fields:
        # A row keeps the times that it had. The class is made for this alone.
        if isinstance(field, models.DateField):
            field.auto_now = field.auto_now_add = False
    for batch in _batches(archive.rows(label)):
        try:
            model._base_manager.bulk_create(
                model(**{field.attname: field.to_python(value) for field, value in zip(fields, row, strict=True)})
                for row in batch
            )
        except (Error, ValueError, TypeError) as err:
            # The error's text may quote what stands in the row.
            wrong = f"the database doesn't take a row ({type(err).__name__})"
            raise DataError([_misfit(archive, label, wrong)]) from None


def _batches(rows: Iterator[list[Any]]) -> Iterator[list[list[Any]]]:
    batch: list[list[Any]] = []
    chars = 0
    for row in rows:
        batch.append(row)
        chars += sum(len(value) for value in row if isinstance(value, str))
        if len(batch) >= MOST_ROWS or chars >= MOST_CHARS:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch


def _misfit(archive: OpenBackup, label: str, wrong: str) -> Problem:
    right = "nothing was restored; make a new backup, or restore with the version that made this one"
    return Problem(wrong, right, label, file=archive.name)
