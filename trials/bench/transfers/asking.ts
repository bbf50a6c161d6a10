// How bench transfers asks: each answer is compared with SQL, and all questions take turns.
import type pg from 'pg'
import { quantileOf } from '../kit/figures.ts'
import type { Case } from './cases.ts'

const WARM_UP = 10
const ROUNDS = 5
export const SIZES = [10, 100, 1000]

export type Body = {
  totalElements: number
  last: boolean
  content: { reference?: string; batchReference?: string; transactionReference?: string }[]
}
export type Ask = (path: string, query: Case['query']) => Promise<Body>

/** One question that is asked again and again, what it took, and what was wrong with the answers. */
export type Place = { readonly ask: () => Promise<void>; readonly times: number[] }
export type Asked = {
  readonly name: string
  readonly total: number
  readonly places: readonly Place[]
  readonly wrong: Set<string>
  cpu: number
}

export async function prepare(client: pg.Client, ask: Ask, merchant: bigint, one: Case): Promise<Asked> {
  const { name, path, query, page, sql } = one
  const wrong = new Set<string>()
  if (sql === null) {
    const single: Place = { ask: async () => void (await ask(path, query)), times: [] }
    return { name, total: 1, places: [single], wrong, cpu: 0 }
  }
  const { rows: counted } = await client.query(`select count(*)::int as total from ${sql.from}`, [merchant])
  const total = counted[0].total as number
  const places: Place[] = []
  for (const size of SIZES) {
    const pages = Math.max(1, Math.ceil(total / size))
    for (const number of [0, Math.floor(pages / 2), pages - 1]) {
      const { rows } = await client.query<{ reference: string }>(
        `select reference from ${sql.from} order by ${sql.order} offset ${number * size} limit ${size}`,
        [merchant],
      )
      const expected = rows.map((row) => row.reference).join()
      const askPage = async (): Promise<void> => {
        const body = await ask(path, { ...query, [page[0]]: number, [page[1]]: size })
        if (body.totalElements !== total) wrong.add(`total ${body.totalElements}, expected ${total}`)
        if (body.last !== number >= pages - 1) wrong.add(`page ${number} of ${size}: last is ${body.last}`)
        const seen = body.content.map((item) => item.reference ?? item.batchReference ?? item.transactionReference)
        if (seen.join() !== expected) wrong.add(`page ${number} of ${size} differs`)
      }
      places.push({ ask: askPage, times: [] })
    }
  }
  return { name, total, places, wrong, cpu: 0 }
}

async function timed({ ask, times }: Place, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const since = performance.now()
    await ask()
    times.push(performance.now() - since)
  }
}

export const figures = (places: readonly (readonly number[])[]): string =>
  places
    .map(
      (times) => `${quantileOf(times, 0.5).toFixed(1).padStart(5)} /${quantileOf(times, 0.99).toFixed(1).padStart(6)}`,
    )
    .join('  ')

export async function askAll(all: readonly Asked[], requests: number, cpu: () => number): Promise<void> {
  for (const { places } of all) for (const { ask } of places) for (let n = 0; n < WARM_UP; n += 1) await ask() // the first ones make the plans
  for (let round = 0; round < ROUNDS; round += 1)
    for (const one of all) {
      const before = cpu()
      for (const place of one.places) await timed(place, Math.ceil(requests / ROUNDS))
      one.cpu += cpu() - before
    }
}
