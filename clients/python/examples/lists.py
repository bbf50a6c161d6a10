import os

from cowrie_client import Cowrie, kobo, naira

cowrie = Cowrie(os.environ["COWRIE_URL"], os.environ["COWRIE_API_KEY"], os.environ["COWRIE_SECRET_KEY"])

total = sum(kobo(transfer["amount"]) for transfer in cowrie.transfers.list({"pageSize": 50}))  # all, page by page
print(naira(total))
