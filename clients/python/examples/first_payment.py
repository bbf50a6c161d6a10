import os

from cowrie_client import Cowrie

cowrie = Cowrie(os.environ["COWRIE_URL"], os.environ["COWRIE_API_KEY"], os.environ["COWRIE_SECRET_KEY"])

payment = cowrie.transactions.init({
    "amount": "1500.00",
    "customerEmail": "ngozi@example.com",
    "paymentReference": "order-1029",
    "currencyCode": "NGN",
    "contractCode": os.environ["COWRIE_CONTRACT"],
})
print(payment["checkoutUrl"])
