// People for tests, over HTTP: a browser with its cookies, a person who was invited and has a password, an
// authenticator app.

import type { MerchantRole, OperatorRole, Side } from '@cowrie/contract/kit/permissions'
import { type Secret, type TOTP, URI } from 'otpauth'
import { engineTx } from '#core/cells/cells.ts'
import { sendPeopleMails } from '#features/access/people/known/people-mails.ts'
import { peopleCell } from '#features/access/people/known/persons.ts'
import { invite, takeInvitationIds } from '#features/access/people/team.ts'
import type { Statement } from '#kit/ctx.ts'
import type { Harness, TestMerchant } from '../kit/harness.ts'

export const PASSWORD = 'seven yellow danfo buses'

export type Answered = { readonly status: number; readonly json: any; readonly headers: Headers; readonly code: string }

/** Keeps cookies as a browser does, and says as one where a request comes from. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly side: Side
  readonly base: string
  constructor(h: Pick<Harness, 'apiUrl' | 'operatorUrl'>, side: Side, base?: string) {
    this.side = side
    this.base =
      (base ?? (side === 'operator' ? h.operatorUrl : h.apiUrl)) +
      (side === 'operator' ? '/operator/v1' : '/dashboard/v1')
  }
  get cookie(): string {
    return this.cookies.get(this.side === 'operator' ? '__Host-cowrie-op' : '__Host-cowrie') ?? ''
  }
  async ask(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string | null> = {},
  ): Promise<Answered> {
    const sent: Record<string, string> = {
      'sec-fetch-site': 'same-origin',
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    }
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) delete sent[name]
      else sent[name] = value
    }
    const answer = await fetch(`${this.base}/${path}`, {
      method,
      headers: sent,
      ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const text = await answer.text()
    const json = text.startsWith('{') ? JSON.parse(text) : undefined
    return { status: answer.status, json, headers: answer.headers, code: json?.problem?.code ?? '' }
  }
  post = (path: string, body?: object, headers?: Record<string, string | null>) => this.ask('POST', path, body, headers)
  get = (path: string, headers?: Record<string, string | null>) => this.ask('GET', path, undefined, headers)
  act = (id: string, input: object, more: object = {}) =>
    this.post(`acts/${id}`, { input, reason: 'a test wants it', ...more })
  logIn = (email: string, password = PASSWORD, more: object = {}) => this.post('log-in', { email, password, ...more })
}

const SEASONED: Statement = {
  name: 'test_seasoned',
  text: 'update memberships set approves_from = null where person_id = (select id from people where email = $1)',
}
/** Somebody with a password, who has not logged in. `merchant`: one of its people; else an operator. They
 *  approve as if they had come days ago, but for `fresh` ones. */
export async function newPerson(
  h: Harness,
  role: MerchantRole | OperatorRole,
  { merchant, email, fresh = false }: { merchant?: TestMerchant; email: string; fresh?: boolean },
): Promise<{ email: string; invitation: string }> {
  const { ctx } = h.gateway
  const where = merchant ? { cell: merchant.cell, id: merchant.id } : null
  const ids = await takeInvitationIds(ctx)
  const { token } = await engineTx(ctx, peopleCell(ctx).id, (t) =>
    invite(t, { ids, email, name: `Somebody ${role}`, where, role, by: 'a test' }),
  )
  const browser = new Browser(h, merchant ? 'merchant' : 'operator')
  const answer = await browser.post('invitations/accept', { token, password: PASSWORD })
  if (answer.status !== 200) throw new Error(`not accepted: ${JSON.stringify(answer.json)}`)
  if (!fresh) await engineTx(ctx, peopleCell(ctx).id, (t) => t.query(SEASONED, [email]))
  return { email, invitation: token }
}

/** An authenticator app with the seed of an address. `ahead`: the code of so many steps later. */
export function codeOf(uri: string, ahead = 0): string {
  const totp = URI.parse(uri) as TOTP
  return totp.generate({ timestamp: Date.now() + ahead * 30_000 })
}
export const seedOf = (uri: string): string => ((URI.parse(uri) as TOTP).secret as Secret).base32

/** Sets up an authenticator app; the session is proved afterwards. */
export async function enrol(browser: Browser): Promise<{ uri: string; code: string; recoveryCodes: string[] }> {
  const started = await browser.post('totp/start', { password: PASSWORD })
  if (started.status !== 200) throw new Error(`not started: ${JSON.stringify(started.json)}`)
  const { uri } = started.json.responseBody
  const code = codeOf(uri)
  const confirmed = await browser.post('totp/confirm', { code })
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${JSON.stringify(confirmed.json)}`)
  return { uri, code, recoveryCodes: confirmed.json.responseBody.recoveryCodes }
}

/** An operator who is in, with a second factor. */
export async function operatorIn(h: Harness, role: OperatorRole, email: string, fresh = false) {
  await newPerson(h, role, { email, fresh })
  const browser = new Browser(h, 'operator')
  await browser.logIn(email)
  return { browser, email, ...(await enrol(browser)) }
}

/** What was mailed to somebody, the newest first. */
export async function mailsTo(h: Harness, email: string): Promise<{ subject: string; text: string }[]> {
  const { ctx } = h.gateway
  await sendPeopleMails(ctx)
  return (await ctx.simulator?.mails({ cell: peopleCell(ctx).id, id: 0n }, email)) ?? []
}
