// Mutants that nobody thought of: every place of some files where a small change gives another program. By
// text, with what is no code left out: comments, strings, types and imports.
import { mulberry32 } from '../chaos/kit/random.ts'
import type { Mutant } from './old.ts'

const SRC = 'apps/gateway/src/'
const FEATURES = `${SRC}features/`
/** What is changed, and the tests that should see it. */
export const TARGETS: readonly { readonly files: readonly string[]; readonly tests: readonly string[] }[] = [
  {
    files: ['ledger.ts', 'move.ts', 'chart.ts', 'settlement-chains.ts'].map((file) => `${SRC}core/ledger/${file}`),
    tests: [`${SRC}core/ledger`, `${FEATURES}settlements/settlements`, `${FEATURES}wallets/receivables`],
  },
  {
    files: [
      'settlements.ts',
      'collecting.ts',
      'paying.ts',
      'destinations.ts',
      'lines/calendar.ts',
      'lines/lines.ts',
    ].map((file) => `${FEATURES}settlements/settlements/${file}`),
    tests: [`${FEATURES}settlements/settlements`, `${FEATURES}wallets/receivables`],
  },
  {
    files: ['reconciliation.ts', 'balance.ts', 'difference.ts', 'cover.ts', 'names.ts', 'reading.ts'].map(
      (file) => `${FEATURES}settlements/reconciliation/${file}`,
    ),
    tests: [`${FEATURES}settlements/reconciliation`, `${FEATURES}settlements/corrections`],
  },
  {
    files: [`${FEATURES}wallets/receivables/receivables.ts`, `${FEATURES}wallets/receivables/gate.ts`],
    tests: [`${FEATURES}wallets/receivables`, `${FEATURES}collections/credits`],
  },
  {
    files: [`${FEATURES}settlements/fees/fees.ts`, `${SRC}core/access/fees.ts`],
    tests: [`${FEATURES}settlements/fees`, `${FEATURES}collections/credits/part-fees.test.ts`],
  },
]

type Operator = { readonly name: string; readonly finds: RegExp; readonly to: (found: string) => string }
const swap =
  (pairs: Readonly<Record<string, string>>) =>
  (found: string): string =>
    pairs[found] ?? found
/** A space on both sides: what has none is a type or part of a word. */
const OPERATORS: readonly Operator[] = [
  { name: 'a bound', finds: /(?<= )(<=|>=|<|>)(?= [\w(-])/g, to: swap({ '<': '<=', '<=': '<', '>': '>=', '>=': '>' }) },
  { name: 'a comparison', finds: /(?<= )(===|!==)(?= )/g, to: swap({ '===': '!==', '!==': '===' }) },
  { name: 'a sum', finds: /(?<=[\w)\]] )[+-](?= [\w(])/g, to: swap({ '+': '-', '-': '+' }) },
  { name: 'a sign', finds: /(?<=[:(,] )-(?=[a-zA-Z(])/g, to: () => '' },
  { name: 'a condition', finds: /(?<= )(&&|\|\|)(?= )/g, to: swap({ '&&': '||', '||': '&&' }) },
  { name: 'a constant', finds: /(?<![\w.])(0n|1n)(?!\w)/g, to: swap({ '0n': '1n', '1n': '0n' }) },
  { name: 'a boolean', finds: /(?<=(return|=|:|\?) )(true|false)\b/g, to: swap({ true: 'false', false: 'true' }) },
  {
    name: 'a call is left out',
    finds: /(?<=^ {2,})await [\w.]+\((?:[^()\n]|\([^()\n]*\))*\)(?=$)/gm,
    to: () => 'await undefined',
  },
  {
    name: 'a way out is left out',
    finds: /(?<=^ {2,})if \((?:[^()\n]|\([^()\n]*\))*\) return(?=\s|$)/gm,
    to: (found) => found.replace(/^if \(.*\) return$/, 'if (false as boolean) return'),
  },
]

/** The same text with blanks where there is no code. */
function onlyCode(text: string): string {
  const blank = (found: string): string => found.replaceAll(/[^\n]/g, '·')
  return text
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, blank)
    .replaceAll(/^import[\s\S]*?from .*$/gm, blank)
    .replaceAll(/^export \{[\s\S]*?\} from .*$/gm, blank)
    .replaceAll(/^(export )?type [\s\S]*?(?=^\S|^$)/gm, (found) =>
      found.includes('=>') || found.includes('{') ? blank(found) : found,
    )
    .replaceAll(/'[^'\n]*'/g, blank)
    .replaceAll(/`[^`]*`/g, blank)
}

/** A place in a file and what stands there instead. */
export type Change = Omit<Mutant, 'from' | 'to'> & {
  readonly at: number
  readonly from: string
  readonly to: string
  readonly line: number
}

export function changesOf(file: string, text: string, tests: readonly string[]): Change[] {
  const code = onlyCode(text)
  return OPERATORS.flatMap(({ name, finds, to }) =>
    [...code.matchAll(finds)].flatMap((match): Change[] => {
      const from = text.slice(match.index, match.index + match[0].length)
      const instead = to(from)
      const line = text.slice(0, match.index).split('\n').length
      return instead === from ? [] : [{ name, file, tests, at: match.index, from, to: instead, line }]
    }),
  ).toSorted((a, b) => a.at - b.at)
}

/** So many of them, no two alike, the same for the same seed. */
export function chosen<T>(all: readonly T[], count: number, seed: number): T[] {
  const [random, left] = [mulberry32(seed), [...all]]
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0] as T,
  )
}
