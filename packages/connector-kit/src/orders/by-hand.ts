// Two people end payouts that their bank says nothing about, having it from the bank in writing: the command
// of an adapter for that. A wrong FAILED pays twice, so the word of one person waits until another says the
// same. The running adapter then notifies the gateway. Nothing is asked of the bank here, and nothing is sent
// to it.
import { DAY_MS } from '@cowrie/contract/kit/durations'
import type { Store } from '../database/database.ts'
import type { Keys } from '../kit/signing.ts'
import type { Log } from '../log/log.ts'
import { createOutbox } from '../outbox/outbox.ts'
import { firstWords } from './by-hand.sql.ts'
import type { Known, Unknown } from './mapping.ts'
import { orderRows } from './orders.sql.ts'
import { createOrders, type Learned } from './orders.ts'

export type ByHand = Store & {
  readonly gatewayUrl: string
  readonly keys: Keys
  readonly log: Log
  readonly write: (line: string) => void
}

const WORDS: Readonly<Partial<Record<string, Known>>> = {
  SUCCESS: { kind: 'known', status: 'SUCCESS', code: '00' },
  FAILED: { kind: 'known', status: 'FAILED', code: '21' },
}
const USAGE = 'Who says so, what became of them, and which: "Ada Obi" SUCCESS|FAILED <session>…'
/** Then the two say it again. */
const GOOD_MS = DAY_MS
const SAYS: Readonly<Record<Learned | 'waits', string>> = {
  waits: 'waits for another person to say the same, within a day',
  changed: 'ended',
  'known already': 'had ended so already',
  contradiction: 'HAS ENDED OTHERWISE; nothing was changed',
  'unknown session': 'IS NOT KNOWN HERE',
}
const asksNobody = async (): Promise<Unknown> => ({ kind: 'unknown', why: 'the bank is not asked here' })

/** A line for each. True when all of them have ended as the person says, or wait for another. */
export async function settleByHand({ write, ...parts }: ByHand, args: readonly string[]): Promise<boolean> {
  const [who = '', status = '', ...sessions] = args
  const said = Object.hasOwn(WORDS, status) ? WORDS[status] : undefined
  if (who.trim() === '' || said === undefined || sessions.length === 0) {
    write(USAGE)
    return false
  }
  const mapping = { forward: asksNobody, ask: asksNobody }
  const orders = createOrders({ ...parts, mapping, notify: createOutbox(parts).notify })
  const rows = orderRows(parts.schema, 'orders')
  const words = firstWords(parts.schema)
  const say = async (session: string): Promise<Learned | 'waits'> => {
    const row = await rows.find(parts.pool, session)
    const ended = row?.state === 'BARRED' || (row?.state === 'KNOWN' && row.status !== 'PENDING')
    if (row === null || ended) return orders.settle(session, said, who) // only compared
    const now = parts.clock.now()
    const first = await words.other(parts.pool, session, status, who, new Date(now.getTime() - GOOD_MS))
    if (first !== null) return orders.settle(session, said, `${first} and ${who.trim()}`)
    await words.keep(parts.pool, session, status, who, now)
    return 'waits'
  }
  let right = true
  for (const session of sessions) {
    const learned = await say(session)
    write(`${session} ${SAYS[learned]}`)
    if (learned === 'contradiction' || learned === 'unknown session') right = false
  }
  return right
}
