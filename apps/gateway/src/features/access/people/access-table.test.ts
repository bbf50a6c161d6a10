// Who gets which answer, over HTTP: every act, view and route of people × every role of its side × (own,
// another merchant's, no session). What is expected is derived from the contract
// (test/people/access-table.ts); whatever is served beside the contract fails.

import { ROUTES } from '@cowrie/contract'
import type { Act, View } from '@cowrie/contract/kit/act'
import { pathForPeople } from '@cowrie/contract/kit/people-routes'
import { rolePermissions, type Side } from '@cowrie/contract/kit/permissions'
import type { Route } from '@cowrie/contract/kit/spec'
import { SCREEN_ROUTES } from '@cowrie/contract/screens/files'
import { pathForViewing, VIEW_AS_HOME, viewedMe } from '@cowrie/contract/screens/view-as'
import { beforeAll, describe, expect, test } from 'vitest'
import { engineTx } from '#core/cells/cells.ts'
import type { Feature } from '#core/feature.ts'
import { monotonicMs } from '#kit/clock.ts'
import { sharedOf } from '#test/features/access/acts.ts'
import { limited } from '#test/features/access/keys.ts'
import { CREATE, mandateBody } from '#test/features/collections/direct-debit.ts'
import { newMerchant, sentTo } from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, initialise, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import {
  actsOf,
  type Caller,
  DENIED,
  endsSession,
  expectedOf,
  expectedOfPeople,
  expectedOutside,
  may,
  needsSession,
  peopleRequest,
  peopleRoutesOf,
  type Request,
  ROLES,
  requestOf,
  requiredOf,
  SIDES,
  viewsOf,
  type Whose,
} from '#test/people/access-table.ts'
import { type Coming, type PersonIn, personIn, sessionHeader } from '#test/people/sessions.ts'
import { createApi, createOperatorApi } from '../../../app.ts'
import { FEATURES } from '../../../feature-list.ts'
import * as passkeys from './passkeys/passkeys.sql.ts'

const harness = useHarness({ settings: async () => ({ ANONYMOUS_PER_SECOND: '1000000' }) })
/** Less than any approvalAbove of this file: one person decides. */
const HELD_NAIRA = 50
const NO_KEY = 'MK_TEST_01ZZZZZZZZ'
const COOKIE: Readonly<Record<Side, string>> = { merchant: '__Host-cowrie', operator: '__Host-cowrie-op' }

type Team = ReadonlyMap<string, PersonIn>
/** By role: whose proof of identity is too old for an act, and who has just proved it. */
const stale: Record<Side, Team> = { merchant: new Map(), operator: new Map() }
const fresh: Record<Side, Team> = { merchant: new Map(), operator: new Map() }
const half = {} as Record<Side, PersonIn>
let unproved: PersonIn
let own: TestMerchant
let other: TestMerchant

beforeAll(async () => {
  const h = harness()
  own = await newMerchant(h)
  other = await newMerchant(h)
  const policy = { less: 'COMPLETE', more: 'COMPLETE', extra: 'HOLD', tolerance: 0, barredPayers: [] }
  for (const merchant of [own, other]) await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)
  const longAgo = new Date(h.gateway.ctx.clock.now().getTime() - 6 * 60_000)
  for (const side of SIDES) {
    const merchant = side === 'merchant' ? { merchant: own } : {}
    const team = async (coming: Coming): Promise<Team> =>
      new Map(
        await Promise.all(ROLES[side].map(async (role) => [role, await personIn(h, side, role, coming)] as const)),
      )
    stale[side] = await team({ ...merchant, provedAt: longAgo })
    fresh[side] = await team(merchant)
    half[side] = await personIn(h, side, ROLES[side][0] ?? '', { ...merchant, half: true, provedAt: null })
  }
  unproved = await personIn(h, 'operator', 'admin', { provedAt: null })
})

