// What `cowrie db setup` prints is run on a new cluster, as an operator would; then the gateway can start
// there.
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connected, scratchCluster } from '../../apps/gateway/test/kit/postgres.ts'
import { migrate } from '../migrate.ts'
import type { Engine } from '../postgres/postgres.ts'
import { run } from './db.ts'

let cluster: Engine
const printed: string[] = []
const print = (text: string): void => void printed.push(text)
const said = async (words: string[], env: Record<string, string> = {}) => {
  printed.length = 0
  const code = await run(words, env, print)
  return { code, text: printed.join('\n') }
}

/** As psql does it: `\gexec` runs what the statement before it answers. */
async function runScript(client: pg.Client, script: string): Promise<void> {
  for (const part of script.split(/(?<=\\gexec)\n/)) {
    const at = part.indexOf("select 'create database")
    if (!part.trimEnd().endsWith('\\gexec')) await client.query(part)
    else {
      await client.query(part.slice(0, at))
      for (const row of (await client.query({ text: part.trimEnd().slice(at, -6), rowMode: 'array' })).rows)
        await client.query(row[0])
    }
  }
}

let settings: { owner: string; cells: string; peopleOwner: string; people: string }
beforeAll(async () => {
  cluster = await scratchCluster()
  const { text } = await said(['setup', '01', '02', 'identities'])
  const { hostname, port } = new URL(cluster.url('postgres'))
  const here = (line: string) => line.replaceAll('<host>', `${hostname}:${port}`).replaceAll('?sslmode=verify-full', '')
  const given = (name: string) => [...text.matchAll(RegExp(`${name}='([^']+)'`, 'g'))].map(([, of]) => here(of ?? ''))
  const [[owner = '', cells = ''], [peopleOwner = '', people = '']] = [given('CELLS'), given('IDENTITIES')]
  settings = { owner, cells, peopleOwner, people }
  await connected({ connectionString: cluster.url('postgres') }, async (client) => {
    await runScript(client, text)
    await runScript(client, text) // again: the same, with the passwords it has printed
  })
})
afterAll(() => cluster?.stop())

test('the databases are UTF-8, whatever the cluster was made with', async () => {
  await connected({ connectionString: cluster.url('cell_02') }, async (client) => {
    const { rows } = await client.query(
      "select pg_encoding_to_char(encoding) as encoding, datcollate from pg_database where datname = 'cell_02'",
    )
    expect(rows).toEqual([{ encoding: 'UTF8', datcollate: 'C' }])
  })
  expect((await said(['setup', '07'])).text).toContain("template template0 encoding ''UTF8'' locale ''C''")
})

test('the SQL holds no password, only what PostgreSQL keeps of one', async () => {
  const { code, text } = await said(['setup'])
  const passwords = new Set([...text.matchAll(/:\/\/\w+:([\w-]+)@/g)].map(([, password]) => password ?? ''))
  expect({ code, passwords: passwords.size }).toEqual({ code: 0, passwords: 3 })
  const sql = text.split('\n').filter((line) => !line.startsWith('--'))
  for (const password of passwords) expect(sql.join('\n')).not.toContain(password)
})

test('on what it prints an owner without any special right migrates, and live can start', async () => {
  const env = { ENVIRONMENT: 'live', CELLS: settings.cells }
  const before = await said(['check'], env)
  expect(before.code).toBe(1)
  expect(before.text).toContain('WRONG  cell 01, database: ')
  for (const part of settings.owner.split(',')) await migrate(part.slice(3))
  const after = await said(['check'], env)
  expect(after.text.split('\n')).toEqual([
    ...['01', '02'].flatMap((cell) => [
      `ok     cell ${cell}, login of cowrie_app`,
      `ok     cell ${cell}, login of cowrie_engine`,
      `ok     cell ${cell}, database`,
    ]),
    'The gateway can start on these databases.',
  ])
  expect(after.code).toBe(0)
  const stamps = await connected({ connectionString: cluster.url('cell_01') }, (c) => c.query('select from settings'))
  expect(stamps.rowCount, 'looking leaves no mark').toBe(0)
})

test('people get a database of their own, if wanted: migrated like a cell, looked at like one, fine and faulty', async () => {
  const env = { ENVIRONMENT: 'live', CELLS: settings.cells, IDENTITIES: settings.people }
  const before = await said(['check'], env)
  expect(before).toEqual({ code: 1, text: expect.stringContaining('WRONG  IDENTITIES, database: ') })
  await migrate(settings.peopleOwner)
  const fine = await said(['check'], env)
  expect(fine).toEqual({ code: 0, text: expect.stringContaining('ok     IDENTITIES, database') })
  const gone = await said(['check'], { ...env, IDENTITIES: settings.people.replaceAll('/identities', '/nowhere') })
  expect(gone).toEqual({
    code: 1,
    text: expect.stringContaining('WRONG  IDENTITIES, login of cowrie_app: database "no'),
  })
  expect((await said(['setup'])).text, 'without the word there is none').not.toMatch(/identities/i)
})

test('a cell is added beside others in the cluster: the passwords that are in use stay, and the gateway can start on all', async () => {
  const { code, text } = await said(['add', '03'])
  expect(code).toBe(0)
  expect(text).not.toMatch(/alter role|create role|SCRAM/)
  await connected({ connectionString: cluster.url('postgres') }, (client) => runScript(client, text))
  const beside = (entries: string) => `03=${entries.split(',')[0]?.slice(3).replaceAll('cell_01', 'cell_03')}`
  for (const part of `${settings.owner},${beside(settings.owner)}`.split(',')) await migrate(part.slice(3))
  const all = await said(['check'], { ENVIRONMENT: 'live', CELLS: `${settings.cells},${beside(settings.cells)}` })
  expect(all).toEqual({ code: 0, text: expect.stringContaining('ok     cell 03, database') })
})

test('a superuser, and a login for the wrong role, are named', async () => {
  const [app = '', engine = ''] = settings.cells.split(',')[0]?.slice(3).split('|') ?? []
  const swapped = await said(['check'], { ENVIRONMENT: 'live', CELLS: `01=${engine}|${app}` })
  expect(swapped.code).toBe(1)
  expect(swapped.text).toContain('WRONG  cell 01, login of cowrie_app: permission denied to set role "cowrie_app"')
  const root = cluster.url('cell_01')
  const superuser = await said(['check'], { ENVIRONMENT: 'live', CELLS: `01=${root}?user=x|${engine}` })
  expect(superuser.text).toMatch(/WRONG {2}cell 01, login of cowrie_app: /)
})

test.each([
  [[]],
  [['setup', '1']],
  [['setup', '00']],
  [['check', '01']],
  [['check', 'identities']],
  [['add']],
  [['add', '1']],
  [['add', 'identities']],
  [['drop']],
])('%j is wrong use', async (words) => {
  expect((await said(words)).code).toBe(2)
})
