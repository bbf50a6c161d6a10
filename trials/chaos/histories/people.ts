// The operator's people, every morning: they look at what is open of each history, decide by the rules who
// answers for it, and sign by two. Where the rules say that a merchant answers and the gateway offers no
// claim on it, that is a finding; then they sign for the loss, so that the history goes on.
import { actorOf, approveAs, doAct, show } from '../../../apps/gateway/test/features/access/acts.ts'
import { DAY_MS } from '../../../packages/contract/src/kit/durations.ts'
import { parseNaira } from '../../../packages/contract/src/kit/money.ts'
import { type OpenBreak, wished } from './checks.ts'
import type { Life } from './life.ts'
import { CELL, nameOf, stateOf, type World } from './world.ts'

const ada = actorOf('operator', 'finance', 'ada@operator.example')
const bola = actorOf('operator', 'finance', 'bola@operator.example')

/** What two people of the operator's do. */
export async function signed(w: World, act: string, doing: Parameters<typeof doAct>[3]): Promise<void> {
  const { reference } = await doAct(w.h, ada, act, doing)
  await approveAs(w.h, bola, reference)
}

const OPEN = `select id::text, class, kind, session_id, merchant_id::text, opened_at from recon_breaks where status = 'OPEN'
  and (merchant_id = any($1) or session_id = any($2)) and opened_at < $3::timestamptz - interval '1 hour' order by opened_at, id`
/** A bank that has credited twice takes the second back within days: until then nobody touches it. */
const PATIENT_DAYS = 3
const ageInDays = (w: World, { opened_at: openedAt }: OpenBreak): number =>
  (w.h.gateway.ctx.clock.now().getTime() - openedAt.getTime()) / DAY_MS

async function attempt(
  w: World,
  id: string,
  correction: string,
  amount: string,
  merchant: string | undefined,
): Promise<string> {
  const doing = { cell: CELL, input: { id, correction, amount }, ...(merchant === undefined ? {} : { merchant }) }
  try {
    await signed(w, 'breaks.resolve', doing)
    return 'done'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

const WITH_THE_MERCHANT: ReadonlySet<string | null> = new Set(['COUNTED', 'TOPPED_UP', 'REASSIGNED'])
/** Money that was held, or went back to its payer, nobody was credited with; so of what was returned and is
 *  recalled as well. */
async function isCredited(w: World, life: Life, { kind, session_id }: OpenBreak): Promise<boolean> {
  const session =
    kind === 'REVERSAL' ? life.credits.find(({ reversal }) => reversal === session_id)?.session : session_id
  if ((kind !== 'CREDIT' && kind !== 'REVERSAL') || session === undefined) return true
  return WITH_THE_MERCHANT.has(await stateOf(w, nameOf('bank', session), nameOf('second', session)))
}

const sade = actorOf('operator', 'operations', 'sade@operator.example')
/** A large reversal that no statement has: one person ends it, once the statement of its day was compared. */
async function endByWords(w: World, one: OpenBreak): Promise<void> {
  if (one.class !== 'REVERSAL' || !one.kind.endsWith('_REVERSAL') || ageInDays(w, one) < PATIENT_DAYS) return
  await doAct(w.h, sade, 'breaks.close', { cell: CELL, input: { id: one.id }, reason: 'The bank took its word back' })
}

async function decide(w: World, life: Life, one: OpenBreak): Promise<void> {
  const name = `${one.class} ${one.kind}`
  const { difference, corrections } = (await show(w.h, ada, 'breaks.show', { cell: CELL, id: one.id })) as {
    difference: string | null
    corrections: string[]
  }
  if (difference === null) return endByWords(w, one)
  const size: bigint = parseNaira(difference.replace('-', '')) ?? 0n
  const kobo = difference.startsWith('-') ? 0n - size : size
  const amount = difference.replace('-', '')
  for (const correction of wished(one, kobo, await isCredited(w, life, one))) {
    const offered = corrections.includes(correction)
    const merchant = one.merchant_id === '0' && correction === 'TO_MERCHANT' ? life.merchant.apiKey : undefined
    const outcome = offered ? await attempt(w, one.id, correction, amount, merchant) : 'NOT_OFFERED'
    if (outcome === 'done') {
      if (kobo < 0n && correction !== 'FROM_MERCHANT') life.signedKobo += -kobo
      return
    }
    if (correction === 'FROM_MERCHANT')
      life.problems.push(
        `no claim: ${name} of ${difference}, the merchant answers for it, and FROM_MERCHANT is ${outcome}`,
      )
  }
}

/** What is open of these histories, by history. */
export async function openOf(w: World, lives: readonly Life[]): Promise<Map<Life, OpenBreak[]>> {
  const bySession = new Map(lives.flatMap((life) => life.credits.map(({ session }) => [session, life] as const)))
  const byMerchant = new Map(lives.map((life) => [String(life.merchant.id), life]))
  const values = [lives.map(({ merchant }) => merchant.id), [...bySession.keys()], w.h.gateway.ctx.clock.now()]
  const found = new Map<Life, OpenBreak[]>()
  for (const one of await w.h.sql<OpenBreak>(CELL, OPEN, values)) {
    const life = byMerchant.get(one.merchant_id) ?? bySession.get(one.session_id)
    if (life) found.set(life, [...(found.get(life) ?? []), one])
  }
  return found
}

export async function work(
  w: World,
  lives: readonly Life[],
  inParallel: <T>(items: readonly T[], each: (item: T) => Promise<void>) => Promise<void>,
): Promise<void> {
  const found = await openOf(w, lives)
  await inParallel([...found], async ([life, open]) => {
    for (const one of open) {
      if (one.class === 'DUPLICATE' && ageInDays(w, one) < PATIENT_DAYS) continue
      await decide(w, life, one)
    }
  })
}

/** One person alone tries to close a break by words: false where none has a difference. */
export async function closeAlone(w: World, life: Life): Promise<boolean> {
  for (const one of (await openOf(w, [life])).get(life) ?? []) {
    const { difference } = (await show(w.h, ada, 'breaks.show', { cell: CELL, id: one.id })) as {
      difference: string | null
    }
    if (difference === null) continue
    const doing = { cell: CELL, input: { id: one.id }, reason: 'It will be all right' }
    const outcome = await doAct(w.h, sade, 'breaks.close', doing).then(
      (made) => made.outcome,
      (error: { code?: string }) => error.code ?? 'failed',
    )
    if (outcome === 'DONE')
      life.problems.push(`one person closed a break of ${difference} by words: ${one.class} ${one.kind}`)
    return true
  }
  return false
}
