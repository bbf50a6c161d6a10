import os
import sys

from cowrie_client import Cowrie, OutcomeUnknown, Refused

cowrie = Cowrie(os.environ["COWRIE_URL"], os.environ["COWRIE_API_KEY"], os.environ["COWRIE_SECRET_KEY"])
to = {"bankCode": "058", "accountNumber": "0123456789"}
payout = {
    "amount": sys.argv[2],
    "reference": sys.argv[1],
    "narration": "Supplier",
    "sourceAccountNumber": os.environ["COWRIE_WALLET"],
    "destinationBankCode": to["bankCode"],
    "destinationAccountNumber": to["accountNumber"],
    "destinationAccountName": cowrie.transfers.validate_account(to)["accountName"],
}

try:
    transfer = cowrie.transfers.initiate(payout)
except OutcomeUnknown as unknown:
    transfer = unknown.ask() or unknown.repeat()
except Refused as refused:
    sys.exit(f"{refused.sentence} ({refused.code}, request {refused.request_id}): {refused.doc_url}")
print(f"{transfer['reference']}: {transfer['amount']}")
