"""Logged in once, for all threads. The token is renewed some minutes before its hour ends, by one log-in however many calls wait for it;
while the old one is still good, a log-in that fails stops nobody."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass, replace

from ._call import Call, Connection, Ended, Limits, run
from ._errors import NoAnswer, UnreadableAnswer
from ._http import Request


@dataclass(frozen=True)
class _Held:
    token: str
    renew_at: float
    ends_at: float


_EARLY = 5 * 60.0
"""At least so long before its end; of a short life, the last tenth."""
_AGAIN = 15.0


class LogIn:
    def __init__(self, connection: Connection, request: Request, limits: Limits) -> None:
        self._connection = connection
        self._call = Call(request, limits, safe=True, file=False, session=None)
        self._lock = threading.Lock()
        self._held: _Held | None = None
        self._flight: Future[_Held] | None = None

    def token(self, seconds: float) -> str:
        now = self._connection.clock.monotonic()
        held = self._held
        if held is None or now >= held.ends_at:
            return self._within(seconds, held).token
        if now >= held.renew_at:
            self._shared(held)  # nobody waits for it: the old token is good for minutes
        return held.token

    def forget(self, token: str) -> None:
        with self._lock:
            if self._held is not None and self._held.token == token:
                self._held = None

    def _within(self, seconds: float, seen: _Held | None) -> _Held:
        """The log-in belongs to all who wait: one that is in a hurry leaves, and does not end it."""
        try:
            return self._shared(seen).result(timeout=seconds)
        except TimeoutError:
            raise NoAnswer("TIMED_OUT", "The log-in took too long; nothing was sent.") from None
        except Ended as ended:
            raise ended.error from ended

    def _shared(self, seen: _Held | None) -> Future[_Held]:
        flight: Future[_Held] = Future()
        with self._lock:
            if self._flight is not None:
                return self._flight
            if self._held is not None and self._held is not seen:  # another thread was faster
                flight.set_result(self._held)
                return flight
            self._flight = flight
        threading.Thread(target=self._fly, args=(flight, seen), daemon=True).start()
        return flight

    def _fly(self, flight: Future[_Held], old: _Held | None) -> None:
        try:
            held = self._renew()
        except BaseException as error:
            again = self._connection.clock.monotonic() + _AGAIN
            with self._lock:
                self._flight = None
                if old is not None and self._held is old:
                    self._held = replace(old, renew_at=again)
            flight.set_exception(error)
        else:
            with self._lock:
                self._flight, self._held = None, held
            flight.set_result(held)

    def _renew(self) -> _Held:
        asked_at = self._connection.clock.monotonic()
        answer = run(self._connection, self._call)
        token, life = (answer or {}).get("accessToken"), (answer or {}).get("expiresIn")
        if not isinstance(token, str) or not isinstance(life, (int, float)):
            raise Ended(UnreadableAnswer(200, "The answer to the log-in has no token."), maybe_done=False)
        return _Held(token, asked_at + life - min(_EARLY, life / 10), asked_at + life)