type Got = { readonly verdict: string; readonly text: string }
async function send(h: Harness, side: Side, { method, path, body }: Request, headers: object = {}): Promise<Got> {
  const answer = await fetch((side === 'operator' ? h.operatorUrl : h.apiUrl) + path, {
    method,
    redirect: 'manual',
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  const json = text.startsWith('{') ? JSON.parse(text) : {}
  expect(answer.headers.get('content-type'), path).toContain('application/json')
  return {
    verdict: answer.status === 200 ? '200' : `${answer.status} ${json.problem?.code}`,
    text: text.replace(/"requestId":"[^"]+"/, ''),
  }
}
const by = (team: Team, role: string): PersonIn => team.get(role) ?? expect.fail(`nobody is ${role}`)

type Case = readonly [what: string, expected: string, send: () => Promise<Got>]
/** All at once; every answer that is not the expected one. */
async function differing(cases: readonly Case[]): Promise<string[]> {
  const got = await Promise.all(cases.map(([, , ask]) => ask()))
  return cases.flatMap(([what, expected], at) => {
    const verdict = got[at]?.verdict
    return verdict === expected ? [] : [`${what}: ${verdict}, not ${expected}`]
  })
}

describe.each(SIDES)('acts and views of the %s', (side) => {
  const specs: readonly (Act | View)[] = [...actsOf(side), ...viewsOf(side)]

  test.each(ROLES[side])('answer %s as the contract says, whomever they name', async (role) => {
    const h = harness()
    const whose: readonly (readonly [string, Whose])[] = [
      ['own', { merchant: own.apiKey, known: true }],
      ['another', { merchant: other.apiKey, known: true }],
      ['unknown', { merchant: NO_KEY, known: false }],
      ['none', { known: false }],
    ]
    const headers = sessionHeader(by(stale[side], role))
    expect(
      await differing(
        whose.flatMap(([word, one]) =>
          specs.map((spec): Case => {
            const what = `${'input' in spec ? 'act' : 'view'} ${spec.id}, ${word}`
            return [what, expectedOf(spec, role, one), () => send(h, side, requestOf(spec, one), headers)]
          }),
        ),
      ),
    ).toEqual([])
  })

  test('refuse nobody, people of the other side, half a log-in, and another site', async () => {
    const h = harness()
    const elsewhere: Side = side === 'merchant' ? 'operator' : 'merchant'
    const admin = ROLES[side][0] ?? ''
    const callers: readonly (readonly [Exclude<Caller, 'in'>, object])[] = [
      ['nobody', {}],
      ['of the other side', sessionHeader(by(stale[elsewhere], ROLES[elsewhere][0] ?? ''))],
      ['without the code', sessionHeader(half[side])],
      [
        'from another site',
        { cookie: `${COOKIE[side]}=${by(stale[side], admin).token}`, 'sec-fetch-site': 'cross-site' },
      ],
    ]
    const cases = callers.flatMap(([caller, headers]) =>
      specs.flatMap((spec): Case[] => {
        const request = requestOf(spec, { merchant: own.apiKey })
        const expected = expectedOutside(request.method, caller)
        if (expected === '') return [] // looking changes nothing; the page that asked cannot read it
        return [[`${spec.id}, ${caller}`, expected, () => send(h, side, request, headers)]]
      }),
    )
    expect(await differing(cases)).toEqual([])
  })
})

test('403 FACTOR_NEEDED for an operator whose second factor was never seen, whatever they ask for', async () => {
  const h = harness()
  const cases = [...actsOf('operator'), ...viewsOf('operator')].map((spec): Case => {
    const request = requestOf(spec, { merchant: own.apiKey })
    return [spec.id, '403 FACTOR_NEEDED', () => send(h, 'operator', request, sessionHeader(unproved))]
  })
  expect(await differing(cases)).toEqual([])
})

describe.each(SIDES)('what people of the %s do with their own account', (side) => {
  const merchantOf = (): Coming => (side === 'merchant' ? { merchant: own } : {})

  test('is open to every role, also to one that may nothing', async () => {
    const h = harness()
    // A change of one's own factors ends sessions: everybody here has one of their own.
    for (const role of ROLES[side]) {
      const person = await personIn(h, side, role, merchantOf())
      for (const route of peopleRoutesOf(side)) {
        const who = endsSession(route) ? await personIn(h, side, role, merchantOf()) : person
        const got = await send(h, side, peopleRequest(route), sessionHeader(who))
        expect(`${route.id}, ${role}: ${got.verdict}`).toBe(`${route.id}, ${role}: ${expectedOfPeople(route, 'in')}`)
      }
    }
  })

  test('is closed to nobody, people of the other side, half a log-in, and another site', async () => {
    const h = harness()
    const elsewhere: Side = side === 'merchant' ? 'operator' : 'merchant'
    const whole = by(stale[side], ROLES[side][0] ?? '')
    const newHalf = () => personIn(h, side, 'support', { ...merchantOf(), half: true, provedAt: null })
    const callers: readonly (readonly [Caller, () => Promise<object>])[] = [
      ['nobody', async () => ({})],
      ['of the other side', async () => sessionHeader(by(stale[elsewhere], 'support'))],
      ['without the code', async () => sessionHeader(await newHalf())],
      ['from another site', async () => ({ cookie: `${COOKIE[side]}=${whole.token}`, 'sec-fetch-site': 'cross-site' })],
    ]
    expect(
      await differing(
        callers.flatMap(([caller, headersOf]) =>
          peopleRoutesOf(side)
            .filter((route) => caller !== 'from another site' || route.method !== 'GET')
            .filter((route) => caller !== 'from another site' || needsSession(route))
            .map((route): Case => {
              const ask = async () => send(h, side, peopleRequest(route), await headersOf())
              return [`${route.id}, ${caller}`, expectedOfPeople(route, caller), ask]
            }),
        ),
      ),
    ).toEqual([])
  })

  test('finds nothing of anybody else: their sessions and passkeys answer like unknown ones, and stay', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const victim = await personIn(h, side, 'support', merchantOf())
    const [passkeyId = 0n] = await ctx.identities.takeIds(1)
    const row = { id: passkeyId, person_id: victim.personId, counter: 0n, name: 'A phone', transports: [] }
    const key = { credential_id: Buffer.from(victim.token), public_key: Buffer.alloc(1) }
    await engineTx(ctx, ctx.identities.id, (t) => passkeys.insert(t, { ...row, ...key }))
    const headers = sessionHeader(await personIn(h, side, 'auditor', merchantOf()))
    for (const route of peopleRoutesOf(side).filter(({ path }) => path.includes('{id}'))) {
      const theirs = String(route.path.includes('passkeys') ? passkeyId : victim.id)
      const body = route.body ? { body: { name: 'Mine now' } } : {}
      const [got, unknown] = [
        await send(h, side, { ...peopleRequest(route, theirs), ...body }, headers),
        await send(h, side, { ...peopleRequest(route, '99'), ...body }, headers),
      ]
      expect(got, route.id).toEqual(unknown)
    }
    const shown = await send(h, side, { method: 'GET', path: passkeysPath(side) }, sessionHeader(victim))
    expect([shown.verdict, shown.text.includes('"A phone"')]).toEqual(['200', true])
  })
  const passkeysPath = (of: Side): string =>
    peopleRoutesOf(of).find(({ id }) => id.endsWith('passkeys.list'))?.path ?? ''
})

/** The fields by which a merchant's people name something: of the own it is shown or done, of another's it
 *  answers as of nothing. */
const NAMES: Readonly<
  Record<string, 'key' | 'approval' | 'member' | 'contract' | 'held' | 'mandate' | 'link' | 'payment'>
> = {
  'payments.show reference': 'payment',
  'keys.create contracts': 'contract',
  'keys.end apiKey': 'key',
  'approvals.approve reference': 'approval',
  'approvals.reject reference': 'approval',
  'approvals.show reference': 'approval',
  'team.reset email': 'member',
  'team.changeRole email': 'member',
  'team.end email': 'member',
  'suspense.accept id': 'held',
  'suspense.return id': 'held',
  'mandates.debits mandateCode': 'mandate',
  'paymentLinks.payments paymentLinkCode': 'link',
}
/** Fields that name nothing of anybody: words, amounts, filters, and places in a list of one's own. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['keys.create name', 'keys.create scope', 'keys.create addresses'],
  ...['approvalAbove', 'approvalAboveDay', 'approvalAboveNewAccount'].map((name) => `payouts.approvalAbove ${name}`),
  ...['approvals.approve reason', 'approvals.reject reason', 'approvals.list state', 'approvals.list before'],
  // Never called by name: the queue holds it, and approving it is the row above.
  ...['payouts.release', 'refunds.release'].flatMap((act) =>
    ['kind', 'reference', 'amount', 'to'].map((name) => `${act} ${name}`),
  ),
  ...['destination', 'schedule', 'bankCode', 'accountNumber'].map((name) => `settlements.setRule ${name}`),
  ...['destination', 'account', 'name'].map((name) => `destinations.confirm ${name}`),
  ...['reservedAccounts.list', 'mandates.debits', 'paymentLinks.payments'].map((view) => `${view} before`),
  ...['suspense.accept amount', 'suspense.return amount'],
  ...['team.invite email', 'team.invite name', 'team.invite role', 'team.changeRole role', 'team.addresses addresses'],
  ...['security.list before', 'security.list least'],
  ...['trail.list before', 'trail.list of', 'wallets.own amount', 'wallets.own of'],
  ...['events.log before', 'events.log outcome'],
  // Filters of one's own payments, and names within one's own merchant: exports.test.ts and
  // saved-views.test.ts.
  ...['transactionReference', 'paymentReference', 'customerName', 'customerEmail', 'paymentStatus', 'amount'].map(
    (name) => `exports.request ${name}`,
  ),
  ...['fromAmount', 'toAmount', 'from', 'to'].map((name) => `exports.request ${name}`),
  ...['save', 'rename', 'remove'].flatMap((verb) =>
    ['list', 'title', 'shared'].map((name) => `savedViews.${verb} ${name}`),
  ),
  ...['savedViews.save filter', 'savedViews.rename newTitle'],
  'find.anything text', // of another merchant's it answers as of nothing: finding.test.ts
  ...['after', 'before', 'size', 'since', 'until', 'status', 'path', 'requestId', 'key'].map(
    (x) => `requests.list ${x}`,
  ),
])

describe("another merchant's objects", () => {
  const specs: readonly (Act | View)[] = [...actsOf('merchant'), ...viewsOf('merchant')]
  const fieldsOf = (spec: Act | View) => Object.keys(('input' in spec ? spec.input : spec.query).properties)
  const named = specs.flatMap((spec) =>
    fieldsOf(spec).flatMap((field) => {
      const kind = NAMES[`${spec.id} ${field}`]
      return kind ? [{ spec, field, kind }] : []
    }),
  )
  /** An owner asks for it; raising it waits for a second person, who may settings.write. */
  const askAbove = async (h: Harness, merchant: TestMerchant, approvalAbove: number): Promise<string> => {
    const owner = await personIn(h, 'merchant', 'owner', { merchant })
    const body = { input: { approvalAbove }, reason: 'a test wants it' }
    const path = '/dashboard/v1/acts/payouts.approvalAbove'
    const { text } = await send(h, 'merchant', { method: 'POST', path, body }, sessionHeader(owner))
    return JSON.parse(text).responseBody.reference
  }
  /** What comes for a payment that is complete; the policy of both holds it. */
  const newHeld = async (h: Harness, merchant: TestMerchant): Promise<string> => {
    const { accountNumber } = await paid(h, merchant)
    const { sessionId } = (await h.pay(accountNumber, HELD_NAIRA)).json
    const [item] = await h.sql('01', 'select id::text from suspense_items where bank_reference = $1', [sessionId])
    return item.id
  }
  const newLink = async (h: Harness, merchant: TestMerchant): Promise<string> => {
    const body = { title: 'Ankara', currencyCode: 'NGN', contractCode: merchant.contractCode }
    return (await h.as(merchant, 'POST', '/api/v1/payment-links', body)).json.responseBody.paymentLinkCode
  }
  let above = 100
  const newOf = async (h: Harness, merchant: TestMerchant, kind: (typeof named)[number]['kind']): Promise<string> => {
    if (kind === 'key') return (await limited(h, merchant, { scope: 'READ' })).apiKey
    if (kind === 'member') return (await personIn(h, 'merchant', 'support', { merchant })).email
    if (kind === 'contract') return merchant.contractCode
    if (kind === 'held') return newHeld(h, merchant)
    if (kind === 'mandate')
      return (await h.as(merchant, 'POST', CREATE, mandateBody(h, merchant))).json.responseBody.mandateCode
    if (kind === 'link') return newLink(h, merchant)
    if (kind === 'payment') return (await initialise(h, merchant)).transactionReference
    above += 1
    return askAbove(h, merchant, above)
  }
  const UNKNOWN = {
    key: NO_KEY,
    member: 'nobody@people.example',
    contract: '0100000000',
    held: '1234567890123456',
    mandate: 'CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD',
    link: 'CWPL01Q4KX0Q2WM8Z1',
    payment: 'CWRY|01|20260101000000|000000',
    approval: 'CWAP01209901000000010000',
  }
  const asking = (spec: Act | View, field: string, value: string): Request => {
    const scope = field === 'contracts' ? { scope: 'COLLECTIONS' } : {}
    const amount = spec.id.startsWith('suspense.') ? { amount: HELD_NAIRA } : {}
    return requestOf(spec, {}, { ...scope, ...amount, [field]: field === 'contracts' ? [value] : value })
  }

  test('every field of the contract is known to name something, or nothing', () => {
    const all = specs.flatMap((spec) => fieldsOf(spec).map((field) => `${spec.id} ${field}`))
    expect(all.filter((one) => !(one in NAMES) && !PLAIN.has(one))).toEqual([])
    expect([...Object.keys(NAMES), ...PLAIN].filter((one) => !all.includes(one))).toEqual([])
  })

  test.each(ROLES.merchant)('answer %s exactly like unknown ones, and their own as their role allows', async (role) => {
    const h = harness()
    for (const merchant of [own, other]) expect(await askAbove(h, merchant, 100)).toBeNull() // lowering needs nobody
    const headers = sessionHeader(by(fresh.merchant, role))
    for (const { spec, field, kind } of named) {
      const [mine, theirs] = [await newOf(h, own, kind), await newOf(h, other, kind)]
      const asked = async (value: string) => {
        const got = await send(h, 'merchant', asking(spec, field, value), headers)
        return { ...got, text: got.text.replaceAll(value, '…') }
      }
      const what = `${role}, ${spec.id}`
      const [unknown, another] = [await asked(UNKNOWN[kind]), await asked(theirs)]
      expect(another, what).toEqual(unknown)
      expect(unknown.verdict === '200', what).toBe(false)
      expect(unknown.verdict === DENIED, what).toBe(!may(spec, role))
      const approves = kind !== 'approval' || 'query' in spec || rolePermissions('merchant', role).has('settings.write')
      expect((await asked(mine)).verdict, what).toBe(may(spec, role) && approves ? '200' : DENIED)
    }
  })

  test('naming another merchant shows a merchant’s people their own, to the letter', async () => {
    const h = harness()
    await newOf(h, other, 'key')
    await newOf(h, other, 'member')
    const headers = sessionHeader(by(fresh.merchant, 'owner'))
    for (const spec of viewsOf('merchant').filter(({ query }) => requiredOf(query).length === 0)) {
      const [mine, named] = [
        await send(h, 'merchant', requestOf(spec, {}), headers),
        await send(h, 'merchant', requestOf(spec, { merchant: other.apiKey }), headers),
      ]
      expect(named, spec.id).toEqual(mine)
      expect(mine.verdict, spec.id).toBe('200')
    }
  })

  test('the operator’s people find work of a merchant under that merchant only', async () => {
    const h = harness()
    const sender = await newMerchant(h)
    const { reference } = await sentTo(h, sender, '0002') // the bank takes two hours
    await advance(h, 60)
    const headers = sessionHeader(by(fresh.operator, 'admin'))
    const ofWork = [...actsOf('operator'), ...viewsOf('operator')].filter((spec) =>
      'input' in spec
        ? 'kind' in spec.input.properties && 'reference' in spec.input.properties
        : spec.id === 'work.show',
    )
    expect(ofWork.map(({ id }) => id)).toEqual(['work.askagain', 'work.repair', 'work.show'])
    for (const spec of ofWork) {
      const asked = async (merchant: string, value: string) => {
        const request = requestOf(spec, { merchant }, { kind: 'PAYOUT', reference: value })
        const { dryRun: _, ...body } = (request.body ?? {}) as { dryRun?: boolean }
        const got = await send(h, 'operator', request.body ? { ...request, body } : request, headers)
        return { ...got, text: got.text.replaceAll(value, '…') }
      }
      const [unknown, misplaced] = [await asked(own.apiKey, 'nothing'), await asked(own.apiKey, reference)]
      expect([misplaced, unknown.verdict], spec.id).toEqual([unknown, '404 WORK_NOT_FOUND'])
      expect((await asked(sender.apiKey, reference)).verdict, spec.id).not.toBe('404 WORK_NOT_FOUND')
    }
  })
})

