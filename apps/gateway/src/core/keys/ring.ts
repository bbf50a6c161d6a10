// The keys of a process, which change while it runs: files that hold keys are read again every few seconds. What cannot be used, because a
// file is half written, a database knows another key, or the bank refuses the new one, changes nothing and is logged; the keys from
// before stay in use until the next look.
import { deriveKeys, type Keys, type Lasting, lastingOf } from '../../kit/crypto.ts'
import type { Ctx } from '../../kit/ctx.ts'
import type { CellId } from '../../kit/ids.ts'
import type { BankKey, KeySets } from './key-sets.ts'
import { knowKeys, placesOf } from './known.ts'

export type Keyring = {
  keys(): Keys
  /** Those that the bank may sign with. */
  bankKeys(): readonly string[]
  /** The one that we sign with. */
  signingKey(): string
  /** Holds the master keys against these databases. Throws what forbids a start. */
  know(ctx: Ctx, places: readonly CellId[]): Promise<void>
  /** One look at the files. `isTaken`: whether the bank takes what a key has signed; null when it does not say. */
  reread(ctx: Ctx, read: () => KeySets, isTaken: (key: string) => Promise<boolean | null>): Promise<void>
}

type Masters = KeySets['master']
const sameMasters = (a: Masters, b: Masters): boolean =>
  a.length === b.length && a.every(({ version, key }, at) => version === b[at]?.version && key.equals(b[at].key))
const versionsOf = (keys: readonly { readonly version: number }[]): string =>
  keys.map(({ version }) => String(version)).join(', ')

export function createKeyring(first: KeySets): Keyring {
  let masters: Masters = first.master
  let keys = deriveKeys(masters)
  let lasting: Lasting | null = null
  let bank: readonly BankKey[] = first.bank
  let signing: BankKey = first.bank[0]
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
    lasting = lastingOf(keys)
  }
  const rereadMasters = async (ctx: Ctx, next: Masters): Promise<void> => {
    if (sameMasters(masters, next)) return
    await know(ctx, placesOf(ctx), next)
    ctx.log.info('master key read again', { detail: `versions ${versionsOf(next)}; the first one seals` })
  }
  const rereadBank = async (
    ctx: Ctx,
    next: KeySets['bank'],
    isTaken: (key: string) => Promise<boolean | null>,
  ): Promise<void> => {
    const before = `${versionsOf(bank)}; ${signing.version} signs`
    bank = next // what the bank signs with one of them is good from now on
    if (next[0].key !== signing.key) {
      const taken = await isTaken(next[0].key)
      if (taken !== true)
        throw new Error(
          `the bank ${taken === false ? 'rejects' : 'did not answer to'} version ${next[0].version} of BANK_KEYS; version ${signing.version} goes on signing`,
        )
    }
    signing = next[0]
    const after = `${versionsOf(bank)}; ${signing.version} signs`
    if (after !== before) ctx.log.info('bank key read again', { detail: `versions ${after}` })
  }

  return {
    keys: () => keys,
    bankKeys: () => bank.map(({ key }) => key),
    signingKey: () => signing.key,
    know: (ctx, places) => know(ctx, places),
    reread: async (ctx, read, isTaken) => {
      try {
        const sets = read()
        const outcomes = await Promise.allSettled([
          rereadBank(ctx, sets.bank, isTaken),
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

/** Looks every few seconds, one look at a time. Answers how to stop, which waits for the one under way. */
export function lookEvery(ms: number, look: () => Promise<void>): () => Promise<void> {
  let looking: Promise<void> | null = null
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = null
    })
  }, ms).unref()
  return async () => {
    clearInterval(timer)
    await looking
  }
}
