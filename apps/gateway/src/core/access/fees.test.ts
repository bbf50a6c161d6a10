// Which schedule a fee is by: the newest that has begun.
import { expect, test } from 'vitest'
import { feeScheduleAt, toFees } from './fees.ts'

test('a schedule is in force from its very instant, and the one before it until then', () => {
  const begins = new Date('2026-11-16T00:00:00.000Z')
  const row = (id: string, validFrom: Date) => ({
    ...{
      id,
      method: 'ANY' as const,
      basis_points: '150',
      flat_kobo: '0',
      cap_kobo: '200000',
      bearer: 'MERCHANT' as const,
    },
    valid_from: validFrom.toISOString(),
  })
  const fees = toFees([row('2', begins), row('1', new Date(0))] as never)
  const at = (ms: number) => feeScheduleAt({ fees }, 'CARD', new Date(begins.getTime() + ms))?.id
  expect([at(-1), at(0), at(1)]).toEqual([1n, 2n, 2n])
})
