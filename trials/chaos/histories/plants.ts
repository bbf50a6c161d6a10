// Faults to plant: each breaks one rule in the gateway's code, and histories must find it. A plant is one
// change of one file, made while the file is loaded; the file itself stays.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Plant = {
  /** The rule that it breaks. */
  readonly rule: string
  readonly file: string
  /** Text that the file has once. */
  readonly from: string
  readonly to: string
}
const ROOT = join(import.meta.dirname, '../../..')
const FEATURES = 'apps/gateway/src/features/'

export const PLANTS: Readonly<Record<string, Plant>> = {
  hidden: {
    rule: 'a break at one bank hides no line of another',
    file: `${FEATURES}bank/breaks/breaks.sql.ts`,
    from: 'and b.connector = ',
    to: 'and b.connector is not null or false and b.connector = ',
  },
  amount: {
    rule: 'a line with another amount is a break, also when it comes late',
    file: `${FEATURES}settlements/reconciliation/reconciliation.ts`,
    from: 'match.listNotHere(r, of))) found.push(',
    to: 'match.listNotHere(r, of))) if (!line.booked) found.push(',
  },
  twice: {
    rule: 'a line that the bank has twice is a break',
    file: `${FEATURES}settlements/reconciliation/reconciliation.ts`,
    from: "    found.push(ofNobody(line, 'DUPLICATE'",
    to: "    if (line.session_id === '') found.push(ofNobody(line, 'DUPLICATE'",
  },
  accepted: {
    rule: 'held money that was accepted and is recalled is owed by whoever got it',
    file: `${FEATURES}collections/credits/reversals.ts`,
    from: 'const given = await reverseReassigned(',
    to: "const given = item.status === 'REASSIGNED' ? null : await reverseReassigned(",
  },
  claim: {
    rule: 'whoever was credited and should not have been answers for it',
    file: `${FEATURES}settlements/corrections/corrections.ts`,
    from: 'FROM_MERCHANT: ({ credited }) => credited !== null,',
    to: "FROM_MERCHANT: ({ credited, row }) => credited !== null && row.kind === 'REVERSAL',",
  },
  owed: {
    rule: 'what a wallet cannot give back is owed',
    file: `${FEATURES}wallets/receivables/receivables.ts`,
    from: '  const short = kobo - before\n  if (short > 0n) {',
    to: "  const short = kobo - before\n  if (short > 0n) fail('INSUFFICIENT_FUNDS')\n  if (short > 0n) {",
  },
  cover: {
    rule: 'what was settled and is recalled is owed',
    file: `${FEATURES}wallets/receivables/receivables.ts`,
    from: 'if (short.length === 0) return',
    to: 'if (short.length >= 0) return',
  },
  lost: {
    rule: 'who paid in time has paid, whoever lost the notice',
    file: `${FEATURES}collections/credits/credits.ts`,
    from: 'if (!bookedAt) return row',
    to: 'if (!bookedAt || bookedAt) return row',
  },
  swallowed: {
    rule: 'a word that contradicts what was done is a break at once',
    file: `${FEATURES}bank/breaks/breaks.ts`,
    from: 'const paidHere = ours ===',
    to: "const paidHere = said === 'SUCCESS' && ours ===",
  },
}

export const planted = ({ file, from, to }: Plant): string => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  if (text.split(from).length !== 2) throw new Error(`the plant does not fit ${file}: it must have once ${from}`)
  return text.replace(from, () => to)
}

export function plantIn(name: string): void {
  const plant = PLANTS[name]
  if (!plant) throw new Error(`no plant ${name}`)
  const [url, source] = [pathToFileURL(join(ROOT, plant.file)).href, planted(plant)]
  registerHooks({
    load: (asked, context, next) =>
      asked === url ? { ...next(asked, context), source, shortCircuit: true } : next(asked, context),
  })
}
