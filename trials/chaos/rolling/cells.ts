// A cell is added while payments arrive by the clock: its database is made and migrated beside the running
// processes, all four are restarted one after the other with the longer list, and then it is opened. No call
// of a merchant of the first cell may fail; whoever is put somewhere before the cell is open stays in the
// first; whoever comes afterwards lands in the new one and is paid there. Then it is drained.
//   npm run trial -- cells [--rate 20] [--drain 3] [--behind 60] [--seed N] [--plant unopened|kill|cut]
// Needs haproxy. `unopened` leaves the new cell as it was added: then nobody lands in it, and that must be
// found.
import { cellsText, readConfig } from '../../../apps/gateway/src/config.ts'
import { engineTx } from '../../../apps/gateway/src/core/cells/cells.ts'
import { move, placeOfNext } from '../../../apps/gateway/src/features/access/placement/placement.ts'
import {
  initPayment,
  initTransaction,
  queryTransaction,
} from '../../../packages/contract/src/collections/transactions.ts'
import { migrate } from '../../../tools/migrate.ts'
import { lacks } from '../../../tools/programs.ts'
import { type Stack, withGateway } from '../../../tools/sandbox/stack.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { readOptions } from '../kit/options.ts'
import { type ChaosMerchant, chaosMerchants, logIn, seedMerchants, startChaosStack } from '../kit/world.ts'
import { startReceiver } from '../payments/receiver.ts'
import type { Env, Member } from './fleet.ts'
import { table, verdict } from './report.ts'
import { CELL, type Rolling, underLoad } from './storm.ts'

const ADDED = '02'
const ASKED = 4

type Options = ReturnType<typeof parseOptions>
function parseOptions() {
  const options = readOptions({ rate: 20, drain: 3, behind: 60 }, ['unopened', 'kill', 'cut'])
  if (options.rate < 1) throw new Error('--rate must be at least 1')
  return options
}

/** The database of the new cell, as `db add` and `migrate` make it; answers with the longer list. */
async function addDatabase(stack: Stack): Promise<Env> {
  await stack.engine.createDatabase(`cell_${ADDED}`)
  await migrate(stack.databaseUrl(ADDED))
  const { app, engine } = stack.config.cells.get(CELL) as { app: string; engine: string }
  const beside = (url: string): string => url.replace(`/cell_${CELL}`, `/cell_${ADDED}`)
  const longer = new Map([...stack.config.cells, [ADDED, { app: beside(app), engine: beside(engine) }] as const])
  return { CELLS: cellsText(longer) }
}

const readyFor = async ({ privatePort }: Member, cell: string): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${privatePort}/ready?cell=${cell}`)).ok

type Answered = { readonly status: number; readonly text: string; readonly body: Readonly<Record<string, string>> }

/** A merchant of the new cell is paid, through the balancer, often enough to meet every api. Answers with
 *  what went wrong. */
async function isPaid({ ports }: Stack, merchant: ChaosMerchant, what: string): Promise<string[]> {
  const apiUrl = `http://127.0.0.1:${ports.api}`
  const headers = { authorization: `Bearer ${await logIn(apiUrl, merchant)}`, 'content-type': 'application/json' }
  const send = async (url: string, body?: object): Promise<Answered> => {
    const answer = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
    const text = await answer.text()
    return { status: answer.status, text, body: JSON.parse(text).responseBody ?? {} }
  }
  const once = async (n: number): Promise<string | null> => {
    const asked = await send(apiUrl + initTransaction.path, {
      ...{
        amount: 1000,
        customerEmail: 'ada@chaos.example',
        paymentReference: `cell${ADDED}-${what}-${n}`,
        currencyCode: 'NGN',
      },
      contractCode: merchant.contractCode,
    })
    const { transactionReference = '' } = asked.body
    if (!transactionReference.startsWith(`CWRY|${ADDED}|`)) return asked.text
    const issued = await send(apiUrl + initPayment.path, { transactionReference })
    const { accountNumber, bankCode } = issued.body
    const paid = await send(`http://127.0.0.1:${ports.simulator}/api/transfers`, {
      bankCode,
      accountNumber,
      amount: 1000,
    })
    const query = `${apiUrl}${queryTransaction.path}?transactionReference=${encodeURIComponent(transactionReference)}`
    const { body, text } = await send(query)
    return body['paymentStatus'] === 'PAID' ? null : `${issued.text} ${paid.text} ${text}`
  }
  const wrong: string[] = []
  for (let n = 0; n < ASKED; n += 1) {
    const fault = await once(n)
    if (fault !== null) wrong.push(`${what}: not paid in ${ADDED}: ${fault.slice(0, 200)}`)
  }
  return wrong
}

