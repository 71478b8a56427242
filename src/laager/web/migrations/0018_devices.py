"""Devices that show notices, what waits for them, and the server's key for push services."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

KEY = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")
TROUBLES = [
    ("answer", "The receiver didn't accept it."),
    ("redirect", "The receiver points to another address. Enter that one."),
    ("no-address", "No machine has this name."),
    ("not-public", "This server sends nothing to that address: it isn't on the public internet."),
    ("not-encrypted", "Over the internet the address must begin with https."),
    ("no-connection", "Nobody answers at that address."),
    ("certificate", "The receiver's certificate isn't valid."),
    ("too-slow", "The receiver took too long."),
    ("not-made", "This server couldn't open the campaign."),
]


class Migration(migrations.Migration):
    dependencies: ClassVar = [("web", "0017_deleting_accounts")]

    operations: ClassVar = [
        migrations.AddField("member", "push", models.BooleanField(default=True)),
        migrations.CreateModel("PushKey", [("id", KEY), ("private", models.TextField())]),
        migrations.CreateModel(
            "Device",
            [
                ("id", KEY),
                ("name", models.CharField(max_length=80)),
                ("endpoint", models.CharField(max_length=1000, unique=True)),
                ("p256dh", models.CharField(max_length=100)),
                ("auth", models.CharField(max_length=32)),
                ("sound", models.BooleanField(default=True)),
                ("made", models.DateTimeField(auto_now_add=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="devices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            "DeviceNotices",
            [
                ("id", KEY),
                ("untold", models.JSONField(blank=True, default=dict)),
                ("handed", models.JSONField(blank=True, default=list)),
                ("due", models.DateTimeField(blank=True, null=True)),
                ("number", models.PositiveIntegerField(default=0)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("trouble", models.CharField(blank=True, choices=TROUBLES, max_length=20)),
                ("status", models.PositiveSmallIntegerField(default=0)),
                ("answer", models.CharField(blank=True, max_length=200)),
                ("tried", models.DateTimeField(blank=True, null=True)),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notices", to="web.device"
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="device_notices", to="web.member"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(("due__isnull", False)), fields=["due"], name="devices_that_wait")
                ],
                "constraints": [models.UniqueConstraint(fields=("member", "device"), name="one_queue_a_device")],
            },
        ),
    ]
