"""Everything that can go wrong, as classes. `except` asks what kind it is, `code` says what exactly.

CowrieError
    Refused            the gateway refused: InvalidRequest, NotAuthenticated, NotAllowed, NotFound, Conflict, RateLimited, GatewayFault
    NoAnswer           no connection, a lost one, or no answer in time
    UnreadableAnswer   something answered that is not the gateway
    OutcomeUnknown     one of the two above, for a call that moves money: it may have moved
    NotVerified        a notification that is not to be believed
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


class CowrieError(Exception):
    status: int | None = None
    """Of the answer; None when there was none."""
    doc_url: str | None = None
    request_id: str | None = None
    """Quote it to support."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Fault:
    field: str
    code: str
    message: str


@dataclass(frozen=True)
class Refusal:
    status: int
    code: str
    sentence: str
    response_code: str
    hint: str | None
    field: str | None
    doc_url: str | None
    request_id: str | None
    faults: Sequence[Fault]
    retry_after: float | None


class Refused(CowrieError):
    """The gateway answered, and refused."""

    status: int

    def __init__(self, refusal: Refusal) -> None:
        request = "" if refusal.request_id is None else f", request {refusal.request_id}"
        hint = "" if refusal.hint is None else f" {refusal.hint}"
        super().__init__(refusal.code, f"{refusal.sentence.removesuffix('.')} ({refusal.code}{request}).{hint}")
        self.status = refusal.status
        self.sentence = refusal.sentence
        self.response_code = refusal.response_code
        self.hint = refusal.hint
        self.field = refusal.field
        self.faults = refusal.faults
        self.doc_url = refusal.doc_url
        self.request_id = refusal.request_id
        self.retry_after = refusal.retry_after


class InvalidRequest(Refused):
    """400, 422: change the request."""


class NotAuthenticated(Refused):
    """401: wrong keys. An expired token is renewed by the client and does not show."""


class NotAllowed(Refused):
    """403: this key, this network address or this merchant may not."""


class NotFound(Refused):
    """404."""


class Conflict(Refused):
    """409."""


class RateLimited(Refused):
    """429, after every retry."""


class GatewayFault(Refused):
    """5xx, after every retry."""


_BY_STATUS: dict[int, type[Refused]] = {
    401: NotAuthenticated,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    429: RateLimited,
}


def refused(refusal: Refusal) -> Refused:
    fallback = GatewayFault if refusal.status >= 500 else InvalidRequest
    return _BY_STATUS.get(refusal.status, fallback)(refusal)


class NoAnswer(CowrieError):
    """`NO_CONNECTION`: the request was never sent. `CONNECTION_LOST`, `TIMED_OUT`, `DEADLINE`: it may have arrived."""


class UnreadableAnswer(CowrieError):
    """A page of a proxy, a redirect, half an answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__("UNREADABLE_ANSWER", message)
        self.status = status


class OutcomeUnknown(CowrieError):
    """A call that moves money, and no answer to it. The money may have moved. Do not start a new one: ask, or repeat this one."""

    def __init__(
        self,
        operation: str,
        idempotency_key: str,
        reference: str,
        last: CowrieError,
        ask: Callable[[], Any],
        repeat: Callable[[], Any],
    ) -> None:
        super().__init__(
            "OUTCOME_UNKNOWN",
            f"The outcome of {operation} {reference} is not known: {last} It may have been done. Ask with ask(), or make sure of it "
            "with repeat(); a new call with another key could do it twice.",
        )
        self.status, self.doc_url, self.request_id = last.status, last.doc_url, last.request_id
        self.operation = operation
        self.idempotency_key = idempotency_key
        """Keep it with your record, to repeat the call later from another process."""
        self.reference = reference
        self._ask, self._repeat = ask, repeat

    def ask(self) -> Any:
        """Asks the gateway what became of it; moves nothing. None: the gateway does not know it, so far."""
        return self._ask()

    def repeat(self) -> Any:
        """Sends the same request under the same key: the gateway does it once, and answers as it did or would have done."""
        return self._repeat()


class NotVerified(CowrieError):
    """A notification that is not to be believed; `code` says why, the message how to fix it."""
