// What the database itself holds, whatever the code above it does: roles, row-level security, durability,
// migrations, and that a merchant's requests stay in the merchant's cell.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MACHINES } from '@cowrie/contract'
import { transactionMachine } from '@cowrie/contract/collections/transactions'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { deriveKeys } from '#kit/crypto.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { Log } from '#kit/log.ts'
import { openTestCell } from '#test/kit/cells.ts'
import {
  advance,
  type CellName,
  type Harness,
  INIT,
  initBody,
  initialise,
  issueAccount,
  loginsTo,
  paid,
  status,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { connected, TEMPLATE } from '#test/kit/postgres.ts'
import { migrate } from '../../../../tools/migrate.ts'
import { createLogins } from '../../../../tools/postgres/logins.ts'
import { type Engine, startPostgres } from '../../../../tools/postgres/postgres.ts'
import { cellById, closeCell, commitOne, engineTx, readAs } from './cells/cells.ts'
import type { Logins } from './cells/logins.ts'
import { checkCells, durabilityFaults } from './durability.ts'

const harness = useHarness()
const CELL = '01'
const ROLES = ['cowrie_app', 'cowrie_engine'] as const
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

/** A connection as the gateway has it. */
const asRole = <T>(h: Harness, role: string, merchantId: bigint | null, work: (client: pg.Client) => Promise<T>) => {
  const acting = merchantId === null ? '' : ` -c cowrie.merchant=${merchantId}`
  const { app, engine } = loginsTo(h.databases[CELL])
  const connectionString = role === 'cowrie_app' ? app : engine
  return connected({ connectionString, options: `-c role=${role}${acting}` }, work)
}
const refusalOf = async (client: pg.Client, statement: string): Promise<string> =>
  client.query(statement).then(
    () => 'done',
    (error: { code: string }) => error.code,
  )
const asAdmin = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> =>
  connected({ connectionString: `${inject('postgresUrl')}postgres` }, work)
async function freshDatabase(template: string): Promise<string> {
  const name = unique('engine').replaceAll('-', '_')
  await asAdmin((admin) => admin.query(`create database ${name} template ${template}`))
  closing.push(() => asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`)))
  return name
}

describe('roles', () => {
  const INSERT_ONLY = {
    transfers: 'kind',
    events: 'object',
    state_changes: 'to_state',
    inbound_credits: 'kobo',
    event_numbers: 'number',
    delivery_attempts: 'status',
    fee_schedules: 'basis_points',
    merchant_limits: 'kind',
  }
  test.each(ROLES)('%s can neither update nor delete nor truncate what is insert-only', async (role) => {
    const h = harness()
    await asRole(h, role, h.merchants.main.id, async (client) => {
      for (const [table, column] of Object.entries(INSERT_ONLY)) {
        expect(await refusalOf(client, `update ${table} set ${column} = ${column}`), table).toBe('42501')
        expect(await refusalOf(client, `delete from ${table}`), table).toBe('42501')
        expect(await refusalOf(client, `truncate ${table}`), table).toBe('42501')
      }
    })
  })

  // Personal data in them can be erased by the engine, and becomes nothing but the word for it (decision
  // 0031).
  test.each([
    ['cowrie_app', '42501'],
    ['cowrie_engine', '23001'],
  ] as const)('%s cannot change the body of an event, nor the name of a sender', async (role, refusal) => {
    const h = harness()
    await paid(h, h.merchants.main)
    await asRole(h, role, h.merchants.main.id, async (client) => {
      for (const change of [
        `events set body = replace(body, 'Ngozi', 'Ada')`,
        `events set body = '{}'`,
        `events set shape = null, body = ''`,
        `inbound_credits set sender_name = 'Ada'`,
      ])
        expect(await refusalOf(client, `update ${change}`), change).toBe(refusal)
    })
  })

  test.each(ROLES)('%s owns nothing, is not a superuser, passes by no policy and cannot log in', async (role) => {
    const h = harness()
    const [row] = await h.sql(
      CELL,
      `select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, (select count(*)::int from pg_class where relowner = r.oid) as owned
        from pg_roles r where rolname = $1`,
      [role],
    )
    expect(row).toEqual({ rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false, owned: 0 })
    await asRole(h, role, h.merchants.main.id, async (client) => {
      expect(await refusalOf(client, 'create table mine (id bigint)')).toBe('42501')
      expect(await refusalOf(client, 'alter table accounts drop constraint balance_not_negative')).toBe('42501')
      expect(await refusalOf(client, 'alter table transfers disable row level security')).toBe('42501')
    })
  })

  test('every table was granted to the engine by its migration, and nothing to everybody or to a login', async () => {
    const h = harness()
    const rows = await h.sql(
      CELL,
      `select c.relname::text as name, has_table_privilege('cowrie_engine', c.oid, 'select') as granted,
        array(select distinct coalesce(r.rolname::text, 'everybody') from aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
          where a.grantee <> c.relowner and coalesce(r.rolname, '') not in ('cowrie_app', 'cowrie_engine')) as others
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    )
    expect(rows.length).toBeGreaterThan(40)
    expect(rows.filter(({ granted, others }) => !granted || others.length > 0)).toEqual([])
  })

  test('a partition is reached through its table only: nobody was granted anything on one', async () => {
    const h = harness()
    const rows = await h.sql(
      CELL,
      `select c.relname::text as name, c.relacl is not null as granted from pg_class c where c.relispartition and c.relkind = 'r'`,
    )
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter(({ granted }) => granted)).toEqual([])
    for (const role of ROLES)
      await asRole(h, role, h.merchants.main.id, async (client) => {
        expect(await refusalOf(client, 'select from transactions_other')).toBe('42501')
      })
  })

  test('the gateway works under these two roles and no other', async () => {
    const h = harness()
    const cell = cellById(h.gateway.ctx, CELL)
    for (const [pool, role] of [
      [cell.app, 'cowrie_app'],
      [cell.engine.pool, 'cowrie_engine'],
      [cell.hot.pool, 'cowrie_engine'],
    ] as const)
      expect((await pool.query('select current_user::text as name')).rows).toEqual([{ name: role }])
  })

  test('what reads for a merchant cannot write', async () => {
    const h = harness()
    const { id } = h.merchants.main
    const statement = {
      name: 'test_write',
      text: 'insert into contracts (code, merchant_id, name) values ($2, $1, $3)',
    }
    const work = readAs(h.gateway.ctx, CELL, id, (r) => r.query(statement, [id, 'x', 'http://x']))
    await expect(work).rejects.toMatchObject({ code: '25006' })
  })

  test('commitOne refuses a second statement', async () => {
    const h = harness()
    const one = { name: 'test_one', text: 'select 1' }
    const work = commitOne(h.gateway.ctx, CELL, async (t) => {
      await t.query(one, [])
      await t.query(one, [])
    })
    await expect(work).rejects.toThrow('exactly one statement')
  })
})

