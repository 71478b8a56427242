"""Libraries that only some players need: an install can leave them out, and what needs one says so.

`EXTRAS` are the extras of `pyproject.toml`, each with what it is for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from laager.base.problems import Refusal, RefusedError

EXTRAS = {
    "pdf": "PDFs",
    "vasl": "Pictures of VASL boards",
    "suggest": "Suggestions for a purchase",
    "los": "Lines of sight over a whole board",
    "postgresql": "PostgreSQL",
    "simulate": "Figures, plots and Parquet files of simulations",
    "dask": "Simulations on several machines",
    "editor": "Help while you type in an editor",
    "s3": "Backups in a bucket",
}


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import inside this what an extra brings. Raises RefusedError, saying what to install, if it isn't there."""
    try:
        yield
    except ModuleNotFoundError as err:
        wrong = f"{EXTRAS[name]} need a part of Laager that isn't installed here ({err.name})"
        raise RefusedError(Refusal.NOT_INSTALLED, wrong, advice(name)) from None


def advice(name: str) -> str:
    """Say how to install an extra."""
    return f'install it with: uv tool install "laager[{name}]", or: pipx install --force "laager[{name}]"'
