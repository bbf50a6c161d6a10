#!/usr/bin/env bash
set -euo pipefail
field() { sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/"; }
TOKEN=$(curl -s -X POST -u "$COWRIE_API_KEY:$COWRIE_SECRET_KEY" "$COWRIE_URL/api/v1/auth/login" | field accessToken)

# #region curl
curl -s "$COWRIE_URL/api/v1/merchant/transactions/init-transaction" \
  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \
  -d '{"amount": 1500, "customerEmail": "ngozi@example.com", "paymentRef": "order-1031",
       "currencyCode": "NGN", "contractCode": "'"$COWRIE_CONTRACT"'"}'
# #endregion
