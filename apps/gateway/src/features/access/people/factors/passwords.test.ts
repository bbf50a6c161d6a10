// What is kept of a password, and that it can be made dearer later.
import { expect, test } from 'vitest'
import { isCommon } from './common.ts'
import { createPasswords } from './passwords.ts'

const WORDS = 'five plain words in a row'

test('a digest says what it cost: 2^17, 8 and 1 in live', async () => {
  expect(await createPasswords(17).digest(WORDS, 'known')).toMatch(/^scrypt\$131072\$8\$1\$/)
})

test('a password is known by the cost it was kept with, whatever new ones cost', async () => {
  const [cheap, dear] = [createPasswords(10), createPasswords(11)]
  const digest = await cheap.digest(WORDS, 'known')
  expect(await dear.matches(WORDS, digest, 'known')).toBe(true)
  expect(await dear.matches(`${WORDS}.`, digest, 'known')).toBe(false)
  expect(await dear.matches(WORDS, null, 'known')).toBe(false)
})

test('nobody waits long for a turn: whoever waits in vain is refused, with when to come again, and takes no turn later', async () => {
  const passwords = createPasswords(10)
  const busy = Promise.withResolvers<null>()
  const turns: string[] = []
  const first = passwords.whose(WORDS, () => busy.promise, 'unknown')
  const late = passwords.whose(
    WORDS,
    async () => {
      turns.push('late')
      return null
    },
    'unknown',
  )
  await expect(late).rejects.toMatchObject({ code: 'LOG_IN_LIMITED' })
  busy.resolve(null)
  expect(await first).toBeNull()
  expect(await passwords.matches(WORDS, null, 'unknown')).toBe(false)
  expect(turns).toEqual([])
})

test.each([
  ...[
    'password1234',
    '123456789012',
    'qwertyuiopas',
    '1qaz2wsx3edc',
    'administrator',
    'Monday2026!!',
    'footballfootball',
  ],
  ...['asdfghjklzxcvbnm', '111111111111', 'abcdefghijkl', '210987654321', '!!liverpool99'],
])('everybody tries %s', (password) => {
  expect(isCommon(password)).toBe(true)
})

test.each([
  ...[
    'seven yellow danfo buses',
    'twelve red okada riders',
    'five plain words in a row',
    'tr0ub4dor&3-kilimanjaro',
    'gx7!mQ2#vLp9',
  ],
])('nobody has %s on a list', (password) => {
  expect(isCommon(password)).toBe(false)
})
