// Keys that lie wrapped: what opens them and what does not, the contract of a custodian's program, and where
// a process gets its keys from when it starts and while it runs. Tokens have tests of their own
// (trials/stories/custodians.test.ts), because they need programs of Debian.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Document, digestOfHeads, isSigned, toText } from '#core/acts/heads.ts'
import { createOpening } from '#core/keys/opening.ts'
import { readCustodians, withoutSecrets } from '#core/keys/places.ts'
import { unwrapKey, wrapKey } from '#kit/custody.ts'
import type { Log, LogFields } from '#kit/log.ts'
import { until } from '#test/kit/waiting.ts'
import { readConfig } from '../config.ts'
import { createCustodian, createDocumentSigner } from './custody.ts'
import { runProgram } from './programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'cowrie-custody-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string): string => join(folder, name)
const key = (): string => randomBytes(32).toString('base64')
const put = (name: string, text: string): string => {
  writeFileSync(`${at(name)}.next`, text)
  renameSync(`${at(name)}.next`, at(name))
  return at(name)
}
const fileCustodian = (name: string, path = put(name, key())) =>
  createCustodian({ name, place: { kind: 'file', path } }, {})
/** What is said, or what was opened. */
const verdict = (asked: Promise<string>): Promise<string> => asked.catch((error: Error) => error.message)

test('a key of two custodians opens with both, and with either alone it does not', async () => {
  const [amina, bola, stranger] = [fileCustodian('amina'), fileCustodian('bola'), fileCustodian('stranger')]
  const secret = key()
  const wrapped = await wrapKey([amina, bola], secret)
  expect(wrapped).toMatch(/^w1\.amina\+bola\.[\w+-]+\.[\w-]+$/)
  expect(wrapped.includes(secret)).toBe(false)
  expect(await unwrapKey([bola, amina], wrapped)).toBe(secret)
  expect(await wrapKey([amina, bola], secret), 'never the same twice').not.toBe(wrapped)
  expect(await verdict(unwrapKey([amina], wrapped))).toBe(
    'it needs the custodian bola, and CUSTODIANS does not name one',
  )
  // Somebody with amina's key who says he is bola, too, or knows another share.
  const both = [amina, { ...stranger, name: 'bola' }]
  expect(await verdict(unwrapKey(both, wrapped))).toMatch(
    /^of the custodians, bola: the key in .*stranger is not the one/,
  )
  const guessed = [
    amina,
    { name: 'bola', wrap: (share: Buffer) => bola.wrap(share), unwrap: async () => Buffer.alloc(32) },
  ]
  expect(await verdict(unwrapKey(guessed, wrapped))).toBe('the shares of amina and bola do not open it')
  // The share of amina alone, as the whole key: what one custodian would try.
  const [, , shares = '', sealed = ''] = wrapped.split('.')
  const alone = `w1.amina.${shares.split('+')[0]}.${sealed}`
  expect(await verdict(unwrapKey([amina], alone))).toBe('the shares of amina do not open it')
  for (const broken of [
    'w1.',
    'w1.amina+bola.AAAA.AAAA',
    wrapped.slice(0, -20),
    wrapped.replace('amina+bola', 'bola+amina'),
  ])
    expect(await verdict(unwrapKey([amina, bola], broken)), broken).not.toBe(secret)
  const gone = [fileCustodian('amina', at('nowhere')), fileCustodian('bola', at('nowhere-else'))]
  expect(await verdict(unwrapKey(gone, wrapped)), 'both are named').toMatch(/amina: .*ENOENT.*; bola: .*ENOENT/)
  expect(await verdict(wrapKey([amina, amina], secret))).toBe('name custodians, each once')
})

// ---- the program of a custodian

/** What Vault's transit engine does: a text of its own making, which only it can read. */
const PROGRAM = `
import { createCipheriv, createDecipheriv, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
const [key, verb] = process.argv.slice(2)
const input = readFileSync(0, 'utf8').trim()
const say = (text) => process.stdout.write(text + '\\n')
const bytes = () => Buffer.from(readFileSync(key, 'utf8').slice(0, 32))
if (process.env.FAULT === 'sealed') { console.error('Error: Vault is sealed'); process.exit(2) }
if (process.env.FAULT === 'words') { say('an error page'); process.exit(0) }
if (verb === 'wrap') {
  const cipher = createCipheriv('aes-256-ecb', bytes(), null)
  say('vault:v1:' + Buffer.concat([cipher.update(Buffer.from(input, 'base64')), cipher.final()]).toString('hex'))
} else if (verb === 'unwrap') {
  const cipher = createDecipheriv('aes-256-ecb', bytes(), null)
  say(Buffer.concat([cipher.update(Buffer.from(input.slice(9), 'hex')), cipher.final()]).toString('base64'))
} else if (verb === 'public-key') say(createPublicKey(readFileSync(key, 'utf8')).export({ format: 'pem', type: 'spki' }))
else if (verb === 'sign') say(sign(null, Buffer.from(input, 'base64'), createPrivateKey(readFileSync(key, 'utf8'))).toString('base64'))
else process.exit(9)
`
const words = (file: string): [string, ...string[]] => [process.execPath, put('program.mjs', PROGRAM), file]

