"""Notices on devices: encrypted for one browser, signed, told once, without secrets; and what a device keeps."""

from __future__ import annotations

import base64
import json
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.test import Client

from laager.web.campaigns import actions, tables
from laager.web.models import Device, DeviceNotices, Member, Pace, Player, PushKey
from laager.web.play.short_way import rows
from laager.web.seats import devices, outgoing, pending_mails, seating
from laager.web.shared import tokens, web_push
from tests.web import planted
from tests.web.conftest import alone, seat, take_defaults, take_defaults_until_asked
from tests.web.receiving import HERE, Clock, Receiver

if TYPE_CHECKING:
    from collections.abc import Mapping

    from laager.web.seats.permissions import Seat
    from tests.web.conftest import Begin, People

PHONE = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36"


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Browser:
    """A browser with its subscription: it reads what only it can read, by RFC 8291 and 8188, as they are written."""

    def __init__(self, endpoint: str, private: int | None = None, auth: str = "BTBZMqHH6r4Tts7J_aSIgg") -> None:
        curve = ec.SECP256R1()
        self.key = ec.derive_private_key(private, curve) if private else ec.generate_private_key(curve)
        numbers = self.key.public_key().public_numbers()
        self.point = b"\4" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
        self.auth = _bytes(auth)
        self.given = {"endpoint": endpoint, "p256dh": _text(self.point), "auth": auth}

    def read(self, body: bytes) -> bytes:
        """Decrypt a message."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size, "one record"
        theirs = ec.EllipticCurvePublicNumbers(
            int.from_bytes(sender[1:33], "big"), int.from_bytes(sender[33:], "big"), ec.SECP256R1()
        ).public_key()
        shared = self.key.exchange(ec.ECDH(), theirs)
        secret = _hkdf(self.auth, shared, b"WebPush: info\x00" + self.point + sender, 32)
        key = _hkdf(salt, secret, b"Content-Encoding: aes128gcm\x00", 16)
        nonce = _hkdf(salt, secret, b"Content-Encoding: nonce\x00", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None)
        content = padded.rstrip(b"\0")
        assert content.endswith(b"\2"), "the last record"
        return content[:-1]


def _hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def read_signature(headers: Mapping[str, str]) -> dict[str, Any]:
    """Return what a message is signed with, and check the signature."""
    scheme, _, rest = headers["authorization"].partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    header, claims, signature = parts["t"].split(".")
    assert (scheme, json.loads(_bytes(header))["alg"]) == ("vapid", "ES256")
    point, raw = _bytes(parts["k"]), _bytes(signature)
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key.verify(der, f"{header}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    return {**json.loads(_bytes(claims)), "key": parts["k"]}


@pytest.fixture
def receiver(receiver: Receiver) -> Receiver:
    """A push service: it answers 201."""
    receiver.status = 201
    return receiver


@pytest.fixture(autouse=True)
def _may_reach_this_machine(settings: Any) -> None:
    settings.CONFIG = settings.CONFIG.model_copy(update={"webhook_networks": HERE, "address": "https://laager.example"})


@pytest.fixture
def browser(receiver: Receiver) -> Browser:
    return Browser(receiver.url)


def turn_on(user: Player, browser: Browser, client: Client | None = None, **more: str) -> Any:
    """Let a browser show somebody's notices, as its script does."""
    caller = client or Client()
    if client is None:
        caller.force_login(user)
    return caller.post("/account/devices/", {**browser.given, "sound": "yes", **more}, headers={"User-Agent": PHONE})


@pytest.fixture
def waiting(people: People, begin: Begin, clock: Clock, browser: Browser) -> Seat:
    """A seat with a device and no mails, that has just become asked by the other's answer."""
    one, other = alone(begin(), people)
    Member.objects.update(noticed=[], untold={}, mail_due=None)
    Player.objects.filter(pk=other.user.pk).update(mails=False, email="")
    assert turn_on(other.user, browser).status_code == 200
    take_defaults_until_asked(one, other)
    return other


def _told(receiver: Receiver, browser: Browser) -> list[dict[str, Any]]:
    return [json.loads(browser.read(body)) for _, _, body in receiver.taken]


# What is sent -------------------------------------------------------------------------------------


