// What the search and the lists of transactions take: the first page of ten, of many merchants, by several
// filters.
import { quantileOf } from '../kit/figures.ts'
import type { Bench } from '../kit/stack.ts'

const EACH = 1_500
const FILTERS: Readonly<Record<string, string>> = {
  'no filter': '',
  'a state': '&paymentStatus=PAID',
  'an amount': '&fromAmount=1000&toAmount=2000',
  'an address': '&customerEmail=c7%40example.com',
}

export type Times = ReadonlyMap<string, number>

/** The 99th percentile of each filter, in milliseconds. */
export async function listTimes({ apiUrl }: Bench, tokens: readonly string[]): Promise<Times> {
  const p99 = new Map<string, number>()
  for (const [name, query] of Object.entries(FILTERS)) {
    const times: number[] = []
    for (let n = 0; n < EACH; n += 1) {
      const since = performance.now()
      const url = `${apiUrl}/api/v1/transactions/search?page=0&size=10${query}`
      const answer = await fetch(url, { headers: { authorization: `Bearer ${tokens[n % tokens.length]}` } })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${name}: ${answer.status}`)
      times.push(performance.now() - since)
    }
    p99.set(name, quantileOf(times, 0.99))
  }
  return p99
}
