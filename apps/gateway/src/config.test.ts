// What the environment must say, and what live refuses: each in a sentence that names the variable.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCertificate } from '#test/kit/certificates.ts'
import { cellsText, readConfig } from './config.ts'

const APP = 'postgres://cowrie_app_login:a@db.example/cell_01?sslmode=verify-full'
const ENGINE = 'postgres://cowrie_engine_login:b@db.example/cell_01?sslmode=verify-full'
const LIVE = {
  ENVIRONMENT: 'live',
  CELLS: `01=${APP}|${ENGINE}`,
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  BANK_KEY: 'k'.repeat(32),
  BANK_URL: 'https://bank.example',
  PUBLIC_URL: 'https://pay.example',
  SMTP_URL: 'smtps://mail.example',
}
const SANDBOX = {
  ...LIVE,
  ENVIRONMENT: 'sandbox',
  CELLS: '01=postgres://cowrie@127.0.0.1/cell_01',
  BANK_KEY: 'a',
  BANK_URL: 'http://127.0.0.1:4100',
  PUBLIC_URL: 'http://127.0.0.1:4000',
  SMTP_URL: 'smtp://127.0.0.1:4300',
}
/** The sentences, without the line above them. */
const refusals = (env: Record<string, string | undefined>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as Error).message.split('\n  ').slice(1)
  }
}

test('the settings of a sound live and of a sandbox are taken', () => {
  expect(refusals(LIVE)).toEqual([])
  expect(refusals(SANDBOX)).toEqual([])
  expect(refusals({ ...LIVE, SMTP_URL: 'smtp://u:p@mail.example:587?requireTLS=true&name=pay.example' })).toEqual([])
})

