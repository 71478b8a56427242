"""Webhooks, for programs: the same that page People sets."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from ninja import Router, Schema
from ninja.responses import Status
from pydantic import Field

from laager.web.api.calls import user_of
from laager.web.api.refusals import READ, WRITE, answers
from laager.web.campaigns.seat_pages import SEAT, GameId, SeatName, seat_of
from laager.web.models import Webhook
from laager.web.seats import outgoing, webhooks
from laager.web.seats.permissions import Action

router = Router(tags=["webhooks"])


class WebhookIn(Schema):
    """Where notices of a seat go."""

    kind: Literal["discord", "generic"] = Field(
        description="`discord` for Discord's form, `generic` for signed JSON to a program of your own."
    )
    url: Annotated[str, Field(min_length=1, max_length=500)]


class WebhookOut(Schema):
    """A webhook, and how its last notice went. Only its owner sees it."""

    campaign: UUID = Field(validation_alias="member.game_id")
    seat: str = Field(validation_alias="member.seat")
    kind: str
    url: str
    key: str = Field(validation_alias="secret", description="Signs what goes to a program of your own.")
    tried: datetime | None = Field(description="When the last notice was sent.")
    trouble: str = Field(description='Why it failed, as a short code; "" if it arrived.')
    status: int = Field(description="The receiver's answer; 0 if there was none.")
    text: str = Field(description="How it went, in words.")
    next_try: datetime | None = Field(validation_alias="due", description="When a notice that waits is sent.")

    @staticmethod
    def resolve_text(hook: Webhook) -> str:
        """Say it in words."""
        return outgoing.describe_delivery(hook) if hook.tried else ""


class DeliveryOut(Schema):
    """How a test message went."""

    trouble: str = Field(description='Why it failed, as a short code; "" if it arrived.')
    status: int
    answer: str = Field(description="The beginning of what the receiver said.")
    text: str = Field(description="How it went, in words.")


@router.get("/webhooks", response=answers(list[WebhookOut], 409), operation_id="webhooks")
def list_webhooks(request: HttpRequest) -> Any:
    """List your webhooks in all campaigns."""
    mine = Webhook.objects.filter(member__user=user_of(request).pk).select_related("member")
    return mine.order_by("pk")


@router.get(SEAT + "/webhook", response=answers(WebhookOut, 403, *READ), operation_id="webhook")
def show_webhook(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Show a seat's webhook. Players only."""
    return webhooks.need_webhook(seat_of(request, game, seat, Action.ANSWER))


@router.put(SEAT + "/webhook", response=answers(WebhookOut, *WRITE), operation_id="choose_webhook")
def choose_webhook(request: HttpRequest, game: GameId, seat: SeatName, sent: WebhookIn) -> Any:
    """Let a seat's notices go to an address, instead of the one before if there was one. Players only."""
    return webhooks.choose_webhook(seat_of(request, game, seat, Action.ANSWER), sent.kind, sent.url)


@router.delete(SEAT + "/webhook", response=answers(None, *WRITE, code=204), operation_id="remove_webhook")
def remove_webhook(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Send a seat's notices to no address any more. Players only."""
    webhooks.remove_webhook(seat_of(request, game, seat, Action.ANSWER))
    return Status(204, None)


@router.post(SEAT + "/webhook/test", response=answers(DeliveryOut, *WRITE), operation_id="test_webhook")
def test_webhook(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Send a test message now, and return how it went; 200 also if it failed. Players only."""
    delivery = webhooks.send_test(seat_of(request, game, seat, Action.ANSWER))
    return vars(delivery) | {"text": outgoing.describe_delivery(delivery)}


@router.post(SEAT + "/webhook/key", response=answers(WebhookOut, *WRITE), operation_id="renew_webhook_key")
def renew_webhook_key(request: HttpRequest, game: GameId, seat: SeatName) -> Any:
    """Make a new key to sign with; the old one signs nothing any more. Players only."""
    mine = seat_of(request, game, seat, Action.ANSWER)
    webhooks.renew_secret(mine)
    return webhooks.need_webhook(mine)
