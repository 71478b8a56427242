"""`laager new --skeleton`: the card of a published campaign with blanks, for its owner to complete."""

from __future__ import annotations

from pathlib import Path

from laager.base import Refusal, RefusedError
from laager.base.blanks import count_in_words, without_blanks
from laager.base.files import parse_document
from laager.cli.out import show
from laager.cli.writing import check_free


def write_skeleton(rules: str, card: Path, as_json: bool) -> None:
    """Write a card with blanks, its charts and tables next to it. Raises RefusedError; then nothing is written."""
    from laager.rules.board.hasl.skeleton import skeleton

    if card.suffix != ".yaml":
        raise RefusedError(Refusal.BAD_DATA, f"{card} isn't the name of a card's file", f"such as {card.stem}.yaml")
    if not card.parent.is_dir():
        raise RefusedError(Refusal.BAD_DATA, f"there is no folder {card.parent}")
    texts = {card.with_name(name): text for name, text in skeleton(rules, card.stem).items()}
    try:
        check_free(*texts)
    except RefusedError as err:
        raise RefusedError(err.code, err.problem.what, "name another card") from None
    blanks = [blank for path, text in texts.items() for blank in without_blanks(parse_document(text, path.name))[1]]
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    charts = next((path for path in texts if path.stem.endswith("-charts")), card)
    lines = [f"written: {path}" for path in texts]
    lines += [
        count_in_words(blanks),
        f"charts as spreadsheets: laager chart export {charts}",
        f"what is left: laager check {card}",
    ]
    show(as_json, {"files": [str(path) for path in texts], "blanks": len(blanks)}, *lines)
