// Group 9: no kobo is lost or made, in either direction.
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { now } from '../kit/clock.ts'
import { must, Skip } from '../kit/result.ts'
import type { Room } from '../room/room.ts'
import { newAccount } from '../room/samples.ts'
import type { Check, Group } from './group.ts'

/** Those that a floating-point number gets wrong: 1.15 × 100 is 114.99999999999999, 0.29 × 100 is
 *  28.999999999999996. */
const ODD = ['0.01', '0.29', '1.15', '4.35', '19.99', '64.10', '1005.05', '8192.01', '9999.99', '1234567.89']
const LARGE = ['99999999.99', '4503599627.37', '987654321098.77']

const koboOf = (naira: string): bigint => parseNaira(naira) ?? 0n

const paid = (amount: string): Check => ({
  name: `an order of ${amount}`,
  needs: 'payout',
  run: async (room) => {
    const trial = await room.trial(undefined, { amount })
    const said = await room.send(trial)
    const [row] = await room.rows(trial)
    if (row === undefined) {
      // A limit of the bank is not a rounding.
      await room.honest(trial, said, 'the order')
      if (said.status === 'FAILED') throw new Skip(`the bank does not pay ${amount}`)
    }
    must(
      row !== undefined && BigInt(row.kobo) === koboOf(amount),
      `An order of ${amount} naira stands in the books of the bank with ${row === undefined ? 'nothing' : nairaText(BigInt(row.kobo))}. Expected ${koboOf(amount)} kobo, exactly.`,
    )
  },
})

const received = (amount: string): Check => ({
  name: `a credit of ${amount}`,
  needs: 'credits',
  run: async (room) => {
    if (room.playing.webhooks?.includes('credit') !== true) throw new Skip('the fake bank cannot report a credit')
    const accountNumber = newAccount()
    const reference = await room.upstream.credit({
      ...{ accountNumber, kobo: String(koboOf(amount)), at: now().toISOString(), senderName: 'Ada Obi' },
    })
    await room.upstream.report({ kind: 'credit', reference })
    const notice = await room.noticed((one) => one.kind === 'credit' && one.message['accountNumber'] === accountNumber)
    must(notice !== null, `A credit of ${amount} naira was reported, and the gateway got no notice of it.`)
    must(
      notice.kobo === koboOf(amount),
      `A credit of ${amount} naira was reported, and the gateway was notified of ${String(notice.message['amount'])}. Expected ${koboOf(amount)} kobo, exactly.`,
    )
  },
})

async function noAmount(room: Room): Promise<void> {
  const trial = await room.trial(undefined, { amount: '0.00' })
  const said = await room.send(trial)
  must(
    said.http === 400 || said.status === 'FAILED',
    `An order of 0.00 naira was answered with ${said.text}. Expected 400.`,
  )
  must((await room.rows(trial)).length === 0, 'An order of 0.00 naira was sent to the bank. Expected: it is refused.')
}

export const amounts: Group = {
  number: 9,
  name: 'amounts',
  needs: null,
  checks: () => [
    ...[...ODD, ...LARGE].map(paid),
    { name: 'an order of nothing', needs: 'payout', run: noAmount },
    ...[...ODD, ...LARGE].map(received),
  ],
}
