// An upgrade under load, and back: two apis behind HAProxy and two workers of an older version, on its own
// schema, while payments arrive by the clock. Our migrations run beside them; all four are replaced by ours
// one after the other, by theirs again on the new schema, and by ours. No call may fail, and the books must
// hold.
//   npm run trial -- upgrade [--from <tag or commit>] [--rate 50] [--drain 3] [--behind 10] [--seed N]
//     [--plant column|kill|cut]
// Needs haproxy. Without `--from` it is the last release; before the first one, this very version under
// another number, which tries the way and not the difference. The way back is left out, and said to be, when
// a migration in between is one that older versions cannot run with (`--! breaking`). `column` plants a
// column that the older version does not fill: it must be found.
import { join } from 'node:path'
import { buildInto } from '../../../tools/build/build.ts'
import { BUILD } from '../../../tools/compiled.ts'
import { migrate } from '../../../tools/migrate.ts'
import { lacks } from '../../../tools/programs.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { withClient } from '../kit/database.ts'
import { readOptions } from '../kit/options.ts'
import { startReceiver } from '../payments/receiver.ts'
import type { Member } from './fleet.ts'
import { buildOlder, type Older, versionOf } from './older.ts'
import { table, verdict } from './report.ts'
import { CELL, type Rolling, underLoad } from './storm.ts'

type Options = ReturnType<typeof parseOptions>
function parseOptions() {
  const options = readOptions({ rate: 50, drain: 3, behind: 10 }, ['column', 'kill', 'cut'], ['from'])
  if (options.rate < 1) throw new Error('--rate must be at least 1')
  return options
}

/** As a migration that only the new version knows how to live with. */
const PLANT_COLUMN = `alter table transactions add column planted text;
  alter table transactions add constraint planted check (planted is not null) not valid`
const TAKE_OUT_COLUMN = `alter table transactions drop constraint planted, drop column planted`

async function versionRunning({ privatePort }: Member): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${privatePort}/ready`)
  return ((await answer.json()) as { version: string }).version
}

/** What happens under the load. Answers with what is wrong: a process that is not of the version it should
 *  be. */
async function upgrade(
  rolling: Rolling,
  older: Older,
  url: string,
  ours: string,
  { plant }: Options,
): Promise<string[]> {
  const wrong: string[] = []
  const rollTo = async (what: string, build: string): Promise<void> => {
    rolling.fleet.use(build)
    await rolling.roll()
    for (const member of rolling.members) {
      const version = await versionRunning(member)
      if (version !== versionOf(build)) wrong.push(`${member.name} is ${version}, and should be ${versionOf(build)}`)
    }
    console.log(`  all four are ${what}`)
  }
  const run = (sql: string) => withClient(url, (client) => client.query(sql))
  const done = await migrate(url)
  console.log(`  migrated beside the older version: ${done.length === 0 ? 'nothing to do' : done.join(', ')}`)
  if (plant === 'column') await run(PLANT_COLUMN)
  await rollTo('ours', ours)
  if (plant === 'column') await run(TAKE_OUT_COLUMN) // or nothing would ever be paid
  if (older.breaking.length > 0) {
    console.log(`  NO WAY BACK, not tried: the older version cannot run with ${older.breaking.join(', ')}`)
    return wrong
  }
  await rollTo('of the older version again, on our schema', older.build)
  await rollTo('ours again', ours)
  return wrong
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  if (lacks('haproxy')) throw new Error('haproxy is not installed')
  const older = await buildOlder(options.from, dir)
  const ours = BUILD ?? join(dir, 'ours')
  if (BUILD === undefined) await buildInto(ours)
  console.log(`  from ${older.name} to ${versionOf(ours)}`)
  const seed = `upgrade ${options.seed}`
  const merchants = older.world.chaosMerchants(seed, [CELL])
  const receiver = await startReceiver(merchants, () => false)
  held.defer(() => receiver.close())
  const stack = await older.world.startChaosStack({ dir, cells: [CELL], seed, parts: ['simulator'] }, (config) =>
    older.world.seedMerchants(config, merchants, ({ path }) => receiver.url + path),
  )
  held.defer(() => stack.stop())
  const wrong: string[] = []
  const outcome = await underLoad(
    {
      ...{ ...options, dir, stack, merchants, receiver, build: older.build },
      plant: options.plant === 'column' ? undefined : options.plant,
      wanted: (older.breaking.length === 0 ? 3 : 1) * 4,
      course: async (rolling) =>
        void wrong.push(...(await upgrade(rolling, older, stack.databaseUrl(CELL), ours, options))),
    },
    held,
    signal,
  )
  if (outcome === null) return null
  return { says: table(outcome), wrong: [...wrong, ...verdict(outcome)] }
}

await main(import.meta, () => ({ name: 'upgrade', options: parseOptions(), limitMs: null, run }))
