import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeCertificate } from '../../../../apps/gateway/test/kit/certificates.ts'
import { adapterSettings, type Environment, readSettings } from './settings.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-settings-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))
const file = (name: string, text: string): string => {
  writeFileSync(join(FOLDER, name), text)
  return join(FOLDER, name)
}

const RIGHT = {
  DATABASE_URL: 'postgres://adapter@db/adapter',
  GATEWAY_URL: 'https://gateway.example/',
  CONNECTOR_KEY: 'one key, with a comma in it',
}
const read = (env: Environment) => readSettings(env, (settings) => adapterSettings(settings, 'bank'))
/** What is wrong, a line each. */
function faultsOf(env: Environment): string[] {
  try {
    read(env)
    return []
  } catch (error) {
    return (error as Error).message.split('\n')
  }
}

test('what is left out has a preset; an address loses the slash at its end', () => {
  expect(read(RIGHT)).toEqual({
    databaseUrl: RIGHT.DATABASE_URL,
    schema: 'bank',
    gatewayUrl: 'https://gateway.example',
    keys: [RIGHT.CONNECTOR_KEY],
    host: '127.0.0.1',
    port: 8090,
  })
})

test('a rotation has two keys, the first one signs; a file is read without its last line end', () => {
  const { CONNECTOR_KEY, ...rest } = RIGHT
  const env = {
    ...rest,
    CONNECTOR_KEY_FILE: file('key', `${CONNECTOR_KEY}\n`),
    CONNECTOR_KEY_BEFORE: 'the one before it',
  }
  expect(read(env).keys).toEqual([CONNECTOR_KEY, 'the one before it'])
})

test('everything that is wrong is said at once, and no value is', () => {
  const faults = faultsOf({
    GATEWAY_URL: 'http://canary.example',
    CONNECTOR_KEY: 'canary',
    PORT: '70000',
    SCHEMA: 'Canary',
    HOST: '127.0.0.1',
    HOST_FILE: '/nowhere/canary',
  })
  expect(faults).toEqual([
    'CONNECTOR_KEY: a key has at least 16 characters.',
    'DATABASE_URL is missing: the PostgreSQL database of this adapter.',
    'SCHEMA is not right: a short name of lower-case letters, digits and _.',
    'GATEWAY_URL must be https.',
    'HOST and HOST_FILE are both set.',
    'HOST_FILE cannot be read.',
    'PORT is too large: where the gateway calls.',
  ])
})

test.each(['ftp://gateway.example', 'gateway.example', 'https://a:b@gateway.example', 'https://gateway.example?a=1'])(
  '%s is no address',
  (GATEWAY_URL) => {
    expect(faultsOf({ ...RIGHT, GATEWAY_URL })).toEqual(['GATEWAY_URL is not right: where the gateway takes notices.'])
  },
)

test('mutual TLS is read from three files; two of them, another key or no PEM are refused', () => {
  const [own, other] = [makeCertificate({ name: 'adapter' }), makeCertificate({ name: 'gateway' })]
  const env = {
    ...RIGHT,
    CERTIFICATE_FILE: file('cert.pem', own.cert),
    CERTIFICATE_KEY_FILE: file('key.pem', own.key),
    AUTHORITY_FILE: file('ca.pem', other.authority),
  }
  expect(read(env).tls).toEqual({ cert: own.cert.trim(), key: own.key.trim(), ca: other.authority.trim() })
  const { AUTHORITY_FILE: _, ...two } = env
  expect(faultsOf(two)).toEqual(['CERTIFICATE, CERTIFICATE_KEY and AUTHORITY must be set together.'])
  expect(faultsOf({ ...env, CERTIFICATE_KEY_FILE: file('other.pem', other.key) })).toEqual([
    'CERTIFICATE_KEY is not the key of CERTIFICATE.',
  ])
  expect(faultsOf({ ...env, CERTIFICATE_FILE: file('canary.pem', 'canary') })).toEqual([
    'CERTIFICATE, CERTIFICATE_KEY and AUTHORITY must be PEM files.',
  ])
})