type World = { readonly stack: Stack; readonly newcomer: ChaosMerchant; readonly urlOf: (one: ChaosMerchant) => string }

/** What happens under the load. Answers with what is wrong. */
async function addCell(rolling: Rolling, world: World, settings: (env: Env) => void, { plant }: Options) {
  const { stack, newcomer } = world
  const wrong: string[] = []
  const longer = await addDatabase(stack)
  settings(longer)
  await rolling.roll()
  for (const member of rolling.members)
    if (!(await readyFor(member, ADDED))) wrong.push(`${member.name} is not ready for cell ${ADDED}`)
  console.log(`  all four serve ${CELL} and ${ADDED}`)
  const config = readConfig({ ...stack.env, ...longer })
  await withGateway(config, async ({ ctx }) => {
    const before = await placeOfNext(ctx)
    if (before !== CELL) wrong.push(`before it was opened a merchant would go to ${before}`)
    if (plant !== 'unopened') await engineTx(ctx, ADDED, (t) => move(t, 'open'))
    const cell = await placeOfNext(ctx)
    if (cell !== ADDED) wrong.push(`a new merchant goes to ${cell}, where more merchants are than in ${ADDED}`)
    await seedMerchants(config, [newcomer], world.urlOf)
    wrong.push(...(await isPaid(stack, newcomer, 'opened')))
    await engineTx(ctx, ADDED, (t) => move(t, 'drain'))
    const after = await placeOfNext(ctx)
    if (after !== CELL) wrong.push(`after it was drained a merchant would go to ${after}`)
    wrong.push(...(await isPaid(stack, newcomer, 'drained')))
    console.log(`  the next merchant went to ${cell}; one of cell ${ADDED} was paid before and after it was drained`)
  })
  return wrong
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  if (lacks('haproxy')) throw new Error('haproxy is not installed')
  const seed = `cells ${options.seed}`
  const merchants = chaosMerchants(seed, [CELL])
  const [newcomer] = chaosMerchants(seed, [ADDED], 1) as [ChaosMerchant]
  const receiver = await startReceiver([...merchants, newcomer], () => false)
  held.defer(() => receiver.close())
  const urlOf = ({ path }: ChaosMerchant): string => receiver.url + path
  const stack = await startChaosStack({ dir, cells: [CELL], seed, parts: ['simulator'] }, (config) =>
    seedMerchants(config, merchants, urlOf),
  )
  held.defer(() => stack.stop())
  const wrong: string[] = []
  let settings: Env = {}
  const longer = (env: Env): void => {
    settings = env
  }
  const outcome = await underLoad(
    {
      ...{ ...options, dir, stack, merchants, newcomers: [newcomer], receiver, wanted: 4, settings: () => settings },
      plant: options.plant === 'unopened' ? undefined : options.plant,
      course: async (rolling) =>
        void wrong.push(...(await addCell(rolling, { stack, newcomer, urlOf }, longer, options))),
    },
    held,
    signal,
  )
  if (outcome === null) return null
  return { says: table(outcome), wrong: [...wrong, ...verdict(outcome)] }
}

await main(import.meta, () => ({ name: 'cells', options: parseOptions(), limitMs: null, run }))
