import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { type Engine, startPostgres } from './postgres.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'cowrie-engine-'))
const started: Engine[] = []
const start = async (): Promise<Engine> => {
  const engine = await startPostgres({ dir })
  started.push(engine)
  return engine
}

afterAll(async () => {
  for (const engine of started) await engine.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function rows(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

async function listening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

test('a scratch cluster is durable, copies templates and is gone after stop', async () => {
  const engine = await start()
  expect(await rows(engine.url('postgres'), 'show fsync')).toEqual([{ fsync: 'on' }])
  expect(await rows(engine.url('postgres'), 'show data_checksums')).toEqual([{ data_checksums: 'on' }])

  await engine.createDatabase('original')
  await rows(engine.url('original'), 'create table shells as select 7 as count')
  await engine.createDatabase('copy', 'original')
  expect(await rows(engine.url('copy'), 'select count from shells')).toEqual([{ count: 7 }])
  await engine.dropDatabase('copy')
  await expect(rows(engine.url('copy'), 'select 1')).rejects.toThrow('does not exist')

  await engine.stop()
  expect(await listening(engine.port)).toBe(false)
})

test('values and statements that fail do not reach the log', async () => {
  const engine = await start()
  await expect(rows(engine.url('postgres'), `select 'walnut-secret'::int`)).rejects.toThrow('walnut-secret')
  await engine.stop()
  expect(readFileSync(path.join(dir, 'postgres.log'), 'utf8')).not.toContain('walnut-secret')
})

test('after kill -9 the same folder starts again, and a live server is named', async () => {
  const first = await start()
  const postmaster = Number.parseInt(readFileSync(path.join(first.dataDir, 'postmaster.pid'), 'utf8'), 10)
  await expect(startPostgres({ dir })).rejects.toThrow(`process ${postmaster}) is still running on`)

  process.kill(postmaster, 'SIGKILL')
  await first.stop()
  const second = await start()
  expect(await rows(second.url('original'), 'select count from shells')).toEqual([{ count: 7 }])
  await second.stop()
})

test('nobody gets in without the password, and the file that holds it is ours alone', async () => {
  const engine = await start()
  const url = new URL(engine.url('postgres'))
  expect(url.password.length).toBeGreaterThanOrEqual(32)
  expect(await rows(engine.url('postgres'), 'select distinct auth_method from pg_hba_file_rules')).toEqual([
    { auth_method: 'scram-sha-256' },
  ])
  for (const password of ['', 'cowrie', 'x'.repeat(32)]) {
    url.password = password
    await expect(rows(url.href, 'select 1'), password).rejects.toThrow(/password/)
  }
  const kept = statSync(path.join(dir, 'password'))
  expect([kept.mode & 0o777, kept.uid]).toEqual([0o600, process.getuid?.()])
  await engine.stop()
})

test('a cluster of an earlier version, which let everybody in, asks for a password from its next start', async () => {
  const before = await start()
  await before.stop()
  writeFileSync(path.join(before.dataDir, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n')
  rmSync(path.join(dir, 'password'))
  for (const round of ['first', 'second']) {
    const engine = await start()
    const url = new URL(engine.url('original'))
    expect(await rows(url.href, 'select count from shells'), round).toEqual([{ count: 7 }])
    url.password = ''
    await expect(rows(url.href, 'select 1'), round).rejects.toThrow(/password/)
    await engine.stop()
  }
})