describe('row-level security', () => {
  const merchantTables = async (h: Harness): Promise<string[]> =>
    (
      await h.sql(
        CELL,
        `select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
          where c.table_schema = 'public' and c.column_name = 'merchant_id' and t.table_type = 'BASE TABLE'
            and not (select relispartition from pg_class where oid = c.table_name::regclass) order by 1`,
      )
    ).map(({ table_name }) => table_name)

  beforeAll(async () => {
    // Something of both merchants in every table, made through the interface.
    const h = harness()
    for (const merchant of [h.merchants.main, h.merchants.other]) {
      await h.as(merchant, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl() })
      const closed = await paid(h, merchant)
      const keyed = await h.as(merchant, 'POST', INIT, initBody(merchant), { 'idempotency-key': unique('key') })
      if (keyed.status !== 200) throw new Error(keyed.text)
      await h.pay(closed.accountNumber, 100) // for a closed transaction: suspense, and a mail
    }
    await advance(h, 5) // numbers, deliveries, mails
    for (const merchant of [h.merchants.main, h.merchants.other]) await paid(h, merchant) // waits in the outbox
  })

  /** The owner itself writes these when a month leaves. */
  const OWNERS_OWN = ['departed_numbers', 'departed_settlements', 'search_blocks']
  test('every table that names a merchant has it enabled, and forced unless its owner writes it', async () => {
    const h = harness()
    const tables = await merchantTables(h)
    expect(tables.length).toBeGreaterThanOrEqual(19)
    const rows = await h.sql(
      CELL,
      `select relname as name, relrowsecurity and (relforcerowsecurity <> (relname = any($2))) as held from pg_class
        where relnamespace = 'public'::regnamespace and relname = any($1) order by 1`,
      [[...tables, 'merchants'], OWNERS_OWN],
    )
    expect(rows.filter(({ held }) => !held)).toEqual([])
    expect(rows).toHaveLength(tables.length + 1)
  })

  test("every table that names a merchant shows a merchant's role its own rows, by one policy and no other", async () => {
    const h = harness()
    const rows = await h.sql(
      CELL,
      `select tablename, array_agg(policyname::text) as names, array_agg(cmd) as cmds, array_agg(distinct qual) as quals,
        array_agg(distinct with_check) as checks
        from pg_policies where schemaname = 'public' and roles && array['cowrie_app', 'public']::name[]
        and permissive = 'PERMISSIVE' group by 1`, // a restrictive policy can only take away
    )
    const policies = new Map(rows.map(({ tablename, ...policy }) => [tablename, policy]))
    const own = '(merchant_id = acting_merchant())'
    for (const table of await merchantTables(h))
      expect(policies.get(table), table).toEqual({ names: ['own_rows'], cmds: ['ALL'], quals: [own], checks: [own] })
  })

  test("with a merchant set, no row of another is visible in any table, and the merchant's own are", async () => {
    const h = harness()
    const { main, other } = h.merchants
    const tables = await merchantTables(h)
    const seen: Record<string, unknown> = {}
    await asRole(h, 'cowrie_app', main.id, async (client) => {
      for (const table of tables) {
        const { rows } = await client.query(`select array_agg(distinct merchant_id) as ids from ${table}`)
        seen[table] = rows[0].ids
      }
    })
    const empty: string[] = []
    for (const table of tables) {
      const [row] = await h.sql(
        CELL,
        `select count(*) filter (where merchant_id = $1)::int as own, count(*) filter (where merchant_id = $2)::int as others from ${table}`,
        [main.id, other.id],
      )
      if (row.own === 0 || row.others === 0) empty.push(table)
      expect(seen[table], table).toEqual(row.own > 0 ? [String(main.id)] : null)
    }
    // What the tables of the first release hold is made above; without rows of both the check would say
    // nothing.
    const foundation = [
      'transactions',
      'virtual_accounts',
      'inbound_credits',
      'suspense_items',
      'accounts',
      'transfers',
    ]
    foundation.push('state_changes', 'events', 'outbox', 'event_numbers', 'event_counters', 'agenda', 'deliveries')
    foundation.push('delivery_attempts', 'requests', 'mails', 'contracts', 'fee_schedules', 'endpoints')
    expect(foundation.filter((table) => empty.includes(table))).toEqual([])
  })

  test('merchants and entries, which name their merchant otherwise, show the own rows only', async () => {
    const h = harness()
    const { main } = h.merchants
    await asRole(h, 'cowrie_app', main.id, async (client) => {
      expect((await client.query('select id from merchants')).rows).toEqual([{ id: String(main.id) }])
      const { rows } = await client.query('select distinct account_id / 16 as merchant from entries')
      expect(rows).toEqual([{ merchant: String(main.id) }])
    })
  })

  test('without a merchant set nothing at all is visible', async () => {
    const h = harness()
    await asRole(h, 'cowrie_app', null, async (client) => {
      for (const table of [...(await merchantTables(h)), 'merchants', 'entries'])
        expect((await client.query(`select count(*)::int as count from ${table}`)).rows, table).toEqual([{ count: 0 }])
    })
  })

  test("a merchant's role can neither write a row for another merchant nor change one of another", async () => {
    const h = harness()
    const { main, other } = h.merchants
    await asRole(h, 'cowrie_app', main.id, async (client) => {
      expect(await refusalOf(client, `insert into endpoints values (1, ${other.id}, 'http://x', '{}', '{}', '')`)).toBe(
        '42501',
      )
      expect(
        await refusalOf(
          client,
          `insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
            values (1, ${main.id}, 'X', 'x', 1, now(), '{${other.id * 16n + 9n}, 0}', '{5, -5}')`,
        ),
      ).toBe('42501')
      expect(await refusalOf(client, `update endpoints set merchant_id = ${other.id}`)).toBe('42501')
      const theirs = [`update transactions set version = 9 where merchant_id = ${other.id}`]
      theirs.push(`update accounts set balance_kobo = 0 where merchant_id = ${other.id}`)
      theirs.push(`delete from requests where merchant_id = ${other.id}`)
      for (const statement of theirs) expect((await client.query(statement)).rowCount, statement).toBe(0)
    })
  })

  test("the merchant of one transaction is forgotten with it: the next on the connection is nobody's", async () => {
    const h = harness()
    const { ctx } = h.gateway
    const acting = { name: 'test_acting', text: 'select acting_merchant() as id' }
    const seen = await Promise.all(
      [h.merchants.main, h.merchants.other, h.merchants.main, h.merchants.other].map(async ({ id }) => {
        const rows = await readAs(ctx, CELL, id, (r) => r.query<{ id: bigint }>(acting, []))
        return rows[0]?.id === id
      }),
    )
    expect(seen).toEqual([true, true, true, true])
    const pool = cellById(ctx, CELL).app
    const after = await Promise.all(Array.from({ length: 4 }, () => pool.query(acting.text)))
    expect(after.map(({ rows }) => rows[0].id)).toEqual([null, null, null, null])
  })
})

