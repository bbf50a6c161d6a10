// Who may what, tried over the whole contract: every route with every kind of key, every act and view with
// every role of both sides. The expectation is the contract's own data; nothing is listed here twice.

import { ROUTES } from '@cowrie/contract'
import { ACTS, VIEWS } from '@cowrie/contract/acts'
import type { Act, View } from '@cowrie/contract/kit/act'
import {
  AGENT_SCOPE,
  KEY_SCOPES,
  type KeyScope,
  MERCHANT_ROLES,
  OPERATOR_ROLES,
  permissionsOfScope,
  rolePermissions,
  type Side,
} from '@cowrie/contract/kit/permissions'
import { EVERY_KEY, type Route } from '@cowrie/contract/kit/spec'
import { beforeAll, describe, expect, test } from 'vitest'
import { AGENT_AT_ONCE } from '#core/access/limits.ts'
import { Failure } from '#kit/fail.ts'
import { actorOf, doAct, show } from '#test/features/access/acts.ts'
import { endKey, limited, withoutId } from '#test/features/access/keys.ts'
import { basic, verdict } from '#test/features/access/secret-keys.ts'
import { invoiceBody, invoice as makeInvoice } from '#test/features/collections/invoices.ts'
import { LINK, link as makeLink } from '#test/features/collections/payment-links.ts'
import { reserve, reservedBody } from '#test/features/collections/reserved-accounts.ts'
import { newMerchant, order } from '#test/features/payouts/disbursements.ts'
import { payment, refundBody } from '#test/features/payouts/refunds.ts'
import {
  type Answer,
  advance,
  type Harness,
  INIT,
  INIT_PAYMENT,
  initBody,
  initialise,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { personIn } from '#test/people/sessions.ts'

const harness = useHarness()
const SCOPES = Object.keys(KEY_SCOPES) as KeyScope[]
const OF_MERCHANTS = ROUTES.filter(({ auth }) => auth === 'bearer' || auth === 'basic')
/** Not JSON: whoever is let in is refused for it, and nothing is changed. */
const NOT_A_BODY = '{'

type Keys = Record<KeyScope | 'full' | 'ended' | 'contract', TestMerchant>
let keys: Keys
const SECOND_CONTRACT = '0199999999'

beforeAll(async () => {
  const h = harness()
  const { main } = h.merchants
  await h.sql('01', 'insert into contracts (code, merchant_id, name) values ($1, $2, $3)', [
    SECOND_CONTRACT,
    main.id,
    'A second shop',
  ])
  const ofScopes = await Promise.all(SCOPES.map(async (scope) => [scope, await limited(h, main, { scope })] as const))
  const [ended, contract] = await Promise.all([
    limited(h, main, { scope: 'READ' }),
    limited(h, main, { scope: 'COLLECTIONS', contracts: [main.contractCode] }),
  ])
  keys = { ...Object.fromEntries(ofScopes), ended, contract, full: main } as Keys
  await Promise.all(Object.values(keys).map((key) => h.token(key)))
  await endKey(h, main, keys.ended)
})

/** A request to a route as one of the keys; tokens are those from before one of them was ended. */
async function ask(h: Harness, route: Route, key: TestMerchant): Promise<string> {
  const path = route.path.replace(/\{\w+\}/g, 'nobodys')
  const headers = route.auth === 'basic' ? basic(key, key.secretKey) : { authorization: `Bearer ${await h.token(key)}` }
  return verdictOf(await h.call(route.method, path, { headers, ...(route.body ? { raw: NOT_A_BODY } : {}) }))
}
const verdictOf = (answer: Answer): string => (answer.status === 200 ? '200' : verdict(answer))
const DENIED = '403 PERMISSION_DENIED'

describe('every route of a merchant', () => {
  /** Another key of its kind for every few routes, where a key may not ask often. */
  const refusedOf = async (key: TestMerchant, another?: () => Promise<TestMerchant>): Promise<string[]> => {
    const few = another ? AGENT_AT_ONCE / 2 : OF_MERCHANTS.length
    const verdicts: string[] = []
    for (let at = 0; at < OF_MERCHANTS.length; at += few) {
      const asking = another ? await another() : key
      const some = OF_MERCHANTS.slice(at, at + few)
      verdicts.push(...(await Promise.all(some.map((route) => ask(harness(), route, asking)))))
    }
    expect(verdicts.filter((one) => one.startsWith('5') || one.startsWith('429'))).toEqual([])
    return OF_MERCHANTS.flatMap(({ id }, at) => (verdicts[at] === DENIED ? [id] : []))
  }

  test('is open to the merchant’s own pair of keys', async () => {
    expect(await refusedOf(keys.full)).toEqual([])
  })

  test.each(SCOPES)(
    '403 PERMISSION_DENIED with a key of %s exactly where its scope lacks the permission',
    async (scope) => {
      const isAgent = scope === AGENT_SCOPE
      const lacks = OF_MERCHANTS.filter(
        ({ permission, proposable }) =>
          permission &&
          permission !== EVERY_KEY &&
          !permissionsOfScope(scope).has(permission) &&
          !(isAgent && proposable),
      )
      expect(lacks.length).toBeGreaterThan(20)
      const another = () => limited(harness(), keys.full, { scope })
      expect(await refusedOf(keys[scope], isAgent ? another : undefined)).toEqual(lacks.map(({ id }) => id))
    },
  )

  test('that moves money is refused to an agent, or waits for a person: nothing else is proposable', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await personIn(h, 'merchant', 'owner', { merchant })
    const agent = await limited(h, merchant, { scope: AGENT_SCOPE })
    const { transactionReference } = await payment(h, merchant)
    const bodies: Readonly<Record<string, object>> = {
      'transfers.initiate': order(agent),
      'refunds.initiate': refundBody(transactionReference),
    }
    const proposable = OF_MERCHANTS.filter((route) => route.proposable)
    expect(proposable.map(({ id }) => id).toSorted()).toEqual(Object.keys(bodies).toSorted())
    for (const { id, method, path } of proposable) {
      const { status, authorization, refundStatus } = (await h.as(agent, method, path, bodies[id])).json.responseBody
      expect([id, status ?? refundStatus, authorization]).toEqual(
        id === 'transfers.initiate' ? [id, 'PENDING_AUTHORIZATION', undefined] : [id, 'PENDING', 'APPROVAL'],
      )
    }
    await advance(h, 5)
    const [moved] = await h.sql('01', `select count(*)::int as count from bank_orders where merchant_id = $1`, [
      merchant.id,
    ])
    expect(moved.count).toBe(0)
    // A permission that changes or moves anything is none of an agent's.
    expect([...permissionsOfScope(AGENT_SCOPE)].filter((permission) => !permission.endsWith('.read'))).toEqual([])
    expect([...permissionsOfScope(AGENT_SCOPE)]).toEqual([...permissionsOfScope('READ')])
  })

  test('403 PERMISSION_DENIED with a key of one contract, also where a route does not tell the contract', async () => {
    const open = OF_MERCHANTS.filter(
      ({ permission, contractFields }) =>
        permission === EVERY_KEY || (contractFields && permission && permissionsOfScope('COLLECTIONS').has(permission)),
    )
    expect(open.length).toBeGreaterThan(20)
    const refused = await refusedOf(keys.contract)
    expect(OF_MERCHANTS.filter(({ id }) => !refused.includes(id)).map(({ id }) => id)).toEqual(open.map(({ id }) => id))
  })

  test('401 with a key that has ended, wherever it is shown', async () => {
    const verdicts = await Promise.all(OF_MERCHANTS.map((route) => ask(harness(), route, keys.ended)))
    const expected = OF_MERCHANTS.map(({ auth }) =>
      auth === 'basic' ? '401 CREDENTIALS_INVALID' : '401 TOKEN_INVALID',
    )
    // Forty wrong logins are more than there are routes that log in.
    expect(verdicts).toEqual(expected)
  })

  test('says which permission, and that the key is limited', async () => {
    const answer = await harness().as(keys.READ, 'POST', INIT, initBody(keys.READ))
    expect(answer.json.responseMessage).toBe('Not permitted: collections.write. This API key is limited')
  })
})

