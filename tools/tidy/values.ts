// Values that are written once, and what a fault of ours says.
import { at, CONTRACT, isGateway, isShipped, type Rule, SDK, sources } from './files.ts'
import type { SourceFile } from './scan.ts'

/** The SDK imports nothing, and says what it needs itself. */
const mayImport = ({ path }: SourceFile): boolean => !path.startsWith(SDK) && !path.startsWith('clients/')

const DURATIONS = `${CONTRACT}src/kit/durations.ts`
const CONSTANT = /^(export )?const ([A-Z][A-Z0-9_]+)(?:: [^=\n]+)? = (.+)$/gm
/** A number or a text, whole on its line. */
const LITERAL = /^(?:[\d.n\s*+]+|'[^']*')$/
const plain = (value: string): string =>
  value
    .replaceAll('_', '')
    .replace(/\s*\/\/.*$/, '')
    .trim()
const constantsOf = (file: SourceFile) =>
  [...file.text.matchAll(CONSTANT)].map((hit) => ({
    at: hit.index,
    exported: hit[1] !== undefined,
    name: hit[2] ?? '',
    value: plain(hit[3] ?? ''),
  }))

/** A promise of the contract is imported: typed again, it stays behind when the promise changes. Names of
 *  durations belong to the contract alone. */
export const retyped: Rule = (tree) => {
  const promises = sources(tree)
    .filter(({ path }) => path.startsWith(`${CONTRACT}src/`))
    .flatMap((file) => constantsOf(file).flatMap((one) => (one.exported ? [{ ...one, path: file.path }] : [])))
  const byName = Map.groupBy(promises, ({ name }) => name)
  return sources(tree)
    .filter(mayImport)
    .flatMap((file) =>
      constantsOf(file).flatMap(({ at: index, name, value }) => {
        const same = byName
          .get(name)
          ?.find(
            (one) => one.path !== file.path && (one.path === DURATIONS || (LITERAL.test(value) && one.value === value)),
          )
        const what = `${name} is declared again; import it from ${same?.path}`
        return same && file.path !== DURATIONS ? [at(file, index, 'retyped', what)] : []
      }),
    )
}

/** Faults of which nothing more can be said. */
const NAMELESS: Readonly<Record<string, string>> = {
  'apps/gateway/src/kit/http/answers.ts': 'any error that nobody expected; it is logged whole',
  'apps/gateway/src/core/acts/approved.ts': 'knows the approval that is missing, and nothing else',
  'apps/gateway/src/features/access/approvals/approvals.feature.ts': 'is never called',
  'apps/gateway/src/features/access/people/team.ts': 'there is nobody yet',
  'apps/gateway/src/features/collections/transactions/transactions.ts': 'knows only that it came late',
  'apps/gateway/src/features/payouts/paycodes/redemption.ts': 'a process without a cell',
}
const FAULT = /\b(?:fail|Failure)\(\s*'INTERNAL'(\s*,\s*\{\s*\}\s*,\s*`[^`]*\$\{)?/g
/** The operator who reads of a fault looks for the object, so its id stands in the text. */
export const nameless: Rule = (tree) =>
  tree
    .filter(({ path }) => isGateway(path) && isShipped(path) && !(path in NAMELESS))
    .flatMap((file) =>
      [...file.text.matchAll(FAULT)].flatMap((hit) =>
        hit[1] === undefined
          ? [at(file, hit.index, 'nameless', 'an INTERNAL fault names what it is about by its id')]
          : [],
      ),
    )

const PART_OF_SPEECH =
  /^export (?:async )?(?:const|function) (shown|asked|given|said|says|found|known|of|one|[A-Za-z0-9]*[a-z0-9]Of)\b/gm
/** In mass, `xOf` makes everything sound alike; types that take another apart (`ReplyOf`) are TypeScript's
 *  way. */
export const names: Rule = (tree) =>
  sources(tree)
    .filter(({ path }) => isShipped(path) && (isGateway(path) || path.startsWith(CONTRACT)))
    .flatMap((file) =>
      [...file.text.matchAll(PART_OF_SPEECH)].map((hit) =>
        at(file, hit.index, 'names', `${hit[1]} is no name for others; say what it does: findX, toX, presentX, listX`),
      ),
    )
