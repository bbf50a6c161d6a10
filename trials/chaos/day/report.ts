// The table of the day.
import { count, tableText } from '../kit/report.ts'
import { isWaiting } from './cards.ts'
import { type Evidence, outagesOf } from './checks.ts'
import { RAILS } from './rails.ts'

export type Figures = {
  readonly operations: number
  readonly seconds: number
  /** Payouts that a person ended, because their bank cannot say that it never received them. */
  readonly byHand: number
  /** Payments at account numbers of Providus. */
  readonly elsewhere: number
}

function cardsText({ charged, rows, theirs }: Evidence['cards']): string {
  const known = new Map(theirs.map((one) => [one.reference, one]))
  const ended = (status: string): string => count(rows.filter((row) => row.status === status).length)
  const waiting = rows.filter((row) => isWaiting(row, known.get(row.reference))).length
  return `${count(charged.length)} charged at Paystack: ${ended('APPROVED')} APPROVED, ${ended('DECLINED')} DECLINED, ${ended('REVERSED')} REVERSED, ${count(waiting)} that it never received and does not say so`
}

export function table(evidence: Evidence, { operations, seconds, byHand, elsewhere: atProvidus }: Figures): string {
  const { accepted, collected, rows, days, breaks, paid, others } = evidence
  const byRail = RAILS.map((rail) => {
    const own = rows.filter(({ connector }) => connector === rail)
    const ended = (status: string): string => count(own.filter((row) => row.status === status).length)
    return [rail, `${count(own.length)} payouts: ${ended('SUCCESS')} SUCCESS, ${ended('FAILED')} FAILED`] as const
  })
  const outages = outagesOf(evidence).map(
    ({ rail, struck, elsewhere, later }) =>
      [
        `${rail} fails`,
        `${count(struck)} payouts preferred it in that hour, ${count(elsewhere)} of them were paid by another bank; in its second half ${count(later.elsewhere)} of ${count(later.struck)}`,
      ] as const,
  )
  const own = paid.filter(({ name }) => !others.has(name))
  const twice = own.length - new Set(own.map(({ accountNumber }) => accountNumber)).size
  const known = new Set(rows.map(({ reference }) => reference))
  const lost = accepted.filter(({ reference }) => !known.has(reference)).length
  return tableText([
    [
      'operations',
      `${count(operations)}: ${count(accepted.length)} payouts, ${count(collected.length)} collections (${count(atProvidus)} at numbers of Providus), ${count(evidence.cards.charged.length)} cards, in ${Math.round(seconds)} s`,
    ],
    ...byRail,
    ...outages,
    ['cards', cardsText(evidence.cards)],
    ['by hand', `${count(byHand)} payouts were ended by a person: their bank never received them and cannot say so`],
    ['twice', `${twice}`],
    ['lost', `${lost}`],
    [
      'breaks',
      `${breaks.length} not explained; statements compared: ${RAILS.map((rail) => `${rail} ${days.filter(({ connector, compared }) => compared && connector === rail).length}`).join(', ')}`,
    ],
  ])
}
