# #region flask
import os

from flask import Flask, request

from cowrie_client import NotVerified, webhooks
from fulfil import take

app = Flask(__name__)


@app.post("/hook")
def hook():
    try:
        event = webhooks.verify(request.get_data(), request.headers, [os.environ["COWRIE_SECRET_KEY"]])
    except NotVerified as error:
        app.logger.warning("%s", error)
        return "", 401
    take(event)
    return "", 200
# #endregion


if __name__ == "__main__":
    app.run(port=int(os.environ["PORT"]))
