// The chart of accounts. An account's id follows from its owner and kind, so no posting looks one up. Owners
// are merchants, their sub accounts and their customers' wallets; the house is merchant 0. Kinds with a
// running balance are checked against overdraft and locked in id order; the others are touched by every
// payment and keep none: a shared balance row halves the throughput and gets worse with more clients.

import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'

export const HOUSE = 0n
/** An owner has room for so many kinds of account. */
const KINDS_MAX = 16n

type Kind = { readonly code: bigint; readonly running: boolean; readonly says: string }

export const CHART = {
  BANK: { code: 0n, running: false, says: 'What the banks hold for us; debits make it grow.' },
  CARD_RECEIVABLE: { code: 1n, running: false, says: 'What acquirers owe us for card charges.' },
  FEE_INCOME: { code: 2n, running: false, says: 'What we earned.' },
  SUSPENSE: { code: 3n, running: false, says: 'Money that is not matched yet.' },
  BILLERS: { code: 4n, running: false, says: 'What we owe billers for bills they delivered.' },
  DIFFERENCES: { code: 5n, running: false, says: 'What differences with the bank cost us, or brought us.' },
  BANK_COSTS: { code: 6n, running: false, says: 'What banks charged us: fees, taxes and levies.' },
  AGENTS: { code: 7n, running: false, says: 'What we owe agents for the cash they paid out.' },
  PENDING: { code: 8n, running: false, says: 'What a merchant collected and has not been settled.' },
  WALLET: { code: 9n, running: true, says: 'What a merchant, or a customer of one, has to pay out of.' },
  PAYOUT_HOLD: { code: 10n, running: true, says: 'What is held for payouts under way.' },
  SHARE: { code: 11n, running: false, says: "A sub account's part of splits, not yet settled." },
  CLEARING: {
    code: 12n,
    running: true,
    says: 'Refunds and settlements on their way to a bank account or a card, bills on their way to a biller.',
  },
  RECEIVABLE: { code: 13n, running: true, says: 'What a merchant owes for reversed money; a debit, never a credit.' },
  SWEEPS: { code: 14n, running: false, says: 'Money on its way between two banks of ours.' },
} as const satisfies Record<string, Kind>

export type AccountKind = keyof typeof CHART

/** The account of a merchant; of a sub account for SHARE, of a customer's wallet for its WALLET and
 *  PAYOUT_HOLD: their ids come from the same sequence as the merchants'. */
export const accountId = (ownerId: bigint, kind: AccountKind): bigint => ownerId * KINDS_MAX + CHART[kind].code
export const houseAccount = (kind: AccountKind): bigint => accountId(HOUSE, kind)
/** Kinds of which every connector has an account: what its bank holds for us, and what it owes us for cards.
 *  Those of the first are the house's; the others own theirs: connectors have small numbers, and merchants'
 *  ids begin with a month. */
const CONNECTOR_KINDS = ['BANK', 'CARD_RECEIVABLE'] as const satisfies readonly AccountKind[]
type ConnectorKind = (typeof CONNECTOR_KINDS)[number]
const accountOf = (connector: number, kind: ConnectorKind): bigint =>
  accountId(connector === FIRST_CONNECTOR_ID ? HOUSE : BigInt(connector), kind)
/** Our account at the bank of a connector. */
export const bankAccount = (connector: number): bigint => accountOf(connector, 'BANK')
/** What a connector owes us for the cards that it charged. */
export const cardReceivable = (connector: number): bigint => accountOf(connector, 'CARD_RECEIVABLE')
/** Of a new connector: the accounts that our books have for it. */
export const accountsOfConnector = (connector: number): { id: bigint; merchantId: bigint; kind: ConnectorKind }[] =>
  CONNECTOR_KINDS.map((kind) => ({ id: accountOf(connector, kind), merchantId: HOUSE, kind }))
export const isBankAccount = (account: bigint): boolean => isOfKind(account, 'BANK')
/** Whether it is the house's, or a connector's: nobody's money, but where money is. */
export const isOurs = (account: bigint): boolean =>
  accountOwner(account) === HOUSE || CONNECTOR_KINDS.some((kind) => isOfKind(account, kind))
export const accountOwner = (account: bigint): bigint => account / KINDS_MAX
export const isOfKind = (account: bigint, kind: AccountKind): boolean => account % KINDS_MAX === CHART[kind].code

/** `connector` is an expression. */
const accountOfIn = (connector: string, kind: ConnectorKind): string =>
  `(case ${connector} when ${FIRST_CONNECTOR_ID} then ${HOUSE} else ${connector}::bigint end * ${KINDS_MAX} + ${CHART[kind].code})`
export const bankAccountIn = (connector: string): string => accountOfIn(connector, 'BANK')
export const cardReceivableIn = (connector: string): string => accountOfIn(connector, 'CARD_RECEIVABLE')

// The same in SQL: `owner` and `account` are expressions, the kinds become their codes.
export const accountIn = (owner: string, kind: AccountKind): string => `${owner} * ${KINDS_MAX} + ${CHART[kind].code}`
export const ownerIn = (account: string): string => `${account} / ${KINDS_MAX}`
export const kindIn = (account: string): string => `${account} % ${KINDS_MAX}`
export const ofKind = (account: string, ...kinds: [AccountKind, ...AccountKind[]]): string => {
  const codes = kinds.map((kind) => CHART[kind].code)
  return `${kindIn(account)} ${codes.length === 1 ? `= ${codes[0]}` : `in (${codes.join(', ')})`}`
}
/** What is owed to a merchant and to its sub accounts, until it is settled. */
export const isOwed = (account: string): string => ofKind(account, 'PENDING', 'SHARE')

const RUNNING = new Set<bigint>(
  Object.values(CHART)
    .filter((kind) => kind.running)
    .map((kind) => kind.code),
)
export const keepsBalance = (account: bigint): boolean => RUNNING.has(account % KINDS_MAX)

/** Of a customer's wallet. */
export const CUSTOMER_KINDS = ['WALLET', 'PAYOUT_HOLD'] as const satisfies readonly AccountKind[]
export const MERCHANT_KINDS: readonly AccountKind[] = ['PENDING', 'WALLET', 'PAYOUT_HOLD', 'CLEARING', 'RECEIVABLE']
export const HOUSE_KINDS: readonly AccountKind[] = [
  'BANK',
  'CARD_RECEIVABLE',
  'FEE_INCOME',
  'SUSPENSE',
  'BILLERS',
  'DIFFERENCES',
  'BANK_COSTS',
  'AGENTS',
  'SWEEPS',
]
