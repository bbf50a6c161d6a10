// Hundreds of races of credit, deallocation, expiry, cancellation and change of sources, by seed, in two
// processes and a worker: whatever comes first, every naira has exactly one owner, and the one who sent it
// got the true answer.
import { describe, expect, test } from 'vitest'
import { newSession, notice, outcomeOf, secondApi, tell } from '#test/bank/notices.ts'
import { cancel, invoice } from '#test/features/collections/invoices.ts'
import { reserve, reserveInvoice } from '#test/features/collections/reserved-accounts.ts'
import { deallocate, type Reserved, restrict } from '#test/features/collections/reserved-payments.ts'
import { type Harness, useHarness } from '#test/kit/harness.ts'
import { scatter } from '#test/kit/waiting.ts'
import { mulberry32 } from '../../../../../../trials/chaos/kit/random.ts'
import { sizeOf } from '../../../../../../trials/chaos/kit/sizes.ts'

const harness = useHarness()

/** The whole size is a thousand: `RACES=1000`. */
const RACES = sizeOf('RACES', 300)
const AT_ONCE = 25
const SEED = 20261115

type Number10 = { accountNumber: string; bankCode: string }
type Racer = { readonly kind: 'general' | 'invoice' | 'attached'; readonly numbers: Number10[] } & {
  readonly account?: Reserved
  readonly asked?: any
}

async function racerOf(h: Harness, kind: Racer['kind']): Promise<Racer> {
  const { main } = h.merchants
  if (kind === 'general') {
    const account = await reserve(h, main)
    return { kind, account, numbers: account.accounts }
  }
  const account = kind === 'attached' ? await reserveInvoice(h, main) : undefined
  const made = await invoice(h, main, account ? { accountReference: account.accountReference } : {})
  const { accountNumber, bankCode } = made
  return {
    kind,
    numbers: [{ accountNumber, bankCode }],
    asked: made,
    ...(account ? { account } : {}),
  }
}

/** The transaction of an invoice falls due now; the worker does the rest. */
const expireNow = (h: Harness, reference: string) =>
  h.sql(
    '01',
    `with t as (update transactions set expires_at = $2 where reference = $1 and status = 'PENDING' returning id),
       v as (update virtual_accounts v set expires_at = $2 from t where v.transaction_id = t.id)
     update agenda a set due_at = $2 from t where a.subject = t.id and a.kind = 'transactions.expire'`,
    [reference, h.gateway.ctx.clock.now()],
  )

describe('hundreds of races', () => {
  test(`of credit, deallocation, expiry, cancellation and change of sources (seed ${SEED})`, async () => {
    const h = harness()
    const { main } = h.merchants
    const chance = mulberry32(SEED)
    const random = (below: number) => Math.floor(chance() * below)
    const api = await secondApi(h)
    const worker = h.startWorker()
    const reported = new Map<string, string>()
    const wrong: string[] = []
    const ends: Record<string, number> = {}
    try {
      for (let done = 0; done < RACES; done += AT_ONCE) {
        const kinds = Array.from({ length: AT_ONCE }, () => (['general', 'invoice', 'attached'] as const)[random(3)]!)
        const racers = await Promise.all(kinds.map((kind) => racerOf(h, kind)))
        const steps = racers.flatMap((racer) => stepsOf(racer))
        await Promise.all(steps.map(({ after, run }) => scatter(after).then(run)))
      }
      function stepsOf({ account, asked, numbers }: Racer) {
        const soon = (run: () => Promise<unknown>) => ({ after: random(12), run })
        const credits = Array.from({ length: 1 + random(3) }, () => {
          const number = numbers[random(numbers.length)] as Number10
          const amount = asked && random(4) > 0 ? '2500.00' : `${100 + random(4_000)}.00`
          const body = notice(number.accountNumber, amount, { bankCode: number.bankCode, sessionId: newSession() })
          const twice = random(5) === 0
          const first = random(2) === 0
          return soon(async () => {
            const each = [first, ...(twice ? [!first] : [])].map((here) =>
              here ? tell(h, body).then(outcomeOf) : api.tell(body),
            )
            const outcomes = await Promise.all(each)
            const taken = outcomes.filter((outcome) => outcome !== 'REPEATED')
            if (taken.length !== 1) wrong.push(`${body.sessionId}: ${outcomes.join(', ')}`)
            reported.set(body.sessionId, taken[0] ?? 'nothing')
          })
        })
        const others: (() => Promise<unknown>)[] = []
        if (account && random(3) === 0) others.push(() => deallocate(h, main, account.accountReference))
        if (account && !asked && random(2) === 0)
          others.push(() =>
            restrict(h, main, account.accountReference, {
              restrictPaymentSource: random(4) > 0,
              allowedPaymentSources: { accountNames: ['Somebody Else'] },
            }),
          )
        if (asked && random(2) === 0) others.push(() => cancel(h, main, asked.invoiceReference))
        if (asked && random(2) === 0) others.push(() => expireNow(h, asked.transactionReference))
        return [...credits, ...others.map(soon)]
      }
      await h.until('nothing is left to expire', async () => {
        const due = await h.sql('01', `select from agenda where kind = 'transactions.expire' and due_at <= $1`, [
          h.gateway.ctx.clock.now(),
        ])
        return due.length === 0
      })
    } finally {
      await worker.stop()
      await api.close()
    }
    expect(wrong).toEqual([])
    const owners = await h.sql<{ session: string; outcome: string; owners: number; announced: number }>(
      '01',
      `select c.bank_reference as session, c.outcome,
         (case when c.outcome = 'COUNTED' and t.paid_kobo >= c.kobo then 1 else 0 end
           + (select count(*) from suspense_items s where s.bank_reference = c.bank_reference and s.kobo = c.kobo))::int as owners,
         (select count(*) from events e where e.object_id = c.transaction_id and e.body like '%' || c.bank_reference || '%'
           and e.type = case c.outcome when 'COUNTED' then 'SUCCESSFUL_TRANSACTION' else 'REJECTED_PAYMENT' end)::int as announced
       from inbound_credits c join transactions t on t.id = c.transaction_id where c.bank_reference = any($1::text[])`,
      [[...reported.keys()]],
    )
    expect(owners.length).toBe(reported.size)
    for (const { session, outcome, owners: count, announced: events } of owners) {
      ends[outcome] = (ends[outcome] ?? 0) + 1
      if (count !== 1 || events < 1 || outcome !== reported.get(session))
        wrong.push(`${session}: ${outcome}, reported ${reported.get(session)}, ${count} owners, ${events} events`)
    }
    expect(wrong).toEqual([])
    // Both ends must really be raced for, or the test shows nothing.
    expect(ends['COUNTED']).toBeGreaterThan(RACES / 4)
    expect(ends['SUSPENDED']).toBeGreaterThan(RACES / 4)
  }, 240_000)
})
