// Group 11: no key, card number or identity number in the log or at rest. The exam sends some of its own
// making, and looks for them.
import { randomInt } from 'node:crypto'
import { now, within } from '../kit/clock.ts'
import { must, Skip } from '../kit/result.ts'
import type { Room } from '../room/room.ts'
import { newAccount } from '../room/samples.ts'
import type { Group } from './group.ts'

export type Canary = { readonly name: string; readonly text: string }

/** A number of the Verve range that no bank has issued, with its check digit. */
function newCard(): string {
  const digits = `506099${String(randomInt(1e9)).padStart(9, '0')}`
  const sum = digits
    .split('')
    .reverse()
    .reduce((total, digit, at) => {
      const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
const newBvn = (): string => `222${String(randomInt(1e8)).padStart(8, '0')}`

const inGroups = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, '$1 ')

/** Sends what must not be kept, in orders and in reports of credits, and looks while a notice still waits. */
async function plant(room: Room): Promise<readonly Canary[]> {
  const canaries: Canary[] = []
  const add = (name: string, text: string): string => {
    canaries.push({ name, text })
    return text
  }
  if (room.capabilities.includes('payout')) {
    const card = add('a card number from the narration of an order', newCard())
    const trial = await room.trial(undefined, { narration: `Card ${inGroups(card)} refund` })
    await room.send(trial)
    const other = add('a card number from the narration of an order that the bank refused', newCard())
    if (room.playing.behaviours.includes('status'))
      await room.send(await room.trial({ behaviour: 'status', status: 500 }, { narration: `Card ${other}` }))
  }
  if (room.capabilities.includes('credits') && room.playing.webhooks?.includes('credit') === true) {
    const accountNumber = newAccount()
    const reference = await room.upstream.credit({
      ...{ accountNumber, kobo: '101500', at: now().toISOString(), senderName: 'Ada Obi' },
      senderBvn: add("the BVN of a credit's sender", newBvn()),
      narration: `Card ${add('a card number from the narration of a credit', newCard())}`,
    })
    room.gateway.be(500)
    const forged = room.playing.webhooks.includes('forged')
    if (forged) await room.upstream.report({ kind: 'credit', reference, forged: 'signature' })
    await room.upstream.report({ kind: 'credit', reference })
    await within(room.limits.quietMs, async () =>
      room.gateway.notices.some(({ message }) => message['accountNumber'] === accountNumber) ? true : null,
    )
  }
  return canaries
}

const secretsOf = ({ subject }: Room): readonly Canary[] => [
  ...subject.keys.map((text, at) => ({ name: `key ${at + 1} that is shared with the gateway`, text })),
  ...(subject.secrets ?? []).map((text, at) => ({ name: `secret ${at + 1} of the subject`, text })),
]

/** A few digits may be a part of any number, or the value of one: they count where they stand alone, as
 *  text. */
const isIn = (text: string, canary: string): boolean =>
  /^\d{1,7}$/.test(canary) ? RegExp(`(?<![\\w.:+-])${canary}(?![\\w.:+-])`).test(text) : text.includes(canary)

export const look = (where: string, text: string, canaries: readonly Canary[]): void => {
  const plain = text.replace(/(?<=\d)[ -](?=\d{4})/g, '')
  const found = canaries.filter((one) => isIn(text, one.text) || isIn(plain, one.text))
  must(
    found.length === 0,
    `${where} contains ${found.map(({ name }) => name).join(', and ')}. Expected: neither keys nor card numbers nor identity numbers nor codes are written anywhere.`,
  )
}

async function inTheLog(room: Room): Promise<void> {
  const { log } = room.subject
  if (log === undefined) throw new Skip(room.subject.lacks?.log ?? 'the subject does not give the log of the adapter')
  const canaries = [...(await plant(room)), ...secretsOf(room)]
  room.gateway.be(200)
  await room.quiet()
  look('The log', await log(), canaries)
}

async function atRest(room: Room): Promise<void> {
  const { rows } = room.subject
  if (rows === undefined)
    throw new Skip(room.subject.lacks?.rows ?? 'the subject does not give the rows of the database')
  const canaries = [...(await plant(room)), ...secretsOf(room)]
  look('The database', await rows(), canaries)
}

export const secrets: Group = {
  number: 11,
  name: 'secrets',
  needs: null,
  checks: () => [
    { name: 'in the log', run: inTheLog },
    { name: 'at rest', run: atRest },
  ],
}
