// What is done about settlements: held by one person, released by two; holidays.
import type { addHoliday, holdSettlements, releaseSettlements } from '@cowrie/contract/settlements/operations'
import { type Plan, sends } from '../kit/acting.tsx'

const holdPlan = (merchant: string, name: string): Plan => ({
  word: 'Hold',
  title: `Hold settlements of ${name}`,
  says: 'Of the merchant and its sub accounts, at once. Nothing is lost: it is paid when they are released.',
  permission: 'operator.settlements.hold',
  bad: true,
  done: 'Its settlements are held.',
  send: sends<typeof holdSettlements>('settlements.hold', { merchant }, () => ({})),
})
export const releasePlan = (merchant: string, name: string): Plan => ({
  word: 'Release',
  title: `Release settlements of ${name}`,
  says: 'What was held is in the next run.',
  permission: 'operator.settlements.release',
  two: 'always',
  done: 'Its settlements are released.',
  send: sends<typeof releaseSettlements>('settlements.release', { merchant }, () => ({})),
})
/** On the page of the merchant, whose name stands above. */
export const heldPlans = (merchant: string, name: string): Plan[] => [
  { ...holdPlan(merchant, name), title: 'Hold its settlements' },
  { ...releasePlan(merchant, name), title: 'Release its settlements' },
]

export const holidayPlan = (cells: readonly string[]): Plan => ({
  word: 'Add a holiday',
  title: 'Add a holiday',
  says: 'A day on which T+1 does not pay. One of the next two working days needs a second person.',
  permission: 'operator.calendar.write',
  two: 'sometimes',
  reason: 'optional',
  done: 'The holiday is in the calendar.',
  fields: [
    { name: 'day', label: 'Day', kind: 'date' },
    { name: 'name', label: 'Name', maxLength: 100 },
    ...(cells.length > 1
      ? [
          {
            name: 'cell',
            label: 'Cell',
            kind: 'choice' as const,
            hint: 'Each cell has its calendar: add the day to each.',
            options: cells.map((cell) => ({ value: cell, word: `Cell ${cell}` })),
          },
        ]
      : []),
  ],
  send: (values, reason, attempt) =>
    sends<typeof addHoliday>('holidays.add', { cell: values['cell'] ?? cells[0] ?? '' }, ({ day = '', name = '' }) => ({
      day,
      name,
    }))(values, reason, attempt),
})
