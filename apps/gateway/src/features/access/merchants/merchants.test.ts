// From the application to the key in the owner's hand: every step, who may take it, and the links that work
// once.

import { enquireAccount } from '@cowrie/contract/bank/connector'
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import { expect, test } from 'vitest'
import { signature } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import { limited } from '#test/features/access/keys.ts'
import {
  accept,
  application,
  applied,
  bola,
  byTwo,
  keysIn,
  LIVE,
  openLink,
  refusal,
  reviewed,
  sade,
  tokenFor,
  wentLive,
} from '#test/features/access/merchants.ts'
import { logIn, tokenOf, use, verdict } from '#test/features/access/secret-keys.ts'
import { newMerchant, refuseMail } from '#test/features/payouts/disbursements.ts'
import {
  advance,
  type Harness,
  initBody,
  initialise,
  issueAccount,
  type TestMerchant,
  useHarness,
} from '#test/kit/harness.ts'
import { SOON_MS } from '#test/kit/waiting.ts'

const harness = useHarness()
/** Whose account it is, as the payer's bank asks. */
const enquire = (h: Harness, accountNumber: string) => {
  const raw = JSON.stringify({ bankCode: '50515', accountNumber })
  return h.call('POST', enquireAccount.path, { raw, headers: signature(h, raw, enquireAccount.path) })
}

test('a merchant applies, is reviewed and goes live by two people; its owner gets the keys by a link, and it takes payments', async () => {
  const h = harness()
  const { reply } = await doAct(h, bola, 'merchants.apply', { input: application({ name: 'Jos Potteries' }) })
  expect(reply).toMatchObject({ state: 'APPLIED', cell: '02' }) // where the fewest are
  const input = { application: reply.application as string }
  const live = { ...input, ...LIVE, features: ['SUB_ACCOUNTS'] }
  expect(await refusal(doAct(h, bola, 'merchants.golive', { input: live }))).toBe('MERCHANT_STATE')
  expect((await doAct(h, bola, 'merchants.sandbox', { input })).reply).toEqual({ ...input, state: 'IN_SANDBOX' })
  expect((await doAct(h, bola, 'merchants.review', { input })).reply.state).toBe('IN_REVIEW')
  expect(await refusal(doAct(h, bola, 'merchants.sandbox', { input }))).toBe('MERCHANT_STATE')
  expect(await refusal(doAct(h, bola, 'merchants.golive', { input: live }))).toBe('DOCUMENTS_NOT_ACCEPTED')
  const unsaid = { ...input, kind: 'WEBHOOK_EXAM', state: 'ACCEPTED' }
  expect(await refusal(doAct(h, bola, 'merchants.document', { input: unsaid }))).toBe('FIELD_INVALID')
  await accept(h, input.application)
  await doAct(h, bola, 'merchants.document', { input: { ...unsaid, state: 'REFUSED' } })
  expect(await refusal(doAct(h, bola, 'merchants.golive', { input: live }))).toBe('DOCUMENTS_NOT_ACCEPTED')
  const refused = { ...input, kind: 'ADDRESS', state: 'REFUSED', note: 'cannot be read' }
  await doAct(h, bola, 'merchants.document', { input: refused })
  expect(await refusal(doAct(h, bola, 'merchants.golive', { input: live }))).toBe('DOCUMENTS_NOT_ACCEPTED')
  await doAct(h, bola, 'merchants.document', { input: { ...refused, state: 'ACCEPTED', note: 'a better copy' } })
  const waived = { kind: 'WEBHOOK_EXAM', state: 'ACCEPTED', note: 'waived: it has no webhook handler yet' }
  await doAct(h, bola, 'merchants.document', { input: { ...input, ...waived } })
  expect(await refusal(doAct(h, bola, 'merchants.golive', { input: { ...live, addresses: ['41.58.0.0/33'] } }))).toBe(
    'FIELD_INVALID',
  )
  const asked = await doAct(h, bola, 'merchants.golive', { input: live, reason: 'all papers are here' })
  expect(asked.outcome).toBe('WAITING')
  expect(await refusal(approveAs(h, bola, asked.reference))).toBe('APPROVAL_OWN')
  const nobody = await h.sql('02', 'select from merchants where name = $1', ['Jos Potteries'])
  expect(nobody).toHaveLength(0)
  const made = (await approveAs(h, sade, asked.reference)).reply.reply
  expect(made).toMatchObject({ state: 'LIVE', apiKey: expect.stringMatching(/^MK_TEST_02[A-Z0-9]{8}$/) })
  const shown = await show(h, bola, 'merchants.show', { which: made.apiKey })
  expect(shown).toMatchObject({
    ...input,
    name: 'Jos Potteries',
    expectedMonthlyNaira: 5_000_000,
    contracts: [{ contractCode: made.contractCode }],
    requestsPerSecond: 1000,
    keyLinks: [{ purpose: 'FIRST_KEY', by: bola.name, usedAt: null, ended: false }],
  })
  expect(shown.history.map(({ to }: { to: string }) => to)).toEqual(['IN_SANDBOX', 'IN_REVIEW', 'LIVE'])
  expect(shown.features.filter(({ on }: { on: boolean }) => on)).toMatchObject([
    { feature: 'SUB_ACCOUNTS', by: bola.name, why: 'all papers are here' },
  ])
  expect(shown.documents.find(({ kind }: { kind: string }) => kind === 'ADDRESS')).toMatchObject({
    state: 'ACCEPTED',
    note: 'a better copy',
  })
  expect(shown.documents).toContainEqual(expect.objectContaining({ ...waived, required: true }))
  const id = BigInt(input.application.slice(6))
  const token = await tokenFor(h, { cell: '02', id, email: shown.email })
  const keys = keysIn((await openLink(h, token)).text)
  expect(keys.apiKey).toBe(made.apiKey)
  const merchant = { ...made, ...keys, cell: '02', id } as TestMerchant
  const answer = await h.call('POST', '/api/v1/merchant/transactions/init-transaction', {
    token: await tokenOf(h, merchant, keys.secretKey),
    body: initBody(merchant),
  })
  expect(answer.status, answer.text).toBe(200)
  const trail = await h.sql('02', `select what, actor_name from trail where merchant_id = $1`, [id])
  expect(trail).toEqual([
    { what: 'merchants.golive', actor_name: sade.name },
    { what: 'keys.open', actor_name: shown.email },
  ])
  const owner = actorOf('merchant', 'owner')
  const { content } = await show(h, owner, 'trail.list', { merchant: made.apiKey })
  expect(content.at(-1)).toMatchObject({
    what: 'merchants.golive',
    by: { name: 'operator' },
    approval: asked.reference,
  })
})

