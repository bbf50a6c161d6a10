// What a merchant may send out of its wallet, and how.

export type TransferRules = {
  readonly approved: boolean
  /** A transfer is authorised by a code that is mailed. */
  readonly otp: boolean
  readonly perTransferKobo: bigint
  readonly perDayKobo: bigint
  /** The merchant is notified when the wallet falls below it. */
  readonly lowBalanceKobo: bigint | null
  /** The merchant's server that is asked before anything is sent; null: nobody is. */
  readonly approvalUrl: string | null
  /** Above it a transfer or batch waits for one of the merchant's people; null: none does. */
  readonly approvalAboveKobo: bigint | null
  /** The same for what leaves on a day, and for what goes to an account that is new to the merchant. */
  readonly aboveDayKobo?: bigint | null
  readonly aboveNewKobo?: bigint | null
}

export type TransferRow = {
  approved: boolean
  per_transfer: string
  per_day: string
  low_balance: string | null
  approval_url: string | null
  approval_above: string | null
  above_day?: string | null
  above_new?: string | null
}

const koboOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text))

/** No row: nothing may be sent. */
export const toTransferRules = (row: TransferRow | null, otp: boolean): TransferRules => ({
  approved: row?.approved ?? false,
  otp,
  perTransferKobo: BigInt(row?.per_transfer ?? 0),
  perDayKobo: BigInt(row?.per_day ?? 0),
  lowBalanceKobo: koboOf(row?.low_balance ?? null),
  approvalUrl: row?.approval_url ?? null,
  approvalAboveKobo: koboOf(row?.approval_above ?? null),
  aboveDayKobo: koboOf(row?.above_day ?? null),
  aboveNewKobo: koboOf(row?.above_new ?? null),
})
