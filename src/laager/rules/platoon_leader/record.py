"""Records of Platoon Leader campaigns as files."""

from __future__ import annotations

from laager.rules.board.record.model import record_model
from laager.rules.platoon_leader.state import PlState

RecordFile = record_model("pl", PlState)
"""The model of `laager: pl-record/1`."""
