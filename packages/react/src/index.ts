// The npm package @cowrie/react: @cowrie/checkout is in it, React is not.
export {
  type Checkout,
  type Closed,
  type Completed,
  checkout,
  type Door,
  type End,
  type Options,
  preload,
} from '../../checkout/src/index.ts'
export { CheckoutButton, type CheckoutButtonProps } from './button.ts'
export { type Order, type Till, useCheckout } from './use-checkout.ts'
