// What one person of a merchant, or whoever has its key, would do to be paid what it collects; and how the
// owner stops it.
import pg from 'pg'
import { expect, test } from 'vitest'
import { actorOf, approveAs, doAct, rejectAs, show } from '#test/features/access/acts.ts'
import { account, mailsTo, newMerchant } from '#test/features/payouts/disbursements.ts'
import { run, setRule, settlements } from '#test/features/settlements/settlements.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, paid, subAccount, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })
const DAY = 86_400
const SETTINGS = '/api/v1/disbursement-settings'
const finance = () => actorOf('merchant', 'finance')
const toBank = (accountNumber: string) => ({
  ...{ destination: 'BANK', schedule: 'SAME_DAY', bankCode: '058', accountNumber },
})

/** As in live: a new account waits a day. */
async function waiting(h: Harness, approvalAbove: number | null = null, hours = 24): Promise<TestMerchant> {
  const merchant = await newMerchant(h)
  await h.sql('01', 'update merchants set new_sub_account_wait_hours = $2 where id = $1', [merchant.id, hours])
  if (approvalAbove !== null) await h.as(merchant, 'PUT', SETTINGS, { lowBalanceThreshold: null, approvalAbove })
  return merchant
}
const lead = (h: Harness, merchant: TestMerchant, accountNumber: string, by = finance()) =>
  doAct(h, by, 'settlements.setRule', { merchant, input: toBank(accountNumber) })
/** One payment, settled: where it went. */
async function collected(h: Harness, merchant: TestMerchant): Promise<string[]> {
  const before = (await settlements(h, merchant)).length
  await paid(h, merchant, { amount: 1000 })
  await run(h, merchant)
  return (await settlements(h, merchant)).slice(before).map(({ destination }) => destination.accountNumber)
}
const queued = async (h: Harness, merchant: TestMerchant): Promise<any[]> =>
  (await show(h, actorOf('merchant', 'owner'), 'approvals.list', { merchant: merchant.apiKey, state: 'WAITING' }))
    .content
async function linkOf(h: Harness, merchant: TestMerchant): Promise<string> {
  await advance(h, 5)
  const found = (await mailsTo(h, merchant)).flatMap(
    ({ text }) => /\/destinations\/\d\d[0-9a-f]{64}/.exec(text)?.[0] ?? [],
  )
  return found[0] ?? ''
}

test('finance leads settlements to an own account: they go to the wallet for a day more, and the owner stops it for good without a log-in', async () => {
  const h = harness()
  const merchant = await waiting(h)
  const [wallet] = await collected(h, merchant)
  const own = account()
  const done = await lead(h, merchant, own)
  expect(Date.parse(done.reply.validFrom) - h.gateway.ctx.clock.now().getTime()).toBeGreaterThan((DAY - 60) * 1000)
  expect(await collected(h, merchant)).toEqual([wallet])
  const link = await linkOf(h, merchant)
  const page = async (method: 'GET' | 'POST', path = link) => {
    const answer = await fetch(h.apiUrl + path, { method })
    return [answer.status, /<h1>([^<]*)/.exec(await answer.text())?.[1]]
  }
  // Scanners of mail open links: looking stops nothing.
  for (const _ of [1, 2]) expect(await page('GET')).toEqual([200, 'Stop this account'])
  expect(await page('POST', `${link.slice(0, -1)}${link.endsWith('0') ? '1' : '0'}`)).toEqual([
    404,
    'There is nothing here',
  ])
  expect(await page('POST')).toEqual([200, 'It is stopped'])
  expect(await page('POST')).toEqual([200, 'It is stopped'])
  const [line, ...others] = await h.sql(
    '01',
    `select before from trail where merchant_id = $1 and what = 'destinations.stop'`,
    [merchant.id],
  )
  expect([line.before, others]).toEqual([expect.stringContaining(own.slice(-4)), []])
  await advance(h, DAY + 60)
  expect(await collected(h, merchant)).toEqual([wallet])
  // Set again it waits again, however long ago that was.
  expect(Date.parse((await lead(h, merchant, own)).reply.validFrom)).toBeGreaterThan(
    h.gateway.ctx.clock.now().getTime(),
  )
  const rows = await h.sql('01', 'select d::text as text from destinations d where merchant_id = $1', [merchant.id])
  for (const { text } of rows) expect(text).not.toContain(link.slice('/destinations/'.length))
})

test('an account that nobody stops is in force after its day, and is known from then on: back to it at once', async () => {
  const h = harness()
  const merchant = await waiting(h)
  const ours = account()
  await setRule(h, merchant, toBank(ours)) // with the secret key: no way around
  const [before] = await collected(h, merchant)
  expect(before).not.toBe(ours)
  await advance(h, DAY + 60)
  expect(await collected(h, merchant)).toEqual([ours])
  await setRule(h, merchant, { destination: 'WALLET', schedule: 'SAME_DAY' })
  expect(await collected(h, merchant)).toEqual([before])
  await setRule(h, merchant, toBank(ours))
  expect(await collected(h, merchant)).toEqual([ours])
})

