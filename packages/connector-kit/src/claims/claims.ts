// Credits that count only after the bank has confirmed them. Where a webhook is not signed over its body it
// proves nothing: it is a claim that the bank has booked something under an identifier. Only the identifier
// is kept. What the bank itself answers about it is what the gateway is notified of, in the commit that
// settles the claim.
//   claimed → asked: confirmed → notice | not known to the bank, or silence → asked again → given up after
//     days of "not known"
// A bank repeats a webhook a few times and then never again, so that what was claimed is asked about until
// the bank has said something.
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { checkSchema, inTransaction, type Store } from '../database/database.ts'
import { later } from '../kit/clock.ts'
import { ANSWER_WITHIN_MS } from '../kit/limits.ts'
import { createLoop } from '../kit/loop.ts'
import { createMeter, type Meter } from '../kit/meter.ts'
import type { Log } from '../log/log.ts'
import type { Limits, Unknown } from '../orders/mapping.ts'
import type { Notice } from '../outbox/notices.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { type ClaimRow, claimRows, type Standing } from './claims.sql.ts'

/** The bank's own word about an identifier. `absent`: it knows none such, which may change in a moment.
 *  Without a notice: whoever asked has written its own. */
export type Verified = { readonly kind: 'known'; readonly notice?: Notice } | { readonly kind: 'absent' } | Unknown

/** `counted`: the gateway will be notified. `repeated`: it was before. `open`: the bank has not confirmed it
 *  yet. */
export type Claimed = 'counted' | 'repeated' | 'open'

export type Claims = {
  /** Records the claim, and asks the bank at once. */
  take(id: string): Promise<Claimed>
  /** Records all of them, asks the bank about those that are new, for a few seconds at most, and says what is
   *  known then. */
  standingOf(ids: readonly string[]): Promise<ReadonlyMap<string, Standing['standing']>>
  /** Asks about what is due. Returns how many were confirmed. */
  verifyDue(): Promise<number>
  start(): void
  stop(): Promise<void>
  waiting(): Promise<{ readonly count: number; readonly oldest: Date | null }>
}

export type ClaimParts = Store & {
  readonly verify: (id: string, limits: Limits) => Promise<Verified>
  readonly outbox: Outbox
  readonly log: Log
  readonly meter?: Meter
  /** A bank waits only so long for the answer to its webhook. */
  readonly answerWithinMs?: number
}

const CALL_MS = 20_000
const LEASE_MS = 60_000
const LOOK_MS = 2_000
const WIDTH = 8
/** A quarter of its age: soon while the bank may only be late, seldom later, however often it is claimed
 *  again meanwhile. */
const PAUSE_LEAST_MS = 5_000
const PAUSE_MOST_MS = HOUR_MS
const pauseAt = (ageMs: number): number => Math.min(Math.max(ageMs / 4, PAUSE_LEAST_MS), PAUSE_MOST_MS)
/** Money that the bank does not know after three days was never there. */
const GIVE_UP_MS = 3 * DAY_MS
const ID = /^[!-~]{1,80}$/
const checkId = (id: string): void => {
  if (!ID.test(id)) throw new Error('An identifier of a claim has 1 to 80 printable characters')
}
/** Whoever asks about many has to answer somebody too. */
const STANDING_WITHIN_MS = 4_000

export function createClaims(parts: ClaimParts): Claims {
  const { pool, clock, verify, outbox, log, meter = createMeter(), answerWithinMs = ANSWER_WITHIN_MS } = parts
  const rows = claimRows(checkSchema(parts.schema))
  const underWay = new Set<Promise<boolean>>()

  const ask = async (id: string): Promise<Verified> => {
    const failed = (error: unknown): Verified => {
      log.error({ error }, 'a claim could not be verified')
      return { kind: 'unknown', why: 'the call to the bank failed' }
    }
    const said = await verify(id, { signal: AbortSignal.timeout(CALL_MS) }).catch(failed)
    meter.call('verify', said.kind)
    return said
  }

  /** One commit: the notice, and that the claim is settled. */
  const confirm = (id: string, notice: Notice | undefined): Promise<void> =>
    inTransaction(pool, async (client) => {
      if (notice !== undefined) await outbox.add(notice, client)
      await rows.settle(client, id, 'CONFIRMED', clock.now())
    })

  /** True: the bank has confirmed it. */
  const look = async ({ id, madeAt, attempts }: ClaimRow): Promise<boolean> => {
    const said = await ask(id)
    if (said.kind === 'known') {
      await confirm(id, said.notice)
      return true
    }
    const now = clock.now()
    const ageMs = now.getTime() - madeAt.getTime()
    if (said.kind === 'absent' && ageMs >= GIVE_UP_MS) {
      log.error({ attempts }, 'the bank has never known what was claimed; it is given up')
      await rows.settle(pool, id, 'GIVEN_UP', now)
      return false
    }
    log.warn({ said: said.kind, attempts }, 'the bank has not confirmed what was claimed')
    await rows.later(pool, id, later(now, pauseAt(ageMs)), said.kind === 'absent' ? now : null)
    return false
  }
  const looking = (row: ClaimRow): Promise<boolean> => {
    const started = look(row).finally(() => underWay.delete(started))
    underWay.add(started)
    return started
  }

  const lookAtDue = async (): Promise<readonly boolean[]> => {
    const now = clock.now()
    return Promise.all((await rows.due(pool, now, later(now, LEASE_MS), WIDTH)).map(looking))
  }
  const verifyDue = async (): Promise<number> => (await lookAtDue()).filter(Boolean).length
  const loop = createLoop(verifyDue, LOOK_MS, (error) => log.error({ error }, 'claims could not be read'))

  const soon = async (work: Promise<boolean>, withinMs = answerWithinMs): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, withinMs, false)
    })
    const logged = work.catch((error: unknown) => {
      log.error({ error }, 'a claim could not be settled')
      return false
    })
    return Promise.race([logged, limit]).finally(() => clearTimeout(timer))
  }

  return {
    take: async (id) => {
      checkId(id)
      const now = clock.now()
      const until = later(now, LEASE_MS)
      const row = (await rows.insert(pool, id, now, until)) ?? (await rows.again(pool, id, now, until))
      if (row !== null) return (await soon(looking(row))) ? 'counted' : 'open'
      return (await rows.state(pool, id)) === 'CONFIRMED' ? 'repeated' : 'open'
    },
    standingOf: async (ids) => {
      for (const id of ids) checkId(id)
      await rows.insertAll(pool, ids, clock.now())
      let isOver = false
      const asking = async (): Promise<boolean> => {
        while (!isOver && (await lookAtDue()).length > 0);
        return true
      }
      await soon(asking(), STANDING_WITHIN_MS)
      isOver = true
      return new Map((await rows.standing(pool, ids)).map(({ id, standing }) => [id, standing]))
    },
    verifyDue,
    start: () => loop.start(),
    stop: async () => {
      await loop.stop()
      await Promise.allSettled(underWay)
    },
    waiting: () => rows.waiting(pool),
  }
}
