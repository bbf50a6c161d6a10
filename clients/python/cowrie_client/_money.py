"""Amounts are decimal text in naira, in and out. Whoever calculates takes kobo, whole hundredths, as an int: a float loses kobo."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from typing import Any

from ._errors import CowrieError

_DECIMAL = re.compile(r"(-?)([0-9]{1,13})(?:\.([0-9]{1,2}))?")


def kobo(amount: str) -> int:
    """`kobo("1500.50")` is `150050`. Raises for anything that is not an amount: `1,500`, `20.001`, a number."""
    match = _DECIMAL.fullmatch(amount) if isinstance(amount, str) else None
    if match is None:
        hint = "Use digits, and at most two decimals after a point."
        if not isinstance(amount, str):
            hint = f"It is of type {type(amount).__name__}; use text."
        raise CowrieError("AMOUNT_NOT_DECIMAL", f"{amount!r} is not an amount such as '1500.00'. {hint}")
    sign, whole, cents = match.groups()
    value = int(whole) * 100 + int((cents or "").ljust(2, "0"))
    return -value if sign else value


def naira(amount: int) -> str:
    """`naira(150050)` is `"1500.50"`: kobo as the text that the gateway takes."""
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise CowrieError("KOBO_NOT_INT", f"{amount!r} is not a whole number of kobo, such as 150050.")
    digits = str(abs(amount)).rjust(3, "0")
    return f"{'-' if amount < 0 else ''}{digits[:-2]}.{digits[-2:]}"


def _at(value: Any, path: list[str], change: Callable[[MutableMapping[str, Any], str], None]) -> None:
    if isinstance(value, (list, tuple)):
        for item in value:
            _at(item, path, change)
    elif isinstance(value, MutableMapping) and path[0] in value:
        if len(path) > 1:
            _at(value[path[0]], path[1:], change)
        else:
            change(value, path[0])


def _as_text(fields: MutableMapping[str, Any], name: str) -> None:
    # Exact: amounts stay below ten trillion naira, where a double still tells kobo apart.
    if isinstance(fields[name], (int, float)) and not isinstance(fields[name], bool):
        fields[name] = f"{fields[name]:.2f}"


def amounts_as_text(value: Any, paths: str) -> None:
    """Amounts of an answer that came as numbers become text, in place. `paths`: `content.amount content.fee`."""
    for path in paths.split():
        _at(value, path.split("."), _as_text)


def _must_be_text(fields: MutableMapping[str, Any], name: str) -> None:
    value = fields[name]
    if value is not None and not isinstance(value, str):
        raise CowrieError(
            "AMOUNT_NOT_DECIMAL",
            f"{name} is {value!r}, of type {type(value).__name__}. Amounts are decimal text in naira, such as '1500.00'; "
            "kobo become that with naira().",
        )


def refuse_numbers(value: Any, paths: str) -> None:
    """A number of kobo would be read as naira, a hundred times as much; a float loses kobo."""
    for path in paths.split():
        _at(value, path.split("."), _must_be_text)
