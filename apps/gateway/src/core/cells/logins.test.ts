// Who the program is to the database: a login is nothing without its role, and a connection that is not what
// it should be is refused before its first statement. On a real PostgreSQL, with logins made for each test.

import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import type { Ctx } from '#kit/ctx.ts'
import { openTestCell } from '#test/kit/cells.ts'
import { makeCertificate } from '#test/kit/certificates.ts'
import { type Harness, loginsTo, paid, unique, useHarness } from '#test/kit/harness.ts'
import { connected } from '#test/kit/postgres.ts'
import { migrate } from '../../../../../tools/migrate.ts'
import { createLogins, newPassword, verifierOf } from '../../../../../tools/postgres/logins.ts'
import { startPostgres } from '../../../../../tools/postgres/postgres.ts'
import { lacks } from '../../../../../tools/programs.ts'
import { checkCells } from '../durability.ts'
import { closeCell, engineTx, readAll } from './cells.ts'
import type { Environment, Logins } from './logins.ts'

const harness = useHarness()
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

const asAdmin = <T>(work: (client: pg.Client) => Promise<T>) =>
  connected({ connectionString: `${inject('postgresUrl')}postgres` }, work)

/** The code that the database refuses with, or what was done. */
const refusalOf = async (client: pg.Client, statement: string): Promise<string> =>
  client.query(statement).then(
    ({ rowCount }) => `done, ${rowCount} rows`,
    (error: { code: string }) => error.code,
  )

/** A login of its own for one test; answers its address in place of the superuser's. */
async function newLogin(url: string, attributes: string): Promise<{ name: string; url: string }> {
  const name = unique('login').replaceAll('-', '_')
  const password = newPassword()
  await asAdmin((admin) => admin.query(`create role ${name} login password '${verifierOf(password)}' ${attributes}`))
  closing.push(() => asAdmin((admin) => admin.query(`drop role ${name}`)))
  const own = new URL(url)
  own.username = name
  own.password = password
  return { name, url: own.href }
}

