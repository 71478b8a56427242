"""Whether every campaign in a backup opens and verifies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from uuid import UUID

from laager.base import LaagerError
from laager.campaign.audit import audit
from laager.campaign.engine import Campaign
from laager.campaign.log import MemoryStore, read_lines
from laager.web.campaigns import sealing

if TYPE_CHECKING:
    from laager.web.serving.backup.archive import OpenBackup


@dataclass(frozen=True)
class BadCampaign:
    """A campaign in a backup that doesn't open or verify: its id, and why, without anything that happened in it."""

    campaign: str
    what: str


def bad_campaigns(archive: OpenBackup) -> Iterator[BadCampaign]:
    """Yield the campaigns of a backup that don't open or verify with the server's keys (`settings`)."""
    games = {row["id"]: row for row in _rows(archive, "web.game")}
    empty = set(games)
    for game, lines in groupby(_rows(archive, "web.entryline"), itemgetter("game_id")):
        empty.discard(game)
        if fault := _fault(games.get(game), [row["line"] for row in lines]):
            yield BadCampaign(game, fault)
    for game in empty:
        if games[game]["length"]:
            yield BadCampaign(game, "its log is missing")


def _rows(archive: OpenBackup, model: str) -> Iterator[dict[str, Any]]:
    columns = archive.columns(model)
    for row in archive.rows(model):
        yield dict(zip(columns, row, strict=True))


def _fault(game: dict[str, Any] | None, lines: list[str]) -> str:
    """Return what is wrong with a campaign; "" if nothing is."""
    if game is None:
        return "its log is there, and it isn't"
    key = UUID(game["id"])
    try:
        lines = [sealing.unseal(key, line) for line in lines]
    except LaagerError:
        return "its dice are sealed with a key that isn't here"
    text = "".join(lines).encode()
    try:
        loaded, _good = read_lines(text, "campaign")
        if (loaded.head, len(loaded.entries)) != (game["head"], game["length"]):
            return "its log isn't as long as it should be"
        findings = audit(Campaign(MemoryStore(text))).findings
    except LaagerError:
        return "its log can't be read"
    return f"its log doesn't verify ({len(findings)} problems; see it on the server under Log)" if findings else ""