describe('objects', () => {
  const transaction = (reference: string) => `/api/v2/transactions/${encodeURIComponent(reference)}`
  const query = (name: string, value: string) =>
    `/api/v2/merchant/transactions/query?${name}=${encodeURIComponent(value)}`
  const invoice = (reference: string) => `/api/v1/invoice/${encodeURIComponent(reference)}/details`
  const account = (reference: string) => `/api/v2/bank-transfer/reserved-accounts/${encodeURIComponent(reference)}`

  /** One of each, of a merchant and a contract. */
  async function some(h: Harness, merchant: TestMerchant, contractCode: string) {
    const [paying, bill, reserved, link] = await Promise.all([
      initialise(h, merchant, { contractCode }),
      makeInvoice(h, merchant, { contractCode }),
      reserve(h, merchant, { contractCode }),
      makeLink(h, merchant, { contractCode }),
    ])
    return { paying, bill, reserved, link }
  }
  const reads = ({ paying, bill, reserved, link }: Awaited<ReturnType<typeof some>>) => [
    [transaction(paying.transactionReference), transaction('CWRY|01|20260101000000|000001')],
    [query('transactionReference', paying.transactionReference), query('transactionReference', 'none')],
    [query('paymentReference', paying.paymentReference), query('paymentReference', unique())],
    [invoice(bill.invoiceReference), invoice(unique())],
    [account(reserved.accountReference), account(unique())],
    [LINK(link.paymentLinkCode), LINK('CWPL01AAAAAAAAAAAA')],
  ]
  const expectUnknown = async (h: Harness, key: TestMerchant, pairs: readonly string[][]) => {
    for (const [theirs = '', unknown = ''] of pairs) {
      const [answer, same] = [await h.as(key, 'GET', theirs), await h.as(key, 'GET', unknown)]
      expect(answer.status, theirs).not.toBe(200)
      expect(answer.status, theirs).not.toBe(403)
      expect(withoutId(answer), theirs).toBe(withoutId(same))
    }
  }

  test('of another merchant answer like unknown ones to limited keys, and its own are shown', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const theirs = reads(await some(h, other, other.contractCode))
    for (const key of [keys.READ, keys.COLLECTIONS, keys.contract]) await expectUnknown(h, key, theirs)
    const own = reads(await some(h, main, main.contractCode))
    for (const key of [keys.READ, keys.COLLECTIONS, keys.contract])
      for (const [path = ''] of own) expect(verdict(await h.as(key, 'GET', path)), path).toBe('200')
  })

  test('of another contract answer like unknown ones to a key of one contract, and are not made or touched with it', async () => {
    const h = harness()
    const { main } = h.merchants
    const elsewhere = await some(h, main, SECOND_CONTRACT)
    await expectUnknown(h, keys.contract, reads(elsewhere))
    for (const [path = ''] of reads(elsewhere)) expect(verdict(await h.as(keys.COLLECTIONS, 'GET', path))).toBe('200')

    const contractCode = SECOND_CONTRACT
    const makes = [
      [INIT, initBody(main, { contractCode })],
      ['/api/v1/invoice/create', invoiceBody(h, main, { contractCode })],
      ['/api/v2/bank-transfer/reserved-accounts', reservedBody(main, { contractCode })],
    ] as const
    for (const [path, body] of makes) {
      expect(verdict(await h.as(keys.contract, 'POST', path, body)), path).toBe(DENIED)
      expect(verdict(await h.as(keys.contract, 'POST', path, { ...body, contractCode: main.contractCode }))).toBe('200')
    }

    // What changes something finds nothing either, also with the Idempotency-Key of a request that was
    // answered to another key.
    const { transactionReference } = elsewhere.paying
    const idempotent = { 'idempotency-key': unique('key') }
    expect(verdict(await h.as(main, 'POST', INIT_PAYMENT, { transactionReference }, idempotent))).toBe('200')
    const replayed = await h.as(keys.contract, 'POST', INIT_PAYMENT, { transactionReference }, idempotent)
    const unknown = await h.as(keys.contract, 'POST', INIT_PAYMENT, { transactionReference: 'none' })
    expect(replayed.status).toBeGreaterThanOrEqual(400)
    expect(withoutId(replayed)).toBe(withoutId(unknown))
    const cancelled = await h.as(keys.contract, 'DELETE', `/api/v1/invoice/${elsewhere.bill.invoiceReference}/cancel`)
    expect(verdict(cancelled)).toBe('404 INVOICE_NOT_FOUND')
    // An account of another contract is not attached to an invoice of this one.
    const attached = await h.as(
      keys.contract,
      'POST',
      '/api/v1/invoice/create',
      invoiceBody(h, main, { accountReference: elsewhere.reserved.accountReference }),
    )
    const nobodys = await h.as(
      keys.contract,
      'POST',
      '/api/v1/invoice/create',
      invoiceBody(h, main, { accountReference: unique('none') }),
    )
    expect(attached.status).toBeGreaterThanOrEqual(400)
    expect(withoutId(attached)).toBe(withoutId(nobodys))
  })
})

