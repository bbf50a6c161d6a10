// Saved views over HTTP: one's own and everybody's, renamed and removed by whoever may, and a filter that
// names a payer stays with who may see it.
import { expect, test } from 'vitest'
import { type Harness, useHarness } from '#test/kit/harness.ts'
import { personIn, sessionHeader } from '#test/people/sessions.ts'

const harness = useHarness()

async function people(h: Harness, role: string, merchant = h.merchants.main) {
  const person = await personIn(h, 'merchant', role, { merchant })
  const headers = { ...sessionHeader(person), 'content-type': 'application/json' }
  const send = async (path: string, body?: object) => {
    const sent = body ? { method: 'POST', body: JSON.stringify({ input: body }) } : {}
    return (await (await fetch(`${h.apiUrl}/dashboard/v1/${path}`, { ...sent, headers })).json()) as any
  }
  const act = async (verb: string, input: object) => {
    const answer = await send(`acts/savedViews.${verb}`, { list: 'payments', shared: false, ...input })
    return answer.problem?.code ?? answer.responseBody.reply
  }
  const titles = async () =>
    (await send('views/savedViews.list')).responseBody.content.map(({ title, shared }: any) => `${title} ${shared}`)
  return { ...person, act, titles, list: async () => (await send('views/savedViews.list')).responseBody.content }
}

test('a view is saved, replaced, renamed and removed; shared ones by who saved them or may change settings; another merchant has none', async () => {
  const h = harness()
  const [finance, developer, owner] = [
    await people(h, 'finance'),
    await people(h, 'developer'),
    await people(h, 'owner'),
  ]
  const elsewhere = await people(h, 'owner', h.merchants.other)
  const mine = { title: 'Unpaid', filter: 'until=17&state=PENDING&page=3&min=20000' }
  expect(await finance.act('save', mine)).toEqual({
    ...{ list: 'payments', title: 'Unpaid', filter: 'min=20000&state=PENDING', shared: false },
    ...{ createdBy: finance.email, changeable: true },
  })
  expect(await finance.act('save', { title: 'Unpaid', filter: 'state=EXPIRED' })).toMatchObject({
    filter: 'state=EXPIRED',
  })
  await finance.act('save', { title: 'Large', filter: 'min=100000', shared: true })
  expect(await finance.titles()).toEqual(['Unpaid false', 'Large true'])
  expect(await developer.titles()).toEqual(['Large true'])
  expect((await developer.list())[0]).toMatchObject({ changeable: false, createdBy: finance.email })
  for (const [verb, more] of [
    ['remove', {}],
    ['rename', { newTitle: 'Mine' }],
    ['save', { filter: 'min=1' }],
  ] as const)
    expect(await developer.act(verb, { title: 'Large', shared: true, ...more }), verb).toBe('PERMISSION_DENIED')
  expect(await developer.act('remove', { title: 'Unpaid' })).toBe('SAVED_VIEW_UNKNOWN') // not one's own
  expect(await elsewhere.titles()).toEqual([])
  expect(await elsewhere.act('remove', { title: 'Large', shared: true })).toBe('SAVED_VIEW_UNKNOWN')
  expect(await owner.act('rename', { title: 'Large', shared: true, newTitle: 'Very large' })).toMatchObject({
    changeable: true,
  })
  await finance.act('save', { title: 'Paid', filter: 'state=PAID' })
  expect(await finance.act('rename', { title: 'Paid', newTitle: 'Unpaid' })).toBe('SAVED_VIEW_EXISTS')
  expect(await finance.act('remove', { title: 'Very large', shared: true })).toMatchObject({ title: 'Very large' })
  expect(await finance.titles()).toEqual(['Paid false', 'Unpaid false'])
  expect(await finance.act('save', { title: 'Nothing', filter: 'page=2' })).toBe('FIELD_INVALID')
  for (let at = 0; at < 48; at += 1) await finance.act('save', { title: `View ${at}`, filter: 'min=1' })
  expect(await finance.act('save', { title: 'One more', filter: 'min=1' })).toBe('SAVED_VIEWS_TOO_MANY')
  expect(await finance.act('save', { title: 'Paid', filter: 'min=2' })).toMatchObject({ title: 'Paid' })
})

test('a shared filter that names a payer is not shown to a role that may not see personal data, and is not in the trail', async () => {
  const h = harness()
  const [finance, support] = [await people(h, 'finance'), await people(h, 'support')]
  await finance.act('save', { title: 'One customer', filter: 'email=ngozi%40mail.example', shared: true })
  await finance.act('save', { title: 'October', filter: 'from=2026-10-01&to=2026-10-31', shared: true })
  await support.act('save', { title: 'Asked today', filter: 'name=Somebody' })
  expect(await support.titles()).toEqual(['Asked today false', 'October true'])
  expect(JSON.stringify(await support.list())).not.toContain('ngozi')
  expect(await support.act('remove', { title: 'One customer', shared: true })).toBe('SAVED_VIEW_UNKNOWN')
  const lines = await h.sql('01', "select after from trail where what = 'savedViews.save' and merchant_id = $1", [
    h.merchants.main.id,
  ])
  expect(JSON.stringify(lines)).not.toContain('ngozi')
})
