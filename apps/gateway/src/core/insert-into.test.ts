// What insertInto accepts is a matter of types: each wrong row is one that the compiler must refuse.
import { expect, test } from 'vitest'
import type { Tx } from '#kit/ctx.ts'
import { insertInto, insertStatement } from './insert-into.ts'

test('a statement names the columns in their order, and what follows', () => {
  expect(insertStatement('contracts', ['code', 'merchant_id'], '').text).toBe(
    'insert into contracts (code, merchant_id) values ($1, $2)',
  )
  expect(insertStatement('contracts', ['code'], 'on conflict do nothing').text).toBe(
    'insert into contracts (code) values ($1) on conflict do nothing',
  )
})

test('a name is of one text, and short enough for PostgreSQL', () => {
  const asked = [['a'], ['b'], ['a', 'b'], ['b', 'a']]
  const names = asked.map((columns) => insertStatement('approved_postings', columns, '').name)
  expect(new Set(names).size).toBe(asked.length)
  expect(names.every((name) => name.length < 63)).toBe(true)
  expect(insertStatement('approved_postings', ['a'], '').name).toBe(names[0])
  expect(insertStatement('approved_postings', ['a'], 'returning a').name).not.toBe(names[0])
})

test('an unknown column, a missing one, another type and a value that no constraint lists do not compile', () => {
  const rows = (t: Tx) => [
    insertInto('contracts', t, { code: '1', merchant_id: 2n, name: 'a' }),
    // @ts-expect-error contracts have no kobo
    insertInto('contracts', t, { code: '1', merchant_id: 2n, name: 'a', kobo: 1n }),
    // @ts-expect-error a contract is of a merchant
    insertInto('contracts', t, { code: '1', name: 'a' }),
    // @ts-expect-error ids are bigint
    insertInto('contracts', t, { code: '1', merchant_id: 2, name: 'a' }),
    // @ts-expect-error no constraint lists it
    insertInto('merchant_limits', t, { id: 1n, merchant_id: 2n, kind: 'ALL', valid_from: t.now }),
    // @ts-expect-error no such table
    insertInto('nothing', t, {}),
  ]
  expect(rows).toBeTypeOf('function')
})
