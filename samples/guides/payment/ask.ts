import { contractCode, cowrie } from '../cowrie.ts'

const order = process.argv[2] ?? 'order-1029'

// #region ask
const { checkoutUrl } = await cowrie.transactions.init({
  amount: '1500.00',
  customerName: 'Ngozi Bello',
  customerEmail: 'ngozi@example.com',
  paymentReference: order, // your own, new for each payment
  paymentDescription: 'Two yards of adire',
  currencyCode: 'NGN',
  contractCode,
  redirectUrl: 'https://shop.example/thanks',
})
console.log(checkoutUrl) // send the payer there
// #endregion
