// The part of the tiny bank that charges cards: charges, what payers are asked for, questions, refunds. It
// refuses nothing that is sent twice but a reference, so that whoever sends twice is seen.
import type { ServerResponse } from 'node:http'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { Controls } from '../src/fake/controls.ts'
import type { Json } from '../src/kit/http.ts'
import type { CardCode, ChargeRow, Outcome, TestCard } from '../src/subject/upstream.ts'

const typed = { expiryMonth: '12', expiryYear: '2030', cvv: '408' } as const
export const CARDS: readonly TestCard[] = [
  { does: 'approve', number: '4084084084084081', ...typed },
  { does: 'decline', number: '4084080000005408', ...typed, responseCode: '05' },
  {
    ...{ does: 'input', number: '5060666666666666666', ...typed },
    steps: [
      { kind: 'PIN', right: '1234' },
      { kind: 'OTP', right: '123456', wrong: '654321' },
    ],
  },
  { does: 'page', number: '4084080000000409', ...typed },
]
export const CARD_CODES: readonly CardCode[] = (['charge', 'verify'] as const).flatMap((on): CardCode[] => [
  { on, code: 'K00', state: 'APPROVED' },
  { on, code: 'K01', state: 'PENDING' },
  { on, code: 'K05', state: 'DECLINED', responseCode: '05' },
  { on, code: 'K51', state: 'DECLINED', responseCode: '51' },
])

type Charge = { -readonly [Name in keyof ChargeRow]-?: ChargeRow[Name] } & {
  readonly card: TestCard | undefined
  at: number
}

const ENDS = { SUCCESS: 'APPROVED', FAILED: 'DECLINED', PENDING: 'PENDING', REVERSED: 'REVERSED' } as const
const ASKS: Readonly<Record<string, string>> = { PIN: 'K10', OTP: 'K11' }

function codeOf({ state, refundedKobo, card, at }: Charge): string {
  if (state === 'APPROVED') return refundedKobo === '0' ? 'K00' : 'K30'
  if (state === 'WAITING') return card?.does === 'page' ? 'K20' : (ASKS[card?.steps?.[at]?.kind ?? ''] ?? 'K01')
  return { DECLINED: 'K05', PENDING: 'K01', REVERSED: 'K31' }[state]
}

export function createAcquirer() {
  const charges: Charge[] = []
  const find = (reference: string): Charge | undefined => charges.find((one) => one.reference === reference)
  const bodyOf = (charge: Charge | undefined, code: string | null) => ({
    body: { code: code ?? (charge === undefined ? 'K25' : codeOf(charge)), page: 'https://bank.example/3ds' },
  })

  const take = (message: Json, status: Outcome): void => {
    const { number } = message['card'] as { readonly number: string }
    const card = CARDS.find((one) => one.number === number)
    const usual = card?.does === 'decline' ? 'DECLINED' : card?.does === 'approve' ? 'APPROVED' : 'WAITING'
    charges.push({
      ...{ reference: String(message['reference']), kobo: String(parseNaira(String(message['amount']))), card, at: 0 },
      ...{ state: status === 'SUCCESS' ? usual : ENDS[status], refundedKobo: '0', inputs: 0 },
    })
  }
  const goOn = (charge: Charge, value: unknown): void => {
    const steps = charge.card?.steps ?? []
    if (charge.state !== 'WAITING' || steps[charge.at]?.right !== value) return
    charge.at += 1
    if (charge.at === steps.length) charge.state = 'APPROVED'
  }

  return {
    rows: (): readonly ChargeRow[] =>
      charges.map(({ reference, kobo, state, refundedKobo, inputs }) => ({
        reference,
        kobo,
        state,
        refundedKobo,
        inputs,
      })),
    /** False: it is no charge. */
    settle: (reference: string, status: Outcome): boolean => {
      const found = find(reference)
      if (found !== undefined) found.state = ENDS[status]
      return found !== undefined
    },
    /** Calls below /charges. */
    play: (
      controls: Controls,
      response: ServerResponse,
      path: readonly string[],
      message: Json | null,
    ): Promise<void> => {
      const [reference = String(message?.['reference']), what] = path
      const found = find(reference)
      const answer = (code: string | null) => bodyOf(find(reference), code)
      if (message === null) return controls.play('verify', response, { answer })
      if (path.length === 0)
        return controls.play('charge', response, {
          take: (status) => void (found === undefined && take(message, status)),
          answer: (code) => answer(code ?? (find(reference) === undefined ? 'K99' : null)),
        })
      if (found !== undefined && what === 'inputs') found.inputs += 1
      const move = (): void => {
        if (found === undefined) return
        if (what === 'inputs') goOn(found, message['value'])
        else if (found.state === 'APPROVED' || found.state === 'REVERSED')
          found.refundedKobo = String(BigInt(found.refundedKobo) + BigInt(found.kobo))
      }
      return controls.play(what === 'inputs' ? 'input' : 'refund', response, { take: move, answer })
    },
  }
}
