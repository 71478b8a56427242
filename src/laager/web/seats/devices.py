"""Devices: notices that phones and desktops show, besides mails or instead of them (Web Push).

How they wait and are tried again is in `seats.outgoing`. A push service carries them, and can't read them; the screen
that shows them may lie open on a table, so that they say no more than a webhook does.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from laager.base import Refusal, RefusedError
from laager.web.models import Device, DeviceNotices
from laager.web.seats.outgoing import Notice, name_of, notice_sentence
from laager.web.seats.pending_mails import GIVE_UP, language_of
from laager.web.shared import receivers, throttle, web_push
from laager.web.shared.receivers import Delivery, Post
from laager.web.shared.storing import in_turn

if TYPE_CHECKING:
    from laager.web.models import Member, Player
    from laager.web.seats.permissions import Seat

MOST_DEVICES = 20
"""Most devices of one person; a further one replaces the oldest."""
LONGEST_ENDPOINT = 1000
TESTS_A_MINUTE = 6
"""How many test notices one person can send in a minute."""
GONE = (404, 410)
"""What a push service answers when the browser has ended its subscription."""


# What a player sets -------------------------------------------------------------------------------


def turn_on(user: Player, endpoint: str, p256dh: str, auth: str, name: str, sound: bool) -> Device:
    """Let a browser show somebody's notices, and nobody else's any more. Raises RefusedError."""
    address = receivers.check_url(endpoint, settings.CONFIG.webhook_networks, LONGEST_ENDPOINT)
    web_push.check_keys(p256dh, auth)
    with in_turn(), transaction.atomic():
        Device.objects.filter(endpoint=address).exclude(user=user).delete()
        device, _new = Device.objects.update_or_create(
            endpoint=address, defaults={"user": user, "p256dh": p256dh, "auth": auth, "name": name[:80], "sound": sound}
        )
        kept = Device.objects.filter(user=user).order_by("-pk").values_list("pk", flat=True)[:MOST_DEVICES]
        Device.objects.filter(user=user).exclude(pk__in=list(kept)).delete()
    return device


def find_device(user: Player, pk: int) -> Device:
    """Return one of somebody's devices. Raises RefusedError if there is no such."""
    device = Device.objects.filter(user=user, pk=pk).first()
    if device is None:
        raise RefusedError(Refusal.NO_SUCH, "you have no such device")
    return device


def switch(member: Member, on: bool) -> None:
    """Let somebody's devices show notices of a seat, or no more; what waits is dropped."""
    type(member).objects.filter(pk=member.pk).update(push=on)
    if not on:
        DeviceNotices.objects.filter(member=member).delete()


def send_test(device: Device) -> Delivery:
    """Send a test notice now, and return how it went. Raises RefusedError."""
    throttle.count(f"device:{device.user_id}", TESTS_A_MINUTE)
    with translation.override(device.user.language or settings.LANGUAGE_CODE):
        text = _("A test message. Notices come here.")
    post = _post(device, "Laager", text, reverse("account"), "test")
    delivery = receivers.deliver([post], settings.CONFIG.webhook_networks)[0]
    drop_if_gone(device, delivery)
    return delivery


def drop_if_gone(device: Device, delivery: Delivery) -> None:
    """Forget a device whose browser has ended its subscription."""
    if delivery.status in GONE:
        Device.objects.filter(pk=device.pk).delete()


# What is sent -------------------------------------------------------------------------------------


def write_post(row: DeviceNotices, seat: Seat, notice: Notice) -> Post:
    """Return what is sent for a notice, in the language of the seat's holder."""
    with translation.override(language_of(seat)):
        lines = [notice_sentence(notice.type, seat.game.title, name_of(seat))]
        if step := notice.short_step:
            lines.append(_("Now: {step}").format(step=step))
    link = reverse("table", args=[seat.game.pk, seat.name])
    return _post(row.device, seat.game.title, "\n".join(lines), link, notice.type)


def _post(device: Device, title: str, text: str, link: str, kind: str) -> Post:
    # A later notice of the same kind takes the place of one that the device hasn't shown yet.
    topic = sha256(f"{link} {kind}".encode()).hexdigest()[:32]
    content = {"title": title, "text": text, "link": link, "tag": topic, "silent": not device.sound}
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(GIVE_UP.total_seconds())),
        "Topic": topic,
        **web_push.sign(device.endpoint),
    }
    return Post(device.endpoint, web_push.encrypt(data, device.p256dh, device.auth), headers)
