// What is looked at before a run: an operator looks at what it would pay, holds a merchant and releases it,
// and adds holidays (by acts, settlements.acts.ts); a merchant's people see on their first screen what the
// next one would pay.
import { findBank } from '@cowrie/contract/bank/banks'
import { readAll } from '#core/cells/cells.ts'
import { accountId } from '#core/ledger/chart.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { localDay } from '#kit/times.ts'
import { chooseDestination, mayBePaid, shareNow, sharesBehind } from './destinations.ts'
import { calculateCutoff, isWithinWorkingDays, nextRun } from './lines/calendar.ts'
import { owed, waitingMerchants } from './lines/lines.sql.ts'
import { holidaysFrom } from './operator.sql.ts'
import * as sql from './settlements.sql.ts'
import { wouldPay } from './settlements.ts'

export { addHoliday, findHold, hold, listHeld, listRuns, nextRunAt, release } from './operator.sql.ts'

const TOGETHER = 100
/** A holiday so near changes what is paid before anybody else looks. */
const NEAR_WORKING_DAYS = 2

/** Whether a day is one of the next two working days, or before them. */
export const isNearHoliday = async (read: Read, day: string): Promise<boolean> =>
  isWithinWorkingDays(day, read.now, NEAR_WORKING_DAYS, await holidaysFrom(read, localDay(read.now)))

export type WouldPay = {
  readonly merchant: string
  readonly subAccount: string | null
  /** Zero or below: it stays for the next run. */
  readonly kobo: bigint
  readonly lines: number
  readonly destination: string
}

/** What a run would pay now, by beneficiary; of one merchant or of all. Nothing is written. */
export async function* dryRun(ctx: Ctx, cell: CellId, merchantId: bigint | null): AsyncGenerator<WouldPay> {
  for (let after = 0n; ; ) {
    const ids =
      merchantId === null ? await readAll(ctx, cell, (r) => waitingMerchants(r, after, TOGETHER)) : [merchantId]
    if (ids.length === 0) return
    yield* await readAll(ctx, cell, async (r) => {
      const [rows, payees, rules] = [await wouldPay(r, ids), await sql.findPayees(r, ids), await sql.findRules(r, ids)]
      const shares = await sharesBehind(
        r,
        rows.map((row) => row.account_id),
      )
      return rows.filter(mayBePaid(shares, r.now)).flatMap((row) => {
        const merchant = payees.get(row.merchant_id)
        if (!merchant) return []
        const share = shareNow(shares, row.account_id, r.now)
        const to = chooseDestination(merchant, rules.get(row.merchant_id), share?.bank)
        const destination = `${to.destination === 'WALLET' ? 'the wallet' : `bank ${to.bank_code}`} ${to.account_number}`
        return [
          {
            merchant: merchant.name,
            subAccount: share?.code ?? null,
            kobo: row.kobo,
            lines: row.lines,
            destination,
          },
        ]
      })
    })
    if (merchantId !== null) return
    after = ids.at(-1) as bigint
  }
}

/** A long weekend and a day. */
const RUNS_AHEAD = 6

export type NextSettlement = {
  /** Null: as soon as something is collected. */
  readonly at: Date | null
  readonly kobo: bigint
  readonly held: boolean
  readonly schedule: sql.RuleRow['schedule']
  readonly destination: 'WALLET' | 'BANK'
  readonly bankName: string
  readonly accountNumber: string
}

/** Of the merchant itself; its sub accounts have settlements of their own. The run is the first one that
 *  would pay something. */
export async function nextSettlement(read: Read, merchantId: bigint): Promise<NextSettlement | null> {
  const payee = (await sql.findPayees(read, [merchantId])).get(merchantId)
  if (!payee) return null
  const rule = (await sql.findRules(read, [merchantId])).get(merchantId)
  const schedule = rule?.schedule ?? 'SAME_DAY'
  const to = chooseDestination(payee, rule, undefined)
  const owedAt = async (run: Date): Promise<bigint> => {
    const cutoff = calculateCutoff(schedule, run, await sql.holidaysUntil(read, localDay(run)))
    const own = (await owed(read, [{ merchantId, cutoff }])).find(
      ({ account_id }) => account_id === accountId(merchantId, 'PENDING'),
    )
    return own?.kobo ?? 0n
  }
  const first = nextRun(read.now)
  let [at, kobo] = [first, await owedAt(first)]
  // Money of a Friday is paid on Monday: the runs of Saturday and Sunday have nothing for this merchant.
  for (let ahead = 1; schedule === 'T_PLUS_1' && kobo <= 0n && ahead < RUNS_AHEAD; ahead += 1) {
    at = nextRun(at)
    kobo = await owedAt(at)
  }
  return {
    at: schedule === 'INSTANT' ? null : kobo > 0n ? at : first,
    kobo,
    held: (await sql.findHeld(read, [merchantId])).has(merchantId),
    schedule,
    destination: to.destination,
    bankName: findBank(to.bank_code)?.name ?? to.bank_code,
    accountNumber: to.account_number,
  }
}
