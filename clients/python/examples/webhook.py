"""As an application of WSGI; with Flask, `raw_body` is `request.get_data()` and `headers` is `request.headers`."""

import logging
import os
import sys
from pathlib import Path
from wsgiref.simple_server import make_server

sys.path.append(str(Path(__file__).parents[3] / "samples/guides/webhooks"))

from cowrie_client import NotVerified, webhooks
from fulfil import take


def receive(raw_body, headers):
    try:
        event = webhooks.verify(raw_body, headers, [os.environ["COWRIE_SECRET_KEY"]])
    except NotVerified as error:
        logging.warning("%s", error)
        return 401
    take(event)
    return 200


def application(environ, start_response):
    status = receive(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])), environ)
    start_response(f"{status} {'OK' if status == 200 else 'Unauthorized'}", [])
    return [b""]


if __name__ == "__main__":
    make_server("127.0.0.1", int(os.environ["PORT"]), application).serve_forever()
