// What the handlers have in common: an event is done once, and an older one changes nothing.
// #region fulfil
/** Keep both in your database, and write to them in the transaction that hands the goods over. */
const seen = new Set()
const paid = new Map()

export function take(event) {
  if (seen.has(event.id)) return // the same event can come twice
  seen.add(event.id)
  if (event.eventType !== 'SUCCESSFUL_TRANSACTION') return
  const { paymentReference, paymentStatus, amountPaid } = event.eventData
  if (paymentStatus !== 'PAID') return // too little, or too much: a person looks at it
  paid.set(paymentReference, amountPaid)
  console.log(`${paymentReference} is paid, ${amountPaid}`)
}
// #endregion
