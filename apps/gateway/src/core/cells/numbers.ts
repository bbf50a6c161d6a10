// Account numbers: a bank adds its check digit to a serial of nine digits, and serials come from ranges
// (number_ranges, migration 0004). A process takes them in blocks. Ranges of payments are gone through one
// after the other and then again; a number that closed less than the quarantine ago is passed over, and who
// had it last is kept, because somebody may pay them late. One that nobody ever paid to rests hours: else
// whoever opens payments and leaves them takes all there are. Numbers of customers are given once.
import type { Clock } from '#kit/clock.ts'
import type { Statement } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'

export type Purpose = 'PAYMENT' | 'RESERVED'
/** The bank of a range whose serials are ours at every bank. */
export const EVERY_BANK = '*'

/** How many are taken at once: requests wait for a block, and a process that ends loses what it had. */
const PAYMENT_BLOCK = 1_000
const RESERVED_BLOCK = 100
/** So many blocks in a row without a number that may be given: then there is none. */
const FULL_BLOCKS_MAX = 200

/** Whether no money ever came to a number, also not for those that had it before (migration 0085). */
export const neverPaid = (v: string): string => `nobody_paid(${v}.transaction_id, ${v}.merchant_id) and not exists (
    select from former_holders f where f.account_number = ${v}.account_number and f.bank_code = ${v}.bank_code
      and not (f.unpaid and nobody_paid(f.transaction_id, f.merchant_id)))`
/** Whether somebody was paid to a number that was given back early, after it was: it rests on. */
export const paidLate = (f: string, closedBefore: string): string =>
  `case when ${f}.expires_at >= ${closedBefore}::timestamptz then not (${f}.unpaid and nobody_paid(${f}.transaction_id, ${f}.merchant_id)) else false end`
/** Keeps who had the numbers that the part `released` gives back; they may be paid late. */
export const KEPT = `
  insert into former_holders as f (account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at, unpaid)
  select account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at, nobody_paid(transaction_id, merchant_id)
  from released where transaction_id is not null
  on conflict (account_number, bank_code) do update set merchant_id = excluded.merchant_id, transaction_id = excluded.transaction_id,
    opened_at = excluded.opened_at, expires_at = excluded.expires_at,
    unpaid = f.unpaid and excluded.unpaid and nobody_paid(f.transaction_id, f.merchant_id)`

const WITHIN = `v.bank_code = $1 and v.account_number >= lpad(c.first::text, 9, '0') and v.account_number <= lpad(c.last::text, 9, '0') || '9'`

/** The next block; the numbers in it whose quarantine is over are free again, the others are named. A range
 *  that was gone through less often comes first, so that every number is unused as long as it can be. */
const TAKE_PAYMENT: Statement = {
  name: 'numbers_take_payment',
  text: `
-- all merchants: whoever had these numbers last
with c as materialized (
  select id, next_serial as first, least(next_serial + $2::bigint - 1, last_serial) as last from number_ranges
  where purpose = 'PAYMENT' and bank_code in ($1, '${EVERY_BANK}') order by cycles, id limit 1 for update
), moved as (
  update number_ranges r set next_serial = case when c.last = r.last_serial then r.first_serial else c.last + 1 end,
    cycles = r.cycles + case when c.last = r.last_serial then 1 else 0 end
  from c where r.id = c.id
), released as (
  delete from virtual_accounts v using c where ${WITHIN} and (v.expires_at < $3 or (v.expires_at < $4 and ${neverPaid('v')}))
  returning v.account_number, v.bank_code, v.merchant_id, v.transaction_id, v.opened_at, v.expires_at
), kept as (${KEPT}
)
select c.first, c.last, array(
  select left(v.account_number, 9) from virtual_accounts v where ${WITHIN} and v.expires_at >= $3
    and not exists (select from released r where r.account_number = v.account_number)
  union all
  select left(v.account_number, 9) from former_holders v where ${WITHIN} and ${paidLate('v', '$3')}
) as held from c`,
}
const TAKE_RESERVED: Statement = {
  name: 'numbers_take_reserved',
  text: `
with c as materialized (
  select id, next_serial as first, least(next_serial + $1::bigint - 1, last_serial) as last from number_ranges
  where purpose = 'RESERVED' and bank_code = '${EVERY_BANK}' and next_serial <= last_serial order by id limit 1 for update
), moved as (
  update number_ranges r set next_serial = c.last + 1 from c where r.id = c.id
)
select c.first, c.last, '{}'::text[] as held from c`,
}

type Block = { first: bigint; last: bigint; held: string[] }
type Query = <Row>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>
type Taker = (count: number) => Promise<string[]>

/** How long a number rests before another payment is given it. */
export type Rests = {
  readonly quarantineMs: number
  /** If nobody ever paid to it. */
  readonly unpaidRestMs: number
}
/** Before which moment a payment must have closed for its number to be given again. */
export const restedAt = (now: Date, { quarantineMs, unpaidRestMs }: Rests) => ({
  closedBefore: new Date(now.getTime() - quarantineMs),
  unpaidBefore: new Date(now.getTime() - Math.min(quarantineMs, unpaidRestMs)),
})

/** Serials for payments at a bank. */
export const paymentSerials = (query: Query, clock: Clock, rests: Rests, bankCode: string): Taker =>
  fromBlocks('payments', () => {
    const { closedBefore, unpaidBefore } = restedAt(clock.now(), rests)
    return query<Block>(TAKE_PAYMENT, [bankCode, PAYMENT_BLOCK, closedBefore, unpaidBefore])
  })

/** Serials for customers, at every bank. */
export const reservedSerials = (query: Query): Taker =>
  fromBlocks('reserved accounts', () => query<Block>(TAKE_RESERVED, [RESERVED_BLOCK]))

/** Hands out serials from blocks that this process owns; several takers share one refill. */
function fromBlocks(what: string, take: () => Promise<Block[]>): Taker {
  const free: string[] = []
  let refilling: Promise<void> | null = null
  const refill = async (): Promise<void> => {
    for (let full = 0; full < FULL_BLOCKS_MAX; full += 1) {
      const [block] = await take()
      if (!block) break
      const held = new Set(block.held)
      for (let serial = block.first; serial <= block.last; serial += 1n) {
        const text = String(serial).padStart(9, '0')
        if (!held.has(text)) free.push(text)
      }
      if (free.length > 0) return
    }
    fail('UNAVAILABLE', {}, `no account number is left for ${what}`)
  }
  return async (count) => {
    const taken: string[] = []
    while (taken.length < count) {
      taken.push(...free.splice(0, count - taken.length))
      if (taken.length === count) break
      refilling ??= refill().finally(() => {
        refilling = null
      })
      await refilling
    }
    return taken
  }
}
