// A charge under one reference is made once, of the amount that was asked for, and an answer is true of the
// acquirer's books.
import { CARD_PATHS_V2 } from '@cowrie/contract/bank/v2/cards'
import { parseNaira } from '@cowrie/contract/kit/money'
import { must, Skip } from '../../kit/result.ts'
import type { Room } from '../../room/room.ts'
import { type ChargeTrial, knownOf, openTill, type Till, typedCard } from '../../room/till.ts'
import type { Check } from '../group.ts'

const OFTEN = 50

/** A charge that the acquirer has approved, and the adapter says so. */
export async function approved(till: Till): Promise<ChargeTrial> {
  const trial = await till.trial(till.card('approve'))
  const said = await till.send(trial)
  if (said.state !== 'APPROVED') await till.learns(trial, ['APPROVED'], 'The acquirer has approved a charge')
  return trial
}

async function approve(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await till.trial(till.card('approve'))
  const said = await till.send(trial)
  must(
    said.state === 'APPROVED',
    `The acquirer approved a charge, and the adapter answered ${said.text}. Expected APPROVED.`,
  )
  must(said.answer?.code === '00', `A charge that was approved was answered with ${said.text}. Expected the code 00.`)
  await till.row(trial)
  const asked = await till.inquire(trial)
  must(
    asked.state === 'APPROVED',
    `An inquiry about an approved charge was answered with ${asked.text}. Expected APPROVED.`,
  )
}

const amount = (naira: string): Check => ({
  name: `a charge of ${naira}`,
  run: async (room) => {
    const till = await openTill(room)
    const trial = await till.trial(till.card('approve'), undefined, { amount: naira })
    await till.send(trial)
    const { charges } = await room.upstream.charges()
    const booked = charges.slice(trial.since).map(({ kobo }) => kobo)
    must(
      booked.length === 1 && booked[0] === String(parseNaira(naira)),
      `A charge of ${naira} naira was sent, and the acquirer has ${booked.length === 0 ? 'none' : `${booked.join(' and ')} kobo`}. Expected ${parseNaira(naira)} kobo.`,
    )
  },
})

async function decline(room: Room): Promise<void> {
  const till = await openTill(room)
  const card = till.card('decline')
  const trial = await till.trial(card)
  const said = await till.send(trial)
  must(
    said.state === 'DECLINED',
    `The acquirer declined a charge, and the adapter answered ${said.text}. Expected DECLINED.`,
  )
  await till.honest(trial, said, 'the charge')
  const { responseCode = said.answer?.code } = card
  must(
    said.answer?.code === responseCode,
    `The acquirer declined a charge, and the adapter answered ${said.text}. Expected DECLINED with ${responseCode}.`,
  )
  await till.returns(trial, 'A charge that was declined is reversed')
}

async function atOnce(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await till.trial(till.card('approve'))
  const all = await Promise.all(Array.from({ length: OFTEN }, () => till.send(trial)))
  const { length } = await till.rows(trial)
  must(
    length === 1,
    `The same charge was sent ${OFTEN} times at once, and the acquirer charged ${length} times. Expected: once.`,
  )
  const answered = all.filter(({ state }) => state !== 'none')
  const strange = answered.find(({ state }) => state !== 'APPROVED' && state !== 'PENDING')
  must(
    answered.length > 0 && strange === undefined,
    `The same charge was sent ${OFTEN} times at once, and ${answered.length} were answered, one with ${strange?.text ?? 'nothing'}. Expected APPROVED or PENDING.`,
  )
  await till.learns(trial, ['APPROVED'], 'The acquirer has approved it')
}

async function afterwards(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await approved(till)
  for (let turn = 0; turn < 3; turn += 1) {
    const said = await till.send(trial)
    must(
      said.state === 'APPROVED',
      `A charge that was approved was sent again, and answered with ${said.text}. Expected APPROVED.`,
    )
  }
  await till.row(trial)
}

async function otherContents(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await approved(till)
  const { chargeReference } = trial.order
  const other = await till.trial(trial.card, undefined, { chargeReference })
  const said = await till.send(other)
  must(
    said.http === 409,
    `Another amount under a reference that was used was answered with ${said.text}. Expected HTTP 409: a reference names one charge for ever.`,
  )
  const { length } = await till.rows(other)
  must(length === 0, 'Another amount under a reference that was used was charged. Expected: it is refused.')
  await till.row(trial)
}

async function neverReceived(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await till.trial(till.card('approve'))
  const said = await till.inquire(trial)
  must(
    said.http === 404,
    `An inquiry about a charge that was never sent was answered with ${said.text}. Expected HTTP 404: the gateway then knows that it may give it up.`,
  )
}

async function notACharge(room: Room): Promise<void> {
  const till = await openTill(room)
  const { order } = await till.trial(till.card('approve'))
  const { received } = await room.upstream.charges()
  const reply = await room.adapter.call('POST', CARD_PATHS_V2.authorisations, { ...order, amount: '12.345' })
  must(
    reply?.status === 400,
    `A charge of 12.345 naira was answered with ${reply?.status ?? 'nothing'}. Expected 400: an amount has two decimals.`,
  )
  must((await room.upstream.charges()).received === received, 'A charge of 12.345 naira was sent to the acquirer.')
}

async function sealedOther(room: Room): Promise<void> {
  const till = await openTill(room)
  if (till.settings.key === undefined) throw new Skip('the adapter shows no key that cards are sealed with')
  const card = till.card('approve')
  const last4 = card.number.endsWith('1111') ? '2222' : '1111'
  const trial = await till.trial(card, undefined, {
    ...typedCard(card, till.settings),
    knownOfCard: { ...knownOf(card), last4 },
  })
  const said = await till.send(trial)
  must(
    said.state === 'DECLINED' && said.answer?.code === '30',
    `A sealed card that is another than "knownOfCard" says was answered with ${said.text}. Expected DECLINED with 30: people are shown those digits, and limits count by them.`,
  )
  must((await till.rows(trial)).length === 0, 'A sealed card that is another than "knownOfCard" says was charged.')
}

async function sealed(room: Room): Promise<void> {
  const till = await openTill(room)
  if (till.settings.key === undefined) throw new Skip('the adapter shows no key that cards are sealed with')
  const trial = await approved(till)
  must(trial.order.sealedCard !== undefined, 'The exam has not sealed the card.')
  await till.row(trial)
}

export const CHARGES: readonly Check[] = [
  { name: 'a charge that is approved', run: approve },
  { name: 'a sealed card', run: sealed },
  { name: 'a sealed card that is another than was said', run: sealedOther },
  { name: 'a card that is declined', run: decline },
  ...['1.15', '0.29', '12500.50'].map(amount),
  { name: `the same charge ${OFTEN} times at once`, run: atOnce },
  { name: 'the same charge after it was approved', run: afterwards },
  { name: 'another charge under the same reference', run: otherContents },
  { name: 'an inquiry about what was never sent', run: neverReceived },
  { name: 'what is not a charge', run: notACharge },
]
