// What an operator does about settlements: looks at what a run would pay, holds a merchant and releases it, and adds holidays.
// Called by tools/operator/settlements.ts; no route leads here.
import { readAll } from '../../core/cells/cells.ts'
import type { Ctx } from '../../kit/ctx.ts'
import type { CellId } from '../../kit/ids.ts'
import { destinationOf, mayBePaid, shareNow, sharesBehind } from './destinations.ts'
import { waitingMerchants } from './lines/lines.sql.ts'
import * as sql from './settlements.sql.ts'
import { wouldPay } from './settlements.ts'

export { addHoliday, hold, listHeld, release } from './operator.sql.ts'

const TOGETHER = 100

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
      const [rows, payees, rules] = [await wouldPay(r, ids), await sql.payeesOf(r, ids), await sql.rulesOf(r, ids)]
      const shares = await sharesBehind(
        r,
        rows.map((row) => row.account_id),
      )
      return rows.filter(mayBePaid(shares, r.now)).flatMap((row) => {
        const merchant = payees.get(row.merchant_id)
        if (!merchant) return []
        const share = shareNow(shares, row.account_id, r.now)
        const to = destinationOf(merchant, rules.get(row.merchant_id), share?.bank)
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