def test_the_encryption_is_that_of_the_standard() -> None:
    """The example of RFC 8291, appendix A: the same salt and keys give the same bytes, and they can be read."""
    private = int.from_bytes(_bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"), "big")
    own = ec.derive_private_key(
        int.from_bytes(_bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), ec.SECP256R1()
    )
    browser = Browser("https://push.example/", private)
    salt = _bytes("DGv6ra1nlYgDCS1FRnbzlw")
    text = b"When I grow up, I want to be a watermelon"
    made = web_push._encrypt(text, browser.point, browser.auth, salt, own)
    assert _text(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95"
        "bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert browser.read(made) == text


def test_who_is_asked_is_told_on_the_device_once(
    waiting: Seat, clock: Clock, receiver: Receiver, browser: Browser
) -> None:
    clock.pass_(pending_mails.DELAY - timedelta(seconds=1))
    assert receiver.taken == []
    clock.pass_(timedelta(seconds=1))
    [told] = _told(receiver, browser)
    link = f"/campaign/{waiting.game.pk}/{waiting.name}/"
    with tables.look(waiting) as table:
        assert str(table.asked[0].pending.step.title) in told["text"]
    assert (told["title"], told["link"], told["silent"]) == (waiting.game.title, link, False)
    [(_, headers, body)] = receiver.taken
    assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", "86400")
    assert len(headers["topic"]) == 32
    assert len(body) < 4096
    signed = read_signature(headers)
    assert signed["aud"] == receiver.url.split("/hook")[0]
    assert signed["sub"] == "https://laager.example"
    assert 0 < signed["exp"] - time.time() <= 24 * 3600
    page = Client()
    page.force_login(waiting.user)
    assert f'data-key="{signed["key"]}"' in page.get("/account/").content.decode()
    clock.pass_(timedelta(days=2))
    assert len(receiver.taken) == 1


def test_a_long_title_fits_into_a_message(waiting: Seat, clock: Clock, receiver: Receiver, browser: Browser) -> None:
    title = "Ж" * 200
    type(waiting.game).objects.update(title=title)
    clock.pass_()
    [(_, _, body)] = receiver.taken
    assert len(body) <= 4096
    assert _told(receiver, browser)[0]["title"] == title


@pytest.mark.once
def test_the_words_are_in_the_players_language(
    waiting: Seat, clock: Clock, receiver: Receiver, browser: Browser
) -> None:
    Player.objects.filter(pk=waiting.user.pk).update(language="de")
    clock.pass_()
    assert "wartet auf" in _told(receiver, browser)[0]["text"]


@pytest.mark.once
def test_who_is_at_the_table_is_told_nothing(waiting: Seat, people: People, clock: Clock, receiver: Receiver) -> None:
    client = people.client(waiting.user)
    for _ in range(5):
        client.get(f"/campaign/{waiting.game.pk}/{waiting.name}/")
        clock.pass_(timedelta(seconds=50))
    assert receiver.taken == []
    clock.pass_()
    assert len(receiver.taken) == 1


@pytest.mark.parametrize("why", ["switched off", "never", "logged out", "new password", "removed", "answered"])
def test_who_wants_no_notice_gets_none(
    why: str, waiting: Seat, people: People, clock: Clock, receiver: Receiver, browser: Browser
) -> None:
    client = Client()
    client.force_login(waiting.user)
    match why:
        case "switched off":
            client.post(f"/campaign/{waiting.game.pk}/{waiting.name}/people/push/", {"push": "no"})
        case "never":
            Member.objects.filter(pk=waiting.member.pk).update(pace=Pace.NEVER)
        case "logged out":
            turn_on(waiting.user, browser, client)
            response = client.post("/logout/")
            assert response.headers["Clear-Site-Data"] == '"storage"'
        case "new password":
            waiting.user.set_password("another-one-7")
            waiting.user.save()
        case "removed":
            client.post(f"/account/devices/{Device.objects.get().pk}/", {"do": "remove"})
        case _:
            take_defaults([waiting], 1)
    clock.pass_(timedelta(hours=2))
    assert receiver.taken == []


def test_once_a_day_and_quiet_hours_count_for_devices(waiting: Seat, clock: Clock, receiver: Receiver) -> None:
    Member.objects.filter(pk=waiting.member.pk).update(pace=Pace.DAILY)
    Player.objects.update(time_zone="UTC", quiet_from=17, quiet_to=20)
    clock.pass_()
    assert receiver.taken == []
    clock.now = clock.now.replace(hour=18, minute=30) + timedelta(days=1)
    clock.pass_(timedelta(0))
    assert receiver.taken == [], "it is quiet at 18:30"
    clock.now = clock.now.replace(hour=20, minute=1)
    clock.pass_(timedelta(0))
    assert len(receiver.taken) == 1


@pytest.mark.once
def test_each_device_is_told_and_a_silent_one_makes_no_sound(
    waiting: Seat, clock: Clock, receiver: Receiver, browser: Browser
) -> None:
    other = Receiver()
    second = Browser(other.url)
    turn_on(waiting.user, second, sound="")
    clock.pass_()
    other.close()
    assert [told["silent"] for told in _told(receiver, browser) + _told(other, second)] == [False, True]


@pytest.mark.django_db(transaction=True)
def test_a_seat_that_will_be_freed_is_told(
    waiting: Seat, people: People, clock: Clock, receiver: Receiver, browser: Browser
) -> None:
    both = [seat(waiting.game, people.anna, "axis"), seat(waiting.game, people.bert, "allied")]
    other = next(each for each in both if each.user != waiting.user)
    seating.free_seat(other, waiting.member.pk)
    clock.pass_(timedelta(seconds=15))
    assert ["will be freed" in told["text"] for told in _told(receiver, browser)] == [True]


# Secrets ------------------------------------------------------------------------------------------


VARYING = {"authorization", "host", "topic"}
"""Headers that are new in each message, or in each campaign."""


@pytest.mark.once
def test_what_the_other_side_chose_in_secret_changes_no_byte(
    people: People, begin: Begin, clock: Clock, receiver: Receiver, browser: Browser
) -> None:
    """Two worlds that differ in what the other side has bought: what leaves is the same, as long and as encrypted."""
    worlds = []
    for buys in (True, False):
        game = begin()
        one, other = seat(game, people.anna, "axis"), seat(game, people.bert, "allied")
        take_defaults([one, other], until="purchases")
        Member.objects.update(noticed=[], untold={}, mail_due=None)
        turn_on(one.user, browser)
        receiver.taken.clear()
        with tables.look(other) as table:
            [asked] = table.asked
        assert asked.pending.question is not None
        proposed = asked.pending.question.default
        actions.answer(other, asked.mark, proposed if buys else {"groups": [], "patrols": 0})
        clock.pass_()
        assert receiver.taken == [], "the other side's purchases are nobody's news"
        actions.propose_draw(other)
        clock.pass_()
        [(path, headers, body)] = receiver.taken
        fixed = {name: value for name, value in headers.items() if name not in VARYING}
        text = browser.read(body).decode()
        content = json.loads(text)
        content["link"] = content["link"].replace(str(game.pk), "GAME")
        assert content.pop("tag") == headers["topic"]
        worlds.append((path, fixed, len(body), content))
        words = [group["rg"] for group in proposed["groups"]]
        assert words
        assert not set(words) & planted.words(text)
        assert game.title.encode() not in body, "the push service can't read it"
    assert worlds[0] == worlds[1]


def test_nobody_else_sees_or_changes_a_device(waiting: Seat, people: People, receiver: Receiver) -> None:
    device = Device.objects.get()
    for user in (people.anna, people.bert, people.cleo, people.dora):
        client = people.client(user)
        page = client.get("/account/").content.decode()
        assert ("Chrome, Android" in page) == (user == waiting.user)
        assert device.endpoint not in page
        if user != waiting.user:
            assert client.post(f"/account/devices/{device.pk}/", {"do": "remove"}).status_code == 404
    assert Device.objects.filter(pk=device.pk).exists()


@pytest.mark.once
def test_a_browser_shows_notices_of_who_turned_them_on_last(
    waiting: Seat, people: People, clock: Clock, receiver: Receiver, browser: Browser
) -> None:
    turn_on(people.dora, browser)
    clock.pass_()
    assert receiver.taken == []
    assert Device.objects.get().user == people.dora


@pytest.mark.once
def test_logs_hold_no_endpoint(
    waiting: Seat, clock: Clock, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", logger="laager")
    receiver.close()
    clock.pass_()
    assert DeviceNotices.objects.get().trouble == "no-connection"
    assert "token=abc" not in caplog.text


# Failures -----------------------------------------------------------------------------------------


def test_a_failure_is_tried_again_and_shown(
    waiting: Seat, people: People, clock: Clock, receiver: Receiver, browser: Browser
) -> None:
    receiver.status, receiver.words = 500, b"come back <b>later"
    clock.pass_()
    client = people.client(waiting.user)
    for address in (f"/campaign/{waiting.game.pk}/{waiting.name}/people/", "/account/"):
        page = client.get(address).content.decode()
        assert "Chrome, Android: a notice couldn" in page or f"{waiting.game.title}: a notice couldn" in page
        assert "&lt;b&gt;later" in page
    receiver.status = 201
    clock.pass_(timedelta(minutes=1))
    first, again = _told(receiver, browser)
    assert first == again
    assert receiver.taken[0][2] != receiver.taken[1][2], "encrypted anew"
    row = DeviceNotices.objects.get()
    assert (row.trouble, row.due, row.untold) == ("", None, {})


@pytest.mark.parametrize("status", devices.GONE)
def test_a_device_that_is_gone_is_forgotten(status: int, waiting: Seat, clock: Clock, receiver: Receiver) -> None:
    receiver.status = status
    clock.pass_()
    assert not Device.objects.exists()
    assert not DeviceNotices.objects.exists()
    clock.pass_(timedelta(hours=2))
    assert len(receiver.taken) == 1


@pytest.mark.once
def test_a_test_notice_says_how_it_went(waiting: Seat, people: People, receiver: Receiver, browser: Browser) -> None:
    client = people.client(waiting.user)
    device = Device.objects.get()
    page = client.post(f"/account/devices/{device.pk}/", {"do": "test"}, follow=True).content.decode()
    assert "status 201" in page
    assert _told(receiver, browser)[0]["link"] == "/account/"
    receiver.status = 410
    page = client.post(f"/account/devices/{device.pk}/", {"do": "test"}, follow=True).content.decode()
    assert "is forgotten here" in page
    assert not Device.objects.exists()


@pytest.mark.parametrize(
    "given",
    [
        {"endpoint": "https://10.1.2.3/push"},
        {"endpoint": "https://[::1]/push"},
        {"endpoint": "http://93.184.216.34/push"},
        {"endpoint": "ftp://push.example/"},
        {"endpoint": "https://push.example/" + "x" * 1000},
        {"endpoint": ""},
        {"p256dh": ""},
        {"p256dh": _text(b"\4" + b"\1" * 64)},
        {"p256dh": "not base64!"},
        {"auth": _text(b"short")},
        {"auth": "ü"},
    ],
)
def test_what_is_no_subscription_is_refused(given: dict[str, str], people: People) -> None:
    answer = turn_on(people.anna, Browser("https://push.example/x"), None, **given)
    assert answer.status_code == 422
    assert answer.json()["text"]
    assert not Device.objects.exists()


def test_the_oldest_of_many_devices_makes_room(people: People) -> None:
    for number in range(devices.MOST_DEVICES + 2):
        turn_on(people.anna, Browser(f"https://push.example/{number}"))
    kept = Device.objects.order_by("pk").values_list("endpoint", flat=True)
    assert len(kept) == devices.MOST_DEVICES
    assert kept[0] == "https://push.example/2"


# The server's key ---------------------------------------------------------------------------------


def test_the_key_is_made_once(db: None) -> None:
    first = web_push.keep_key()
    assert web_push.keep_key() == first == PushKey.objects.get().private
    assert len(_bytes(web_push.public_key())) == 65


def test_the_short_way_knows_who_has_devices(waiting: Seat) -> None:
    """Programs that answer on the short way tell devices, too."""
    key = tokens.make(waiting.user, "x")
    wanted = (tokens.digest(key), waiting.game.pk, waiting.name)
    assert rows.load_seats([wanted], answering=True)[wanted].mailed
    Member.objects.update(push=False)
    Player.objects.update(mails=False)
    assert not rows.load_seats([wanted], answering=True)[wanted].mailed


def test_handing_over_twice_tells_once(waiting: Seat, clock: Clock, receiver: Receiver) -> None:
    outgoing.hand_over(waiting.member.pk, ["x"])
    outgoing.hand_over(waiting.member.pk, ["x"])
    assert DeviceNotices.objects.get().handed == ["x"]