test('a program wraps and opens by its standard input and output; how it fails is said', async () => {
  const place = { kind: 'command', words: words(put('transit', key())) } as const
  const env = { VAULT_TOKEN: 'unused' }
  const vault = createCustodian({ name: 'vault', place }, env)
  const secret = key()
  const wrapped = await wrapKey([vault, fileCustodian('amina')], secret)
  expect(await unwrapKey([vault, fileCustodian('amina', at('amina'))], wrapped)).toBe(secret)
  const failing = (fault: string) => createCustodian({ name: 'vault', place }, { ...env, FAULT: fault })
  const alone = await wrapKey([vault], secret)
  expect(await verdict(unwrapKey([failing('sealed')], alone))).toMatch(
    /vault: .*: ended with code 2: Error: Vault is sealed$/,
  )
  expect(await verdict(unwrapKey([failing('words')], alone))).toMatch(/did not answer base64$/)
  const missing = createCustodian({ name: 'vault', place: { kind: 'command', words: [at('no-program')] } }, env)
  expect(await verdict(unwrapKey([missing], alone))).toMatch(/cannot be started \(ENOENT\)$/)
})

test('a program that does not end in time is ended with what it started, and one that never stops talking too', async () => {
  const marks = at('child')
  const script = `sh -c 'echo $$ > ${marks}; exec sleep 600' & wait`
  const asked = runProgram(['sh', '-c', script], {
    input: Buffer.alloc(0),
    env: {},
    limitMs: 700,
  })
  await expect(asked).rejects.toThrow('sh: did not end within 0.7 seconds')
  const pid = Number(readFileSync(marks, 'utf8'))
  const lives = async (): Promise<boolean> =>
    existsSync(`/proc/${pid}`) && !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  await until('its child is gone', async () => !(await lives()))
  const loud = runProgram(['sh', '-c', 'while :; do echo yes; done'], { input: Buffer.alloc(0), env: {} })
  await expect(loud).rejects.toThrow('sh: answered more than 65536 bytes')
})

test('a program inherits no secret of ours', () => {
  const env = { PATH: '/bin', VAULT_TOKEN: 't', ...{ CELLS: 'c', MASTER_KEY: 'm', MASTER_KEYS: 'm', BANK_KEY: 'b' } }
  const more = { CONNECTOR_NIBSS_KEYS: 'n', SMTP_URL: 's', SECURITY_KEY: 'k', OIDC_CLIENT_SECRET: 'o', IDENTITIES: 'i' }
  expect(withoutSecrets({ ...env, ...more })).toEqual({ PATH: '/bin', VAULT_TOKEN: 't' })
})

// ---- what signs the heads of the audit trail

const unsigned: Document = {
  ...{ cowrie: 'heads of the audit trail', cell: '01', number: '1', at: '2031-01-01T00:00:00.000Z', previous: '' },
  ...{ count: 0, digest: digestOfHeads([]), keyId: '', signature: '' },
}

test.each(['file', 'command'] as const)(
  'heads are signed by a %s, and a key of another kind is refused',
  async (kind) => {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
    const path = put('signing.pem', pem)
    const signer = createDocumentSigner(kind === 'file' ? { kind, path } : { kind, words: words(path) }, {})
    const document = { ...unsigned, ...(await signer.sign(toText(unsigned))) }
    expect(isSigned(document, [await signer.publicKey()])).toBe(true)
    expect(isSigned({ ...document, count: 1 }, [await signer.publicKey()])).toBe(false)
    put('signing.pem', generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string)
    await expect(signer.sign('text')).rejects.toThrow('HEADS_KEY must be a key for Ed25519 or ECDSA')
  },
)

test('ECDSA, where a token has no Ed25519', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const path = put('ecdsa.pem', privateKey.export({ format: 'pem', type: 'pkcs8' }) as string)
  const signer = createDocumentSigner({ kind: 'file', path }, {})
  const document = { ...unsigned, ...(await signer.sign(toText(unsigned))) }
  expect(isSigned(document, [await signer.publicKey()])).toBe(true)
  expect(isSigned({ ...document, number: '2' }, [await signer.publicKey()])).toBe(false)
})

// ---- a process

const SETTINGS = {
  ...{ ENVIRONMENT: 'sandbox', CELLS: '01=postgres://cowrie@127.0.0.1/cell_01', BANK_URL: 'http://127.0.0.1:1' },
  ...{ PUBLIC_URL: 'http://127.0.0.1:2', SMTP_URL: 'smtp://127.0.0.1:3' },
}

