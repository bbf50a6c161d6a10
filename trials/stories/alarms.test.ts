// Monitoring as an operator has it: a Prometheus and an Alertmanager of Debian's, with the files that are
// shipped, beside a gateway of real processes. Every series that an alarm asks for has samples; each alarm is
// fired by a fault that is planted, and by none before.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../apps/gateway/test/kit/waiting.ts'
import { lacks } from '../../tools/programs.ts'
import { ALARMS, MONITORING, SERIES, said } from './alarms/monitoring.ts'
import type { Owner } from './alarms/people.ts'
import { openScene, PAYEE_BANK, type Scene } from './alarms/scene.ts'

const missing = ['prometheus', 'promtool', 'prometheus-alertmanager', 'amtool'].filter(lacks)
/** A busy machine starts a process within this, and Prometheus needs its own time. */
const FIRES_MS = 90_000
const LIMIT_MS = 240_000
/** Sent back to it, money is refused: it stays in suspense. */
const CLOSED_ACCOUNT = '0123450009'
/** A payout there is pending for two hours. */
const PENDING_ACCOUNT = '0123450002'
const FIRST_LOOK = 'by real processes, once the worker had read the figures anew'

describe.skipIf(missing.length > 0)('files that are shipped', () => {
  test.each([
    ['promtool', 'check', 'rules', 'cowrie.rules.yml'],
    ['promtool', 'check', 'config', 'prometheus.yml'],
    ['promtool', 'test', 'rules', 'cowrie.rules.test.yml'],
    ['amtool', 'check-config', 'alertmanager.yml'],
  ])('%s %s %s %s', (program, ...words) => {
    const { code, text } = said(program, ...words)
    expect({ code, text }, MONITORING).toMatchObject({ code: 0 })
  })
})

