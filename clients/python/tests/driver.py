"""For the tests: does what the lines of its input say, and answers each with a line. Its clock moves when the client waits, so that no
test does."""

import dataclasses
import json
import sys
import threading
import time
from typing import Any

import cowrie_client
from cowrie_client import Cowrie, CowrieError, OutcomeUnknown, UnknownEvent, kobo, naira, webhooks


class MovedClock:
    def __init__(self) -> None:
        self.moved = 0.0
        self.waits: list[float] = []

    def monotonic(self) -> float:
        return time.monotonic() + self.moved

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.moved += seconds


clock = MovedClock()
client: Any = None
unknown: OutcomeUnknown | None = None
NAMES = {"idempotencyKey": "idempotency_key", "tryTimeout": "try_timeout", "allowHttp": "allow_http"}


def snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def method(operation: str) -> Any:
    group, name = operation.split(".")
    return getattr(getattr(client, snake(group)), snake(name))


def options(given: dict[str, Any]) -> dict[str, Any]:
    return {NAMES.get(name, name): value for name, value in given.items()}


def call(line: dict[str, Any]) -> Any:
    return method(line["operation"])(line.get("input"), **options(line.get("options", {})))


def event(found: cowrie_client.Event[Any]) -> dict[str, Any]:
    kind = "UNKNOWN" if isinstance(found, UnknownEvent) else type(found).__name__
    return {"kind": kind, "eventData": found.event_data, "id": found.id, "eventType": found.event_type, "number": found.number}


def at_once(line: dict[str, Any]) -> Any:
    threads = [threading.Thread(target=call, args=(line,)) for _ in range(line["times"])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def act(line: dict[str, Any]) -> Any:
    global client
    match line["do"]:
        case "open":
            clock.moved, clock.waits = 0.0, []
            client = Cowrie(**{snake(name): value for name, value in line["options"].items()}, clock=clock)
        case "methods":
            groups = {name: group for name, group in vars(client).items() if not name.startswith("_")}
            return [f"{name}.{one}" for name, group in groups.items() for one in vars(type(group)) if not one.startswith("_")]
        case "kinds":
            return [name for name in line["names"] if hasattr(cowrie_client, name)]
        case "call":
            return call(line)
        case "items":
            return [item for _, item in zip(range(line.get("most", 99)), call(line))]
        case "page":
            return call(line).page()
        case "ask":
            return unknown.ask() if unknown else "nothing is unknown"
        case "repeat":
            return unknown.repeat() if unknown else "nothing is unknown"
        case "at once":
            return at_once(line)
        case "pass":
            clock.moved += line["seconds"]
        case "waits":
            return clock.waits
        case "verify":
            body = line["body"].encode() if line.get("bytes") else line["body"]
            how = {snake(name): value for name, value in line.get("options", {}).items()}
            return event(webhooks.verify(body, line["headers"], line["keys"], **how))
        case "log":
            return event(webhooks.from_log(line["item"]))
        case "kobo":
            return kobo(line["value"])
        case "naira":
            return naira(line["value"])
        case "show":
            return repr(client) + str(vars(client).keys())
        case _:
            raise ValueError(line["do"])


def shown(error: CowrieError) -> dict[str, Any]:
    names = ["code", "status", "sentence", "hint", "field", "faults", "doc_url", "request_id", "retry_after", "response_code"]
    names += ["operation", "idempotency_key", "reference"]
    said = {name: getattr(error, name, None) for name in names}
    said["faults"] = [dataclasses.asdict(fault) for fault in said["faults"] or []]
    camel = {"doc_url": "docUrl", "request_id": "requestId", "retry_after": "retryAfter", "response_code": "responseCode"}
    camel["idempotency_key"] = "idempotencyKey"
    return {"class": type(error).__name__, "message": str(error), **{camel.get(name, name): said[name] for name in names}}


for text in sys.stdin:
    try:
        answer = {"ok": act(json.loads(text))}
    except CowrieError as error:
        if isinstance(error, OutcomeUnknown):
            unknown = error
        answer = {"error": shown(error)}
    print(json.dumps(answer), flush=True)
