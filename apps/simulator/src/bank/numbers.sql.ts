// Account numbers that the bank issues, in the order of their serials: an order of them is answered with the
// same ones however often it comes.
import type pg from 'pg'

export const NUMBER_TABLES = `
create table if not exists issued_numbers (
  serial int8 generated always as identity primary key,
  reference text not null,
  account_name text not null
);
alter table issued_numbers add column if not exists withdrawn boolean not null default false;
create index if not exists issued_numbers_of on issued_numbers (reference, serial);
`

export type Issued = { readonly serial: string; readonly account_name: string }

/** Those of an order; issued now, if they were not yet. */
export async function issueOnce(pool: pg.Pool, reference: string, count: number, name: string): Promise<Issued[]> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [reference])
    await client.query(
      `insert into issued_numbers (reference, account_name) select $1, $2 from generate_series(1, $3::int)
       where not exists (select from issued_numbers where reference = $1)`,
      [reference, name, count],
    )
    const { rows } = await client.query<Issued>(
      'select serial::text as serial, account_name from issued_numbers where reference = $1 order by serial',
      [reference],
    )
    await client.query('commit')
    return rows
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

export async function holderOf(pool: pg.Pool, serial: bigint): Promise<string | null> {
  const { rows } = await pool.query<Issued>(
    'select account_name from issued_numbers where serial = $1 and not withdrawn',
    [serial],
  )
  return rows[0]?.account_name ?? null
}

/** False: the bank has issued no such number. */
export async function withdraw(pool: pg.Pool, serial: bigint): Promise<boolean> {
  const { rowCount } = await pool.query('update issued_numbers set withdrawn = true where serial = $1', [serial])
  return rowCount === 1
}
