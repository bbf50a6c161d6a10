// Codes of an authenticator app (TOTP, RFC 6238) and recovery codes. No code is taken twice: the step of the
// last one is kept, and a recovery code is marked. Codes go by real time, also in a sandbox whose clock was
// moved: the phone knows no other.
import { Secret, TOTP } from 'otpauth'
import type { SealedTable } from '#core/keys/reseal.ts'
import { wallMs } from '#kit/clock.ts'
import { hmacBytes, open, randomCharacters, seal } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import type { Person } from '../known/persons.ts'
import * as sql from './factors.sql.ts'

export { codesLeft } from './factors.sql.ts'

const PERIOD_SECONDS = 30
const SEED_BYTES = 20
const contextOf = (personId: bigint): string => `totp ${personId}`

export const sealedSeeds: SealedTable = {
  table: 'people',
  key: { id: 'bigint' },
  columns: {
    totp_sealed: (row) => contextOf(row['id'] as bigint),
    totp_next_sealed: (row) => contextOf(row['id'] as bigint),
  },
}

const totpOf = (seed: string, label: string): TOTP =>
  new TOTP({
    issuer: 'Cowrie',
    label,
    secret: Secret.fromBase32(seed),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
  })

/** The step whose code this is: the present one, or the one before or after it. */
function stepOf(seed: string, code: string): bigint | null {
  const timestamp = wallMs()
  const delta = totpOf(seed, '').validate({ token: code, timestamp, window: 1 })
  return delta === null ? null : BigInt(Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta)
}

/** A seed that is not in force yet, as the address that an app reads; shown this once. */
export async function startTotp({ keys }: Ctx, t: Tx, person: Person): Promise<string> {
  const secret = new Secret({ size: SEED_BYTES })
  await sql.setNextSeed(t, person.id, seal(keys, secret.base32, contextOf(person.id)))
  return totpOf(secret.base32, person.email).toString()
}

/** The seed is in force once a code of it was seen. `person` is locked. */
export async function confirmTotp({ keys }: Ctx, t: Tx, person: Person, code: string): Promise<boolean> {
  if (person.totp_next_sealed === null) return false
  const step = stepOf(open(keys, person.totp_next_sealed, contextOf(person.id)), code)
  return step !== null && sql.confirmSeed(t, person.id, step)
}

const TOTP_CODE = /^\d{6}$/
const plainCode = (given: string): string => given.replace(/[\s-]/g, '').toUpperCase()
/** Of the app; else it can only be a recovery code. */
export const isAppCode = (given: string): boolean => TOTP_CODE.test(plainCode(given))

/** Takes a code of the app, or a recovery code; false when it is neither, or was taken before. `person` is
 *  locked. */
export async function takeCode({ keys }: Ctx, t: Tx, person: Person, given: string): Promise<boolean> {
  const code = plainCode(given)
  if (!TOTP_CODE.test(code)) return sql.useCode(t, person.id, recoveryDigest(keys.recovery, person.id, code))
  if (person.totp_sealed === null) return false
  const step = stepOf(open(keys, person.totp_sealed, contextOf(person.id)), code)
  return step !== null && sql.useStep(t, person.id, step)
}

const recoveryDigest = (key: Buffer, personId: bigint, code: string): Buffer =>
  hmacBytes(key, `recovery ${personId} ${code}`)

const CODES = 10
const CODE_CHARACTERS = 12
/** Ten new recovery codes in place of all there were; shown this once. */
export async function newRecoveryCodes({ keys }: Ctx, t: Tx, personId: bigint): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => randomCharacters(CODE_CHARACTERS))
  await sql.replaceCodes(
    t,
    personId,
    codes.map((code) => recoveryDigest(keys.recovery, personId, code)),
  )
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'))
}
