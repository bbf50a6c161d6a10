// #region refused
import { InvalidRequest, NoAnswer, RateLimited, Refused } from '@cowrie/sdk'
import { contractCode, cowrie } from '../cowrie.ts'

try {
  await cowrie.transactions.init({
    amount: '1500.00',
    customerEmail: 'no address',
    paymentReference: 'order-1031',
    currencyCode: 'NGN',
    contractCode,
  })
} catch (error) {
  if (error instanceof InvalidRequest) {
    for (const { field, message } of error.faults) console.log(`${field}: ${message}`) // every fault at once
  } else if (error instanceof RateLimited || error instanceof NoAnswer) {
    console.log('later') // the client has tried again already, until its deadline
  } else if (error instanceof Refused) {
    console.log(error.code, error.sentence, error.docUrl, error.requestId)
  } else throw error
}
// #endregion
