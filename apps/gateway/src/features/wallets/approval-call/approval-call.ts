// Approval call: the merchant's own server approves what leaves to an account: it is posted there, signed
// like a notification, before the bank is asked.
//   asked → [200 and {"approved": true} within ten seconds] it goes        [anything else, silence, no
//     address] it is refused
// Nothing is written here. Whoever asks records the answer once, under a lock; a crash in between asks again.
import { nairaNumber } from '@cowrie/contract/kit/money'
import { APPROVAL_SECONDS_MAX } from '@cowrie/contract/wallets/disbursement-settings'
import type { Merchant } from '#core/access/merchants.ts'
import { signedHeaders } from '#features/events/webhooks/signing.ts'
import { monotonicMs } from '#kit/clock.ts'
import type { Ctx } from '#kit/ctx.ts'

export const NOT_APPROVED = 'Not approved by the merchant'

export type ToApprove = {
  /** Ours, the same whenever it is asked: a receiver knows a repetition by it. */
  readonly id: string
  /** The merchant's own. */
  readonly reference: string
  readonly kobo: bigint
  readonly accountNumber: string
  readonly bankCode: string
  readonly narration: string
}

/** Whether the merchant's server lets it go. Outside any transaction. */
export async function askToApprove(ctx: Ctx, merchant: Merchant, asked: ToApprove): Promise<boolean> {
  const { approvalUrl } = merchant.transfers
  if (approvalUrl === null) return false // removed since: nobody is left who could approve it
  const body = JSON.stringify({
    reference: asked.reference,
    amount: nairaNumber(asked.kobo),
    destinationAccountNumber: asked.accountNumber,
    destinationBankCode: asked.bankCode,
    narration: asked.narration,
  })
  const headers = signedHeaders(merchant.signingKeys(), `approval_${asked.id}`, body)
  const { status, answer } = await ctx.webhooks.post(approvalUrl, headers, body, APPROVAL_SECONDS_MAX * 1000)
  return status === 200 && approves(answer ?? '')
}

function approves(text: string): boolean {
  try {
    const said: unknown = JSON.parse(text)
    return typeof said === 'object' && said !== null && 'approved' in said && said.approved === true
  } catch {
    return false
  }
}

/** Questions to one server at the same time. */
const ASKED_AT_ONCE = 20
/** No question begins later than this, so that the last answer is recorded within the lease of a timer. */
const BEGIN_WITHIN_MS = 6_000

/** Asks about each, some of a merchant at a time; a slow server holds up nobody else's. Answers those there
 *  was no time for. */
export async function askEach<Row extends { readonly merchant_id: bigint }>(
  rows: readonly Row[],
  ask: (row: Row) => Promise<void>,
): Promise<Row[]> {
  const until = monotonicMs() + BEGIN_WITHIN_MS
  const late: Row[] = []
  const inTurn = async (queue: Row[]): Promise<void> => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      if (monotonicMs() > until) late.push(row)
      else await ask(row)
    }
  }
  const queues = [...Map.groupBy(rows, ({ merchant_id }) => merchant_id).values()]
  await Promise.all(queues.flatMap((queue) => Array.from({ length: ASKED_AT_ONCE }, () => inTurn(queue))))
  return late
}