describe('every act and view', () => {
  const roles: readonly { side: Side; role: string }[] = [
    ...Object.keys(MERCHANT_ROLES).map((role) => ({ side: 'merchant' as const, role })),
    ...Object.keys(OPERATOR_ROLES).map((role) => ({ side: 'operator' as const, role })),
    { side: 'merchant', role: 'nobody' },
    { side: 'operator', role: 'nobody' },
  ]
  /** How it was refused; null when it was not. Everything that goes wrong is a refusal of the table. */
  const refusalOf = async (work: Promise<unknown>, what: string): Promise<string | null> => {
    try {
      await work
      return null
    } catch (error) {
      expect(error, what).toBeInstanceOf(Failure)
      return (error as Failure).code
    }
  }
  const lacking = (side: Side, role: string, specs: readonly (Act | View)[]): string[] =>
    specs.flatMap(({ id, permission }) => (rolePermissions(side, role).has(permission) ? [] : [id]))

  test.each(roles)(
    'PERMISSION_DENIED for $role of the $side exactly where the role lacks it',
    async ({ side, role }) => {
      const h = harness()
      const actor = actorOf(side, role as 'owner')
      const merchant = h.merchants.main.apiKey
      const refused = async (specs: readonly (Act | View)[], run: (spec: Act | View) => Promise<unknown>) => {
        const found: string[] = []
        for (const spec of specs)
          if ((await refusalOf(run(spec), `${side} ${spec.id}`)) === 'PERMISSION_DENIED') found.push(spec.id)
        return found
      }
      // Tried only: what cannot be tried is refused for that, after the permission was looked at.
      const acts = ACTS.filter((spec) => spec.side === side)
      const tried = await refused(acts, ({ id }) => doAct(h, actor, id, { merchant, dryRun: true }))
      expect(tried).toEqual(lacking(side, role, acts))
      const views = VIEWS.filter((spec) => spec.side === side)
      const place = { merchant: h.merchants.main.apiKey }
      expect(await refused(views, ({ id }) => show(h, actor, id, place))).toEqual(lacking(side, role, views))
    },
  )

  test('ACT_UNKNOWN for what the other side does', async () => {
    const h = harness()
    const of = (side: Side, specs: readonly (Act | View)[]) => specs.filter((spec) => spec.side === side)
    for (const [side, elsewhere] of [
      ['merchant', 'operator'],
      ['operator', 'merchant'],
    ] as const) {
      const actor = actorOf(side, side === 'merchant' ? 'owner' : 'admin')
      const own = new Set(of(side, ACTS).map(({ id }) => id))
      for (const { id } of of(elsewhere, ACTS).filter((spec) => !own.has(spec.id)))
        expect(await refusalOf(doAct(h, actor, id, { dryRun: true }), id)).toBe('ACT_UNKNOWN')
    }
  })
})
