// A backup by pg_dump, restored in another cluster: the gateway says what to do before it takes a payment,
// and after that every payment is counted and settled once, whichever cluster took it. Needs pg_dump and psql
// of an installed PostgreSQL.
import { execFileSync, spawnSync } from 'node:child_process'
import { creditNotice } from '@cowrie/contract/bank/connector'
import pg from 'pg'
import { expect, test } from 'vitest'
import { gather } from '#features/settlements/settlements/lines/lines.ts'
import { createSettlements } from '#features/settlements/settlements/settlements.ts'
import { notice, signature } from '#test/bank/notices.ts'
import { checkBooks } from '#test/kit/books.ts'
import { type Harness, INIT, INIT_PAYMENT, initBody, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { scratchCluster, stopWhenLeft } from '#test/kit/postgres.ts'
import { migrate } from '../../../../tools/migrate.ts'
import { freePort } from '../../../../tools/ports.ts'
import { createLogins } from '../../../../tools/postgres/logins.ts'
import type { Engine } from '../../../../tools/postgres/postgres.ts'
import { lacks } from '../../../../tools/programs.ts'
import { seedMerchant } from '../../../../tools/sandbox/seed.ts'
import { createApi } from '../app.ts'
import { openGateway } from '../gateway.ts'
import { joinMerchant } from '../join.ts'
import { readAll } from './cells/cells.ts'
import { accountId } from './ledger/chart.ts'
import { balance, rollUp } from './ledger/ledger.ts'

const harness = useHarness()
/** What a wallet of the sandbox is given to begin with. */
const SANDBOX_MONEY = 500_000_000n

/** A gateway on one database, and what the test does with it. */
async function gatewayOn(h: Harness, url: string) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const logins = (await createLogins(url))(url)
  const config = { ...h.config, port, cells: new Map([['01', logins]]), publicUrl: base }
  const gateway = await openGateway(config, 'test')
  const { ctx } = gateway
  const app = createApi(gateway, config)
  await app.listen({ host: '127.0.0.1', port })
  const post = async (
    path: string,
    body: unknown,
    headersOf: (raw: string) => Record<string, string>,
  ): Promise<any> => {
    const raw = JSON.stringify(body)
    const headers = { 'content-type': 'application/json', ...headersOf(raw) }
    const answer = await fetch(base + path, { method: 'POST', headers, body: raw })
    return ((await answer.json()) as any).responseBody
  }
  return {
    ctx,
    pay: async (merchant: TestMerchant, naira: number): Promise<string> => {
      const basic = Buffer.from(`${merchant.apiKey}:${merchant.secretKey}`).toString('base64')
      const { accessToken } = await post('/api/v1/auth/login', {}, () => ({ authorization: `Basic ${basic}` }))
      const bearer = () => ({ authorization: `Bearer ${accessToken}` })
      const { transactionReference } = await post(INIT, initBody(merchant, { amount: naira }), bearer)
      const { accountNumber } = await post(INIT_PAYMENT, { transactionReference }, bearer)
      const signed = (raw: string) => signature(h, raw, creditNotice.path)
      return (await post(creditNotice.path, notice(accountNumber, `${naira}.00`), signed)).outcome
    },
    settle: async () => {
      await rollUp(ctx, '01')
      await createSettlements(ctx).run('01', 0n)
      await rollUp(ctx, '01')
    },
    held: (merchant: TestMerchant) =>
      readAll(ctx, '01', async (r) => ({
        pending: await balance(r, accountId(merchant.id, 'PENDING')),
        wallet: (await balance(r, accountId(merchant.id, 'WALLET'))) - SANDBOX_MONEY,
      })),
    close: async () => {
      await app.close()
      await gateway.close()
    },
  }
}

async function query(url: string, ...statements: string[]): Promise<any[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let rows: any[] = []
  for (const statement of statements) rows = (await client.query(statement)).rows
  await client.end()
  return rows
}

