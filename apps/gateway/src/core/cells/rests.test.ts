// How long an account number rests before another payment is given it: hours if nobody ever paid to it, else
// the quarantine. Drawn lives of numbers, by the clock, of our ranges and of a bank's stock, against a model.

import { nuban } from '@cowrie/contract/bank/nuban'
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { putBack, take } from '#core/routing/stock.sql.ts'
import { realClock } from '#kit/clock.ts'
import { Failure } from '#kit/fail.ts'
import { openTestCell } from '#test/kit/cells.ts'
import { type Harness, loginsTo, useHarness } from '#test/kit/harness.ts'
import { closeCell, engineTx } from './cells.ts'
import { restedAt } from './numbers.ts'

const harness = useHarness({ booksAfterEach: false })
const RESTS = { quarantineMs: 90 * DAY_MS, unpaidRestMs: 48 * HOUR_MS }
const BANK = '50515'
const NUMBERS = 4
const FIRST = 29_000_000
const all = Array.from({ length: NUMBERS }, (_, n) => nuban(BANK, String(FIRST + n).padStart(9, '0')))

/** What becomes of the payment that is given a number. LATE: money comes after it has expired. */
const FATES = ['UNPAID', 'UNPAID', 'CANCELLED', 'PAID', 'LATE', 'INVOICE'] as const
type Fate = (typeof FATES)[number]
type Holder = { readonly id: number; readonly closes: number; readonly fate: Fate; paid: boolean }
type Source = { readonly name: string; take(h: Harness, now: Date): Promise<string | null> }

const SOURCES: readonly Source[] = [
  {
    name: 'of our ranges',
    take: async (h, now) => {
      // A process of its own each time: what it has in hand ends with it.
      const cell = openTestCell({
        id: '02',
        logins: loginsTo(h.databases['02']),
        clock: { ...realClock, now: () => now },
      })
      try {
        const [serial] = await cell.takeAccountSerials(1)
        return nuban(BANK, serial as string)
      } catch (error) {
        if (error instanceof Failure && error.code === 'UNAVAILABLE') return null
        throw error
      } finally {
        await closeCell(cell)
      }
    },
  },
  {
    name: 'of a bank',
    take: (h, now) =>
      engineTx(h.gateway.ctx, '02', async (t) => {
        const at = { ...t, now }
        const { closedBefore } = restedAt(now, RESTS)
        await putBack(at, 1, restedAt(now, RESTS), 100)
        const [one] = await take(at, 1, { count: 1, validUntil: now, closedBefore })
        return one?.account_number ?? null
      }),
  },
]

async function begin(h: Harness): Promise<void> {
  for (const text of [
    `delete from number_ranges where purpose = 'PAYMENT'`,
    'delete from virtual_accounts where merchant_id = 999',
    'delete from former_holders where merchant_id = 999',
    'delete from inbound_credits where merchant_id = 999',
    'delete from transactions where merchant_id = 999',
    'delete from bank_numbers',
    `insert into number_ranges (bank_code, first_serial, last_serial, cell, purpose, next_serial)
     values ('*', ${FIRST}, ${FIRST + NUMBERS - 1}, '02', 'PAYMENT', ${FIRST})`,
    `insert into bank_numbers (account_number, bank_code, connector) values ${all.map((one) => `('${one}', '${BANK}', 1)`).join(', ')}`,
  ])
    await h.sql('02', text)
}

