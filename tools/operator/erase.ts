// For the operator: what is stored of a payer, and erasing it. The books keep their rows
// (docs/decisions/0031-personal-data.md).
//   cowrie run erase --merchant <code> --email <address>               how many rows of which table hold data
//     of the person
//   cowrie run erase --merchant <code> --email <address> --yes         erases it
//   cowrie run erase --merchant <code> --transaction <reference>       the same for one payment
// Reads CELLS and ENVIRONMENT like the gateway (operator.ts). Exit codes: 0 done, 1 refused, 2 wrong use.
import { parseArgs } from 'node:util'
import { FEATURES } from '../../apps/gateway/src/feature-list.ts'
import { erase, findMerchant, look, type Scope } from '../../apps/gateway/src/features/screens/persons/persons.ts'
import type { Ctx } from '../../apps/gateway/src/kit/ctx.ts'
import { type Env, openForOperator, type Print, runCommand, WrongUse, withGateway } from './operator.ts'

const USAGE = `Usage: cowrie run erase [options]

Finds and erases personal data of a payer: --merchant and --email, or --merchant and --transaction.

  --merchant <code>           a contract code or the API key of the merchant whose customer the person is
  --email <address>           everything that this merchant's rows hold of the person with this address, in any case
  --transaction <reference>   in place of an address: one payment, for a payer without an address of their own
  --yes                       erases; without it, only counts

Erased is for ever: names, addresses, phone numbers, stored cards, texts of merchants about the payment. Amounts, states, references and
account numbers stay, because books, refunds and the law need them. It is refused while a payment, refund, mandate or reserved account of
the person is open. Backups, detached months and exported months are not touched.
Needs CELLS and ENVIRONMENT, like the gateway. Exit codes: 0 done, 1 refused, 2 wrong usage.`

const OPTIONS = {
  merchant: { type: 'string' },
  email: { type: 'string' },
  transaction: { type: 'string' },
  yes: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const read = (words: readonly string[]) => parseArgs({ args: [...words], options: OPTIONS, strict: true }).values
type Options = ReturnType<typeof read>

function scopeOf({ merchant, email, transaction }: Options): Omit<Scope, 'merchantId'> & { readonly code: string } {
  if (merchant === undefined) throw new WrongUse('--merchant is missing.')
  if ((email === undefined) === (transaction === undefined)) throw new WrongUse('Give --email or --transaction.')
  if (email !== undefined && !/^\S+@\S+$/.test(email)) throw new WrongUse('--email must be an address.')
  return { code: merchant, email: email ?? null, reference: transaction ?? null }
}

function show(counts: Readonly<Record<string, number>>, print: Print): void {
  const found = Object.entries(counts).filter(([, rows]) => rows > 0)
  for (const [table, rows] of found.toSorted(([a], [b]) => a.localeCompare(b)))
    print(`  ${String(rows).padStart(6)}  ${table}`)
  if (found.length === 0) print('  nothing')
}

async function answer(ctx: Ctx, options: Options, print: Print): Promise<0 | 1> {
  const { code, ...person } = scopeOf(options)
  const merchant = await findMerchant(ctx, code)
  if (!merchant) {
    print(`No merchant has the contract code or API key ${code}.`)
    return 1
  }
  const scope: Scope = { merchantId: merchant.id, ...person }
  const done = options.yes
    ? { erasedBefore: [], ...(await erase({ ctx, features: FEATURES }, merchant.cell, scope)) }
    : await look({ ctx, features: FEATURES }, merchant.cell, scope)
  if (options.yes && done.open.length > 0) {
    print('Refused:')
    for (const says of done.open) print(`  ${says}`)
    return 1
  }
  print(`${options.yes ? 'Erased' : 'Found'} for ${merchant.name}, rows by table:`)
  show(done.counts, print)
  for (const at of done.erasedBefore) print(`Data of this person was erased at ${at.toISOString()}.`)
  for (const says of done.open) print(`Erasing would be refused: ${says}`)
  if (!options.yes) print('Nothing was erased. Erase it with --yes.')
  return 0
}

/** Answers the exit code. */
export const run = (words: readonly string[], env: Env, print: Print): Promise<0 | 1 | 2> =>
  runCommand(USAGE, print, async () => {
    const options = read(words)
    if (options.help) {
      print(USAGE)
      return 0
    }
    scopeOf(options)
    return withGateway(openForOperator(env), ({ ctx }) => answer(ctx, options, print))
  })

if (import.meta.main) process.exitCode = await run(process.argv.slice(2), process.env, (text) => console.log(text))
