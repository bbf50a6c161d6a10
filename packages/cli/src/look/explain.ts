// `cowrie explain <payment>`: its story in plain sentences with times, and what is open.
import { nairaWords } from '../exam/judge.ts'
import type { EventRecord, Gateway } from '../gateway.ts'
import { bold, dim, printLine, wrap } from '../words.ts'
import { type Payment, readPayment, stateSays } from './story.ts'

export type Sentence = { readonly at: string | null; readonly says: string }

const naira = (amount: number | string): string => {
  const kobo = BigInt(Math.round(Number(amount) * 100))
  return kobo < 0n ? `-${nairaWords(-kobo)}` : nairaWords(kobo)
}
const METHODS: Readonly<Record<string, string>> = {
  ACCOUNT_TRANSFER: 'by bank transfer',
  CARD: 'by card',
  USSD: 'by USSD',
  DIRECT_DEBIT: 'by direct debit',
  CASH: 'in cash at an agent',
}
const utc = (text: string): string => new Date(text).toISOString()

type Data = Readonly<Record<string, unknown>>
const dataOf = ({ body }: EventRecord): Data => ((body ?? {}) as { eventData?: Data }).eventData ?? {}

function happened(event: EventRecord): string {
  const data = dataOf(event)
  const rejection = data['paymentRejectionInformation'] as Data | undefined
  switch (event.eventType) {
    case 'SUCCESSFUL_TRANSACTION':
      return `${naira(data['amountPaid'] as number)} was counted ${METHODS[String(data['paymentMethod'])] ?? ''}: ${String(data['paymentStatus'])}.`
    case 'REJECTED_PAYMENT': {
      const next = rejection?.['nextStep'] === 'HOLD' ? 'held' : 'returned'
      return `${naira(data['amount'] as number)} came and was not counted (${String(rejection?.['rejectionReason'])}); it is ${next}.`
    }
    case 'REVERSED_TRANSACTION':
      return `The bank reversed ${naira(data['amountReversed'] as number)}; ${naira(data['amountLeft'] as number)} is left.`
    case 'SUCCESSFUL_REFUND':
      return `${naira(data['refundAmount'] as number)} was refunded.`
    case 'FAILED_REFUND':
      return `A refund of ${naira(data['refundAmount'] as number)} failed; the money is back in your wallet.`
    default:
      return `${event.eventType} happened.`
  }
}

function delivered(event: EventRecord): Sentence[] {
  if (event.deliveries.length === 0)
    return [
      {
        at: null,
        says: `Event ${event.number} (${event.eventType}) went to no endpoint: no address is set for it. \`cowrie listen\` may have brought it to your machine; that leaves no trace here.`,
      },
    ]
  return event.deliveries.map(({ url, state, attempts, nextAttemptAt }) => {
    const last = attempts.at(-1)
    const answer = last === undefined ? 'no attempt yet' : last.status === null ? 'no answer' : `${last.status}`
    const tries = attempts.length > 1 ? ` after ${attempts.length} attempts` : ''
    const next = nextAttemptAt === null ? '' : `; the next attempt is at ${nextAttemptAt}`
    const how = state === 'DELIVERED' ? `accepted it${tries}` : `has not accepted it (${answer}${tries})${next}`
    return { at: last?.at ?? null, says: `Event ${event.number} (${event.eventType}): ${url} ${how}.` }
  })
}

/** In the order of time; what has no time of its own stays behind what it belongs to. */
export function sentencesOf({ status, listed, events, refunds, settlement, unseen }: Payment): Sentence[] {
  const { paymentStatus, totalPayable, paymentReference } = status
  const asked = listed?.amount ?? Number(totalPayable)
  const list: Sentence[] = [
    {
      at: listed ? utc(listed.createdOn) : null,
      says: `${naira(asked)} was asked for under your reference ${paymentReference}.`,
    },
  ]
  for (const event of [...events].sort((a, b) => a.number - b.number))
    list.push({ at: event.createdAt, says: happened(event) }, ...delivered(event))
  if (events.length === 0 && listed?.completedOn !== undefined)
    list.push({ at: utc(listed.completedOn), says: `It became ${paymentStatus}.` })
  for (const { refundStatus, refundAmount, refundReference } of refunds)
    if (refundStatus !== 'COMPLETED' && refundStatus !== 'FAILED')
      list.push({ at: null, says: `Refund ${refundReference} of ${naira(refundAmount)} is ${refundStatus}.` })
  for (const { settlementInformation, beneficiaryCode } of settlement?.beneficiaries ?? [])
    if (settlementInformation !== null)
      list.push({
        at: null,
        says: `Settlement ${settlementInformation.settlementReference} paid ${naira(settlementInformation.settlementAmount)} of it to ${beneficiaryCode} on ${settlementInformation.settledDate}.`,
      })
  list.push({ at: null, says: `It is ${paymentStatus}. ${stateSays(paymentStatus)}` })
  if (listed?.flagged) list.push({ at: null, says: 'It is flagged: a bank reversed money of it.' })
  if (status.declineCode !== undefined) list.push({ at: null, says: `The card was declined: ${status.declineCode}.` })
  for (const what of unseen) list.push({ at: null, says: `Not looked at: ${what}.` })
  return list
}

export async function explain(gateway: Gateway, reference: string, json: boolean): Promise<void> {
  const payment = await readPayment(gateway, reference)
  const { transactionReference, paymentStatus, amountPaid, totalPayable } = payment.status
  const story = sentencesOf(payment)
  if (json) return printLine(JSON.stringify({ transactionReference, paymentStatus, amountPaid, totalPayable, story }))
  const title = `${bold(transactionReference)}  ${paymentStatus}  ${naira(amountPaid)} of ${naira(totalPayable)}`
  const lines = story.flatMap(({ at, says }) => {
    const [first = '', ...rest] = wrap(says, 21).map((line) => line.slice(21))
    return [
      `${dim((at ?? '').slice(0, 19).replace('T', ' ').padEnd(19))}  ${first}`,
      ...rest.map((line) => ' '.repeat(21) + line),
    ]
  })
  printLine([title, ...lines, dim('Times are UTC, by the clock of the gateway.')].join('\n'))
}
