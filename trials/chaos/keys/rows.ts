// What lies sealed in the database during a rotation, and whether it is all still there afterwards.

import { readConfig } from '../../../apps/gateway/src/config.ts'
import { engineTx } from '../../../apps/gateway/src/core/cells/cells.ts'
import { open, seal } from '../../../apps/gateway/src/kit/crypto.ts'
import { SEALED } from '../../../tools/operator/keys.ts'
import { type Stack, withGateway } from '../../../tools/sandbox/stack.ts'
import { withClient } from '../kit/database.ts'
import type { ChaosMerchant } from '../kit/world.ts'
import type { Load } from './load.ts'

const AT_ONCE = 1_000
/** Mails that are due in a hundred years: nobody sends them meanwhile. */
const FILL = `insert into people_mails (id, recipient, subject, text_sealed, created_at, try_at)
select i, 'nobody@chaos.example', 'Kept', t, $3, '2100-01-01' from unnest($1::bigint[], $2::text[]) as x (i, t)`

export const loadSealed = (stack: Stack, rows: number): Promise<void> =>
  withGateway(stack.config, async ({ ctx }) => {
    for (let from = 0; from < rows; from += AT_ONCE) {
      const ids = Array.from({ length: Math.min(AT_ONCE, rows - from) }, (_, at) => BigInt(from + at + 1))
      const texts = ids.map((id) => seal(ctx.keys, `text ${id}`, `people-mail ${id}`))
      await engineTx(ctx, '01', (t) => t.query({ name: 'chaos_fill', text: FILL }, [ids, texts, t.now]))
    }
  })

/** How many of them a version has sealed. */
export const sealedBy = (url: string, fingerprint: string): Promise<number> =>
  withClient(url, async (client) => {
    const text = `select count(*)::int as n from people_mails where split_part(text_sealed, '.', 2) = $1`
    return (await client.query<{ n: number }>(text, [fingerprint])).rows[0]?.n ?? 0
  })

/** Loses one record of them. */
export const loseOne = (url: string): Promise<unknown> =>
  withClient(url, (client) => client.query(`update people_mails set text_sealed = '' where id = 1`))

/** Everything that was sealed opens with the version that is left, to what it was. */
export async function faults(
  stack: Stack,
  merchants: readonly ChaosMerchant[],
  rows: number,
  load: Load,
): Promise<string[]> {
  const secrets = new Map(merchants.map(({ apiKey, secretKey }) => [apiKey, secretKey]))
  const wrong: string[] = []
  // Read anew: the keys that the stack began with are gone.
  await withGateway(readConfig(stack.env), async ({ ctx }) => {
    let found = 0
    for (const { table, columns } of SEALED) {
      const all = await engineTx(ctx, '01', (t) =>
        t.query<Record<string, unknown>>({ name: `chaos_${table}`, text: `select * from ${table}` }, []),
      )
      for (const row of all)
        for (const [column, contextOf] of Object.entries(columns)) {
          const record = row[column]
          if (typeof record !== 'string' || !record.startsWith('v1.')) continue
          const plain = open(ctx.keys, record, contextOf(row))
          if (table === 'people_mails') found += 1
          const name = String(row[table === 'merchants' ? 'api_key' : 'id'])
          if (table === 'merchants' && secrets.get(name) !== plain) wrong.push(`${name}: other secret`)
          if (table === 'people_mails' && plain !== `text ${name}`) wrong.push(`mail ${name}: other text`)
        }
    }
    const versions = ctx.keys.versions.map(({ version }) => version).join()
    if (versions !== '2') wrong.push(`the versions are ${versions}`)
    if (found !== rows) wrong.push(`${found} of ${rows} sealed mails are there`)
  })
  if (load.paid() === 0 || load.payouts() === 0) wrong.push('nothing was paid: nothing was shown')
  const unfinished = await withClient(stack.databaseUrl('01'), async (client) => {
    const { rows: left } = await client.query<{ status: string; n: number }>(
      `select status, count(*)::int as n from disbursements where status <> 'SUCCESS' group by 1`,
    )
    return left.map(({ status, n }) => `${n} payouts are ${status}`)
  })
  return [...wrong, ...unfinished]
}
