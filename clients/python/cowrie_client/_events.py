"""What every notification has; its kinds are generated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Data = TypeVar("Data", covariant=True)


@dataclass(frozen=True)
class Event(Generic[Data]):
    id: str
    """The same on every attempt: keep it, and process an event once."""
    number: int | None
    """Where it stands in your log: 1, 2, 3 … without gaps. None where it is not said; this and the two below are not signed."""
    object_version: int | None
    """Increases with every change of the object: ignore an event with a lower one than you have seen."""
    attempt: int | None
    event_type: str
    event_data: Data
    meta_data: Any


class UnknownEvent(Event[Any]):
    """Of a kind that this version does not know: `event_type` has its name. Answer 200 and leave it, or read `event_data` yourself."""
