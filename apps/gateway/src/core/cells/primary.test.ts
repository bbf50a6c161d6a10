import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connected } from '#test/kit/postgres.ts'
import { until } from '#test/kit/waiting.ts'
import { type Engine, startPostgres } from '../../../../../tools/postgres/postgres.ts'
import { databaseFault, parseAddresses } from './logins.ts'
import { watchPrimary, writableAddress } from './primary.ts'

let dir = ''
let old: Engine
let next: Engine
/** Of both, with the login that both have. */
let url = ''

/** Two servers with the same books, the second in recovery: what a standby is to whoever connects. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cowrie-primary-'))
  await chmod(dir, 0o755) // PostgreSQL runs as another user when we are root
  const first = await startPostgres({ dir: join(dir, 'old') })
  await connected({ connectionString: first.url('postgres') }, (client) => client.query('create role cowrie_engine'))
  await first.stop()
  const { dataDir } = first
  const copy = dataDir.replace(join(dir, 'old'), join(dir, 'next'))
  execFileSync('cp', ['-a', join(dir, 'old'), join(dir, 'next')]) // with its owner, who is not us when we are root
  await writeFile(join(copy, 'standby.signal'), '')
  old = await startPostgres({ dir: join(dir, 'old') })
  next = await startPostgres({ dir: join(dir, 'next') })
  const [one, other] = [new URL(old.url('postgres')), new URL(next.url('postgres'))]
  url = old.url('postgres').replace(one.host, `${other.host},127.0.0.1:1,${one.host}`)
})
afterAll(async () => {
  await Promise.all([old?.stop(), next?.stop()])
  await rm(dir, { recursive: true, force: true })
})

test('an address names one host or several; live asks all of them for a closed line', () => {
  expect(parseAddresses('postgres://u:p@a/cell?x=1')).toEqual(['postgres://u:p@a/cell?x=1'])
  expect(parseAddresses('postgres://u:p@a:1,b:2/cell?x=1')).toEqual([
    'postgres://u:p@a:1/cell?x=1',
    'postgres://u:p@b:2/cell?x=1',
  ])
  expect(databaseFault('postgres://u:p@127.0.0.1,db.example/cell')).toMatch(/verify-full/)
  expect(databaseFault('postgres://u:p@a,b/cell?sslmode=verify-full')).toBeNull()
})

test('a host that says nothing, because it is frozen or cut off, holds nobody up', async () => {
  const [sockets, givenUp]: [Socket[], Socket[]] = [[], []]
  const silent = createServer((socket) => {
    sockets.push(socket)
    socket.resume()
    socket.on('error', () => undefined).on('close', () => givenUp.push(socket))
  })
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  const { port } = silent.address() as AddressInfo
  const moved = Promise.withResolvers<void>()
  const primary = watchPrimary(url.replace('127.0.0.1:1,', `127.0.0.1:${port},`), () => moved.resolve())
  try {
    await moved.promise
    // Meanwhile a socket that was given up would have been closed.
    await connected({ connectionString: old.url('postgres') }, (client) => client.query('select 1'))
    expect(givenUp, 'the primary is known before the silent one was given up').toEqual([])
    await primary.ready
  } finally {
    await primary.close()
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
})

test('clients go to the host that takes writes; when another has taken over, those of the old one are cut, though it says nothing', async () => {
  const moves: string[] = []
  const primary = watchPrimary(url, (host) => moves.push(host))
  try {
    await primary.ready
    const [oldHost, nextHost] = [old, next].map((engine) => new URL(engine.url('x')).host)
    expect(moves).toEqual([oldHost])
    const before = new primary.Client({ connectionString: url })
    before.on('error', () => undefined)
    await before.connect()
    expect((await before.query('show port')).rows[0].port).toBe(String(old.port))
    await connected({ connectionString: old.url('postgres') }, async (holder) => {
      await holder.query('select pg_advisory_lock(1)')
      const waiting = before.query('select pg_advisory_lock(1)').then(
        () => 'answered',
        (error: Error) => error.message,
      )
      await connected({ connectionString: next.url('postgres') }, (client) => client.query('select pg_promote()'))
      expect(await waiting).toMatch(/terminated/i)
    })
    expect(moves).toEqual([oldHost, nextHost])
    const after = new primary.Client({ connectionString: url })
    await after.connect()
    expect((await after.query('show port')).rows[0].port).toBe(String(next.port))
    await after.end()
    expect(new URL(await writableAddress(url)).host).toBe(nextHost)
    // The old one still takes itself for the primary; nobody goes back to it, also when the new one is away.
    await next.stop()
    await until('the new one is away', async () => new URL(await writableAddress(url)).host === oldHost)
    expect(moves).toEqual([oldHost, nextHost])
  } finally {
    await primary.close()
  }
})
