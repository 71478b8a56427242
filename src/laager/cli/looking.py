"""Looking at a campaign: log, reasons, sheets, map, export, proof."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from laager.base import Refusal, RefusedError, did_you_mean
from laager.cli.out import say, show_json, show_sheets
from laager.cli.table import lines_of, opened, ruleset_of, tell

if TYPE_CHECKING:
    from laager.campaign.engine import Campaign
    from laager.campaign.views import Seen


def log(campaign_file: Path | None, side: str | None, last: int | None, as_json: bool) -> None:
    """Print what has happened."""
    from laager.campaign.facts import UMPIRE
    from laager.campaign.views import view

    with opened(campaign_file) as campaign:
        seen = view(campaign, side or UMPIRE).log
        chosen = seen[-last:] if last else seen
        if as_json:
            show_json([_described(campaign, one) for one in chosen])
        else:
            say(*lines_of(campaign, chosen))


def _described(campaign: Campaign, seen: Seen) -> dict[str, Any]:
    entry = seen.entry
    body = {} if entry.type in {"open", "seed"} else entry.body
    return {
        "number": seen.number,
        "at": entry.at,
        "type": entry.type,
        "counts": seen.counts,
        "text": tell(campaign, entry).strip(),
        "body": body,
    }


def why(number: int, campaign_file: Path | None, side: str | None, as_json: bool) -> None:
    """Explain one entry."""
    from laager.campaign.clauses import RulesIndex
    from laager.campaign.facts import UMPIRE
    from laager.campaign.views import causes, find, view

    with opened(campaign_file) as campaign:
        seen_by = view(campaign, side or UMPIRE)
        seen = find(seen_by, number)
        rule = seen.entry.body.get("rule") or seen.entry.body.get("fact", {}).get("rule", "")
        index = RulesIndex.load_packaged(ruleset_of(campaign).package)
        clause = index.get(rule)
        behind = causes(seen_by, number) if seen.entry.type == "fact" else ()
        if as_json:
            show_json(
                {
                    "entry": _described(campaign, seen),
                    "rule": clause.model_dump(mode="json") if clause else rule,
                    "causes": [_described(campaign, one) for one in behind],
                }
            )
            return
        say(*lines_of(campaign, [seen]))
        for one in behind:
            say(f"  from {one.number}: {tell(campaign, one.entry).strip()}")
            if one.entry.type == "answer":
                say(f"           {one.entry.body['value']}")
            for modifier in one.entry.body.get("modifiers", ()):
                say(f"           {modifier['value']:+d} {modifier['reason']} ({modifier['rule']})")
        if clause is not None:
            say(f"  {clause.id} {clause.title}: {clause.text.strip()}")


def sheets(name: str | None, campaign_file: Path | None, side: str | None, as_json: bool) -> None:
    """Print record sheets."""
    from laager.campaign.facts import UMPIRE
    from laager.campaign.views import view

    with opened(campaign_file) as campaign:
        state = view(campaign, side or UMPIRE).state
        found = ruleset_of(campaign).sheets(campaign.context, state)
        chosen = [sheet for sheet in found if name in (None, sheet.id)]
        if not chosen:
            advice = did_you_mean(name, sorted({sheet.id for sheet in found}), "there are")
            raise RefusedError(Refusal.NO_SUCH, f"there is no sheet {name!r}; {advice}")
        if as_json:
            show_json([sheet.describe() for sheet in chosen])
        else:
            show_sheets(chosen)


def draw(
    source: Path | None, out: Path, campaign_file: Path | None, side: str | None, width: int
) -> None:
    """Draw a map file, or a campaign's map as a viewer may see it."""
    from laager.campaign.facts import UMPIRE
    from laager.campaign.views import view
    from laager.hexmap import load_map
    from laager.hexmap.draw import Layers, draw_png, draw_svg

    if out.suffix not in {".svg", ".png"}:
        raise RefusedError(Refusal.BAD_ANSWER, f"{out} is neither .svg nor .png")
    if source is not None:
        svg = draw_svg(load_map(source), Layers())
    else:
        with opened(campaign_file) as campaign:
            state = view(campaign, side or UMPIRE).state
            map_, layers = ruleset_of(campaign).drawing(campaign.context, state)
            svg = draw_svg(map_, layers)
    if out.suffix == ".png":
        out.write_bytes(draw_png(svg, width))
    else:
        out.write_text(svg, encoding="utf-8")
    say(f"drawn: {out}")


def export(campaign_file: Path | None, side: str | None) -> None:
    """Print all that a viewer may know."""
    from laager.campaign.facts import UMPIRE
    from laager.campaign.views import view

    with opened(campaign_file) as campaign:
        seen_by = view(campaign, side or UMPIRE)
        show_json(
            {
                "title": seen_by.title,
                "viewer": seen_by.viewer,
                "ruleset": campaign.ruleset.id,
                "commitment": campaign.opening["dice"]["commitment"],
                "state": campaign.ruleset.describe(seen_by.state),
                "log": [_described(campaign, seen) for seen in seen_by.log],
                "pending": [p.question.describe() for p in seen_by.pending if p.question],
                "waiting_for": list(seen_by.waiting_for),
            }
        )


def verify(campaign_file: Path | None, as_json: bool) -> None:
    """Prove a log; exits with 4 if something does not add up."""
    import typer

    from laager.campaign.audit import audit

    with opened(campaign_file) as campaign:
        result = audit(campaign)
        head = campaign.store.load().head
    if as_json:
        findings = [{"entry": f.number, "what": f.what} for f in result.findings]
        show_json({"sound": result.sound, "entries": result.entries, "rolls": result.rolls,
                   "entered": result.entered, "facts": result.facts, "head": head,
                   "findings": findings})  # fmt: skip
    else:
        say(
            f"{result.entries} entries chained, head {head}",
            f"{result.rolls} rolls ({result.entered} entered by players), {result.facts} facts",
            *(f"entry {finding.number}: {finding.what}" for finding in result.findings),
            "sound" if result.sound else "NOT SOUND",
        )
    if not result.sound:
        raise typer.Exit(4)
