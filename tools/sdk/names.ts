// What the contract calls its schemas: `export const StatusRecord = Type.Object(…)` is `StatusRecord` in the SDK, wherever a route or an
// event has that shape.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonSchema } from '../../packages/contract/src/kit/fields.ts'

const CONTRACT = join(import.meta.dirname, '..', '..', 'packages', 'contract', 'src')
const FOLDERS = ['access', 'collections', 'customers', 'events', 'payouts', 'settlements', 'vas']

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isObjectSchema = (value: unknown): value is JsonSchema =>
  isSchema(value) && value['type'] === 'object' && isSchema(value['properties'])

/** The same shape has the same key, whatever is said of it where it is used. */
export const shapeOf = ({ description: _description, ...schema }: JsonSchema): string =>
  JSON.stringify(schema, (key, value: unknown) => (key.startsWith('~') ? undefined : value))

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(CONTRACT, folder))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .toSorted()
    .map((file) => join(CONTRACT, folder, file)),
)
const modules: readonly Record<string, unknown>[] = await Promise.all(files.map((file) => import(file)))

/** Names by shape; the first file that exports a shape names it. */
export const NAMES: ReadonlyMap<string, string> = new Map(
  modules
    .flatMap((module) => Object.entries(module))
    .filter(([name, value]) => /^[A-Z][a-z]/.test(name) && isObjectSchema(value))
    .map(([name, value]) => [shapeOf(value as JsonSchema), name] as const)
    .toReversed(),
)
