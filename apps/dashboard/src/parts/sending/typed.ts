// What somebody types before money is sent.
import { dayStamp } from '../../clock.ts'

/** A name for what has none yet; whoever sends it may choose another. */
export const newReference = (word: string): string => `${word}-${dayStamp()}-${crypto.randomUUID().slice(0, 6)}`

/** What somebody typed as an amount, as the API wants it; null if it is none. */
export function nairaTyped(text: string): string | null {
  const plain = text.replaceAll(/[,\s₦]/g, '')
  return /^\d{1,13}(\.\d{1,2})?$/.test(plain) && Number(plain) > 0 ? plain : null
}
