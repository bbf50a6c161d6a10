// Which connectors a cell uses for what: dated routes, set by two people. Those of payouts are by the bank
// that is paid and by amount. And through which one a payout went, with what its bank said of it.
import Type, { type Static } from 'typebox'
import { act, view } from '../kit/act.ts'
import { AmountText } from '../kit/money.ts'

/** What a route may be for beside payouts. */
export const ROUTED = ['numbers', 'card', 'mandate', 'identity'] as const
export type Routed = (typeof ROUTED)[number]
const RouteCapability = Type.Enum(['payout', ...ROUTED], {
  description:
    'payout: what is paid to bank accounts. numbers: account numbers for payers. card: new card charges. mandate: new mandates of direct debit. identity: questions about BVN and NIN. Left out: payout',
})

const BankCode = Type.String({
  minLength: 1,
  maxLength: 10,
  description: 'Of the account that is paid; for payouts only. Left out: any',
})
const Above = Type.String({
  pattern: '^\\d{1,12}(\\.\\d{1,2})?$',
  description: 'In naira: for payouts of more than this, and for payouts only. Left out: of any amount',
})
const Names = Type.Array(Type.String({ pattern: '^[a-z][a-z0-9-]{1,19}$' }), {
  maxItems: 10,
  description:
    'Names of connectors, the preferred one first; `bank` is the one at BANK_URL. The next is taken while one does not answer, and for a payout while it lacks the money or does not reach the bank. None: the route is withdrawn',
})
const ROUTE_STATES = ['IN_FORCE', 'COMING', 'PAST'] as const

const Route = Type.Object({
  id: Type.String(),
  capability: RouteCapability,
  bankCode: Type.Union([Type.String(), Type.Null()], { description: 'Null: any' }),
  above: AmountText,
  connectors: Names,
  validFrom: Type.String({ description: 'ISO 8601, UTC' }),
  state: Type.Enum([...ROUTE_STATES]),
})
export type Route = Static<typeof Route>

export const setRoute = act({
  id: 'routes.set',
  side: 'operator',
  permission: 'operator.routes.write',
  concerns: 'cell',
  summary:
    'Set which connectors are used for payouts, account numbers, cards, mandates or identities, from an instant on',
  input: Type.Object({
    capability: Type.Optional(RouteCapability),
    bankCode: Type.Optional(BankCode),
    above: Type.Optional(Above),
    connectors: Names,
    validFrom: Type.Optional(
      Type.String({ maxLength: 40, description: 'A day in Lagos or an instant with its offset. Left out: at once' }),
    ),
  }),
  reply: Route,
  errors: ['PERMISSION_DENIED', 'FIELD_INVALID', 'AMOUNT_INVALID', 'ROUTE_DATE', 'ROUTE_DATE_TAKEN', 'ROUTE_CONNECTOR'],
  approval: 'always',
})

export const listRoutes = view({
  id: 'routes.list',
  side: 'operator',
  permission: 'operator.work.read',
  concerns: 'cell',
  summary: 'List the connectors and the routes',
  query: Type.Object({}),
  reply: Type.Object({
    connectors: Type.Array(
      Type.Object({
        name: Type.String(),
        payout: Type.Boolean({ description: 'Whether it says that it sends payouts' }),
        capabilities: Type.Union([Type.Array(Type.String()), Type.Null()], {
          description: 'What it says that it can do. Null: it has not said',
        }),
        answers: Type.Boolean({ description: 'Whether it answered lately, and its bank answered it' }),
      }),
    ),
    routes: Type.Array(Route),
  }),
  errors: ['PERMISSION_DENIED'],
})

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const showPayout = view({
  id: 'payouts.show',
  side: 'operator',
  permission: 'operator.work.read',
  concerns: 'merchant',
  summary:
    'Show a payout as its bank knows it: through which connector it went, what the network calls it and what it cost',
  query: Type.Object({
    kind: Type.Optional(
      Type.Enum(['PAYOUT', 'ORDER'], {
        description: 'ORDER: what pays a refund or a settlement, by its number. Left out: PAYOUT',
      }),
    ),
    reference: Type.String({ minLength: 1, maxLength: 100 }),
  }),
  reply: Type.Object({
    reference: Type.String(),
    state: Type.String(),
    amount: AmountText,
    connector: Nullable(Type.String({ description: 'Null until it was sent' })),
    sessionId: Nullable(Type.String({ description: 'What we call it at the bank' })),
    networkReference: Nullable(Type.String({ description: 'What the network calls it, where the bank has said so' })),
    bankFee: Nullable(
      Type.String({
        description: 'What the bank says that it charges us, in naira; booked when its statement shows it',
      }),
    ),
    reportedAt: Nullable(Type.String({ description: 'When the bank last said one of the two; ISO 8601, UTC' })),
  }),
  errors: ['PERMISSION_DENIED', 'WORK_NOT_FOUND'],
})
