"""What the generated part and the rest share: how a route is described, what every call takes, and how lists are gone through."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

Fields = Mapping[str, Any]
Items = Sequence[Mapping[str, Any]]


class Options(TypedDict, total=False):
    """Of one call; times are in seconds."""

    idempotency_key: str
    """Your own key. A repeat with the same key within 30 days gets the first answer."""
    deadline: float
    """For the whole call: log-in, every try, and the waits between them."""
    try_timeout: float
    """For one try."""
    retries: int
    """Tries after the first; only what is safe to repeat is repeated."""


@dataclass(frozen=True)
class Outcome:
    """Which operation tells what became of money, by which field, and which field of the input has its value."""

    ask: str
    by: str
    source: str


@dataclass(frozen=True)
class Route:
    method: str
    path: str
    auth: str = "bearer"
    keyed: bool = False
    """The gateway does it once under its Idempotency-Key, so it may be repeated."""
    body: bool = False
    items: bool = False
    """The body is a list, and the input has it as `items`."""
    file: bool = False
    outcome: Outcome | None = None
    takes: str = ""
    """Where the input has amounts: `amount transactionList.amount`."""
    amounts: str = ""
    """Where the answer has amounts as numbers."""


Ask = Callable[[str, "Fields | Items", Options], Any]


class Group:
    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def _call(self, operation: str, fields: Fields | Items | None, options: Options) -> Any:
        return self._ask(operation, {} if fields is None else fields, options)

    def _pages(self, operation: str, by: str, fields: Fields | None, options: Options) -> Listing:
        return Listing(by, fields or {}, lambda asked: self._ask(operation, asked, options))


class Listing:
    """`for item in listing` goes through the items of all pages, each asked for when it is needed; `page()` gives one page."""

    def __init__(self, by: str, fields: Fields, ask: Callable[[Fields], Any]) -> None:
        self._by, self._fields, self._ask_page = by, fields, ask

    def page(self) -> dict[str, Any]:
        page: dict[str, Any] = self._ask_page(self._fields)
        return page

    def __iter__(self) -> Iterator[Any]:
        asked: Fields = self._fields
        while True:
            page = self._ask_page(asked)
            yield from page.get("content") or page.get("events") or []
            after = self._next(asked, page)
            if after is None:
                return
            asked = {**asked, self._by: after}

    def _next(self, asked: Fields, page: Fields) -> Any:
        if self._by == "after":
            events = page.get("events") or []
            return events[-1]["number"] if events else None
        if self._by == "before":
            return page.get("next")
        ended = page.get("last") is True or ("nextPage" in page and page["nextPage"] is None)
        return None if ended or not page.get("content") else int(asked.get(self._by) or 0) + 1
