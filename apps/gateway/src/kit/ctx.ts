// Two contexts. `Ctx` reaches the world and cannot write; `Tx` writes and cannot reach the world. `tx` and
// its variants in core/cells/cells.ts are the only makers of a `Tx`, so a write outside a transaction, or a
// call to the bank inside one, does not compile. What lies outside (bank, mail, webhooks) implements the
// types declared here.

import type {
  Catalogue,
  ValidationAnswer,
  ValidationAsked,
  VendAnswer,
  VendOrder,
} from '@cowrie/contract/bank/biller-connector'
import type { CardRefundAnswer, CardRefundOrder } from '@cowrie/contract/bank/card-refund-connector'
import type {
  CardAnswer,
  CardAuthorisation,
  IdentityAnswer,
  IdentityAsked,
  ReturnAnswer,
  ReturnOrder,
} from '@cowrie/contract/bank/connector'
import type {
  AccountAnswer,
  AccountAsked,
  DetailsAnswer,
  DetailsAsked,
  PersonAnswer,
  PersonAsked,
} from '@cowrie/contract/bank/identity-connector'
import type { DebitAnswer, DebitOrder, MandateAnswer, MandateOrder } from '@cowrie/contract/bank/mandate-connector'
import type { Statement as BankStatement } from '@cowrie/contract/bank/statement-connector'
import type { CardAnswerV2, CardAuthorisationV2, CardInput, CardSettings } from '@cowrie/contract/bank/v2/cards'
import type {
  BankBalances,
  Capabilities,
  Capability,
  NumbersAnswer,
  NumbersOrder,
} from '@cowrie/contract/bank/v2/connectors'
import type { PayoutAnswerV2, PayoutOrderV2 } from '@cowrie/contract/bank/v2/payouts'
import type { Client, Pool, PoolClient } from 'pg'
import type { Clock } from './clock.ts'
import type { Keys } from './crypto.ts'
import type { DocumentSigner } from './custody.ts'
import type { CellId, Institution } from './ids.ts'
import type { Log } from './log.ts'

declare const made: unique symbol

/** A statement's text with the name it is prepared under. */
export type Statement = { readonly name: string; readonly text: string }

/** What bodies of events have in common is stored once. */
export type Shapes = {
  /** What is stored of a body: what varies in it, or the whole where its shape is not known yet. */
  pack(body: string): { readonly shape: number | null; readonly body: string }
  /** The body again, to the byte. */
  unpack(shape: number | null, stored: string): Promise<string>
}

/** Reads committed rows; cannot write (the role may, but nothing here begins a transaction for it). */
export type Read = {
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  readonly cell: CellId
  readonly now: Date
  readonly institution: Institution
  readonly shapes: Shapes
}

/** A transaction. Everything asked of it commits together or not at all. */
export type Tx = Read & { readonly [made]: true }

/** A pool, and connections of it that nobody uses at the moment, kept out for the next batch. */
export type Connections = { readonly pool: Pool; readonly idleConnections: PoolClient[] }

/** One cell: a PostgreSQL cluster, seen through two roles, and the ids allocated from it. */
export type Cell = {
  readonly id: CellId
  /** Why it is not used yet: it was away when the process started, or is not the one it should be. Null: it
   *  was looked at and is in use. Nothing is asked of a cell before that, because it may be the wrong one. */
  readonly entry: { closed: string | null }
  /** Across merchants: batches, timers, notices. */
  readonly engine: Connections
  /** The same role for the statements of every payment (readHot, commitHot): their plans look up row by
   *  row. */
  readonly hot: Connections
  /** For one merchant, under row-level security. */
  readonly app: Pool
  /** One connection that allocates blocks of numbers. */
  readonly numbering: Pool
  /** Clients that connect to the host that takes its writes (core/cells/primary.ts). */
  readonly primary: {
    /** All its hosts, with the engine's login. */
    readonly url: string
    readonly Client: typeof Client
    readonly ready: Promise<void>
    close(): Promise<void>
  }
  /** Engine connections whose locks say what this process works on (core/cells/holding.ts). */
  readonly sessions: Set<PoolClient>
  readonly shapes: Shapes
  /** How many statements this process has sent to the cell. */
  statements(): number
  count(): void
  takeIds(count: number): Promise<bigint[]>
  takeAccountSerials(count: number): Promise<string[]>
  /** Of numbers that stay with a customer: nobody else is ever given them. */
  takeReservedSerials(count: number): Promise<string[]>
}

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** Whom an answer reaches; whoever sent it if not given. */
  replyTo?: string
  /** For whom it is sent. */
  merchant: { readonly cell: CellId; readonly id: bigint }
}

