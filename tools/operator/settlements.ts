// The operator's hand on settlements: what would be paid now, who is held, and the days on which T+1 does not
// pay.
//   npm run settlements -- dry-run [apiKey]      what would be paid to whom, if a run came now; nothing is
//     paid
//   npm run settlements -- list                  who is held, since when and why
//   npm run settlements -- receivables           who owes how much for money that a bank reversed, and since
//     when
//   npm run settlements -- hold <apiKey> <why>   nothing is paid to the merchant or its sub accounts from now
//     on
//   npm run settlements -- release <apiKey>      the next run pays again; in the sandbox only, since in live
//     it takes two people
//   npm run settlements -- holiday <yyyy-mm-dd> <name>
// What changes something leaves a line in the audit trail, under the name of this command.
// Reads CELLS and ENVIRONMENT like the gateway (operator.ts). Exit codes: 0 fine, 1 no such merchant, 2 wrong
// use.

import type { Merchant } from '../../apps/gateway/src/core/access/merchants.ts'
import { record } from '../../apps/gateway/src/core/acts/trail.ts'
import { engineTx, readAll } from '../../apps/gateway/src/core/cells/cells.ts'
import { HOUSE } from '../../apps/gateway/src/core/ledger/chart.ts'
import { gatherAll } from '../../apps/gateway/src/features/settlements/settlements/lines/lines.ts'
import * as operator from '../../apps/gateway/src/features/settlements/settlements/operator.ts'
import { listOpen } from '../../apps/gateway/src/features/wallets/receivables/receivables.ts'
import type { Gateway } from '../../apps/gateway/src/gateway.ts'
import { nairaText } from '../../packages/contract/src/kit/money.ts'
import { COMMAND, openForOperator } from './operator.ts'

const USAGE =
  'npm run settlements -- dry-run [apiKey] | list | receivables | hold <apiKey> <why> | release <apiKey> | holiday <yyyy-mm-dd> <name>'

class Wrong extends Error {}

async function merchantOf({ merchants }: Gateway, apiKey: string | undefined): Promise<Merchant> {
  if (apiKey === undefined) throw new Wrong(USAGE)
  const merchant = await merchants.byApiKey(apiKey)
  if (!merchant) throw new Error(`No merchant has the API key ${apiKey}.`)
  return merchant
}

async function dryRun(gateway: Gateway, apiKey: string | undefined): Promise<void> {
  const { ctx } = gateway
  const only = apiKey === undefined ? null : await merchantOf(gateway, apiKey)
  let total = 0n
  for (const cell of only ? [only.cell] : ctx.cells.keys()) {
    await gatherAll(ctx, cell)
    for await (const one of operator.dryRun(ctx, cell, only?.id ?? null)) {
      if (one.kobo > 0n) total += one.kobo
      const pays =
        one.kobo > 0n ? `NGN ${nairaText(one.kobo)} to ${one.destination}` : `nothing (NGN ${nairaText(one.kobo)})`
      console.log(`${cell} ${one.merchant}${one.subAccount ? ` / ${one.subAccount}` : ''}: ${pays}, ${one.lines} lines`)
    }
  }
  console.log(`NGN ${nairaText(total)} would be paid. Nothing was paid.`)
}

export async function run(gateway: Gateway, [command, first, ...rest]: readonly string[]): Promise<void> {
  const { ctx } = gateway
  const words = rest.join(' ')
  if (command === 'dry-run') return dryRun(gateway, first)
  if (command === 'list') {
    const lines: string[] = []
    for (const cell of ctx.cells.keys())
      for (const held of await readAll(ctx, cell, (r) => operator.listHeld(r)))
        lines.push(`${cell} ${held.api_key} ${held.name}: since ${held.since.toISOString()}, ${held.reason}`)
    console.log(lines.join('\n') || 'No merchant is on hold.')
    return
  }
  if (command === 'receivables') {
    const lines: string[] = []
    let total = 0n
    for (const cell of ctx.cells.keys())
      for (const one of await readAll(ctx, cell, (r) => listOpen(r))) {
        total += one.kobo
        lines.push(`${cell} ${one.api_key} ${one.name}: NGN ${nairaText(one.kobo)} since ${one.since.toISOString()}`)
      }
    console.log([...lines, `NGN ${nairaText(total)} is owed.`].join('\n'))
    return
  }
  if (command === 'hold' || command === 'release') {
    const merchant = await merchantOf(gateway, first)
    if (command === 'hold' && words === '') throw new Wrong(USAGE)
    if (command === 'release' && ctx.environment === 'live')
      throw new Error('In live a release takes two people: cowrie admin settlements release.')
    const reason = words === '' ? 'by command' : words
    await engineTx(ctx, merchant.cell, async (t) => {
      if (command === 'hold') await operator.hold(t, merchant.id, reason)
      else await operator.release(t, merchant.id)
      await record(t, { merchantId: merchant.id, by: COMMAND, what: `settlements.${command}`, reason })
    })
    console.log(`Settlements of ${merchant.name} are ${command === 'hold' ? 'on hold' : 'released'}.`)
    return
  }
  if (command === 'holiday' && /^\d{4}-\d\d-\d\d$/.test(first ?? '') && words !== '') {
    const day = first ?? ''
    for (const cell of ctx.cells.keys())
      await engineTx(ctx, cell, async (t) => {
        if (ctx.environment === 'live' && (await operator.isNearHoliday(t, day)))
          throw new Error('A holiday within two working days takes two people in live: cowrie admin holidays add.')
        await operator.addHoliday(t, day, words)
        const after = { day, name: words }
        await record(t, { merchantId: HOUSE, by: COMMAND, what: 'holidays.add', reason: 'by command', after })
      })
    console.log(`Holiday added: ${first}, ${words}.`)
    return
  }
  throw new Wrong(USAGE)
}

if (import.meta.main) {
  const words = process.argv.slice(2)
  let gateway: Gateway | null = null
  try {
    if (words.length === 0) throw new Wrong(USAGE)
    gateway = await openForOperator(process.env)
    await run(gateway, words)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = error instanceof Wrong ? 2 : 1
  } finally {
    await gateway?.close()
  }
}
