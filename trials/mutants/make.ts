// Mutants that nobody thought of: every place of some files where a small change gives another program. By
// text, with what is no code left out: comments, strings, types and imports.
import { mulberry32 } from '../chaos/kit/random.ts'

const SRC = 'apps/gateway/src/'
const FEATURES = `${SRC}features/`
const [SETTLEMENTS, RECONCILIATION] = [`${FEATURES}settlements/settlements`, `${FEATURES}settlements/reconciliation`]
const CREDITS = `${FEATURES}collections/credits`
/** What is changed, and the tests that should see it, the nearest first. */
export const TARGETS: readonly { readonly files: readonly string[]; readonly tests: readonly string[] }[] = [
  {
    files: ['ledger.ts', 'move.ts', 'chart.ts', 'settlement-chains.ts'].map((file) => `${SRC}core/ledger/${file}`),
    tests: [
      `${SRC}core/ledger`,
      `${FEATURES}wallets/receivables`,
      `${SETTLEMENTS}/settlements.test.ts`,
      `${FEATURES}payouts/disbursements/disbursements.test.ts`,
      `${CREDITS}/credits.test.ts`,
    ],
  },
  {
    files: [
      'settlements.ts',
      'collecting.ts',
      'paying.ts',
      'destinations.ts',
      'lines/calendar.ts',
      'lines/lines.ts',
    ].map((file) => `${SETTLEMENTS}/${file}`),
    tests: [
      `${SETTLEMENTS}/destinations.test.ts`,
      `${SETTLEMENTS}/settlements.test.ts`,
      `${FEATURES}wallets/receivables/receivables.test.ts`,
      `${FEATURES}collections/sub-accounts/banks.test.ts`,
      SETTLEMENTS,
      `${FEATURES}wallets/receivables`,
    ],
  },
  {
    files: ['reconciliation.ts', 'balance.ts', 'cover.ts', 'names.ts', 'reading.ts'].map(
      (file) => `${RECONCILIATION}/${file}`,
    ),
    tests: [
      `${RECONCILIATION}/reconciliation.test.ts`,
      `${RECONCILIATION}/connectors.test.ts`,
      RECONCILIATION,
      `${FEATURES}settlements/corrections`,
    ],
  },
  {
    files: [`${RECONCILIATION}/difference.ts`],
    tests: [`${FEATURES}settlements/corrections`, RECONCILIATION],
  },
  {
    files: [`${FEATURES}wallets/receivables/receivables.ts`, `${FEATURES}wallets/receivables/gate.ts`],
    tests: [
      `${FEATURES}wallets/receivables`,
      `${FEATURES}settlements/corrections`,
      `${CREDITS}/reversals.test.ts`,
      `${CREDITS}/top-ups.test.ts`,
      `${CREDITS}/recalled.test.ts`,
      `${FEATURES}collections/customer-wallets/customer-wallets.test.ts`,
    ],
  },
  {
    files: [`${FEATURES}settlements/fees/fees.ts`, `${SRC}core/access/fees.ts`],
    tests: [`${SRC}core/access/fees.test.ts`, `${FEATURES}settlements/fees`, `${CREDITS}/part-fees.test.ts`],
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
export type Change = {
  readonly file: string
  readonly tests: readonly string[]
  readonly at: number
  readonly from: string
  readonly to: string
  readonly line: number
  /** What is changed, and how, within its line: it stays the same when the line moves. */
  readonly says: string
}

export function changesOf(file: string, text: string, tests: readonly string[]): Change[] {
  const code = onlyCode(text)
  return OPERATORS.flatMap(({ name, finds, to }) =>
    [...code.matchAll(finds)].flatMap((match): Change[] => {
      const [at, end] = [match.index, match.index + match[0].length]
      const from = text.slice(at, end)
      const instead = to(from)
      const before = text.slice(0, at).split('\n')
      const [rest = ''] = text.slice(end).split('\n')
      const says = `${name}: ${before.at(-1)?.trimStart()}[${from} → ${instead}]${rest}`
      return instead === from ? [] : [{ file, tests, at, from, to: instead, line: before.length, says }]
    }),
  ).toSorted((a, b) => a.at - b.at)
}

/** So many of them, no two alike, the same for the same seed: of each list one in turn, so that a small file
 *  is asked like a large one. */
export function spread<T>(lists: readonly (readonly T[])[], count: number, seed: number): T[] {
  const random = mulberry32(seed)
  const left = lists.map((list) => [...list])
  const taken: T[] = []
  while (taken.length < count && left.some((list) => list.length > 0))
    for (const list of left)
      if (list.length > 0 && taken.length < count) taken.push(...list.splice(Math.floor(random() * list.length), 1))
  return taken
}
