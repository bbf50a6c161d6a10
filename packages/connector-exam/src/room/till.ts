// Card charges of the exam: how they are asked for, what the adapter says of them, and what the books of the
// acquirer have.
import { randomInt } from 'node:crypto'
import {
  CARD_PATHS_V2,
  CardAnswerV2,
  type CardAuthorisationV2,
  type CardInput,
  CardSettings,
} from '@cowrie/contract/bank/v2/cards'
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { Compile } from 'typebox/compile'
import { within } from '../kit/clock.ts'
import { must, Skip } from '../kit/result.ts'
import { seal } from '../kit/seal.ts'
import type { Call, CardInputStep, ChargeRow, Plan, TestCard } from '../subject/upstream.ts'
import type { Reply } from './adapter.ts'
import type { Room } from './room.ts'

/** A charge of the exam, and how long the books were before it. */
export type ChargeTrial = {
  readonly order: CardAuthorisationV2
  readonly kobo: bigint
  readonly card: TestCard
  readonly since: number
}

/** What the adapter said of a charge. `none`: no answer, or one that says nothing about the money. */
export type CardState = CardAnswerV2['state'] | 'none'
export type CardSaid = {
  readonly state: CardState
  /** For sentences: `DECLINED with 05`, `HTTP 500`, `nothing`. */
  readonly text: string
  readonly http: number | null
  readonly answer: CardAnswerV2 | null
}

export type Till = {
  readonly settings: CardSettings
  /** The first test card that does this; skips the check where the fake has none. */
  card(does: TestCard['does']): TestCard
  /** A new charge of an amount of its own, and how the acquirer will treat it. */
  trial(card: TestCard, plan?: Omit<Plan, 'on'>, more?: Partial<CardAuthorisationV2>): Promise<ChargeTrial>
  send(trial: ChargeTrial): Promise<CardSaid>
  inquire(trial: ChargeTrial): Promise<CardSaid>
  reverse(trial: ChargeTrial): Promise<CardSaid>
  /** Says what the adapter asks the payer for. */
  input(trial: ChargeTrial, asked: CardSaid, value: CardInputStep['right']): Promise<CardSaid>
  /** What the acquirer has of it. */
  rows(trial: ChargeTrial): Promise<readonly ChargeRow[]>
  /** The only row that it has of it; anything else is wrong. */
  row(trial: ChargeTrial): Promise<ChargeRow>
  /** Throws if an answer contradicts the books of the acquirer. */
  honest(trial: ChargeTrial, said: CardSaid, asked: string): Promise<void>
  /** Inquires until the answer is one of these, or the time is over. */
  learns(trial: ChargeTrial, wanted: readonly CardState[], why: string): Promise<CardSaid>
  /** Reverses until it is REVERSED: then the money is back in the books of the acquirer, once, or was never
   *  taken. */
  returns(trial: ChargeTrial, why: string): Promise<void>
}

const answers = Compile(CardAnswerV2)
const settingsCheck = Compile(CardSettings)

