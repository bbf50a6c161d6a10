import os

# #region flask
from flask import Flask, request

from cowrie import NotVerified, SuccessfulTransaction, webhooks

app = Flask(__name__)
seen = set()  # in a shop: a table with a unique key


@app.post("/hook")
def hook():
    try:
        event = webhooks.verify(request.get_data(), request.headers, [os.environ["COWRIE_SECRET_KEY"]])
    except NotVerified as error:
        app.logger.warning("%s", error)
        return "", 401
    if event.id not in seen:  # the same event can come twice
        seen.add(event.id)
        if isinstance(event, SuccessfulTransaction) and event.event_data["paymentStatus"] == "PAID":
            print(f"{event.event_data['paymentReference']} is paid, {event.event_data['amountPaid']}", flush=True)
    return "", 200
# #endregion


if __name__ == "__main__":
    app.run(port=int(os.environ["PORT"]))
