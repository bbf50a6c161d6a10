// Tokens of SoftHSM2 in a folder of their own, made with the commands of docs/operate/custodians.md.
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MODULE = '/usr/lib/softhsm/libsofthsm2.so'
const PIN = '493817'
const OFFICER = '77120384'

export type Tokens = {
  /** What names them to SoftHSM2. */
  readonly env: { readonly SOFTHSM2_CONF: string }
  make(label: string): void
  /** A key on a token; `type` as pkcs11-tool names it. */
  addKey(label: string, id: string, type: string): void
  /** Its address, as CUSTODIANS and HEADS_KEY have it. */
  address(label: string, id: string): string
  /** Whoever keeps its PIN is there, or not. */
  putPin(label: string, pin?: string): void
  takePin(label: string): void
  /** All tokens are pulled out, or are back. */
  pull(): void
  putBack(): void
}

export function createTokens(folder: string): Tokens {
  const [inside, outside] = [join(folder, 'tokens'), join(folder, 'tokens-away')]
  const env = { SOFTHSM2_CONF: join(folder, 'softhsm2.conf') }
  mkdirSync(inside)
  writeFileSync(env.SOFTHSM2_CONF, `directories.tokendir = ${inside}\nobjectstore.backend = file\n`)
  const run = (program: string, ...words: string[]) =>
    execFileSync(program, words, { env: { PATH: process.env['PATH'], ...env }, stdio: 'pipe' })
  const pinOf = (label: string): string => join(folder, `${label}.pin`)
  const putPin = (label: string, pin = PIN): void => writeFileSync(pinOf(label), `${pin}\n`, { mode: 0o600 })
  return {
    env,
    make: (label) => {
      run('softhsm2-util', '--init-token', '--free', '--label', label, '--pin', PIN, '--so-pin', OFFICER)
      putPin(label)
    },
    addKey: (label, id, type) => {
      const at = ['--module', MODULE, '--token-label', label, '--login', '--pin', PIN]
      run('pkcs11-tool', ...at, '--keypairgen', '--key-type', type, '--id', id, '--label', `cowrie ${id}`)
    },
    address: (label, id) =>
      `pkcs11:token=${label};id=%${id}?module-path=${MODULE}&pin-source=${pinOf(label)}&x-hash=sha1`,
    putPin,
    takePin: (label) => renameSync(pinOf(label), `${pinOf(label)}.away`),
    pull: () => {
      renameSync(inside, outside)
      mkdirSync(inside)
    },
    putBack: () => {
      renameSync(inside, join(folder, `empty-${Date.now()}`))
      renameSync(outside, inside)
    },
  }
}
