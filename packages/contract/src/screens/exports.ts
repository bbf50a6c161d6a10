// Exports that are too large to be waited for: somebody asks, a worker writes the file, and it is there for a
// week. Columns, guards and last line are those of the direct export.
import Type, { type Static } from 'typebox'
import { act, view } from '../kit/act.ts'
import { exportPayments } from './files.ts'

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Moment = Type.String({ description: 'ISO 8601, UTC' })
const shared = { side: 'merchant', permission: 'collections.read', concerns: 'merchant' } as const

const EXPORT_STATES = ['WAITING', 'WRITING', 'READY', 'FAILED'] as const
export type ExportState = (typeof EXPORT_STATES)[number]

const {
  customerName,
  customerEmail,
  paymentStatus,
  amount,
  fromAmount,
  toAmount,
  transactionReference,
  paymentReference,
} = exportPayments.query.properties

export const QueuedExport = Type.Object({
  reference: Type.String({ description: 'What it is downloaded by' }),
  title: Type.String({ description: 'Name of the file, with the days it reaches over' }),
  /** What it was asked for by, beside the days; shown in part to roles that may not see personal data. */
  filter: Type.Object({
    customerName,
    customerEmail,
    paymentStatus,
    amount,
    fromAmount,
    toAmount,
    transactionReference,
    paymentReference,
  }),
  state: Type.Enum([...EXPORT_STATES]),
  rows: Type.Integer({ description: 'That are to be written; of a file that is ready, those in it' }),
  rowsWritten: Type.Integer(),
  bytes: Type.Integer({ description: 'Compressed' }),
  createdBy: Type.String(),
  createdAt: Moment,
  completedAt: Nullable(Moment),
  expiresAt: Type.String({ description: 'Then it is deleted; ISO 8601, UTC' }),
  partly: Type.Boolean({ description: 'Names and addresses are masked in it, because of the role of whoever asked' }),
})
export type QueuedExport = Static<typeof QueuedExport>

export const requestExport = act({
  ...shared,
  id: 'exports.request',
  summary: 'Have the payments that a search finds written into a file, which is then kept for a week',
  input: exportPayments.query,
  reply: QueuedExport,
  errors: ['AMOUNT_INVALID', 'EXPORTS_FULL'],
  stepUp: true,
})

export const listExports = view({
  ...shared,
  id: 'exports.list',
  summary: 'List the files that were asked for and are still kept, newest first, with how far each has come',
  query: Type.Object({}),
  reply: Type.Object({ content: Type.Array(QueuedExport) }),
  errors: ['PERMISSION_DENIED'],
})
