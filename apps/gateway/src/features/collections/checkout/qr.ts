// The QR code of an address.
import type { Qr } from '@cowrie/checkout'
import { encode } from 'uqr'

/** Without the quiet zone, which is left by whoever shows it. */
export function encodeQr(text: string): Qr {
  const { size, data } = encode(text, { ecc: 'M', border: 0 })
  const path = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')
  return { size, path }
}
