// For the operator: from which ranges account numbers are given out, how many are left, and another range.
//   cowrie run numbers                         the ranges of each cell
//   cowrie run numbers add --cell 01 --from 100000000 --to 199999999 --purpose payment [--bank 50515]
// Reads CELLS, ENVIRONMENT and NUMBER_QUARANTINE_DAYS like the gateway (operator.ts). Exit codes: 0 done, 1
// refused, 2 wrong use.
import { parseArgs } from 'node:util'
import { readAll } from '../../apps/gateway/src/core/cells/cells.ts'
import { EVERY_BANK } from '../../apps/gateway/src/core/cells/numbers.ts'
import { addRange, numbersLeft } from '../../apps/gateway/src/core/cells/ranges.ts'
import type { Ctx } from '../../apps/gateway/src/kit/ctx.ts'
import { CannotStart } from '../../apps/gateway/src/kit/process.ts'
import { openForOperator, quarantineMsOf } from './operator.ts'

const USAGE = `Usage: cowrie run numbers [add] [options]

Ranges of virtual account numbers. Without "add" it lists the ranges of each cell and how many numbers of each are free. With "add":

  --cell <two digits>    the cell whose merchants get the numbers
  --from <nine digits>   the first serial: an account number without its check digit
  --to <nine digits>     the last serial
  --purpose <word>       payment: given again after a quarantine; reserved: given to one customer for ever
  --bank <code>          the bank that issues them; without it, every issuing bank

Two ranges never share a number, in any cell. Running processes use a new range within seconds; nothing needs a restart.
Needs CELLS and ENVIRONMENT, like the gateway. Exit codes: 0 done, 1 refused, 2 wrong usage.`

const OPTIONS = {
  cell: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  purpose: { type: 'string' },
  bank: { type: 'string', default: EVERY_BANK },
  help: { type: 'boolean', default: false },
} as const

class WrongUse extends Error {}

function read(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, strict: true, allowPositionals: true })
  } catch (error) {
    throw new WrongUse((error as Error).message)
  }
}
type Options = ReturnType<typeof read>['values']

const serialOf = (name: string, text: string | undefined): bigint => {
  if (!/^\d{9}$/.test(text ?? '')) throw new WrongUse(`--${name} must be nine digits.`)
  return BigInt(text ?? '')
}

async function add({ ctx }: { ctx: Ctx }, options: Options, print: (text: string) => void): Promise<void> {
  const purpose = { payment: 'PAYMENT', reserved: 'RESERVED' }[options.purpose ?? '']
  if (purpose !== 'PAYMENT' && purpose !== 'RESERVED') throw new WrongUse('--purpose must be payment or reserved.')
  const [first, last] = [serialOf('from', options.from), serialOf('to', options.to)]
  if (last < first) throw new WrongUse('--to must not be less than --from.')
  if (!/^\d\d$/.test(options.cell ?? '')) throw new WrongUse('--cell must be two digits.')
  if (purpose === 'RESERVED' && options.bank !== EVERY_BANK)
    throw new WrongUse('A reserved account has one serial at every bank: leave out --bank.')
  const range = {
    cell: options.cell ?? '',
    bank_code: options.bank,
    first_serial: first,
    last_serial: last,
    purpose,
  } as const
  await addRange(ctx.cells, range)
  print(`Added ${last - first + 1n} account numbers to cell ${options.cell}.`)
}

/** How many account numbers can be issued; a tenth and less is to be looked at. */
export const numbersLine = ({ purpose, bank_code, first_serial, last_serial, size, left }: Left): string =>
  `  ${left * 10n > size ? 'numbers ' : 'FEW     '}  ${purpose === 'PAYMENT' ? 'payments' : 'reserved accounts'}, ${first_serial} to ${last_serial} at ${
    bank_code === EVERY_BANK ? 'every bank' : `bank ${bank_code}`
  }: ${left.toLocaleString('en')} of ${size.toLocaleString('en')} account numbers are free`
type Left = Awaited<ReturnType<typeof numbersLeft>>[number]

/** Answers the exit code. */
export async function run(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
): Promise<0 | 1 | 2> {
  try {
    const { values, positionals } = read(words)
    const [command, ...more] = positionals
    if (more.length > 0 || (command !== undefined && command !== 'add'))
      throw new WrongUse(`Unknown: ${positionals.join(' ')}`)
    if (values.help) {
      print(USAGE)
      return 0
    }
    const gateway = await openForOperator(env)
    try {
      if (command === 'add') await add(gateway, values, print)
      for (const cell of gateway.ctx.cells.keys()) {
        print(`Cell ${cell}`)
        for (const range of await readAll(gateway.ctx, cell, (r) => numbersLeft(r, quarantineMsOf(env))))
          print(numbersLine(range))
      }
    } finally {
      await gateway.close()
    }
    return 0
  } catch (error) {
    if (!(error instanceof WrongUse || error instanceof CannotStart)) throw error
    print(error instanceof WrongUse ? `${error.message}\n\n${USAGE}` : error.message)
    return error instanceof WrongUse ? 2 : 1
  }
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2), process.env, (text) => console.log(text))
