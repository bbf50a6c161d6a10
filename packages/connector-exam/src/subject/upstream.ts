// The control interface of the fake bank, from the side of the exam. What a fake answers with 409 it cannot
// play, and the check is skipped.
import { CARD_INPUTS, CARD_STATES_V2, CardAddress } from '@cowrie/contract/bank/v2/cards'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseObject, send } from '../kit/http.ts'
import { Skip } from '../kit/result.ts'

export const BEHAVIOURS = ['pay', 'pend', 'mute', 'deaf', 'slow', 'status', 'html', 'half', 'code'] as const
export type Behaviour = (typeof BEHAVIOURS)[number]
export const CALLS = [
  ...(['order', 'inquiry', 'name', 'numbers', 'statement'] as const),
  ...(['charge', 'input', 'verify', 'refund'] as const),
] as const
export type Call = (typeof CALLS)[number]
export const OUTCOMES = ['SUCCESS', 'FAILED', 'PENDING', 'REVERSED'] as const
export type Outcome = (typeof OUTCOMES)[number]

export const Plan = Type.Object({
  on: Type.Enum([...CALLS]),
  behaviour: Type.Enum([...BEHAVIOURS]),
  times: Type.Optional(Type.Integer({ minimum: 1 })),
  status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
  code: Type.Optional(Type.String()),
  text: Type.Optional(Type.String()),
  delayMs: Type.Optional(Type.Integer({ minimum: 0 })),
  taken: Type.Optional(Type.Boolean()),
})
export type Plan = Static<typeof Plan>

const Code = Type.Object({
  code: Type.String(),
  on: Type.Enum(['order', 'inquiry']),
  outcome: Type.Enum([...OUTCOMES]),
})
export type Code = Static<typeof Code>

const CardInputStep = Type.Object({
  kind: Type.Enum([...CARD_INPUTS, 'OTP']),
  /** What leads on. */
  right: Type.Union([Type.String(), CardAddress]),
  /** What does not, where there is such a thing. */
  wrong: Type.Optional(Type.Union([Type.String(), CardAddress])),
})
export type CardInputStep = Static<typeof CardInputStep>
const TestCard = Type.Object({
  does: Type.Enum(['approve', 'decline', 'input', 'page']),
  number: Type.String({ pattern: '^\\d{12,19}$' }),
  expiryMonth: Type.String(),
  expiryYear: Type.String(),
  cvv: Type.String(),
  /** Sent with the card to an adapter that always takes one. */
  pin: Type.Optional(Type.String()),
  /** What a card is asked for that does `input`, in this order. */
  steps: Type.Optional(Type.Array(CardInputStep, { minItems: 1 })),
  /** With which a declined one is answered. */
  responseCode: Type.Optional(Type.String()),
})
export type TestCard = Static<typeof TestCard>
const CardCode = Type.Object({
  on: Type.Enum(['charge', 'verify']),
  code: Type.String(),
  text: Type.Optional(Type.String()),
  state: Type.Enum([...CARD_STATES_V2]),
  responseCode: Type.Optional(Type.String()),
})
export type CardCode = Static<typeof CardCode>

const Playing = Type.Object({
  behaviours: Type.Array(Type.String()),
  calls: Type.Array(Type.String()),
  webhooks: Type.Optional(Type.Array(Type.String())),
  codes: Type.Optional(Type.Array(Code)),
  missingAccount: Type.Optional(Type.Object({ bankCode: Type.String(), accountNumber: Type.String() })),
  statement: Type.Optional(Type.Object({ kinds: Type.Array(Type.String()), most: Type.Integer({ minimum: 1 }) })),
  cards: Type.Optional(Type.Array(TestCard)),
  cardCodes: Type.Optional(Type.Array(CardCode)),
})
export type Playing = Static<typeof Playing>

const BookRow = Type.Object({
  reference: Type.String(),
  kobo: Type.String({ pattern: '^\\d+$' }),
  status: Type.Enum([...OUTCOMES]),
  bankCode: Type.String(),
  accountNumber: Type.String(),
  at: Type.String(),
})
export type BookRow = Static<typeof BookRow>
const Books = Type.Object({ received: Type.Integer(), orders: Type.Array(BookRow) })
export type Books = Static<typeof Books>

