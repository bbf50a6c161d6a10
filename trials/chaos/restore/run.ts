// The drill for the worst day: the cell is lost and restored to a moment, and life went on at the bank after
// it. The restored books must be in order, everything up to the moment must be there, and what the bank did
// after it must be found: each payment and payout as one break of the next comparison with its statement, no
// more and no fewer.
//   npm run trial -- restore [--payments 40] [--payouts 10]
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { checkBooks } from '../../../apps/gateway/test/kit/books.ts'
import { DAY_SECONDS } from '../../../packages/contract/src/kit/durations.ts'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { withClient } from '../kit/database.ts'
import { readOptions } from '../kit/options.ts'
import { tableText, wrongText } from '../kit/report.ts'
import { type ChaosMerchant, chaosMerchants, logIn, seedMerchants, startChaosStack, steadyPorts } from '../kit/world.ts'
import { type Backup, needed, openBackup } from './backup.ts'

const QUIET_MS = 30_000
const PAYEE = '2000000008' // an ending without a scenario

type Options = ReturnType<typeof parseOptions>
const parseOptions = () => readOptions({ payments: 40, payouts: 10 }, [])

/** No amount twice: the same one to the same account within two minutes is refused. */
let payoutsSent = 0
const sent = (): number => {
  payoutsSent += 1
  return payoutsSent
}

type World = { readonly stack: Stack; readonly backup: Backup; readonly merchant: ChaosMerchant }

/** What a client does: an answer that is not 200 ends the drill. */
async function post<T>(url: string, body: object, token?: string): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 300)}`)
  const parsed = JSON.parse(text) as { responseBody?: T }
  return parsed.responseBody ?? (parsed as T)
}

const apiOf = ({ stack }: World): string => `http://127.0.0.1:${stack.ports.api}`

async function live(world: World, { payments, payouts }: Options): Promise<string[]> {
  const { stack, merchant } = world
  const token = await logIn(apiOf(world), merchant)
  const references: string[] = []
  for (let n = 0; n < payments; n += 1) {
    const paymentReference = `restore-${randomInt(2 ** 47)}`
    const { transactionReference } = await post<{ transactionReference: string }>(
      `${apiOf(world)}/api/v1/merchant/transactions/init-transaction`,
      {
        ...{ amount: 1_000 + n, customerName: 'Ngozi Bello', customerEmail: 'payer@restore.example' },
        ...{ paymentReference, paymentDescription: 'Drill', currencyCode: 'NGN', contractCode: merchant.contractCode },
      },
      token,
    )
    const { accountNumber, bankCode } = await post<{ accountNumber: string; bankCode: string }>(
      `${apiOf(world)}/api/v1/merchant/bank-transfer/init-payment`,
      { transactionReference },
      token,
    )
    await post(`http://127.0.0.1:${stack.ports.simulator}/api/transfers`, {
      ...{ accountNumber, bankCode, amount: 1_000 + n, senderAccountName: 'Ngozi Bello' },
    })
    references.push(transactionReference)
  }
  const known = await fetch(`http://127.0.0.1:${stack.ports.simulator}/api/accounts/058/${PAYEE}`)
  const { accountName } = (await known.json()) as { accountName: string }
  for (let n = 0; n < payouts; n += 1)
    await post(
      `${apiOf(world)}/api/v2/disbursements/single`,
      {
        ...{
          amount: 200 + sent(),
          reference: `restore-out-${randomInt(2 ** 47)}`,
          narration: 'Drill',
          currency: 'NGN',
        },
        ...{ destinationBankCode: '058', destinationAccountNumber: PAYEE, destinationAccountName: accountName },
        sourceAccountNumber: merchant.walletNumber,
      },
      token,
    )
  return references
}

const one = <T>(world: World, text: string): Promise<T> =>
  withClient(world.backup.engine.url('cell_01'), async (client) => (await client.query(text)).rows[0] as T)

/** Waits until no payout is on its way and every event is numbered and delivered. */
async function quiet(world: World): Promise<void> {
  const open = `select (select count(*) from disbursements where status not in ('SUCCESS', 'FAILED', 'REVERSED'))
    + (select count(*) from outbox) as count`
  const giveUpAt = Date.now() + QUIET_MS
  while (Number((await one<{ count: string }>(world, open)).count) > 0) {
    if (Date.now() > giveUpAt) throw new Error('something stays on its way')
    await pause(200)
  }
}

