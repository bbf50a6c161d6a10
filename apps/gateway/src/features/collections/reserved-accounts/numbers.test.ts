// A million serials, allocated by four takers at once as two processes of each cell would: none comes twice,
// and each makes a right number at every bank.

import { isNuban, nuban } from '@cowrie/contract/bank/nuban'
import { ISSUING_BANKS } from '@cowrie/contract/collections/reserved-accounts'
import { expect, test } from 'vitest'
import { closeCell } from '#core/cells/cells.ts'
import { openTestCell } from '#test/kit/cells.ts'
import { CELLS, loginsTo, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const opened = (id: string, url: string) => openTestCell({ id, logins: loginsTo(url) })
const SERIALS = 1_000_000
const AT_ONCE = 125 // more than a block holds, and no divisor of it

test('a million serials: four million numbers, none twice, all NUBANs that carry their cell, none of a payment', async () => {
  const h = harness()
  const takers = CELLS.flatMap((id) => [0, 1].map(() => opened(id, h.databases[id])))
  const seen = new Map(CELLS.map((id) => [id as string, new Uint8Array(10_000_000)]))
  let [twice, wrong, foreign] = [0, 0, 0]
  try {
    await Promise.all(
      takers.map(async (taker) => {
        for (let allocated = 0; allocated < SERIALS / takers.length; allocated += 2 * AT_ONCE) {
          const taken = await Promise.all([taker.takeReservedSerials(AT_ONCE), taker.takeReservedSerials(AT_ONCE)])
          for (const serial of taken.flat()) {
            const place = seen.get(serial.slice(0, 2))
            const at = Number(serial.slice(2))
            if (!place || serial.length !== 9 || place[at] !== 0) twice += 1
            else place[at] = 1
            if (at < 7_000_000) foreign += 1
            for (const bank of ISSUING_BANKS) {
              const number = nuban(bank, serial)
              if (!isNuban(bank, number) || h.gateway.ctx.ranges.known(bank, number) !== taker.id) wrong += 1
            }
          }
        }
      }),
    )
  } finally {
    await Promise.all(takers.map(closeCell))
  }
  const allocated = [...seen.values()].reduce((sum, place) => sum + place.reduce((n, one) => n + one, 0), 0)
  expect({ twice, wrong, foreign, allocated }).toEqual({ twice: 0, wrong: 0, foreign: 0, allocated: SERIALS })
}, 120_000)

test('serials of payments and of accounts come from ranges that do not meet', async () => {
  const h = harness()
  const cell = opened('01', h.databases['01'])
  try {
    await h.sql('01', `update number_ranges set next_serial = 16998000 where purpose = 'PAYMENT'`)
    const payments = await cell.takeAccountSerials(4_000)
    expect(Math.max(...payments.map((serial) => Number(serial.slice(2))))).toBeLessThan(7_000_000)
    // The last block: numbers are never given again, so after it there are none.
    await h.sql('01', `update number_ranges set next_serial = 19999900 where purpose = 'RESERVED'`)
    const last = await cell.takeReservedSerials(100)
    expect([last[0], last.at(-1)]).toEqual(['019999900', '019999999'])
    await expect(cell.takeReservedSerials(1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  } finally {
    await closeCell(cell)
  }
})
