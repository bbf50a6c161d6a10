// A month leaves and returns while payments go on: how long it took, how long its locks were held, and what
// payments took meanwhile. Of the command (cowrie run months) everything is here but the looking beforehand:
// rows of a load are no books.
import { realClock } from '../../../apps/gateway/src/kit/clock.ts'
import { asOwner, attachAsOwner, detachAsOwner, guardAsOwner } from '../../../tools/operator/months/leave.ts'
import type { Bench } from '../kit/stack.ts'
import { load, type Tools } from '../payments/measure.ts'

/** Payments begin before it and end after it. */
const LEAD_MS = 2_000

type Act = { readonly ms: number; readonly lockMs: number }
async function timed(act: () => Promise<number>): Promise<Act> {
  const since = performance.now()
  const lockMs = await act()
  return { ms: performance.now() - since, lockMs }
}

export async function leaveAndReturn(bench: Bench, tools: Tools, month: bigint, seconds: number): Promise<string[]> {
  const paying = load(bench, tools, 64, seconds)
  await new Promise((resolve) => setTimeout(resolve, LEAD_MS))
  const since = performance.now()
  const [left, returned] = await asOwner(bench.stack.databaseUrl('01'), async (owner) => [
    await timed(async () => {
      await guardAsOwner(owner, month)
      return detachAsOwner(owner, month, [], 'bench', realClock.now())
    }),
    await timed(() => attachAsOwner(owner, month)),
  ])
  const took = performance.now() - since
  const { paid, p99, seconds: paidFor } = await paying
  if (took > paidFor * 1_000 - LEAD_MS) throw new Error('payments ended before the month was back')
  const says = (name: string, { ms, lockMs }: Act): string =>
    `${name} ${(ms / 1000).toFixed(1)} s, of which ${lockMs} ms under locks`
  return [
    says(`month ${month} detached in`, left),
    says(`month ${month} attached in`, returned),
    `meanwhile ${paid} payments, none refused, p99 ${Math.round(p99)} ms`,
  ]
}