const horizons = (command: string, url: string) =>
  spawnSync(process.execPath, ['tools/operator/horizons.ts', command], {
    encoding: 'utf8',
    env: { CELLS: `01=${url}` },
  })

/** The life before the dump: money that was settled, money that waits as a line, and money that nobody has
 *  looked at yet. */
async function lifeBefore(h: Harness, url: string): Promise<TestMerchant> {
  await migrate(url)
  const first = await gatewayOn(h, url)
  const seeded = seedMerchant({
    ...{ seed: 'restore', cell: '01', label: 'restored', name: 'Restored Stores', email: 'restored@test.example' },
    ...{ transferOtp: false, requestsPerSecond: 100_000 },
  })
  const merchant: TestMerchant = { ...seeded, cell: '01', id: await joinMerchant(first.ctx, '01', seeded) }
  await query(url, `do $$ begin for n in 1..3000 loop perform pg_current_xact_id(); commit; end loop; end $$`)
  expect(await first.pay(merchant, 1000)).toBe('COUNTED')
  await first.settle()
  expect(await first.pay(merchant, 500)).toBe('COUNTED')
  await gather(first.ctx, '01')
  expect(await first.pay(merchant, 700)).toBe('COUNTED')
  expect(await first.held(merchant)).toEqual({ pending: 118_200n, wallet: 98_500n })
  await first.close()
  return merchant
}

async function restore(from: string, to: string): Promise<void> {
  await query(to, 'create role cowrie_app nologin', 'create role cowrie_engine nologin')
  const dump = execFileSync('pg_dump', [from], { maxBuffer: 100_000_000 })
  execFileSync('psql', ['-q', '-v', 'ON_ERROR_STOP=1', to], { input: dump, stdio: ['pipe', 'ignore', 'pipe'] })
}

test.skipIf(lacks('pg_dump') || lacks('psql'))(
  'a cell that pg_dump brought into another cluster starts after its repair, and settles every payment once',
  async () => {
    const h = harness()
    const clusters: Engine[] = [
      await scratchCluster({ preferSystem: true }),
      await scratchCluster({ preferSystem: true }),
    ]
    const [from, to] = clusters.map((cluster) => cluster.url('cell')) as [string, string]
    for (const cluster of clusters) await cluster.createDatabase('cell')
    try {
      const merchant = await lifeBefore(h, from)
      expect(horizons('check', from)).toMatchObject({ status: 0, stdout: 'cell 01: ok\n' })
      await restore(from, to)

      await expect(gatewayOn(h, to)).rejects.toThrow(
        'cell 01 was restored into another PostgreSQL cluster: run `cowrie run horizons repair` first, otherwise new payments would not be settled',
      )
      expect(horizons('check', to)).toMatchObject({
        status: 1,
        stdout: expect.stringMatching(/ahead of its PostgreSQL cluster/),
      })
      expect(horizons('repair', to)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^cell 01: repaired/) })
      expect(horizons('repair', to)).toMatchObject({ status: 0, stdout: 'cell 01: nothing to repair\n' })

      const second = await gatewayOn(h, to)
      expect(await second.held(merchant)).toEqual({ pending: 118_200n, wallet: 98_500n })
      for (let n = 0; n < 3; n += 1) expect(await second.pay(merchant, 2000)).toBe('COUNTED')
      expect(await second.held(merchant)).toEqual({ pending: 709_200n, wallet: 98_500n })
      await rollUp(second.ctx, '01')
      expect(await second.held(merchant)).toEqual({ pending: 709_200n, wallet: 98_500n })
      await second.settle()
      expect(await second.held(merchant)).toEqual({ pending: 0n, wallet: 807_700n })
      await second.settle()
      expect(await query(to, 'select kobo::text from settlements order by number')).toEqual([
        { kobo: '98500' },
        { kobo: '709200' },
      ])
      await second.close()
      expect(await checkBooks(to)).toEqual([])
      await (await gatewayOn(h, to)).close()
    } finally {
      for (const cluster of clusters) await stopWhenLeft(cluster)
    }
  },
  120_000,
)
