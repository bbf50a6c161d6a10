// `cowrie settlements verify`: statements, all of them or one, proved from what they show, from the chain and
// from the log of events. The gateway is believed in nothing but its key and its events.
import { readFileSync } from 'node:fs'
import { type StatementOf, statementOfCsv } from '@cowrie/contract/settlements/statement'
import { Failure } from '../failure.ts'
import type { Gateway, SettlementItem } from '../gateway.ts'
import { printLine, printNote, wrap } from '../words.ts'
import { chainFaults, feedFaults, readFeed, sealFaults, sumFaults } from './proof.ts'

type Verdict = { readonly statement: StatementOf; readonly faults: readonly string[] }

/** A statement in a file: JSON, with its envelope or without, or a table. */
function readStatement(file: string): StatementOf {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new Failure(`${file} cannot be read.`, { exitCode: 2 })
  }
  const table = statementOfCsv(text)
  if (table) return table
  try {
    const value = JSON.parse(text) as { responseBody?: StatementOf } & StatementOf
    const statement = value.responseBody ?? value
    if (Array.isArray(statement.lines)) return statement
  } catch {
    // said below
  }
  throw new Failure(`${file} is not a settlement statement.`, { exitCode: 2 })
}

const isReference = (text: string): boolean => /^[A-Z0-9]{20}$/.test(text)

async function everyEvent(gateway: Gateway) {
  const events = []
  for (let after = 0; ; ) {
    const page = await gateway.after(after, { wait: false })
    events.push(...page.events)
    const last = page.events.at(-1)
    if (!last) return events
    after = last.number
  }
}

async function everySettlement(gateway: Gateway): Promise<SettlementItem[]> {
  const items: SettlementItem[] = []
  for (let page = 0; ; page += 1) {
    const { content, last } = await gateway.settlements(page)
    items.push(...content)
    if (last) return items.toSorted((a, b) => a.number - b.number)
  }
}

export async function verifySettlements(how: {
  readonly gateway: Gateway
  readonly which: string | null
  readonly json: boolean
}): Promise<void> {
  const { gateway, which, json } = how
  const given = which !== null && !isReference(which) ? readStatement(which) : null
  const [key, listed] = [await gateway.settlementKey(), await everySettlement(gateway)]
  const feed = readFeed(await everyEvent(gateway))
  const byNumber = new Map(listed.map((item) => [item.number, item]))
  const wanted = given?.settlementReference ?? which
  const items = wanted === null ? listed : listed.filter((item) => item.settlementReference === wanted)
  if (wanted !== null && items.length === 0) throw new Failure(`There is no settlement ${wanted}.`)

  const paid = new Set<string>()
  let wrong = 0
  for (const item of items) {
    const statement = given ?? (await gateway.statement(item.settlementReference))
    const faults = [
      ...listFaults(statement, item),
      ...sumFaults(statement),
      ...sealFaults(statement, key),
      ...chainFaults(statement, byNumber.get(statement.number - 1)?.hash),
      ...feedFaults(statement, feed, paid),
    ]
    if (faults.length > 0) wrong += 1
    say({ statement, faults }, json)
  }
  const unlisted =
    wanted === null
      ? [...feed.settlements.keys()].filter((name) => !listed.some((item) => item.settlementReference === name))
      : []
  for (const name of unlisted) printLine(`An event reports settlement ${name}, which is not in the list.`)
  if (wrong + unlisted.length > 0)
    throw new Failure(`${wrong + unlisted.length} of ${items.length} settlements could not be verified.`)
  if (!json)
    printNote(
      items.length === 0
        ? 'There are no settlements yet.'
        : `Verified ${items.length}: all amounts add up and the hash chain is complete.`,
    )
}

/** Whether the statement is the one that the list of settlements tells of. */
const listFaults = (statement: StatementOf, item: SettlementItem): string[] => [
  ...(statement.number === item.number ? [] : [`it is number ${item.number} in the list, not ${statement.number}`]),
  ...(statement.status === item.status ? [] : [`it is ${item.status}, not ${statement.status}`]),
  ...(statement.hash === item.hash ? [] : ['the list of settlements has a different hash for it']),
]

function say({ statement, faults }: Verdict, json: boolean): void {
  const { settlementReference, number, status, totals, destination } = statement
  if (json) {
    printLine(JSON.stringify({ settlementReference, number, status, amount: totals.net, faults }))
    return
  }
  const what = `${String(number).padStart(4)} ${settlementReference} NGN ${totals.net} to ${destination.accountNumber}, ${totals.lines} lines, ${status}`
  printLine(`${what}: ${faults.length === 0 ? 'verified' : 'NOT verified'}`)
  for (const fault of faults) printLine(wrap(`- ${fault}`, 5).join('\n'))
}
