// What the lines of an api's log say of a request beside its route and status: whose it is and what it is
// about, and nothing of a person.
import { expect, test } from 'vitest'
import { startApi } from '#test/kit/api-process.ts'
import { INIT, initBody, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

test('lines of answers and of faults name the merchant by number and the object by our reference, and hold nothing of the body', async () => {
  const h = harness()
  const { main } = h.merchants
  const api = await startApi(h, 'info')
  const headers = { authorization: `Bearer ${await h.token(main)}`, 'content-type': 'application/json' }
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(api.url + path, {
      headers,
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    return { status: answer.status, id: answer.headers.get('x-request-id'), json: (await answer.json()) as any }
  }
  const body = { ...initBody(main), customerName: 'Ngozi Bello', paymentReference: 'ngozi@secret.example' }
  const made = await ask(INIT, body)
  const { transactionReference } = made.json.responseBody
  const found = await ask(`/api/v2/transactions/${encodeURIComponent(transactionReference)}`)
  await h.sql(
    '01',
    `create function planted() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`,
  )
  await h.sql('01', 'create trigger planted before insert on transactions for each row execute function planted()')
  const failed = await ask(INIT, { ...body, paymentReference: 'bello@secret.example' })
  await h.sql('01', 'drop function planted() cascade')
  const log = await api.stop()

  expect([made.status, found.status, failed.status]).toEqual([200, 200, 500])
  const entries = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))
  const lineOf = (id: string | null, message: string) =>
    entries.find(({ requestId, msg }) => requestId === id && msg === message)
  const merchant = { cell: main.cell, merchantId: String(main.id) }
  expect(lineOf(made.id, 'answered')).toMatchObject({ ...merchant, reference: transactionReference, status: 200 })
  expect(lineOf(found.id, 'answered')).toMatchObject({ ...merchant, reference: transactionReference })
  expect(lineOf(failed.id, 'answered')).toMatchObject({ ...merchant, status: 500, code: 'INTERNAL' })
  expect(lineOf(failed.id, 'request failed')).toMatchObject({ ...merchant, code: 'INTERNAL' })
  for (const hidden of [
    'Ngozi',
    'secret.example',
    main.name,
    String(body.customerEmail),
    String(headers.authorization),
  ])
    expect(log.includes(hidden), hidden).toBe(false)
})
