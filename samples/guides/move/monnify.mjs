import { createRequire } from 'node:module'

process.env.MONNIFY_ENV = 'SANDBOX'
const { MonnifyAPI } = createRequire(import.meta.url)('monnify-nodejs-lib')

// #region monnify
const monnify = new MonnifyAPI({
  MONNIFY_APIKEY: process.env.COWRIE_API_KEY,
  MONNIFY_SECRET: process.env.COWRIE_SECRET_KEY,
})
// The one change: where it calls. The library has an address of its own in each part.
for (const part of [monnify, ...Object.values(monnify)])
  if (part !== null && typeof part === 'object' && 'getToken' in part) part.baseUrl = process.env.COWRIE_URL

const [, token] = await monnify.getToken()
const [status, body] = await monnify.transaction.initTransaction(token, {
  amount: 1500,
  customerName: 'Ngozi Bello',
  customerEmail: 'ngozi@example.com',
  paymentReference: process.argv[2],
  paymentDescription: 'Two yards of adire',
  currencyCode: 'NGN',
  contractCode: process.env.COWRIE_CONTRACT,
})
console.log(status, body.responseBody.checkoutUrl)
// #endregion
