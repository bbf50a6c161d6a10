// Group 7: what the bank reports is believed only when it is the bank, and is not lost while the gateway is
// away.

import { DAY_MS } from '@cowrie/contract/kit/durations'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { Notice } from '../gateway/gateway.ts'
import { now } from '../kit/clock.ts'
import { must, Skip } from '../kit/result.ts'
import type { Room } from '../room/room.ts'
import { newAccount, newAmount } from '../room/samples.ts'
import type { Forgery } from '../subject/upstream.ts'
import type { Check, Group } from './group.ts'

type Money = { readonly reference: string; readonly accountNumber: string; readonly kobo: bigint; readonly at: string }

const reports = ({ playing }: Room, ...kinds: readonly string[]): void => {
  for (const kind of kinds)
    if (playing.webhooks?.includes(kind) !== true)
      throw new Skip(
        kind === 'forged' ? 'nobody else can report to this adapter' : `the fake bank cannot report "${kind}"`,
      )
}

async function book(room: Room, ageMs = 0, accountNumber = newAccount()): Promise<Money> {
  const kobo = parseNaira(newAmount()) ?? 0n
  const at = new Date(Math.floor((now().getTime() - ageMs) / 1000) * 1000).toISOString()
  const credit = { accountNumber, kobo: String(kobo), at, senderName: 'Ada Obi', narration: 'Exam' }
  return { reference: await room.upstream.credit(credit), accountNumber, kobo, at }
}

const of =
  ({ accountNumber }: Money) =>
  ({ kind, message }: Notice): boolean =>
    kind === 'credit' && message['accountNumber'] === accountNumber
const notified = ({ gateway }: Room, money: Money): readonly Notice[] => gateway.notices.filter(of(money))

async function delivered(room: Room, money: Money, what: string): Promise<Notice> {
  const notice = await room.noticed(of(money))
  must(
    notice !== null,
    `${what}, and the gateway had no notice of it after ${room.limits.noticeMs / 1000} s. Expected: it is kept and sent until the gateway has accepted it.`,
  )
  must(
    notice.kobo === money.kobo,
    `A credit of ${money.kobo} kobo was reported, and the gateway was notified of ${String(notice.message['amount'])} naira.`,
  )
  return notice
}

async function right(room: Room): Promise<void> {
  reports(room, 'credit')
  const money = await book(room)
  await room.upstream.report({ kind: 'credit', reference: money.reference })
  await delivered(room, money, 'The bank reported a credit')
}

async function repeated(room: Room): Promise<void> {
  reports(room, 'credit')
  const money = await book(room)
  await room.upstream.report({ kind: 'credit', reference: money.reference, times: 3 })
  await delivered(room, money, 'The bank reported a credit three times')
  await room.quiet()
  const names = new Set(
    notified(room, money).map(({ message }) => String(message['sessionId'] ?? message['reference'])),
  )
  must(
    names.size === 1,
    `The bank reported one credit three times, and the gateway was notified of it under ${names.size} references. Expected one: the gateway counts each reference.`,
  )
}

async function late(room: Room): Promise<void> {
  reports(room, 'credit')
  const money = await book(room, 3 * DAY_MS)
  await room.upstream.report({ kind: 'credit', reference: money.reference })
  const { message } = await delivered(room, money, 'The bank reported a credit of three days ago')
  must(
    Date.parse(String(message['paidAt'])) === Date.parse(money.at),
    `A credit of ${money.at} was reported late, and the gateway was notified that it was paid at ${String(message['paidAt'])}. Expected the time of the payment, in UTC.`,
  )
}

async function unknownNumber(room: Room): Promise<void> {
  reports(room, 'credit')
  const strange = newAccount()
  room.gateway.disown(strange)
  const money = await book(room, 0, strange)
  await room.upstream.report({ kind: 'credit', reference: money.reference })
  const next = await book(room)
  await room.upstream.report({ kind: 'credit', reference: next.reference })
  await delivered(room, next, 'The bank reported a credit after one for a number that nobody issued')
  must(
    notified(room, money).length > 0,
    'The bank reported a credit for a number that the gateway did not issue, and the gateway was not notified. Expected a notice: the money is there.',
  )
}

