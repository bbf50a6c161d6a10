// A process that dies in the middle of its work.
import type { Harness } from './harness.ts'

/** Every row that is written to a table of cell 01 fails, as if the process died there. */
export async function dyingAt(h: Harness, table: string, work: () => Promise<void>): Promise<void> {
  await h.sql(
    '01',
    `create function boom() returns trigger language plpgsql as $$ begin raise exception 'died here'; end $$`,
  )
  await h.sql('01', `create trigger boom before insert on ${table} for each row execute function boom()`)
  try {
    await work()
  } finally {
    await h.sql('01', 'drop function boom() cascade')
  }
}
