// What every file of a bank has in common, whatever its form.

import type { Booked } from './amounts.ts'

export type BankLine = Booked & {
  readonly direction: 'IN' | 'OUT'
  readonly kobo: bigint
  /** What the bank calls it; empty where it has no name. */
  readonly reference: string
  readonly text: string
  /** The bank itself says, in a field of its own, that this undoes a booking before it. */
  readonly undoes?: boolean
}

/** Balances are negative when overdrawn; null where the file has none. */
export type BankFile = {
  readonly account: string
  readonly opening: bigint | null
  readonly closing: bigint | null
  readonly lines: readonly BankLine[]
}
