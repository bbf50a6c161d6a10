// Loads the script of a gateway when it is first wanted, and opens its checkout. Monnify's own script has the
// same path and the same one function, so its address is only another `gateway`.
import type { Closed, Completed, End, Options } from '../../../apps/checkout/in-page/options.ts'

export type Door = {
  /** The address of your gateway, or Monnify's: `https://sdk.monnify.com`. */
  readonly gateway: string
  /** The digest at `/plugin/v1/integrity.json` of the gateway: another script is not run. */
  readonly integrity?: string | undefined
  /** For a page whose policy allows scripts by nonce. */
  readonly nonce?: string | undefined
}
export type Checkout = Door & Options

type Script = { initialize(options: Options): void }

const WAIT_MS = 15_000
const loading = new Map<string, Promise<Script>>()

function load({ gateway, integrity, nonce }: Door): Promise<Script> {
  const src = `${gateway.replace(/\/$/, '')}/plugin/monnify.js`
  const known = loading.get(src)
  if (known) return known
  const made = new Promise<Script>((done, fail) => {
    const tag = document.createElement('script')
    const failed = (): void => {
      loading.delete(src) // the next press tries again
      tag.remove()
      fail(new Error(`${src} did not load`))
    }
    const late = setTimeout(failed, WAIT_MS)
    tag.onerror = failed
    tag.onload = () => {
      clearTimeout(late)
      // Kept from here on: a page may load another one beside it.
      const { MonnifySDK } = window as { MonnifySDK?: Script }
      if (MonnifySDK) done(MonnifySDK)
      else failed()
    }
    if (integrity) Object.assign(tag, { integrity, crossOrigin: 'anonymous' })
    if (nonce) tag.nonce = nonce
    document.head.append(Object.assign(tag, { src }))
  })
  loading.set(src, made)
  return made
}

/** So that the first press need not wait. On a server it does nothing. */
export function preload(door: Door): void {
  if (typeof document !== 'undefined') load(door).catch(() => {})
}

/** Ends when the checkout is gone from the page. What it ends with is a hint: your server asks again. */
export function checkout({ gateway, integrity, nonce, ...options }: Checkout): Promise<End> {
  return new Promise((end) => {
    let completed: Completed | null = null
    const onClose = (closed: Closed): void => {
      end({ completed, closed })
      options.onClose?.(closed)
    }
    const opened: Options = {
      ...options,
      onComplete: (response) => {
        completed = response
        ;(options.onComplete ?? options.callback)?.(response)
      },
      onClose,
    }
    load({ gateway, integrity, nonce }).then(
      (script) => script.initialize(opened),
      ({ message }: Error) => {
        // The payer can pay without the script what the shop's server has initialised.
        if (options.checkoutUrl && typeof location !== 'undefined') location.assign(options.checkoutUrl)
        else
          onClose({
            authorizedAmount: Number(options.amount) || 0,
            paymentStatus: 'FAILED',
            redirectUrl: null,
            responseCode: 'SCRIPT_NOT_LOADED',
            responseMessage: message,
          })
      },
    )
  })
}
