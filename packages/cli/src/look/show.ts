// `cowrie show <anything>`: whatever one has, a reference, a number, an address, an id, leads to the thing.
import { thingLines } from '../admin/table.ts'
import { Failure } from '../failure.ts'
import type { EventRecord, Gateway } from '../gateway.ts'
import { bold, printLine, recordLines } from '../words.ts'
import { findAll } from './lookups.ts'

const isEvent = (record: object): record is EventRecord => 'eventId' in record && 'deliveries' in record

function linesOf(kind: string, record: object): string {
  if (isEvent(record)) return recordLines(record)
  const shown = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== ''))
  return [bold(kind[0]?.toUpperCase() + kind.slice(1)), ...thingLines(shown)].join('\n')
}

export async function showAnything(gateway: Gateway, text: string, json: boolean): Promise<void> {
  const found = await findAll(gateway, text.trim())
  if (found.length === 0)
    throw new Failure(
      `Nothing of yours is called ${text}. A reference has to be whole, and in quotes where it has a |; also tried were ` +
        'account numbers of wallets, e-mail addresses of customers, event numbers and request ids.',
    )
  if (json) return printLine(JSON.stringify(found))
  printLine(found.map(({ kind, record }) => linesOf(kind, record)).join('\n\n'))
  const payment = found.find(({ kind }) => kind === 'payment')?.record as { transactionReference?: string } | undefined
  if (payment?.transactionReference) printLine(`\nIts story: cowrie explain '${payment.transactionReference}'`)
}
