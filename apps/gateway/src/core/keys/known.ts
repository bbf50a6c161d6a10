// Which versions of the master key a database knows. Every version is written down, by its fingerprint,
// before anything is sealed with it, in every cell and where people are known; so a wrong key and a missing
// one are named at the start, and not by the first login that fails. With each version stand the keys that
// outlive it, sealed, and the public key of the statements it signed.
import type { Rows } from '#core/rows.ts'
import {
  type Keys,
  type KeyVersion,
  LASTING_NAMES,
  type Lasting,
  open,
  type StatementKey,
  seal,
  toPublicKey,
} from '#kit/crypto.ts'
import type { Ctx, Read, Statement } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { CannotStart } from '#kit/process.ts'
import { engineTx, readAll } from '../cells/cells.ts'

export type KnownVersion = Readonly<
  Pick<
    Rows['master_keys'],
    | 'version'
    | 'fingerprint'
    | 'lasting'
    | 'statement_key_id'
    | 'statement_key'
    | 'known_at'
    | 'present_at'
    | 'retired_at'
  >
>

const KNOWN: Statement = {
  name: 'master_keys_known',
  text: `select version, fingerprint, lasting, statement_key_id, statement_key, known_at, present_at, retired_at
from master_keys order by version desc`,
}
const FIRST: Statement = {
  name: 'master_keys_first',
  text: `select value from settings where name = 'master_key'`,
}
const ADD: Statement = {
  name: 'master_keys_add',
  text: `insert into master_keys (version, fingerprint, lasting, statement_key_id, statement_key, known_at)
select v, f, l, i, k, $6 from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[]) as x (v, f, l, i, k)
on conflict do nothing`,
}
const MARK_PRESENT: Statement = {
  name: 'master_keys_mark_present',
  text: 'update master_keys set present_at = $2 where version = $1 and present_at is null and retired_at is null',
}

export const knownVersions = (read: Read): Promise<KnownVersion[]> => read.query<KnownVersion>(KNOWN, [])

/** The fingerprint of the key that the database was set up with, if it has been. */
async function firstOf(read: Read): Promise<string | null> {
  const [row] = await read.query<Pick<Rows['settings'], 'value'>>(FIRST, [])
  return row?.value ?? null
}

const CONTEXT = 'lasting keys'
const textOf = (lasting: Lasting): string =>
  JSON.stringify(Object.fromEntries(LASTING_NAMES.map((name) => [name, lasting[name].toString('base64')])))
const readLasting = (text: string): Lasting =>
  Object.fromEntries(
    Object.entries(JSON.parse(text) as Record<string, string>).map(([name, key]) => [name, Buffer.from(key, 'base64')]),
  ) as Lasting

/** All databases that something is sealed in. */
export const listSealedPlaces = ({ cells, identities }: Ctx): CellId[] =>
  [...new Set([...cells.keys(), identities.id])].toSorted()

// ---- what is refused

/** What is wrong with the versions that are given, in a sentence; null when a database can be used with
 *  them. */
function faultOf(keys: Keys, cell: CellId, known: readonly KnownVersion[], first: string | null): string | null {
  if (known.length === 0)
    return first === null || keys.versions.some(({ id }) => id === first)
      ? null
      : `cell ${cell} was set up with another MASTER_KEY (it begins its fingerprint with ${first}, this one with ${keys.present.id}); give the one that sealed its secrets`
  for (const { version, id } of keys.versions) {
    const row = known.find((one) => one.version === version)
    if (row && row.fingerprint !== id)
      return `cell ${cell} was set up with another ${version === 1 ? 'MASTER_KEY' : `version ${version} of MASTER_KEYS`} (it begins its fingerprint with ${row.fingerprint}, this one with ${id}); give the one that sealed its secrets`
    const same = known.find((one) => one.fingerprint === id)
    if (same && same.version !== version)
      return `cell ${cell} knows the key that MASTER_KEYS gives as version ${version} as version ${same.version}; correct the number`
  }
  const { present } = keys
  if (known.some(({ version, retired_at }) => version === present.version && retired_at !== null))
    return `version ${present.version} of the master key is retired in cell ${cell} and cannot be the present one`
  const missing = known.find(
    ({ version, retired_at }) => retired_at === null && !keys.versions.some((one) => one.version === version),
  )
  return missing
    ? `version ${missing.version} of the master key (fingerprint ${missing.fingerprint}) is in use in cell ${cell}, and MASTER_KEYS does not give it; give it, and run \`cowrie run keys reseal\` and \`retire ${missing.version}\` before it is removed`
    : null
}

// ---- what is written down

