#!/usr/bin/env bash
set -euo pipefail
field() { sed -E "s/.*\"$1\":\"([^\"]*)\".*/\1/"; }
TOKEN=$(curl -s -X POST -u "$COWRIE_API_KEY:$COWRIE_SECRET_KEY" "$COWRIE_URL/api/v1/auth/login" | field accessToken)
ORDER="$1"

# #region curl
for _ in first again; do
  curl -s -D - -o /dev/null "$COWRIE_URL/api/v1/merchant/transactions/init-transaction" \
    -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -H "idempotency-key: ask-$ORDER" \
    -d '{"amount": 1500, "customerEmail": "ngozi@example.com", "paymentReference": "'"$ORDER"'",
         "currencyCode": "NGN", "contractCode": "'"$COWRIE_CONTRACT"'"}' | grep -iE '^(HTTP|idempotent)'
done
# #endregion
