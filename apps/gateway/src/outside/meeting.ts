// In live nothing is sent to a connector, and nothing that it says is taken, before it has said which bank it
// is. The one at BANK_URL has to before live starts. Another one may be away just then, as banks are now and
// then, and must not keep the others from starting: it stays shut and is asked again until it has said so.
import { lookEvery } from '#kit/clock.ts'
import type { Connector } from '#kit/ctx.ts'
import { type Log, seldom } from '#kit/log.ts'
import { CannotStart } from '#kit/process.ts'
import { BankAway, meetBank } from './bank.ts'
import type { Line } from './line.ts'

export type Meeting = {
  readonly connector: Connector
  readonly line: Line
  readonly key: () => string
  /** The settings of its address and of its keys. */
  readonly place: string
  readonly keys: string
}

const AGAIN_MS = 5_000

/** Whoever charges cards has them typed on a page of its own, has a key that they are sealed with, or is
 *  reached over mutual TLS. One that does not say that it charges cards is let in without, and gets none
 *  (features/collections/cards/issuer.ts). */
async function meetAcquirer({ connector: one, place, keys }: Meeting): Promise<void> {
  await one.ready()
  const { page = false, key } = one.cards() ?? {}
  if (one.claims('card') === true && !page && key === undefined && !one.mutualTls)
    throw new CannotStart(
      `${place} charges cards and would be sent their numbers in clear text; live needs its key to seal them with (cards.key), a card page of its own (cards.page), or mutual TLS (${keys.replace(/_KEY$/, '_CERTIFICATE_FILE')})`,
    )
}

async function meet(meeting: Meeting, met: Set<string>, log: Log): Promise<void> {
  const { connector, line, key, place, keys } = meeting
  const { bankName } = await meetBank(line, key(), { place, keys })
  met.add(connector.name)
  try {
    await meetAcquirer(meeting)
  } catch (error) {
    met.delete(connector.name)
    throw error
  }
  log.info('connected to the bank', { detail: bankName })
}

/** Answers how to end asking those that were away. */
export async function meetAll(
  [first, ...others]: readonly [Meeting, ...Meeting[]],
  met: Set<string>,
  log: Log,
): Promise<() => Promise<void>> {
  await meet(first, met, log)
  const away = new Set<Meeting>()
  for (const one of others)
    await meet(one, met, log).catch((error: unknown) => {
      if (!(error instanceof BankAway)) throw error
      away.add(one)
      log.error('a connector is not used until it has said which bank it is', { detail: error.message })
    })
  if (away.size === 0) return async () => undefined
  return lookEvery(AGAIN_MS, async () => {
    for (const one of away)
      await meet(one, met, log).then(
        () => away.delete(one),
        (error: unknown) =>
          seldom(log, 'a connector has still not said which bank it is', { detail: (error as Error).message }),
      )
  })
}