/** A process of an environment on a cell. */
function processOn(h: Harness, logins: Logins, environment: Environment): Ctx {
  const cell = openTestCell({ id: '01', logins, environment })
  closing.push(() => closeCell(cell))
  return { ...h.gateway.ctx, environment, cells: new Map([['01', cell]]) }
}
/** Live books, so that a live process may open them. */
async function liveBooks(): Promise<string> {
  const name = unique('live').replaceAll('-', '_')
  await asAdmin((admin) => admin.query(`create database ${name} template cowrie_template`))
  closing.push(() => asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`)))
  return inject('postgresUrl') + name
}

describe('a login without its role', () => {
  test.each([
    ['cowrie_app', 'cowrie_engine'],
    ['cowrie_engine', 'cowrie_app'],
  ] as const)('%s: set role none gives nothing, and %s is out of reach', async (role, other) => {
    const h = harness()
    await paid(h, h.merchants.main)
    const { app, engine } = loginsTo(h.databases['01'])
    const connectionString = role === 'cowrie_app' ? app : engine
    await connected({ connectionString, options: `-c role=${role}` }, async (client) => {
      const acting = `set cowrie.merchant = '${h.merchants.main.id}'`
      expect(await refusalOf(client, acting)).toBe('done, null rows')
      for (const shed of ['set role none', `set role ${role}_login`]) {
        await client.query(shed)
        for (const statement of [
          'delete from entries',
          'update events set body = body',
          'truncate transfers',
          'select * from transactions',
          `select nextval('ids')`,
          'create table mine (id bigint)',
          'alter table transfers disable row level security',
          `copy (select 1) to program 'id'`,
          `select pg_read_file('/etc/passwd')`,
        ])
          expect(await refusalOf(client, statement), `${shed}; ${statement}`).toBe('42501')
      }
      await client.query('reset role')
      expect((await client.query('select current_user::text as name')).rows).toEqual([{ name: role }])
      for (const climb of [`set role ${other}`, 'set role cowrie', 'set session authorization cowrie'])
        expect(await refusalOf(client, climb), climb).toBe('42501')
    })
  })
})

describe('live looks at its logins', () => {
  const refused = async (environment: Environment, change: (url: string) => Promise<Partial<Logins>>) => {
    const url = await liveBooks()
    const ctx = processOn(harness(), { ...loginsTo(url), ...(await change(url)) }, environment)
    return checkCells(ctx).then(
      () => 'starts',
      (error: Error) => error.message.replace(/login_\w+/g, 'LOGIN'),
    )
  }
  const owner = async (url: string): Promise<string> => {
    const login = await newLogin(url, 'noinherit in role cowrie_engine')
    await connected({ connectionString: url }, (admin) => admin.query(`alter table holidays owner to ${login.name}`))
    closing.push(() =>
      connected({ connectionString: url }, (admin) => admin.query(`alter table holidays owner to cowrie`)),
    )
    return login.url
  }
  const engineOf = (attributes: string) => async (url: string) => ({ engine: (await newLogin(url, attributes)).url })

  test('it starts with one login for each role', async () => {
    expect(await refused('live', async () => ({}))).toBe('starts')
  })

  test.each([
    [
      'a superuser',
      async (url: string) => ({ engine: url }),
      'the login cowrie is a superuser; that is not allowed in live',
    ],
    [
      'a superuser for merchants',
      async (url: string) => ({ app: url }),
      'the login cowrie is a superuser; that is not allowed in live',
    ],
    [
      'one that bypasses row-level security',
      engineOf('noinherit bypassrls in role cowrie_engine'),
      'the login LOGIN bypasses row-level security; that is not allowed in live',
    ],
    [
      'one that creates roles',
      engineOf('noinherit createrole in role cowrie_engine'),
      'the login LOGIN may create roles or databases, or replicate; that is not allowed in live',
    ],
    [
      'the owner of a table',
      async (url: string) => ({ engine: await owner(url) }),
      'the login LOGIN owns tables (holidays); that is not allowed in live',
    ],
    [
      'a member of both roles',
      engineOf('noinherit in role cowrie_engine, cowrie_app'),
      'the login LOGIN is a member of cowrie_app; it must be a member of cowrie_engine only; that is not allowed in live',
    ],
    [
      'one that may write everything',
      engineOf('noinherit in role cowrie_engine, pg_write_all_data'),
      'the login LOGIN is a member of pg_write_all_data; it must be a member of cowrie_engine only; that is not allowed in live',
    ],
  ] as const)('it refuses %s', async (_, change, sentence) => {
    expect(await refused('live', change)).toBe(`cell 01: ${sentence}`)
  })

  test('it refuses one that has rights without its role', async () => {
    const said = await refused('live', engineOf('inherit in role cowrie_engine'))
    expect(said).toMatch(
      /^cell 01: the login LOGIN has privileges of its own \(on \w+\); create it with NOINHERIT; that is not allowed in live$/,
    )
  })

  test('the sandbox starts with one login for both roles', async () => {
    expect(await refused('sandbox', async (url) => ({ app: url, engine: url }))).toBe('starts')
  })

  test('the owner of the tables, who migrates, need not be a superuser; live starts on its books, and refuses it as a login', async () => {
    const owner = await newLogin(inject('postgresUrl'), '')
    const name = `${owner.name}_books`
    await asAdmin((admin) => admin.query(`create database ${name} owner ${owner.name}`))
    closing.push(() => asAdmin((admin) => admin.query(`drop database if exists ${name} with (force)`)))
    const url = inject('postgresUrl') + name
    const ownUrl = owner.url + name
    expect((await migrate(ownUrl)).length).toBeGreaterThan(5)
    await checkCells(processOn(harness(), loginsTo(url), 'live'))
    const asOwner = processOn(harness(), { ...loginsTo(url), engine: ownUrl }, 'live')
    await expect(checkCells(asOwner)).rejects.toThrow(/permission denied to set role|owns tables/)
  })

  test('every new connection is looked at, not only the first', async () => {
    const url = await liveBooks()
    const login = await newLogin(url, 'noinherit in role cowrie_engine')
    const ctx = processOn(harness(), { ...loginsTo(url), engine: login.url }, 'live')
    await checkCells(ctx)
    const ONE = { name: 'test_one', text: 'select 1' }
    await asAdmin((admin) => admin.query(`alter role ${login.name} superuser`))
    expect(await readAll(ctx, '01', (r) => r.query(ONE, [])), 'the one that is there is used').toHaveLength(1)
    const both = engineTx(ctx, '01', (t) => t.query(ONE, []).then(() => readAll(ctx, '01', (r) => r.query(ONE, []))))
    await expect(both).rejects.toMatchObject({
      detail: expect.stringContaining('is a superuser; that is not allowed in live'),
    })
  })
})

describe.skipIf(lacks('openssl'))('a database behind TLS (needs openssl)', () => {
  test('sslmode=verify-full with sslrootcert connects to the right server, and to no other', async () => {
    const h = harness()
    const dir = mkdtempSync(join(tmpdir(), 'cowrie-tls-'))
    chmodSync(dir, 0o755)
    closing.push(async () => rmSync(dir, { recursive: true, force: true }))
    const [own, foreign] = [makeCertificate({ name: 'localhost' }), makeCertificate({ name: 'localhost' })]
    const files = {
      cert: join(dir, 'own.pem'),
      key: join(dir, 'own.key'),
      own: join(dir, 'ca'),
      foreign: join(dir, 'other'),
    }
    writeFileSync(files.cert, own.cert)
    writeFileSync(files.key, own.key, { mode: 0o600 })
    writeFileSync(files.own, own.authority)
    writeFileSync(files.foreign, foreign.authority)
    const first = await startPostgres({ dir })
    const { uid, gid } = statSync(first.dataDir) // who the server is
    await first.stop()
    chownSync(files.key, uid, gid)
    const settings = { ssl: 'on', ssl_cert_file: files.cert, ssl_key_file: files.key }
    const engine = await startPostgres({ dir, settings })
    closing.push(() => engine.stop())
    await engine.createDatabase('cell')
    await migrate(engine.url('cell'))
    const logins = (await createLogins(engine.url('postgres')))(engine.url('cell'))
    const by = (url: string, host: string, authority: string) =>
      `${url.replace('@127.0.0.1:', `@${host}:`)}?sslmode=verify-full&sslrootcert=${encodeURIComponent(authority)}`
    const through = (host: string, authority: string): Logins => ({
      app: by(logins.app, host, authority),
      engine: by(logins.engine, host, authority),
    })
    const live = processOn(h, through('localhost', files.own), 'live')
    await checkCells(live)
    const seen = await connected({ connectionString: engine.url('postgres') }, (admin) =>
      admin.query(
        `select bool_and(ssl) as encrypted, count(*) > 1 as some from pg_stat_ssl join pg_stat_activity using (pid)
            where usename in ('cowrie_app_login', 'cowrie_engine_login')`,
      ),
    )
    expect(seen.rows).toEqual([{ encrypted: true, some: true }])
    for (const [host, authority] of [
      ['localhost', files.foreign],
      ['127.0.0.1', files.own], // the certificate names another host
    ] as const)
      await expect(checkCells(processOn(h, through(host, authority), 'live')), host).rejects.toThrow(
        /certificate|altnames/i,
      )
  })
})

/** A pooler that knows nothing of start parameters: it passes on who wants which database, and then every
 *  byte. */
async function forgetfulPooler(url: string): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((outer) => {
    const inner = connect(Number(new URL(url).port), '127.0.0.1')
    for (const socket of [outer, inner]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    outer.once('data', (start: Buffer) => {
      const words = start.subarray(8).toString('latin1').split('\0')
      const kept: string[] = []
      for (let at = 0; words[at]; at += 2) if (words[at] !== 'options') kept.push(`${words[at]}\0${words[at + 1]}\0`)
      const body = Buffer.from(`${kept.join('')}\0`, 'latin1')
      const head = Buffer.alloc(8)
      head.writeInt32BE(body.length + 8, 0)
      start.copy(head, 4, 4, 8)
      inner.write(Buffer.concat([head, body]))
      outer.pipe(inner)
      inner.pipe(outer)
    })
    outer.on('close', () => inner.destroy())
    inner.on('close', () => outer.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  return through.href
}

test.each(['live', 'sandbox'] as const)(
  'a pooler that drops start parameters does not go unnoticed in %s',
  async (environment) => {
    const logins = loginsTo(await liveBooks())
    const ctx = processOn(harness(), { ...logins, app: await forgetfulPooler(logins.app) }, environment)
    await expect(checkCells(ctx)).rejects.toThrow(
      'cell 01: a connection runs as cowrie_app_login, not as cowrie_app; does a connection pooler drop its startup parameters?',
    )
  },
)
