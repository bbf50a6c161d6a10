"""One call: as many tries as are safe, under one deadline. What is done is done once: a repeat carries the same Idempotency-Key, and what
cannot carry one is repeated only if it was never looked at."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from ._errors import CowrieError, Fault, NoAnswer, Refusal, Refused, UnreadableAnswer, refused
from ._http import Lost, NotSent, Request, Response, TooLate, Transport


class Clock(Protocol):
    def monotonic(self) -> float: ...
    def sleep(self, seconds: float, /) -> None: ...


class SystemClock:
    monotonic = staticmethod(time.monotonic)
    sleep = staticmethod(time.sleep)


@dataclass(frozen=True)
class Connection:
    transport: Transport
    clock: Clock


@dataclass(frozen=True)
class Limits:
    deadline: float
    try_timeout: float
    retries: int


class Session(Protocol):
    def token(self, seconds: float) -> str: ...
    def forget(self, token: str) -> None: ...


@dataclass(frozen=True)
class Call:
    request: Request
    limits: Limits
    safe: bool
    """The gateway does it once however often it is asked."""
    file: bool
    session: Session | None
    """None: the request carries what it needs."""


class Failed(Exception):
    """A try that failed."""

    def __init__(
        self,
        error: CowrieError,
        again: Literal["never", "always", "if safe"],
        maybe_done: bool,
        settled: bool = False,
    ) -> None:
        super().__init__(str(error))
        self.error = error
        self.again = again
        """Whether another try may help: never, always (nothing was done), or where a repeat is safe."""
        self.maybe_done = maybe_done
        self.settled = settled
        """It is the gateway's answer to this very request, whatever became of earlier tries of it."""


class Ended(Exception):
    """A call that ended without an answer."""

    def __init__(self, error: CowrieError, maybe_done: bool) -> None:
        super().__init__(str(error))
        self.error, self.maybe_done = error, maybe_done


# ---- one try

_AT_THE_DOOR = {401, 403, 408, 429}
"""Refused before the gateway looked at what was asked."""
_MAYBE_DONE = {"INTERNAL", "UNAVAILABLE", "IDEMPOTENCY_IN_FLIGHT"}
"""Of these the gateway itself says that the outcome is not known."""


def _origin(request: Request) -> str:
    return "/".join(request.url.split("/")[:3])


def _sent(transport: Transport, request: Request, seconds: float) -> Response:
    origin = _origin(request)
    try:
        return transport(request, seconds)
    except NotSent as error:
        unreached = NoAnswer("NO_CONNECTION", f"{origin} cannot be reached ({error}); nothing was sent.")
        raise Failed(unreached, "always", maybe_done=False) from error
    except Lost as error:
        lost = NoAnswer("CONNECTION_LOST", f"{origin} did not answer: the connection was lost ({error}).")
        raise Failed(lost, "if safe", maybe_done=True) from error
    except TooLate as error:
        late = NoAnswer("TIMED_OUT", f"{origin} did not answer within {seconds:.3g} s.")
        raise Failed(late, "if safe", maybe_done=True) from error


def _envelope(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) and "requestSuccessful" in value else None


def _retry_after(response: Response) -> float | None:
    text = response.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() else None


def _refusal(response: Response, envelope: dict[str, Any]) -> Failed:
    problem: dict[str, Any] = envelope.get("problem") or {}
    status, code = response.status, problem.get("code", "UNKNOWN")
    error = refused(
        Refusal(
            status=status,
            code=code,
            sentence=envelope.get("responseMessage", "Refused"),
            response_code=envelope.get("responseCode", ""),
            hint=problem.get("hint"),
            field=problem.get("field"),
            doc_url=problem.get("docUrl"),
            request_id=problem.get("requestId") or response.headers.get("x-request-id"),
            faults=[Fault(one.get("field"), one.get("code"), one.get("message")) for one in envelope.get("errors") or []],
            retry_after=_retry_after(response),
        )
    )
    maybe_done = code in _MAYBE_DONE
    settled = not maybe_done and status not in _AT_THE_DOOR and status < 500
    if status in (408, 429):
        return Failed(error, "always", maybe_done, settled)
    return Failed(error, "if safe" if maybe_done or status >= 500 else "never", maybe_done, settled)


