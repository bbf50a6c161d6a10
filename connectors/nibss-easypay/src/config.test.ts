import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../test/processes.ts'
import { readConfig } from './config.ts'

const places = {
  databaseUrl: 'postgres://adapter@db/adapter',
  gatewayUrl: 'https://gateway.example',
  nibssUrl: 'https://nibss.example/',
}
const KEYS = ['the first key, with a comma in it', 'the second key of the two']
const env = settings(places, KEYS)

test('what is left out has a default', () => {
  expect(readConfig(env)).toMatchObject({
    schema: 'nibss_easypay',
    host: '127.0.0.1',
    bankName: 'NIBSS EasyPay',
    keys: KEYS,
    nibss: {
      url: 'https://nibss.example',
      tokenUrl: 'https://nibss.example/reset',
      scope: `${env['NIBSS_CLIENT_ID']}/.default`,
      channel: '7',
      balanceMandate: env['NIBSS_MANDATE'],
    },
  })
})

test('a secret may be in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nibss-'))
  try {
    await writeFile(join(folder, 'secret'), 'from the file\n')
    const { NIBSS_CLIENT_SECRET: _, ...rest } = env
    const config = readConfig({ ...rest, NIBSS_CLIENT_SECRET_FILE: join(folder, 'secret') })
    expect(config.nibss.clientSecret).toBe('from the file')
  } finally {
    await rm(folder, { recursive: true })
  }
})

const NEEDED = [
  ...['DATABASE_URL', 'GATEWAY_URL', 'CONNECTOR_KEY', 'NIBSS_ENVIRONMENT', 'BANK_CODE', 'NIBSS_URL', 'NIBSS_CLIENT_ID'],
  ...['NIBSS_CLIENT_SECRET', 'NIBSS_INSTITUTION_CODE', 'NIBSS_LOCATION', 'NIBSS_BILLER_ID', 'NIBSS_MANDATE'],
  ...['NIBSS_ACCOUNT_INSTITUTION', 'NIBSS_ACCOUNT_NUMBER', 'NIBSS_ACCOUNT_NAME', 'NIBSS_ACCOUNT_BVN'],
]
test.each(NEEDED)('without %s it does not start', (name) => {
  const { [name]: _, ...rest } = env
  expect(() => readConfig(rest)).toThrow(`${name} is missing: `)
})

test.each([
  ['NIBSS_URL', 'http://nibss.example', 'must be https'],
  ['NIBSS_URL', 'nibss.example', 'is not right: the address of the interface'],
  ['NIBSS_URL', 'https://a:b@nibss.example', 'is not right: the address of the interface'],
  ['NIBSS_TOKEN_PATH', 'reset', 'which begins with /'],
  ['GATEWAY_URL', 'http://gateway.example', 'must be https'],
  ['CONNECTOR_KEY', 'short', 'a key has at least 16 characters'],
  ['NIBSS_ENVIRONMENT', 'live', 'is not right: TEST or LIVE'],
  ['NIBSS_INSTITUTION_CODE', '058', 'is not right: the six digits that NIBSS gave'],
  ['NIBSS_CHANNEL', '13', 'is not right: 1 to 12'],
  ['NIBSS_ACCOUNT_NUMBER', '12', 'is not right: ten digits'],
  ['NIBSS_ACCOUNT_BVN', '12', 'is not right: eleven digits'],
  ['PORT', 'x', 'is not right: where the gateway calls'],
  ['ANSWER_SECONDS', '10', 'is not right: 1 to 9'],
  ['CALL_SECONDS', '0', 'is not right: 1 to 99'],
  ['NIBSS_CLIENT_SECRET_FILE', '/nowhere/at/all', 'NIBSS_CLIENT_SECRET and NIBSS_CLIENT_SECRET_FILE are both set'],
])('%s=%s is refused', (name, value, fault) => {
  expect(() => readConfig({ ...env, [name]: value })).toThrow(fault)
})
