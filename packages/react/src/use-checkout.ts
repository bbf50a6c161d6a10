import { useCallback, useEffect, useRef, useState } from 'react'
import { checkout, type Door, type End, type Options, preload } from '../../checkout/src/index.ts'

/** What is to be paid, or how to find it out: usually a call to your server, which initialises it. */
export type Order = Options | (() => Options | Promise<Options>)
export type Till = {
  /** Pressed again meanwhile, it is the same payment. Rejects only when your own function does. */
  readonly pay: (order: Order) => Promise<End>
  readonly busy: boolean
}

export function useCheckout({ gateway, integrity, nonce }: Door): Till {
  const [busy, setBusy] = useState(false)
  const running = useRef<Promise<End> | null>(null)
  useEffect(() => preload({ gateway, integrity, nonce }), [gateway, integrity, nonce])
  const pay = useCallback(
    (order: Order): Promise<End> => {
      if (running.current) return running.current
      const open = async (): Promise<End> => {
        const options = typeof order === 'function' ? await order() : order
        return checkout({ gateway, integrity, nonce, ...options })
      }
      setBusy(true)
      // Not inside: a function that throws at once would be over before it is remembered.
      running.current = open().finally(() => {
        running.current = null
        setBusy(false)
      })
      return running.current
    },
    [gateway, integrity, nonce],
  )
  return { pay, busy }
}
