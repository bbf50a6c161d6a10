// Faults that engineers have put into this gateway by hand to see whether a test falls: each is one change of
// one file, and the tests beside it are those that should. A change that does not fit its file any more is
// brought up to date here, in the commit that moved the line.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is text of files that are templates there
export type Mutant = {
  readonly name: string
  readonly file: string
  /** Text that the file has once. */
  readonly from: string
  readonly to: string
  /** The nearest first. */
  readonly tests: readonly string[]
}

const SRC = 'apps/gateway/src/'
const FEATURES = `${SRC}features/`

export const OLD: readonly Mutant[] = [
  {
    name: 'a reversal takes no lock on the chain of settlements',
    file: `${FEATURES}collections/credits/reversals.ts`,
    from: `  await lockChains(t, [merchant.id])
  await cover(`,
    to: '  await cover(',
    tests: [
      `${FEATURES}collections/direct-debit/settled.test.ts`,
      `${FEATURES}wallets/receivables/races.test.ts`,
      `${FEATURES}collections/credits/reversals.test.ts`,
    ],
  },
  {
    name: 'what the wallet of a customer cannot give back is not collected from the merchant',
    file: `${FEATURES}wallets/receivables/receivables.ts`,
    from: 'if (short > 0n && wallet.id !== null)',
    to: 'if (short > 0n && wallet.id === undefined)',
    tests: [
      `${FEATURES}collections/credits/top-ups.test.ts`,
      `${FEATURES}collections/customer-wallets`,
      `${FEATURES}wallets/receivables`,
    ],
  },
  {
    name: 'a reversal returns more of a fee than there was money',
    file: `${FEATURES}collections/credits/reversals.ts`,
    from: 'least(before.fee, most(fees, before.fee - asked.kobo))',
    to: 'least(before.fee, fees)',
    tests: [
      `${FEATURES}collections/credits/part-fees.test.ts`,
      `${FEATURES}collections/credits/reversals.test.ts`,
      `${FEATURES}settlements/fees`,
    ],
  },
  {
    name: 'the parts of a payment are priced in the order of their ids',
    file: `${FEATURES}collections/credits/reversals.sql.ts`,
    from: 'order by p.xid`',
    to: 'order by p.id`',
    tests: [`${FEATURES}collections/credits/part-fees.test.ts`, `${FEATURES}collections/credits/reversals.test.ts`],
  },
  {
    name: 'a schedule of fees begins a moment late',
    file: `${SRC}core/access/fees.ts`,
    from: 'schedule.validFrom <= at) ?? null',
    to: 'schedule.validFrom < at) ?? null',
    tests: [
      `${SRC}core/access/fees.test.ts`,
      `${FEATURES}settlements/fees/fees.test.ts`,
      `${FEATURES}collections/credits/part-fees.test.ts`,
      `${FEATURES}settlements/fees`,
    ],
  },
  {
    name: 'a quoted fee is no cap',
    file: `${SRC}core/access/fees.ts`,
    from: 'return { ...schedule, capKobo }',
    to: 'return schedule',
    tests: [`${FEATURES}settlements/fees/payer-fees.test.ts`, `${FEATURES}settlements/fees`],
  },
  {
    name: 'the shares of a payment whose payer bore the fee pay a fee again',
    file: `${FEATURES}collections/sub-accounts/splits.ts`,
    from: 'shareOut(paid - fee, 0n, parts))',
    to: 'shareOut(paid, fee, parts))',
    tests: [
      `${FEATURES}settlements/fees/payer-fees.test.ts`,
      `${FEATURES}collections/sub-accounts/sub-accounts.test.ts`,
      `${FEATURES}settlements/fees`,
    ],
  },
  {
    name: 'a line of the bank that a person has corrected is booked as well',
    file: `${FEATURES}settlements/house-bookings/house-bookings.sql.ts`,
    from: 'and ${NOT_BOOKED} and ${NOT_LEFT}\n',
    to: 'and ${NOT_BOOKED}\n',
    tests: [
      `${FEATURES}settlements/house-bookings/house-bookings.test.ts`,
      `${FEATURES}settlements/corrections`,
      `${FEATURES}settlements/house-bookings`,
      `${FEATURES}settlements/reconciliation/connectors.test.ts`,
    ],
  },
  {
    name: 'a line of the house is booked although its break has ended',
    file: `${FEATURES}settlements/house-bookings/house-bookings.ts`,
    from: 'if (ended.size > 0) await book(t, [booking])',
    to: 'await book(t, [booking])',
    tests: [
      `${FEATURES}settlements/house-bookings/house-bookings.test.ts`,
      `${FEATURES}settlements/house-bookings`,
      `${FEATURES}settlements/reconciliation/connectors.test.ts`,
    ],
  },
  {
    name: 'both sides of a sweep may be at one bank',
    file: `${FEATURES}settlements/house-bookings/sweeps.ts`,
    from: ' || out.connector === into.connector) return null',
    to: ') return null',
    tests: [
      `${FEATURES}settlements/house-bookings/sweeps.test.ts`,
      `${FEATURES}settlements/house-bookings`,
      `${FEATURES}settlements/reconciliation/connectors.test.ts`,
    ],
  },
  {
    name: 'one side of a sweep may be alone for two days only',
    file: `${FEATURES}settlements/house-bookings/sweeps.ts`,
    from: 'const ON_THE_WAY_MS = 3 * DAY_MS',
    to: 'const ON_THE_WAY_MS = 2 * DAY_MS',
    tests: [
      `${FEATURES}settlements/house-bookings/sweeps.test.ts`,
      `${FEATURES}settlements/house-bookings`,
      `${FEATURES}settlements/reconciliation/connectors.test.ts`,
    ],
  },
  {
    name: 'a credit that our books do not have may be given to a wallet',
    file: `${FEATURES}settlements/corrections/corrections.ts`,
    from: 'TO_MERCHANT: (found) => found.kobo > 0n && !isUnbookedCredit(found) && !isOfNoLine(found),',
    to: 'TO_MERCHANT: (found) => found.kobo > 0n && !isOfNoLine(found),',
    tests: [`${FEATURES}settlements/corrections/corrections.test.ts`, `${FEATURES}settlements/corrections`],
  },
  {
    name: 'what a merchant owes is not collected from a correction',
    file: `${FEATURES}settlements/corrections/to-wallet.ts`,
    from: '  if (wallet.id === null)',
    to: '  if (wallet.id === null && after < before)',
    tests: [
      `${FEATURES}settlements/corrections/corrections.test.ts`,
      `${FEATURES}settlements/corrections`,
      `${FEATURES}wallets/receivables`,
    ],
  },
  {
    name: 'of several lines too many each break is worth the first',
    file: `${FEATURES}settlements/reconciliation/difference.ts`,
    from: 'const one = again[row.place - 1]',
    to: 'const one = again[0]',
    tests: [`${FEATURES}settlements/reconciliation/repeated.test.ts`, `${FEATURES}settlements/corrections`],
  },
  {
    name: 'what is awaited at one bank explains the balance of another',
    file: `${FEATURES}settlements/reconciliation/balance.sql.ts`,
    from: 'b.kind in (${kinds}) and b.connector = $5::smallint',
    to: 'b.kind in (${kinds})',
    tests: [
      `${FEATURES}settlements/reconciliation/balance.test.ts`,
      `${FEATURES}settlements/reconciliation/connectors.test.ts`,
    ],
  },
  {
    name: 'a refund to a card goes through the first connector',
    file: `${FEATURES}bank/bank-orders/bank-orders.ts`,
    from: 'byId.get(id) ?? connector)',
    to: 'byId.get(id) ?? 1)',
    tests: [`${FEATURES}collections/cards/connectors.test.ts`, `${FEATURES}payouts/refunds/cards.test.ts`],
  },
  {
    name: 'a refund is not judged again under the lock',
    file: `${FEATURES}payouts/refunds/refunds.ts`,
    from: 'const transaction = judge(await sql.findRefundable(t, merchant.id, body.transactionReference), kobo)',
    to: 'const transaction = judge(await sql.findRefundable(t, merchant.id, body.transactionReference), 0n)',
    tests: [
      `${FEATURES}payouts/refunds/races.test.ts`,
      `${FEATURES}payouts/refunds/cards.test.ts`,
      `${FEATURES}payouts/refunds/refunds.test.ts`,
    ],
  },
  {
    name: 'the limit of a day is not asked on a later day',
    file: `${FEATURES}wallets/wallets/day-limit.ts`,
    from: 'if (localDay(acceptedAt) === localDay(t.now)) return async () => undefined',
    to: 'if (localDay(acceptedAt) <= localDay(t.now)) return async () => undefined',
    tests: [`${FEATURES}wallets/wallets/day-limit.test.ts`, `${FEATURES}payouts/refunds/gates.test.ts`],
  },
  {
    name: 'a part that is open counts only what was paid of it',
    file: `${FEATURES}collections/transactions/limits.sql.ts`,
    from: 'then greatest(kobo, paid_kobo)',
    to: 'then paid_kobo',
    tests: [`${FEATURES}access/limits/limits.test.ts`, `${FEATURES}access/limits`],
  },
  {
    name: 'a clock that is behind begins the day of a limit profile anew',
    file: `${FEATURES}collections/limit-profiles/limit-profiles.ts`,
    from: 'row.day >= today ?',
    to: 'row.day === today ?',
    tests: [`${FEATURES}collections/limit-profiles/limit-profiles.test.ts`, `${FEATURES}collections/limit-profiles`],
  },
  {
    name: 'a bill is accepted while its merchant owes',
    file: `${FEATURES}payouts/bills/bills.ts`,
    from: `  if (owes(locked, merchant.id)) fail('RECEIVABLE_OPEN')
`,
    to: '',
    tests: [`${FEATURES}payouts/bills/bills.test.ts`, `${FEATURES}payouts/bills`, `${FEATURES}wallets/receivables`],
  },
  {
    name: 'any connector may say how a payout ended',
    file: `${SRC}core/outgoing.ts`,
    from: 'if (!cell || !row || !(await isOfConnector(ctx, cell.id, row.connector, connector))) return false',
    to: 'if (!cell || !row) return false',
    tests: [
      `${FEATURES}payouts/disbursements/notices.test.ts`,
      `${FEATURES}bank/connector-routes`,
      `${FEATURES}payouts/disbursements/bank.test.ts`,
    ],
  },
  {
    name: 'a number of a bank has no quarantine',
    file: `${SRC}core/routing/stock.sql.ts`,
    from: ' and v.expires_at >= $4::timestamptz)',
    to: ' and false)',
    tests: [`${FEATURES}bank/bank-numbers/bank-numbers.test.ts`, `${FEATURES}bank/bank-numbers`],
  },
  {
    name: 'money at a number is taken from whichever bank reports it',
    file: `${FEATURES}collections/credits/credits.sql.ts`,
    from: " and v.connector = ${connectorOfMoneyIn('x.session_id')}",
    to: '',
    tests: [
      `${FEATURES}bank/bank-numbers/bank-numbers.test.ts`,
      `${FEATURES}bank/bank-numbers`,
      `${FEATURES}collections/credits/v2/notices.test.ts`,
    ],
  },
  {
    name: 'a share gives more than its merchant carries for it',
    file: `${FEATURES}settlements/settlements/collecting.ts`,
    from: 'most: answered.get(account) ?? 0n',
    to: 'most: (answered.get(account) ?? 0n) + 10n ** 15n',
    tests: [
      `${FEATURES}wallets/receivables/shares.test.ts`,
      `${FEATURES}settlements/settlements/corrections.test.ts`,
      `${FEATURES}wallets/receivables`,
    ],
  },
  {
    name: 'a payout is routed to a connector that does not hold enough',
    file: `${SRC}core/routing/routing.ts`,
    from: ' && one.holds(kobo) &&',
    to: ' &&',
    tests: [`${SRC}core/routing/routing.test.ts`, `${FEATURES}bank/connector-routes`],
  },
  {
    name: 'a reference of the network that two payouts have is translated',
    file: `${FEATURES}settlements/reconciliation/names.sql.ts`,
    from: 'having count(distinct p.session_id) = 1',
    to: 'having count(distinct p.session_id) > 0',
    tests: [`${FEATURES}settlements/reconciliation/connectors.test.ts`],
  },
  {
    name: 'a second person is needed at exactly the amount',
    file: `${FEATURES}wallets/second-person/second-person.ts`,
    from: 'kobo > approvalAboveKobo',
    to: 'kobo >= approvalAboveKobo',
    tests: [
      `${FEATURES}wallets/second-person/second-person.test.ts`,
      `${FEATURES}payouts/refunds/second-person.test.ts`,
      `${FEATURES}wallets/second-person`,
    ],
  },
  {
    name: '409 of a bank counts as a refusal of a return',
    file: `${FEATURES}collections/credits/suspense.ts`,
    from: 'new Set([400, 404, 410, 422])',
    to: 'new Set([400, 404, 409, 410, 422])',
    tests: [`${FEATURES}collections/credits/suspense.test.ts`],
  },
  {
    name: 'the reversal of a debit is taken from any connector',
    file: `${FEATURES}collections/direct-debit/bank.ts`,
    from: 'bankReference: moneyName(row.connector, row.session_id),',
    to: 'bankReference: row.session_id,',
    tests: [`${FEATURES}collections/direct-debit/reconciled.test.ts`, `${FEATURES}collections/direct-debit`],
  },
  {
    name: 'a break at one bank hides a line of another',
    file: `${FEATURES}bank/breaks/breaks.sql.ts`,
    from: 'and b.connector = ',
    to: 'and b.connector is not null or false and b.connector = ',
    tests: [`${FEATURES}settlements/reconciliation/connectors.test.ts`, `${FEATURES}settlements/reconciliation`],
  },
]
