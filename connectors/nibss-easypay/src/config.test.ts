import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../test/processes.ts'
import { ConfigError, readConfig } from './config.ts'

const places = {
  databaseUrl: 'postgres://adapter@db/adapter',
  gatewayUrl: 'https://gateway.example',
  nibssUrl: 'https://nibss.example/',
}
const env = settings(places, 'the first key of the two,\nthe second key of the two')

test('what is left out has a default', () => {
  expect(readConfig(env)).toMatchObject({
    schema: 'nibss_easypay',
    host: '127.0.0.1',
    bankName: 'NIBSS EasyPay',
    gatewayKeys: ['the first key of the two', 'the second key of the two'],
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
  ...['DATABASE_URL', 'GATEWAY_URL', 'GATEWAY_KEYS', 'ENVIRONMENT', 'BANK_CODE', 'NIBSS_URL', 'NIBSS_CLIENT_ID'],
  ...['NIBSS_CLIENT_SECRET', 'NIBSS_INSTITUTION_CODE', 'NIBSS_LOCATION', 'NIBSS_BILLER_ID', 'NIBSS_MANDATE'],
  ...['NIBSS_ACCOUNT_INSTITUTION', 'NIBSS_ACCOUNT_NUMBER', 'NIBSS_ACCOUNT_NAME', 'NIBSS_ACCOUNT_BVN'],
]
test.each(NEEDED)('without %s it does not start', (name) => {
  const { [name]: _, ...rest } = env
  expect(() => readConfig(rest)).toThrow(new ConfigError(`${name} is not set.`))
})

test.each([
  ['NIBSS_URL', 'http://nibss.example', 'must be https'],
  ['NIBSS_URL', 'nibss.example', 'must be an address'],
  ['NIBSS_URL', 'https://a:b@nibss.example', 'must be an address without a login and a query'],
  ['NIBSS_TOKEN_PATH', 'reset', 'must begin with /'],
  ['GATEWAY_URL', 'http://gateway.example', 'must be https'],
  ['GATEWAY_KEYS', 'short', 'a key has at least 16 characters'],
  ['ENVIRONMENT', 'live', 'must be LIVE or TEST'],
  ['NIBSS_INSTITUTION_CODE', '058', 'must be the six digits that NIBSS gave'],
  ['NIBSS_CHANNEL', '13', 'must be 1 to 12'],
  ['NIBSS_ACCOUNT_NUMBER', '12', 'must have 10 digits'],
  ['NIBSS_ACCOUNT_BVN', '12', 'must have 11 digits'],
  ['PORT', 'x', 'must be a number'],
  ['ANSWER_SECONDS', '10', 'must be 1 to 9'],
  ['CALL_SECONDS', '0', 'must be 1 to 99'],
  ['NIBSS_CLIENT_SECRET_FILE', '/nowhere/at/all', 'NIBSS_CLIENT_SECRET and NIBSS_CLIENT_SECRET_FILE are both set'],
])('%s=%s is refused', (name, value, fault) => {
  expect(() => readConfig({ ...env, [name]: value })).toThrow(fault)
})
