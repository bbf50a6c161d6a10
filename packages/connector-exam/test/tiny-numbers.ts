// Account numbers that the tiny bank issues one at a time, kept under the reference that they were ordered
// with.
import type { Store } from '@cowrie/connector-kit'
import type { Json } from '../src/kit/http.ts'
import type { Call } from './tiny-mapping.ts'

export type Numbered = readonly [status: number, body: Json]

export async function createNumbers({ pool, schema }: Store, call: Call): Promise<(order: Json) => Promise<Numbered>> {
  await pool.query(
    `create table if not exists ${schema}.tiny_numbers (account_number text primary key, reference text not null, at serial)`,
  )
  const underWay = new Map<string, Promise<unknown>>()

  const kept = async (reference: string): Promise<string[]> => {
    const text = `select account_number from ${schema}.tiny_numbers where reference = $1 order by at`
    return (await pool.query<{ account_number: string }>(text, [reference])).rows.map((row) => row.account_number)
  }
  const fill = async (reference: string, count: number): Promise<void> => {
    for (let have = (await kept(reference)).length; have < count; have += 1) {
      const { status, json } = await call('POST', '/numbers', {}, AbortSignal.timeout(600))
      const account = json['account']
      if (status !== 200 || typeof account !== 'string') return
      await pool.query(`insert into ${schema}.tiny_numbers (account_number, reference) values ($1, $2)`, [
        account,
        reference,
      ])
    }
  }
  return async (order) => {
    const [reference, count] = [String(order['reference']), Number(order['count'])]
    const turn = (underWay.get(reference) ?? Promise.resolve())
      .then(() => fill(reference, count))
      .catch(() => undefined)
    underWay.set(reference, turn)
    await turn
    const numbers = (await kept(reference)).map((accountNumber) => ({
      accountNumber,
      bankCode: '999',
      validUntil: null,
    }))
    return [200, { reference, numbers }]
  }
}
