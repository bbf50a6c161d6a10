// The code that authorises a transfer is stored nowhere and sent only by mail: it is issued, mailed, tried
// wrongly and rightly at a real api process that logs everything; then the tables, the log and every answer
// are searched for it.
import { expect, test } from 'vitest'
import {
  codeOf,
  newMerchant,
  order,
  otherThan,
  RESEND,
  SINGLE,
  VALIDATE,
} from '#test/features/payouts/disbursements.ts'
import { startApi } from '#test/kit/api-process.ts'
import { dump } from '#test/kit/data-at-rest.ts'
import { unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

/** Ids of six digits are small here; a code that could be taken for one is not searched for. */
const isRare = (code: string): boolean => code >= '500000'

test('codes, right and wrong, are in no row, no log and no answer', async () => {
  const h = harness()
  const payer = await newMerchant(h, { otp: true })
  const api = await startApi(h, 'trace')
  const answers: string[] = []
  const send = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<any> => {
    const text = await (
      await fetch(api.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    ).text()
    answers.push(text)
    return JSON.parse(text)
  }
  const basic = Buffer.from(`${payer.apiKey}:${payer.secretKey}`).toString('base64')
  const login = await send('/api/v1/auth/login', '', { authorization: `Basic ${basic}` })
  answers.length = 0
  const bearer = { authorization: `Bearer ${login.responseBody.accessToken}` }
  const keyed = () => ({ ...bearer, 'idempotency-key': unique('key') })

  const codes: string[] = []
  const references: string[] = []
  for (const headers of [bearer, keyed(), bearer]) {
    const body = order(payer)
    expect((await send(SINGLE, body, headers)).responseBody.status).toBe('PENDING_AUTHORIZATION')
    const first = await codeOf(h, payer, body.reference)
    let code = first
    for (let turn = 0; turn < 8 && (code === first || !isRare(code)); turn += 1) {
      await send(RESEND, { reference: body.reference }, keyed())
      code = await codeOf(h, payer, body.reference)
    }
    codes.push(first, otherThan(code), code)
    references.push(body.reference)
    await send(VALIDATE, { reference: body.reference, authorizationCode: otherThan(code) }, keyed())
    await send(VALIDATE, { reference: unique('no'), authorizationCode: code }, keyed())
    await send(VALIDATE, `{"reference":"${body.reference}","authorizationCode":"${code}"`, bearer)
    await send(VALIDATE, { reference: [body.reference], authorizationCode: code }, keyed())
  }
  // A database that fails under the right code and quotes the row it was about.
  await h.sql(
    '01',
    `create function planted() returns trigger language plpgsql as $$ begin raise exception 'row % failed', new using detail = new::text; end $$`,
  )
  await h.sql('01', 'create trigger planted before update on authorizations for each row execute function planted()')
  try {
    const broken = { reference: references[0], authorizationCode: codes[2] }
    expect((await send(VALIDATE, broken, keyed())).problem.code).toBe('INTERNAL')
  } finally {
    await h.sql('01', 'drop function planted() cascade')
  }
  for (const [at, reference] of references.entries()) {
    const done = await send(VALIDATE, { reference, authorizationCode: codes[at * 3 + 2] }, keyed())
    expect(done.responseBody.status).toBe('SUCCESS')
  }
  const log = await api.stop()

  const places: Record<string, string> = {
    answers: answers.join('\n'),
    log,
    'database 01': await dump(h.databases['01']),
    'database 02': await dump(h.databases['02']),
  }
  expect(places['database 01'], 'the search finds what is there').toContain(references[0])
  expect(places['log']).toContain(VALIDATE)
  expect(await dump(h.databases['01'].replace(/_01$/, '_simulator')), 'the mail has it').toContain(codes[0])
  const searched = codes.filter(isRare)
  expect(searched.length).toBeGreaterThan(2)
  // As digits of their own, or as the bytes of a column that is shown in hexadecimal.
  const spelt = (code: string): RegExp =>
    new RegExp(`(?<![0-9a-fA-F.-])${code}(?![0-9a-fA-F-])|${Buffer.from(code).toString('hex')}`)
  const found = Object.entries(places).flatMap(([place, text]) =>
    searched.filter((code) => spelt(code).test(text)).map((code) => [place, code]),
  )
  expect(found).toEqual([])
})
