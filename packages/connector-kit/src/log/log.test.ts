import { describe, expect, test } from 'vitest'
import { isLuhn, withoutCards } from '../kit/secretless.ts'
import { createLog, type LogParts } from './log.ts'

const AT = new Date('2026-11-18T02:00:00Z')
function logging(more: Partial<LogParts> = {}) {
  const lines: string[] = []
  const log = createLog({ name: 'providus', clock: { now: () => AT }, write: (line) => void lines.push(line), ...more })
  return { log, lines, all: () => lines.join('') }
}

describe('a line', () => {
  test('is one line of JSON, with time, level, name and message', () => {
    const { log, lines } = logging()
    log.info({ sessionId: '000013261118020500000000000001', amount: '12500.50', attempts: 3 }, 'sent\nagain')
    log.warn({ level: 'info', time: 'then', big: 9_007_199_254_740_993n, at: AT, none: undefined }, 'x')
    expect(lines.every((line) => line.endsWith('\n') && !line.slice(0, -1).includes('\n'))).toBe(true)
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        ...{ sessionId: '000013261118020500000000000001', amount: '12500.50', attempts: 3 },
        ...{ time: '2026-11-18T02:00:00.000Z', level: 'info', name: 'providus', message: 'sent\nagain' },
      },
      {
        ...{ big: '9007199254740993', at: '2026-11-18T02:00:00.000Z', none: null },
        ...{ time: '2026-11-18T02:00:00.000Z', level: 'warn', name: 'providus', message: 'x' },
      },
    ])
  })

  test('is written whatever it is given', () => {
    const { log, lines } = logging()
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    const hostile = {
      get trap(): string {
        throw new Error('do not read me')
      },
    }
    for (const fields of [
      circle,
      hostile,
      { f: () => 1, s: Symbol('x'), d: new Date('x'), m: new Map([['pin', '1234']]) },
    ])
      log.error(fields, 'odd')
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 'error', message: 'odd' })
    expect(lines.join('')).not.toContain('1234')
  })
})

describe('the canary: none of these is ever written', () => {
  const CARDS = [
    '5531886652142950',
    '4084084084084081',
    '5060666666666666666',
    '4084 0840 8408 4081',
    '4084-0840-8408-4081',
  ]
  const IDENTITIES = ['22345678901', '12345678912']
  const SECRET = 'sk_live_9f8e7d6c5b4a'
  /** Every place in which a secret could stand. */
  const places = (secret: string): readonly Record<string, unknown>[] => [
    { text: secret },
    { text: `before ${secret} after` },
    { text: `{"number":"${secret}"}` },
    { list: [{ deep: { deeper: [secret] } }] },
    { [secret]: 1 },
    { error: new Error(`refused ${secret}`) },
    { error: new Error('outer', { cause: new Error(`inner ${secret}`) }) },
    { url: `https://bank.example/x?number=${secret}` },
    { set: new Set([secret]), map: new Map([['x', secret]]) },
  ]

  test.each([...CARDS, ...IDENTITIES])('%s, wherever it stands', (secret) => {
    const { log, all } = logging()
    for (const fields of places(secret)) log.info(fields, 'x')
    log.error({}, `message with ${secret}`)
    if (/^\d{1,15}$/.test(secret)) log.info({ number: Number(secret), big: BigInt(secret) }, 'as a number')
    expect(all()).not.toContain(secret)
  })

  test('a secret of the adapter by its value, wherever it stands, also one that was read later', () => {
    const secrets: string[] = []
    const { log, all } = logging({ secrets: () => secrets })
    secrets.push(SECRET)
    for (const fields of places(SECRET)) log.info(fields, `with ${SECRET}`)
    expect(all()).not.toContain(SECRET)
    expect(all()).toContain('[redacted]')
  })

  test.each([
    ...['authorization', 'Authorization', 'Proxy-Authorization', 'cookie', 'set-cookie', 'cowrie-signature'],
    ...['x-api-key', 'api_key', 'password', 'clientSecret', 'access_token', 'pin', 'cvv', 'otp', 'bvn', 'nin'],
    ...['X-Auth-Signature', 'bankPassphrase'],
  ])('a field that is called %s, nested and in a list of headers', (name) => {
    const { log, all } = logging({ secretNames: ['x-auth-signature', 'bank_passphrase'] })
    log.info({ [name]: 'canary', headers: { [name]: 'canary' }, raw: ['host', 'bank', name, 'canary'] }, 'x')
    log.info({ answer: { [name]: { inside: 'canary' } } }, 'x')
    expect(all()).not.toContain('canary')
  })

  test.each([
    'Authorization: Bearer canary.canary-canary',
    'authorization: basic Y2FuYXJ5OmNhbmFyeQ==',
    'postgres://adapter:canary@db.example:5432/kit',
    'https://login:canary@bank.example/v1',
  ])('credentials in a text: %s', (text) => {
    const { log, all } = logging()
    log.error({ text, error: new Error(text) }, text)
    expect(all()).not.toMatch(/canary|Y2FuYXJ5/)
  })
})

describe('what is not a secret stays', () => {
  test.each([
    '000013261118020500000000000001',
    '0123456789',
    '2026-11-18T02:00:00.000Z',
    '12500.50',
    '1234567890123456789012345',
    'CWPC-013f0c9be2d14a7781c5e6ab90d24f17',
    '5531886652142951', // not a card number: its check digit is wrong
  ])('%s', (text) => {
    const { log, all } = logging()
    log.info({ text }, 'x')
    expect(all()).toContain(text)
  })

  test('the check digit', () => {
    expect(isLuhn('4084084084084081')).toBe(true)
    expect(isLuhn('4084084084084082')).toBe(false)
    expect(withoutCards('a 4084084084084081, b 40840840840840811')).toBe('a [card number], b 40840840840840811')
  })
})