const times = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`)

/** Null: what was said and the books can both be true. PENDING and what asks for the payer decide nothing, so
 *  they never lie. */
export function cardLie(said: CardSaid, rows: readonly ChargeRow[], asked: string): string | null {
  if (rows.length > 1) return `The acquirer charged ${times(rows.length)}. Expected: once, whatever happens.`
  const [row] = rows
  const has =
    row === undefined ? 'the acquirer never took the charge' : `the books of the acquirer have it as ${row.state}`
  const wrong = (why: string): string => `The adapter answered ${asked} with ${said.text}, and ${has}. ${why}`
  const isNothing = row === undefined || row.state === 'DECLINED' || row.state === 'WAITING'
  switch (said.state) {
    case 'APPROVED':
      return row?.state === 'APPROVED' || row?.state === 'REVERSED'
        ? null
        : wrong('APPROVED means that the card was charged.')
    case 'DECLINED':
      return isNothing
        ? null
        : wrong('DECLINED means that it was not charged and never will be, so the payer pays again. Expected PENDING.')
    case 'REVERSED':
      return isNothing || row.state === 'REVERSED'
        ? null
        : wrong('REVERSED means that nothing was taken, or that all of it is back. Expected REVERSING.')
    case 'PENDING':
    case 'OTP':
    case 'INPUT':
    case 'CHALLENGE':
    case 'REVERSING':
    case 'none':
      return null
  }
}

function saidOf(reply: Reply | null, reference: string): CardSaid {
  if (reply === null) return { state: 'none', text: 'nothing', http: null, answer: null }
  const { status: http, json } = reply
  if (http !== 200) return { state: 'none', text: `HTTP ${http}`, http, answer: null }
  must(
    json !== null && answers.Check(json),
    `The adapter answered ${JSON.stringify(json)}. Expected an answer with chargeReference, state, code, message and card as the protocol has them.`,
  )
  must(
    json.chargeReference === reference,
    `The adapter answered about charge ${json.chargeReference}; it was asked about ${reference}.`,
  )
  const { state, code } = json
  const asksNothing = (state === 'OTP' && json.otp === undefined) || (state === 'INPUT' && json.input === undefined)
  must(!asksNothing, `The adapter answered ${state} without saying what the payer is asked for.`)
  return { state, text: code === '' ? state : `${state} with ${code}`, http, answer: json }
}

/** What the gateway keeps of a card. */
export const knownOf = ({ number, expiryMonth, expiryYear }: TestCard) => ({
  ...{ first6: number.slice(0, 6), last4: number.slice(-4) },
  ...{ expiryMonth, expiryYear },
})

/** As the gateway sends it: sealed for whoever has a key, with a PIN for whoever always takes one. */
export function typedCard(card: TestCard, { key, pin }: CardSettings): Partial<CardAuthorisationV2> {
  const { number, expiryMonth, expiryYear, cvv } = card
  const raw = { number, expiryMonth, expiryYear, cvv, ...(pin === 'ALWAYS' ? { pin: card.pin ?? '1234' } : {}) }
  return key === undefined ? { card: raw } : { sealedCard: seal(JSON.stringify(raw), key), knownOfCard: knownOf(card) }
}

/** No two charges of an exam are of the same amount: so the books of any acquirer tell them apart. */
const used = new Set<bigint>()
function newKobo(): bigint {
  for (;;) {
    // More than six digits, so that none looks like a code that a payer types.
    const kobo = BigInt(randomInt(1_000_000, 99_999_999))
    if (used.has(kobo)) continue
    used.add(kobo)
    return kobo
  }
}
const newReference = (): string => `EXAM${randomInt(1e12)}x${randomInt(1e9)}`

const newCharge = (kobo: bigint): CardAuthorisationV2 => ({
  chargeReference: newReference(),
  amount: nairaText(kobo),
  merchantName: 'Adire Stores',
  returnUrl: 'https://shop.example/back',
  payer: { name: 'Ada Obi', email: 'exam@example.com' },
})

/** Of an adapter that says what it needs for cards of version 2. */
async function settingsOf({ adapter }: Room): Promise<CardSettings> {
  const said = (await adapter.call('GET', CONNECTOR_PATHS.capabilities))?.json?.['cards']
  if (said === undefined) throw new Skip('the adapter has cards of version 1 only, and these checks are of version 2')
  must(
    settingsCheck.Check(said),
    `The capabilities have ${JSON.stringify(said)} as "cards". Expected as the protocol has it.`,
  )
  if (said.page === true) throw new Skip('cards are typed on a page of the connector, where the exam cannot type')
  return said
}

/** Skips where the fake has no such call, or cannot play it. */
export const needsOf = (room: Room, behaviour: Plan['behaviour'], on: Call): void => {
  if (behaviour !== 'pay') room.needs(behaviour, on)
}

type Asking = Pick<Till, 'send' | 'inquire' | 'reverse' | 'input'>

function createAsking({ adapter }: Room, { key }: CardSettings): Asking {
  const post = async (path: string, reference: string, message: unknown): Promise<CardSaid> =>
    saidOf(await adapter.call('POST', path, message), reference)
  const about =
    (path: string) =>
    ({ order: { chargeReference } }: ChargeTrial): Promise<CardSaid> =>
      post(path, chargeReference, { chargeReference })
  return {
    send: ({ order }) => post(CARD_PATHS_V2.authorisations, order.chargeReference, order),
    inquire: about(CARD_PATHS_V2.inquiries),
    reverse: about(CARD_PATHS_V2.reversals),
    input: ({ order: { chargeReference } }, { answer }, value) => {
      const kind = answer?.state === 'OTP' ? 'OTP' : (answer?.input?.kind ?? 'PIN')
      const inputId = answer?.otp?.id ?? answer?.input?.id ?? ''
      const isSealed = kind === 'PIN' && key !== undefined && typeof value === 'string'
      const typed = isSealed
        ? { sealedValue: seal(value, key) }
        : typeof value === 'string'
          ? { value }
          : { address: value }
      const message: CardInput = { chargeReference, inputId, kind, ...typed }
      return post(CARD_PATHS_V2.inputs, chargeReference, message)
    },
  }
}

export async function openTill(room: Room): Promise<Till> {
  const settings = await settingsOf(room)
  const { upstream, limits, playing } = room
  const asking = createAsking(room, settings)

  const rows: Till['rows'] = async ({ since, kobo }) =>
    (await upstream.charges()).charges.slice(since).filter((row) => BigInt(row.kobo) === kobo)
  const honest: Till['honest'] = async (trial, said, asked) => {
    const untrue = cardLie(said, await rows(trial), asked)
    must(untrue === null, untrue ?? '')
  }

  return {
    ...{ settings, ...asking, rows, honest },
    card: (does) => {
      const found = playing.cards?.find((one) => one.does === does)
      if (found === undefined) throw new Skip(`the fake bank has no test card that does "${does}"`)
      return found
    },
    trial: async (card, plan = { behaviour: 'pay' }, more = {}) => {
      needsOf(room, plan.behaviour, 'charge')
      const { charges } = await upstream.charges()
      // A plan that an earlier charge did not use up would be that of this one.
      await upstream.reset()
      if (plan.behaviour !== 'pay') await upstream.next({ on: 'charge', ...plan })
      const kobo = more.amount === undefined ? newKobo() : (parseNaira(more.amount) ?? 0n)
      return { order: { ...newCharge(kobo), ...typedCard(card, settings), ...more }, kobo, card, since: charges.length }
    },
    row: async (trial) => {
      const all = await rows(trial)
      const [row] = all
      must(
        row !== undefined && all.length === 1,
        `The acquirer charged ${nairaText(trial.kobo)} naira ${times(all.length).replace('0 times', 'never')}. Expected: once, and of this amount.`,
      )
      return row
    },
    learns: async (trial, wanted, why) => {
      const seen: CardSaid[] = []
      const found = await within(limits.learnMs, async () => {
        const said = await asking.inquire(trial)
        seen.push(said)
        return wanted.includes(said.state) ? said : null
      })
      must(
        found !== null,
        `${why}, and after ${limits.learnMs / 1000} s an inquiry was still answered with ${seen.at(-1)?.text ?? 'nothing'}. Expected ${wanted.join(' or ')}.`,
      )
      return found
    },
    returns: async (trial, why) => {
      const seen: CardSaid[] = []
      const done = await within(limits.learnMs, async () => {
        const said = await asking.reverse(trial)
        seen.push(said)
        await honest(trial, said, 'a reversal')
        if (said.state === 'REVERSED') return said
        const [row] = await rows(trial)
        // What is on its way back arrives.
        if (row !== undefined && row.refundedKobo !== '0') await upstream.settle(row.reference, 'REVERSED')
        return null
      })
      must(
        done !== null,
        `${why}, and after ${limits.learnMs / 1000} s a reversal was still answered with ${seen.at(-1)?.text ?? 'nothing'}. Expected REVERSED.`,
      )
      for (const { kobo, refundedKobo, state } of await rows(trial))
        must(
          state !== 'REVERSED' || refundedKobo === kobo,
          `${why}. Of ${kobo} kobo that were taken ${refundedKobo} were returned. Expected: all of it, once.`,
        )
    },
  }
}
