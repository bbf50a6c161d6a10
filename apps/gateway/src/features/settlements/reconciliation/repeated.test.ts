// The same day again, at once, from the middle, after days of silence; many lines; and a notice that comes at
// the same moment.
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_TIMER } from '#core/routing/statement-days.ts'
import { createSealing } from '#features/collections/transactions/blocks.ts'
import type { Ctx } from '#kit/ctx.ts'
import { events, notice, outcomeOf, reverseCredit, suspense, tell, waiting } from '#test/bank/notices.ts'
import {
  bankDatabase,
  breaks,
  brief,
  fault,
  handlersOf,
  night,
  noon,
} from '#test/features/settlements/reconciliation.ts'
import { advance, type Harness, paid, status, useHarness } from '#test/kit/harness.ts'
import { scatter } from '#test/kit/waiting.ts'
import { reconcile } from './reconciliation.ts'

const harness = useHarness()
beforeAll(() => noon(harness()))

/** Every row that reconciliation, or money, leaves. */
const footprint = async (h: Harness) => {
  const tables = [
    ...['statement_days', 'statement_lines', 'recon_breaks', 'inbound_credits', 'credit_reversals', 'transfers'],
    ...['entries', 'state_changes', 'events', 'agenda'],
  ]
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')
  return (await h.sql('01', `select ${counts}`))[0]
}
const lost = async (h: Harness) => {
  const made = await waiting(h, h.merchants.main)
  const { sessionId } = (await h.pay(made.accountNumber, 1500, { scenario: 'lost' })).json
  return { ...made, sessionId: sessionId as string }
}
/** The notice that the bank did not send, as it would have. */
const itsNotice = ({ accountNumber, sessionId }: { accountNumber: string; sessionId: string }) => ({
  ...notice(accountNumber, '1500.00'),
  sessionId,
})

describe('again', () => {
  test('the same day, five times at once, changes nothing', async () => {
    const h = harness()
    await lost(h)
    await fault(h, { fault: 'amount', sessionId: (await paid(h, h.merchants.main)).sessionId })
    const day = await night(h)
    const before = await footprint(h)
    const handlers = handlersOf(h.gateway)
    await Promise.all([1, 2, 3, 4, 5].map(() => reconcile(h.gateway.ctx, '01', day, handlers)))
    expect(await footprint(h)).toEqual(before)
    await noon(h)
  })

  test('killed after any of its steps and begun again, it comes to the same end', async () => {
    const h = harness()
    const made = await lost(h)
    const wrong = await paid(h, h.merchants.main)
    await fault(h, { fault: 'missing', sessionId: wrong.sessionId })
    // The night comes with the day's work failing at every statement in turn: the bank is gone, then the
    // database is.
    const { ctx } = h.gateway
    const handlers = handlersOf(h.gateway)
    const day = (await h.sql('01', `select to_char(max(day), 'YYYY-MM-DD') as day from statement_days`))[0]
      .day as string
    const midnight = Date.parse(`${day}T23:00:00Z`)
    await advance(h, Math.ceil((midnight - ctx.clock.now().getTime()) / 1000) + 60)
    const ends: (string | boolean)[] = []
    for (let allowed = 0; ends.at(-1) !== true && allowed < 60; allowed += 1) {
      const end = await reconcile(dyingAfter(ctx, allowed), '01', day, handlers).catch((error: Error) => error.message)
      ends.push(end)
    }
    expect(new Set(ends)).toEqual(new Set(['killed', true]))
    await night(h)
    expect(brief(await breaks(h, made.sessionId))).toEqual(['MISSING_HERE CREDIT RESOLVED'])
    expect(brief(await breaks(h, wrong.sessionId))).toEqual(['TIMING CREDIT OPEN'])
    expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PAID')
    const timers = await h.sql('01', 'select subject from agenda where kind = $1', [DAY_TIMER])
    expect(timers).toHaveLength(1)
    await noon(h)
  })

  test('days that nobody looked at are caught up, one after the other', async () => {
    const h = harness()
    const made = await lost(h)
    const [{ id, subject }] = await h.sql('01', 'select id, subject from agenda where kind = $1', [DAY_TIMER])
    await h.sql('01', `update agenda set due_at = due_at + interval '5 days' where id = $1`, [id])
    await night(h, 4)
    expect(await breaks(h, made.sessionId)).toEqual([])
    await night(h, 3)
    expect(brief(await breaks(h, made.sessionId))).toEqual(['MISSING_HERE CREDIT RESOLVED'])
    const [timer] = await h.sql('01', 'select subject from agenda where kind = $1', [DAY_TIMER])
    expect(Number(timer.subject) - Number(subject)).toBe(7)
    await noon(h)
  })

  test('a statement with other totals than its lines is not compared; it is read again from the beginning', async () => {
    const h = harness()
    const made = await lost(h)
    const { ctx } = h.gateway
    const bank = {
      ...ctx.bank,
      statement: async (asked: { date: string; after: string | null }) => {
        const outcome = await ctx.bank.statement(asked)
        return outcome.kind === 'yes' ? { ...outcome, value: { ...outcome.value, lines: [] } } : outcome
      },
    }
    const cut = { ...ctx, connectors: { ...ctx.connectors, of: () => bank } }
    const [{ day }] = await h.sql('01', `select to_char(max(day), 'YYYY-MM-DD') as day from statement_days`)
    const midnight = Date.parse(`${day}T23:00:00Z`)
    await advance(h, Math.ceil((midnight - ctx.clock.now().getTime()) / 1000) + 60)
    await expect(reconcile(cut, '01', day, handlersOf(h.gateway))).rejects.toThrow('other totals')
    expect(await breaks(h, made.sessionId)).toEqual([])
    await night(h)
    expect(brief(await breaks(h, made.sessionId))).toEqual(['MISSING_HERE CREDIT RESOLVED'])
    await noon(h)
  })
})

