// The version of this program, as its package says.
import { readFileSync } from 'node:fs'

const read: { version?: string } = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
)
export const PROGRAM_VERSION = read.version ?? 'unknown'
