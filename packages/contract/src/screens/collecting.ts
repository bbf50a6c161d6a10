// What a merchant's people look at where a program keeps its own references: the reserved accounts there are,
// the debits of a mandate, who paid at a payment link, and the contracts that everything is collected under.
// Each list is newest first, fifty at a time.
import Type from 'typebox'
import { DebitRecord } from '../collections/direct-debit.ts'
import { ReservedAccount } from '../collections/reserved-accounts.ts'
import { transactionMachine } from '../collections/transactions.ts'
import { view } from '../kit/act.ts'
import { AmountNumber } from '../kit/money.ts'

export const LISTED = 50
/** Older than it is everything: where a list begins. */
export const FROM_NEWEST = String(2n ** 63n - 1n)
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Moment = Type.String({ description: 'ISO 8601, UTC' })
const Before = Type.Optional(
  Type.String({ pattern: '^\\d{1,19}$', description: 'Only older ones: `next` of the page before' }),
)
const Next = Nullable(Type.String({ description: '`before` of the next page, null when there is none' }))

const looks = { side: 'merchant', permission: 'collections.read', concerns: 'merchant' } as const

const { accounts } = ReservedAccount.properties
/** Numbers are shown in part to whoever may not see personal data. */
const AccountShown = Type.Object({
  ...ReservedAccount.properties,
  accounts: Type.Array(Type.Object({ ...accounts.items.properties, accountNumber: Type.String() })),
})

export const listReservedAccounts = view({
  ...looks,
  id: 'reservedAccounts.list',
  summary: 'List reserved accounts',
  query: Type.Object({ before: Before }),
  reply: Type.Object({ content: Type.Array(AccountShown), next: Next }),
  errors: ['PERMISSION_DENIED'],
})

export const listDebits = view({
  ...looks,
  id: 'mandates.debits',
  summary: 'List the debits of a mandate',
  query: Type.Object({ mandateCode: Type.String({ minLength: 1, maxLength: 60 }), before: Before }),
  reply: Type.Object({
    content: Type.Array(Type.Object({ ...DebitRecord.properties, createdAt: Moment })),
    next: Next,
    debited: Type.Unsafe<number>({ ...AmountNumber, description: 'Naira; of all debits that did not fail' }),
  }),
  errors: ['PERMISSION_DENIED', 'MANDATE_NOT_FOUND'],
})

export const listLinkPayments = view({
  ...looks,
  id: 'paymentLinks.payments',
  summary: 'List the payments that were started at a payment link',
  query: Type.Object({ paymentLinkCode: Type.String({ minLength: 1, maxLength: 40 }), before: Before }),
  reply: Type.Object({
    content: Type.Array(
      Type.Object({
        transactionReference: Type.String(),
        paymentReference: Type.String(),
        paymentStatus: Type.Enum(Object.keys(transactionMachine.states)),
        amount: AmountNumber,
        amountPaid: AmountNumber,
        customerName: Type.String(),
        createdAt: Moment,
      }),
    ),
    next: Next,
  }),
  errors: ['PERMISSION_DENIED', 'PAYMENT_LINK_NOT_FOUND'],
})

export const listOwnContracts = view({
  ...looks,
  id: 'contracts.list',
  summary: 'List your contracts',
  query: Type.Object({}),
  reply: Type.Array(Type.Object({ contractCode: Type.String(), name: Type.String() })),
  errors: ['PERMISSION_DENIED'],
})
