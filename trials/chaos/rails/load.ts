// Whoever orders, as the gateway does it: once, and then questions until the outcome is known; what the
// adapter never received is barred first. Some send the same order again before they ask.
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Adapter, createAdapter, type Said } from '../../../packages/connector-exam/src/room/adapter.ts'
import type { PayoutOrder } from '../../../packages/contract/src/bank/connector.ts'
import { INSTITUTION, KEY, NOWHERE, type Rail } from './rails.ts'

export type Final = 'SUCCESS' | 'FAILED' | 'REVERSED'
export type By = 'the order' | 'a question' | 'a bar' | 'a person'
export type Ordered = {
  readonly rail: string
  readonly sessionId: string
  readonly reference: string
  /** How it ended; null as long as nobody has said so. */
  said: Final | null
  by: By | null
  /** What the adapter said when it was asked once more at the end. */
  atLast: string | null
}

const ANSWER_MS = 2_000
const PAUSE_MS = 40
/** So often the answer may be PENDING before the order is left to the end of the run. */
const QUESTIONS = 4
const SENT_AGAIN = 0.4
const FINAL: readonly string[] = ['SUCCESS', 'FAILED', 'REVERSED'] satisfies Final[]

const digits = (count: number): string => Array.from({ length: count }, () => String(randomInt(10))).join('')
const newOrder = (): PayoutOrder => ({
  sessionId: `${INSTITUTION}261118020500${digits(12)}`,
  amount: `${randomInt(100, 10_000)}.${digits(2)}`,
  destinationBankCode: '058',
  destinationAccountNumber: `01${digits(8)}`,
  destinationAccountName: 'Ada Obi',
  narration: 'Rails',
  senderName: 'Adire Stores',
  senderAccountNumber: '0112345678',
})

export const adapterOf = (rail: Rail): Adapter => createAdapter(rail.url, KEY, ANSWER_MS)

const end = (ordered: Ordered, { status }: Said, by: By): boolean => {
  if (!FINAL.includes(status)) return false
  Object.assign(ordered, { said: status, by })
  return true
}

/** One question; what the adapter never received is barred, and what the bar says is the outcome. */
export async function ask(adapter: Adapter, ordered: Ordered): Promise<Said> {
  const said = await adapter.inquire(ordered.sessionId)
  if (said.status !== 'UNKNOWN') {
    end(ordered, said, 'a question')
    return said
  }
  const barred = await adapter.bar(ordered.sessionId)
  end(ordered, barred, 'a bar')
  return barred
}

export type Load = {
  readonly ordered: readonly Ordered[]
  /** Answers that are not as the protocol has them. */
  readonly faults: readonly string[]
  /** Orders that have been sent to the adapter and are not answered yet. */
  underWay(): number
  /** No more orders; answers when those under way are dealt with. */
  stop(): Promise<void>
}

export function startLoad(rail: Rail, clients: number, random: () => number, signal: AbortSignal): Load {
  const adapter = adapterOf(rail)
  const all: Ordered[] = []
  const faults: string[] = []
  let [sending, stopping] = [0, false]

  const send = async (order: PayoutOrder): Promise<Said> => {
    sending += 1
    try {
      return await adapter.order(order)
    } finally {
      sending -= 1
    }
  }
  const pay = async (): Promise<void> => {
    const order = newOrder()
    const { sessionId } = order
    const reference = rail.referenceOf(sessionId)
    const ordered: Ordered = { rail: rail.name, sessionId, reference, said: null, by: null, atLast: null }
    all.push(ordered)
    if (end(ordered, await send(order), 'the order')) return
    if (random() < SENT_AGAIN && end(ordered, await send(order), 'the order')) return
    for (let pending = 0; ordered.said === null && pending < QUESTIONS && !signal.aborted; ) {
      await pause(PAUSE_MS)
      if ((await ask(adapter, ordered)).status === 'PENDING') pending += 1
    }
  }
  const work = async (): Promise<void> => {
    while (!stopping && !signal.aborted) {
      // While the adapter is away nobody begins: a gateway does not either.
      if (rail.url() === NOWHERE) await pause(PAUSE_MS)
      else await pay().catch((error: unknown) => faults.push(String(error)))
    }
  }
  const working = Promise.all(Array.from({ length: clients }, work))
  return {
    ordered: all,
    faults,
    underWay: () => sending,
    stop: async () => {
      stopping = true
      await working
    },
  }
}
