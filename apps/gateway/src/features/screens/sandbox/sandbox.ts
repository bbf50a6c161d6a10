// Sandbox: the clock that a developer moves. Moving it walks from deadline to deadline: set the clock to the
// next one, do everything that is due then (in the gateway and at the simulator), and go on, so that each
// happens at its own instant and in order. Workers go on beside it; what one of them has in hand is waited
// for before the clock moves again.

import { type DueHandlers, nextDue, pendingWork, runDue } from '#core/agenda.ts'
import { saveOffset } from '#core/cells/sandbox-clock.ts'
import { sequence } from '#core/events.ts'
import { beforeClockMoves, ensureTimers, type Shared, sharedDueHandlers, type Walk } from '#core/feature.ts'
import { type Dispatcher, outstanding, sharedDispatchers } from '#features/events/webhooks/webhooks.ts'
import { type MovableClock, monotonicMs, pause, wallMs } from '#kit/clock.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'

export type SandboxParts = {
  readonly ctx: Ctx
  readonly clock: MovableClock
  readonly handlers: DueHandlers
  readonly dispatchers: ReadonlyMap<string, Dispatcher>
  /** Sees to the timers that no request makes. */
  readonly prepare: () => Promise<void>
  /** Puts on the agenda what follows from what has happened and has no timer of its own yet. */
  readonly plan: (cell: string) => Promise<unknown>
  /** Deadlines within so long are one step, as they are for a worker that is late. A developer sees each at
   *  its own instant; a programme that lives through thousands of them has no time for that. */
  readonly strideMs?: number
}

/** How long one instant may take: without any progress (a process died with work in hand), and in all. */
const STALLED_MS = 20_000
const INSTANT_MS = 60_000
const STEPS_MAX = 100_000

type Round = { readonly ran: number; readonly numbered: number; readonly quiet: boolean }

/** Most cells have nothing of most kinds at most instants: to ask takes two statements, to do nothing ten.
 *  What one kind of work makes for another is found in the next round. */
async function roundOf({ ctx, handlers }: SandboxParts, cell: string, dispatcher: Dispatcher): Promise<Round> {
  const { due, unnumbered } = await pendingWork(ctx, cell)
  let ran = due ? await runDue(ctx, cell, handlers) : 0
  const numbered = unnumbered ? await sequence(ctx, cell) : 0
  const dueAt = await outstanding(ctx, cell)
  const isOutstanding = dueAt !== null && dueAt <= ctx.clock.now()
  if (isOutstanding) ran += await dispatcher.dispatch()
  return { ran, numbered, quiet: !due && !unnumbered && !isOutstanding }
}

type Settled = { readonly ran: number; readonly quiet: boolean }

/** Everything that is due by now, in all cells, until nothing is left; answers how much that was. Cells do
 *  not wait for each other: nothing in one follows from another. Not quiet: beside requests that go on, or a
 *  process that died with work in hand, something is always left; then it ends after a time all the same. */
async function settle(parts: SandboxParts): Promise<Settled> {
  let ran = 0
  const began = monotonicMs()
  let movedAt = began
  for (;;) {
    const rounds = await Promise.all([...parts.dispatchers].map(([cell, of]) => roundOf(parts, cell, of)))
    const done = rounds.reduce((sum, round) => sum + round.ran, 0)
    ran += done
    if (rounds.every((round) => round.quiet)) return { ran, quiet: true }
    const now = monotonicMs()
    if (done + rounds.reduce((sum, round) => sum + round.numbered, 0) > 0) movedAt = now
    else await pause(10)
    if (now - movedAt > STALLED_MS || now - began > INSTANT_MS) return { ran, quiet: false }
  }
}

/** The next deadline after now, wherever it is kept. */
async function nextDeadline({ ctx, dispatchers, plan }: SandboxParts): Promise<Date | null> {
  const ofCell = async (cell: string): Promise<(Date | null)[]> => {
    await plan(cell)
    return [await nextDue(ctx, cell), await outstanding(ctx, cell)]
  }
  const ofCells = (await Promise.all([...dispatchers.keys()].map(ofCell))).flat()
  const known = [await ctx.simulator?.nextDue(), ...ofCells].filter((date): date is Date => date instanceof Date)
  return known.length === 0 ? null : new Date(Math.min(...known.map((date) => date.getTime())))
}

async function setClock({ ctx, clock }: SandboxParts, at: Date): Promise<number> {
  clock.setOffset(at.getTime() - wallMs())
  await saveOffset(ctx, clock.offsetMs())
  for (const cell of ctx.cells.keys()) ctx.wake(cell)
  return (await ctx.simulator?.setClock(clock.offsetMs()))?.ran ?? 0
}

/** Where the clock stops for a deadline: at it, or at the end of the stride that it is in. */
const stopFor = (deadline: number, strideMs: number, goal: number): number =>
  strideMs === 0 ? deadline : Math.min(goal, Math.ceil(deadline / strideMs) * strideMs)

/** Moves the clock to a moment. Answers how many deadlines fell due on the way. */
export async function advance(parts: SandboxParts, target: Date): Promise<{ now: Date; ran: number }> {
  const { clock, strideMs = 0 } = parts
  if (target.getTime() < clock.now().getTime() - 1000) fail('CLOCK_BACKWARDS')
  // The distance is kept as an offset, so that the time this walk takes does not shorten or lengthen it.
  const targetOffset = target.getTime() - wallMs()
  let { ran, quiet } = await settle(parts)
  // Where one instant never became quiet, none would: the rest of the way is one step.
  for (let step = 0; quiet && step < STEPS_MAX; step += 1) {
    const next = await nextDeadline(parts)
    const goal = wallMs() + targetOffset
    if (!next || next.getTime() > goal) break
    const stop = stopFor(next.getTime(), strideMs, goal)
    ran += await setClock(parts, new Date(Math.max(stop, clock.now().getTime())))
    const settled = await settle(parts)
    ran += settled.ran
    quiet = settled.quiet
  }
  clock.setOffset(targetOffset)
  ran += await setClock(parts, clock.now())
  ran += (await settle(parts)).ran
  return { now: clock.now(), ran }
}

/** One walk at a time: two would move the clock past each other's deadlines. */
function createWalk(parts: SandboxParts): Walk {
  let walking: Promise<unknown> = Promise.resolve()
  return (to) => {
    const walk = walking.then(parts.prepare).then(() => advance(parts, to(parts.clock.now())))
    walking = walk.catch(() => undefined)
    return walk
  }
}

export function walkIn(shared: Shared, strideMs = 0): Walk {
  const { sandbox } = shared
  if (sandbox === null) throw new Error('in live, time cannot be moved')
  return createWalk({
    ctx: shared.ctx,
    clock: sandbox.clock,
    handlers: sharedDueHandlers(shared),
    dispatchers: sharedDispatchers(shared),
    prepare: () => ensureTimers(shared),
    plan: (cell) => beforeClockMoves(shared, cell),
    strideMs,
  })
}
