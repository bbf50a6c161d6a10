// A person ends payouts that their bank says nothing about, having it from the bank in writing: the command of an adapter for that. The running adapter
// then notifies the gateway. Nothing is asked of the bank here, and nothing is sent to it.
import type { Store } from '../database/database.ts'
import type { Keys } from '../kit/signing.ts'
import type { Log } from '../log/log.ts'
import { createOutbox } from '../outbox/outbox.ts'
import type { Known, Unknown } from './mapping.ts'
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
const SAYS: Readonly<Record<Learned, string>> = {
  changed: 'ended',
  'known already': 'had ended so already',
  contradiction: 'HAS ENDED OTHERWISE; nothing was changed',
  'unknown session': 'IS NOT KNOWN HERE',
}
const asksNobody = async (): Promise<Unknown> => ({ kind: 'unknown', why: 'the bank is not asked here' })

/** A line for each. True when all of them have ended as the person says. */
export async function settleByHand({ write, ...parts }: ByHand, args: readonly string[]): Promise<boolean> {
  const [who = '', status = '', ...sessions] = args
  const said = Object.hasOwn(WORDS, status) ? WORDS[status] : undefined
  if (who.trim() === '' || said === undefined || sessions.length === 0) {
    write(USAGE)
    return false
  }
  const mapping = { forward: asksNobody, ask: asksNobody }
  const orders = createOrders({ ...parts, mapping, notify: createOutbox(parts).notify })
  let right = true
  for (const session of sessions) {
    const learned = await orders.settle(session, said, who)
    write(`${session} ${SAYS[learned]}`)
    if (learned === 'contradiction' || learned === 'unknown session') right = false
  }
  return right
}