/** A context whose every statement and call counts; after so many of them everything fails, as in a process
 *  that was killed. */
function dyingAfter(ctx: Ctx, allowed: number): Ctx {
  let used = 0
  const step = (): void => {
    used += 1
    if (used > allowed) throw new Error('killed')
  }
  const cells = new Map(
    [...ctx.cells].map(([id, cell]) => [
      id,
      {
        ...cell,
        count: () => {
          step()
          cell.count()
        },
      },
    ]),
  )
  const bank = {
    ...ctx.bank,
    statement: (asked: { date: string; after: string | null }) => {
      step()
      return ctx.bank.statement(asked)
    },
  }
  return { ...ctx, cells, connectors: { ...ctx.connectors, of: () => bank } }
}

describe('a lost notice', () => {
  test('that comes at the moment it is found is counted once, whoever is first', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const all = await Promise.all(Array.from({ length: 12 }, () => lost(h)))
    const [{ day }] = await h.sql('01', `select to_char(max(day), 'YYYY-MM-DD') as day from statement_days`)
    const midnight = Date.parse(`${day}T23:00:00Z`)
    await advance(h, Math.ceil((midnight - ctx.clock.now().getTime()) / 1000) + 60)
    const [, ...answers] = await Promise.all([
      reconcile(ctx, '01', day, handlersOf(h.gateway)),
      ...all.map(async (made, at) => {
        await scatter(at * 12)
        return tell(h, itsNotice(made))
      }),
    ])
    for (const answer of answers) expect(['COUNTED', 'SUSPENDED', 'REPEATED']).toContain(outcomeOf(answer))
    await advance(h, 1)
    for (const { transactionReference, sessionId } of all) {
      const credits = await h.sql('01', 'select outcome from inbound_credits where bank_reference = $1', [sessionId])
      expect(credits).toHaveLength(1)
      // A notice that comes first is judged as of now, as notices are: the account has expired by then.
      const { paymentStatus } = await status(h, h.merchants.main, transactionReference)
      expect(paymentStatus).toBe(credits[0].outcome === 'COUNTED' ? 'PAID' : 'EXPIRED')
      expect((await events(h, h.merchants.main, transactionReference)).length).toBe(1)
    }
    await night(h)
    for (const { sessionId } of all)
      for (const { status: state } of await breaks(h, sessionId)) expect(state).toBe('RESOLVED')
    await noon(h)
  })

  test('that was reversed before anybody knew of it: credited and reversed, in that order', async () => {
    const h = harness()
    const made = await lost(h)
    const back = `000058${'7'.repeat(24)}`
    await bankDatabase(h, (client) =>
      client.query(
        `insert into credit_reversals (session_id, reversal_session_id, reason, reversed_at) values ($1, $2, 'A mistake', $3)`,
        [made.sessionId, back, new Date(h.gateway.ctx.clock.now().getTime() + 1000)],
      ),
    )
    await night(h)
    expect(brief(await breaks(h, made.sessionId))).toEqual(['MISSING_HERE CREDIT RESOLVED'])
    expect(brief(await breaks(h, back))).toEqual(['REVERSAL REVERSAL RESOLVED'])
    expect(outcomeOf(await reverseCredit(h, itsNotice(made), { reversalSessionId: back }))).toBe('REPEATED')
    await noon(h)
  })

  test('of a transaction in a sealed block: the search counts it as paid', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await lost(h)
    await advance(h, 4 * 3600)
    const seal = createSealing(h.gateway.ctx, { rows: 1 })
    for (let round = 0; round < 30; round += 1) await seal('01')
    const sealed = async () =>
      (
        await h.sql(
          '01',
          `select b.sealed from search_blocks b join transactions t on t.merchant_id = b.merchant_id
           and (b.after_at, b.after_id) < (t.created_at, t.id) and (b.last_at, b.last_id) >= (t.created_at, t.id) where t.reference = $1`,
          [made.transactionReference],
        )
      )[0]?.sealed
    expect(await sealed()).toBe(true)
    await night(h)
    expect(await sealed()).toBe(false)
    const path = `/api/v1/transactions/search?paymentStatus=PAID&transactionReference=${encodeURIComponent(made.transactionReference)}`
    expect((await h.as(main, 'GET', path)).json.responseBody.totalElements).toBe(1)
    await noon(h)
  })

  test('of the rest of a transaction that took parts until it expired: it is paid, and closed', async () => {
    const h = harness()
    const { main } = h.merchants
    const policy = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
    await h.as(main, 'PUT', '/api/v1/payment-policy', policy)
    const [rest, part] = [await waiting(h, main), await waiting(h, main)]
    for (const { accountNumber } of [rest, part]) await h.pay(accountNumber, 500)
    await h.pay(rest.accountNumber, 1000, { scenario: 'lost' })
    await h.pay(part.accountNumber, 300, { scenario: 'lost' })
    await night(h)
    expect(await status(h, main, rest.transactionReference)).toMatchObject({ paymentStatus: 'PAID' })
    expect(await status(h, main, part.transactionReference)).toMatchObject({
      paymentStatus: 'PARTIALLY_PAID',
      amountPaid: '800.00',
    })
    expect(await suspense(h, main, part.transactionReference)).toEqual([])
    await h.as(main, 'PUT', '/api/v1/payment-policy', { ...policy, less: 'COMPLETE' })
    await noon(h)
  })
})

