"""A shop: checkout, webhook, refund, payout, and a stored card that is charged again. Keep `orders` and `seen` in your database, and
everything but the webhook behind your own log-in. PORT=3000 PYTHONPATH=clients/python python3 samples/shop.py"""
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import environ
from threading import Lock
from cowrie_client import Cowrie, NotVerified, OutcomeUnknown, ReversedTransaction, SuccessfulTransaction, kobo, naira, webhooks

API_KEY, SECRET_KEY = environ["COWRIE_API_KEY"], environ["COWRIE_SECRET_KEY"]
COMMON = {"currencyCode": "NGN", "contractCode": environ["CONTRACT"], "paymentDescription": "Two yards of adire"}
cowrie = Cowrie(environ["COWRIE_URL"], API_KEY, SECRET_KEY)
orders, seen, one_at_a_time = {}, set(), Lock()

def checkout(order, amount, name, email):
    """The address where the customer pays. Coming back from there proves nothing: the webhook does."""
    who = {"customerName": name, "customerEmail": email}
    return cowrie.transactions.init({**COMMON, **who, "amount": amount, "paymentReference": order})["checkoutUrl"]

def webhook(raw, headers):
    event = webhooks.verify(raw, headers, SECRET_KEY)
    with one_at_a_time:
        if event.id not in seen and isinstance(event, (SuccessfulTransaction, ReversedTransaction)):
            take(event, event.event_data, event.object_version or 0)
        seen.add(event.id)

def take(event, data, version):
    """Amounts are those of the whole payment, and an older event can come late."""
    if data["product"]["type"] == "OFFLINE_PAYMENT_AGENT" or version < orders.get(data["paymentReference"], {}).get("version", 0):
        return  # a paycode, paid out in cash: money that left; or overtaken by a newer event
    undone = isinstance(event, ReversedTransaction)
    sold = not undone and data["paymentStatus"] in ("PAID", "OVERPAID")  # too much is paid too: refund the rest
    paid = data["amountLeft"] if undone else data["amountPaid"]
    order = {"transaction": data["transactionReference"], "email": data["customer"]["email"], "paid": paid}
    orders[data["paymentReference"]] = {**order, "sold": sold, "version": version}

def refund_half(order, reference):
    half = naira(kobo(orders[order]["paid"]) // 2)
    texts = {"refundReason": "One yard too short", "customerNote": "Adire, refund", "refundReference": reference}
    return cowrie.refunds.initiate({"transactionReference": orders[order]["transaction"], "refundAmount": half, **texts})

def pay_out(reference, amount, bank, account):
    name = cowrie.transfers.validate_account({"bankCode": bank, "accountNumber": account})["accountName"]
    to = {"destinationBankCode": bank, "destinationAccountNumber": account, "destinationAccountName": name}
    what = {"sourceAccountNumber": environ["WALLET"], "narration": "Supplier", "amount": amount, "reference": reference}
    try:
        return cowrie.transfers.initiate({**what, **to})
    except OutcomeUnknown as unknown:
        return unknown.repeat()  # under the same key: it is sent once

def charge_again(order, reference, amount):
    old = cowrie.transactions.get({"transactionReference": orders[order]["transaction"]})
    who = {"customerName": old["customer"]["name"], "customerEmail": orders[order]["email"], "apiKey": API_KEY}
    card = {"cardToken": old["cardDetails"]["cardToken"], "amount": amount, "paymentReference": reference}
    return cowrie.cards.charge_token({**COMMON, **who, **card})

class Shop(BaseHTTPRequestHandler):
    def do_POST(self):
        raw = self.rfile.read(int(self.headers["content-length"]))
        acts = {"/checkout": checkout, "/refund": refund_half, "/payout": pay_out, "/charge": charge_again, "/orders": lambda: orders}
        try:
            answer = webhook(raw, self.headers) if self.path == "/webhook" else acts[self.path](**json.loads(raw))
            self.send_response(200)
        except NotVerified as error:
            answer = str(error)
            self.send_response(401)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

ThreadingHTTPServer(("127.0.0.1", int(environ["PORT"])), Shop).serve_forever()
