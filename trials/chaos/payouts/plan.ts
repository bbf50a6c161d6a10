// What a run will do, decided by its seed before it begins: half of the payouts are sent to the bank by the
// api while their merchant waits, half by the worker, alone or as rows of small batches. Some requests are
// sent twice.
import { accountName } from '../../../apps/simulator/src/kit/names.ts'
import { nairaNumber } from '../../../packages/contract/src/kit/money.ts'
import { mulberry32 } from '../kit/random.ts'

export type PlannedPayout = {
  readonly reference: string
  readonly kobo: bigint
  readonly accountNumber: string
}
export const WAYS = ['now', 'later', 'batch'] as const
export type Way = (typeof WAYS)[number]
export type PlannedRequest = {
  /** Milliseconds after the start of the load. */
  readonly at: number
  readonly merchant: number
  readonly way: Way
  /** Of the batch; else that of its only payout. */
  readonly reference: string
  readonly payouts: readonly PlannedPayout[]
  /** Sent once more after its answer, under the same reference. */
  readonly again: boolean
}

/** Shares of the orders; three tenths together. */
export const FAULTS = { lost: 0.1, late: 0.08, doubled: 0.06, reversed: 0.06 } as const
const BANK_CODE = '044'
const ROWS = 5
/** Of sixteen requests ten wait, five do not, and one is a batch of five: half of the payouts are the
 *  worker's. */
const [NOW, LATER] = [10 / 16, 15 / 16]
const AGAIN = 0.1
const LOAD_ENDS_AT = 0.95

export function planRequests(seed: number, count: number, seconds: number, merchants: number): PlannedRequest[] {
  const random = mulberry32(seed)
  const requests: Omit<PlannedRequest, 'at'>[] = []
  for (let planned = 0; planned < count; ) {
    const chance = random()
    const way: Way = chance < NOW ? 'now' : chance < LATER ? 'later' : 'batch'
    const payouts = Array.from({ length: way === 'batch' ? Math.min(ROWS, count - planned) : 1 }, (_, row) => ({
      reference: `chaos-payout-${planned + row}`,
      kobo: BigInt(10_000 + Math.floor(random() * 1_000_000)),
      accountNumber: `3${String(planned + row).padStart(6, '0')}111`, // an ending that the bank has no rule for
    }))
    const reference = way === 'batch' ? `chaos-batch-${planned}` : (payouts[0]?.reference ?? '')
    requests.push({ way, payouts, reference, merchant: Math.floor(random() * merchants), again: random() < AGAIN })
    planned += payouts.length
  }
  const step = (seconds * 1000 * LOAD_ENDS_AT) / requests.length
  return requests.map((request, at) => ({ ...request, at: at * step }))
}

const rowOf = ({ reference, kobo, accountNumber }: PlannedPayout) => ({
  amount: nairaNumber(kobo),
  reference,
  narration: reference, // so that the bank's books can be asked about it
  destinationBankCode: BANK_CODE,
  destinationAccountNumber: accountNumber,
  destinationAccountName: accountName(BANK_CODE, accountNumber),
})

export function messageOf(
  { way, reference, payouts }: PlannedRequest,
  sourceAccountNumber: string,
): { readonly path: string; readonly body: unknown } {
  if (way === 'batch') {
    const batch = { title: 'Wages', batchReference: reference, narration: 'Wages', onValidationFailure: 'BREAK' }
    return {
      path: '/api/v2/disbursements/batch',
      body: { ...batch, sourceAccountNumber, transactionList: payouts.map(rowOf) },
    }
  }
  const [payout] = payouts
  if (!payout) throw new Error(`${reference} has no payout`)
  return {
    path: '/api/v2/disbursements/single',
    body: { ...rowOf(payout), sourceAccountNumber, async: way === 'later' },
  }
}