const VERIFIED = 'CELLS: cell 01 needs sslmode=verify-full in live, unless the database is on this machine'
const HTTPS = 'BANK_URL must be https in live'
const MAIL = 'SMTP_URL must be smtps://… or smtp://…?requireTLS=true in live'
test.each([
  ['BANK_URL', 'http://bank.example', HTTPS],
  ['BANK_URL', 'http://127.0.0.1:4100', HTTPS],
  ['BANK_URL', 'bank.example', HTTPS],
  ['BANK_KEY', 'k'.repeat(31), 'BANK_KEY must be at least 32 bytes in live (openssl rand -base64 32)'],
  ['BANK_KEY', 'a', 'BANK_KEY must be at least 32 bytes in live (openssl rand -base64 32)'],
  ['MASTER_KEY', 'AAAA', 'MASTER_KEY must be 32 bytes in base64 (openssl rand -base64 32)'],
  ['PUBLIC_URL', 'http://pay.example', 'PUBLIC_URL must be https in live'],
  ['PASSWORD_COST', '16', 'PASSWORD_COST must be a number from 17 to 20'],
  ['OIDC_ISSUER', 'https://id.example', 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together'],
  ['SMTP_URL', 'smtp://mail.example', MAIL],
  ['SMTP_URL', 'smtp://127.0.0.1:1', MAIL],
  ['SMTP_URL', 'smtp://mail.example?requireTLS=false', MAIL],
  [
    'SMTP_URL',
    'smtps://mail.example?tls.rejectUnauthorized=false',
    'SMTP_URL must not set tls.rejectUnauthorized in live',
  ],
  ['SMTP_URL', 'smtps://mail.example?maxConnections=99', 'SMTP_URL must not set maxConnections in live'],
  ['SMTP_URL', 'smtps://mail.example?secure=false', 'SMTP_URL must not set secure in live'],
  ['CELLS', `01=${APP}`, 'CELLS must give cell 01 two logins in live, one per role'],
  ['CELLS', `01=${APP.replace('?sslmode=verify-full', '')}|${ENGINE}`, VERIFIED],
  ['CELLS', `01=${APP}|${ENGINE.replace('verify-full', 'require')}`, VERIFIED],
  ['CELLS', `01=${APP}|${ENGINE.replace('verify-full', 'no-verify')}`, VERIFIED],
  ['CELLS', `01=${APP}|${ENGINE}&sslmode=disable`, VERIFIED],
  ['CELLS', `01=${APP}|postgres://cowrie_engine_login@localhost/cell_01?host=db.example`, VERIFIED],
  [
    'NODE_TLS_REJECT_UNAUTHORIZED',
    '0',
    'NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off and is not allowed in live (use NODE_EXTRA_CA_CERTS)',
  ],
])('live refuses %s %s with one sentence', (name, value, sentence) => {
  expect(refusals({ ...LIVE, [name]: value })).toEqual([sentence])
})

test.each([
  'postgres://a@127.0.0.1/c|postgres://b@127.0.0.1/c',
  'postgres://a@[::1]/c|postgres://b@localhost/c',
  'postgres://a@/c?host=/run/postgresql|postgres://b@%2Frun%2Fpostgresql/c',
])('a database on this machine needs no TLS in live: %s', (logins) => {
  expect(refusals({ ...LIVE, CELLS: `01=${logins}` })).toEqual([])
})

test('everything that is wrong is said at once', () => {
  expect(refusals({ ...SANDBOX, ENVIRONMENT: 'live' })).toHaveLength(5)
})

test.each([
  ...Object.keys(LIVE).map((name) => [name, SANDBOX]),
  // without ENVIRONMENT it is not live
  ...Object.keys(LIVE).flatMap((name) => (name === 'ENVIRONMENT' ? [] : [[name, LIVE]])),
] as [string, typeof LIVE][])('a missing or empty %s is reported once', (name, given) => {
  for (const value of [undefined, '']) expect(refusals({ ...given, [name]: value })).toEqual([`${name} is missing`])
})

test('ENVIRONMENT is never guessed', () => {
  expect(refusals({ ...SANDBOX, ENVIRONMENT: undefined })).toEqual(['ENVIRONMENT is missing'])
  expect(refusals({ ...SANDBOX, ENVIRONMENT: 'Live' })).toEqual(['ENVIRONMENT must be sandbox or live'])
})

test('CELLS: one login or two per cell, and read back as it was written', () => {
  const two = `01=${APP}|${ENGINE},02=postgres://x@127.0.0.1/c`
  const { cells } = readConfig({ ...SANDBOX, CELLS: two })
  expect(cells.get('01')).toEqual({ app: APP, engine: ENGINE })
  expect(cells.get('02')?.app).toBe(cells.get('02')?.engine)
  expect(cellsText(cells)).toBe(two)
  for (const wrong of [
    '1=postgres://x',
    '01=mysql://x',
    `01=${APP}|`,
    `01=${APP}|${ENGINE}|${APP}`,
    '01',
    ',',
    `01=${APP},02`,
  ])
    expect(refusals({ ...SANDBOX, CELLS: wrong }), wrong).toEqual([
      expect.stringContaining('CELLS must be of the form'),
    ])
})

test('the sandbox posts to loopback only when it is reached there itself, and to more only when it is said', () => {
  const LOOPBACK = ['127.0.0.0/8', '::1/128']
  const networks = (over: Record<string, string>) => readConfig({ ...SANDBOX, ...over }).webhookNetworks
  expect(networks({})).toEqual(LOOPBACK)
  expect(networks({ HOST: '::1', PUBLIC_URL: 'http://localhost:4000' })).toEqual(LOOPBACK)
  expect(networks({ HOST: '0.0.0.0' })).toEqual([])
  expect(networks({ PUBLIC_URL: 'https://sandbox.example' }), 'behind a proxy').toEqual([])
  expect(networks({ HOST: '0.0.0.0', WEBHOOK_NETWORKS: '10.0.0.0/8,192.168.1.7' })).toEqual([
    '10.0.0.0/8',
    '192.168.1.7',
  ])
  expect(refusals({ ...SANDBOX, WEBHOOK_NETWORKS: 'lan' })[0]).toContain('WEBHOOK_NETWORKS must be')
  expect(refusals({ ...LIVE, WEBHOOK_NETWORKS: '10.0.0.0/8' })).toEqual([
    'WEBHOOK_NETWORKS is allowed in the sandbox only',
  ])
})

test('security events go to nobody unless it is said, and never over an open line in live', () => {
  expect(readConfig(SANDBOX).security).toEqual({ folder: null, receiver: null })
  const receiver = { SECURITY_URL: 'https://siem.example/cowrie', SECURITY_KEY: 'k'.repeat(32) }
  expect(readConfig({ ...LIVE, ...receiver, SECURITY_FOLDER: '/var/log/cowrie' }).security).toEqual({
    folder: '/var/log/cowrie',
    receiver: { url: 'https://siem.example/cowrie', key: 'k'.repeat(32) },
  })
  expect(refusals({ ...SANDBOX, SECURITY_URL: receiver.SECURITY_URL })[0]).toContain('must be set together')
  expect(refusals({ ...SANDBOX, ...receiver, SECURITY_KEY: 'short' })[0]).toContain('32 characters')
  expect(refusals({ ...LIVE, ...receiver, SECURITY_URL: 'http://siem.example' })[0]).toContain('https in live')
})

test('who the company is to networks and banks: the sandbox has an answer, a wrong one is refused', () => {
  expect(readConfig(SANDBOX).institution).toEqual({
    code: '000013',
    issuingBanks: ['50515', '035', '232', '058'],
    accountName: 'Cowrie',
  })
  const ours = readConfig({ ...LIVE, INSTITUTION_CODE: '090405', ISSUING_BANKS: '101,035', ACCOUNT_NAME: 'Kauri' })
  expect(ours.institution).toEqual({ code: '090405', issuingBanks: ['101', '035'], accountName: 'Kauri' })
  expect(refusals({ ...LIVE, INSTITUTION_CODE: '13' })).toEqual([
    'INSTITUTION_CODE must be the six digits of the instant payment network',
  ])
  expect(refusals({ ...LIVE, ISSUING_BANKS: '035,999' })).toEqual([
    'ISSUING_BANKS must be codes of banks separated by commas; 999 is none',
  ])
  expect(refusals({ ...LIVE, ACCOUNT_NAME: 'x'.repeat(201) })).toEqual([
    'ACCOUNT_NAME must have 200 characters at most',
  ])
  expect(refusals({ ...LIVE, ISSUING_BANKS: '035,035' })).toEqual(['ISSUING_BANKS names a bank twice'])
})

test("the operator's listener and the database of people: none unless named, and live refuses open lines", () => {
  expect(readConfig(LIVE)).toMatchObject({ operator: null, identities: null })
  const served = { ...LIVE, OPERATOR_PORT: '4500', IDENTITIES: `${APP}|${ENGINE}` }
  expect(readConfig(served)).toMatchObject({
    operator: { host: '127.0.0.1', port: 4500 },
    operatorUrl: 'http://127.0.0.1:4500',
    identities: { app: APP, engine: ENGINE },
  })
  expect(refusals({ ...served, OPERATOR_URL: 'https://console.example' })).toEqual([])
  expect(refusals({ ...served, OPERATOR_URL: 'http://console.example' })).toEqual([
    'OPERATOR_URL must be https in live, unless it is on this machine',
  ])
  expect(refusals({ ...served, OPERATOR_URL: 'console' })).toEqual(['OPERATOR_URL must be an address'])
  expect(refusals({ ...served, OPERATOR_PORT: 'x' })).toEqual([
    'OPERATOR_PORT must be a whole number',
    'OPERATOR_URL must be an address',
  ])
  expect(refusals({ ...served, IDENTITIES: APP })).toEqual([
    'IDENTITIES must give the database two logins in live, one per role',
  ])
  expect(refusals({ ...served, IDENTITIES: 'people' })).toEqual([
    'IDENTITIES must be <login of cowrie_app>|<login of cowrie_engine>, each a postgres:// address',
  ])
  expect(refusals({ ...SANDBOX, CELLS: '00=postgres://a@127.0.0.1/x', IDENTITIES: APP })).toEqual([
    'CELLS must not have a cell 00 beside IDENTITIES',
  ])
})

test('keys in versions, and in files: the first is the present one; what is wrong is said without a word of the key', () => {
  const key = (fill: number) => Buffer.alloc(32, fill).toString('base64')
  const { MASTER_KEY: _, BANK_KEY: __, ...live } = LIVE
  const keyed = (more: Record<string, string>) => ({ ...live, BANK_KEY: LIVE.BANK_KEY, ...more })
  const { keys, rereadKeys } = readConfig(keyed({ MASTER_KEYS: `2:${key(2)},1:${key(1)}` }))
  expect(keys.master.map(({ version, key: bytes }) => [version, bytes[0]])).toEqual([
    [2, 2],
    [1, 1],
  ])
  expect(rereadKeys).toBeNull()
  const form = 'MASTER_KEYS must be of the form 2:<key>,1:<key>, the present version first'
  for (const [more, sentence] of [
    [{ MASTER_KEYS: key(1) }, form],
    [{ MASTER_KEYS: `0:${key(1)}` }, form],
    [{ MASTER_KEYS: `1:${key(1)},1:${key(2)}` }, 'MASTER_KEYS gives a version twice'],
    [{ MASTER_KEYS: `1:${key(1)},2:${key(1)}` }, 'MASTER_KEYS gives the same key as two versions'],
    [
      { MASTER_KEYS: `2:AAAA,1:${key(1)}` },
      'MASTER_KEYS: version 2 must be 32 bytes in base64 (openssl rand -base64 32)',
    ],
    [{ MASTER_KEY: key(1), MASTER_KEYS: `1:${key(1)}` }, 'MASTER_KEY and MASTER_KEYS must not be set together'],
    [{ MASTER_KEY_FILE: '/nowhere' }, 'MASTER_KEY_FILE: the file cannot be read (ENOENT)'],
    [
      { MASTER_KEY: key(1), BANK_KEY: '', BANK_KEYS: `2:${'k'.repeat(32)},1:short` },
      'BANK_KEYS: version 1 must be at least 32 bytes in live (openssl rand -base64 32)',
    ],
  ] as const)
    expect(refusals(keyed(more))).toEqual([sentence])
})

test('CONNECTORS: more banks, each with a key of its own; what is wrong is said', () => {
  const two = {
    ...{ CONNECTORS: 'nibss=https://nibss.example/,easy-pay=https://easy.example/a=b' },
    ...{ CONNECTOR_NIBSS_KEY: 'n'.repeat(32), CONNECTOR_EASY_PAY_KEY: 'e'.repeat(32) },
  }
  const { connectors, keys } = readConfig({ ...LIVE, ...two })
  expect(connectors).toEqual([
    { name: 'nibss', url: 'https://nibss.example' },
    { name: 'easy-pay', url: 'https://easy.example/a=b' },
  ])
  expect([...keys.connectors.keys()]).toEqual(['nibss', 'easy-pay'])

  const form =
    'CONNECTORS must be of the form nibss=https://…,providus=https://…, with names of small letters and digits'
  for (const [more, sentence] of [
    [{ CONNECTORS: 'nibss=https://nibss.example,nibss=https://other.example' }, 'CONNECTORS gives a name twice'],
    [{ CONNECTORS: 'nibss=http://nibss.example' }, 'CONNECTORS: nibss must be https in live'],
    [{ CONNECTOR_NIBSS_KEY: 'e'.repeat(32) }, 'two connectors must not have the same key'],
    [{ CONNECTOR_NIBSS_KEY: LIVE.BANK_KEY }, 'two connectors must not have the same key'],
    [{ CONNECTOR_NIBSS_KEY: undefined }, 'CONNECTOR_NIBSS_KEY is missing'],
    [
      { CONNECTOR_NIBSS_KEY: undefined, CONNECTOR_NIBSS_KEYS: `2:${'n'.repeat(32)},1:short` },
      'CONNECTOR_NIBSS_KEYS: version 1 must be at least 32 bytes in live (openssl rand -base64 32)',
    ],
    [
      { CONNECTORS: 'bank=https://b.example', CONNECTOR_BANK_KEY: 'b'.repeat(32) },
      'CONNECTORS must not name bank: that is the one at BANK_URL',
    ],
  ] as const)
    expect(refusals({ ...LIVE, ...two, ...more })).toEqual([sentence])
  for (const CONNECTORS of ['NIBSS=https://n.example', 'n=https://n.example', 'nibss=nibss.example', 'nibss'])
    expect(refusals({ ...LIVE, ...two, CONNECTORS })).toContain(form)
})

test('mutual TLS: three files for a connector, or none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-config-'))
  const [own, other] = [makeCertificate({ name: 'gateway' }), makeCertificate({ name: 'other' })]
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const bank = {
    BANK_CERTIFICATE_FILE: file('cert.pem', own.cert),
    BANK_CERTIFICATE_KEY_FILE: file('key.pem', own.key),
    BANK_AUTHORITY_FILE: file('ca.pem', other.authority),
  }
  try {
    expect(readConfig(LIVE).certificates.size).toBe(0)
    expect(readConfig({ ...LIVE, ...bank }).certificates.get('bank')).toEqual({
      ...{ cert: own.cert, key: own.key, ca: other.authority },
    })
    const named = { CONNECTORS: 'nibss=https://n.example', CONNECTOR_NIBSS_KEY: 'n'.repeat(32) }
    const all = 'CERTIFICATE_FILE CERTIFICATE_KEY_FILE AUTHORITY_FILE'
      .split(' ')
      .map((part) => `CONNECTOR_NIBSS_${part}`)
    for (const [more, sentence] of [
      [
        { ...named, CONNECTOR_NIBSS_AUTHORITY_FILE: bank.BANK_AUTHORITY_FILE },
        `${all.join(', ')} must be set together`,
      ],
      [{ ...bank, BANK_AUTHORITY_FILE: '/nowhere' }, 'BANK_AUTHORITY_FILE: the file cannot be read (ENOENT)'],
      [
        { ...bank, BANK_CERTIFICATE_KEY_FILE: file('other.pem', other.key) },
        'BANK_CERTIFICATE_KEY_FILE is not the key of BANK_CERTIFICATE_FILE',
      ],
      [
        { ...bank, BANK_CERTIFICATE_FILE: bank.BANK_CERTIFICATE_KEY_FILE },
        'BANK_CERTIFICATE_FILE, CERTIFICATE_KEY_FILE and AUTHORITY_FILE must be PEM files',
      ],
    ] as const)
      expect(refusals({ ...LIVE, ...more })).toEqual([sentence])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