describe('durability', () => {
  const warnings: string[] = []
  /** A process of an environment on one database. */
  function processOn(h: Harness, logins: Logins, environment: 'sandbox' | 'live', id = '01'): Ctx {
    const cell = openTestCell({ id, logins, environment })
    closing.push(() => closeCell(cell))
    const log: Log = { ...h.gateway.ctx.log, warn: (_, fields) => void warnings.push(fields?.detail ?? '') }
    return { ...h.gateway.ctx, environment, log, cells: new Map([[id, cell]]) }
  }
  const cellOn = (database: string) => loginsTo(inject('postgresUrl') + database)

  test('a sound cell has no fault and live starts on it', async () => {
    const h = harness()
    const live = processOn(h, cellOn(await freshDatabase(TEMPLATE)), 'live')
    expect(await durabilityFaults(live, '01')).toEqual([])
    await expect(checkCells(live)).resolves.toBeUndefined()
  })

  test.each(['off', 'local'])(
    'live refuses to start with synchronous_commit %s; the sandbox says so and starts',
    async (value) => {
      const h = harness()
      const database = await freshDatabase(TEMPLATE)
      await asAdmin((admin) => admin.query(`alter database ${database} set synchronous_commit = ${value}`))
      await expect(checkCells(processOn(h, cellOn(database), 'live'))).rejects.toThrow(`synchronous_commit is ${value}`)
      warnings.length = 0
      await checkCells(processOn(h, cellOn(database), 'sandbox'))
      expect(warnings).toEqual([`synchronous_commit is ${value}`])
    },
  )

  test('live refuses to start with fsync and full_page_writes off', async () => {
    const h = harness()
    const dir = await mkdtemp(join(tmpdir(), 'cowrie-unsafe-'))
    await chmod(dir, 0o755)
    closing.push(() => rm(dir, { recursive: true, force: true }))
    const engine: Engine = await startPostgres({ dir, settings: { fsync: 'off', full_page_writes: 'off' } })
    closing.push(() => engine.stop())
    await engine.createDatabase('unsafe')
    await migrate(engine.url('unsafe'))
    const logins = await createLogins(engine.url('postgres'))
    const live = processOn(h, logins(engine.url('unsafe')), 'live')
    expect(await durabilityFaults(live, '01')).toEqual(['fsync is off', 'full_page_writes is off'])
    await expect(checkCells(live)).rejects.toThrow(
      'cell 01: the database settings can lose committed data: fsync is off, full_page_writes is off',
    )
    const stamps = await connected({ connectionString: engine.url('unsafe') }, (c) => c.query('select from settings'))
    expect(stamps.rowCount, 'a refused start leaves no stamp').toBe(0)
  })

  test('a database belongs to the environment that stamped it first: the other refuses to start, both ways', async () => {
    const h = harness()
    for (const [first, second] of [
      ['live', 'sandbox'],
      ['sandbox', 'live'],
    ] as const) {
      const logins = cellOn(await freshDatabase(TEMPLATE))
      await checkCells(processOn(h, logins, first))
      await expect(checkCells(processOn(h, logins, second))).rejects.toThrow(
        `belongs to the ${first} environment; this process runs as ${second}`,
      )
      await expect(checkCells(processOn(h, logins, first)), 'its own may start again').resolves.toBeUndefined()
    }
  })

  const settingsOf = async (database: string): Promise<string[]> =>
    (
      await connected({ connectionString: inject('postgresUrl') + database }, (c) =>
        c.query<{ name: string }>('select name from settings order by name'),
      )
    ).rows.map(({ name }) => name)

  test('a command that only looks leaves no stamp, and a later start is free to choose', async () => {
    const h = harness()
    const database = await freshDatabase(TEMPLATE)
    await checkCells(processOn(h, cellOn(database), 'sandbox'), false)
    expect(await settingsOf(database)).toEqual([])
    await checkCells(processOn(h, cellOn(database), 'live'))
    expect(await settingsOf(database)).toEqual([
      'cell',
      'environment',
      'institution',
      ...['issuing_bank 035', 'issuing_bank 058', 'issuing_bank 232', 'issuing_bank 50515'],
      'master_key',
    ])
    await expect(checkCells(processOn(h, cellOn(database), 'sandbox'), false)).rejects.toThrow(
      'cell 01 belongs to the live environment; this process runs as sandbox',
    )
  })

  test('another master key is refused by name; a command, which has none, is not asked for it', async () => {
    const h = harness()
    const logins = cellOn(await freshDatabase(TEMPLATE))
    await checkCells(processOn(h, logins, 'live'))
    const other = { ...processOn(h, logins, 'live'), keys: deriveKeys([{ version: 1, key: Buffer.alloc(32, 7) }]) }
    await expect(checkCells(other)).rejects.toThrow('cell 01 was set up with another MASTER_KEY')
    await expect(checkCells(other, false)).resolves.toBeUndefined()
  })

  test('another INSTITUTION_CODE is refused: sessions of payouts would not be recognised; another issuing bank is remembered beside the first', async () => {
    const h = harness()
    const database = await freshDatabase(TEMPLATE)
    const process = processOn(h, cellOn(database), 'live')
    await checkCells({ ...process, institution: { code: '090405', issuingBanks: ['50515'], accountName: 'Cowrie' } })
    await expect(
      checkCells({ ...process, institution: { code: '000013', issuingBanks: ['50515'], accountName: 'Cowrie' } }),
    ).rejects.toThrow('cell 01 pays out as institution 090405; INSTITUTION_CODE says 000013')
    await checkCells({ ...process, institution: { code: '090405', issuingBanks: ['035'], accountName: 'Cowrie' } })
    const issuers = (await settingsOf(database)).filter((name) => name.startsWith('issuing_bank'))
    expect(issuers).toEqual(['issuing_bank 035', 'issuing_bank 50515'])
  })

  test('the database of another cell is refused, also by a command', async () => {
    const h = harness()
    const logins = cellOn(await freshDatabase(TEMPLATE))
    await checkCells(processOn(h, logins, 'live'))
    const second = processOn(h, logins, 'live', '02')
    const sentence = 'the database that CELLS gives as cell 02 is the one of cell 01; correct CELLS'
    await expect(checkCells(second)).rejects.toThrow(sentence)
    await expect(checkCells(second, false)).rejects.toThrow(sentence)
  })

  test('an older schema is refused with what is missing; a newer one only where it breaks this version', async () => {
    const h = harness()
    const database = await freshDatabase(TEMPLATE)
    const live = processOn(h, cellOn(database), 'live')
    const change = (statement: string) =>
      connected({ connectionString: inject('postgresUrl') + database }, (c) => c.query(statement))
    const add = (name: string, breaking: boolean) =>
      change(
        `insert into migrations (name, sha256, applied_at, breaking) values ('${name}', '', '2027-01-01', ${breaking})`,
      )
    await add('9001_harmless.sql', false)
    await expect(checkCells(live)).resolves.toBeUndefined()
    await add('9002_breaking.sql', true)
    await expect(checkCells(live)).rejects.toThrow(
      'cell 01 has a newer schema that this version cannot use (9002_breaking.sql)',
    )
    await change(
      `delete from migrations where name in ('9001_harmless.sql', '9002_breaking.sql', '0020_branding_and_receipts.sql')`,
    )
    await expect(checkCells(live)).rejects.toThrow(
      'cell 01 has an older schema: 0020_branding_and_receipts.sql is missing. Run `cowrie run migrate` first',
    )
  })
})