test('a process opens its keys at the start, asks again for new ones only, and says when it could not start again', async () => {
  const [m1, m2, b1] = [key(), key(), key()]
  const asked: string[] = []
  const custodians = ['amina', 'bola'].map((name) => {
    const custodian = fileCustodian(name)
    const unwrap = (wrapped: Buffer) => {
      asked.push(name)
      return custodian.unwrap(wrapped)
    }
    return { ...custodian, unwrap }
  })
  const CUSTODIANS = `amina=file:${at('amina')},bola=file:${at('bola')}`
  put('masters', `1:${await wrapKey(custodians, m1)}\n`)
  put('banks', await wrapKey(custodians, b1))
  const config = readConfig({ ...SETTINGS, CUSTODIANS, MASTER_KEYS_FILE: at('masters'), BANK_KEY_FILE: at('banks') })
  expect(config.custodians.map(({ name }) => name)).toEqual(['amina', 'bola'])
  const opening = createOpening(custodians)
  const sets = await opening.begin(config)
  expect([sets.master[0].key.toString('base64'), sets.bank[0].key]).toEqual([m1, b1])
  expect(asked.splice(0).length).toBe(4)
  const read = config.rereadKeys as NonNullable<typeof config.rereadKeys>
  await opening.read(read)
  expect(asked, 'what is open stays open').toEqual([])
  put('masters', `2:${await wrapKey(custodians, m2)}\n1:${m1}\n`)
  const next = await opening.read(read)
  expect(next.master.map((one) => [one.version, one.key.toString('base64')])).toEqual([
    [2, m2],
    [1, m1],
  ])
  expect(asked.splice(0), 'a new one, and one that is not wrapped').toEqual(['amina', 'bola'])

  const lines: string[] = []
  const line = (message: string, { detail = '' }: LogFields = {}) => lines.push(`${message} ${detail}`.trim())
  const log = { info: line, error: line } as unknown as Log
  await opening.check(log)
  renameSync(at('bola'), at('bola.away'))
  await opening.check(log)
  await opening.check(log)
  expect((await opening.read(read)).master.length, 'nobody is asked for what is open').toBe(2)
  expect(lines.splice(0)).toEqual([
    expect.stringMatching(/^keys would not open at a restart; those in use stay of the custodians, bola: .*ENOENT/),
  ])
  await expect(createOpening(custodians).begin(config)).rejects.toThrow(
    /^MASTER_KEYS_FILE: version 2 does not open: of the custodians, bola: the file .*ENOENT/,
  )
  put('masters', `3:${await wrapKey([custodians[0] as never], m1)},2:${m1}`)
  await expect(opening.read(read)).rejects.toThrow('MASTER_KEYS_FILE gives the same key as two versions')
  put('masters', `3:${await wrapKey([custodians[0] as never], 'short')}`)
  await expect(opening.read(read)).rejects.toThrow('MASTER_KEYS_FILE: version 3 must be 32 bytes in base64')
  renameSync(at('bola.away'), at('bola'))
  await opening.check(log)
  expect(lines).toEqual(['keys would open at a restart again'])
})

test('the places of keys: a file, a program, a token by its address; what is wrong is said without the address', () => {
  const read = (text: string): unknown => {
    const wrong: string[] = []
    const places = readCustodians({ CUSTODIANS: text }, wrong)
    return wrong.length > 0 ? wrong.map((one) => one.split(', a place')[0]) : places.map(({ place }) => place)
  }
  const address =
    'pkcs11:token=Two%20words;id=%0A1?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=file:/run/pin'
  expect(read(`a1=${address},b1=command:vault-key  amina,c1=file:/run/c`)).toEqual([
    {
      ...{ kind: 'pkcs11', token: 'Two words', id: '0a31', pinFile: '/run/pin', hash: 'sha256' },
      module: '/usr/lib/softhsm/libsofthsm2.so',
    },
    { kind: 'command', words: ['vault-key', 'amina'] },
    { kind: 'file', path: '/run/c' },
  ])
  expect(read(`a1=${address}&x-hash=sha1`)).toMatchObject([{ hash: 'sha1' }])
  const form = ['CUSTODIANS must be of the form amina=<place>,bola=<place>']
  for (const bad of [
    'amina',
    'a=file:/x',
    'amina=file:',
    'amina=ftp:/x',
    'amina=command:',
    `${address}`,
    'a1=pkcs11:token=x',
  ])
    expect(read(bad), bad).toEqual(form)
  for (const more of ['&pin-value=1234', '&x-hash=md5', '&pin-source=/run/other'])
    expect(read(`a1=${address}${more}`), more).toEqual(form)
  expect(read('a1=file:/x,a1=file:/y')).toEqual(['CUSTODIANS gives a name twice'])
  expect(() => readConfig({ ...SETTINGS, MASTER_KEY: key(), BANK_KEY: 'b', HEADS_KEY: 'x:y' })).toThrow(
    'HEADS_KEY must be',
  )
})