export const CHARGE_STATES = ['APPROVED', 'DECLINED', 'PENDING', 'WAITING', 'REVERSED'] as const
const ChargeRow = Type.Object({
  reference: Type.String(),
  kobo: Type.String({ pattern: '^\\d+$' }),
  /** WAITING: for the payer. REVERSED: all of it is back. */
  state: Type.Enum([...CHARGE_STATES]),
  /** On its way back, or back. */
  refundedKobo: Type.String({ pattern: '^\\d+$' }),
  /** How many messages came with something that a payer has typed. */
  inputs: Type.Optional(Type.Integer()),
})
export type ChargeRow = Static<typeof ChargeRow>
const Charges = Type.Object({ received: Type.Integer(), charges: Type.Array(ChargeRow) })
export type Charges = Static<typeof Charges>

const Next = Type.Object({
  destination: Type.Optional(Type.Object({ bankCode: Type.String(), accountNumber: Type.String() })),
})
const Credited = Type.Object({ reference: Type.String() })
const Reported = Type.Object({ statuses: Type.Array(Type.Union([Type.Integer(), Type.Null()])) })

export type Forgery = 'signature' | 'contents'
export type Credit = {
  readonly accountNumber: string
  readonly kobo: string
  readonly at: string
  readonly senderName?: string
  readonly senderBvn?: string
  readonly narration?: string
}
export type Report = { readonly times?: number; readonly forged?: Forgery | null } & (
  | { readonly kind: 'outcome'; readonly reference: string; readonly status: Outcome }
  | { readonly kind: 'credit'; readonly reference: string }
  | { readonly kind: 'charge'; readonly reference: string }
)
export type BankLine = {
  readonly kind: string
  readonly kobo: string
  readonly at: string
  readonly reference: string
  readonly accountNumber: string | null
}

export type Upstream = {
  playing(): Promise<Playing>
  next(plan: Plan): Promise<Static<typeof Next>>
  books(): Promise<Books>
  charges(): Promise<Charges>
  settle(reference: string, status: Outcome): Promise<void>
  credit(credit: Credit): Promise<string>
  report(report: Report): Promise<readonly (number | null)[]>
  addLines(lines: readonly BankLine[]): Promise<void>
  reset(): Promise<void>
}

const CONTROL_MS = 30_000
const anything = Compile(Type.Object({}))
const checks = {
  playing: Compile(Playing),
  next: Compile(Next),
  books: Compile(Books),
  charges: Compile(Charges),
  credited: Compile(Credited),
  reported: Compile(Reported),
}

/** The fake is not the subject: a fault in it ends the exam, with its reason. */
class BrokenFake extends Error {
  override name = 'BrokenFake'
}

export function createUpstream(url: string): Upstream {
  const address = url.replace(/\/+$/, '')
  const call = async <T>(
    method: string,
    path: string,
    check: { Check(value: unknown): value is T },
    message?: unknown,
  ): Promise<T> => {
    const body = message === undefined ? {} : { body: JSON.stringify(message) }
    const headers = { 'content-type': 'application/json' }
    const reply = await send(address + path, { method, headers, ...body }, CONTROL_MS)
    if (reply === null)
      throw new BrokenFake(
        `The fake bank did not answer ${method} ${address}${path}. Is it running, and is "upstreamUrl" in the subject right?`,
      )
    const json = parseObject(reply.text)
    if (reply.status === 409) {
      const why = json?.['why']
      throw new Skip(`the fake bank cannot play this: ${typeof why === 'string' ? why : 'it did not say why'}`)
    }
    if (reply.status !== 200 || json === null)
      throw new BrokenFake(
        `The fake bank answered ${method} ${address}${path} with ${reply.status}; expected 200 and JSON, as the README of the exam describes it.`,
      )
    if (!check.Check(json))
      throw new BrokenFake(
        `The answer of the fake bank to ${method} ${address}${path} is not as the README of the exam describes it.`,
      )
    return json
  }
  return {
    playing: () => call('GET', '/exam', checks.playing),
    next: (plan) => call('POST', '/exam/next', checks.next, plan),
    books: () => call('GET', '/exam/orders', checks.books),
    charges: () => call('GET', '/exam/charges', checks.charges),
    settle: async (reference, status) => void (await call('POST', '/exam/settle', anything, { reference, status })),
    credit: async (credit) => (await call('POST', '/exam/credit', checks.credited, credit)).reference,
    report: async (report) => (await call('POST', '/exam/webhook', checks.reported, report)).statuses,
    addLines: async (lines) => void (await call('POST', '/exam/statement', anything, { lines })),
    reset: async () => void (await call('POST', '/exam/reset', anything, {})),
  }
}
