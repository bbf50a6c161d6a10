// What bench transfers asks: every list of payouts and every filter of their search, and the same questions
// about transactions.
import { RUN } from './load.ts'

export type Case = {
  readonly name: string
  readonly path: string
  readonly query: Record<string, string | number>
  /** How the parameters of a page are called. */
  readonly page: readonly [number: string, size: string]
  /** From what, which, and in which order; null for what is not a list. */
  readonly sql: { readonly from: string; readonly order: string } | null
}

const PREFIX = '/api/v2/disbursements'
const OWN = ['pageNo', 'pageSize'] as const

/** `rows`: how many payouts there are in all. */
export function casesOf(wallet: string, now: number, rows: number): Case[] {
  const ago = (days: number): number => now - days * 86_400_000
  const at = (ms: number): string => `to_timestamp(${ms} / 1000.0)`
  const search = (name: string, query: Case['query'], where: string): Case => ({
    name: `search, ${name}`,
    path: `${PREFIX}/search-transactions`,
    query: { sourceAccountNumber: wallet, ...query },
    page: OWN,
    sql: { from: `disbursements where merchant_id = $1 and ${where}`, order: 'created_at desc, place desc' },
  })
  const transactions = (name: string, query: Case['query'], where: string): Case => ({
    name: `TRANSACTIONS, ${name}`,
    path: '/api/v1/transactions/search',
    query,
    page: ['page', 'size'],
    sql: { from: `transactions where merchant_id = $1 and ${where}`, order: 'created_at desc, id desc' },
  })
  const wideDates = { startDate: ago(85), endDate: ago(3) }
  const narrowDates = { startDate: ago(40.02), endDate: ago(40) }
  const between = ({ startDate, endDate }: typeof wideDates) => `created_at between ${at(startDate)} and ${at(endDate)}`
  const fromTo = ({ startDate, endDate }: typeof wideDates) => ({ from: startDate, to: endDate })
  const wide = { amountFrom: 1000, amountTo: 20_000 }
  const narrow = { amountFrom: 2980, amountTo: 2981 }
  const amounts = (range: typeof wide) => `kobo between ${range.amountFrom}00 and ${range.amountTo}00`
  const least = ({ amountFrom, amountTo }: typeof wide) => ({ fromAmount: amountFrom, toAmount: amountTo })
  const [newest, middle] = [Math.floor(rows / 2 / (2 * RUN)) - 1, Math.floor(rows / 2 / (4 * RUN))]
  const rowsOf = (which: string, batch: number): Case => ({
    name: `rows of ${which}`,
    path: `${PREFIX}/bulk/batch-${900_000_000 + batch}/transactions`,
    query: {},
    page: OWN,
    sql: { from: `disbursements where merchant_id = $1 and batch_id = ${900_000_000 + batch}`, order: 'batch_row' },
  })
  return [
    transactions('no filter', {}, 'true'),
    transactions('dates, wide', fromTo(wideDates), between(wideDates)),
    transactions('amounts, wide', least(wide), amounts(wide)),
    transactions('amounts, narrow', least(narrow), amounts(narrow)),
    transactions('both, wide', { ...fromTo(wideDates), ...least(wide) }, `${between(wideDates)} and ${amounts(wide)}`),
    {
      name: 'single transfers',
      path: `${PREFIX}/single/transactions`,
      query: {},
      page: OWN,
      sql: { from: 'disbursements where merchant_id = $1 and batch_id is null', order: 'created_at desc, place desc' },
    },
    {
      name: 'batches',
      path: `${PREFIX}/bulk/transactions`,
      query: {},
      page: OWN,
      sql: { from: 'batches where merchant_id = $1', order: 'created_at desc, place desc' },
    },
    rowsOf('the newest batch', newest),
    rowsOf('a batch in the middle', middle),
    search('no filter', {}, 'true'),
    search('startDate', { startDate: ago(30) }, `created_at >= ${at(ago(30))}`),
    search('dates, wide', wideDates, between(wideDates)),
    search('dates, narrow', narrowDates, between(narrowDates)),
    search('amountFrom', { amountFrom: 3000 }, 'kobo >= 300000'),
    search('amountTo', { amountTo: 3000 }, 'kobo <= 300000'),
    search('amounts, wide', wide, amounts(wide)),
    search('amounts, narrow', narrow, amounts(narrow)),
    search('amounts, none', { amountFrom: 0, amountTo: 1 }, 'kobo between 0 and 100'),
    search('both, wide', { ...wideDates, ...wide }, `${between(wideDates)} and ${amounts(wide)}`),
    search('both, narrow', { ...narrowDates, ...narrow }, `${between(narrowDates)} and ${amounts(narrow)}`),
    search('wide dates, narrow amounts', { ...wideDates, ...narrow }, `${between(wideDates)} and ${amounts(narrow)}`),
    {
      name: 'wallet balance',
      path: `${PREFIX}/wallet-balance`,
      query: { accountNumber: wallet },
      page: OWN,
      sql: null,
    },
    { name: 'summary', path: `${PREFIX}/single/summary`, query: { reference: `wage-${rows}` }, page: OWN, sql: null },
    ...['newest', 'middle'].map((which) => ({
      name: `summary of the ${which} batch`,
      path: `${PREFIX}/batch/summary`,
      query: { reference: `batch-${900_000_000 + (which === 'newest' ? newest : middle)}` },
      page: OWN,
      sql: null,
    })),
  ]
}
