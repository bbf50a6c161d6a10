// The invariants of state machines: every history is a path of its machine, with its postings and events.
import { MACHINES } from '@cowrie/contract'
import { listStarts } from '@cowrie/contract/kit/spec'
import { FIRST_WHOLE_DAY, hasLeft, isHere } from '../cells/departed.ts'

const edges = MACHINES.flatMap((m) =>
  m.moves.flatMap((move) => move.from.map((from) => [m.name, move.on, from, move.to])),
)
const edgeList = edges.map((edge) => `(${edge.map((word) => `'${word}'`).join(', ')})`).join(', ')
const starts = MACHINES.flatMap((m) => listStarts(m).map((state) => `('${m.name}', '${state}')`)).join(', ')
const bookKeepers = MACHINES.flatMap((m) =>
  m.moves.filter((move) => move.books).map((move) => `('${m.name}', '${move.on}')`),
).join(', ')
const tellers = MACHINES.flatMap((m) =>
  m.moves.filter((move) => move.emits).map((move) => `('${m.name}', '${move.on}', '${move.emits}')`),
).join(', ')

/** Every object of every machine with the state and version it shows. */
const objects = MACHINES.map(
  (m) =>
    `select '${m.name}' as object, id, status, version, '{${listStarts(m).join(',')}}'::text[] as starts from ${m.table}`,
).join(' union all ')
export const HISTORY_INVARIANTS: Readonly<Record<string, string>> = {
  'history follows the edges of its machine': `
    select object_id from state_changes s
    where (object, action, from_state, to_state) not in (values ${edgeList})`,
  'history has no gaps and each step begins where the last ended': `
    select object_id
    from (
      select object, object_id, version, from_state, lag(to_state) over w as before, row_number() over w as place
      from state_changes
      window w as (partition by object, object_id order by version)
    ) h
    where version <> place + 1
      or (before is not null and before <> from_state)
      or (before is null and (object, from_state) not in (${starts}))`,
  'an object shows its last step': `
    select o.id from (${objects}) o
    where (o.status, o.version) is distinct from coalesce((
      select (s.to_state, s.version) from state_changes s
      where s.object = o.object and s.object_id = o.id
      order by s.version desc limit 1
    ), case when o.status = any(o.starts) then (o.status, 1) end)`,
  'a move that books has its transfer': `
    select s.object_id from state_changes s
    where (s.object, s.action) in (${bookKeepers}) and not exists (select from transfers t where t.id = s.transfer_id)
      and ${isHere('s.transfer_id')}`,
  'a move that tells has its event': `
    select s.object_id from state_changes s
    join (values ${tellers}) as m(object, action, type) using (object, action)
    where not exists (
      select from events e
      where e.object_id = s.object_id and e.object_version = s.version and e.type = m.type
    )
      and not (${hasLeft('s.object_id')} and s.at < ${FIRST_WHOLE_DAY})`,
}
