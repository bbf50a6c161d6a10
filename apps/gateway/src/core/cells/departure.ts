// What must be over before a month leaves: each is a question about its rows, and its name says what is
// still open. Features declare theirs (Feature.leaving); here are those about what is core's, and the whole.
// They are asked on one snapshot with the books. $1 and $2 are the first id of the month and the first after
// it, $3 is the first day after it.
import { MACHINES } from '@cowrie/contract'
import { type Declarations, type Leaving, merged, PLACED_LISTS, withinMonth } from '../declarations.ts'

const CORE: Leaving = {
  open: {
    'an event has no number': `select o.event_id from outbox o where ${withinMonth('o.event_id')}`,
    'a posting is not in the roll-ups': `
      select t.id from transfers t where ${withinMonth('t.id')} and t.xid >= (select upto_xid from rollup_horizon)`,
  },
  ahead: [
    `select t.id from transfers t where ${withinMonth('t.id')} and t.object_id >= $2::bigint`,
    `select e.id from events e where ${withinMonth('e.id')} and e.object_id >= $2::bigint`,
  ],
}

export type Departure = {
  /** The machines whose objects stay, and their histories with them. */
  readonly staying: readonly string[]
  readonly openQuestions: Readonly<Record<string, string>>
  /** The last places of batches and invoices of the month; those of payouts and events are in its
   *  partitions. */
  readonly lastPlaces: string
}

/** The last place of each merchant in each list, or zero. */
function lastPlaceStatement(declared: readonly Leaving[]): string {
  const places = merged<string>(
    'the last place in',
    declared.map(({ places = {} }) => places),
  )
  const ofList = (list: string): string => {
    if (places[list] === undefined) throw new Error(`no feature declares the last place in "${list}"`)
    return `select '${list}' as list, ${list}.* from (${places[list]}) ${list}`
  }
  return `
select merchant_id, ${PLACED_LISTS.map((list) => `coalesce(max(place) filter (where list = '${list}'), 0)`).join(', ')}
from (
  ${PLACED_LISTS.map(ofList).join('\n  union all\n  ')}
) x
group by 1`
}

export function planDeparture(features: readonly Declarations[]): Departure {
  const declared = [...features.flatMap(({ leaving = [] }) => leaving), CORE]
  const objects = declared.flatMap(({ objects = [] }) => objects)
  return {
    staying: MACHINES.filter(({ table }) => !objects.includes(table)).map(({ name }) => name),
    lastPlaces: lastPlaceStatement(declared),
    openQuestions: merged('what must be over before a month leaves:', [
      ...declared.map(({ open = {} }) => open),
      {
        'a timer is about something that would leave': `
          select a.subject from agenda a
          where ${withinMonth('a.subject')}
            and (${objects.map((table) => `exists (select from ${table} o where o.id = a.subject)`).join('\n              or ')})`,
        // A process may have been late to begin with the ids of the next month. What is here must not be
        // about less than is here.
        'a row is about something of a later month': declared.flatMap(({ ahead = [] }) => ahead).join('\nunion all\n'),
      },
    ]),
  }
}
