import { CheckoutButton } from '@cowrie/react'

export const PayButton = () => (
  <CheckoutButton
    gateway="https://pay.example"
    order={async () => (await fetch('/orders/17/pay', { method: 'POST' })).json()}
    onEnd={({ completed }) => completed && location.assign('/orders/17')}
  >
    Pay now
  </CheckoutButton>
)
