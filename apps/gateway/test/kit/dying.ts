// A process that dies in the middle of its work.
import type { Harness } from './harness.ts'

const DEATHS = {
  /** The statement fails; the connection lives. */
  fails: `raise exception 'died here'`,
  /** The connection is gone, as when the process was killed. */
  killed: 'perform pg_terminate_backend(pg_backend_pid())',
}

/** Every row that is written to a table of cell 01 fails, as if the process died there. */
export async function dyingAt(
  h: Harness,
  table: string,
  work: () => Promise<void>,
  how: keyof typeof DEATHS = 'fails',
  /** Of which rows. */
  when = 'true',
): Promise<void> {
  // As its owner: the program's own roles may end nobody's connection.
  await h.sql(
    '01',
    `create function boom() returns trigger language plpgsql security definer as $$ begin ${DEATHS[how]}; return new; end $$`,
  )
  await h.sql('01', `create trigger boom before insert on ${table} for each row when (${when}) execute function boom()`)
  try {
    await work()
  } finally {
    await h.sql('01', 'drop function boom() cascade')
  }
}
