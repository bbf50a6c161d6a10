// Where the keys come from: options before the environment, the environment before a sandbox in this folder
// or above.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findCredentials, findSecretKey } from './config.ts'

const HANDLE = {
  apiUrl: 'http://127.0.0.1:4567',
  merchants: {
    main: { apiKey: 'main-api', secretKey: 'main-secret' },
    other: { apiKey: 'other-api', secretKey: 'other-secret' },
  },
}
const ENV = { COWRIE_URL: 'http://env.test', COWRIE_API_KEY: 'env-api', COWRIE_SECRET_KEY: 'env-secret' }
let root = ''
let below = ''
let empty = ''

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cowrie-cli-'))
  below = join(root, 'sandbox', 'deep', 'deeper')
  empty = join(root, 'empty')
  mkdirSync(below, { recursive: true })
  mkdirSync(empty)
  mkdirSync(join(root, 'sandbox', '.cowrie'))
  writeFileSync(join(root, 'sandbox', '.cowrie', 'handle.json'), JSON.stringify(HANDLE))
})
afterAll(() => rmSync(root, { recursive: true }))

test('the merchant main of a sandbox in a folder above', () => {
  const found = { url: 'http://127.0.0.1:4567', apiKey: 'main-api', secretKey: 'main-secret' }
  expect(findCredentials({}, {}, below)).toMatchObject(found)
})

test('--merchant chooses another; one that is not there is a wrong use', () => {
  expect(findCredentials({ merchant: 'other' }, {}, below)).toMatchObject({ apiKey: 'other-api' })
  expect(() => findCredentials({ merchant: 'nobody' }, {}, below)).toThrow('no merchant "nobody"')
})

test('the environment goes before the sandbox, options before the environment, each for itself', () => {
  const env = { url: 'http://env.test', apiKey: 'env-api', secretKey: 'env-secret' }
  expect(findCredentials({}, ENV, below)).toMatchObject(env)
  const options = { url: 'https://live.test/', secretKey: 'mine' }
  expect(findCredentials(options, ENV, below)).toMatchObject({ ...env, url: 'https://live.test', secretKey: 'mine' })
})

test('keys without an address go to the sandbox of the folder, or to the address a sandbox has by itself', () => {
  const keys = { apiKey: 'a', secretKey: 's' }
  expect(findCredentials(keys, {}, below).url).toBe('http://127.0.0.1:4567')
  expect(findCredentials(keys, {}, empty).url).toBe('http://127.0.0.1:4000')
})

test.each([
  ['nothing', {}, {}, 'cowrie sandbox'],
  ['the API key alone', { apiKey: 'a' }, {}, 'give --secret-key'],
  ['the secret key alone', {}, { COWRIE_SECRET_KEY: 's' }, 'give --api-key'],
  ['empty variables', {}, { COWRIE_API_KEY: '', COWRIE_SECRET_KEY: '' }, 'cowrie sandbox'],
  ['an address that is none', { url: 'localhost', apiKey: 'a', secretKey: 's' }, {}, 'is not a gateway address'],
])('with %s: exit code 2 and what to do', (_, options, env, words) => {
  expect(() => findCredentials(options, env, empty)).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining(words) }),
  )
})

test('who only signs needs the secret key alone: from the options, the environment, or the sandbox', () => {
  expect(findSecretKey({ secretKey: 'mine' }, ENV, below).secretKey).toBe('mine')
  expect(findSecretKey({}, { COWRIE_SECRET_KEY: 's' }, below).secretKey).toBe('s')
  expect(findSecretKey({ merchant: 'other' }, {}, below).secretKey).toBe('other-secret')
  expect(() => findSecretKey({}, { COWRIE_SECRET_KEY: '' }, empty)).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining('give --secret-key') }),
  )
})

test('a handle that cannot be read is said, not passed over', () => {
  const folder = join(root, 'broken')
  mkdirSync(join(folder, '.cowrie'), { recursive: true })
  writeFileSync(join(folder, '.cowrie', 'handle.json'), '{')
  expect(() => findCredentials({}, {}, folder)).toThrow('handle.json could not be read')
})
