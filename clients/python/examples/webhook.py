"""As an application of WSGI; with Flask, `raw_body` is `request.get_data()` and `headers` is `request.headers`."""

import logging
import os
from wsgiref.simple_server import make_server


def fulfil(order: str, amount: str) -> None:
    print(f"{order} is paid, {amount}", flush=True)


from cowrie import NotVerified, SuccessfulTransaction, webhooks


def receive(raw_body, headers):
    try:
        event = webhooks.verify(raw_body, headers, [os.environ["COWRIE_SECRET_KEY"]])
    except NotVerified as error:
        logging.warning("%s", error)
        return 401
    if isinstance(event, SuccessfulTransaction):
        fulfil(event.event_data["paymentReference"], event.event_data["amountPaid"])
    return 200


def application(environ, start_response):
    status = receive(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])), environ)
    start_response(f"{status} {'OK' if status == 200 else 'Unauthorized'}", [])
    return [b""]


if __name__ == "__main__":
    make_server("127.0.0.1", int(os.environ["PORT"]), application).serve_forever()
