"""Printed sheets: what there is, and as PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.campaign import Column, Sheet
from laager.cli.ending import WrongUseError
from laager.cli.out import say, show_json, show_sheets
from laager.cli.play.campaign_file import looked_at, viewer_of

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign


def check_use(given: Mapping[str, bool]) -> None:
    """Raise WrongUseError if options are given that do not go together.

    `given` says by its name of each option that matters here whether it is given.
    """
    for first, *others in (("--list", "--pdf", "--csv", "--paper", "--language", "NAME"), ("--pdf", "--csv")):
        for other in others:
            if given.get(first) and given.get(other):
                raise WrongUseError(f"{first} and {other} do not go together; choose one")
    for name in ("--paper", "--language"):
        if given.get(name) and not given.get("--pdf"):
            raise WrongUseError(f"{name} goes with --pdf FILE")


def offered(campaign_file: Path | None, side: str | None, as_json: bool) -> None:
    """List what can be printed for a viewer."""
    from dataclasses import asdict

    from laager.sheets import catalogue

    found = catalogue(looked_at(campaign_file), viewer_of(side))
    print_offers([asdict(one) for one in found], as_json)


def print_offers(found: Sequence[Mapping[str, Any]], as_json: bool) -> None:
    """Print a list of what can be printed."""
    if as_json:
        show_json(found)
        return
    columns = tuple(Column(title) for title in ("Sheet", "Title", "Side", "As"))
    rows = tuple((one["id"], one["title"], one["side"], ", ".join(one["kinds"])) for one in found)
    note = "print them with: laager sheet [NAME] --pdf FILE"
    show_sheets([Sheet("offers", "What can be printed", columns, rows, (note,))])


def to_pdf(
    names: list[str], out: Path, campaign_file: Path | None, side: str | None, paper: str, language: str, as_json: bool
) -> None:
    """Print sheets into a PDF: those named, or all that there are for the viewer."""
    from laager.sheets import printed

    check_pdf(out)
    campaign, viewer = looked_at(campaign_file), viewer_of(side)
    data = printed(campaign, viewer, names or _all(campaign, viewer), paper, language)
    told_of_pdf(out, data, as_json)


def check_pdf(out: Path) -> None:
    """Raise WrongUseError unless a file is called as a PDF is."""
    if out.suffix.lower() != ".pdf":
        raise WrongUseError(f"{out} does not end in .pdf; name the file such as sheets.pdf")


def told_of_pdf(out: Path, data: bytes, as_json: bool) -> None:
    """Write a PDF, and say so."""
    out.write_bytes(data)
    told: dict[str, Any] = {"file": str(out), "bytes": len(data)}
    if as_json:
        show_json(told)
    else:
        say(f"printed: {out}")


def _all(campaign: Campaign, viewer: str) -> list[str]:
    from laager.sheets import catalogue

    return [one.id for one in catalogue(campaign, viewer)]
