// An owner of a merchant, for alarms about people: the person and two sessions are written by SQL, and what
// they do is done over HTTP.
import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { createPasswords } from '../../../apps/gateway/src/features/access/people/factors/passwords.ts'

type Answer = { readonly status: number }
export type Owner = {
  /** As anybody. */
  logIn(email: string, password: string): Promise<Answer>
  /** After the right password. */
  code(code: string): Promise<Answer>
  /** Another owner is invited, and accepts. */
  invite(): Promise<Answer>
  export(): Promise<Answer>
}

/** The clock of the sandbox may have been moved: these live long enough. */
const LATER = `now() + interval '2 hours'`
const token = (): { readonly text: string; readonly digest: Buffer } => {
  const text = randomBytes(32).toString('hex')
  return { text, digest: createHash('sha256').update(text).digest() }
}

export async function openOwner(client: pg.Client, apiUrl: string, cell: string, apiKey: string): Promise<Owner> {
  const { rows } = await client.query('select id from merchants where api_key = $1', [apiKey])
  const merchantId = rows[0]?.id
  const [whole, half] = [token(), token()]
  const password = await createPasswords(10).digest('seven yellow danfo buses', 'known')
  await client.query(
    `insert into people (id, email, name, password_digest, has_passkey, created_at) values (101, 'owner@adire.example', 'Owner', $1, true, now())`,
    [password],
  )
  await client.query(
    `insert into memberships (id, person_id, merchant_cell, member_of, role, created_at, created_by, managed) values (102, 101, $1, $2, 'owner', now(), 'a test', true)`,
    [cell, merchantId],
  )
  for (const [id, { digest }, isHalf] of [
    [103, whole, false],
    [104, half, true],
  ] as const)
    await client.query(
      `insert into sessions (id, person_id, membership_id, side, digest, half, created_at, used_at, proved_at, ends_at, device, address)
       values ($1, 101, 102, 'merchant', $2, $3, now(), ${LATER}, case when $3 then null else ${LATER} end, now() + interval '1 day', 'a test', '127.0.0.1')`,
      [id, digest, isHalf],
    )
  const ask = async (method: string, path: string, session: string | null, body?: object): Promise<Answer> => {
    const answer = await fetch(`${apiUrl}/dashboard/v1/${path}`, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(session === null ? {} : { authorization: `Session ${session}` }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    await answer.arrayBuffer()
    return answer
  }
  return {
    logIn: (email, given) => ask('POST', 'log-in', null, { email, password: given, asToken: true }),
    code: (code) => ask('POST', 'log-in/code', half.text, { code }),
    invite: async () => {
      const { text, digest } = token()
      await client.query(
        `insert into invitations (id, email, name, merchant_cell, member_of, role, resets, digest, invited_by, created_at, expires_at)
         values (105, 'second@adire.example', 'Second', $1, $2, 'owner', false, $3, 'owner@adire.example', now(), now() + interval '3 days')`,
        [cell, merchantId, digest],
      )
      return ask('POST', 'invitations/accept', null, { token: text, password: 'seven yellow danfo buses' })
    },
    export: () => ask('GET', 'exports/payments.csv', whole.text),
  }
}
