"""Webhooks: notices that a player has sent to a channel or a program, besides mails or instead of them.

What a mail would be about is handed over when the mail is due (`campaigns.notices`), so that a notice waits while its
reader is at the table. From there it goes its own way: a receiver that is slow or gone holds up no mail and no other
receiver. It comes at least once. One that fails is tried again, less and less often, for a day; its seat's page People
says why.

A notice says whose answer is needed, the step and a link, and nothing else: others may read along where it goes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from textwrap import shorten

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from laager.base import Refusal, RefusedError
from laager.web.models import Member, Webhook
from laager.web.seats.pending_mails import (
    DELAY,
    GIVE_UP,
    KEPT,
    LEASE,
    LONGEST_WAIT,
    OPEN,
    SOON,
    end_of_quiet,
    language_of,
)  # fmt: skip
from laager.web.seats.permissions import Action, Seat
from laager.web.shared import receivers, throttle
from laager.web.shared.names import side_name
from laager.web.shared.receivers import Delivery, Post
from laager.web.shared.storing import in_turn

FREEING = "freeing:"
"""What the mark of an announcement begins with that the seat will be freed."""
MOST_AT_ONCE = 20
"""Most notices that are sent at a time."""
FIRST_PAUSE = timedelta(minutes=1)
"""How long after the first failure a notice is tried again; then twice as long each time."""
LONGEST_PAUSE = timedelta(hours=1)
TESTS_A_MINUTE = 6
"""How many test messages one person can send in a minute."""
KEY_PREFIX = "whsec_"
"""What a key begins with, by the convention of Standard Webhooks."""
MARKDOWN = re.compile(r"([\\*_~`|>\[\]()#<:@-])")
"""What means something in Discord's texts."""
STEP_CHARS = 200
"""Longest title of a step in a notice."""


# What a player sets -------------------------------------------------------------------------------


def choose_webhook(seat: Seat, kind: str, url: str) -> Webhook:
    """Let a seat's notices go to an address. What waits goes there. Raises RefusedError."""
    seat.need(Action.ANSWER)
    if kind not in Webhook.Kind.values:
        raise RefusedError(Refusal.BAD_ANSWER, f"there is no webhook of the kind {kind!r}")
    address = receivers.check_url(url, settings.CONFIG.webhook_networks)
    with in_turn(), transaction.atomic():
        hook = Webhook.objects.select_for_update().filter(member=seat.member).first()
        hook = hook or Webhook(member=seat.member, secret=_new_secret())
        if hook.url != address:
            hook.trouble, hook.status, hook.answer, hook.tried, hook.tries = "", 0, "", None, 0
            hook.due = timezone.now() if hook.untold else None
        hook.kind, hook.url = kind, address
        hook.save()
    return hook


def need_webhook(seat: Seat) -> Webhook:
    """Return a seat's webhook. Raises RefusedError if it has none."""
    hook = Webhook.objects.filter(member=seat.member).first()
    if hook is None:
        raise RefusedError(Refusal.NO_SUCH, "this seat has no webhook")
    return hook


def renew_secret(seat: Seat) -> None:
    """Make the key anew that signs a seat's notices. Raises RefusedError."""
    Webhook.objects.filter(pk=need_webhook(seat).pk).update(secret=_new_secret())


def remove_webhook(seat: Seat) -> None:
    """Send a seat's notices to no address any more. Raises RefusedError."""
    need_webhook(seat).delete()


def send_test(seat: Seat) -> Delivery:
    """Send a test message now, and return how it went. Raises RefusedError."""
    throttle.count(f"webhook:{seat.user.pk}", TESTS_A_MINUTE)
    hook = need_webhook(seat)
    notice = Notice("test", f"{hook.pk}-test-{secrets.token_hex(4)}")
    return receivers.deliver([write_post(hook, seat, notice)], settings.CONFIG.webhook_networks)[0]


def describe_delivery(delivery: Delivery | Webhook) -> str:
    """Return in words how a post went, with what the receiver answered."""
    if not delivery.trouble:
        text = _("The receiver took it (status {status}).") if delivery.status else ""
    elif delivery.status:
        text = f"{Webhook.Trouble(delivery.trouble).label} " + _("It answered with status {status}.")
    else:
        text = str(Webhook.Trouble(delivery.trouble).label)
    answer = " " + _("Its words: {answer}") if delivery.answer else ""
    return (text + answer).format(status=delivery.status, answer=delivery.answer) if text else ""


def _new_secret() -> str:
    return KEY_PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


# What waits ---------------------------------------------------------------------------------------


def hand_over(member: int, marks: Collection[str]) -> None:
    """Let what has these marks be told by the webhook of a seat, if it has one; each mark once."""
    with in_turn(), transaction.atomic():
        hook = Webhook.objects.select_for_update().filter(member=member).first()
        new = sorted(set(marks) - set(hook.handed)) if hook else []
        if hook is None or not new:
            return
        now = timezone.now()
        hook.untold |= dict.fromkeys(new, now.isoformat())
        hook.handed = [*hook.handed, *new][-KEPT:]
        hook.due = hook.due or now
        hook.save(update_fields=["untold", "handed", "due"])


