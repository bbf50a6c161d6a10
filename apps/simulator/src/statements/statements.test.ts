// The end-of-day statement, the two scenarios that only it tells the whole of, and statements that are wrong
// on purpose.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import { expect, test } from 'vitest'
import { ACCOUNT, type Json, useBank } from '../../test/bank.ts'
import { payoutCalls } from '../../test/payouts.ts'

const bank = useBank()
const { signed, pay, credits, reversals, call, moveClock, query } = bank
const { orderTo, send } = payoutCalls(bank)

/** The West African day, so many seconds from now. */
const day = (seconds = 0): string => new Date(Date.now() + (seconds + HOUR_SECONDS) * 1000).toISOString().slice(0, 10)
/** Seconds until half past midnight of the next West African day. */
const tonight = (): number => Math.ceil((Date.parse(`${day()}T23:30:00Z`) - Date.now()) / 1000)
const statement = async (date: string, after = ''): Promise<Json & { lines: Json[] }> =>
  (await signed('GET', `${BANK_PATHS.statement}?date=${date}${after}`)).json as never
const fault = (body: Json) => call('POST', '/api/statement-faults', body)

test('a credit is on the statement of its West African day, with its sender', async () => {
  const { json } = await pay({ narration: 'Cloth', senderAccountName: 'ADA OBI', senderAccountNumber: '0123456789' })
  expect(await statement(day())).toEqual({
    date: day(),
    count: 1,
    amountIn: '1000.50',
    amountOut: '0.00',
    openingBalance: '0.00',
    closingBalance: '1000.50',
    lines: [
      {
        line: 1,
        kind: 'CREDIT',
        direction: 'IN',
        sessionId: json['sessionId'],
        ofSessionId: null,
        amount: '1000.50',
        bookedAt: credits[0]?.['paidAt'],
        ...ACCOUNT,
        sender: { name: 'ADA OBI', accountNumber: '0123456789', bankCode: '058' },
        text: 'Cloth',
      },
    ],
    next: null,
  })
  expect((await signed('GET', `${BANK_PATHS.statement}?date=2026-02-30`)).status).toBe(400)
  expect((await signed('GET', `${BANK_PATHS.statement}?date=2026-02-20&after=x`)).status).toBe(400)
})

test('lost: ACCEPTED, no notice ever comes, and the statement has it', async () => {
  const { json } = await pay({ scenario: 'lost' })
  expect(json).toMatchObject({ status: 'ACCEPTED', beneficiaryName: 'Adire Stores' })
  await moveClock(tonight())
  expect(credits).toEqual([])
  expect((await statement(day())).lines).toMatchObject([{ kind: 'CREDIT', sessionId: json['sessionId'] }])
})

test('reversed: an hour later by the clock, notified until it is accepted, and both are on the statement', async () => {
  const { json } = await pay({ scenario: 'reversed' })
  expect(credits).toHaveLength(1)
  await moveClock(HOUR_SECONDS - 60)
  expect(reversals).toEqual([])
  bank.reversalStatus = 404
  await moveClock(HOUR_SECONDS + 1)
  expect(reversals).toEqual([])
  bank.reversalStatus = 200
  await expect.poll(() => reversals.length).toBe(1)
  const [reversal] = reversals
  expect(reversal).toMatchObject({ ...ACCOUNT, sessionId: json['sessionId'], amount: '1000.50' })
  expect(Date.parse(String(reversal?.['at'])) - Date.parse(String(credits[0]?.['paidAt']))).toBe(HOUR_SECONDS * 1000)
  const lines = [...(await statement(day())).lines, ...(await statement(day(HOUR_SECONDS + 1))).lines]
  expect(lines).toContainEqual(
    expect.objectContaining({
      kind: 'REVERSAL',
      direction: 'OUT',
      sessionId: reversal?.['reversalSessionId'],
      ofSessionId: json['sessionId'],
    }),
  )
})

test('a credit that was returned is not reversed as well, and the other way round', async () => {
  const [first, second] = [(await pay({ scenario: 'reversed' })).json, (await pay({ scenario: 'reversed' })).json]
  const back = (sessionId: unknown) => signed('POST', BANK_PATHS.returns, { sessionId, amount: '1000.50', reason: 'x' })
  expect((await back(first['sessionId'])).status).toBe(200)
  await moveClock(HOUR_SECONDS + 1)
  await expect.poll(() => reversals.map((one) => one['sessionId'])).toEqual([second['sessionId']])
  expect(await back(second['sessionId'])).toEqual({ status: 409, json: { error: 'The credit was already reversed' } })
})