/** What lasts, as a database has it and a given version can open it; null when it has none yet. */
function lastingIn(keys: Keys, known: readonly KnownVersion[]): Lasting | null {
  const row = known.find(({ fingerprint, lasting }) => lasting && keys.versions.some(({ id }) => id === fingerprint))
  return row?.lasting ? readLasting(open(keys, row.lasting, CONTEXT)) : null
}

/** Writes down the versions that are given and not known yet, and answers all that are known. */
const know = (ctx: Ctx, cell: CellId, keys: Keys, lasting: Lasting): Promise<KnownVersion[]> =>
  engineTx(ctx, cell, async (t) => {
    const known = new Set((await knownVersions(t)).map(({ version }) => version))
    const added = keys.versions.filter(({ version }) => !known.has(version))
    const shown = added.map(({ statements }) => toPublicKey(statements))
    const row = (pick: (one: KeyVersion) => unknown) => added.map(pick)
    if (added.length > 0)
      await t.query(ADD, [
        row(({ version }) => version),
        row(({ id }) => id),
        row((one) => seal(keys, textOf(lasting), CONTEXT, one)),
        shown.map(({ keyId }) => keyId),
        shown.map(({ publicKey }) => publicKey),
        t.now,
      ])
    await t.query(MARK_PRESENT, [keys.present.version, t.now])
    return knownVersions(t)
  })

type Found = { readonly cell: CellId; readonly known: KnownVersion[]; readonly first: string | null }

/** Reads what databases know, and throws the first thing that is wrong. */
async function look(ctx: Ctx, keys: Keys, places: readonly CellId[]): Promise<Found[]> {
  const found: Found[] = []
  for (const cell of places) {
    const [known, first] = await readAll(ctx, cell, async (r) => [await knownVersions(r), await firstOf(r)] as const)
    const fault = faultOf(keys, cell, known, first)
    if (fault !== null) throw new CannotStart(fault)
    found.push({ cell, known, first })
  }
  return found
}

/** What lasts is the same everywhere: an address may be made in one cell and read in another. Where no
 *  database has it yet, it is what was derived from the key that the first of them was set up with. */
function lastingEverywhere(keys: Keys, found: readonly Found[], settled: Lasting | null): Lasting {
  const all = found.flatMap(({ cell, known }) => {
    const lasting = lastingIn(keys, known)
    return lasting === null ? [] : [{ cell, lasting }]
  })
  const lasting = settled ?? all[0]?.lasting ?? oldestOf(keys, found).lasting
  const other = all.find((one) => textOf(one.lasting) !== textOf(lasting))
  if (other)
    throw new CannotStart(
      `cell ${other.cell} is of another installation: its lasting keys are not those of the others; correct CELLS`,
    )
  return lasting
}
function oldestOf({ versions }: Keys, found: readonly Found[]): KeyVersion {
  const firsts = versions.filter(({ id }) => found.some(({ first }) => first === id))
  return (firsts.length > 0 ? firsts : versions).reduce((a, b) => (b.version < a.version ? b : a), versions[0])
}

/** What is wrong with the master keys that this process has, by what a database knows now. */
export const findKeyFault = async ({ keys }: Ctx, cell: CellId, r: Read): Promise<string | null> =>
  faultOf(keys, cell, await knownVersions(r), await firstOf(r))

/** Throws what forbids the use of a database with the keys of this process. */
export async function checkKeys(ctx: Ctx, cell: CellId): Promise<void> {
  await look(ctx, ctx.keys, [cell])
}

/** Holds the given versions against databases, writes down those that are new, and answers the keys with what
 *  lasts. Throws what forbids their use, by name; then nothing changes. A database that cannot be asked
 *  forbids it too: it must know a version before anything is sealed with it. `settled`: what lasts, where
 *  that is known already. */
export async function knowKeys(
  ctx: Ctx,
  keys: Keys,
  places: readonly CellId[] = listSealedPlaces(ctx),
  settled: Lasting | null = null,
): Promise<Keys> {
  const lasting = lastingEverywhere(keys, await look(ctx, keys, places), settled)
  const shown = new Map<string, StatementKey>(keys.statementKeys.map((key) => [key.keyId, key]))
  for (const cell of places) {
    const known = await know(ctx, cell, keys, lasting)
    // Somebody else may have written another key under the same number a moment before.
    const fault = faultOf(keys, cell, known, null)
    if (fault !== null) throw new CannotStart(fault)
    for (const { statement_key_id: keyId, statement_key: publicKey } of known) shown.set(keyId, { keyId, publicKey })
  }
  return { ...keys, ...lasting, statementKeys: [...shown.values()] }
}
