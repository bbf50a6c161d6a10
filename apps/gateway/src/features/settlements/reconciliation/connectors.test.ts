// Each bank has its own account in our books and its own statement, and both are compared, night after night.
import { afterAll, describe, expect, test } from 'vitest'
import { bookHouseLines } from '#features/settlements/house-bookings/house-bookings.ts'
import { followSweeps } from '#features/settlements/house-bookings/sweeps.ts'
import { localDay } from '#kit/times.ts'
import { newSession } from '#test/bank/notices.ts'
import { byTwo } from '#test/features/access/merchants.ts'
import { nightWith, SECOND_KEY, type SecondBank, secondBank } from '#test/features/bank/second-bank.ts'
import { newMerchant, sent, sentTo } from '#test/features/payouts/disbursements.ts'
import { breaks, brief, fault } from '#test/features/settlements/reconciliation.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, paid, useHarness } from '#test/kit/harness.ts'

let second: SecondBank
const harness = useHarness({
  settings: async ({ apiUrl }) => {
    second = await secondBank(apiUrl)
    return { CONNECTORS: `second=${second.url}`, CONNECTOR_SECOND_KEY: SECOND_KEY }
  },
})
afterAll(() => second.end())

const BY_SECOND = '057'
const routed = (h: Harness) =>
  byTwo(h, 'routes.set', { cell: '01', input: { connectors: ['second'], bankCode: BY_SECOND } })

const night = (h: Harness): Promise<string> => nightWith(h, second)
const days = (h: Harness) =>
  h.sql(
    '01',
    `select to_char(d.day, 'YYYY-MM-DD') as day, c.name, d.own_lines, d.own_out_kobo::int as out_kobo, d.matched_at is not null as matched
     from statement_days d join connectors c on c.id = d.connector order by d.day, c.id`,
  )
/** What our books say that a bank holds of ours. */
const held = async (h: Harness, name: string): Promise<bigint> => {
  const [row] = await h.sql(
    '01',
    `select coalesce(-sum(e.kobo), 0)::text as kobo from entries e join transfers t on t.id = e.transfer_id
     where e.account_id = (select case c.id when 1 then 0 else c.id * 16 end from connectors c where c.name = $1) and t.kind <> 'FUNDING'`,
    [name],
  )
  return BigInt(row.kobo)
}
const open = async (h: Harness) => brief((await breaks(h)).filter(({ status }) => status === 'OPEN'))

