"""Web Push: messages that only one browser can read, through the push service that the browser names.

A message is encrypted for the browser (RFC 8291, one record of aes128gcm) and signed with the server's key (VAPID,
RFC 8292). The push service sees where it goes, how long it is, and what its headers say.
"""

from __future__ import annotations

import base64
import binascii
import os
import time
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction

from laager.base import Refusal, RefusedError
from laager.web.models import PushKey
from laager.web.shared.storing import in_turn

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey

RECORD_BYTES = 4096
"""Longest record that push services take."""
SIGNED_S = 12 * 3600
"""Seconds for which a signature is good; push services take a day at most."""


def encode(data: bytes) -> str:
    """Return bytes as browsers write them: URL-safe Base64 without its padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    """Return the bytes of a text that a browser wrote. Raises ValueError."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeError) as err:
        raise ValueError("this isn't URL-safe Base64") from err


# The server's key ---------------------------------------------------------------------------------


def keep_key() -> str:
    """Return the server's private key (PEM), and make it if the database has none."""
    from py_vapid import Vapid02

    kept = PushKey.objects.first()
    if kept is None:
        made = Vapid02()
        made.generate_keys()
        with in_turn(), transaction.atomic():
            # Another worker may have been first.
            kept, _ = PushKey.objects.get_or_create(pk=1, defaults={"private": made.private_pem().decode()})
    return kept.private


def public_key() -> str:
    """Return the key that browsers subscribe with."""
    return _public_key(keep_key())


@lru_cache(maxsize=4)
def _public_key(private: str) -> str:
    from py_vapid import Vapid02

    return encode(_as_point(Vapid02.from_pem(private.encode()).public_key))


def sign(endpoint: str) -> dict[str, str]:
    """Return the headers that tell a push service who sends."""
    from py_vapid import Vapid02

    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + SIGNED_S, "sub": _contact()}
    headers: dict[str, str] = Vapid02.from_pem(keep_key().encode()).sign(claims)
    return headers


def _contact() -> str:
    """Return where a push service can complain."""
    address: str = settings.CONFIG.address
    return address if address.startswith("https://") else f"mailto:{settings.CONFIG.mail_from}"


# What is sent -------------------------------------------------------------------------------------


def check_keys(p256dh: str, auth: str) -> None:
    """Raise RefusedError unless these are the keys of a browser's subscription."""
    try:
        _read_point(decode(p256dh))
        if len(decode(auth)) != 16:
            raise ValueError("it has another length")
    except ValueError:
        right = "turn notices on in the browser itself"
        raise RefusedError(Refusal.BAD_ANSWER, "these aren't the keys of a browser's subscription", right) from None


def encrypt(data: bytes, p256dh: str, auth: str) -> bytes:
    """Return a message that only the browser with these keys can read; each time another one."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return _encrypt(data, decode(p256dh), decode(auth), os.urandom(16), ec.generate_private_key(ec.SECP256R1()))


def _encrypt(data: bytes, browser: bytes, auth: bytes, salt: bytes, own: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    point = _as_point(own.public_key())
    shared = own.exchange(ec.ECDH(), _read_point(browser))
    secret = _derive(shared, auth, b"WebPush: info\0" + browser + point, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    # The 2 says that this record is the last.
    sealed = AESGCM(key).encrypt(nonce, data + b"\2", None)
    return salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(point)]) + point + sealed


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), length, salt, info).derive(secret)


def _read_point(data: bytes) -> EllipticCurvePublicKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data)


def _as_point(key: EllipticCurvePublicKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
