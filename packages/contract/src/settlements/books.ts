// What an operator sees of the books: what the last night found, accounts with their balances, one posting
// with its entries.
import Type from 'typebox'
import { view } from '../kit/act.ts'

const Moment = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T14:07:31.120Z'] })
const Text = Type.String()
const Naira = Type.String({ description: 'Naira as decimal text', examples: ['985.00'] })
const MaybeText = Type.Union([Text, Type.Null()])

const reads = { side: 'operator', permission: 'operator.books.read', concerns: 'cell' } as const
export const lastBooks = view({
  ...reads,
  id: 'books.last',
  summary: 'Show what the last check of the books found',
  query: Type.Object({}),
  reply: Type.Object({
    day: MaybeText,
    startedAt: Type.Union([Moment, Type.Null()]),
    finishedAt: Type.Union([Moment, Type.Null()]),
    checked: Type.Integer(),
    violated: Type.Array(Type.Object({ invariant: Text, violations: Text, examples: Type.Array(Text) })),
    unfinished: Type.Array(Text),
  }),
  errors: ['PERMISSION_DENIED'],
})
export const listAccounts = view({
  ...reads,
  id: 'accounts.list',
  summary: "List ledger accounts with their balances: our own, or a merchant's",
  query: Type.Object({}),
  reply: Type.Object({
    content: Type.Array(Type.Object({ account: Text, kind: Text, balance: Naira })),
  }),
  errors: ['PERMISSION_DENIED', 'MERCHANT_UNKNOWN'],
})
export const showTransfer = view({
  ...reads,
  id: 'transfers.show',
  summary: 'Show one posting with its entries, and the approval it was made by',
  query: Type.Object({ id: Type.String({ minLength: 1, maxLength: 19 }) }),
  reply: Type.Object({
    id: Text,
    kind: Text,
    object: Text,
    objectId: Text,
    at: Moment,
    approval: MaybeText,
    entries: Type.Array(Type.Object({ account: Text, kind: Text, amount: Naira })),
  }),
  errors: ['PERMISSION_DENIED', 'POSTING_NOT_FOUND'],
})
