import { Refused } from '@cowrie/sdk'
import { contractCode, cowrie } from '../cowrie.ts'

const order = `order-${crypto.randomUUID()}`

// #region same
const payment = {
  amount: '1500.00',
  customerEmail: 'ngozi@example.com',
  paymentReference: order,
  currencyCode: 'NGN',
  contractCode,
}
const idempotencyKey = `ask-${order}` // stored with the order, so that a process that starts again has it

const first = await cowrie.transactions.init(payment, { idempotencyKey })
const again = await cowrie.transactions.init(payment, { idempotencyKey })
console.log(first.transactionReference === again.transactionReference) // true: it was made once
// #endregion

// #region other
try {
  await cowrie.transactions.init({ ...payment, amount: '2500.00' }, { idempotencyKey })
} catch (error) {
  if (error instanceof Refused) console.log(error.status, error.code) // 422 IDEMPOTENCY_MISMATCH
}
// #endregion

// #region look
const { status } = await cowrie.idempotency.get({ key: idempotencyKey })
console.log(status) // 200: what the request was answered
// #endregion