test('a link does nothing when it is opened, works once for twenty that press at once, and nothing of it is at rest', async () => {
  const h = harness()
  const live = await wentLive(h)
  await refuseMail(h, true)
  await advance(h, 5)
  await refuseMail(h, false)
  await advance(h, 600)
  const token = await tokenFor(h, live)
  for (let n = 0; n < 3; n += 1) {
    const page = await openLink(h, token, 'GET')
    expect(page.status).toBe(200)
    expect(page.text).toContain('<form method="post">')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  const pages = await Promise.all(Array.from({ length: 20 }, () => openLink(h, token)))
  expect(pages.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(pages.filter(({ status }) => status === 410)).toHaveLength(19)
  const { apiKey, secretKey } = keysIn(pages.find(({ status }) => status === 200)?.text ?? '')
  expect(pages.find(({ status }) => status === 410)?.text).toContain('used already')
  expect((await openLink(h, token, 'GET')).text).toContain('used already')
  expect(verdict(await logIn(h, { apiKey } as TestMerchant, secretKey))).toBe('200')
  const rows = await h.sql(
    '01',
    `select row_to_json(m)::text as text from merchants m where id = $1
    union all select row_to_json(k)::text from key_links k where merchant_id = $1
    union all select row_to_json(x)::text from mails x where merchant_id = $1
    union all select row_to_json(t)::text from trail t`,
    [live.id],
  )
  for (const { text } of rows) for (const secret of [secretKey, token.slice(2)]) expect(text).not.toContain(secret)
  for (const wrong of [`01${'0'.repeat(64)}`, `99${'0'.repeat(64)}`, 'x', token.slice(0, -1)]) {
    const answers = [await openLink(h, wrong, 'GET'), await openLink(h, wrong)]
    for (const { status, text } of answers) expect([status, text.includes('nothing here')]).toEqual([404, true])
  }
})

test('a lost secret key: two people, the old key until the link is pressed and not after; an expired or replaced link changes nothing', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const old = await tokenOf(h, merchant, merchant.secretKey)
  const reset = () => byTwo(h, 'keys.reset', { merchant, reason: 'the owner called' })
  expect((await reset()).mailedTo).toMatch(/^.\*\*\*@test\.example$/)
  const first = await tokenFor(h, merchant)
  await reset()
  const second = await tokenFor(h, merchant)
  expect((await openLink(h, first)).status).toBe(410)
  await advance(h, 72 * HOUR_SECONDS + 1)
  expect((await openLink(h, second)).text).toContain('has ended')
  expect(verdict(await logIn(h, merchant, merchant.secretKey))).toBe('200')
  await reset()
  const third = await tokenFor(h, merchant)
  const running = await tokenOf(h, merchant, merchant.secretKey)
  const { secretKey } = keysIn((await openLink(h, third)).text)
  expect(verdict(await logIn(h, merchant, merchant.secretKey))).toBe('401 CREDENTIALS_INVALID')
  expect(verdict(await logIn(h, merchant, secretKey))).toBe('200')
  for (const token of [old, running]) expect((await use(h, token)).slice(0, 3)).toBe('401')
})

test('a lost secret key takes the limited keys with it at the press, also those made meanwhile, but for those that are kept by name', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const [kept, ended] = [
    await limited(h, merchant, { scope: 'READ' }),
    await limited(h, merchant, { scope: 'PAYOUTS' }),
  ]
  const theirs = await limited(h, h.merchants.other, { scope: 'READ' })
  for (const apiKey of [theirs.apiKey, 'MK_TEST_01ZZZZZZZZ', merchant.apiKey])
    expect(await refusal(doAct(h, bola, 'keys.reset', { merchant, input: { keep: [apiKey] } }))).toBe('API_KEY_UNKNOWN')
  const tokens = await Promise.all([kept, ended].map((key) => tokenOf(h, key, key.secretKey)))
  await byTwo(h, 'keys.reset', { merchant, input: { keep: [kept.apiKey] }, reason: 'a laptop was stolen' })
  const link = await tokenFor(h, merchant)
  // The thief has the old key until the press.
  const meanwhile = await limited(h, merchant, { scope: 'PAYOUTS' })
  for (const token of tokens) expect(await use(h, token)).toBe('200')
  expect((await openLink(h, link)).status).toBe(200)
  expect(await Promise.all(tokens.map((token) => use(h, token)))).toEqual(['200', '401 TOKEN_INVALID'])
  for (const key of [ended, meanwhile])
    expect(verdict(await logIn(h, key, key.secretKey))).toBe('401 CREDENTIALS_INVALID')
  expect(verdict(await logIn(h, theirs, theirs.secretKey))).toBe('200')
  const [line] = await h.sql('01', `select after from trail where merchant_id = $1 and what = 'keys.open'`, [
    merchant.id,
  ])
  expect(new Set(JSON.parse(line.after).endedKeys)).toEqual(new Set([ended.apiKey, meanwhile.apiKey]))
})

