"""Where notices of a seat go besides mails."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

KINDS = [("discord", "Discord, or another that takes its form"), ("generic", "a program of your own (signed JSON)")]
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
    dependencies: ClassVar = [("web", "0010_simulations")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=KINDS, max_length=12)),
                ("url", models.CharField(max_length=500)),
                ("secret", models.CharField(max_length=80)),
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
                    "member",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="webhook", to="web.member"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(condition=models.Q(due__isnull=False), fields=["due"], name="hooks_that_wait")
                ],
            },
        ),
    ]
