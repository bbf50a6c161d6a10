// Faults to plant: each breaks one rule in the gateway's code, and histories must find it.
import type { Plant as OneOf } from '../kit/plants.ts'

export type Plant = OneOf & {
  /** The rule that it breaks. */
  readonly rule: string
}
const FEATURES = 'apps/gateway/src/features/'

export const PLANTS: Readonly<Record<string, Plant>> = {
  hidden: {
    rule: 'a break at one bank hides no line of another',
    file: `${FEATURES}bank/breaks/breaks.sql.ts`,
    from: 'and b.connector = ',
    to: 'and b.connector is not null or false and b.connector = ',
  },
  amount: {
    rule: 'a line with another amount is a break, also when it comes late',
    file: `${FEATURES}settlements/reconciliation/reconciliation.ts`,
    from: 'match.listNotHere(r, of))) found.push(',
    to: 'match.listNotHere(r, of))) if (!line.booked) found.push(',
  },
  twice: {
    rule: 'a line that the bank has twice is a break',
    file: `${FEATURES}settlements/reconciliation/reconciliation.ts`,
    from: "    found.push(ofNobody(line, 'DUPLICATE'",
    to: "    if (line.session_id === '') found.push(ofNobody(line, 'DUPLICATE'",
  },
  accepted: {
    rule: 'held money that was accepted and is recalled is owed by whoever got it',
    file: `${FEATURES}collections/credits/reversals.ts`,
    from: 'const given = await reverseReassigned(',
    to: "const given = item.status === 'REASSIGNED' ? null : await reverseReassigned(",
  },
  claim: {
    rule: 'whoever was credited and should not have been answers for it',
    file: `${FEATURES}settlements/corrections/corrections.ts`,
    from: 'FROM_MERCHANT: ({ credited }) => credited !== null,',
    to: "FROM_MERCHANT: ({ credited, row }) => credited !== null && row.kind === 'REVERSAL',",
  },
  owed: {
    rule: 'what a wallet cannot give back is owed',
    file: `${FEATURES}wallets/receivables/receivables.ts`,
    from: '  const short = kobo - before\n  if (short > 0n) {',
    to: "  const short = kobo - before\n  if (short > 0n) fail('INSUFFICIENT_FUNDS')\n  if (short > 0n) {",
  },
  cover: {
    rule: 'what was settled and is recalled is owed',
    file: `${FEATURES}wallets/receivables/receivables.ts`,
    from: 'if (short.length === 0) return',
    to: 'if (short.length >= 0) return',
  },
  lost: {
    rule: 'who paid in time has paid, whoever lost the notice',
    file: `${FEATURES}collections/credits/booked.ts`,
    from: 'if (!paidAt) return row',
    to: 'if (!paidAt || paidAt) return row',
  },
  shares: {
    rule: 'shares of payments that were split while their merchant owed are collected first',
    file: `${FEATURES}settlements/settlements/collecting.ts`,
    from: 'most: later.get(account) ?? 0n, laterShare',
    to: 'most: later.size > 0 ? 0n : 0n, laterShare',
  },
  swallowed: {
    rule: 'a word that contradicts what was done is a break at once',
    file: `${FEATURES}bank/breaks/breaks.ts`,
    from: 'const paidHere = ours ===',
    to: "const paidHere = said === 'SUCCESS' && ours ===",
  },
  alone: {
    rule: 'a break with a difference is closed by two',
    file: `${FEATURES}settlements/corrections/corrections.acts.ts`,
    from: "return 'why' in found && found.agreed",
    to: "return 'why' in found || found.kobo !== 0n",
  },
  day: {
    rule: 'a date without a time is compared as a day',
    file: `${FEATURES}collections/credits/booked.ts`,
    from: 'if (!bookedAt || !dayOnly) return bookedAt',
    to: 'if (!bookedAt || !dayOnly || dayOnly) return bookedAt',
  },
  dated: {
    rule: 'what only the statement shows is priced and dated as of when it was paid',
    file: `${FEATURES}collections/credits/counting.ts`,
    from: 'verdict, paidAt = now } = item',
    to: 'verdict } = item\n  const paidAt = now',
  },
  second: {
    rule: 'a reversal that takes back a duplicate ends the duplicate',
    file: `${FEATURES}collections/credits/duplicates.ts`,
    from: 'if (all.length === 0) return null',
    to: 'if (all.length >= 0) return null',
  },
  large: {
    rule: 'a large reversal of what had succeeded waits until its statement shows it',
    file: `${FEATURES}bank/breaks/breaks.ts`,
    from: 'kobo < ctx.largeReversalKobo) return false',
    to: 'kobo > 0n) return false',
  },
  free: {
    rule: 'held money that is accepted costs what a transfer cost when it came',
    file: `${FEATURES}collections/held-money/held-money.ts`,
    from: 'const fee = feeOf(merchant, item)',
    to: 'const fee = { kobo: 0n, scheduleId: null }',
  },
}
