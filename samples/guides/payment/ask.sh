#!/usr/bin/env bash
set -euo pipefail
ORDER="$1"

# #region login
# Reads one text field of an answer.
field() { sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/"; }

TOKEN=$(curl -s -X POST -u "$COWRIE_API_KEY:$COWRIE_SECRET_KEY" "$COWRIE_URL/api/v1/auth/login" | field accessToken)
# #endregion

# #region ask
PAYMENT=$(curl -s "$COWRIE_URL/api/v1/merchant/transactions/init-transaction" \
  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \
  -d '{"amount": 1500, "customerName": "Ngozi Bello", "customerEmail": "ngozi@example.com",
       "paymentReference": "'"$ORDER"'", "paymentDescription": "Two yards of adire",
       "currencyCode": "NGN", "contractCode": "'"$COWRIE_CONTRACT"'",
       "redirectUrl": "https://shop.example/thanks"}')
echo "$PAYMENT" | field checkoutUrl # send the payer there
# #endregion

# #region pay
REFERENCE=$(echo "$PAYMENT" | field transactionReference)
ACCOUNT=$(curl -s "$COWRIE_URL/api/v1/merchant/bank-transfer/init-payment" \
  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \
  -d '{"transactionReference": "'"$REFERENCE"'"}' | field accountNumber)

curl -s "$COWRIE_BANK_URL/api/transfers" -H 'content-type: application/json' \
  -d '{"bankCode": "50515", "accountNumber": "'"$ACCOUNT"'", "amount": 1500}'
# #endregion

# #region status
curl -s -G "$COWRIE_URL/api/v2/merchant/transactions/query" \
  -H "authorization: Bearer $TOKEN" --data-urlencode "paymentReference=$ORDER" | field paymentStatus
# #endregion
