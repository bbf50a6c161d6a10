// Account numbers over years: whoever gets one, nobody had it during the quarantine, and what was paid to the
// one before never reaches the next. trials/stories/numbers.test.ts draws many.

import { nuban } from '@cowrie/contract/bank/nuban'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { afterAll, describe, expect, test } from 'vitest'
import { realClock } from '#kit/clock.ts'
import type { Cell } from '#kit/ctx.ts'
import { notice, outcomeOf, suspense, tell, waiting } from '#test/bank/notices.ts'
import { openTestCell } from '#test/kit/cells.ts'
import { type Harness, loginsTo, paid, status, useHarness } from '#test/kit/harness.ts'
import { closeCell } from './cells.ts'
import { rangeFault } from './ranges.ts'

const harness = useHarness()
const QUARANTINE_MS = 90 * DAY_MS
const BANK = '50515'

/** As a new cell has them. */
async function firstRanges(h: Harness, cell: '01' | '02'): Promise<void> {
  await h.sql(cell, `delete from number_ranges where purpose = 'PAYMENT'`)
  const first = Number(cell) * 10_000_000
  await h.sql(
    cell,
    `insert into number_ranges (bank_code, first_serial, last_serial, cell, purpose, next_serial) values ('*', $1, $2, $3, 'PAYMENT', $1)`,
    [first, first + 6_999_999, cell],
  )
}

describe('drawing', () => {
  const opened: Cell[] = []
  afterAll(() => Promise.all(opened.map(closeCell)))

  test('a range that is full says so, and a number whose quarantine is over is given again', async () => {
    const h = harness()
    await h.sql('02', `delete from number_ranges where purpose = 'PAYMENT'`)
    await h.sql(
      '02',
      `insert into number_ranges (bank_code, first_serial, last_serial, cell, purpose, next_serial) values ('*', 29000000, 29000002, '02', 'PAYMENT', 29000000)`,
    )
    let at = Date.parse('2031-01-01T00:00:00Z')
    const cell = openTestCell({
      id: '02',
      logins: loginsTo(h.databases['02']),
      clock: { ...realClock, now: () => new Date(at) },
    })
    opened.push(cell)
    const three = await cell.takeAccountSerials(3)
    await h.sql(
      '02',
      `insert into virtual_accounts (account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at)
       select number, '${BANK}', 999, -n, $2, $2 from unnest($1::text[]) with ordinality as x(number, n)`,
      [three.map((serial) => nuban(BANK, serial)), new Date(at)],
    )
    try {
      await expect(cell.takeAccountSerials(1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      at += QUARANTINE_MS - 1000
      await expect(cell.takeAccountSerials(1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      at += 2000
      expect(await cell.takeAccountSerials(1)).toEqual(['029000000'])
    } finally {
      for (const table of ['virtual_accounts', 'former_holders'])
        await h.sql('02', `delete from ${table} where merchant_id = 999`)
      await firstRanges(h, '02')
    }
  })
})

describe('a number that was given again', () => {
  test('money that was paid before its present holder had it is held for the one before, seeded', async () => {
    const h = harness()
    const { main } = h.merchants
    const old = await paid(h, main)
    const next = await waiting(h, main)
    // As it is when the quarantine is over: what taking a block does with it, and the next payment is given
    // it.
    await h.sql(
      '01',
      `with released as (delete from virtual_accounts where account_number = $1 returning *)
       insert into former_holders select account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at from released`,
      [old.accountNumber],
    )
    const [{ opened_at }] = await h.sql(
      '01',
      'update virtual_accounts set account_number = $2 where account_number = $1 returning opened_at',
      [next.accountNumber, old.accountNumber],
    )
    let state = 7
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state / 2_147_483_648
    }
    const cases = 1_000
    const outcomes = new Map<string, number>()
    for (let n = 0; n < cases; n += 1) {
      const before = 1 + Math.floor(random() * 120 * DAY_MS)
      const paidAt = new Date(opened_at.getTime() - before).toISOString()
      const outcome = outcomeOf(await tell(h, notice(old.accountNumber, 100 + n, { paidAt })))
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    expect([...outcomes]).toEqual([['SUSPENDED', cases]])
    expect((await suspense(h, main, old.transactionReference)).length).toBe(cases)
    expect((await status(h, main, next.transactionReference)).paymentStatus).toBe('PENDING')
    // What is paid from then on is the present holder's.
    const paidAt = new Date(opened_at.getTime() + 1).toISOString()
    expect(outcomeOf(await tell(h, notice(old.accountNumber, 1500, { paidAt })))).toBe('COUNTED')
    expect((await status(h, main, next.transactionReference)).paymentStatus).toBe('PAID')
  }, 300_000)
})

describe('ranges', () => {
  const range = (over: object) => ({
    ...{ id: 1, cell: '01', readFrom: '01', bank_code: '*', purpose: 'PAYMENT' as const },
    ...{ first_serial: 100n, last_serial: 199n, ...over },
  })
  test.each([
    ['of one bank, side by side', [range({}), range({ first_serial: 200n, last_serial: 299n })], 'none'],
    ['of two banks', [range({ bank_code: '035' }), range({ bank_code: '058' })], 'none'],
    ['that share their last number', [range({}), range({ first_serial: 199n, last_serial: 299n })], 'share'],
    ['of every bank and of one', [range({}), range({ bank_code: '058' })], 'share'],
    ['of two cells', [range({}), range({ cell: '02', readFrom: '02' })], 'share'],
    ['one within the other', [range({}), range({ first_serial: 120n, last_serial: 130n })], 'share'],
    ['in the wrong database', [range({ readFrom: '02' })], 'cell 02 has a range of cell 01'],
  ])('%s', (_, ranges, fault) => {
    expect(rangeFault(ranges) ?? 'none').toContain(fault)
  })
})
