// The statement that names the merchants of breaks.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'

const API_KEYS: Statement = {
  name: 'corrections_api_keys',
  text: `
-- all merchants: the operator sees whose breaks they are
select id, api_key from merchants where id = any($1::bigint[])`,
}
export const apiKeys = async (read: Read, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> => {
  const rows = await read.query<Pick<Rows['merchants'], 'id' | 'api_key'>>(API_KEYS, [ids])
  return new Map(rows.map((row) => [row.id, row.api_key]))
}