/** yes, no, or unknown: an outside call has three outcomes. `why` is in our words and may be logged; `said`
 *  is the beginning of what the other side wrote, for a row that a person reads, and never for a log. */
export type Outcome<T> =
  | { kind: 'yes'; value: T }
  | { kind: 'no'; status: number; why: string; said?: string }
  | { kind: 'unknown'; why: string }

/** The bank's side of the connector protocol: what the gateway asks of it. */
export type BankPort = {
  nameEnquiry(account: {
    bankCode: string
    accountNumber: string
  }): Promise<Outcome<{ accountName: string; nameEnquiryReference?: string }>>
  /** Up to 500 at once; null for an account that the bank does not know. */
  nameEnquiries(
    accounts: readonly { bankCode: string; accountNumber: string }[],
  ): Promise<Outcome<{ accountNames: (string | null)[] }>>
  /** Sends a credit back to its sender; repeating it is harmless. */
  returnCredit(order: ReturnOrder): Promise<Outcome<ReturnAnswer>>
  /** A page of the statement of a West African day; `after` is the `next` of the page before. */
  statement(asked: { date: string; after: string | null }): Promise<Outcome<BankStatement>>
  authorise(asked: CardAuthorisation): Promise<Outcome<CardAnswer>>
  confirmOtp(asked: { chargeReference: string; otpId: string; otp: string }): Promise<Outcome<CardAnswer>>
  inquire(asked: { chargeReference: string }): Promise<Outcome<CardAnswer>>
  reverse(asked: { chargeReference: string }): Promise<Outcome<CardAnswer>>
  // The same steps in version 2, for a connector that has it.
  authoriseV2(asked: CardAuthorisationV2): Promise<Outcome<CardAnswerV2>>
  submitInput(asked: CardInput): Promise<Outcome<CardAnswerV2>>
  inquireV2(asked: { chargeReference: string }): Promise<Outcome<CardAnswerV2>>
  reverseV2(asked: { chargeReference: string }): Promise<Outcome<CardAnswerV2>>
  /** Orders a payout; repeating it under its session is harmless. `no` means that this message was not
   *  accepted (409: the session belongs to another order), not that nothing was ever paid under the session:
   *  that only a bar settles. */
  sendPayout(order: PayoutOrderV2): Promise<Outcome<PayoutAnswerV2>>
  inquirePayout(asked: { sessionId: string }): Promise<Outcome<PayoutAnswerV2>>
  /** After a `yes` nothing more is paid under the session; its status is SUCCESS, FAILED or REVERSED. */
  barPayout(asked: { sessionId: string }): Promise<Outcome<PayoutAnswerV2>>
  /** Orders a refund to the card of a charge; what holds for payouts holds here. */
  sendCardRefund(order: CardRefundOrder): Promise<Outcome<CardRefundAnswer>>
  inquireCardRefund(asked: { sessionId: string }): Promise<Outcome<CardRefundAnswer>>
  barCardRefund(asked: { sessionId: string }): Promise<Outcome<CardRefundAnswer>>
  /** Asks the register whether it knows a person, and whether the person may have an account. */
  lookUpIdentity(asked: IdentityAsked): Promise<Outcome<IdentityAnswer>>
  /** Ask the registers about a person. Each changes nothing there; repeated under its reference it gets the
   *  same answer. */
  matchDetails(asked: DetailsAsked): Promise<Outcome<DetailsAnswer>>
  matchAccount(asked: AccountAsked): Promise<Outcome<AccountAnswer>>
  personOf(asked: PersonAsked): Promise<Outcome<PersonAnswer>>
  /** Asks the scheme to ask the customer; repeating it is harmless. */
  registerMandate(order: MandateOrder): Promise<Outcome<MandateAnswer>>
  /** After a `yes` the mandate is over at the scheme, also if it never received it. */
  endMandate(asked: { mandateCode: string }): Promise<Outcome<MandateAnswer>>
  /** Orders a debit; what holds for payouts holds here. */
  sendDebit(order: DebitOrder): Promise<Outcome<DebitAnswer>>
  inquireDebit(asked: { sessionId: string }): Promise<Outcome<DebitAnswer>>
  barDebit(asked: { sessionId: string }): Promise<Outcome<DebitAnswer>>
  /** Everything that billers sell at the moment. */
  billCatalogue(): Promise<Outcome<Catalogue>>
  validateBillCustomer(asked: ValidationAsked): Promise<Outcome<ValidationAnswer>>
  /** Orders a vend; what holds for payouts holds here. */
  sendVend(order: VendOrder): Promise<Outcome<VendAnswer>>
  inquireVend(asked: { sessionId: string }): Promise<Outcome<VendAnswer>>
  barVend(asked: { sessionId: string }): Promise<Outcome<VendAnswer>>
  /** Who it is and what it can do; `no` from one that speaks version 1 only. */
  capabilities(): Promise<Outcome<Capabilities>>
  /** What our accounts there hold. */
  balances(): Promise<Outcome<BankBalances>>
  /** Account numbers that the bank issues. */
  numbers(order: NumbersOrder): Promise<Outcome<NumbersAnswer>>
}

