"""Campaigns begun before: their list of changes begins with the seats as they are."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations


def write(apps: Any, _: Any) -> None:
    changes = apps.get_model("web", "SeatChange").objects
    members = apps.get_model("web", "Member").objects.select_related("user")
    for member in members.order_by("since", "pk").iterator():
        changes.create(
            game_id=member.game_id,
            at=member.since,
            kind="taken",
            who_id=member.user_id,
            who_name=member.user.username,
            role=member.role,
            side=member.side,
        )


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0003_seat_changes")]

    operations: ClassVar = [migrations.RunPython(write, migrations.RunPython.noop)]
