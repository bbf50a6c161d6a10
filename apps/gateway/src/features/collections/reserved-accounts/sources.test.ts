import { BANKS } from '@cowrie/contract/bank/banks'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deriveKeys } from '#kit/crypto.ts'
import { allows, identityDigest, nameKey, type Sources } from './sources.ts'

const keys = deriveKeys([{ version: 1, key: Buffer.alloc(32, 7) }])
const NOBODY: Sources = { restricted: true, allowed_bvns: [], allowed_accounts: '[]', allowed_names: [] }
const UNLISTED = { bankCode: '044', accountNumber: '2034457777', name: 'STRANGE SENDER' }

const word = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('A', 'B', 'C', 'D', 'E') })
const words = fc.array(word, { minLength: 1, maxLength: 5 })
const digits = (count: number) => fc.nat(10 ** count - 1).map((number) => String(number).padStart(count, '0'))
const eleven = fc.tuple(digits(6), digits(5)).map((parts) => parts.join(''))
const ten = fc.tuple(digits(5), digits(5)).map((parts) => parts.join(''))
const bank = fc.constantFrom(...BANKS.map(({ code, nipBankCode }) => ({ code, network: nipBankCode ?? code })))

test('an account that is not restricted takes money from anybody', () => {
  expect(allows({ ...NOBODY, restricted: false }, UNLISTED)).toBe(true)
  expect(allows(NOBODY, UNLISTED)).toBe(false)
})

test('a name is the same in any case, order and punctuation, and with any spaces', () => {
  const dressed = fc
    .tuple(words, fc.infiniteStream(fc.constantFrom(' ', '  ', ', ', '-', ' . ', '\t')))
    .chain(([list, glue]) =>
      fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }).map((order) => ({
        list,
        text: order.reduce((text, one, at) => `${text}${glue.next().value}${at % 2 ? one.toLowerCase() : one}`, ''),
      })),
    )
  fc.assert(
    fc.property(dressed, ({ list, text }) => {
      expect(allows({ ...NOBODY, allowed_names: [list.join(' ')] }, { ...UNLISTED, name: text })).toBe(true)
    }),
  )
})

test('a name with a word more, a word less, a word twice or another word is another name', () => {
  fc.assert(
    fc.property(words, word, (list, other) => {
      const row = { ...NOBODY, allowed_names: [list.join(' ')] }
      const by = (name: string) => allows(row, { ...UNLISTED, name })
      expect(by([...list, other].join(' '))).toBe(false)
      expect(by(list.slice(1).join(' '))).toBe(false)
      expect(by([...list, ...list].join(' '))).toBe(false)
      expect(by([...list.slice(1), `${list[0]}Z`].join(' '))).toBe(false)
      expect(by(list.join(''))).toBe(list.length === 1)
    }),
  )
})

test('accents and apostrophes are no words; a name without any word is nobody’s', () => {
  expect(nameKey('Ọlá O’Neil')).toBe(nameKey('ONEIL, ola'))
  expect(allows({ ...NOBODY, allowed_names: ['---', ' '] }, { ...UNLISTED, name: '. .' })).toBe(false)
})

test('a bank account is allowed by either code of its bank, and no other account is', () => {
  fc.assert(
    fc.property(bank, ten, ten, fc.boolean(), fc.boolean(), (at, number, other, byNetwork, paidByNetwork) => {
      const row = {
        ...NOBODY,
        allowed_accounts: JSON.stringify([{ bankCode: byNetwork ? at.network : at.code, accountNumber: number }]),
      }
      const bankCode = paidByNetwork ? at.network : at.code
      expect(allows(row, { ...UNLISTED, bankCode, accountNumber: number })).toBe(true)
      expect(allows(row, { ...UNLISTED, bankCode, accountNumber: other })).toBe(other === number)
      const elsewhere = BANKS.find((one) => one.code !== at.code)?.code ?? ''
      expect(allows(row, { ...UNLISTED, bankCode: elsewhere, accountNumber: number })).toBe(false)
    }),
  )
})

test('a bvn is allowed by its digest alone; without one, with another, or of the other register it is not', () => {
  fc.assert(
    fc.property(eleven, eleven, (bvn, other) => {
      const row = { ...NOBODY, allowed_bvns: [identityDigest(keys, bvn)] }
      expect(allows(row, { ...UNLISTED, bvnDigest: identityDigest(keys, bvn) })).toBe(true)
      expect(allows(row, { ...UNLISTED, bvnDigest: identityDigest(keys, other) })).toBe(bvn === other)
      expect(allows(row, { ...UNLISTED, bvnDigest: identityDigest(keys, bvn, 'NIN') })).toBe(false)
      expect(allows(row, UNLISTED)).toBe(false)
    }),
  )
})

test('a digest depends on the key', () => {
  const others = deriveKeys([{ version: 1, key: Buffer.alloc(32, 8) }])
  expect(identityDigest(keys, '22222222222').equals(identityDigest(others, '22222222222'))).toBe(false)
})
