// Wrapped keys, opened at the start by their custodians and kept open in memory: whoever has a share is
// needed to begin and to take a new version, and not for the payments between. What was opened is opened
// again now and then, so that a custodian who is gone is known before the next start needs them.
import { type Custodian, unwrapKey } from '#kit/custody.ts'
import type { Log } from '#kit/log.ts'
import { CannotStart } from '#kit/process.ts'
import type { KeySets, ReadKeys } from './key-sets.ts'

export type Opening = {
  /** The keys that a process begins with; throws which custodian did not open them, and why. */
  begin(config: { readonly keys: KeySets; readonly wrappedKeys: ReadKeys | null }): Promise<KeySets>
  /** Custodians are asked for what is not open yet, and for nothing else. */
  read(keys: ReadKeys): Promise<KeySets>
  /** Asks for everything that is open once more, and logs whether that would open today. */
  check(log: Log): Promise<void>
}

export function createOpening(custodians: readonly Custodian[]): Opening {
  let open: ReadonlyMap<string, string> = new Map()
  let fault = ''
  const read = async (keys: ReadKeys): Promise<KeySets> => {
    const next = new Map<string, string>()
    const sets = await keys(async (text) => {
      const plain = open.get(text) ?? (await unwrapKey(custodians, text))
      next.set(text, plain)
      return plain
    })
    open = next // what is no longer given is forgotten
    return sets
  }
  return {
    begin: async ({ keys, wrappedKeys }) => {
      if (wrappedKeys === null) return keys
      try {
        return await read(wrappedKeys)
      } catch (error) {
        throw new CannotStart((error as Error).message)
      }
    },
    read,
    check: async (log) => {
      const before = fault
      fault = ''
      try {
        for (const text of open.keys()) await unwrapKey(custodians, text)
      } catch (error) {
        fault = (error as Error).message
      }
      if (fault !== before && fault !== '')
        log.error('keys would not open at a restart; those in use stay', { detail: fault })
      if (fault !== before && fault === '') log.info('keys would open at a restart again')
    },
  }
}
