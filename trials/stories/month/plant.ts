// Controls: faults put into a copy of the evidence, or into the rows it is read from, to prove that each
// check sees them.

import { violationsIn } from '../../../apps/gateway/test/kit/books.ts'
import type { Harness } from '../../../apps/gateway/test/kit/harness.ts'
import { withClient } from '../../chaos/kit/database.ts'
import type { CheckName } from './checks.ts'
import { type Evidence, type MerchantView, readWaiting } from './evidence.ts'

type Plant = { readonly finds: CheckName; readonly as: RegExp; readonly plant: (evidence: Evidence) => Evidence }

/** In the middle, where no beginning or end hides it. */
const middle = (list: readonly unknown[]): number => Math.floor(list.length / 2)
const without = <T>(list: readonly T[]): T[] => list.toSpliced(middle(list), 1)
const changed = <T>(list: readonly T[], change: (one: T) => T): T[] =>
  list.map((one, at) => (at === middle(list) ? change(one) : one))
const toMain =
  (change: (view: MerchantView) => Partial<MerchantView>) =>
  (evidence: Evidence): Evidence => ({
    ...evidence,
    views: { ...evidence.views, main: { ...evidence.views.main, ...change(evidence.views.main) } },
  })
/** A kobo more, of an amount as text. */
const koboMore = (text: string): string => `${text.slice(0, -1)}${(Number(text.at(-1)) + 1) % 10}`

const [LINES, STATEMENTS, EVENTS] = [
  'our books equal the bank line by line',
  'every statement verifies',
  'every event was delivered',
] as const satisfies CheckName[]

export const PLANTS: Readonly<Record<string, Plant>> = {
  'the bank left a line out': {
    finds: LINES,
    as: /the bank has not$/m,
    plant: (evidence) => ({ ...evidence, lines: without(evidence.lines) }),
  },
  'the bank booked another amount': {
    finds: LINES,
    as: /at the bank and .* with us/,
    plant: (evidence) => ({
      ...evidence,
      lines: changed(evidence.lines, (line) => ({ ...line, amount: koboMore(line.amount) })),
    }),
  },
  'the bank booked a line twice': {
    finds: LINES,
    as: /the bank has .* twice/,
    plant: (evidence) => ({ ...evidence, lines: [...evidence.lines, ...evidence.lines.slice(0, 1)] }),
  },
  'we did not book a line': {
    finds: LINES,
    as: /we have not$/m,
    plant: (evidence) => ({ ...evidence, postings: without(evidence.postings) }),
  },
  'we booked something of no line': {
    finds: LINES,
    as: /names no line of the bank/,
    plant: (evidence) => ({
      ...evidence,
      postings: changed(evidence.postings, (posting) => ({ ...posting, session: null })),
    }),
  },
  'our account at the bank holds a kobo more': {
    finds: LINES,
    as: /lines come to/,
    plant: (evidence) => ({ ...evidence, bankKobo: evidence.bankKobo + 1n }),
  },
  'a statement says another fee': {
    finds: STATEMENTS,
    as: /something in it was changed/,
    plant: toMain(({ statements }) => ({
      statements: changed(statements, (one) => ({
        ...one,
        lines: one.lines.map((line, at) => (at === 0 ? { ...line, fee: koboMore(line.fee) } : line)),
      })),
    })),
  },
  'a statement names another account': {
    finds: STATEMENTS,
    as: /something in it was changed/,
    plant: toMain(({ statements }) => ({
      statements: changed(statements, (one) => ({
        ...one,
        destination: { ...one.destination, accountNumber: '0000000000' },
      })),
    })),
  },
  'a settlement was left out of the chain': {
    finds: STATEMENTS,
    as: /it does not follow/,
    plant: toMain(({ statements, listed }) => ({ statements: without(statements), listed: without(listed) })),
  },
  'a kobo that was collected is in no settlement': {
    finds: STATEMENTS,
    as: /are not the .* collected/,
    plant: toMain(({ owed }) => ({ owed: { ...owed, collected: owed.collected + 1n } })),
  },
  'an event was not delivered': {
    finds: EVENTS,
    as: /was not delivered/,
    plant: toMain(({ received }) => ({ received: without(received) })),
  },
  'an event was delivered twice': {
    finds: EVENTS,
    as: /was delivered 2 times/,
    plant: toMain(({ received }) => ({ received: [...received, ...received.slice(0, 1)] })),
  },
  'an event was signed with another key': {
    finds: EVENTS,
    as: /signature that does not fit/,
    plant: toMain(() => ({ secretKey: 'another' })),
  },
  'an event has no number': {
    finds: EVENTS,
    as: /of the feed has the number/,
    plant: toMain(({ feed }) => ({ feed: without(feed) })),
  },
}

// ---- in the rows

/** A timer of the past that nobody came for; what is found then. Everything is as before afterwards. */
export async function plantOverdue(h: Harness): Promise<string[]> {
  const past = new Date(h.gateway.ctx.clock.now().getTime() - 60_000)
  const kind = 'planted'
  await h.sql('01', 'insert into agenda (kind, merchant_id, subject, due_at) values ($1, 0, 0, $2)', [kind, past])
  const found = await readWaiting(h)
  await h.sql('01', 'delete from agenda where kind = $1', [kind])
  return found.map(({ what, example }) => `${what}: ${example}`)
}

/** One entry on the account at the bank is a kobo more; what the books say of it. */
export const plantKobo = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    await client.query('begin')
    await client.query(`update entries set kobo = kobo + 1 where (transfer_id, account_id) =
      (select transfer_id, account_id from entries where account_id = 0 order by transfer_id desc limit 1)`)
    const found = await violationsIn(client)
    await client.query('rollback')
    return found.map(({ invariant }) => invariant)
  })
