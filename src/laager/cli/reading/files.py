"""Files that users write: checking them, and their schemas for editors."""

from __future__ import annotations

import json
from pathlib import Path

from laager.cli.ending import WrongUseError
from laager.cli.out import say, show_json
from laager.cli.play.campaign_file import SUFFIX
from laager.kinds import CHECKERS, add_kind, kind_of, model_of, schema_of

__all__ = ["CHECKERS", "check", "model_of", "schema", "schema_files", "schema_of"]

add_kind("answers", "laager.cli.play.answers", "AnswersFile")


def check(path: Path, as_json: bool) -> None:
    """Check a file by the kind that its `laager:` line names."""
    from laager.base.files import read_document

    if path.suffix == SUFFIX:
        raise WrongUseError(f"{path} is a campaign; prove it with laager verify -c {path}")
    kind = kind_of(read_document(path))
    warnings = CHECKERS[kind](path)
    if as_json:
        show_json({"file": str(path), "kind": kind, "good": True, "warnings": warnings})
        return
    for warning in warnings:
        say(f"note: {warning}")
    say(f"{path}: a good {kind} file")


def schema(kind: str | None, write: Path | None) -> None:
    """Print or write JSON Schemas."""
    if write is not None:
        write.mkdir(parents=True, exist_ok=True)
        for name, text in schema_files().items():
            (write / name).write_text(text, encoding="utf-8")
        say(f"{len(CHECKERS)} schemas in {write}")
    elif kind is None:
        say(*CHECKERS)
    else:
        show_json(schema_of(kind))


def schema_files() -> dict[str, str]:
    """Return the schema of every kind of file as text, by the name of its file."""
    return {
        f"{kind}.schema.json": json.dumps(schema_of(kind), indent=2, ensure_ascii=False) + "\n" for kind in CHECKERS
    }
