// Group 13: a clock that is off by less than five minutes is accepted, one that is off by more is not.
import { BANK_PATHS, SIGNATURE_TOLERANCE_SECONDS } from '@cowrie/contract/bank/connector'
import { must } from '../kit/result.ts'
import type { Check, Group } from './group.ts'

/** Nearer to the border the way there would decide. */
const MARGIN_SECONDS = 15

const off = (secondsOff: number, expected: 200 | 401): Check => ({
  name: `a clock ${Math.abs(secondsOff)} s ${secondsOff > 0 ? 'ahead' : 'behind'}`,
  run: async ({ adapter }) => {
    const reply = await adapter.call('GET', BANK_PATHS.self, undefined, { secondsOff })
    must(
      reply?.status === expected,
      `A call signed by a clock that is ${Math.abs(secondsOff)} seconds ${secondsOff > 0 ? 'ahead' : 'behind'} was answered with ${reply?.status ?? 'nothing'}. Expected ${expected}: ${SIGNATURE_TOLERANCE_SECONDS} seconds are allowed in both directions.`,
    )
  },
})

export const clocks: Group = {
  number: 13,
  name: 'clock',
  needs: null,
  checks: () => {
    const inside = SIGNATURE_TOLERANCE_SECONDS - MARGIN_SECONDS
    const outside = SIGNATURE_TOLERANCE_SECONDS + MARGIN_SECONDS
    return [off(inside, 200), off(-inside, 200), off(outside, 401), off(-outside, 401)]
  },
}
