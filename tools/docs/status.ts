// docs/status.md: what of each declared feature works where. A feature that is declared and stands neither in
// a table nor among the inner ones stops the generation, so no new one can be left out.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Capability } from '@cowrie/contract/bank/v2/connectors'
import { ROOMS } from '../../apps/gateway/src/feature-list.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const WORDS = 'apps/checkout/src/words'

/** What a feature needs of the world outside: a capability of the connector protocol, or agents who pay cash
 *  out and ask the gateway about codes. */
type Need = Capability | 'agents'
/** What people read of it: the checkout, in the languages of its words; English; or nothing. */
type Texts = 'checkout' | 'English' | 'none'
type Row = { readonly does: string; readonly needs?: readonly Need[]; readonly texts?: Texts }

/** The adapters of this repository, and what each covers by the table of its README. */
export const ADAPTERS: Readonly<Record<string, { readonly name: string; readonly covers: readonly Capability[] }>> = {
  'nibss-easypay': { name: 'NIBSS EasyPay', covers: ['payout', 'name', 'balance', 'statement'] },
  paystack: { name: 'Paystack', covers: ['card'] },
  providus: { name: 'Providus', covers: ['numbers', 'credits', 'payout', 'name', 'balance', 'statement'] },
}

/** What a merchant, its people or its payers use. */
export const OF_MERCHANTS: Readonly<Record<string, Row>> = {
  transactions: { does: 'One-time payments by bank transfer', needs: ['numbers', 'credits'], texts: 'checkout' },
  checkout: { does: 'The hosted page', texts: 'checkout' },
  ussd: { does: 'Payments by USSD code', needs: ['numbers', 'credits'], texts: 'checkout' },
  cards: { does: 'Cards: OTP, PIN, 3-D Secure, stored cards', needs: ['card'], texts: 'checkout' },
  'payment-links': { does: 'Payment links', needs: ['numbers', 'credits'], texts: 'checkout' },
  'in-page': { does: 'The checkout on the shop’s own page', needs: ['numbers', 'credits'], texts: 'checkout' },
  invoices: { does: 'Invoices with lines, VAT and a PDF', needs: ['numbers', 'credits'], texts: 'English' },
  'reserved-accounts': { does: 'An account number for each customer', needs: ['numbers', 'credits', 'identity'] },
  'limit-profiles': { does: 'Limits of reserved accounts' },
  'direct-debit': { does: 'Direct debit by mandate', needs: ['mandate'] },
  'payment-policy': { does: 'Rules for money that is short, over, late or twice', texts: 'checkout' },
  'held-money': { does: 'Deciding about money that a rule holds', needs: ['payout'], texts: 'English' },
  'sub-accounts': { does: 'Splits among bank accounts', needs: ['name', 'payout'] },
  'customer-wallets': { does: 'Wallets of customers', needs: ['numbers', 'credits', 'payout'] },
  verification: { does: 'BVN, NIN and account checks', needs: ['identity', 'name'] },
  wallets: { does: 'The wallet, its balance and statement' },
  'own-wallet': { does: 'Topping up the wallet, and quotes', needs: ['numbers', 'credits'], texts: 'English' },
  disbursements: { does: 'Payouts, singly and in batches', needs: ['payout', 'name'], texts: 'English' },
  destinations: { does: 'New accounts that receive collected money wait', texts: 'English' },
  'disbursement-settings': { does: 'Limits, codes and approval of payouts', texts: 'English' },
  refunds: { does: 'Refunds to accounts and cards', needs: ['payout', 'card'], texts: 'English' },
  bills: { does: 'Airtime, data, electricity and other bills', needs: ['bill'] },
  paycodes: { does: 'Cash at an agent with a code', needs: ['agents'] },
  settlements: { does: 'Settlements, with statements that prove themselves', needs: ['payout'], texts: 'English' },
  receivables: { does: 'What a merchant owes, and its repayment' },
  banks: { does: 'The list of banks' },
  events: { does: 'The numbered log of events' },
  webhooks: { does: 'Signed webhooks, retries, replay' },
  auth: { does: 'Logging in with API keys' },
  keys: { does: 'Limited keys, rotation, address lists', texts: 'English' },
  idempotency: { does: 'Idempotency keys, and asking what became of one' },
  people: { does: 'People: roles, passkeys, second factor, OpenID Connect', texts: 'English' },
  approvals: { does: 'Acts that need a second person', texts: 'English' },
  'security-events': { does: 'Security events: history, mails, a feed for a SIEM', texts: 'English' },
  'request-log': { does: 'The log of API requests', texts: 'English' },
  home: { does: 'The first screen of the dashboard', texts: 'English' },
  dashboard: { does: 'The screens of the dashboard', texts: 'English' },
  payments: { does: 'The page of one payment', texts: 'English' },
  customers: { does: 'Customers, by e-mail address', texts: 'English' },
  finding: { does: 'Finding anything by what is pasted', texts: 'English' },
  exports: { does: 'Exports as CSV', texts: 'English' },
  'saved-views': { does: 'Saved filters of lists', texts: 'English' },
  branding: { does: 'Logo, colour and support details', texts: 'English' },
  receipts: { does: 'Receipts by mail', texts: 'English' },
  reference: { does: 'The reference of the API', texts: 'English' },
  sandbox: { does: 'The clock and the mails of the sandbox' },
}

