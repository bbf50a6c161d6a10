import { contractCode, cowrie } from '../cowrie.ts'

// #region card
const { transactionReference } = await cowrie.transactions.init({
  amount: '3951.39', // the issuer answers the code after 39: 51, insufficient funds
  customerEmail: 'ngozi@example.com',
  paymentReference: `card-${crypto.randomUUID()}`,
  currencyCode: 'NGN',
  contractCode,
})
const charge = await cowrie.cards.charge({
  transactionReference,
  collectionChannel: 'API_NOTIFICATION',
  card: { number: '4111111111111111', expiryMonth: '10', expiryYear: '2030', cvv: '123' },
})
console.log(charge.status, charge.declineCode) // FAILED INSUFFICIENT_FUNDS
// #endregion
