// The line to a connector: its address and, with mutual TLS, the certificate that we show it and the authority that signed its own.
import { Agent, type Dispatcher } from 'undici'

/** Texts of PEM files. */
type Tls = { readonly cert: string; readonly key: string; readonly ca: string }
export type Line = { readonly url: string; readonly dispatcher?: Dispatcher }

/** `tls` null: whatever the machine trusts, and we show nothing. */
export const lineTo = (url: string, tls: Tls | null): Line =>
  tls === null ? { url } : { url, dispatcher: new Agent({ connect: tls }) }