def claim_due() -> Iterator[Webhook]:
    """Yield the webhooks that this worker must serve now; put off those of people with an open page here."""
    now = timezone.now()
    soon = Webhook.objects.filter(due__lte=now + SOON).order_by("due").select_related("member__user", "member__game")
    claimed = 0
    for hook in soon:
        at_table = (hook.member.user_id, hook.member.game_id) in OPEN
        awake = end_of_quiet(hook.member.user, now)
        if at_table and now - waiting_since(hook) < LONGEST_WAIT:
            _move_due(hook, now + DELAY)
        elif awake > now:
            _move_due(hook, awake)
        elif hook.due is not None and hook.due <= now and claimed < MOST_AT_ONCE and _move_due(hook, now + LEASE):
            claimed += 1
            hook.refresh_from_db(fields=["kind", "url", "secret", "untold", "number", "tries"])
            yield hook


def announce_freeing(member: Member) -> None:
    """Tell the webhook of a seat that the seat will be freed unless its holder comes back."""
    hand_over(member.pk, [_freeing_mark(member)])


def freeing_marks(hook: Webhook) -> set[str]:
    """Return the mark of the announcement that a webhook's seat will be freed, if it waits and is still so."""
    return {_freeing_mark(hook.member)} & set(hook.untold) if hook.member.freed_on else set()


def _freeing_mark(member: Member) -> str:
    return f"{FREEING}{member.freed_on:%Y-%m-%dT%H:%M:%S}"


def _move_due(hook: Webhook, due: datetime) -> bool:
    """Move when a webhook is served; False if another worker has moved it meanwhile."""
    with in_turn():
        return Webhook.objects.filter(pk=hook.pk, due=hook.due).update(due=due) == 1


def waiting_since(hook: Webhook) -> datetime:
    """Return since when a notice waits."""
    return min(map(datetime.fromisoformat, hook.untold.values()), default=timezone.now())


def settle(hook: Webhook, marks: Collection[str], delivery: Delivery | None) -> None:
    """Note how it went with what has these marks; None if there was nothing more to tell."""
    now = timezone.now()
    failed = delivery is not None and bool(delivery.trouble)
    with in_turn(), transaction.atomic():
        # A new address begins anew, whatever became of the old one.
        held = Webhook.objects.select_for_update().filter(pk=hook.pk, url=hook.url).first()
        if held is None:
            return
        if delivery is not None:
            held.trouble, held.status, held.answer = delivery.trouble, delivery.status, delivery.answer
            held.tried = now
        if failed and now - waiting_since(hook) < GIVE_UP:
            held.due = now + min(FIRST_PAUSE * 2 ** min(held.tries, 10), LONGEST_PAUSE)
            held.tries = F("tries") + 1
        else:
            held.untold = {mark: since for mark, since in held.untold.items() if mark not in marks}
            held.due = now if held.untold else None
            held.tries, held.number = 0, F("number") + 1
        held.save(update_fields=["untold", "due", "tries", "number", "trouble", "status", "answer", "tried"])


# What is sent -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Notice:
    """What a webhook tells: of which kind, under which number, at which step of the campaign."""

    type: str
    """`answer-needed`, `request-refused`, `seat-freeing` or `test`."""
    id: str
    step: str = ""
    marks: Collection[str] = ()
    """The marks of all that is told by it."""


def write_post(hook: Webhook, seat: Seat, notice: Notice) -> Post:
    """Return what is sent for a notice, in the language of the seat's holder."""
    with translation.override(language_of(seat)):
        side, link = side_name(seat.name, seat.game), _link(seat)
        step = shorten(notice.step, STEP_CHARS, placeholder=" …")
        if hook.kind == Webhook.Kind.DISCORD:
            text = _sentence(notice.type, escape_markdown(seat.game.title), escape_markdown(side))
            lines = [text, _("Now: {step}").format(step=escape_markdown(step)) if step else "", link]
            content = {"content": "\n".join(filter(None, lines)), "allowed_mentions": {"parse": []}}
            return Post(hook.url, _as_json(content), {"Content-Type": "application/json"})
        body = _as_json(
            {
                "type": notice.type,
                "campaign": {"id": str(seat.game.pk), "title": seat.game.title},
                "seat": {"id": seat.name, "name": side},
                "step": step,
                "link": link,
                "text": _sentence(notice.type, seat.game.title, side),
            }
        )
    stamp = str(int(time.time()))
    signed = {"webhook-id": notice.id, "webhook-timestamp": stamp}
    signed["webhook-signature"] = sign(hook.secret, notice.id, stamp, body)
    return Post(hook.url, body, {"Content-Type": "application/json", **signed})


def sign(secret: str, notice_id: str, timestamp: str, body: bytes) -> str:
    """Return the signature of a notice, by the convention of Standard Webhooks."""
    key = base64.b64decode(secret.removeprefix(KEY_PREFIX))
    digest = hmac.digest(key, f"{notice_id}.{timestamp}.".encode() + body, hashlib.sha256)
    return "v1," + base64.b64encode(digest).decode()


def escape_markdown(text: str) -> str:
    """Return text on one line that Discord shows as it is: nothing in it is a link, a mention or a heading."""
    return MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _sentence(kind: str, title: str, side: str) -> str:
    match kind:
        case "answer-needed":
            text = _("“{title}” waits for an answer ({side}).")
        case "request-refused":
            text = _("“{title}”: the other side has refused a wish ({side}).")
        case "seat-freeing":
            text = _("“{title}”: this seat will be freed unless its holder comes back ({side}).")
        case _:
            text = _("“{title}”: a test message. Notices come here ({side}).")
    return text.format(title=title, side=side)


def _link(seat: Seat) -> str:
    return settings.CONFIG.address.rstrip("/") + reverse("table", args=[seat.game.pk, seat.name])


def _as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
