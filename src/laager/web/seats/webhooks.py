"""Webhooks: notices that a player has sent to a channel or a program, besides mails or instead of them.

How they wait and are tried again is in `seats.outgoing`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import secrets
import time

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from laager.base import Refusal, RefusedError
from laager.web.models import Webhook
from laager.web.seats.outgoing import Notice, name_of, notice_sentence
from laager.web.seats.pending_mails import language_of
from laager.web.seats.permissions import Action, Seat
from laager.web.shared import receivers, throttle
from laager.web.shared.receivers import Delivery, Post
from laager.web.shared.storing import in_turn

TESTS_A_MINUTE = 6
"""How many test messages one person can send in a minute."""
KEY_PREFIX = "whsec_"
"""What a key begins with, by the convention of Standard Webhooks."""
MARKDOWN = re.compile(r"([\\*_~`|>\[\]()#<:@-])")
"""What means something in Discord's texts."""


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


def _new_secret() -> str:
    return KEY_PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


# What is sent -------------------------------------------------------------------------------------


def write_post(hook: Webhook, seat: Seat, notice: Notice) -> Post:
    """Return what is sent for a notice, in the language of the seat's holder."""
    with translation.override(language_of(seat)):
        side, link, step = name_of(seat), _link(seat), notice.short_step
        if hook.kind == Webhook.Kind.DISCORD:
            text = notice_sentence(notice.type, escape_markdown(seat.game.title), escape_markdown(side))
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
                "text": notice_sentence(notice.type, seat.game.title, side),
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


def _link(seat: Seat) -> str:
    return settings.CONFIG.address.rstrip("/") + reverse("table", args=[seat.game.pk, seat.name])


def _as_json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
