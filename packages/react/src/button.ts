import { type ComponentPropsWithRef, createElement, type ReactElement } from 'react'
import type { Door, End } from '../../checkout/src/index.ts'
import { type Order, useCheckout } from './use-checkout.ts'

export type CheckoutButtonProps = Door & {
  readonly order: Order
  /** The checkout is gone from the page. A hint: ask your server. */
  readonly onEnd?: (end: End) => void
} & Omit<ComponentPropsWithRef<'button'>, keyof Door | 'onClick'>

/** It is never `disabled` while it is busy: the focus could not come back to it. */
export function CheckoutButton(props: CheckoutButtonProps): ReactElement {
  const { gateway, integrity, nonce, order, onEnd, ...rest } = props
  const { pay, busy } = useCheckout({ gateway, integrity, nonce })
  const press = async (): Promise<void> => {
    if (busy) return
    const end = await pay(order)
    onEnd?.(end)
  }
  return createElement('button', { type: 'button', 'aria-busy': busy, ...rest, onClick: () => void press() })
}
