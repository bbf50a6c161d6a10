// What an adapter imports.
export { type CardEvent, type Cards, cardSettingsOf, createCards } from './cards/cards.ts'
export type {
  AskedKind,
  CardFacts,
  CardMapping,
  CardSaid,
  Charged,
  KnownCard,
  OutgoingCharge,
  OutgoingInput,
} from './cards/mapping.ts'
export { readSealKey, type SealKeys } from './cards/seal.ts'
export { type Claimed, type Claims, createClaims, type Verified } from './claims/claims.ts'
export { isReady, migrate, type Store } from './database/database.ts'
export { type Clock, systemClock } from './kit/clock.ts'
export { createMeter, type Meter } from './kit/meter.ts'
export type { Storable } from './kit/secretless.ts'
export { isSigned, type Keys, sign } from './kit/signing.ts'
export { createTokens, type Token, type Tokens } from './kit/tokens.ts'
export { createLog, type Log } from './log/log.ts'
export { createNumbers, type Issued, type Numbers } from './numbers/numbers.ts'
export { type ByHand, settleByHand } from './orders/by-hand.ts'
export type { RefundContents } from './orders/contents.ts'
export type {
  Accepted,
  Asked,
  Forwarded,
  Known,
  Limits,
  OrderMapping,
  Outgoing,
  Ready,
  Refused,
  Unknown,
} from './orders/mapping.ts'
export { createCardRefunds, createOrders, type Learned, type OrderEvent, type Orders } from './orders/orders.ts'
export type { Notice } from './outbox/notices.ts'
export { type Added, createOutbox, type Outbox } from './outbox/outbox.ts'
export type { Door, Reply } from './server/door.ts'
export type { Account, Balanced, BankMapping, Mapping, Named, StatementPage } from './server/mapping.ts'
export { type AdapterServer, drainOnSignals, serve } from './server/server.ts'
export { serveWebhooks, type Webhook } from './server/webhooks.ts'
export {
  adapterSettings,
  type Environment,
  environmentOf,
  isLoopback,
  readSettings,
  type Settings,
  SettingsError,
  settingsOrEnd,
  statementSettings,
  timeSettings,
  webhookSettings,
} from './settings/settings.ts'
export { koboOf, momentOf, Unreadable } from './statements/amounts.ts'
export type { BankFile, BankLine } from './statements/bank-file.ts'
export { readCamt053 } from './statements/camt053.ts'
export { type CsvForm, readCsv } from './statements/csv.ts'
export { createStatementFiles, type StatementFiles } from './statements/files.ts'
export { readMt940 } from './statements/mt940.ts'
export { type Balances, buildStatement, type StatementRow } from './statements/statement.ts'