describe('many', () => {
  test('twenty thousand lines are read and compared both ways in seconds', async () => {
    const h = harness()
    const { main } = h.merchants
    const sample = await paid(h, main)
    const [day] = [
      (await h.sql('01', `select to_char(max(day), 'YYYY-MM-DD') as day from statement_days`))[0].day as string,
    ]
    const COPIES = `bank_reference like '9999%'`
    const sessions = `'9999' || lpad(n::text, 26, '0')`
    await bankDatabase(h, (client) =>
      client.query(
        `insert into transfers select ${sessions}, bank_code, account_number, kobo, sender_name, sender_account_number, sender_bank_code, narration, paid_at
         from transfers, generate_series(1, 20000) as n where session_id = $1`,
        [sample.sessionId],
      ),
    )
    await h.sql(
      '01',
      `insert into inbound_credits select ${sessions}, merchant_id, transaction_id, n, outcome, kobo, account_number, bank_code, sender_name,
         sender_account_number, sender_bank_code, received_at from inbound_credits, generate_series(1, 20000) as n where bank_reference = $1`,
      [sample.sessionId],
    )
    await h.sql(
      '01',
      `insert into bank_sessions select bank_reference, merchant_id, transfer_id from inbound_credits where ${COPIES}`,
    )
    try {
      const [first, last] = [`9999${'1'.padStart(26, '0')}`, `9999${'20000'.padStart(26, '0')}`]
      await h.sql('01', 'update inbound_credits set kobo = kobo + 1 where bank_reference = $1', [first])
      await bankDatabase(h, (client) => client.query('delete from transfers where session_id = $1', [last]))
      const { ctx } = h.gateway
      await h.sql('01', 'delete from agenda where kind = $1', [DAY_TIMER])
      const midnight = Date.parse(`${day}T23:00:00Z`)
      await advance(h, Math.ceil((midnight - ctx.clock.now().getTime()) / 1000) + 60)
      const handlers = handlersOf(h.gateway)
      const sent = ctx.cells.get('01')?.statements() ?? 0
      const statements = () => (ctx.cells.get('01')?.statements() ?? 0) - sent
      // In statements, because seconds depend on the neighbours; what grew with the square would not end
      // within the test's limit.
      while (!(await reconcile(ctx, '01', day, handlers))) expect(statements()).toBeLessThan(100)
      expect(statements()).toBeLessThan(100)
      await reconcile(ctx, '01', day, handlers)
      expect(brief(await breaks(h, first))).toEqual(['AMOUNT CREDIT OPEN'])
      expect(brief(await breaks(h, last))).toEqual(['TIMING CREDIT OPEN'])
      expect((await breaks(h)).filter(({ session_id }) => session_id.startsWith('9999')).length).toBe(2)
    } finally {
      for (const table of ['inbound_credits', 'bank_sessions'])
        await h.sql('01', `delete from ${table} where ${COPIES}`)
      // Their lines too: a line that our books do not have would be a break.
      await h.sql(
        '01',
        `with gone as (delete from statement_lines where session_id like '9999%' returning day, connector, kobo),
           sums as (select day, connector, count(*)::int as lines, sum(kobo)::bigint as kobo from gone group by 1, 2)
         update statement_days d set lines = d.lines - s.lines, own_lines = own_lines - s.lines, said_lines = said_lines - s.lines,
           in_kobo = in_kobo - s.kobo, own_in_kobo = own_in_kobo - s.kobo, said_in_kobo = said_in_kobo - s.kobo
         from sums s where s.day = d.day and s.connector = d.connector`,
      )
    }
  }, 120_000)
})
