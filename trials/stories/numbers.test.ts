// Many account numbers, drawn by two processes of each of two cells over two quarantines: none comes back
// before its time, and each leads to its own cell. NUMBERS=10000000 draws as many as a large installation
// does in a day.
import { expect, test } from 'vitest'
import { closeCell } from '../../apps/gateway/src/core/cells/cells.ts'
import { realClock } from '../../apps/gateway/src/kit/clock.ts'
import { openTestCell } from '../../apps/gateway/test/kit/cells.ts'
import { CELLS, loginsTo, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { nuban } from '../../packages/contract/src/bank/nuban.ts'

const harness = useHarness()
const QUARANTINE_MS = 90 * 86_400_000
const BANK = '50515'
const DRAWS = Number(process.env['NUMBERS'] ?? 400_000)

test(`${DRAWS} draws from four ranges of two cells: none within the quarantine of its last holder, each of its own cell`, async () => {
  const h = harness()
  const { ranges } = h.gateway.ctx
  // It takes two quarantines. Two ranges per cell, together as many as are drawn in one, a tenth more, and
  // what is in hand.
  const size = Math.ceil((DRAWS / 8) * 1.1) + 2_000
  const firsts = { '01': [300_000_000, 500_000_000], '02': [400_000_000, 600_000_000] } as const
  for (const cell of CELLS) {
    await h.sql(cell, `delete from number_ranges where purpose = 'PAYMENT'`)
    for (const first of firsts[cell])
      await h.sql(
        cell,
        `insert into number_ranges (bank_code, first_serial, last_serial, cell, purpose, next_serial) values ($1, $2, $3, $4, 'PAYMENT', $2)`,
        [BANK, first, first + size, cell],
      )
  }
  let at = Date.parse('2031-01-01T00:00:00Z')
  const clock = { ...realClock, now: () => new Date(at) }
  const takers = CELLS.flatMap((id) => [0, 1].map(() => openTestCell({ id, logins: loginsTo(h.databases[id]), clock })))
  const last = new Map<string, number>()
  let [early, foreign, drawn, reused, holders] = [0, 0, 0, 0, 0]
  const batch = 500
  const rounds = Math.ceil(DRAWS / batch / takers.length)
  try {
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(
        takers.map(async (taker) => {
          const numbers = (await taker.takeAccountSerials(batch)).map((serial) => nuban(BANK, serial))
          holders += numbers.length
          // Each is held for a moment, as the account of a payment that closes at once. What another process
          // holds is passed over: a block in hand can be older than a cycle.
          const given = await h.sql<{ number: string }>(
            taker.id as '01',
            `insert into virtual_accounts (account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at)
             select number, '${BANK}', 999, $3 + n, $2, $2 from unnest($1::text[]) with ordinality as x(number, n)
             on conflict do nothing returning account_number as number`,
            [numbers, new Date(at), -holders],
          )
          for (const { number } of given) {
            const before = last.get(number)
            if (before !== undefined) {
              reused += 1
              if (at - before < QUARANTINE_MS) early += 1
            }
            last.set(number, at)
            drawn += 1
            if ((await ranges.cellOf(BANK, number)) !== taker.id) foreign += 1
          }
        }),
      )
      at += Math.ceil((2 * QUARANTINE_MS) / rounds)
    }
    expect({ early, foreign }).toEqual({ early: 0, foreign: 0 })
    expect(drawn).toBeGreaterThan(DRAWS * 0.99)
    expect(reused).toBeGreaterThan(DRAWS / 10)
  } finally {
    await Promise.all(takers.map(closeCell))
    for (const cell of CELLS) {
      await h.sql(cell, 'delete from virtual_accounts where merchant_id = 999')
      await h.sql(cell, 'delete from former_holders where merchant_id = 999')
    }
  }
}, 600_000)
