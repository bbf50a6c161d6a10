"""What the handlers in Python have in common."""

# #region fulfil
import os
import sqlite3
from contextlib import closing

from cowrie_client import ReversedTransaction, SuccessfulTransaction

SHOP = os.environ.get("SHOP", "shop.db")  # a file; any SQL database will do

with closing(sqlite3.connect(SHOP)) as db, db:
    db.execute("create table if not exists seen (id text primary key)")
    db.execute("create table if not exists orders (reference text primary key, version int, credited text, hand_over int)")

KEEP_THE_NEWER = """
    insert into orders (reference, version, credited, hand_over) values (?, ?, ?, ?)
    on conflict (reference) do update
    set version = excluded.version, credited = excluded.credited, hand_over = excluded.hand_over
    where excluded.version >= orders.version
"""


def standing(event):
    """What an event says its payment stands at; None: nothing."""
    data = event.event_data
    if isinstance(event, ReversedTransaction):  # the bank took money back, and it was debited to you: stop the order
        return data["amountLeft"], False
    if not isinstance(event, SuccessfulTransaction):
        return None
    if data["product"]["type"] == "OFFLINE_PAYMENT_AGENT":  # a paycode was paid out in cash: money that left your wallet
        return None
    # OVERPAID is paid too: refund the difference. PARTIALLY_PAID is not.
    return data["amountPaid"], data["paymentStatus"] in ("PAID", "OVERPAID")


def take(event):
    with closing(sqlite3.connect(SHOP)) as db, db:  # one transaction
        if db.execute("insert into seen values (?) on conflict do nothing", (event.id,)).rowcount == 0:
            return  # the same event can come twice
        now = standing(event)
        if now is None:
            return
        reference, (credited, hand_over) = event.event_data["paymentReference"], now
        row = (reference, event.object_version or 0, credited, hand_over)
        if db.execute(KEEP_THE_NEWER, row).rowcount == 0:
            return  # overtaken by a newer one
    print(f"{reference} is {'paid' if hand_over else 'not paid'}, {credited}", flush=True)
# #endregion