def _unreadable(request: Request, response: Response) -> Failed:
    kind = response.headers.get("content-type", "no content type")
    error = UnreadableAnswer(
        response.status,
        f"{_origin(request)} answered {response.status} ({kind}), which is not an answer of the gateway. Is the base address right, "
        "or is there a proxy in between?",
    )
    maybe_done = response.status < 300 or response.status >= 500
    return Failed(error, "if safe" if maybe_done else "never", maybe_done)


def _read(request: Request, response: Response, file: bool) -> Any:
    ok = 200 <= response.status < 300
    if ok and file:
        return response.body.decode()
    envelope = _envelope(response.body)
    if envelope is None or (envelope["requestSuccessful"] and not ok):
        raise _unreadable(request, response)
    if ok and envelope["requestSuccessful"]:
        return envelope.get("responseBody")
    raise _refusal(response, envelope)


# ---- all tries

_FIRST_WAIT, _LONGEST_WAIT = 0.25, 8.0


def _wait(error: CowrieError, tries: int) -> float:
    """Doubles each time; half of it is chance, so that many clients do not return at the same instant."""
    backoff = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** (tries - 1)) * (0.5 + random.random() / 2)
    asked = error.retry_after if isinstance(error, Refused) else None
    return max(asked or 0.0, backoff)


def _out_of_time(limits: Limits, tries: int, last: CowrieError) -> CowrieError:
    """What the gateway refused says more than that there was no time for another try."""
    if isinstance(last, Refused):
        return last
    times = "one try" if tries == 1 else f"{tries} tries"
    return NoAnswer("DEADLINE", f"No answer within the deadline of {limits.deadline:g} s, {times}. {last}")


def _with_token(call: Call, clock: Clock, seconds: float, use: Callable[[str], None]) -> tuple[Request, float]:
    """The request with a token, and the time that is left. A log-in that fails is the failure of the try."""
    if call.session is None:
        return call.request, seconds
    began = clock.monotonic()
    try:
        token = call.session.token(seconds)
    except CowrieError as error:
        raise Failed(error, "never", maybe_done=False) from error
    use(token)
    headers = {**call.request.headers, "authorization": f"Bearer {token}"}
    return replace(call.request, headers=headers), max(0.0, seconds - (clock.monotonic() - began))


def run(connection: Connection, call: Call) -> Any:
    """The answer, or `Ended`."""
    clock, limits = connection.clock, call.limits
    ends_at = clock.monotonic() + limits.deadline
    maybe_done = renewed = False
    tries = 0
    while True:
        tries += 1
        used: list[str] = []
        try:
            seconds = min(limits.try_timeout, max(0.0, ends_at - clock.monotonic()))
            request, left = _with_token(call, clock, seconds, used.append)
            return _read(request, _sent(connection.transport, request, left), call.file)
        except Failed as failed:
            error, again = failed.error, failed.again == "always" or (failed.again == "if safe" and call.safe)
            if failed.settled:
                raise Ended(error, maybe_done=False) from error
            maybe_done = maybe_done or failed.maybe_done
        stale = error.status == 401 and error.code.startswith("TOKEN_")
        if call.session is not None and used and stale and not renewed:
            renewed = True
            call.session.forget(used[0])
            continue
        wait = _wait(error, tries)
        if clock.monotonic() + (wait if again else 0) >= ends_at:
            raise Ended(_out_of_time(limits, tries, error), maybe_done) from error
        if not again or tries > limits.retries:
            raise Ended(error, maybe_done) from error
        clock.sleep(wait)