let ids = 1_000
function nextId(): number {
  ids += 1
  return ids
}
async function hold(h: Harness, number: string, now: Date, fate: Fate): Promise<Holder> {
  const id = nextId()
  const closes = now.getTime() + (fate === 'INVOICE' ? 60 * DAY_MS : 40 * 60_000)
  const status = fate === 'PAID' ? 'PAID' : fate === 'CANCELLED' ? 'CANCELLED' : 'EXPIRED'
  const invoice = fate === 'INVOICE' ? ['INVOICE', `i${id}`] : [null, null]
  await h.sql(
    '02',
    `insert into transactions (id, merchant_id, kobo, paid_kobo, created_at, expires_at, closed_at, email_key, name_key, reference,
       payment_reference, contract_code, status, customer_name, customer_email, description, methods, meta_data, product_type, product_reference)
     values ($1, 999, 100, $2, $3, $4, $4, 0, 0, $5, $5, 'c', $6, 'n', 'e', 'd', 'A', '{}', $7, $8)`,
    [id, fate === 'PAID' ? 100 : 0, now, new Date(closes), `r${id}`, status, ...invoice],
  )
  await h.sql(
    '02',
    `insert into virtual_accounts (account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at) values ($1, $2, 999, $3, $4, $5)`,
    [number, BANK, id, now, new Date(closes)],
  )
  const holder = { id, closes, fate, paid: false }
  if (fate === 'PAID') await pay(h, number, holder, now)
  return holder
}
async function pay(h: Harness, number: string, holder: Holder, now: Date): Promise<void> {
  holder.paid = true
  const id = nextId()
  await h.sql(
    '02',
    `insert into inbound_credits (bank_reference, merchant_id, transaction_id, transfer_id, outcome, kobo, account_number, bank_code,
       sender_name, sender_account_number, sender_bank_code, received_at)
     values ($1, 999, $2, $3, $4, 100, $5, $6, 's', '1', '058', $7)`,
    [`b${id}`, holder.id, id, holder.fate === 'PAID' ? 'COUNTED' : 'SUSPENDED', number, BANK, now],
  )
}

/** Whether money for the number would be known to be this holder's: it has it, or had it last. */
const isKnown = async (h: Harness, { id }: Holder): Promise<boolean> =>
  (
    await h.sql(
      '02',
      'select from virtual_accounts where transaction_id = $1 union all select from former_holders where transaction_id = $1',
      [id],
    )
  ).length > 0

/** The moment from which the model gives a number again. */
function freeFrom(holders: readonly Holder[]): number {
  const last = holders.at(-1)
  if (last === undefined) return Number.NEGATIVE_INFINITY
  const ever = holders.some(({ paid, fate }) => paid || fate === 'INVOICE')
  return last.closes + (ever ? RESTS.quarantineMs : RESTS.unpaidRestMs)
}

const step = fc.record({
  hours: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 24 * 80, max: 24 * 100 })),
  fate: fc.constantFrom(...FATES),
  /** Somebody pays late to the number that was given so many steps ago. */
  late: fc.integer({ min: 1, max: 6 }),
})

test.each(SOURCES)(
  'a number $name is given again hours after nobody paid to it, and after the quarantine if anybody ever did',
  async (source) => {
    const h = harness()
    let given = 0
    let early = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
        await begin(h)
        let at = Date.parse('2031-01-01T00:00:00Z')
        const lives = new Map<string, Holder[]>(all.map((number) => [number, []]))
        const order: { number: string; holder: Holder }[] = []
        for (const { hours, fate, late } of steps) {
          at += hours * HOUR_MS
          const now = new Date(at)
          const before = order.at(-late)
          if (
            before &&
            (await isKnown(h, before.holder)) &&
            before.holder.fate === 'LATE' &&
            !before.holder.paid &&
            before.holder.closes < at
          )
            await pay(h, before.number, before.holder, now)
          const number = await source.take(h, now)
          const free = [...lives].filter(([, holders]) => freeFrom(holders) < at).map(([one]) => one)
          // None is given only where none is free.
          expect(number === null ? free.length === 0 : free.includes(number)).toBe(true)
          if (number === null) continue
          const holders = lives.get(number) as Holder[]
          const last = holders.at(-1)
          if (last && at - last.closes < RESTS.quarantineMs) early += 1
          const holder = await hold(h, number, now, fate)
          holders.push(holder)
          order.push({ number, holder })
          given += 1
        }
      }),
      { numRuns: 40, seed: 38 },
    )
    expect(given).toBeGreaterThan(200)
    expect(early).toBeGreaterThan(20)
  },
  300_000,
)
