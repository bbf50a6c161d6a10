// What the handlers in JavaScript have in common.
// #region fulfil
/** Both belong into your database: what take() does is one transaction there, with a unique key on `seen`. */
const seen = new Set()
const orders = new Map()

/** What an event says its payment stands at; null: nothing. */
function standing({ eventType, eventData }) {
  // The bank took money back, and it was debited to you: stop the order.
  if (eventType === 'REVERSED_TRANSACTION') return { credited: eventData.amountLeft, handOver: false }
  if (eventType !== 'SUCCESSFUL_TRANSACTION') return null
  // A paycode was paid out in cash: money that left your wallet.
  if (eventData.product.type === 'OFFLINE_PAYMENT_AGENT') return null
  // OVERPAID is paid too: refund the difference. PARTIALLY_PAID is not.
  const handOver = ['PAID', 'OVERPAID'].includes(eventData.paymentStatus)
  return { credited: eventData.amountPaid, handOver }
}

export function take(event) {
  if (seen.has(event.id)) return // the same event can come twice
  seen.add(event.id)
  const now = standing(event)
  if (now === null) return
  const { paymentReference } = event.eventData
  const version = event.objectVersion ?? 0
  if (version < (orders.get(paymentReference)?.version ?? 0)) return // overtaken by a newer one
  orders.set(paymentReference, { ...now, version })
  console.log(`${paymentReference} is ${now.handOver ? 'paid' : 'not paid'}, ${now.credited}`)
}
// #endregion