describe('what is served', () => {
  type Served = readonly string[]
  /** Every route that features put on a server, as `GET /path/{name}`. */
  const servedBy = async (create: typeof createApi, on: 'routes' | 'operatorRoutes'): Promise<Served> => {
    const h = harness()
    const found: string[] = []
    const spy: Feature = {
      name: 'a spy',
      [on]: ({ app }: Parameters<NonNullable<Feature['routes']>>[0]) =>
        app.addHook('onRoute', ({ method, url }) => {
          for (const one of [method].flat()) found.push(`${one} ${url.replace(/:(\w+)/g, '{$1}')}`)
        }),
    }
    await create(h.gateway, h.config, monotonicMs, [spy, ...FEATURES]).close()
    return found.filter((one) => !one.startsWith('HEAD '))
  }
  /** By token, and where it is also for people by session. */
  const served = (route: Route): string[] =>
    [route.path, pathForPeople(route)].flatMap((path) => (path === null ? [] : [`${route.method} ${path}`]))
  const VIEWED = [
    `GET ${viewedMe.path}`,
    `GET ${VIEW_AS_HOME}/views/{id}`,
    ...ROUTES.map(pathForViewing).flatMap((path) => (path === null ? [] : [`GET ${path}`])),
  ]
  const declared = (side: Side): string[] => [
    ...peopleRoutesOf(side).map(({ method, path }) => `${method} ${path}`),
    ...(side === 'merchant' ? ROUTES.flatMap(served) : []),
    ...(side === 'operator' ? VIEWED : []),
    ...(side === 'merchant' ? SCREEN_ROUTES.map(({ method, path }) => `${method} ${path}`) : []),
  ]
  const generic = (side: Side): string[] => {
    const prefix = side === 'merchant' ? '/dashboard/v1' : '/operator/v1'
    return [`POST ${prefix}/acts/{id}`, `GET ${prefix}/views/{id}`]
  }
  const screens = (at: string): string[] => [`GET ${at}`, `GET ${at}/*`, `GET ${at}/assets/{file}`]
  /** Pages and files, for the eyes of payers, owners, operators and developers; nobody acts for a merchant by
   *  them. */
  const PAGES: ReadonlySet<string> = new Set([
    ...[
      'GET /',
      'GET /favicon.ico',
      'GET /docs',
      'GET /docs/{group}',
      'GET /openapi.json',
      'GET /brand/{name}',
      'GET /pay/{code}',
      'POST /pay/{code}',
    ],
    ...screens('/dashboard'),
    ...['GET /keys/{token}', 'POST /keys/{token}', 'GET /cards/3ds/{reference}/{token}', 'GET /checkout'],
    ...['GET /destinations/{token}', 'POST /destinations/{token}'],
    ...['GET', 'POST'].map((method) => `${method} /cards/input/{reference}/{token}`),
    ...['GET /plugin/monnify.js', 'GET /plugin/v1/cowrie.js', 'GET /plugin/v1/integrity.json'],
    ...['POST /plugin/transactions', 'OPTIONS /plugin/transactions'],
    ...['', '/status', '/live', '/invoice', '/invoice.pdf', '/cancel', '/page-result'].map(
      (x) => `GET /checkout/{reference}/{token}${x}`,
    ),
    ...['account', 'cancel', 'sandbox', 'card', 'otp', 'input'].map((x) => `POST /checkout/{reference}/{token}/${x}`),
  ])

  test.each([
    ['merchant', createApi, 'routes'],
    ['operator', createOperatorApi, 'operatorRoutes'],
  ] as const)('to the %s’s side is in the contract, and all of the contract is served', async (side, create, on) => {
    const served = await servedBy(create, on)
    const known = [...declared(side), ...generic(side)]
    const pages = side === 'merchant' ? PAGES : new Set(['GET /', 'GET /favicon.ico', ...screens('/operator')])
    expect(served.filter((one) => !known.includes(one) && !pages.has(one))).toEqual([])
    expect(known.filter((one) => !served.includes(one))).toEqual([])
  })

  test('every act and view that a feature has is in the contract, and the other way round', () => {
    const shared = sharedOf(harness())
    const names = (specs: readonly { side: Side; id: string }[]) =>
      specs.map(({ side, id }) => `${side} ${id}`).toSorted()
    const acts = FEATURES.flatMap((feature) => feature.acts?.(shared) ?? []).map(({ spec }) => spec)
    const views = FEATURES.flatMap((feature) => feature.views?.(shared) ?? []).map(({ spec }) => spec)
    expect(names(acts)).toEqual(names(SIDES.flatMap(actsOf)))
    expect(names(views)).toEqual(names(SIDES.flatMap(viewsOf)))
  })
})
