"""Records as files of campaigns that data alone describe."""

from __future__ import annotations

from laager.rules.board.hasl.state import HaslState
from laager.rules.board.record.model import record_model

RecordFile = record_model("hasl", HaslState)
"""The model of `laager: hasl-record/1`."""