describe.skipIf(missing.length > 0)('beside a gateway', () => {
  let scene: Scene
  const fired = new Map<string, string>()

  beforeAll(async () => {
    scene = await openScene()
  }, LIMIT_MS)
  afterAll(async () => {
    await scene?.stop()
    const rows = [...fired].map(([alarm, how]) => `  ${alarm.padEnd(22)} ${how}`)
    process.stdout.write(`alarms fired by planted faults:\n${rows.join('\n')}\n`)
  }, LIMIT_MS)

  /** Plants a fault; answers with the alarms once they fire, which nobody heard before. `feeding` is done
   *  again and again meanwhile. */
  async function fires(
    alarms: readonly string[],
    fault: string,
    plant: () => Promise<unknown>,
    { how = 'by real processes', feeding = async (): Promise<unknown> => undefined } = {},
  ): Promise<readonly string[]> {
    const early = (await scene.monitoring.firing()).filter((name) => alarms.includes(name))
    expect(early, `before the fault: ${fault}`).toEqual([])
    const began = performance.now()
    await plant()
    for (const alarm of alarms) {
      await until(
        `${alarm} fires: ${fault}`,
        async () => {
          await feeding()
          return (await scene.monitoring.firing()).includes(alarm)
        },
        FIRES_MS,
      )
      fired.set(alarm, `${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${fault}  (${how})`)
    }
    return alarms.filter((alarm) => fired.has(alarm))
  }
  const enquire = () =>
    scene.call('01', 'GET', `/api/v1/disbursements/account/validate?accountNumber=0123456789&bankCode=${PAYEE_BANK}`)

  test(
    'both targets are up, every series that an alarm names has samples, and nothing fires at a system that is well',
    async () => {
      const { monitoring } = scene
      for (const cell of ['01', '02'] as const) await scene.paid(cell)
      expect((await enquire()).status).toBe(200)
      await until('both targets are up', async () => {
        const targets = await monitoring.targets()
        return targets.length === 2 && targets.every(({ health }) => health === 'up')
      })
      await monitoring.looks(5)
      const found = await Promise.all(
        SERIES.map(async (name) => [name, (await monitoring.query(name)).length] as const),
      )
      expect(found.filter(([, count]) => count === 0)).toEqual([])
      expect(SERIES.length).toBeGreaterThanOrEqual(12)
      expect(await monitoring.firing()).toEqual([])
    },
    LIMIT_MS,
  )

  test(
    'CowrieSlow: payment requests wait for a lock in the database',
    async () => {
      const feeding = () =>
        scene.sql('cell_01', async (client) => {
          await client.query('begin')
          await client.query('lock table transactions in exclusive mode')
          const waiting = [scene.init('01'), scene.init('01')]
          await scene.monitoring.looks(2)
          await client.query('commit')
          for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
        })
      const fault = 'a table is locked for two seconds at a time'
      expect(await fires(['CowrieSlow'], fault, async () => undefined, { feeding })).toHaveLength(1)
    },
    LIMIT_MS,
  )

  test(
    'CowrieClockSkew: the clock of the api is five seconds ahead',
    async () => {
      const plant = () => scene.restartApi(true)
      expect(await fires(['CowrieClockSkew'], 'the clock of the api is five seconds ahead', plant)).toHaveLength(1)
      await scene.restartApi(false)
    },
    LIMIT_MS,
  )

  test(
    'CowrieCellNotReady and CowrieErrors: the database of a cell takes no connections; the one on call has a mail with the run-book',
    async () => {
      const allow = (word: 'true' | 'false') =>
        scene.sql('postgres', async (client) => {
          await client.query(`alter database cell_02 with allow_connections ${word}`)
          if (word === 'false')
            await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'cell_02'`)
        })
      await fires(
        ['CowrieCellNotReady', 'CowrieErrors'],
        'the database of a cell takes no connections',
        () => allow('false'),
        { feeding: () => scene.init('02') },
      )
      const { text } = await scene.mails.mailTo('on-call@pay.example', 'CowrieCellNotReady')
      expect(text).toContain('docs/operate/runbooks/cell-not-ready.md')
      await allow('true')
    },
    LIMIT_MS,
  )

  test(
    'CowrieBankSilent: the bank does not answer',
    async () => {
      const plant = () => scene.stack.kill('simulator')
      const heard = await fires(['CowrieBankSilent'], 'the process of the bank is killed', plant, { feeding: enquire })
      expect(heard).toHaveLength(1)
      await scene.stack.start('simulator')
    },
    LIMIT_MS,
  )

  test(
    'what a worker reads of a cell: payouts, suspense, breaks, books, numbers and webhooks',
    async () => {
      const { stack } = scene
      expect((await scene.payout('01', PENDING_ACCOUNT)).json.responseBody).toMatchObject({ status: 'PENDING' })
      expect((await scene.call('01', 'POST', '/sandbox/clock/advance', { seconds: 3_900 })).status).toBe(200)
      const account = await scene.paid('01')
      await Promise.all(Array.from({ length: 60 }, () => scene.transfer(account, CLOSED_ACCOUNT)))
      await scene.paid('01', 'silent')
      await scene.sql('cell_01', async (client) => {
        const isOn = async (text: string) => (await client.query(text)).rows.length > 0
        await until('money is in suspense', () => isOn('select from suspense_items having count(*) > 50'))
        await until('a notification is on its way', () =>
          isOn(
            `select from deliveries d join endpoints e on e.id = d.endpoint_id where state = 'PENDING' and e.url like '%silent'`,
          ),
        )
        await client.query(BOOK_TWICE)
        await client.query(`update agenda set due_at = now() where kind = 'books.night'`)
        await until('the night has found it', () => isOn('select from books_results where violations > 0'), FIRES_MS)
        await until('the night has ended', () => isOn('select from books_runs where finished_at is not null'), FIRES_MS)
        await client.query(OPEN_BREAK)
        for (const claim of CLAIMS) await client.query(claim)
        await client.query(`update number_ranges set next_serial = last_serial - 100 where purpose = 'RESERVED'`)
        await stack.kill('worker')
        await client.query(`update deliveries set due_at = due_at - interval '10 minutes' where state = 'PENDING'`)
      })
      const faults = {
        CowriePayoutsStuck: 'a payout that the bank has had for over an hour',
        CowrieSuspenseGrows: 'sixty credits for a paid transaction, from an account that is closed',
        CowrieBreaksOpen: 'an open break, by SQL',
        CowrieReceivablesOld: 'a debt of three weeks, by SQL',
        CowrieCoverShort: 'a billion naira that left the bank for nobody, by SQL',
        CowrieAcquirerUnpaid: 'card charges that an acquirer has not settled for five days, by SQL',
        CowrieDisputesDue: 'a dispute that must be answered within the hour, by SQL',
        CowrieChargesUnanswered: 'a card charge that nobody is asked about any more, by SQL',
        CowrieBooksViolated: 'a payment that was booked twice, by SQL, and the check of the night',
        CowrieNumbersRunOut: 'a hundred numbers are left of a range, by SQL',
        CowrieWebhooksLate: 'a notification that has been due for ten minutes, to a receiver that never answers',
      }
      const started = stack.start('worker')
      const fault = (alarm: keyof typeof faults) => fires([alarm], faults[alarm], () => started, { how: FIRST_LOOK })
      // All at once: what a worker reads first it reads within a second of its start.
      await Promise.all((Object.keys(faults) as (keyof typeof faults)[]).map(fault))
    },
    LIMIT_MS,
  )

  test(
    'what happens to people, rights, keys and destinations',
    async () => {
      const times = async (count: number, work: (at: number) => Promise<{ readonly status: number }>) => {
        for (let at = 0; at < count; at += 1) expect((await work(at)).status).toBe(200)
      }
      const path = '/api/v1/webhook-urls'
      const account = (at: number) => [
        {
          currencyCode: 'NGN',
          accountNumber: `01234${50_010 + at}`,
          bankCode: PAYEE_BANK,
          email: `s${at}@example.com`,
          defaultSplitPercentage: 1,
        },
      ]
      const plantedBy = (owner: Owner): [string, string, () => Promise<unknown>][] => [
        [
          'CowrieLogInsRefused',
          'twenty-five log-ins with wrong passwords',
          async () => {
            for (let at = 0; at < 25; at += 1) await owner.logIn(`nobody-${at}@example.com`, 'wrong')
          },
        ],
        ['CowrieManagersChanged', 'an invitation as owner is accepted', () => owner.invite()],
        [
          'CowrieFactorAttacked',
          'five wrong codes after a right password',
          async () => {
            for (let at = 0; at < 5; at += 1) expect((await owner.code(`WRONGCODE00${at}`)).status).toBe(403)
          },
        ],
        [
          'CowrieDestinationsChanged',
          'twenty-five sub accounts',
          () => times(25, (at) => scene.call('01', 'POST', '/api/v1/sub-accounts', account(at))),
        ],
        [
          'CowrieWebhooksMoved',
          'twenty-five changes of an address',
          () => times(25, () => scene.call('01', 'PUT', path, { transactionCompletion: scene.hook })),
        ],
        ['CowrieKeysMany', 'twenty-five limited keys', () => times(25, (at) => scene.key('01', at))],
        ['CowrieExportsMany', 'twenty-five files of payments', () => times(25, () => owner.export())],
      ]
      await scene.asOwner('01', async (owner) => {
        for (const [alarm, fault, plant] of plantedBy(owner)) expect(await fires([alarm], fault, plant)).toHaveLength(1)
      })
      await scene.sql('cell_01', async (client) => {
        await client.query(UNTOLD)
        await client.query(UNSIGNED)
      })
      const plant = async () => undefined
      await fires(
        ['CowrieSecurityUntold', 'CowrieTrailUnsigned'],
        'an event that nobody is told of, and heads that cannot be signed, by SQL',
        plant,
      )
    },
    LIMIT_MS,
  )

  test(
    'CowrieWorkLate: there is no worker',
    async () => {
      // The faults above made work late too; that is done by now, or soon.
      const isQuiet = async () => !(await scene.monitoring.firing()).includes('CowrieWorkLate')
      await until('nothing is late', isQuiet, FIRES_MS)
      const plant = () => scene.stack.kill('worker')
      expect(await fires(['CowrieWorkLate'], 'the worker is killed', plant)).toHaveLength(1)
    },
    LIMIT_MS,
  )

  test('every alarm was fired', () => {
    expect(ALARMS.filter((alarm) => !fired.has(alarm))).toEqual([])
    expect(ALARMS).toHaveLength(26)
  })
})

const BOOK_TWICE = `insert into transfers (id, merchant_id, kind, object, object_id, fee_schedule_id, at, accounts, amounts)
  select (select max(id) + 1000000 from transfers), merchant_id, kind, object, object_id, fee_schedule_id, at, accounts, amounts
  from transfers where object = 'transaction' order by id limit 1`
const OPEN_BREAK = `insert into recon_breaks (id, merchant_id, class, kind, session_id, day, bank_kobo, says, opened_at)
  select max(id) + 1, 0, 'MISSING_HERE', 'CREDIT', '000000000000000000000000000001', current_date, 100, 'Planted by a test', now()
  from transfers`
/** Told to nobody before tomorrow. */
const UNTOLD = `with event as (
    insert into security_events (merchant_id, at, kind, severity, actor_kind, actor_side, actor_name)
    values (0, now() - interval '3 hours', 'login.refused', 2, 'nobody', 'merchant', '') returning id)
  insert into security_outbox select id, 'MAIL', 0, now() - interval '3 hours', now() + interval '1 day' from event`
const UNSIGNED = `
  create function unsigned() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$;
  create trigger unsigned before insert on trail_signatures for each row execute function unsigned();
  update trail_signatures set at = at - interval '5 hours'`
const posting = (accounts: string, kobo: bigint): string => `
  insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
  select max(id) + 1, 0, 'CORRECTION', 'test', 1, now(), '${accounts}', '{${kobo}, -${kobo}}' from transfers`
const CLAIMS = [
  posting('{0, 5}', 100_000_000_000n),
  posting('{5, 1}', 5_000n),
  `insert into house_bookings (kind, session_id, kobo, transfer_id, booked_at, acquirer)
   select 'CARD_SETTLEMENT', 'planted', 100, max(id), now() - interval '5 days', 1 from transfers`,
  `insert into card_disputes (connector, reference, merchant_id, transaction_id, charge_reference, kobo, state, due_at, said_at, reported_at, changed_at)
   select 1, 'planted', merchant_id, id, 'planted', kobo, 'OPENED', now() + interval '3 hours', now(), now(), now() from transactions limit 1`,
  `insert into card_charges (id, merchant_id, transaction_id, reference, status, channel, kobo, bin, last4, exp_month, exp_year, return_token,
     created_at, asking_ended_at)
   select (select max(id) + 1 from transfers), merchant_id, id, 'planted', 'SENT', 'API', kobo, '411111', '1111', '10', '2030', 'planted',
     now() - interval '8 days', now() from transactions limit 1`,
  // More than any wallet holds, because what it holds is collected.
  `insert into receivable_moves (id, merchant_id, number, account_id, kobo, owed_kobo, at)
   select (select max(id) + 1 from transfers), merchant_id, 1, merchant_id * 16 + 9, 10000000000000, 10000000000000, now() - interval '21 days'
   from accounts where kind = 'RECEIVABLE' and merchant_id in (select id from merchants) order by id limit 1`,
  `update accounts set balance_kobo = -10000000000000 where kind = 'RECEIVABLE' and merchant_id in (select merchant_id from receivable_moves)`,
]
