// A row that no standby has is told of to nobody: a failover would take it away again. Here commits wait for
// a standby that does not exist, and the connection that waits is ended, as a shutdown ends it: PostgreSQL
// then shows the row.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSession, notice, reverseCredit, tell } from '#test/bank/notices.ts'
import { PROFILES, profileBody } from '#test/features/collections/limit-profiles.ts'
import { openTestCell } from '#test/kit/cells.ts'
import {
  type Answer,
  type Harness,
  INIT,
  initBody,
  initialise,
  issueAccount,
  loginsTo,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { createLogins } from '../../../../../tools/postgres/logins.ts'
import { closeCell, readAll, readHot, tx } from './cells.ts'

const harness = useHarness({ ownCluster: true })
let admin: pg.Client
beforeAll(async () => {
  admin = new pg.Client({ connectionString: harness().databases['01'], options: '-c synchronous_commit=local' })
  await admin.connect()
})
afterAll(() => admin.end())

const commitsWaitFor = async (standbys: string): Promise<void> => {
  await admin.query(`alter system set synchronous_standby_names = '${standbys}'`)
  await admin.query('select pg_reload_conf()')
  await harness().until('the setting is in force', async () => {
    const { rows } = await admin.query('show synchronous_standby_names')
    return rows[0].synchronous_standby_names === standbys
  })
}
const WAITING = `select pid from pg_stat_activity where wait_event = 'SyncRep'`
const waiting = async (): Promise<number[]> => (await admin.query(WAITING)).rows.map(({ pid }) => pid)
const somebodyWaits = () => harness().until('somebody waits for the standby', async () => (await waiting()).length > 0)

/** A request whose commit reaches no standby, and whose connection is ended meanwhile: its row can be
 *  seen. */
async function cutOff(request: () => Promise<unknown>): Promise<void> {
  const lost = request()
  await somebodyWaits()
  const end = async () => (await admin.query(`select pg_terminate_backend(pid) from (${WAITING}) x`)).rowCount
  await harness().until('nobody waits', async () => (await end()) === 0)
  await lost
  await harness().until('nobody waits', async () => (await end()) === 0)
}

/** What a request answers once a standby has what it saw, after it was seen to wait for that. */
async function answerAfterStandby(request: () => Promise<Answer>): Promise<Answer> {
  const answer = request()
  const first = await Promise.race([answer.then(({ text }) => text), somebodyWaits().then(() => 'waits')])
  expect(first, 'before a standby has it').toBe('waits')
  await commitsWaitFor('')
  return answer
}

const MANY = 4
/** Connections are at hand before the fault: a new one would wait by itself. */
async function warm(h: Harness): Promise<void> {
  const { ctx } = h.gateway
  const open = async (take: (work: () => Promise<void>) => Promise<void>): Promise<void> => {
    const all = Promise.withResolvers<void>()
    let taken = 0
    const held = (): Promise<void> => {
      taken += 1
      if (taken === MANY) all.resolve()
      return all.promise
    }
    await Promise.all(Array.from({ length: MANY }, () => take(held)))
  }
  await open((held) => readAll(ctx, '01', held))
  await open((held) => readHot(ctx, '01', held))
  await open((held) => tx(ctx, '01', h.merchants.main.id, held))
}

/** What the repeat of a request is answered whose first commit no standby has. */
async function repeated(h: Harness, request: () => Promise<Answer>): Promise<Answer> {
  await h.token(h.merchants.main)
  await warm(h)
  await commitsWaitFor('nobody')
  try {
    await cutOff(request)
    return await answerAfterStandby(request)
  } finally {
    await commitsWaitFor('')
  }
}

test('the repeat of a keyed request is answered when a standby has what it repeats, and with the same answer', async () => {
  const h = harness()
  const [body, headers] = [initBody(h.merchants.main), { 'idempotency-key': unique('key') }]
  const answer = await repeated(h, () => h.as(h.merchants.main, 'POST', INIT, body, headers))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('idempotent-replayed')).toBe('true')
})

test('that a name is taken is said when a standby has what has it', async () => {
  const h = harness()
  const body = profileBody()
  const answer = await repeated(h, () => h.as(h.merchants.main, 'POST', PROFILES, body))
  expect(answer.json.problem.code).toBe('LIMIT_PROFILE_NAME_TAKEN')
})

test('the bank is told REPEATED of a credit, and of a reversal, when a standby has the first: it sends neither again', async () => {
  const h = harness()
  const { transactionReference } = await initialise(h, h.merchants.main)
  const credit = notice(await issueAccount(h, h.merchants.main, transactionReference), '1500.00')
  expect((await repeated(h, () => tell(h, credit))).json.responseBody).toEqual({ outcome: 'REPEATED' })
  const reversal = { reversalSessionId: newSession() }
  const answer = await repeated(h, () => reverseCredit(h, credit, reversal))
  expect(answer.json.responseBody).toEqual({ outcome: 'REPEATED' })
})

test('a new connection is used when a standby has all that it can see', async () => {
  const h = harness()
  const url = h.databases['01']
  const logins = loginsTo(url, (await createLogins(url))(url.slice(0, url.lastIndexOf('/') + 1)))
  await commitsWaitFor('nobody')
  const cell = openTestCell({ id: '01', logins })
  try {
    const ctx = { ...h.gateway.ctx, cells: new Map([['01' as const, cell]]) }
    const look = readAll(ctx, '01', (r) => r.query({ name: 'test_one', text: 'select 1 as one' }, []))
    expect(await Promise.race([look.then(() => 'used'), somebodyWaits().then(() => 'waits')])).toBe('waits')
    await commitsWaitFor('')
    expect(await look).toEqual([{ one: 1 }])
  } finally {
    await commitsWaitFor('')
    await closeCell(cell)
  }
})