describe('migrations', () => {
  test.each(MACHINES.map((machine) => [machine.name, machine] as const))(
    'the states the database knows of a %s are those of its machine',
    async (_, machine) => {
      const h = harness()
      const [row] = await h.sql(
        CELL,
        `select pg_get_constraintdef(oid) as text from pg_constraint where conname = $1 and conrelid = $2::regclass`,
        [`${machine.table}_status_known`, machine.table],
      )
      const known = [...(row?.text ?? '').matchAll(/'(\w+)'::text/g)].map(([, word]) => word as string)
      expect(known.toSorted()).toEqual(Object.keys(machine.states).toSorted())
    },
  )

  test('a state that is not in the machine cannot be stored', async () => {
    const h = harness()
    await initialise(h, h.merchants.main)
    const work = engineTx(h.gateway.ctx, CELL, (t) =>
      t.query({ name: 'test_state', text: `update transactions set status = 'LOST'` }, []),
    )
    await expect(work).rejects.toMatchObject({ code: '23514' })
    expect(Object.keys(transactionMachine.states)).not.toContain('LOST')
  })

  test('a second run is a no-op, two runners at once apply once, and the outcome is the same', async () => {
    const url = inject('postgresUrl') + (await freshDatabase('template1'))
    const [a, b] = await Promise.all([migrate(url), migrate(url)])
    expect([a, b].map((done) => done.length).toSorted((x, y) => x - y)[0], 'one of them found nothing to do').toBe(0)
    expect([...a, ...b]).toContain('0001_cell.sql')
    expect(await migrate(url)).toEqual([])
    const applied = await connected({ connectionString: url }, (c) =>
      c.query('select name from migrations order by name'),
    )
    expect(applied.rows.map(({ name }) => name)).toEqual([...a, ...b].toSorted())
  })

  test('a migration that changed after it was applied is refused', async () => {
    const url = inject('postgresUrl') + (await freshDatabase(TEMPLATE))
    await connected({ connectionString: url }, (c) => c.query(`update migrations set sha256 = 'another'`))
    await expect(migrate(url)).rejects.toThrow('0001_cell.sql was changed after it was applied')
  })

  test('a database that another version made is refused, by the migration that this one does not know', async () => {
    const url = inject('postgresUrl') + (await freshDatabase(TEMPLATE))
    await connected({ connectionString: url }, (c) =>
      c.query(`insert into migrations values ('0001_foundation.sql', 'x', '2026-01-01')`),
    )
    await expect(migrate(url)).rejects.toThrow('the database has the migration 0001_foundation.sql')
  })
})

