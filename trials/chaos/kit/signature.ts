// A merchant's check of a notification, over the raw bytes.
import { createHmac, timingSafeEqual } from 'node:crypto'

export function isSigned(secretKey: string, given: unknown, body: Buffer): boolean {
  const expected = createHmac('sha512', secretKey).update(body).digest('hex')
  const text = typeof given === 'string' ? given : ''
  return text.length === expected.length && timingSafeEqual(Buffer.from(text), Buffer.from(expected))
}
