// Account numbers for payers: from our own ranges at the first connector's bank, or from the stock of a bank
// that issues its own (docs/decisions/0092-numbers-of-banks.md). While the first bank does not answer, payers
// are given another's.

import { nuban } from '@cowrie/contract/bank/nuban'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import type { Connector, Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { cellById, commitOne, firstCell, readAll } from '../cells/cells.ts'
import { inOrder } from './order.ts'
import { connectorNumber } from './routing.ts'
import * as sql from './stock.sql.ts'

/** How many a process takes at once; one that ends loses what it had until their quarantine is over. */
const BLOCK = 20
/** A payer has to have so long to pay to a number that runs out. */
export const VALID_MS = DAY_MS

export type Offered = { readonly connector: number; readonly bankCode: string; readonly numbers: readonly string[] }

/** What this process took and has not offered yet, by cell and connector. */
const free = new WeakMap<object, Map<number, sql.BankNumber[]>>()

function freeOf(ctx: Ctx, cell: CellId, connector: number): sql.BankNumber[] {
  const key = cellById(ctx, cell)
  const all = free.get(key) ?? new Map<number, sql.BankNumber[]>()
  free.set(key, all)
  const list = all.get(connector) ?? []
  all.set(connector, list)
  return list
}

/** What this process took it may have for hours, and the bank may have withdrawn it meanwhile. */
async function dropWithdrawn(ctx: Ctx, cell: CellId, list: sql.BankNumber[]): Promise<void> {
  if (list.length === 0) return
  const gone = new Set((await readAll(ctx, cell, (r) => sql.withdrawn(r, list))).map((one) => one.account_number))
  if (gone.size > 0) list.splice(0, list.length, ...list.filter((one) => !gone.has(one.account_number)))
}

/** Those that no payment got after all: the next one is offered them. */
export function giveBack(ctx: Ctx, cell: CellId, { connector, bankCode }: Offered, unused: readonly string[]): void {
  if (connector === FIRST_CONNECTOR_ID && !ctx.connectors.all[0].issues()) return
  const list = freeOf(ctx, cell, connector)
  list.unshift(...unused.map((accountNumber) => ({ account_number: accountNumber, bank_code: bankCode })))
}

/** Numbers of one bank, or null when its stock has too few. */
async function fromStock(ctx: Ctx, cell: CellId, connector: number, count: number): Promise<Offered | null> {
  const list = freeOf(ctx, cell, connector)
  await dropWithdrawn(ctx, cell, list)
  if (list.length < count) {
    const now = ctx.clock.now().getTime()
    const until = { validUntil: new Date(now + VALID_MS), closedBefore: new Date(now - ctx.quarantineMs) }
    list.push(
      ...(await commitOne(ctx, cell, (t) => sql.take(t, connector, { count: Math.max(BLOCK, count), ...until }))),
    )
  }
  const bankCode = list[0]?.bank_code
  if (bankCode === undefined) return null
  const numbers = list.filter((one) => one.bank_code === bankCode).slice(0, count)
  if (numbers.length < count) return null
  const taken = new Set(numbers)
  list.splice(0, list.length, ...list.filter((one) => !taken.has(one)))
  return { connector, bankCode, numbers: numbers.map((one) => one.account_number) }
}

async function fromRange(ctx: Ctx, cell: CellId, count: number): Promise<Offered> {
  const [bankCode] = ctx.institution.issuingBanks
  const serials = await cellById(ctx, cell).takeAccountSerials(count)
  return { connector: FIRST_CONNECTOR_ID, bankCode, numbers: serials.map((serial) => nuban(bankCode, serial)) }
}

/** So many numbers that may be given to payers now, all of one bank: of the first connector in order that
 *  answers and has them. */
export async function offerNumbers(ctx: Ctx, cell: CellId, count: number): Promise<Offered> {
  const { all } = ctx.connectors
  await all[0].ready()
  const offered = await offerOnce(ctx, cell, count)
  if (offered !== null) return offered
  // One that was away when this process started has not said yet that it issues numbers.
  await Promise.all(all.map((one) => one.learn()))
  return (await offerOnce(ctx, cell, count)) ?? fail('UNAVAILABLE', {}, 'no bank has an account number left')
}

async function offerOnce(ctx: Ctx, cell: CellId, count: number): Promise<Offered | null> {
  const [first] = ctx.connectors.all
  const issuing = (await inOrder(ctx, cell, 'numbers')).filter((one) => one === first || one.issues())
  const answering = (one: Connector): boolean => one.answers()
  for (const one of [...issuing.filter(answering), ...issuing.filter((each) => !answering(each))]) {
    if (one === first && !first.issues()) {
      // A bank that reports no credits has no numbers of ours.
      if (first.can('credits')) return fromRange(ctx, cell, count)
      continue
    }
    const connector = await connectorNumber(ctx, cell, one.name)
    const offered = connector === null ? null : await fromStock(ctx, cell, connector, count)
    if (offered !== null) return offered
  }
  return null
}

/** Whether a bank issued the numbers of a connector: it shows a payer one name for all of them. */
export const isIssued = (ctx: Ctx, connector: number | null): boolean =>
  connector !== FIRST_CONNECTOR_ID || ctx.connectors.all[0].issues()

// ---- whose a number is

type Account = { readonly accountNumber: string; readonly bankCode: string }
const keyOf = ({ accountNumber, bankCode }: Account): string => `${bankCode}/${accountNumber}`

/** Which cell each number of a bank was given to; none for those that were given to none. */
export async function cellsOfNumbers(ctx: Ctx, accounts: readonly Account[]): Promise<(CellId | null)[]> {
  if (ctx.cells.size === 1) return accounts.map(() => firstCell(ctx))
  const asked = accounts.map((one) => ({ account_number: one.accountNumber, bank_code: one.bankCode }))
  const cells = new Map<string, CellId>()
  for (const cell of ctx.cells.keys())
    for (const { account_number: accountNumber, bank_code: bankCode } of await readAll(ctx, cell, (r) =>
      sql.here(r, asked),
    ))
      cells.set(keyOf({ accountNumber, bankCode }), cell)
  return accounts.map((one) => cells.get(keyOf(one)) ?? null)
}
