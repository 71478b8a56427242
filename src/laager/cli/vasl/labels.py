"""Labels in a save on the command line: what a campaign says on VASL's map."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from laager.base import DataError, Problem
from laager.cli.ending import WrongUseError
from laager.cli.out import say, say_wrapped, show_json
from laager.cli.play.campaign_file import looked_at
from laager.cli.writing import check_free, put

if TYPE_CHECKING:
    from laager.vasl import Labelled, MapLabel


def label_save(
    game: Path,
    campaign_file: Path | None,
    side: str | None,
    out: Path | None,
    in_place: bool,
    remove: bool,
    as_json: bool,
) -> None:
    """Put the labels of a campaign into a save; without a file to write, show them."""
    from laager.vasl import label_save as labelled
    from laager.vasl import labels_of

    if out is not None and in_place:
        raise WrongUseError("--out and --in-place exclude one another; keep one of the two")
    if out is not None:
        check_free(out, or_else=", or use --in-place")
    labels = () if remove else labels_of(looked_at(campaign_file), side)
    data = _bytes(game)
    made = labelled(data, game.name, labels)
    target = game if in_place else out
    if target is not None and (target != game or made.data != data):
        put(target, made.data)
    if as_json:
        _show(target, made, labels)
    else:
        _say(target, made, labels, side)


def _bytes(path: Path) -> bytes:
    """Return what is in a file. Raises DataError if it can't be read or is too large."""
    from laager.vasl import MAX_FILE

    try:
        if path.stat().st_size <= MAX_FILE:
            return path.read_bytes()
        problem = Problem("is too large", f"{MAX_FILE} bytes at most", file=str(path))
    except FileNotFoundError:
        problem = Problem("there is no such file", "name a save of VASL", file=str(path))
    except OSError as err:
        problem = Problem(f"cannot be read ({err.strerror})", "name a save", file=str(path))
    raise DataError([problem])


def _show(target: Path | None, made: Labelled, labels: Sequence[MapLabel]) -> None:
    show_json(
        {
            "file": None if target is None else str(target),
            "labels": [one.describe() for one in labels],
            "added": list(made.added),
            "updated": list(made.updated),
            "unchanged": list(made.unchanged),
            "removed": list(made.removed),
        }
    )


def _say(target: Path | None, made: Labelled, labels: Sequence[MapLabel], side: str | None) -> None:
    for label in labels:
        say(label.title, *(f"  {line}" for line in label.lines))
    counts = [
        f"{len(topics)} {word}"
        for word, topics in (
            ("new", made.added),
            ("renewed", made.updated),
            ("as before", made.unchanged),
            ("taken out", made.removed),
        )
        if topics
    ]
    told = ", ".join(counts) or "none"
    if target is None:
        say_wrapped(f"labels: {told}; nothing is written without --out FILE or --in-place")
    else:
        say(f"written: {target} (labels: {told})")
    if side is not None and labels:
        say_wrapped(
            f"These labels tell what {side} alone may know, and whoever opens the save reads "
            "them. Before the other side gets it, label it anew without --side."
        )
