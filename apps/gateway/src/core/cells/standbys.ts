// A commit is answered when a standby has it. A row can be seen before that: after a crash, a shutdown or an
// ended connection the server shows what it had written, although no standby ever got it. Whoever is told of
// such a row is told of something that the next failover takes away. So whoever answers from a row, and not
// by writing one, waits as a commit does: a record of a few bytes is written after the row, and its commit
// waits for the standby, which then has the row too.
//   each new connection waits once: what it sees was there before the crash
//   the repeat of a request, and whoever is told that a reference is used, waits each time
// Without standbys that commits wait for, it is an ordinary commit.
import type { ClientBase } from 'pg'
import type { Statement, Tx } from '#kit/ctx.ts'

/** Anybody may write such a record, nobody reads it, and it changes no row. A transaction that writes
 *  nothing waits for nobody, even if it has a number. */
const CONFIRM: Statement = {
  name: 'standbys_confirm',
  text: `select pg_logical_emit_message(true, 'cowrie', '') is not null as written`,
}

/** In the transaction that answers from a row, or in one after it: it commits when a standby has what was
 *  seen. */
export const confirmSeen = (t: Tx): Promise<unknown> => t.query(CONFIRM, [])

/** On a connection that nobody has used yet. */
export const confirmConnection = (client: ClientBase): Promise<unknown> => client.query(CONFIRM.text)
