"""What the server keeps. A campaign itself is its log, line by line; the rest lies around it."""

from laager.web.models.accounts import ApiToken, Player, Throttle
from laager.web.models.campaigns import (
    Answerer,
    Draft,
    EntryLine,
    Game,
    Invitation,
    KeptEnding,
    Member,
    Note,
    Pace,
    PublicDelay,
    Role,
    SeatChange,
    SeatWish,
)
from laager.web.models.devices import Device, DeviceNotices, PushKey
from laager.web.models.library import Audience, FileGrant, FileUse, FileVersion, OwnBoard, OwnCounters, OwnFile
from laager.web.models.outgoing import Outgoing
from laager.web.models.server import Announcement, ErrorPlace
from laager.web.models.sessions import SessionPlan, SessionReply, SessionTime
from laager.web.models.simulations import SimulatedPart, Simulation
from laager.web.models.talk import TalkChannel, TalkMessage, TalkMute, TalkRead
from laager.web.models.webhooks import Webhook

__all__ = [
    "Announcement",
    "Answerer",
    "ApiToken",
    "Audience",
    "Device",
    "DeviceNotices",
    "Draft",
    "EntryLine",
    "ErrorPlace",
    "FileGrant",
    "FileUse",
    "FileVersion",
    "Game",
    "Invitation",
    "KeptEnding",
    "Member",
    "Note",
    "Outgoing",
    "OwnBoard",
    "OwnCounters",
    "OwnFile",
    "Pace",
    "Player",
    "PublicDelay",
    "PushKey",
    "Role",
    "SeatChange",
    "SeatWish",
    "SessionPlan",
    "SessionReply",
    "SessionTime",
    "SimulatedPart",
    "Simulation",
    "TalkChannel",
    "TalkMessage",
    "TalkMute",
    "TalkRead",
    "Throttle",
    "Webhook",
]
