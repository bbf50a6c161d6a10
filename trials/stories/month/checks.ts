// What must hold after the month. Each check is a pure function of the evidence, so that a fault can be
// planted in a copy of it; what it finds comes back in words.

import type { Received } from '../../../apps/gateway/test/kit/harness.ts'
import {
  chainFaults,
  feedFaults,
  koboOf,
  type Paid,
  readFeed,
  sealFaults,
  sumFaults,
} from '../../../packages/cli/src/settlements/proof.ts'
import { serviceSignature, webhookSignature } from '../../../packages/cli/src/sign.ts'
import {
  EVENT_NUMBER_HEADER,
  SERVICE_SIGNATURE_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '../../../packages/contract/src/events/delivery.ts'
import { nairaText } from '../../../packages/contract/src/kit/money.ts'
import type { Evidence, MerchantView } from './evidence.ts'
import { MERCHANTS } from './plan.ts'

export type Check = (evidence: Evidence) => string[]

/** Every line of the bank has its posting, of that amount, and every posting its line; each once. */
const checkLines: Check = ({ lines, postings, bankKobo, fundedKobo }) => {
  const faults: string[] = []
  const there = new Map<string, bigint>()
  for (const { kind, sessionId, direction, amount } of lines) {
    const name = `${kind} ${sessionId}`
    if (there.has(name)) faults.push(`the bank has ${name} twice`)
    there.set(name, (koboOf(amount) ?? 0n) * (direction === 'IN' ? 1n : -1n))
  }
  const here = new Map<string, bigint>()
  for (const { transfer, ours, kind, session, kobo } of postings) {
    const name = `${kind} ${session}`
    if (kind === null || session === null) faults.push(`transfer ${transfer} (${ours}) names no line of the bank`)
    else if (here.has(name)) faults.push(`we have ${name} twice`)
    here.set(name, BigInt(kobo))
    if (kind !== null && session !== null && !there.has(name))
      faults.push(`we have ${name} of ${nairaText(BigInt(kobo))}; the bank has not`)
  }
  for (const [name, kobo] of there) {
    const ours = here.get(name)
    if (ours === undefined) faults.push(`the bank has ${name} of ${nairaText(kobo)}; we have not`)
    else if (ours !== kobo) faults.push(`${name} is ${nairaText(kobo)} at the bank and ${nairaText(ours)} with us`)
  }
  const sum = [...there.values()].reduce((total, kobo) => total + kobo, 0n)
  if (sum !== bankKobo - fundedKobo)
    faults.push(`the bank's lines come to ${nairaText(sum)}, our account there to ${nairaText(bankKobo - fundedKobo)}`)
  return faults
}

// ---- settlements

function statementFaults({ statements, listed, feed, key, owed }: MerchantView): string[] {
  const faults: string[] = []
  const announced = readFeed(feed)
  const paid: Paid = new Set()
  let settled = 0n
  for (const [at, statement] of statements.entries()) {
    const item = listed[at]
    const found = [
      ...(item?.hash === statement.hash && item.status === statement.status ? [] : ['the list says otherwise']),
      ...sumFaults(statement),
      ...sealFaults(statement, key),
      ...chainFaults(statement, listed[at - 1]?.hash),
      ...feedFaults(statement, announced, paid),
    ]
    faults.push(...found.map((fault) => `settlement ${statement.number}: ${fault}`))
    if (statement.status !== 'RETURNED') settled += koboOf(statement.totals.net) ?? 0n
  }
  if (settled + owed.unsettled !== owed.collected)
    faults.push(
      `${nairaText(settled)} settled and ${nairaText(owed.unsettled)} open are not the ${nairaText(owed.collected)} collected`,
    )
  return faults
}

/** Every statement proves itself, by the code of `cowrie settlements verify`; and they pay what was
 *  collected, less fees. */
const checkStatements: Check = ({ views }) =>
  MERCHANTS.flatMap((name) => statementFaults(views[name]).map((fault) => `${name}: ${fault}`))

// ---- events

const header = ({ headers }: Received, name: string): string => String(headers[name.toLowerCase()] ?? '')

function isSigned(one: Received, secretKey: string): boolean {
  const [id, timestamp] = [header(one, WEBHOOK_ID_HEADER), header(one, WEBHOOK_TIMESTAMP_HEADER)]
  return (
    header(one, SERVICE_SIGNATURE_HEADER) === serviceSignature(secretKey, one.text) &&
    header(one, WEBHOOK_SIGNATURE_HEADER) === webhookSignature(secretKey, id, timestamp, one.text)
  )
}

function eventFaults({ feed, received, secretKey }: MerchantView): string[] {
  const faults: string[] = []
  for (const [at, { number }] of feed.entries())
    if (number !== at + 1) faults.push(`event ${at + 1} of the feed has the number ${number}`)
  const arrived = Map.groupBy(received, (one) => header(one, WEBHOOK_ID_HEADER))
  for (const { eventId, number, eventType, body } of feed) {
    const [one, ...more] = arrived.get(eventId) ?? []
    const name = `${eventType} ${number}`
    if (!one) faults.push(`${name} was not delivered`)
    else if (!isSigned(one, secretKey)) faults.push(`${name} has a signature that does not fit`)
    else if (header(one, EVENT_NUMBER_HEADER) !== String(number))
      faults.push(`${name} was delivered under another number`)
    else if (one.text !== JSON.stringify(body)) faults.push(`${name} was delivered with another body`)
    if (more.length > 0) faults.push(`${name} was delivered ${more.length + 1} times`)
    arrived.delete(eventId)
  }
  for (const eventId of arrived.keys()) faults.push(`${eventId} was delivered and is not in the feed`)
  return faults
}

/** Every event of every feed was delivered, signed, once, and nothing else was; the numbers have no gap. */
export const checkEvents: Check = ({ views }) =>
  MERCHANTS.flatMap((name) => eventFaults(views[name]).map((fault) => `${name}: ${fault}`))

/** Nothing waits that had its time. */
const checkWaiting: Check = ({ waiting }) =>
  waiting.map(({ what, count, example }) => `${what}: ${count}, for instance ${example}`)

export const CHECKS = {
  'our books equal the bank line by line': checkLines,
  'every statement verifies': checkStatements,
  'every event was delivered': checkEvents,
  'nothing is overdue': checkWaiting,
} as const satisfies Readonly<Record<string, Check>>
export type CheckName = keyof typeof CHECKS

/** What is wrong, by check; a few examples of each. */
export function judge(evidence: Evidence): Partial<Record<CheckName, string[]>> {
  const wrong: Partial<Record<CheckName, string[]>> = {}
  for (const [name, check] of Object.entries(CHECKS) as [CheckName, Check][]) {
    const faults = check(evidence)
    if (faults.length > 0) wrong[name] = [`${faults.length} in all`, ...faults.slice(0, 5)]
  }
  return wrong
}