test('another name: by two people; payers and their banks see it from then on, the owner is mailed, and a closed merchant keeps its own', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const { transactionReference, checkoutUrl } = await initialise(h, merchant)
  const accountNumber = await issueAccount(h, merchant, transactionReference)
  const seen = async () => {
    const page = await (await fetch(checkoutUrl)).text()
    const { accountName } = (await enquire(h, accountNumber)).json.responseBody
    return [page.includes('Ibadan Looms'), page.includes('Oyo Weavers'), /^Oyo Weavers/i.test(accountName)]
  }
  const input = { name: 'Oyo Weavers' }
  const asked = await doAct(h, bola, 'merchants.rename', { merchant, input })
  expect([asked.outcome, await seen()]).toEqual(['WAITING', [true, false, false]])
  expect((await approveAs(h, sade, asked.reference)).reply.reply).toEqual({ apiKey: merchant.apiKey, ...input })
  await h.until('every process knows it', async () => (await seen())[1], SOON_MS)
  expect(await seen()).toEqual([false, true, true])
  expect((await show(h, bola, 'merchants.show', { which: merchant.apiKey })).name).toBe('Oyo Weavers')
  const [mail] = await h.sql('01', 'select subject from mails where merchant_id = $1', [merchant.id])
  expect(mail.subject).toBe('Ibadan Looms is now Oyo Weavers')
  const [line] = await h.sql(
    '01',
    `select before, after from trail where merchant_id = $1 and what = 'merchants.rename'`,
    [merchant.id],
  )
  expect(line).toEqual({ before: '{"name":"Ibadan Looms"}', after: '{"name":"Oyo Weavers"}' })
  const again = await doAct(h, bola, 'merchants.rename', { merchant, input: { name: 'Another One' } })
  await h.sql('01', `update merchant_files set status = 'CLOSED' where id = $1`, [merchant.id])
  expect(await refusal(approveAs(h, sade, again.reference))).toBe('MERCHANT_STATE')
  await h.sql('01', `update merchant_files set status = 'LIVE' where id = $1`, [merchant.id])
})

