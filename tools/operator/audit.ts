// The operator's look at the audit trail: whether it is as it was written, and what is in it.
//   npm run audit -- verify                             every chain of every cell, and where people are known
//   npm run audit -- export [<apiKey>]                  JSON lines, oldest first: all, or one merchant's
// What people look at is the view trail.list. Reads CELLS, IDENTITIES and ENVIRONMENT like the gateway
// (operator.ts). Exit codes: 0 fine, 1 a chain is broken or no merchant has that key, 2 wrong use.
import { type Head, listChains, trailAfter, verifyChain } from '../../apps/gateway/src/core/acts/trail.ts'
import { readAll } from '../../apps/gateway/src/core/cells/cells.ts'
import { HOUSE } from '../../apps/gateway/src/core/ledger/chart.ts'
import { presentTrailLine } from '../../apps/gateway/src/features/access/approvals/approvals.ts'
import type { Gateway } from '../../apps/gateway/src/gateway.ts'
import type { CellId } from '../../apps/gateway/src/kit/ids.ts'
import { type Env, NotDone, openForOperator, type Print, runCommand, WrongUse, withGateway } from './operator.ts'

const USAGE = 'npm run audit -- verify | export [<apiKey>|<cell>]'
const PAGE = 500

const placesOf = ({ ctx }: Gateway): CellId[] => [...new Set([ctx.identities.id, ...ctx.cells.keys()])].toSorted()

/** Every chain to its head; names the first broken line of each. */
async function verify(gateway: Gateway, print: Print): Promise<0 | 1> {
  let broken = 0
  for (const cell of placesOf(gateway)) {
    let lines = 0n
    const chains = await readAll(gateway.ctx, cell, listChains)
    for (const head of chains) {
      const found = await readAll(gateway.ctx, cell, (r) => verifyChain(r, head))
      lines += found.lines
      if (found.broken === null) continue
      broken += 1
      print(`cell ${cell}, merchant ${head.merchant_id}: BROKEN at line ${found.broken.number}: ${found.broken.why}`)
    }
    print(`cell ${cell}: ${chains.length} chains, ${lines} lines`)
  }
  print(broken === 0 ? 'The audit trail is as it was written.' : `${broken} chains are broken.`)
  return broken === 0 ? 0 : 1
}

async function exportChain({ ctx }: Gateway, cell: CellId, { merchant_id }: Pick<Head, 'merchant_id'>, print: Print) {
  for (let last = 0n; ; ) {
    const rows = await readAll(ctx, cell, (r) => trailAfter(r, merchant_id, last, PAGE))
    for (const row of rows)
      print(
        JSON.stringify({
          cell,
          merchantId: String(merchant_id),
          ...presentTrailLine(cell, row),
          previous: row.previous.toString('hex'),
        }),
      )
    if (rows.length < PAGE) return
    last = rows.at(-1)?.number ?? last
  }
}

/** A merchant's chain, or of a cell the one that is nobody's. */
async function chainOf({ ctx, merchants }: Gateway, word: string): Promise<{ cell: CellId; merchant_id: bigint }> {
  if (ctx.cells.has(word) || ctx.identities.id === word) return { cell: word, merchant_id: HOUSE }
  const merchant = await merchants.byApiKey(word)
  if (!merchant) throw new NotDone(`Neither a merchant nor a cell is called ${word}.`)
  return { cell: merchant.cell, merchant_id: merchant.id }
}

async function exportAll(gateway: Gateway, word: string | undefined, print: Print): Promise<0> {
  if (word !== undefined) {
    const { cell, ...chain } = await chainOf(gateway, word)
    await exportChain(gateway, cell, chain, print)
    return 0
  }
  for (const cell of placesOf(gateway))
    for (const head of await readAll(gateway.ctx, cell, listChains)) await exportChain(gateway, cell, head, print)
  return 0
}

/** Answers the exit code. */
export const run = ([command = '', word]: readonly string[], env: Env, print: Print): Promise<0 | 1 | 2> =>
  runCommand(USAGE, print, async () => {
    if (command !== 'verify' && command !== 'export') throw new WrongUse('Say what to do.')
    return withGateway(openForOperator(env), (gateway) =>
      command === 'verify' ? verify(gateway, print) : exportAll(gateway, word, print),
    )
  })

if (import.meta.main) process.exit(await run(process.argv.slice(2), process.env, (text) => console.log(text)))