const forged = (forgery: Forgery): Check => ({
  name: `a credit with forged ${forgery === 'signature' ? 'signature' : 'contents'}`,
  needs: 'credits',
  run: async (room) => {
    reports(room, 'credit', 'forged')
    const money = await book(room)
    await room.upstream.report({ kind: 'credit', reference: money.reference, forged: forgery })
    // What was reported after it has arrived: so would it have, on a slow machine too.
    const next = await book(room)
    await room.upstream.report({ kind: 'credit', reference: next.reference })
    await delivered(room, next, 'The bank reported a credit after a forged one')
    await room.quiet()
    const wrong = notified(room, money).find(({ kobo }) => forgery === 'signature' || kobo !== money.kobo)
    must(
      wrong === undefined,
      forgery === 'signature'
        ? 'A report of a credit with a wrong signature was passed on to the gateway. Expected: it is refused.'
        : `A report of a credit was changed from ${money.kobo} kobo, and the gateway was notified of ${String(wrong?.message['amount'])} naira. Expected: it is refused, or the bank is asked.`,
    )
  },
})

const forgedOutcome = (forgery: Forgery): Check => ({
  name: `an outcome with forged ${forgery === 'signature' ? 'signature' : 'contents'}`,
  needs: 'payout',
  run: async (room) => {
    reports(room, 'outcome', 'forged')
    const trial = await room.trial({ behaviour: 'pend' })
    await room.send(trial)
    const { reference } = await room.row(trial)
    // The books say PENDING: whichever of the two arrives is untrue.
    const status = forgery === 'signature' ? 'SUCCESS' : 'FAILED'
    await room.upstream.report({ kind: 'outcome', reference, status, forged: forgery })
    await room.quiet()
    const said = await room.inquire(trial)
    must(
      said.status === 'PENDING',
      `A forged report said that a pending order had ended, and an inquiry was answered with ${said.text}. Expected PENDING: it is not the bank's word.`,
    )
    const { sessionId } = trial.order
    must(
      !room.gateway.notices.some(({ kind, message }) => kind === 'payout' && message['sessionId'] === sessionId),
      'A forged report said that a pending order had ended, and the gateway was notified. Expected no notice.',
    )
  },
})

/** A bank sends again what was not accepted; what was accepted it never sends again. */
async function again(room: Room, reference: string, statuses: readonly (number | null)[]): Promise<void> {
  const accepted = statuses.some((status) => status !== null && status >= 200 && status < 300)
  if (!accepted) await room.upstream.report({ kind: 'credit', reference })
}

const away = (mood: 'down' | 500, killed: boolean): Check => ({
  name: `credits while the gateway ${mood === 'down' ? 'is down' : 'answers 500'}${killed ? ', and kill -9' : ''}`,
  needs: 'credits',
  run: async (room) => {
    reports(room, 'credit')
    const restart = killed ? room.process() : null
    const [one, two] = [await book(room), await book(room)]
    room.gateway.be(mood)
    const statuses: (readonly (number | null)[])[] = []
    for (const { reference } of [one, two]) statuses.push(await room.upstream.report({ kind: 'credit', reference }))
    await room.quiet()
    await restart?.kill()
    await restart?.start()
    room.gateway.be(200)
    await again(room, one.reference, statuses[0] ?? [])
    await again(room, two.reference, statuses[1] ?? [])
    for (const money of [one, two])
      await delivered(room, money, 'The bank reported a credit while the gateway was away; it came back')
  },
})
export const webhooks: Group = {
  number: 7,
  name: 'webhooks',
  needs: null,
  checks: () => [
    { name: 'a credit', needs: 'credits', run: right },
    { name: 'a credit, reported three times', needs: 'credits', run: repeated },
    { name: 'a credit, reported three days late', needs: 'credits', run: late },
    { name: 'a credit for an unknown number', needs: 'credits', run: unknownNumber },
    ...(['signature', 'contents'] as const).flatMap((one) => [forged(one), forgedOutcome(one)]),
    away('down', false),
    away(500, false),
    away('down', true),
  ],
}