/** What only the operator's people use. */
export const OF_OPERATORS: Readonly<Record<string, Row>> = {
  merchants: { does: 'Merchants: application, review, live, suspension, closing' },
  limits: { does: 'Limits of a payment and of a day' },
  fees: { does: 'Dated fees, tried on the last thirty days before they count' },
  'connector-routes': { does: 'Which bank does what' },
  reconciliation: { does: 'Bank statements and balances against the books', needs: ['statement', 'balance'] },
  corrections: { does: 'Corrections of the books, by two people' },
  books: { does: 'The nightly check of the books' },
  disputes: { does: 'Disputes of card charges: a list, no evidence, no money moves', needs: ['card'] },
  work: { does: 'What waits for a bank, and its repair' },
  board: { does: 'The board of all cells' },
  viewing: { does: 'Seeing what a merchant sees' },
  persons: { does: 'Finding and erasing what is stored of a payer' },
}

/** What nobody uses by name: other features stand on it. */
export const INNER: readonly string[] = [
  'authorisation',
  'bank-numbers',
  'bank-orders',
  'breaks',
  'credits',
  'figures',
  'hints',
  'house-bookings',
  'mails',
  'placement',
  'trail-signing',
]

const declared = (): readonly { readonly name: string; readonly room: string }[] =>
  Object.entries(ROOMS).flatMap(([room, features]) => features.map(({ name }) => ({ name, room })))

/** What the tables and the declared features do not agree on, as sentences. */
export function disagreements(names: readonly string[]): readonly string[] {
  const listed = [...Object.keys(OF_MERCHANTS), ...Object.keys(OF_OPERATORS), ...INNER]
  return [
    ...names
      .filter((name) => !listed.includes(name))
      .map((name) => `${name} is declared, and in no table of status.ts`),
    ...listed.filter((name) => !names.includes(name)).map((name) => `${name} is in status.ts, and not declared`),
    ...listed.filter((name, at) => listed.indexOf(name) !== at).map((name) => `${name} is in status.ts twice`),
  ]
}

const adapterCell = ({ needs = [] }: Row): string =>
  needs.length === 0
    ? 'needs none'
    : needs
        .map((need) => {
          const names = Object.values(ADAPTERS).flatMap(({ name, covers }) =>
            covers.some((one) => one === need) ? [name] : [],
          )
          return `${need}: ${names.length === 0 ? '**none yet**' : names.join(', ')}`
        })
        .join('; ')

const triedCell = ({ needs = [] }: Row): string => {
  const has = (need: Need): boolean => Object.values(ADAPTERS).some(({ covers }) => covers.some((one) => one === need))
  if (needs.length === 0) return '–'
  return needs.some(has) ? 'fakes only' : 'nowhere'
}

/** Languages of the checkout, and which of them nobody who grew up with them has read. */
export function languages(): { readonly all: readonly string[]; readonly unread: readonly string[] } {
  const heads = readdirSync(join(ROOT, WORDS))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .map((file) => readFileSync(join(ROOT, WORDS, file), 'utf8').split('\n', 1)[0] ?? '')
  const name = (head: string): string => /^\/\/ ([^.,(]+?)(?: \([^)]*\))?\. /.exec(head)?.[1] ?? 'English'
  return {
    all: heads.map(name),
    unread: heads.filter((head) => head.includes('Reviewed by no native speaker')).map(name),
  }
}

function textsCell({ texts = 'none' }: Row): string {
  if (texts === 'none') return '–'
  if (texts === 'English') return 'English only'
  const { all, unread } = languages()
  return unread.length === 0
    ? `${all.length} languages, each read by a native speaker`
    : `${all.length} languages; ${unread.length} await a native speaker`
}

/** In the order of the table in this file. */
const rowsOf = (rows: Readonly<Record<string, Row>>, columns: (row: Row) => readonly string[]): string =>
  Object.entries(rows)
    .map(([name, row]) => {
      const room = declared().find((one) => one.name === name)?.room
      return `| [${row.does}](../apps/gateway/src/features/${room}/${name}) | yes | ${columns(row).join(' | ')} |`
    })
    .join('\n')

export function statusPage(): string {
  const wrong = disagreements(declared().map(({ name }) => name))
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  const { unread } = languages()
  const adapters = Object.entries(ADAPTERS)
    .map(([folder, { name, covers }]) => `| [${name}](../connectors/${folder}/README.md) | ${covers.join(', ')} |`)
    .join('\n')
  return `<!-- Generated by \`npm run generate\` from tools/docs/status.ts and the features that the gateway declares; do not edit. -->

# What works where

No version has been released, and nothing here has met a real bank. What is in the tables works in the sandbox,
which is the live code with a simulated bank, and is tested there. What differs is how far it has come outside.

- **Sandbox**: can be used there today.
- **Adapter**: which adapter of this repository covers what the feature needs of a bank, in the words of the
  [connector protocol](reference/bank-connector.md). *None yet*: somebody has to [write one](connectors.md) first.
- **Tried outside**: *fakes only* means programs that we wrote from what banks publish. No adapter was tried at a bank,
  at NIBSS or at Paystack, not even at their test systems. A dash: nothing outside is needed but a database, and mail.
- **Texts**: the languages that people read. ${unread.length === 0 ? '' : `${unread.join(', ')} were translated by this project and\n  [wait for native speakers](first-issues.md).`}

## For merchants and payers

| Feature | Sandbox | Adapter | Tried outside | Texts |
|---|---|---|---|---|
${rowsOf(OF_MERCHANTS, (row) => [adapterCell(row), triedCell(row), textsCell(row)])}

## For the operator

| Feature | Sandbox | Adapter | Tried outside |
|---|---|---|---|
${rowsOf(OF_OPERATORS, (row) => [adapterCell(row), triedCell(row)])}

## The adapters

| Adapter | Covers |
|---|---|
${adapters}

Each page of an adapter says what its facts rest on. Identities, mandates, bills and cash at agents have no
adapter. What the project lacks altogether is on the page of [comparison](compare.md#what-cowrie-does-not-have).
`
}