test('payouts and their reversals are lines; one that is due to turn is turned by the statement', async () => {
  const sent = orderTo('0003')
  await send(sent)
  expect((await statement(day())).lines).toMatchObject([{ kind: 'PAYOUT', direction: 'OUT', amount: '12500.50' }])
  await query('delete from notices')
  await moveClock(49 * HOUR_SECONDS)
  expect((await statement(day(48 * HOUR_SECONDS))).lines).toMatchObject([
    { kind: 'PAYOUT_REVERSAL', direction: 'IN', sessionId: sent['sessionId'] },
  ])
})

test('a day that is over is printed once; what is booked into it later is not on it', async () => {
  await pay()
  await moveClock(tonight())
  const first = await statement(day())
  expect(first.count).toBe(1)
  await query(
    `insert into transfers select '000058000000000000000000000001', bank_code, account_number, kobo, sender_name, sender_account_number, sender_bank_code, narration, paid_at from transfers`,
  )
  expect(await statement(day())).toEqual(first)
})

test('balances: the day opens with the close of the day before, and a balance can be wrong without a line', async () => {
  await pay()
  await moveClock(tonight())
  expect(await statement(day())).toMatchObject({ openingBalance: '0.00', closingBalance: '1000.50' })
  await send(orderTo('7788'))
  expect((await fault({ fault: 'balance' })).status).toBe(400)
  expect((await fault({ fault: 'balance', amount: '260.00' })).json).toEqual({ fault: 'balance' })
  await moveClock(tonight() + 24 * HOUR_SECONDS)
  expect(await statement(day(24 * HOUR_SECONDS))).toMatchObject({
    ...{ openingBalance: '1000.50', amountIn: '0.00', amountOut: '12500.50', closingBalance: '-11240.00' },
  })
})

test('pages of five thousand lines, in order and without gaps', async () => {
  await pay()
  await query(
    `insert into transfers select lpad(n::text, 30, '0'), bank_code, account_number, 100 + n, sender_name, sender_account_number, sender_bank_code, narration,
      paid_at - n * interval '1 millisecond' from transfers, generate_series(1, 11000) as n`,
  )
  const lines: unknown[] = []
  let page = await statement(day())
  for (;;) {
    lines.push(...page.lines.map(({ line }) => line))
    if (page['next'] === null) break
    expect(page.lines).toHaveLength(5000)
    page = await statement(day(), `&after=${page['next'] as string}`)
  }
  expect(lines).toEqual(Array.from({ length: page['count'] as number }, (_, at) => at + 1))
})

test('faults: left out, a kobo more, twice, a day late, made up; each on the line it names; {} turns faults off', async () => {
  const sessions: string[] = []
  for (let n = 0; n < 5; n += 1) sessions.push(String((await pay()).json['sessionId']))
  const [missing, amount, twice, late, sound] = sessions as [string, string, string, string, string]
  for (const [name, sessionId] of Object.entries({ missing, amount, duplicate: twice, late }))
    expect((await fault({ fault: name, sessionId })).status).toBe(200)
  const [stranger, invented] = ['1'.repeat(30), '2'.repeat(30)]
  await fault({ fault: 'stranger', sessionId: stranger, amount: '7.00', accountNumber: '0199999999' })
  await fault({ fault: 'invented', sessionId: invented, amount: '9.00' })
  await moveClock(tonight())
  const shown = ({ lines }: { lines: Json[] }) =>
    lines.map((line) => `${String(line['sessionId'])} ${String(line['amount'])}`).sort()
  const wanted = [`${amount} 1000.51`, `${twice} 1000.50`, `${twice} 1000.50`, `${sound} 1000.50`]
  expect(shown(await statement(day()))).toEqual([...wanted, `${stranger} 7.00`, `${invented} 9.00`].sort())
  await moveClock(tonight() + 24 * HOUR_SECONDS)
  expect(shown(await statement(day(24 * HOUR_SECONDS)))).toEqual([`${late} 1000.50`])
  expect((await fault({ fault: 'nonsense', sessionId: late })).status).toBe(400)
  expect((await fault({ fault: 'missing', sessionId: 'x' })).status).toBe(400)
  expect((await fault({})).json).toEqual({})
  expect(await query('select 1 from statement_faults')).toEqual([])
})
