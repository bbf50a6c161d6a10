// An installation whose only numbers are those that a second bank issues: the bank at BANK_URL reports no
// credits.

import { creditNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { afterAll, beforeEach } from 'vitest'
import { noticeV2, outcomeOf, send, signature } from '../../bank/notices.ts'
import { advance, type Harness, type HarnessOptions, useHarness } from '../../kit/harness.ts'
import type { openSecondApi } from '../../kit/second-api.ts'
import { until } from '../../kit/waiting.ts'
import { SECOND_KEY, type SecondBank, secondBank } from './second-bank.ts'

export const ISSUER = '101'

/** At the top of a test file; before each test both banks answer. */
export function useIssuingBank(options: HarnessOptions = {}): { harness: () => Harness; bank: () => SecondBank } {
  let second: SecondBank
  const harness = useHarness({
    ...options,
    without: ['credits'],
    settings: async ({ apiUrl }) => {
      second = await secondBank(apiUrl, { issues: ISSUER })
      return { CONNECTORS: `second=${second.url}`, CONNECTOR_SECOND_KEY: SECOND_KEY }
    },
  })
  afterAll(() => second.end())
  beforeEach(async () => {
    await second.start()
    await answering(harness())
  })
  return { harness, bank: () => second }
}

/** A bank that was silent is asked again after so long. */
export const answering = (h: Harness): Promise<unknown> =>
  until('both banks answer', async () => {
    if (h.gateway.ctx.connectors.all.every((one) => one.answers() && one.claims('numbers') !== null)) return true
    await advance(h, 6)
    return null
  })

/** Numbers that the gateway was given for good so far. */
export const kept = async (h: Harness): Promise<number> =>
  (await h.sql('01', `select count(*)::int as n from bank_numbers where taken_at = 'infinity'`))[0].n
/** What our books have at the bank of a connector, in kobo. */
export const heldAt = async (h: Harness, name: 'bank' | 'second'): Promise<bigint> => {
  const [row] = await h.sql(
    '01',
    `select coalesce(-sum(e.kobo), 0)::text as kobo from entries e
     where e.account_id = (select case c.id when 1 then 0 else c.id * 16 end from connectors c where c.name = $1)`,
    [name],
  )
  return BigInt(row.kobo)
}

/** A customer pays a number of the bank: the session, and the name that the customer is shown. */
export async function payTo(
  bank: SecondBank,
  accountNumber: string,
  amount: string,
): Promise<{ sessionId: string; status: string; beneficiaryName: string }> {
  const body = JSON.stringify({ bankCode: ISSUER, accountNumber, amount })
  const answer = await fetch(`${bank.url}/api/transfers`, { method: 'POST', body })
  return (await answer.json()) as Awaited<ReturnType<typeof payTo>>
}

/** What a bank reports of a number; `key`: of the bank that says so. */
export const creditBy = async (
  h: Harness,
  accountNumber: string,
  amount: string,
  over: object = {},
  key = SECOND_KEY,
) =>
  outcomeOf(await send(h, creditNoticeV2.path, noticeV2(accountNumber, amount, { bankCode: ISSUER, ...over }), { key }))

/** The same, to another process of the gateway. */
export async function creditAt(
  h: Harness,
  api: Awaited<ReturnType<typeof openSecondApi>>,
  body: ReturnType<typeof noticeV2>,
): Promise<string> {
  const raw = JSON.stringify(body)
  const signed = signature(h, raw, creditNoticeV2.path, { key: SECOND_KEY })
  const headers = { 'content-type': 'application/json', ...signed }
  const answer = await fetch(api.url + creditNoticeV2.path, { method: 'POST', headers, body: raw })
  const json = (await answer.json()) as any
  return json.responseBody?.outcome ?? json.problem?.code
}