describe('two banks', () => {
  test('payouts are booked at the bank that paid them, both statements are compared, and nothing is left open', async () => {
    const h = harness()
    await routed(h)
    const payer = await newMerchant(h)
    await paid(h, h.merchants.main)
    await sent(h, payer, { destinationBankCode: BY_SECOND, amount: 300 })
    await sent(h, payer, { destinationBankCode: BY_SECOND, amount: 45.5 })
    await sent(h, payer, { amount: 700 })
    const before = await held(h, 'bank')
    expect(await held(h, 'second')).toBe(-34_550n)
    const day = await night(h)
    expect((await days(h)).filter((row) => row.day === day)).toMatchObject([
      { name: 'bank', matched: true },
      { name: 'second', own_lines: 2, out_kobo: 34_550, matched: true },
    ])
    expect(await open(h)).toEqual([])
    expect(await held(h, 'bank')).toBe(before)
  })

  test('what the second bank reverses it gets back; a payout whose notice was lost follows its statement', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    await sentTo(h, payer, '0003', { destinationBankCode: BY_SECOND })
    await sentTo(h, payer, '0002', { destinationBankCode: BY_SECOND })
    await night(h)
    await night(h)
    await night(h)
    expect(await open(h)).toEqual([])
  })

  test('a card settlement pays the debt of the acquirer that it names, or else of the one whose statement it is; a name of nobody is left to a person', async () => {
    const h = harness()
    const invent = async (on: 'bank' | 'second', amount: string, acquirer?: string): Promise<string> => {
      const sessionId = newSession()
      const line = { fault: 'invented', kind: 'CARD_SETTLEMENT', sessionId, amount, ...(acquirer ? { acquirer } : {}) }
      await (on === 'bank' ? fault(h, line) : second.fault(line))
      return sessionId
    }
    const lines = [
      await invent('bank', '10.00'),
      await invent('bank', '20.00', 'second'),
      await invent('second', '30.00'),
      await invent('second', '40.00', 'bank'),
    ]
    const strange = await invent('second', '50.00', 'nobody')
    const day = await night(h)
    const [{ id }] = await h.sql('01', `select id from connectors where name = 'second'`)
    for (const [at, accounts] of [
      [0, 1],
      [0, id * 16 + 1],
      [id * 16, id * 16 + 1],
      [id * 16, 1],
    ].entries()) {
      const found = await h.sql(
        '01',
        `select f.accounts::int[] as accounts, f.kind from house_bookings h join transfers f on f.id = h.transfer_id where h.session_id = $1`,
        [lines[at]],
      )
      expect(found, `line ${at}`).toEqual([{ accounts, kind: 'CARD_SETTLEMENT' }])
    }
    expect(brief(await breaks(h, strange))).toEqual(['MISSING_HERE CARD_SETTLEMENT OPEN'])
    expect(await open(h)).toHaveLength(1)
    // From now on such a connector is known: booked by five workers at once, after one that died, it is there
    // once.
    await h.sql('01', `insert into connectors (id, name) values (9, 'nobody')`)
    const { ctx } = h.gateway
    const book = () => bookHouseLines(ctx, '01', { day, connector: id })
    await dyingAt(h, 'transfers', () => expect(book()).rejects.toThrow('died here'))
    expect(await open(h)).toHaveLength(1)
    await Promise.all(Array.from({ length: 5 }, book))
    const owed = await h.sql('01', `select sum(e.kobo)::int as kobo from entries e where e.account_id = 9 * 16 + 1`)
    expect([owed, await open(h)]).toEqual([[{ kobo: 5_000 }], []])
  })

  test('a sweep is on its way until both statements had it; one side alone for days is a break, until the other comes', async () => {
    const h = harness()
    const [quick, slow] = [newSession(), newSession()]
    const sweep = (sessionId: string, kind: string, amount: string) => ({ fault: 'invented', sessionId, kind, amount })
    const onItsWay = async () =>
      (await h.sql('01', `select coalesce(-sum(kobo), 0)::int as kobo from entries where account_id = 14`))[0].kobo
    await fault(h, sweep(quick, 'SWEEP_OUT', '100.00'))
    await fault(h, sweep(slow, 'SWEEP_OUT', '250.00'))
    await night(h)
    expect([await onItsWay(), await open(h)]).toEqual([35_000, []])
    await second.fault(sweep(newSession(), 'SWEEP_IN', '100.00'))
    const day = await night(h)
    expect([await onItsWay(), await open(h)]).toEqual([25_000, []])
    await night(h)
    // The worker dies as it is about to say so, and comes back.
    await dyingAt(h, 'recon_breaks', async () => void (await night(h)))
    expect(await open(h)).toEqual([])
    await advance(h, 600)
    expect(await open(h)).toEqual(['TRANSIT SWEEP_OUT OPEN'])
    await second.fault(sweep(slow, 'SWEEP_IN', '250.00'))
    await night(h)
    expect([await onItsWay(), await open(h)]).toEqual([0, []])
    // Found out again, by five workers at once.
    const { ctx } = h.gateway
    await h.sql('01', `update house_bookings set other_side = null where kind like 'SWEEP%'`)
    await Promise.all(Array.from({ length: 5 }, () => followSweeps(ctx, '01', day)))
    expect([await onItsWay(), await open(h)]).toEqual([0, []])
    const sides = await h.sql(
      '01',
      `select count(*)::int as all, count(other_side)::int as paired from house_bookings where kind like 'SWEEP%'`,
    )
    expect(sides).toEqual([{ all: 4, paired: 4 }])
  })

  test('what one bank books a day late explains the balance of that bank alone, and the other agrees', async () => {
    const h = harness()
    await routed(h)
    const payer = await newMerchant(h)
    const [here, there] = [await sent(h, payer), await sent(h, payer, { destinationBankCode: BY_SECOND, amount: 60 })]
    await fault(h, { fault: 'late', sessionId: here.sessionId })
    await night(h)
    expect(await open(h)).toEqual(['TIMING PAYOUT OPEN'])
    await second.fault({ fault: 'late', sessionId: there.sessionId })
    await night(h)
    expect(await open(h)).toEqual([])
    const late = await sent(h, payer, { destinationBankCode: BY_SECOND, amount: 80 })
    await second.fault({ fault: 'late', sessionId: late.sessionId })
    await night(h)
    expect(await open(h)).toEqual(['TIMING PAYOUT OPEN'])
    await night(h)
    expect(await open(h)).toEqual([])
  })

  test('a difference is found at the bank where it is, and the other agrees', async () => {
    const h = harness()
    await second.fault({ fault: 'balance', amount: '260.00' })
    const day = await night(h)
    const found = await h.sql(
      '01',
      `select b.class, c.name, c.id, b.session_id from recon_breaks b join connectors c on c.id = b.connector where b.status = 'OPEN'`,
    )
    expect(found).toMatchObject([{ class: 'BALANCE', name: 'second', session_id: `01 ${found[0].id} ${day}` }])
    await second.fault({})
    await night(h)
    expect(await open(h)).toEqual([])
  })

  test('a statement that is not there holds up its own bank only', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    await sent(h, payer, { destinationBankCode: BY_SECOND })
    await sent(h, payer)
    await second.stop()
    const { clock } = h.gateway.ctx
    const day = localDay(clock.now())
    await advance(h, Math.ceil((Date.parse(`${day}T23:45:00Z`) - clock.now().getTime()) / 1000))
    const of = (name: string) => async () =>
      (await days(h)).find((row) => row.day === day && row.name === name)?.matched
    expect(await of('bank')()).toBe(true)
    expect(await of('second')()).toBe(false)
    await second.start()
    await second.follow(clock.offsetMs())
    await advance(h, 7200)
    expect(await of('second')()).toBe(true)
    expect(await open(h)).toEqual([])
  })

  test("a network's name that one payout has is translated; one that two payouts have is left to a person", async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const pay = () => sent(h, payer, { amount: 250 })
    const [one, ...two] = [await pay(), await pay(), await pay()]
    const name = async ({ sessionId }: { sessionId: string }, networkReference: string) => {
      await fault(h, { fault: 'missing', sessionId })
      await h.sql(
        '01',
        `insert into payout_details (session_id, merchant_id, connector, network_reference, reported_at) values ($1, $2, 1, $3, $4)
         on conflict (session_id) do update set network_reference = excluded.network_reference`,
        [sessionId, payer.id, networkReference, h.gateway.ctx.clock.now()],
      )
    }
    const [own, shared] = [newSession(), newSession()].map((one) => `777${one.slice(3)}`) as [string, string] // of no cell of ours
    await name(one, own)
    for (const payout of two) await name(payout, shared)
    for (const sessionId of [own, shared]) await fault(h, { fault: 'invented', sessionId, amount: '250.00' })
    await night(h)
    expect(brief(await breaks(h, one.sessionId))).toEqual([])
    expect(await breaks(h, own)).toEqual([])
    expect(brief(await breaks(h, shared))).toEqual(['MISSING_HERE PAYOUT OPEN'])
    for (const payout of two) expect(brief(await breaks(h, payout.sessionId))).toEqual(['TIMING PAYOUT OPEN'])
  })
})
