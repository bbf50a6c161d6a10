// A merchant's life in a test: somebody at the operator's, a second one, an application with its documents,
// and the link in the mail.

import { REQUIRED_DOCUMENTS } from '@cowrie/contract/access/merchants'
import { expect } from 'vitest'
import { parseApplication } from '#kit/ids.ts'
import { advance, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'
import { actorOf, approveAs, type Doing, doAct } from './acts.ts'

export const bola = actorOf('operator', 'operations', 'bola@operator.example')
export const sade = actorOf('operator', 'operations', 'sade@operator.example')

export const application = (over: object = {}) => ({
  name: 'Jos Potteries',
  email: `${unique('owner')}@jos.example`,
  registrationNumber: 'RC 1234567',
  address: '4 Rayfield Road, Jos',
  website: 'https://jos.example',
  contact: 'Hauwa Musa, +234 803 123 4567',
  expectedMonthlyNaira: 5_000_000,
  ...over,
})

export const refusal = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'done',
    (error: { code?: string; message?: string }) => error.code ?? error.message ?? 'failed',
  )

/** An act that two people do. */
export async function byTwo(h: Harness, act: string, doing: Doing): Promise<any> {
  const { outcome, reference } = await doAct(h, bola, act, doing)
  expect(outcome).toBe('WAITING')
  return (await approveAs(h, sade, reference)).reply.reply
}

export async function applied(
  h: Harness,
  cell?: string,
): Promise<{ application: string; cell: string; email: string }> {
  const input = application()
  const { reply } = await doAct(h, bola, 'merchants.apply', { input, ...(cell ? { cell } : {}) })
  return { ...reply, email: input.email }
}
export async function accept(h: Harness, reference: string): Promise<void> {
  for (const kind of REQUIRED_DOCUMENTS) {
    const input = { application: reference, kind, state: 'ACCEPTED', digest: 'a'.repeat(64) }
    await doAct(h, bola, 'merchants.document', { input })
  }
}
export async function reviewed(h: Harness, cell?: string) {
  const made = await applied(h, cell)
  await accept(h, made.application)
  await doAct(h, bola, 'merchants.review', { input: { application: made.application } })
  return made
}
export const LIVE = { addresses: ['127.0.0.0/8', '::1/128'], requestsPerSecond: 1000 }
export async function wentLive(h: Harness, cell = '01') {
  const made = await reviewed(h, cell)
  const live = await byTwo(h, 'merchants.golive', { input: { application: made.application, ...LIVE } })
  return { ...made, ...live, id: parseApplication(made.application)?.id ?? 0n } as typeof made & {
    id: bigint
    apiKey: string
    contractCode: string
    walletNumber: string
  }
}

/** The token of the newest mail with a link. */
export async function tokenFor(h: Harness, whose: { cell: string; id: bigint; email: string }): Promise<string> {
  await advance(h, 1)
  const mails = (await h.gateway.ctx.simulator?.mails(whose, whose.email)) ?? []
  const links = mails.flatMap(({ text }) => /\/keys\/([0-9a-f]{66})\b/.exec(text)?.[1] ?? [])
  return links[0] ?? expect.fail('no mail with a link')
}
export const openLink = (h: Harness, token: string, method = 'POST') => h.call(method, `/keys/${token}`)
export const keysIn = (page: string): { apiKey: string; secretKey: string } => {
  const [apiKey = '', secretKey = ''] = [...page.matchAll(/<dd>([^<]+)<\/dd>/g)].map(([, text = '']) => text)
  return { apiKey, secretKey }
}
export const suspendIt = (h: Harness, merchant: TestMerchant) => doAct(h, bola, 'merchants.suspend', { merchant })