describe('cells', () => {
  /** When anything of the gateway last asked the cell's database: what the server itself has seen. */
  const lastAsked = async (h: Harness, cell: CellName): Promise<string> => {
    const [row] = await h.sql(
      cell,
      `select coalesce(max(query_start)::text, '') as at from pg_stat_activity where datname = current_database() and application_name = 'cowrie'`,
    )
    return row.at
  }

  /** Calls are joined into one: once this has arrived, none is on its way. */
  async function woken(h: Harness, cell: CellName): Promise<void> {
    const [{ now }] = await h.sql(cell, 'select clock_timestamp() as now')
    h.gateway.ctx.wake(cell)
    const calls = `select from pg_stat_activity where datname = current_database() and query = 'notify cowrie_due'
      and query_start > $1 and state = 'idle'`
    await h.until('the call has arrived', async () => (await h.sql(cell, calls, [now])).length)
  }

  async function wholePayment(h: Harness, merchant: TestMerchant): Promise<void> {
    const basic = Buffer.from(`${merchant.apiKey}:${merchant.secretKey}`).toString('base64')
    await h.call('POST', '/api/v1/auth/login', { headers: { authorization: `Basic ${basic}` } })
    const transaction = await paid(h, merchant)
    await status(h, merchant, transaction.transactionReference)
    const { transactionReference, paymentReference, accountNumber } = transaction
    for (const query of [
      `transactionReference=${encodeURIComponent(transactionReference)}`,
      `paymentReference=${encodeURIComponent(paymentReference)}`,
    ])
      expect((await h.as(merchant, 'GET', `/api/v2/merchant/transactions/query?${query}`)).status).toBe(200)
    expect((await h.call('GET', new URL(transaction.checkoutUrl).pathname)).status).toBe(200)
    const key = { 'idempotency-key': unique('key') }
    expect((await h.as(merchant, 'POST', INIT, initBody(merchant), key)).status).toBe(200)
    await h.pay(accountNumber, 50) // too late: suspense
    const open = await initialise(h, merchant)
    await issueAccount(h, merchant, open.transactionReference)
  }

  test.each([
    ['01', '02'],
    ['02', '01'],
  ] as const)('requests of a merchant of cell %s send no statement to cell %s', async (home, elsewhere) => {
    const h = harness()
    const merchant = home === '01' ? h.merchants.main : h.merchants.second
    const [here, there] = [cellById(h.gateway.ctx, home), cellById(h.gateway.ctx, elsewhere)]
    await woken(h, elsewhere) // a wake-up call of the test before may still be on its way
    const [before, untouched, asked] = [here.statements(), there.statements(), await lastAsked(h, elsewhere)]
    await wholePayment(h, merchant)
    expect(there.statements() - untouched).toBe(0)
    expect(await lastAsked(h, elsewhere)).toBe(asked)
    expect(here.statements() - before).toBeGreaterThan(8)
  })
})