test('an application is turned down; references of nothing, of another cell and of another state are refused; the list goes on over cells', async () => {
  const h = harness()
  const one = await applied(h, '01')
  const two = await applied(h, '02')
  const input = { application: one.application }
  expect((await doAct(h, bola, 'merchants.reject', { input })).reply.state).toBe('REJECTED')
  for (const act of ['merchants.review', 'merchants.reject', 'merchants.sandbox'])
    expect(await refusal(doAct(h, bola, act, { input }))).toBe('MERCHANT_STATE')
  const documents = { ...input, kind: 'TAX', state: 'RECEIVED' }
  expect(await refusal(doAct(h, bola, 'merchants.document', { input: documents }))).toBe('MERCHANT_STATE')
  for (const wrong of ['CWMA0199', 'CWMA991', 'x'])
    expect(await refusal(doAct(h, bola, 'merchants.review', { input: { application: wrong } }))).toBe(
      'APPLICATION_UNKNOWN',
    )
  const elsewhere = { input: { application: two.application }, cell: '01' }
  expect(await refusal(doAct(h, bola, 'merchants.review', elsewhere))).toBe('APPLICATION_UNKNOWN')
  expect(await refusal(show(h, bola, 'merchants.show', { which: 'CWMA0199' }))).toBe('APPLICATION_UNKNOWN')
  const seen: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = await show(h, bola, 'merchants.list', { size: '2', ...(after ? { after } : {}) })
    seen.push(...page.merchants.map((row: { application: string }) => row.application))
    after = page.next
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expect.arrayContaining([one.application, two.application]))
  const found = await show(h, bola, 'merchants.list', { state: 'REJECTED', search: one.email.toUpperCase() })
  expect(found.merchants).toMatchObject([{ application: one.application, apiKey: null, state: 'REJECTED' }])
})

test('settings: what narrows is done by one, what widens by two; a second contract takes payments; who may not is refused', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const set = (addresses: string[]) => doAct(h, bola, 'merchants.addresses', { merchant, input: { addresses } })
  expect((await set(['127.0.0.1', '::1'])).outcome).toBe('DONE')
  const wider = await set(['127.0.0.1', '41.58.0.0/24'])
  expect(wider.outcome).toBe('WAITING')
  expect(await refusal(set(['localhost']))).toBe('FIELD_INVALID')
  await approveAs(h, sade, wider.reference)
  const granting = { merchant, input: { feature: 'BILLS' } }
  expect((await doAct(h, bola, 'features.withdraw', granting)).outcome).toBe('DONE')
  await byTwo(h, 'features.grant', granting)
  expect((await doAct(h, bola, 'merchants.rate', { merchant, input: { requestsPerSecond: 77 } })).outcome).toBe('DONE')
  const { reply } = await doAct(h, bola, 'contracts.add', { merchant, input: { name: 'Market stall' } })
  const { contractCode } = reply
  const body = initBody(merchant, { contractCode })
  expect((await h.as(merchant, 'POST', '/api/v1/merchant/transactions/init-transaction', body)).status).toBe(200)
  expect(await show(h, bola, 'merchants.show', { which: merchant.apiKey })).toMatchObject({
    addresses: ['127.0.0.1', '41.58.0.0/24'],
    requestsPerSecond: 77,
    contracts: expect.arrayContaining([{ contractCode, name: 'Market stall' }]),
  })
  const support = actorOf('operator', 'support')
  const made = await reviewed(h, '01')
  for (const [act, doing] of [
    ['merchants.suspend', { merchant }],
    ['merchants.apply', { input: application(), cell: '01' }],
    ['merchants.golive', { input: { application: made.application, ...LIVE } }],
    ['keys.reset', { merchant }],
    ['features.grant', granting],
  ] as const)
    expect(await refusal(doAct(h, support, act, doing)), act).toBe('PERMISSION_DENIED')
})
