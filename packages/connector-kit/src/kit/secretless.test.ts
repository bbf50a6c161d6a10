// Most of this is held by the compiler: `npm run types` fails when one of the marked lines is not a fault any
// more.
import type {
  CardAuthorisation,
  CreditNotice,
  IdentityAsked,
  PayoutOrder,
  RawCard,
} from '@cowrie/contract/bank/connector'
import { expect, test } from 'vitest'
import type { Storable } from './secretless.ts'

type Is<T, Wanted> = [T] extends [Wanted] ? ([Wanted] extends [T] ? true : false) : false
const held = <_T extends true>(): void => undefined

test('what has a field named like a secret cannot be stored, by type', () => {
  held<Is<Storable<PayoutOrder>, PayoutOrder>>()
  held<Is<Storable<CreditNotice>, never>>()
  held<Is<Storable<RawCard>, never>>()
  held<Is<Storable<CardAuthorisation>, never>>()
  held<Is<Storable<IdentityAsked>, never>>()
  // @ts-expect-error a BVN is never stored
  const bad: Storable<{ beneficiaryBvn: string }> = { beneficiaryBvn: '22345678901' }
  expect(bad).toBeDefined()
})
