// What strikes a running gateway, and when: drawn from the seed before the run begins, so that the same seed
// strikes the same way.
import { setTimeout as pause } from 'node:timers/promises'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { mulberry32, shuffled } from '../kit/random.ts'
import type { Member, RunningFleet } from '../rolling/fleet.ts'
import type { Database } from './database.ts'

const KINDS = [
  'kill api',
  'kill worker',
  'restart api',
  'restart worker',
  'freeze api',
  'freeze worker',
  'kill bank',
  'crash database',
  'move clock',
] as const
export type Kind = (typeof KINDS)[number] | 'failover'

export type Planned = {
  /** Milliseconds after the start. */
  readonly at: number
  readonly kind: Kind
  /** Of two that can be frozen, which; who must live through the whole run is never killed. */
  readonly which: 0 | 1
  /** How far the clock moves. */
  readonly moveSeconds: number
}
export type Struck = {
  readonly kind: Kind
  /** Milliseconds after the start: when it began and when what was struck was there again. */
  readonly at: number
  readonly until: number
  readonly note: string
  readonly fault: boolean
}

const FIRST_MS = 15_000
/** Longer than lags may take to come back (rules.ts), or nobody could say which strike they are of. */
export const GAP_SECONDS = 40
const GAP_SPREAD = 0.75
/** Before the end, so that everything can come back; the greater part of a run that is shorter than a minute
 *  and a half. */
const [CALM_MS, CALM_SHARE] = [45_000, 0.6]
const [MOVE_LEAST_SECONDS, MOVE_MOST_SECONDS] = [600, 5_400]
const FROZEN_MS = 4_000
const DOWN_MS = 200
const START_TRIES = 5

/** One of each kind in an order of the seed, then again; failovers at equal distances. `gap`: seconds between
 *  two, at least. */
export function planStrikes(seed: number, seconds: number, failovers: number, gap = GAP_SECONDS): Planned[] {
  const random = mulberry32(seed ^ 0x50a7)
  const plan: Planned[] = []
  let bag: Kind[] = []
  const calm = Math.min(CALM_MS, seconds * 1000 * CALM_SHARE)
  for (let at = Math.min(FIRST_MS, gap * 1000); at < seconds * 1000 - calm; ) {
    if (bag.length === 0) bag = shuffled(KINDS, random)
    plan.push({
      at: Math.round(at),
      kind: bag.pop() as Kind,
      which: random() < 0.5 ? 0 : 1,
      moveSeconds: Math.round(MOVE_LEAST_SECONDS + random() * (MOVE_MOST_SECONDS - MOVE_LEAST_SECONDS)),
    })
    at += gap * 1000 * (1 + random() * GAP_SPREAD)
  }
  const places = Array.from({ length: failovers }, (_, n) => Math.floor(((n + 1) * plan.length) / (failovers + 1)))
  return plan.map((planned, at) => (places.includes(at) ? { ...planned, kind: 'failover' } : planned))
}

export type Battlefield = {
  readonly stack: Stack
  readonly running: RunningFleet
  readonly database: Database
  readonly advance: (seconds: number) => Promise<void>
}

/** A start may meet a database that is still recovering. */
async function again(start: () => Promise<void>, clear: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start()
    } catch (error) {
      if (tries === START_TRIES) throw error
      await clear()
      await pause(DOWN_MS)
    }
  }
}

async function restart({ running: { fleet } }: Battlefield, member: Member, signal: NodeJS.Signals): Promise<string> {
  const { stopMs, startMs, ended } = await fleet.restart(member, signal)
  if (signal === 'SIGTERM' && ended !== 'code 0')
    throw new Error(`${member.name} ended with ${ended} after ${stopMs} ms`)
  return `${member.name}: gone after ${stopMs} ms, ready ${startMs} ms later`
}

async function freeze({ running: { fleet } }: Battlefield, member: Member): Promise<string> {
  const pid = fleet.pid(member)
  if (pid === undefined) throw new Error(`${member.name} is not there`)
  process.kill(pid, 'SIGSTOP')
  await pause(FROZEN_MS)
  process.kill(pid, 'SIGCONT')
  return `${member.name} for ${FROZEN_MS / 1000} s`
}

async function reviveBank({ stack }: Battlefield): Promise<void> {
  if (stack.pid('simulator') !== undefined) return
  await again(
    () => stack.start('simulator'),
    () => stack.kill('simulator'),
  )
}

/** An api learns of a moved clock when it starts; the sandbox has only the one that moved it. So the first
 *  leaves meanwhile. */
async function move({ running: { fleet, members }, advance }: Battlefield, seconds: number): Promise<string> {
  const first = members.find(({ part }) => part === 'api') as Member
  await fleet.end(first, 'SIGTERM')
  try {
    await advance(seconds)
  } finally {
    await fleet.start(first)
  }
  return `by ${Math.round(seconds / 60)} minutes, ${first.name} away meanwhile`
}

async function perform(field: Battlefield, { kind, which, moveSeconds }: Planned): Promise<string> {
  const [how, what] = kind.split(' ')
  const members = field.running.members.filter(({ part }) => part === what)
  const [first, chosen] = [members[0], members[which]]
  if (kind === 'kill bank') {
    await field.stack.kill('simulator')
    await pause(DOWN_MS)
    await reviveBank(field)
    return ''
  }
  if (kind === 'crash database' || kind === 'failover') {
    const note = kind === 'failover' ? await field.database.failover() : await field.database.crash(field.stack)
    await reviveBank(field)
    return note
  }
  if (kind === 'move clock') return move(field, moveSeconds)
  if (!first || !chosen) throw new Error(`there is no ${what}`)
  if (how === 'freeze') return freeze(field, chosen)
  return restart(field, first, how === 'kill' ? 'SIGKILL' : 'SIGTERM')
}

/** Strikes by the clock, one after the other; a move of the clock takes minutes beside a load, so workers are
 *  struck meanwhile. Answers when all is there again. */
export async function strikeAll(
  field: Battlefield,
  plan: readonly Planned[],
  startedAt: number,
  signal: AbortSignal,
): Promise<Struck[]> {
  const struck: Struck[] = []
  let moving: Promise<unknown> = Promise.resolve()
  const one = async (planned: Planned): Promise<void> => {
    const at = Date.now() - startedAt
    const told = await perform(field, planned).then(
      (note) => ({ note, fault: false }),
      (error: Error) => ({ note: error.message, fault: true }),
    )
    struck.push({ kind: planned.kind, at, until: Date.now() - startedAt, ...told })
    console.log(`  ${Math.round(at / 1000)} s: ${planned.kind} ${told.note}${told.fault ? ' (FAILED)' : ''}`)
  }
  for (const planned of plan) {
    await pause(Math.max(0, startedAt + planned.at - Date.now()), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
    if (!planned.kind.endsWith('worker')) await moving
    if (planned.kind === 'move clock') moving = one(planned)
    else await one(planned)
  }
  await moving
  return struck.toSorted((a, b) => a.at - b.at)
}