async function advance(world: World, seconds: number): Promise<void> {
  const token = await logIn(apiOf(world), world.merchant)
  await post(`${apiOf(world)}/sandbox/clock/advance`, { seconds }, token)
}

type Break = { readonly class: string; readonly kind: string; readonly status: string }

async function run(options: Options, dir: string, held: Held): Promise<Report> {
  const missing = needed()
  if (missing !== null) throw new Error(missing)
  const ports = await steadyPorts()
  const backup = await openBackup(dir, (await steadyPorts()).postgres)
  held.defer(() => backup.stop())
  await backup.engine.createDatabase('cell_01')
  const [merchant] = chaosMerchants('restore', ['01'], 1)
  if (!merchant) return null
  const { host } = new URL(backup.engine.url('postgres'))
  const stack = await startChaosStack(
    {
      ...{ dir, ports, seed: 'restore', parts: ['simulator', 'api', 'worker'] },
      elsewhere: { hosts: host, url: (database) => backup.engine.url(database) },
    },
    (config) => seedMerchants(config, [merchant]),
  )
  held.defer(() => stack.stop())
  const world: World = { stack, backup, merchant }

  await live(world, options)
  await backup.take()
  const before = await live(world, options)
  await quiet(world)
  const { now: moment } = await one<{ now: string }>(world, 'select now()::text as now')
  await pause(1_100) // a moment between two lives
  await live(world, options)
  await quiet(world)
  const paidBefore = await one<{ count: string }>(world, `select count(*) from transactions where status = 'PAID'`)

  return restored(world, options, moment, before, paidBefore.count)
}

/** Lost, brought back to the moment, and looked at. */
async function restored(
  world: World,
  options: Options,
  moment: string,
  before: readonly string[],
  paidInAll: string,
): Promise<Report> {
  const { stack, backup } = world
  await Promise.all([stack.kill('api'), stack.kill('worker')])
  const began = Date.now()
  await backup.restore(moment)
  await stack.start('api')
  await stack.start('worker')
  const backMs = Date.now() - began

  const url = backup.engine.url('cell_01')
  const violations = await checkBooks(url)
  const { count: paid } = await one<{ count: string }>(world, `select count(*) from transactions where status = 'PAID'`)
  const { count: kept } = await one<{ count: string }>(
    world,
    `select count(*) from transactions where status = 'PAID' and reference in (${before.map((text) => `'${text}'`).join(', ')})`,
  )
  await advance(world, DAY_SECONDS)
  await advance(world, DAY_SECONDS)
  const breaks = await withClient(url, async (client) => {
    return (await client.query<Break>('select class, kind, status from recon_breaks')).rows
  })
  const found = Map.groupBy(breaks, ({ class: name, kind }) => `${name} ${kind}`)
  const says = tableText([
    ['before', `${options.payments * 2} payments, ${options.payouts * 2} payouts`],
    ['after the moment', `${options.payments} payments, ${options.payouts} payouts, known to the bank only`],
    ['restored', `in ${(backMs / 1000).toFixed(1)} s, ${paid} of ${paidInAll} payments`],
    ['books', violations.length === 0 ? 'clean' : `${violations.length} invariants broken`],
    ['breaks', [...found].map(([name, rows]) => `${rows.length} ${name}`).join(', ')],
  ])
  const wrong: string[] = []
  if (violations.length > 0)
    wrong.push(
      wrongText(
        'the books',
        violations.map(({ invariant }) => invariant),
      ),
    )
  if (Number(kept) !== before.length)
    wrong.push(wrongText('payments before the moment are missing', [`${kept} of ${before.length}`]))
  if (Number(paid) !== options.payments * 2) wrong.push(wrongText('payments after the moment are there', [paid]))
  // Nobody in the restored books has the numbers that were paid to; the payouts of then are unknown orders.
  const expected = { 'UNKNOWN_OWNER CREDIT': options.payments, 'MISSING_HERE PAYOUT': options.payouts }
  const seen = Object.fromEntries(Array.from(found, ([name, rows]) => [name, rows.length]))
  if (!isDeepStrictEqual(seen, expected)) wrong.push(wrongText('breaks', [JSON.stringify({ seen, expected })]))
  return { says, wrong }
}

await main(import.meta, () => ({ name: 'restore', options: parseOptions(), run }))
