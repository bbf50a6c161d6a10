// The version of this command, which is that of everything it came with.
import { readFileSync } from 'node:fs'

const read = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version?: string }
export const VERSION = read.version ?? 'unknown'
