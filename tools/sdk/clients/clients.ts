// The generated part of the clients in other languages; the rest of them is written by hand.
import { phpSource } from './php.ts'
import { pythonSource } from './python.ts'

/** By path from the root of the repository. */
export const clientSources = (): Readonly<Record<string, string>> => ({
  'clients/php/generated/operations.php': phpSource(),
  'clients/python/cowrie_client/_generated.py': pythonSource(),
})
