// The chart of accounts. An account's id follows from its merchant and kind, so no posting looks one up; the house is
// merchant 0. Kinds with a running balance are checked against overdraft and locked in id order; the others are touched
// by every payment and keep none: a shared balance row halves the throughput and gets worse with more clients.

export const HOUSE = 0n

type Kind = { readonly code: bigint; readonly running: boolean; readonly says: string }

export const CHART = {
  BANK: { code: 0n, running: false, says: 'What the banks hold for us; debits make it grow.' },
  CARD_RECEIVABLE: { code: 1n, running: false, says: 'What card schemes owe us.' },
  FEE_INCOME: { code: 2n, running: false, says: 'What we earned.' },
  SUSPENSE: { code: 3n, running: false, says: 'Money that fits nothing yet.' },
  PENDING: { code: 8n, running: false, says: 'What a merchant collected and has not been settled.' },
  WALLET: { code: 9n, running: true, says: 'What a merchant can pay out.' },
  PAYOUT_HOLD: { code: 10n, running: true, says: 'What is set aside for payouts under way.' },
  SHARE: { code: 11n, running: false, says: "A sub account's part of splits, not yet settled." },
  CLEARING: { code: 12n, running: true, says: 'Refunds and settlements on their way to a bank account.' },
  RECEIVABLE: { code: 13n, running: true, says: 'What a merchant owes for reversed money; a debit, never a credit.' },
} as const satisfies Record<string, Kind>

export type AccountKind = keyof typeof CHART

/** The account of a merchant; of a sub account for SHARE, whose ids come from the same sequence as the merchants'. */
export const accountId = (ownerId: bigint, kind: AccountKind): bigint => ownerId * 16n + CHART[kind].code

const RUNNING = new Set<bigint>(
  Object.values(CHART)
    .filter((kind) => kind.running)
    .map((kind) => kind.code),
)
export const keepsBalance = (account: bigint): boolean => RUNNING.has(account % 16n)

export const MERCHANT_KINDS: readonly AccountKind[] = ['PENDING', 'WALLET', 'PAYOUT_HOLD', 'CLEARING', 'RECEIVABLE']
export const HOUSE_KINDS: readonly AccountKind[] = ['BANK', 'CARD_RECEIVABLE', 'FEE_INCOME', 'SUSPENSE']