test('where the merchant wants two people, a second one confirms the account: not who added it, and not by rejection', async () => {
  const h = harness()
  const merchant = await waiting(h, 100, 0)
  const [wallet] = await collected(h, merchant)
  const author = actorOf('merchant', 'owner')
  const [good, bad] = [account(), account()]
  await lead(h, merchant, good, author)
  const [first] = (await queued(h, merchant)) as [any]
  expect(first).toMatchObject({
    act: 'destinations.confirm',
    input: { account: `…${good.slice(-4)} at Gtbank` },
  })
  await expect(approveAs(h, author, first.reference, { merchant })).rejects.toMatchObject({ code: 'APPROVAL_OWN' })
  expect(await collected(h, merchant)).toEqual([wallet])
  await approveAs(h, finance(), first.reference, { merchant })
  expect(await collected(h, merchant)).toEqual([good])
  await lead(h, merchant, bad, author)
  const [second] = (await queued(h, merchant)) as [any]
  await rejectAs(h, finance(), second.reference, { merchant })
  expect(await collected(h, merchant)).toEqual([good])
})

test('a sub account that nobody confirmed or that was stopped is owed its share and receives nothing', async () => {
  const h = harness()
  const merchant = await waiting(h, 100, 0)
  const sub: any = await subAccount(h, merchant)
  const split = [{ subAccountCode: sub.subAccountCode, splitPercentage: 50 }]
  const settled = async () => {
    await paid(h, merchant, { amount: 1000, incomeSplitConfig: split })
    await run(h, merchant)
    return (await settlements(h, merchant))
      .filter((one) => one.beneficiaryCode === sub.subAccountCode)
      .map(({ amount }) => amount)
  }
  expect(await settled()).toEqual([])
  const [{ reference }] = (await queued(h, merchant)) as [any]
  await approveAs(h, finance(), reference, { merchant })
  expect(await settled()).toEqual(['1000.00']) // both shares
  const link = await linkOf(h, merchant)
  await fetch(h.apiUrl + link, { method: 'POST' })
  expect(await settled()).toEqual(['1000.00'])
})

test('runs beside the stop: what is settled after the stop was answered goes elsewhere', async () => {
  const h = harness()
  const accounts = [account(), account(), account(), account(), account(), account()]
  const led = await Promise.all(
    accounts.map(async (own) => {
      const merchant = await waiting(h)
      await lead(h, merchant, own)
      return { merchant, own }
    }),
  )
  const links = new Map<TestMerchant, string>()
  for (const { merchant } of led) links.set(merchant, await linkOf(h, merchant))
  await advance(h, DAY + 60)
  await Promise.all(led.map(({ merchant }) => paid(h, merchant, { amount: 1000 })))
  await Promise.all(
    led.flatMap(({ merchant }) => [
      fetch(h.apiUrl + links.get(merchant), { method: 'POST' }),
      run(h, merchant),
      run(h, merchant),
    ]),
  )
  // The invariant of destinations compares every settlement with the instant of the stop.
  for (const { merchant, own } of led.slice(0, 2)) expect(await collected(h, merchant)).not.toContain(own)
})

test('a stop waits for the settlement that has begun, and is answered after it', async () => {
  const h = harness()
  const merchant = await waiting(h)
  await lead(h, merchant, account())
  const link = await linkOf(h, merchant)
  await run(h, merchant) // so that its chain is there
  const begun = new pg.Client({ connectionString: h.databases['01'] })
  await begun.connect()
  try {
    // What a settlement does first, and holds until it has paid.
    await begun.query('begin')
    await begun.query('select 1 from settlement_heads where merchant_id = $1 for update', [merchant.id])
    let answered = false
    const stopping = fetch(h.apiUrl + link, { method: 'POST' }).finally(() => {
      answered = true
    })
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%settlement_heads%'`
    const seen = await h.until('it waits, or was answered', async () =>
      answered ? 'answered' : (await h.sql('01', waits)).length > 0 && 'waits',
    )
    expect(seen).toBe('waits')
    const stopped = () =>
      h.sql('01', 'select from destinations where merchant_id = $1 and stopped_at is not null', [merchant.id])
    expect(await stopped()).toEqual([])
    await begun.query('commit')
    expect((await stopping).status).toBe(200)
    expect(await stopped()).toHaveLength(1)
  } finally {
    await begun.end()
  }
})

test('a process that dies adds no rule without its destination, and stops nothing half', async () => {
  const h = harness()
  const merchant = await waiting(h)
  const rows = (table: string) => h.sql('01', `select 1 from ${table} where merchant_id = $1`, [merchant.id])
  const before = (await rows('settlement_rules')).length
  await dyingAt(h, 'destinations', async () => {
    await expect(lead(h, merchant, account())).rejects.toThrow('died here')
  })
  expect([(await rows('settlement_rules')).length, await rows('destinations')]).toEqual([before, []])
  await lead(h, merchant, account())
  const link = await linkOf(h, merchant)
  await dyingAt(h, 'trail', async () => {
    expect((await fetch(h.apiUrl + link, { method: 'POST' })).status).toBe(500)
  })
  expect(
    await h.sql('01', 'select 1 from destinations where merchant_id = $1 and stopped_at is not null', [merchant.id]),
  ).toEqual([])
})