/** One bank, or the adapter in front of it. */
export type Connector = {
  readonly name: string
  /** Each side shows the other a certificate. */
  readonly mutualTls: boolean
  readonly bank: BankPort
  /** Those that it may sign with. */
  readonly keys: () => readonly string[]
  /** What it says of itself; null where it has not said. */
  claims(capability: Capability): boolean | null
  /** What it says of itself; true where it has not said. */
  can(capability: Capability): boolean
  /** What it says of its cards; null where it has not said, or speaks version 1 only. */
  cards(): CardSettings | null
  /** Whether it has ever answered what it can do, also that it speaks version 1 only. */
  hasAnswered(): boolean
  /** Waits for what it says of itself, where it has never said. */
  learn(): Promise<void>
  /** Whether something may be sent through it to a bank, or to whoever charges its cards (`CARDS`): not while
   *  what was sent there lately got no answer, except for one now and then after a question that moves no
   *  money was answered. To be asked just before something is sent. */
  admits(destination: string): boolean
  /** Whether its account holds so much; true where it has not said. */
  holds(kobo: bigint): boolean
  /** Whether it answered lately and its bank answers it, or whoever charges its cards (`CARDS`). Asking sends
   *  nothing. */
  answers(destination?: string): boolean
  /** Whether it says that its bank issues account numbers; false where it has not said. */
  issues(): boolean
  /** Which bank it says is behind it; null where it has not said. */
  bankCode(): string | null
  /** After it was asked once what it can do, answered or not. */
  ready(): Promise<unknown>
}

/** The first is for whatever nothing else is said about. */
export type Connectors = {
  readonly all: readonly [Connector, ...Connector[]]
  /** The one through which something went. One that is not configured any more answers nothing. */
  of(name: string): BankPort
}

/** The simulator's own calls; null in live. */
export type SimulatorPort = {
  /** Sets the simulator's clock and runs what is due there; tells when something is due next. */
  setClock(offsetMs: number): Promise<{ nextDueAt: Date | null; ran: number }>
  nextDue(): Promise<Date | null>
  /** A customer pays an account of ours; answers once the gateway has been notified of the money. */
  pay(transfer: {
    bankCode: string
    accountNumber: string
    amount: string
    scenario?: string
  }): Promise<{ status: string }>
  /** What was sent for a merchant: to its owner and to its customers. */
  mails(
    merchant: { readonly cell: CellId; readonly id: bigint },
    to: string | undefined,
  ): Promise<{ to: string; subject: string; text: string; html: string; sentAt: string }[]>
}

export type MailPort = {
  send(mail: Mail): Promise<Outcome<null>>
  close(): void
}

export type WebhookAnswer = {
  /** null when there was no answer; then `error` says why. */
  status: number | null
  durationMs: number
  error: string | null
  /** The first kilobyte of what was answered. */
  answer: string | null
  /** The header, as it came. */
  retryAfter: string | null
}
export type WebhookPort = {
  /** `limitMs`: how long the receiver has, where that is less than for notifications. */
  post(url: string, headers: Record<string, string>, body: string, limitMs?: number): Promise<WebhookAnswer>
}

