// The keys of a process, which change while it runs: files that hold keys are read again every few seconds.
// What cannot be used, because a file is half written, a database knows another key, or the bank refuses the
// new one, changes nothing and is logged; the keys from before stay in use until the next look.
import { deriveKeys, type Keys, type Lasting, selectLasting } from '#kit/crypto.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, FIRST_CONNECTOR } from '#kit/ids.ts'
import { type BankKey, type BankKeys, type KeySets, keySetting } from './key-sets.ts'
import { knowKeys, listSealedPlaces } from './known.ts'

export type Keyring = {
  keys(): Keys
  /** Those that a connector may sign with. */
  bankKeys(connector?: string): readonly string[]
  /** The one that we sign with to a connector. */
  signingKey(connector?: string): string
  /** Holds the master keys against these databases. Throws what forbids a start. */
  know(ctx: Ctx, places: readonly CellId[]): Promise<void>
  /** One look at the files. `isTaken`: whether a connector takes what a key has signed; null when it does not
   *  say. */
  reread(ctx: Ctx, read: () => Promise<KeySets>, isTaken: IsTaken): Promise<void>
}

type IsTaken = (connector: string, key: string) => Promise<boolean | null>
/** What we and a connector sign with. */
type Shared = { readonly keys: readonly BankKey[]; readonly signing: BankKey }

type Masters = KeySets['master']
const sameMasters = (a: Masters, b: Masters): boolean =>
  a.length === b.length && a.every(({ version, key }, at) => version === b[at]?.version && key.equals(b[at].key))
const versionsOf = (keys: readonly { readonly version: number }[]): string =>
  keys.map(({ version }) => String(version)).join(', ')

/** What a key's setting is called, where it is given in versions. */
const setOf = (connector: string): string => (connector === FIRST_CONNECTOR ? 'BANK_KEYS' : `${keySetting(connector)}S`)
const ofAll = ({ bank, connectors }: KeySets): [string, BankKeys][] => [[FIRST_CONNECTOR, bank], ...connectors]

export function createKeyring(first: KeySets): Keyring {
  let masters: Masters = first.master
  let keys = deriveKeys(masters)
  let lasting: Lasting | null = null
  const banks = new Map<string, Shared>(ofAll(first).map(([name, given]) => [name, { keys: given, signing: given[0] }]))
  const withBank = (connector: string): Shared =>
    banks.get(connector) ?? fail('INTERNAL', {}, `connector ${connector} has no keys`)
  let said = ''
  /** Once, and not at every look. */
  const say = (ctx: Ctx, message: string, detail: string): void => {
    if (said !== detail) ctx.log.error(message, { detail })
    said = detail
  }

  const know = async (ctx: Ctx, places: readonly CellId[], next: Masters = masters): Promise<void> => {
    const known = await knowKeys(ctx, deriveKeys(next), places, lasting)
    // Cells come into use one by one: what others have shown stays.
    const shown = new Map([...keys.statementKeys, ...known.statementKeys].map((key) => [key.keyId, key]))
    keys = { ...known, statementKeys: [...shown.values()] }
    masters = next
    lasting = selectLasting(keys)
  }
  const rereadMasters = async (ctx: Ctx, next: Masters): Promise<void> => {
    if (sameMasters(masters, next)) return
    await know(ctx, listSealedPlaces(ctx), next)
    ctx.log.info('master key read again', { detail: `versions ${versionsOf(next)}; the first one seals` })
  }
  const versionsIn = ({ keys: versions, signing }: Shared): string =>
    `${versionsOf(versions)}; ${signing.version} signs`
  const rereadBank = async (ctx: Ctx, connector: string, next: BankKeys, isTaken: IsTaken): Promise<void> => {
    const before = withBank(connector)
    banks.set(connector, { ...before, keys: next }) // what the bank signs with one of them is good from now on
    if (next[0].key !== before.signing.key) {
      const taken = await isTaken(connector, next[0].key)
      if (taken !== true)
        throw new Error(
          `${connector === FIRST_CONNECTOR ? 'the bank' : connector} ${taken === false ? 'rejects' : 'did not answer to'} version ${next[0].version} of ${setOf(connector)}; version ${before.signing.version} goes on signing`,
        )
    }
    const after: Shared = { keys: next, signing: next[0] }
    banks.set(connector, after)
    if (versionsIn(after) !== versionsIn(before))
      ctx.log.info('bank key read again', { detail: `${connector}: versions ${versionsIn(after)}` })
  }

  return {
    keys: () => keys,
    bankKeys: (connector = FIRST_CONNECTOR) => withBank(connector).keys.map(({ key }) => key),
    signingKey: (connector = FIRST_CONNECTOR) => withBank(connector).signing.key,
    know: (ctx, places) => know(ctx, places),
    reread: async (ctx, read, isTaken) => {
      try {
        const sets = await read()
        const outcomes = await Promise.allSettled([
          ...ofAll(sets).map(([connector, given]) => rereadBank(ctx, connector, given, isTaken)),
          rereadMasters(ctx, sets.master),
        ])
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
        said = ''
      } catch (error) {
        say(ctx, 'keys were not read again; those from before stay in use', (error as Error).message)
      }
    },
  }
}
