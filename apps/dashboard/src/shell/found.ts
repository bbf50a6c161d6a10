// What the one box finds, as its rows show it: of the merchant whose people they are, or, at the operator's,
// of all merchants and cells.
import type { FoundItem, findAnything } from '@cowrie/contract/screens/find'
import type { FoundEverywhere, findEverywhere } from '@cowrie/contract/screens/find-everywhere'
import { SCREENS_OF, view } from '../api/call.ts'
import type { IconName } from '../parts/drawing.tsx'

type Kind = FoundItem['kind'] | FoundEverywhere['kind']
const KINDS: Readonly<Record<Kind, readonly [word: string, icon: IconName]>> = {
  MERCHANT: ['Merchant', 'people'],
  PAYMENT: ['Payment', 'incoming'],
  REFUND: ['Refund', 'refund'],
  PAYOUT: ['Payout', 'payout'],
  BATCH: ['Batch of payouts', 'list'],
  SETTLEMENT: ['Settlement', 'bank'],
  INVOICE: ['Invoice', 'paper'],
  MANDATE: ['Mandate', 'calendar'],
  PAYMENT_LINK: ['Payment link', 'link'],
  RESERVED_ACCOUNT: ['Reserved account', 'number'],
  CUSTOMER: ['Customer', 'person'],
  EVENT: ['Event', 'mail'],
  REQUEST: ['Request', 'list'],
  SUSPENSE: ['Money in suspense', 'care'],
  BREAK: ['Break with the bank', 'scales'],
}

export type FoundRow = {
  readonly key: string
  readonly word: string
  readonly icon: IconName
  readonly amount: number | null
  /** Below the word: whose, and what it is called. */
  readonly lines: readonly string[]
  readonly state: string | null
  readonly at: string | null
  readonly path: string
}
export type Finding = { readonly rows: readonly FoundRow[]; readonly silent: readonly string[] }

const row = ({ kind, reference, amount, state, at, path }: FoundItem | FoundEverywhere): Omit<FoundRow, 'lines'> => ({
  key: `${kind} ${reference} ${path}`,
  word: KINDS[kind][0],
  icon: KINDS[kind][1],
  amount,
  state,
  at,
  path,
})

async function findOwn(text: string): Promise<Finding> {
  const { found } = await view<typeof findAnything>('find.anything', { text })
  const linesOf = ({ name, reference }: FoundItem) => [name === null ? reference : `${name} · ${reference}`]
  return { rows: found.map((one) => ({ ...row(one), lines: linesOf(one) })), silent: [] }
}

/** A merchant is known by its name; everything else by what it is, and then whose. */
function everywhere(one: FoundEverywhere): FoundRow {
  const { kind, cell, merchant, merchantName, name, reference } = one
  if (kind === 'MERCHANT') {
    const lines = [[merchant ?? 'not live yet', reference, `cell ${cell}`].join(' · ')]
    return { ...row(one), word: merchantName ?? reference, lines }
  }
  const lines = [
    `${merchantName ?? 'Nobody’s yet'} · cell ${cell}`,
    name === null ? reference : `${name} · ${reference}`,
  ]
  return { ...row(one), key: `${merchant} ${row(one).key}`, lines }
}
async function findInCells(text: string): Promise<Finding> {
  const { found, silent } = await view<typeof findEverywhere>('find.everywhere', { text })
  return { rows: found.map(everywhere), silent }
}

export const find = SCREENS_OF === 'merchant' ? findOwn : findInCells
export const PLACEHOLDER =
  SCREENS_OF === 'merchant'
    ? 'Paste a reference, account number, e-mail address or session id'
    : 'A merchant, reference, session id or account number'
/** What is said of a text that leads nowhere. */
export const nothingOf = (text: string): string =>
  SCREENS_OF === 'merchant'
    ? `Nothing of yours is called “${text}”. It has to be the whole reference, number or address.`
    : `No cell that answered knows “${text}”. Of a merchant’s name a part is enough; of the rest it has to be the whole.`
