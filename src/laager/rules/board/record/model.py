"""The model of a record as a file, made from the classes of a rule system's state: for its check and its schema."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field, create_model

from laager.base.files import FilePart
from laager.rules.board.card.parts import SIDES
from laager.rules.board.record.parts import ALONE, CAMPAIGN, parts_of, values_model
from laager.rules.board.record.sections import AREAS, NOTES, NUMBERS, ROSTERS
from laager.rules.board.state import BoardState

Control = dict[str, list[str] | str]


def record_model(rules: str, state_class: type[BoardState]) -> type[BaseModel]:
    """Return the model of records of a rule system."""
    public, own = _section_model("PublicRecord", state_class), _section_model("SideRecord", state_class, side=True)
    of_sides: dict[str, Any] = dict.fromkeys(SIDES, (own | None, None))
    secret: Any = create_model("SecretRecords", __base__=FilePart, **of_sides)
    fields: dict[str, Any] = {
        "laager": (Literal[f"{rules}-record/1"], ...),
        "card": (str, Field(description="The title of the card.")),
        "round": (str, Field(description="The list of steps that is being gone through.")),
        "next": (str, Field(description="The step that comes next.")),
        "story": (str, Field("", description="What has happened so far, in your words.")),
        "readings": (dict[str, str], Field({}, description="How rules are read where groups differ.")),
        "public": (public, Field(description="What everybody knows.")),
        "secret": (secret, Field(None, description="What each side knows besides; a side left out is asked.")),
    }
    return create_model("RecordFile", __base__=FilePart, __doc__="A record of a campaign.", **fields)


def _section_model(name: str, state_class: type[BoardState], *, side: bool = False) -> type[BaseModel]:
    parts = parts_of(state_class)
    own: dict[str, Any] = {NUMBERS: (_values(parts["sides"].line), None)}
    own |= {part: (_by_key(_values(parts[part].line)), {}) for part in ROSTERS if part in parts}
    fields: dict[str, Any] = {
        part: (_values(parts[part].line), None) for part in parts if part in ALONE or part == CAMPAIGN
    }
    fields |= {"past": (_by_key(_values(parts["past"].line)), {}), NOTES: (list[str], [])}
    if side:
        fields |= own
    else:
        lines: Any = create_model(f"{name}OfSide", __base__=FilePart, **own)
        fields |= dict.fromkeys(SIDES, (lines, None))
        if AREAS in parts:
            fields[AREAS] = (tuple.__class_getitem__((_values(parts[AREAS].line), ...)), ())
    made: type[BaseModel] = create_model(name, __base__=FilePart, **fields)
    return made


def _by_key(values: Any) -> Any:
    return dict.__class_getitem__((str, values))


def _values(line: type) -> Any:
    """Return the model of a line's fields; Control is by Location, or by side with a list of Locations."""
    model: Any = values_model(line)
    if "control" in model.model_fields:
        return create_model(f"{line.__name__}Filed", __base__=model, control=(Control, None))
    return model
