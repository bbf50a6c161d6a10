"""One request over a connection of its own. Its limit is one for all of it: a server that sends a byte now and then does not stretch it."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from time import monotonic
from typing import Any
from urllib.parse import SplitResult, urlsplit


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class NotSent(Exception):
    """No connection was made, so nothing was sent."""


class Lost(Exception):
    """It may have arrived; there is no answer."""


class TooLate(Exception):
    """It may have arrived; there is no answer within the limit."""


Transport = Callable[[Request, float], Response]
"""Sends a request and gives the answer within so many seconds, or raises one of the three above."""


class _Limit:
    def __init__(self, seconds: float) -> None:
        self._ends_at = monotonic() + seconds

    def left(self) -> float:
        left = self._ends_at - monotonic()
        if left <= 0:
            raise TimeoutError("time is up")
        return left


class _Reader(io.RawIOBase):
    """Each read has what is left of the limit."""

    def __init__(self, sock: socket.socket, limit: _Limit) -> None:
        self._sock, self._limit = sock, limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._sock.settimeout(self._limit.left())
        return self._sock.recv_into(buffer)


class _Limited:
    """As much of a socket as http.client uses."""

    def __init__(self, sock: socket.socket, limit: _Limit) -> None:
        self._sock, self._limit = sock, limit

    def sendall(self, data: Any) -> None:
        self._sock.settimeout(self._limit.left())
        self._sock.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._sock, self._limit))

    def close(self) -> None:
        """http.client closes before the body was read; `send` closes at the end."""


def _connected(host: str, port: int, limit: _Limit) -> socket.socket:
    failure: OSError = OSError("no address")
    for family, kind, protocol, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(limit.left())
            sock.connect(address)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return sock
        except OSError as error:
            sock.close()
            failure = error
    raise failure


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _opened(url: SplitResult, limit: _Limit) -> socket.socket:
    host, tls = url.hostname or "", url.scheme == "https"
    sock = _connected(host, url.port or (443 if tls else 80), limit)
    if not tls:
        return sock
    try:
        sock.settimeout(limit.left())
        return _tls().wrap_socket(sock, server_hostname=host)
    except BaseException:
        sock.close()
        raise


def send(request: Request, seconds: float) -> Response:
    """The `Transport` of the standard library. A redirect is not followed: it would carry the token to wherever it leads."""
    limit, url = _Limit(seconds), urlsplit(request.url)
    try:
        sock = _opened(url, limit)
    except OSError as error:  # names, certificates and time-outs too
        raise NotSent(str(error) or type(error).__name__) from error
    try:
        connection = http.client.HTTPConnection(url.netloc)
        connection.sock = _Limited(sock, limit)
        target = url._replace(scheme="", netloc="").geturl()
        connection.request(request.method, target, body=request.body, headers=dict(request.headers))
        answer = connection.getresponse()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        return Response(answer.status, headers, answer.read())
    except TimeoutError as error:
        raise TooLate(str(error)) from error
    except (OSError, http.client.HTTPException) as error:
        raise Lost(str(error) or type(error).__name__) from error
    finally:
        sock.close()
