// What settlements are called on the screens.
import type { StateTone } from '../../parts/figures.tsx'

const STATES: Readonly<Record<string, readonly [tone: StateTone, word: string]>> = {
  PAYING: ['wait', 'At the bank'],
  COMPLETED: ['good', 'Settled'],
  RETURNED: ['bad', 'Returned'],
}
export const stateWord = (status: string): readonly [tone: StateTone, word: string] => STATES[status] ?? ['off', status]

export const SCHEDULE_WORDS: Readonly<Record<string, string>> = {
  SAME_DAY: 'Every day at 22:00',
  T_PLUS_1: 'At 22:00 of the next working day',
  INSTANT: 'Within seconds',
}

const KINDS: Readonly<Record<string, string>> = {
  COLLECTION: 'Payment',
  RECEIVABLE: 'Became owed',
  RECEIVABLE_COLLECTION: 'Owed, collected',
}
export const kindWord = (kind: string): string =>
  KINDS[kind] ?? `${kind.charAt(0)}${kind.slice(1).toLowerCase().replaceAll('_', ' ')}`
