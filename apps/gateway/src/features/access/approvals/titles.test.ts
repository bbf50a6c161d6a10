// Lines of the audit trail in words.

import { ROUTES } from '@cowrie/contract'
import { ACTS } from '@cowrie/contract/acts'
import { expect, test } from 'vitest'
import { findTitle } from './titles.ts'

const OWN = [
  'approvals.ask',
  'approvals.expire',
  'operators.first',
  'operators.inviteFirst',
  'operators.inviteAnother',
  'destinations.stop',
  'people.confirmTotp',
]

test('every act, every route and every line of the gateway itself has words; a name from an older version stays as it is', () => {
  for (const what of [...ACTS.map(({ id }) => id), ...ROUTES.map(({ id }) => id), ...OWN])
    expect(findTitle(what), what).not.toBe(what)
  expect(findTitle('merchant.people.confirmTotp')).toMatch(/ /)
  expect(findTitle('team.wave')).toBe('team.wave')
})
