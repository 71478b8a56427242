"""Records of A Bridge Too Far campaigns as files."""

from __future__ import annotations

from laager.rules.board.record.model import record_model
from laager.rules.bridge_too_far.state import AbtfState

RecordFile = record_model("abtf", AbtfState)
"""The model of `laager: abtf-record/1`."""