export type FeedSettings = {
  readonly folder: string | null
  /** Posts to it are signed with the key. */
  readonly receiver: { readonly url: string; readonly key: string } | null
}
/** Where whoever watches over the gateway hears of it; each way out is null where it is not set. */
export type FeedPort = {
  /** Adds to the end of a file of the folder. */
  readonly append: ((name: string, lines: string) => Promise<void>) | null
  /** Writes a file of the folder, whole or not at all. */
  readonly write: ((name: string, text: string) => Promise<void>) | null
  readonly post: ((body: string) => Promise<Outcome<null>>) | null
}

/** What is kept of a log-in at the identity provider while the browser is there. */
export type OidcSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string }
/** What the provider says about somebody, from an ID token that was checked. */
export type OidcIdentity = {
  readonly issuer: string
  readonly subject: string
  /** Null unless the provider says that it has verified the address. */
  readonly verifiedEmail: string | null
  /** How it saw them (RFC 8176). */
  readonly methods: readonly string[]
}
/** The identity provider, by OpenID Connect: code flow with PKCE. */
export type OidcPort = {
  /** The address there that the browser is sent to. */
  begin(redirectUri: string, secrets: OidcSecrets): Promise<Outcome<string>>
  /** Redeems the code of the address that the browser returned to. `no`: the provider or a check refused
   *  it. */
  finish(returnedTo: string, secrets: OidcSecrets): Promise<Outcome<OidcIdentity>>
}

/** Which cell an account number is of. */
export type Ranges = {
  /** By the ranges that are known; null when none has the number. */
  known(bankCode: string, accountNumber: string): CellId | null
  /** The same, after another look where none was known. */
  cellOf(bankCode: string, accountNumber: string): Promise<CellId | null>
}

/** Caps on unpaid payments that were opened without a credential. */
export type StrangersOpen = { readonly network: number; readonly link: number; readonly merchant: number }

export type Ctx = {
  readonly environment: 'sandbox' | 'live'
  readonly publicUrl: string
  readonly cells: ReadonlyMap<CellId, Cell>
  /** Where people are known; one of the cells, or a database of its own that is not a cell (`00`). Its loss
   *  stops log-ins, not payments. */
  readonly identities: Cell
  readonly ranges: Ranges
  readonly institution: Institution
  /** How long the number of a payment is in quarantine. */
  readonly quarantineMs: number
  /** How long one rests that nobody ever paid to. */
  readonly unpaidRestMs: number
  /** With fewer numbers of a bank that issues its own than this, more are ordered. */
  readonly numbersStock: number
  /** How many payments that wait to be paid strangers may have opened. */
  readonly strangersOpen: StrangersOpen
  /** How many days after the month of an event its attempts are kept. */
  readonly attemptsDays: number
  /** How many months after the month of an event its body is kept; 0: for ever. */
  readonly eventBodiesMonths: number
  /** How many days a line of the request log is kept; 0: none is written. */
  readonly requestLogDays: number
  /** From here on a reversal of what had been paid out waits for the bank's statement; 0: none waits. */
  readonly largeReversalKobo: bigint
  /** The power of two of scrypt's N for a new password. */
  readonly passwordCost: number
  readonly clock: Clock
  /** Others after a re-read of the files they are in. */
  readonly keys: Keys
  readonly log: Log
  /** The first of the connectors; names it asks of others too, where it is silent. */
  readonly bank: BankPort
  readonly connectors: Connectors
  readonly simulator: SimulatorPort | null
  readonly mail: MailPort
  readonly webhooks: WebhookPort
  readonly feed: FeedPort
  /** Signs the heads of the audit trail; null where the master key does. */
  readonly headsSigner: DocumentSigner | null
  /** Null when nobody logs in that way. */
  readonly oidc: OidcPort | null
  /** Tells the workers of a cell that something is due; cheap, may be lost, polling is the fall-back. */
  wake(cell: CellId): void
  /** Tells whoever waits for events of a cell that some were numbered; as cheap, and as easily lost. */
  tellNumbered(cell: CellId): void
}
