"""Receivers: no address behind the server is reached, and an answer does no harm."""

from __future__ import annotations

import ssl
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from laager.base import RefusedError
from laager.web.shared import receivers
from laager.web.shared.receivers import Delivery, Post
from tests.web.receiving import HERE, Receiver

pytestmark = pytest.mark.once

NAME = "receiver.example"


PRIVATE = (
    "127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "192.168.1.5", "169.254.169.254", "100.100.100.200",
    "168.63.129.16", "0.0.0.0", "255.255.255.255", "224.0.0.1", "::1", "::", "fe80::1", "fd00:ec2::254", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:169.254.169.254", "2002:7f00:1::", "64:ff9b::7f00:1", "2001:db8::1",
)  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_nothing_goes_behind_the_firewall(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by the address itself, nor by a name for it, nor by one that has a public address besides."""
    literal = f"[{address}]" if ":" in address else address
    with pytest.raises(RefusedError, match="isn't on the public internet"):
        receivers.check_url(f"https://{literal}/x", ())
    for addresses in ([address], ["93.184.216.34", address]):
        _name(monkeypatch, addresses)
        assert receivers.deliver([Post(f"https://{NAME}/x", b"{}", {})], ()) == [Delivery("not-public")]


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "localhost"])
def test_other_ways_to_write_this_machine_do_not_help(host: str, receiver: Receiver) -> None:
    [delivery] = receivers.deliver([Post(f"http://{host}:{receiver.port}/", b"{}", {})], ())
    assert delivery.trouble in {"not-public", "no-address"}
    assert receiver.taken == []


def test_over_the_internet_only_encrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    _name(monkeypatch, ["93.184.216.34"])
    assert receivers.deliver([Post(f"http://{NAME}/x", b"{}", {})], ()) == [Delivery("not-encrypted")]


def test_a_name_is_looked_up_once_and_what_was_checked_is_reached(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that means another machine a moment later doesn't lead there."""
    asked: list[str] = []

    async def look_up(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.1"]

    monkeypatch.setattr(receivers, "look_up", look_up)
    [delivery] = receivers.deliver([Post(f"http://{NAME}:{receiver.port}/x", b"{}", {})], HERE)
    assert (delivery.trouble, delivery.status, asked) == ("", 204, [NAME])
    assert receiver.taken[0][1]["host"] == f"{NAME}:{receiver.port}"


def test_redirects_are_not_followed(receiver: Receiver) -> None:
    other = Receiver()
    receiver.status, receiver.headers = 307, {"Location": other.url}
    [delivery] = receivers.deliver([Post(receiver.url, b"{}", {})], HERE)
    other.close()
    assert (delivery.trouble, delivery.status, other.taken) == ("redirect", 307, [])


def test_only_the_beginning_of_an_answer_is_read(receiver: Receiver) -> None:
    receiver.status, receiver.words = 400, b"x" * 50_000_000
    begun = time.monotonic()
    [delivery] = receivers.deliver([Post(receiver.url, b"{}", {})], HERE)
    assert (delivery.trouble, delivery.answer) == ("answer", "x" * receivers.ANSWER_CHARS)
    assert time.monotonic() - begun < receivers.PATIENCE_S


def test_no_proxy_of_the_environment_is_asked(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert receivers.deliver([Post(receiver.url, b"{}", {})], HERE)[0].status == 204


@pytest.mark.parametrize("named", [NAME, "other.example"])
def test_the_certificate_must_be_that_of_the_name(named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = _certificate(tmp_path, NAME)
    secure = Receiver(context)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    monkeypatch.setattr(receivers, "_load_certificates", receivers._load_certificates.__wrapped__)
    _name(monkeypatch, ["127.0.0.1"])
    [delivery] = receivers.deliver([Post(f"https://{named}:{secure.port}/x", b"{}", {})], HERE)
    secure.close()
    assert (delivery.trouble, len(secure.taken)) == (("", 1) if named == NAME else ("certificate", 0))


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://discord.com/x", "isn't the address"),
        ("discord.com/api", "isn't the address"),
        ("https:///x", "isn't the address"),
        ("https://[::1/x", "isn't the address"),
        ("https://a:b@discord.com/x", "user's name"),
        ("https://discord.com/" + "x" * 500, "longer than 500"),
        ("javascript:alert(1)", "isn't the address"),
        ("", "isn't the address"),
    ],
)
def test_what_is_no_address_is_refused(url: str, words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        receivers.check_url(url, ())


def _name(monkeypatch: pytest.MonkeyPatch, addresses: list[str]) -> None:
    """Let every name have these addresses."""

    async def look_up(_host: str, _port: int) -> list[str]:
        return addresses

    monkeypatch.setattr(receivers, "look_up", look_up)


def _certificate(folder: Path, name: str) -> ssl.SSLContext:
    """Return a server's context, with a certificate for a name that lies in a folder."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, secret)
    return context
