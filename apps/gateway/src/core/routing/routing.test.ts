import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BankPort, Connector, Ctx } from '#kit/ctx.ts'
import type { RouteRow } from './routing.sql.ts'
import { cardConnector, connectorFor, settling } from './routing.ts'

type Fitness = { readonly can?: boolean; readonly holds?: bigint; readonly admits?: boolean }
const connector = (name: string, { can = true, holds, admits = true }: Fitness = {}): Connector => ({
  name,
  mutualTls: false,
  bank: {} as BankPort,
  keys: () => [],
  claims: () => can,
  can: () => can,
  cards: () => null,
  hasAnswered: () => true,
  learn: async () => undefined,
  holds: (kobo) => holds === undefined || kobo <= holds,
  admits: () => admits,
  answers: () => true,
  issues: () => false,
  bankCode: () => null,
  ready: async () => undefined,
})
const [bank, nibss, providus] = [connector('bank'), connector('nibss'), connector('providus')]
const route = (bank_code: string | null, above: bigint, ...connectors: string[]): RouteRow => ({
  bank_code,
  above_kobo: above,
  connectors,
})
/** As the statement orders them. */
const ROUTES = [
  route('058', 1000n, 'providus'),
  route('058', 0n, 'nibss', 'bank'),
  route(null, 500n, 'providus', 'nibss'),
  route(null, 0n, 'nibss'),
]
const chosen = (all: readonly Connector[], routes: readonly RouteRow[], bankCode: string, kobo: bigint): string =>
  connectorFor(all as Ctx['connectors']['all'], routes, { bankCode, kobo }).name

describe('the closest route decides', () => {
  test.each([
    ['of its bank and above its amount', '058', 1001n, 'providus'],
    ['at the amount, not above it', '058', 1000n, 'nibss'],
    ['of any bank above an amount', '044', 501n, 'providus'],
    ['of any bank', '044', 500n, 'nibss'],
  ])('%s', (_, code, kobo, name) => expect(chosen([bank, nibss, providus], ROUTES, code, kobo)).toBe(name))
  test('no route, or one that names only what is not configured: the first connector', () => {
    const of = (...routes: RouteRow[]) => chosen([bank, nibss, providus], routes, '058', 1n)
    expect(of()).toBe('bank')
    expect(of(route(null, 0n, 'gone'))).toBe('bank')
    expect(of(route(null, 0n, 'gone', 'nibss'))).toBe('nibss')
  })
})

const ORDER = ['nibss', 'providus', 'bank']
const ofAll = (all: readonly Connector[]): string => chosen(all, [route(null, 0n, ...ORDER)], '058', 100n)

describe('of a route', () => {
  test('the preferred one, unless it cannot pay, lacks the money or does not answer', () => {
    expect(ofAll([bank, nibss, providus])).toBe('nibss')
    expect(ofAll([bank, connector('nibss', { can: false }), providus])).toBe('providus')
    expect(ofAll([bank, connector('nibss', { holds: 99n }), providus])).toBe('providus')
    expect(ofAll([bank, connector('nibss', { holds: 100n }), providus])).toBe('nibss')
    expect(ofAll([bank, connector('nibss', { admits: false }), connector('providus', { holds: 0n })])).toBe('bank')
  })
  test('where none fits the preferred one has it, and it waits there', () => {
    const away = { admits: false }
    expect(ofAll([connector('bank', away), connector('nibss', away), connector('providus', away)])).toBe('nibss')
  })
  test('whatever fits and does not, a connector of the route is chosen, and one that fits if there is one', () =>
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...ORDER)), (fitting) => {
        const all = ['bank', 'nibss', 'providus'].map((name) => connector(name, { admits: fitting.includes(name) }))
        expect(ofAll(all)).toBe(ORDER.find((name) => fitting.includes(name)) ?? 'nibss')
      }),
    ))
})

describe('a card', () => {
  type Said = { readonly claims?: boolean | null; readonly admits?: boolean }
  const one = (name: string, { claims = true, admits = true }: Said = {}): Connector => ({
    ...connector(name, { admits }),
    claims: () => claims,
  })
  const by = (...all: Connector[]): string =>
    cardConnector(all as readonly Connector[] as Ctx['connectors']['all']).name
  test('is charged by the first that says so and answers', () => {
    expect(by(one('bank'), one('nibss'))).toBe('bank')
    expect(by(one('bank', { claims: false }), one('nibss'))).toBe('nibss')
    expect(by(one('bank', { claims: null }), one('nibss'))).toBe('nibss')
    expect(by(one('bank', { admits: false }), one('nibss'))).toBe('nibss')
  })
  test('where nobody both says so and answers: by the first that does not say otherwise, where it waits', () => {
    expect(by(one('bank', { claims: null }), one('nibss', { claims: null }))).toBe('bank')
    expect(by(one('bank', { claims: false }), one('nibss', { admits: false }))).toBe('nibss')
    expect(by(one('bank', { claims: false }), one('nibss', { claims: null }))).toBe('nibss')
    expect(by(one('bank', { claims: false }), one('nibss', { claims: false }))).toBe('bank')
  })
  test('is settled by whoever charged it, as far as that is certain', () => {
    const of = (own: string, ...all: Connector[]): string | null =>
      settling(all as readonly Connector[] as Ctx['connectors']['all'], own)
    const [yes, no, silent] = [{ claims: true }, { claims: false }, { claims: null }]
    expect(of('bank', one('bank', no))).toBe('bank')
    expect(of('nibss', one('bank', yes), one('nibss', yes))).toBe('nibss')
    expect(of('nibss', one('bank', yes), one('nibss', no))).toBe('bank')
    expect(of('bank', one('bank', silent), one('nibss', yes))).toBe('nibss')
    expect(of('bank', one('bank', no), one('nibss', silent))).toBe('bank')
    expect(of('bank', one('bank', no), one('nibss', yes), one('providus', yes))).toBeNull()
    expect(
      of('bank', one('bank', no), one('nibss', yes), { ...one('providus', silent), answers: () => false }),
    ).toBeNull()
  })
})
