"""The client: a method for each operation of the contract (`_generated.py`), all with the same care."""

from __future__ import annotations

import json
import re
import uuid
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import quote, urlencode, urlsplit

from ._call import Call, Clock, Connection, Ended, Limits, SystemClock, run
from ._errors import CowrieError, NotFound, OutcomeUnknown
from ._generated import LOG_IN, ROUTES, Operations
from ._http import Request, Transport, send
from ._money import amounts_as_text, refuse_numbers
from ._route import Fields, Items, Options, Route
from ._session import LogIn
from ._version import VERSION


def _base(url: str, allow_http: bool) -> str:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if host is None or parts.scheme not in ("https", "http"):
        raise CowrieError("BASE_URL_INVALID", f"{url!r} is not the address of a gateway.")
    here = host in ("localhost", "::1") or host.startswith("127.")
    if parts.scheme != "https" and not here and not allow_http:
        raise CowrieError(
            "BASE_URL_INVALID",
            f"{parts.scheme}://{host} is not encrypted, and the secret key would be sent to it. Use https, or allow_http for a gateway "
            "in your own network.",
        )
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}{'' if port is None else f':{port}'}{parts.path.rstrip('/')}"


def _segment(operation: str, fields: dict[str, Any], name: str) -> str:
    value = fields.pop(name, None)
    # `.` and `..` would name another route once the address is put together.
    if not isinstance(value, (str, int)) or str(value) in ("", ".", ".."):
        raise CowrieError("INPUT_MISSING", f"{operation} needs {name}; it was given {value!r}.")
    return quote(str(value), safe="")


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _addressed(operation: str, route: Route, given: Fields | Items) -> tuple[str, bytes | None]:
    """The names of the path are taken from the input; what is left is the query, or the body."""
    if not isinstance(given, Mapping):
        refuse_numbers(given, route.takes)
        return route.path, json.dumps(list(given)).encode()
    fields = dict(given)
    refuse_numbers(fields, route.takes)
    path = re.sub(r"\{(\w+)\}", lambda match: _segment(operation, fields, match[1]), route.path)
    if route.body:
        return path, json.dumps(fields.get("items", []) if route.items else fields).encode()
    query = urlencode({name: _text(value) for name, value in fields.items() if value is not None})
    return path + (f"?{query}" if query else ""), None


def _key(options: Options) -> str:
    key = options.get("idempotency_key") or str(uuid.uuid4())
    if re.fullmatch(r"[\x20-\x7e]{1,255}", key) is None:
        raise CowrieError("INPUT_INVALID", "An idempotency key is at most 255 printable characters of ASCII.")
    return key


class Cowrie(Operations):
    """Log-in happens once for all calls and threads. Times are in seconds."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        secret_key: str,
        *,
        deadline: float = 60.0,
        try_timeout: float = 20.0,
        retries: int = 3,
        allow_http: bool = False,
        transport: Transport = send,
        clock: Clock | None = None,
    ) -> None:
        """`deadline` is for a whole call with log-in, every try and the waits between, `try_timeout` for one try. `allow_http` sends keys
        over the network in clear: for a gateway in your own network only. This machine needs no permission."""
        super().__init__(self._invoke)
        if not api_key or not secret_key:
            raise CowrieError("KEYS_MISSING", "The client needs api_key and secret_key.")
        self._base = _base(base_url, allow_http)
        self._basic = "Basic " + b64encode(f"{api_key}:{secret_key}".encode()).decode()
        self._limits = Limits(deadline, try_timeout, retries)
        self._connection = Connection(transport, clock or SystemClock())
        self._headers = {"accept": "application/json", "user-agent": f"cowrie-python/{VERSION}"}
        log_in = Request("POST", self._base + LOG_IN, {**self._headers, "authorization": self._basic}, None)
        self._session = LogIn(self._connection, log_in, self._limits)

    def _limits_of(self, fields: Fields | Items, options: Options) -> Limits:
        # A listing of events may be asked to wait for one: that is not the gateway being slow.
        waits = float(fields.get("wait") or 0) if isinstance(fields, Mapping) else 0.0
        return Limits(
            options.get("deadline", self._limits.deadline) + waits,
            options.get("try_timeout", self._limits.try_timeout) + waits,
            options.get("retries", self._limits.retries),
        )

    def _call_of(self, operation: str, route: Route, fields: Fields | Items, options: Options, key: str) -> Call:
        path, body = _addressed(operation, route, fields)
        headers = dict(self._headers)
        if body is not None:
            headers["content-type"] = "application/json"
        if route.method == "POST" or route.keyed:
            headers["idempotency-key"] = key
        if route.auth == "basic":
            headers["authorization"] = self._basic
        return Call(
            Request(route.method, self._base + path, headers, body),
            self._limits_of(fields, options),
            safe=route.method == "GET" or route.keyed,
            file=route.file,
            session=self._session if route.auth == "bearer" else None,
        )

    def _invoke(self, operation: str, fields: Fields | Items, options: Options) -> Any:
        route, key = ROUTES[operation], _key(options)
        call = self._call_of(operation, route, fields, options, key)

        def done() -> Any:
            try:
                answer = run(self._connection, call)
            except Ended as ended:
                if route.outcome is None or not ended.maybe_done:
                    raise ended.error from ended.error.__cause__
                reference = str(cast(Fields, fields).get(route.outcome.source))
                ask = {route.outcome.by: reference}
                raise OutcomeUnknown(
                    operation, key, reference, ended.error, lambda: self._asked(route, ask), done
                ) from ended.error
            amounts_as_text(answer, route.amounts)
            return answer

        return done()

    def _asked(self, route: Route, by: Fields) -> Any:
        try:
            return self._invoke(route.outcome.ask if route.outcome else "", by, {})
        except NotFound:
            return None
