import os
import sys

from cowrie_client import Cowrie

cowrie = Cowrie(os.environ["COWRIE_URL"], os.environ["COWRIE_API_KEY"], os.environ["COWRIE_SECRET_KEY"])
order = sys.argv[1]

# #region ask
payment = cowrie.transactions.init({
    "amount": "1500.00",
    "customerName": "Ngozi Bello",
    "customerEmail": "ngozi@example.com",
    "paymentReference": order,  # your own, new for each payment
    "paymentDescription": "Two yards of adire",
    "currencyCode": "NGN",
    "contractCode": os.environ["COWRIE_CONTRACT"],
    "redirectUrl": "https://shop.example/thanks",
})
print(payment["checkoutUrl"])  # send the payer there
# #endregion
