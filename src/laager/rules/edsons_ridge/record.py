"""Records of Edson's Ridge campaigns as files."""

from __future__ import annotations

from laager.rules.board.record.model import record_model
from laager.rules.edsons_ridge.state import ErState

RecordFile = record_model("er", ErState)
"""The model of `laager: er-record/1`."""
