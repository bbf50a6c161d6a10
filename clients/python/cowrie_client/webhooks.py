"""Notifications: is it the gateway's, is it fresh, and what does it say. The signature is over the exact bytes that came, so nothing may
have parsed them before. Every key is compared with every signature, in constant time."""

from __future__ import annotations

import hmac
import json
import re
import time
from base64 import b64decode
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Literal, NoReturn

from ._errors import NotVerified
from ._events import Event, UnknownEvent
from ._generated import EVENTS, HEADERS
from ._money import amounts_as_text

_RAW = "Take it before anything parses it: request.get_data() in Flask, request.body in Django, await request.body() in FastAPI."


def _fail(code: str, message: str) -> NoReturn:
    raise NotVerified(code, message)


def _bytes(body: Any) -> bytes:
    if isinstance(body, str) and re.match(r"\{'", body):
        _fail("BODY_PARSED", f"The body is the text of a dict: a parsed body made to text. {_RAW}")
    if isinstance(body, str):
        body = body.encode()
    if body is not None and not isinstance(body, (bytes, bytearray, memoryview)):
        _fail(
            "BODY_PARSED",
            f"The body was parsed already (of type {type(body).__name__}). The signature is over the exact bytes that came, which cannot "
            f"be made again from what was parsed. {_RAW}",
        )
    return bytes(body or b"") or _fail("BODY_MISSING", f"The body is empty: something may have read the stream already. {_RAW}")


def _headers(given: Any) -> dict[str, str]:
    """By name in lower case; an environment of WSGI is taken too, where `webhook-id` is `HTTP_WEBHOOK_ID`."""
    if not hasattr(given, "items"):
        _fail("HEADERS_MISSING", "Pass the headers of the request, as a mapping.")
    found: dict[str, str] = {}
    for name, value in given.items():
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, (list, tuple)) or not all(isinstance(one, str) for one in [name, *values]):
            continue
        name = name.lower().replace("_", "-").removeprefix("http-")
        found[name] = " ".join([found[name], *values] if name in found else values)
    return found


def _keys(keys: Any) -> list[bytes]:
    found = [key for key in ([keys] if isinstance(keys, str) else list(keys or [])) if key]
    if not found:
        _fail("KEY_MISSING", "Pass your secret key, or while you rotate it both: [current, next].")
    return [key.encode() for key in found]


def _must(headers: Mapping[str, str], name: str) -> str:
    return headers.get(name) or _fail(
        "HEADER_MISSING", f"The header {name} is missing: pass all headers of the request, as they came."
    )


def _check_signed(algorithm: str, keys: Sequence[bytes], signatures: Sequence[bytes], content: bytes) -> None:
    """Looks at all of them, whatever it finds."""
    digests = [hmac.digest(key, content, algorithm) for key in keys]
    if any([hmac.compare_digest(digest, signature) for digest in digests for signature in signatures]):
        return
    hint = (
        "A key has a space or a newline around it."
        if any(key != key.strip() for key in keys)
        else "Either the body is not the exact bytes that came (written again as JSON, another encoding, a newline added), or the key is "
        "of another merchant or environment, or somebody else sent this."
    )
    which = "this key" if len(keys) == 1 else f"one of these {len(keys)} keys"
    _fail("SIGNATURE_WRONG", f"No signature was made over this body with {which}. {hint}")


def _check_webhook(body: bytes, headers: Mapping[str, str], keys: Sequence[bytes], tolerance: int, now: int | None) -> None:
    identity, timestamp = _must(headers, HEADERS["id"]), _must(headers, HEADERS["timestamp"])
    given = _must(headers, HEADERS["signature"])
    signatures = [b64decode(text) for text in re.findall(r"(?:^|(?<=\s))v1,([A-Za-z0-9+/]{43}=)(?=\s|$)", given)]
    if not signatures:
        _fail("SIGNATURE_FORM", f'{HEADERS["signature"]} has no signature of the form "v1," and the base64 of 32 bytes.')
    _check_signed("sha256", keys, signatures, f"{identity}.{timestamp}.".encode() + body)
    # Signed, so the time is the gateway's own.
    if re.fullmatch(r"[0-9]+", timestamp) is None:
        _fail("TIMESTAMP_FORM", f"{HEADERS['timestamp']} is not a number of seconds.")
    age = (int(time.time()) if now is None else now) - int(timestamp)
    if age > tolerance:
        _fail(
            "TOO_OLD",
            f"It was signed {age} seconds ago, more than {tolerance}: sent again by somebody else, or your clock is fast.",
        )
    if age < -tolerance:
        _fail("TOO_NEW", f"It was signed {-age} seconds in the future: your clock is slow.")


def _check_service(body: bytes, headers: Mapping[str, str], keys: Sequence[bytes]) -> None:
    given = [_must(headers, HEADERS["service"]), headers.get(HEADERS["serviceNext"], "")]
    signatures = [bytes.fromhex(text) for text in given if re.fullmatch(r"[0-9a-f]{128}", text)]
    if not signatures:
        _fail("SIGNATURE_FORM", f"{HEADERS['service']} is not lower-case hex of 64 bytes.")
    _check_signed("sha512", keys, signatures, body)


def _event(body: Any, identity: str, number: int | None, object_version: int | None, attempt: int | None) -> Event[Any]:
    kind = body.get("eventType") if isinstance(body, dict) else None
    if not isinstance(kind, str):
        _fail("BODY_UNREADABLE", "The body is not an event: it has no eventType.")
    known, amounts = EVENTS.get(kind, (UnknownEvent, ""))
    amounts_as_text(body, amounts)
    return known(identity, number, object_version, attempt, kind, body.get("eventData"), body.get("metaData"))


def _number(text: str | None) -> int | None:
    return int(text) if text and re.fullmatch(r"[0-9]{1,15}", text) else None


def verify(
    raw_body: bytes | bytearray | memoryview | str,
    headers: Mapping[str, Any],
    keys: str | Sequence[str],
    *,
    tolerance_seconds: int = 300,
    now_seconds: int | None = None,
    scheme: Literal["webhook", "service"] = "webhook",
) -> Event[Any]:
    """The event, if the gateway sent it; raises `NotVerified` with the reason. Answer 401 then, and 200 otherwise.

    `keys` is your secret key, or several while you rotate it. The scheme `service` checks `service-signature`, which has no time in it:
    an old notification sent again by somebody else passes.
    """
    body, look, known = _bytes(raw_body), _headers(headers), _keys(keys)
    if scheme == "service":
        _check_service(body, look, known)
    else:
        _check_webhook(body, look, known, tolerance_seconds, now_seconds)
    try:
        value = json.loads(body)
    except ValueError:
        _fail("BODY_UNREADABLE", "The signature is right, but the body is not JSON.")
    version, attempt = look.get(HEADERS["objectVersion"]), look.get(HEADERS["attempt"])
    number = look.get(HEADERS["number"])
    return _event(value, look.get(HEADERS["id"], ""), _number(number), _number(version), _number(attempt))


def from_log(item: Mapping[str, Any]) -> Event[Any]:
    """An item of `events.list` or `events.get` as the event it was: for catching up with what was missed."""
    return _event(deepcopy(item["body"]), item["eventId"], item["number"], item["objectVersion"], None)
