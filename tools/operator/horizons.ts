// The horizons of the ledger after a logical restore (pg_dump, logical replication, a provider's import): the
// rows keep the transaction numbers of the old cluster, while the new one counts from anew, and new payments
// would lie below the horizons that were restored. The gateway does not start on such a cell. Stop everything
// that writes to it, then:
//   cowrie run horizons check      says whether the numbers of each cell fit its cluster; changes nothing
//   cowrie run horizons repair     lets the numbers of each cell go on above those that were restored;
//     harmless when they fit
// Reads CELLS like `cowrie run migrate`: one login per cell, the owner of its tables. Exit codes: 0 fine, 1 a
// cell does not fit, 2 wrong use. See docs/decisions/0003-ledger.md.
import { Client } from 'pg'
import { writableAddress } from '../../apps/gateway/src/core/cells/primary.ts'
import { HIGHEST, HORIZON, NEWEST } from '../../apps/gateway/src/core/ledger/horizons.ts'

const USAGE = `Usage: CELLS=01=postgres://<owner>@… cowrie run horizons <check|repair>

After a dump was restored into another PostgreSQL cluster: the ledger orders its rows by the transaction numbers of its cluster, and the
new one counts from the beginning.
check   says whether the numbers of each cell fit its cluster; changes nothing
repair  lets the numbers of each cell go on above those that were restored; before that, api and worker refuse to start
CELLS names the owner of the tables of each cell. Exit codes: 0 fine, 1 a repair is needed, 2 wrong usage.`

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: await writableAddress(url) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const readNumber = async (client: Client, of: string): Promise<bigint> =>
  BigInt((await client.query<{ number: string }>(`select ${of} as number`)).rows[0]?.number ?? '0')

/** How far the numbers of the ledger lie ahead of the cluster's; 0 or less when they fit. */
const isAhead = (client: Client): Promise<bigint> => readNumber(client, `${HIGHEST} - ${NEWEST}`)

/** Raises the offset so that everything that is committed from now on is above everything that was
 *  restored. */
export const repair = (url: string): Promise<string> =>
  connected(url, async (client) => {
    if ((await isAhead(client)) <= 0n) return 'nothing to repair'
    await client.query('begin')
    await client.query(`set local lock_timeout = '5s'; lock table transfers in share row exclusive mode`)
    // From the oldest open transaction, not the newest: one that is open now may yet write a transfer.
    const offset = await readNumber(client, `ledger_offset() + ${HIGHEST} - ${HORIZON}`)
    await client.query(
      `create or replace function ledger_offset() returns bigint language sql immutable parallel safe return ${offset}::bigint`,
    )
    await client.query('commit')
    return `repaired; the offset is now ${offset}`
  })

export const check = (url: string): Promise<string | null> =>
  connected(url, async (client) => {
    const ahead = await isAhead(client)
    return ahead > 0n
      ? `the ledger is ${ahead} transactions ahead of its PostgreSQL cluster; run \`cowrie run horizons repair\``
      : null
  })

if (import.meta.main) {
  const cells = (process.env['CELLS'] ?? '').split(',').filter(Boolean)
  const [command] = process.argv.slice(2)
  if (cells.length === 0 || (command !== 'check' && command !== 'repair')) {
    console.error(USAGE)
    process.exit(2)
  }
  for (const cell of cells) {
    const at = cell.indexOf('=')
    const [name, url] = [cell.slice(0, at), cell.slice(at + 1)]
    if (command === 'repair') console.log(`cell ${name}: ${await repair(url)}`)
    else {
      const fault = await check(url)
      console.log(`cell ${name}: ${fault ?? 'ok'}`)
      if (fault) process.exitCode = 1
    }
  }
}
