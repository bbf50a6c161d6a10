// Writes the files that are computed from the contract, the migrations and the tree, and committed, so that a
// review sees what a change does to them.
//   node tools/generate.ts           writes them
//   node tools/generate.ts --check   writes nothing; names the stale ones and exits with 1
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openapi } from '@cowrie/contract/reference/openapi'
import { administrationPage } from './docs/administration.ts'
import { decisionsPage } from './docs/decisions.ts'
import { featuresTables, withParts } from './docs/features.ts'
import { layerGraph, layersPicture } from './docs/layers.ts'
import { leadsPage } from './docs/leads.ts'
import { metricsPage } from './docs/metrics.ts'
import { RECORDING, recordingPicture } from './docs/recording.ts'
import { bankConnectorPage, errorsPage, eventsPage, statesPage } from './docs/reference.ts'
import { statusPage } from './docs/status.ts'
import { inPageModule } from './in-page.ts'
import { isFresh, makeSchema, SCHEMA_FILES, type SchemaFile, type SchemaTexts } from './schema/schema.ts'
import { clientSources } from './sdk/clients/clients.ts'
import { sdkSources } from './sdk/source.ts'
import { vectorFiles } from './sdk/vectors.ts'
import { filled, SAMPLES } from './site/fences.ts'
import { readTree } from './tidy/scan.ts'

const ROOT = join(import.meta.dirname, '..')
const GUIDES = 'docs/guides'
const BANKS_DATA = 'packages/contract/data/banks.tsv'

const BANKS_HEAD = `// Generated from data/banks.tsv by \`npm run generate\`; do not edit. The banks of Nigeria with their codes and USSD patterns.

export type Bank = {
  readonly code: string
  readonly name: string
  readonly nipBankCode: string | null
  /** \`Amount\` and \`AccountNumber\` are to be replaced. */
  readonly ussdTemplate: string | null
  readonly baseUssdCode: string | null
  readonly transferUssdTemplate: string | null
  /** Why this bank does not exist any more; records of before still name it. */
  readonly closed: string | null
}

const row = (
  code: string,
  name: string,
  nipBankCode: string | null,
  ussdTemplate: string | null = null,
  baseUssdCode: string | null = null,
  transferUssdTemplate: string | null = null,
  closed: string | null = null,
): Bank => ({ code, name, nipBankCode, ussdTemplate, baseUssdCode, transferUssdTemplate, closed })

export const BANKS: readonly Bank[] = [
`
const BANKS_TAIL = `]

const byCode = new Map(BANKS.map((bank) => [bank.code, bank]))
export const findBank = (code: string): Bank | undefined => byCode.get(code)

/** Those that can be chosen today. */
export const OPEN_BANKS: readonly Bank[] = BANKS.filter(({ closed }) => closed === null)
export const isOpenBank = (code: string): boolean => byCode.get(code)?.closed === null
`

const literal = (value: string): string => (value === '' ? 'null' : `'${value.replace(/['\\]/g, '\\$&')}'`)

/** One bank per line; empty cells at the end are left to the defaults, which keeps the lines short. */
function bankRow(line: string): string {
  const [code = '', name = '', nipBankCode = '', ...more] = line.split('\t')
  const lastFilled = more.findLastIndex((value) => value !== '')
  return `  row(${[code, name, nipBankCode, ...more.slice(0, lastFilled + 1)].map(literal).join(', ')}),\n`
}

function banksSource(table: string): string {
  const [, ...lines] = table.split('\n').filter((line) => line !== '')
  return BANKS_HEAD + lines.map(bankRow).join('') + BANKS_TAIL
}

/** The guides, with the code of the programs that they show. */
const guides = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(ROOT, GUIDES), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => {
        const path = `${GUIDES}/${name}`
        return [path, filled(committed(path) ?? '', (file) => readFileSync(join(ROOT, SAMPLES, file), 'utf8'))]
      }),
  )

/** Every generated file but those of the schema, which take a database, by its path from the root of the
 *  repository. */
export function generated(): Readonly<Record<string, string>> {
  const document = openapi({ apiUrl: 'http://127.0.0.1:4000', sandbox: true })
  const tree = readTree(ROOT)
  const parts = { layers: layersPicture(layerGraph(tree)), features: featuresTables(tree) }
  return {
    'ARCHITECTURE.md': withParts(committed('ARCHITECTURE.md') ?? '', parts),
    'docs/decisions/README.md': decisionsPage(),
    'docs/reference/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'docs/reference/states.md': statesPage(),
    'docs/reference/destinations.md': leadsPage(),
    'docs/reference/errors.md': errorsPage(),
    'docs/reference/events.md': eventsPage(),
    'docs/reference/administration.md': administrationPage(),
    'docs/reference/bank-connector.md': bankConnectorPage(),
    'docs/operate/metrics.md': metricsPage(),
    'docs/recording.svg': recordingPicture(committed(RECORDING) ?? ''),
    'docs/status.md': statusPage(),
    'packages/contract/src/bank/banks.ts': banksSource(readFileSync(join(ROOT, BANKS_DATA), 'utf8')),
    'apps/checkout/src/in-page.ts': inPageModule(ROOT),
    ...sdkSources(),
    ...clientSources(),
    ...vectorFiles(),
    ...guides(),
  }
}

function committed(path: string): string | null {
  try {
    return readFileSync(join(ROOT, path), 'utf8')
  } catch {
    return null
  }
}

/** The paths whose committed content is not what its source gives today. */
export function stale(): readonly string[] {
  const others = Object.entries(generated()).filter(([path, content]) => committed(path) !== content)
  const ofSchema = Object.keys(SCHEMA_FILES) as SchemaFile[]
  return [...others.map(([path]) => path), ...ofSchema.filter((path) => !isFresh(path, committed(path) ?? ''))]
}

async function main(check: boolean): Promise<void> {
  const paths = stale()
  if (check) {
    for (const path of paths) console.error(`stale: ${path} (run \`npm run generate\`)`)
    process.exitCode = paths.length > 0 ? 1 : 0
    return
  }
  const schema: Partial<SchemaTexts> = paths.some((path) => path in SCHEMA_FILES) ? await makeSchema() : {}
  const files: Readonly<Record<string, string>> = { ...generated(), ...schema }
  for (const path of paths) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), files[path] ?? '')
    console.log(`wrote ${path}`)
  }
}

if (import.meta.main) await main(process.argv.includes('--check'))
