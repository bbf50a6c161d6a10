// A merchant's life, as the operator's people lead it:
//   APPLIED → IN_SANDBOX → IN_REVIEW → [every document accepted, two people] LIVE ⇄ SUSPENDED → [nothing
//     left] CLOSED
//   APPLIED, IN_SANDBOX, IN_REVIEW → REJECTED
// Books: none; closing needs empty accounts. Who waits: the operator, or the merchant. What a suspension
// means stands where it has effect: requests (core/bind.ts), money that arrives (collections,
// reserved-accounts), what would leave (core/outgoing.ts), settlements.
import {
  CLOSE_AFTER_SECONDS,
  merchantMachine,
  REQUESTS_PER_SECOND,
  REQUIRED_DOCUMENTS,
} from '@cowrie/contract/access/merchants'
import { nuban } from '@cowrie/contract/bank/nuban'
import type { FeatureName } from '@cowrie/contract/kit/features'
import { nairaText } from '@cowrie/contract/kit/money'
import type { ActionOf } from '@cowrie/contract/kit/spec'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById } from '#core/cells/cells.ts'
import { type Offer, onePerProcess, type Shared, type WalletPlace } from '#core/feature.ts'
import { balances } from '#core/ledger/ledger.ts'
import { mover } from '#core/ledger/move.ts'
import { newSecretKey } from '#features/access/auth/rotation.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { randomCharacters, randomDigits } from '#kit/crypto.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { applicationReference, type CellId, FIRST_CONNECTOR_ID, parseApplication } from '#kit/ids.ts'
import { grant } from './access.ts'
import * as sql from './life.sql.ts'
import { createLink } from './links/key-links.ts'
import { addContract } from './merchants.sql.ts'
import { openMerchant } from './merchants.ts'

type Action = ActionOf<typeof merchantMachine>
const moveMerchants = mover(merchantMachine, { name: 'merchant', set: {} })

const unknown = (cell: CellId, id: bigint): never =>
  fail('APPLICATION_UNKNOWN', { reference: applicationReference(cell, id) })

/** The id behind a reference, in the cell where the act happens. */
export function parseApplicationId(cell: CellId, reference: string): bigint {
  const named = parseApplication(reference)
  return named?.cell === cell ? named.id : fail('APPLICATION_UNKNOWN', { reference })
}

// ---- before it is live

export type Application = {
  readonly name: string
  readonly email: string
  readonly registrationNumber: string
  readonly address: string
  readonly website?: string
  readonly contact: string
  readonly expectedMonthlyNaira: number
}
export async function apply(ctx: Ctx, t: Tx, asked: Application, by: string): Promise<bigint> {
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  await sql.insert(t, {
    id,
    status: 'APPLIED',
    name: asked.name,
    email: asked.email,
    registration_number: asked.registrationNumber,
    address: asked.address,
    website: asked.website ?? null,
    contact: asked.contact,
    expected_monthly_naira: BigInt(asked.expectedMonthlyNaira),
    by,
  })
  return id
}

const ruleOf = (on: Action, from: string) =>
  merchantMachine.moves.find((move) => move.on === on && (move.from as readonly string[]).includes(from))

/** Refuses what its state does not allow; for those who ask before anybody is asked to approve. */
export async function mayStep(read: Read, id: bigint, on: Action): Promise<sql.FileRow> {
  const file = (await sql.find(read, id)) ?? unknown(read.cell, id)
  return ruleOf(on, file.status) ? file : fail('MERCHANT_STATE', { state: file.status })
}

/** One step of its life; the file is locked until the end of the transaction. */
export async function step(t: Tx, id: bigint, on: Action) {
  const file = (await sql.lock(t, id)) ?? unknown(t.cell, id)
  const { to } = ruleOf(on, file.status) ?? fail('MERCHANT_STATE', { state: file.status })
  await moveMerchants(t, [{ on, id, merchantId: id, from: file.status }])
  return { file, state: to }
}

const OPEN_FOR_DOCUMENTS: ReadonlySet<string> = new Set(['APPLIED', 'IN_SANDBOX', 'IN_REVIEW', 'LIVE', 'SUSPENDED'])
export async function recordDocument(
  ctx: Ctx,
  t: Tx,
  merchantId: bigint,
  document: Omit<sql.DocumentRow, 'recorded_at'>,
): Promise<sql.DocumentRow | null> {
  const file = (await sql.lock(t, merchantId)) ?? unknown(t.cell, merchantId)
  if (!OPEN_FOR_DOCUMENTS.has(file.status)) fail('MERCHANT_STATE', { state: file.status })
  // Whoever goes live has shown what its handler does, or somebody has said in words why that is not needed.
  const { kind, state, digest, note } = document
  if (kind === 'WEBHOOK_EXAM' && state === 'ACCEPTED' && !digest && !note)
    fail('FIELD_INVALID', {
      field: 'digest',
      why: 'must be the digest of the report; or the note says why the exam is waived',
    })
  const before = (await sql.documents(t, merchantId)).find(({ kind }) => kind === document.kind) ?? null
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  await sql.insertDocument(t, id, merchantId, document)
  return before
}

/** Refuses while a required document is not accepted. */
export async function needDocuments(read: Read, merchantId: bigint): Promise<void> {
  const found = await sql.documents(read, merchantId)
  const accepted = new Set(found.filter(({ state }) => state === 'ACCEPTED').map(({ kind }) => kind))
  const missing = REQUIRED_DOCUMENTS.filter((kind) => !accepted.has(kind))
  if (missing.length > 0) fail('DOCUMENTS_NOT_ACCEPTED', { documents: missing.join(', ') })
}

// ---- live

export type GoingLive = {
  readonly addresses: readonly string[]
  readonly requestsPerSecond: number | undefined
  readonly features: readonly FeatureName[]
  readonly wallet: WalletPlace
  readonly by: string
  readonly why: string
}
async function numberAt(ctx: Ctx, cell: CellId, place: WalletPlace): Promise<Offer> {
  if ('accountNumber' in place) return place
  const [serial = ''] = await cellById(ctx, cell).takeReservedSerials(1)
  return { ...place, accountNumber: nuban(place.bankCode, serial), connector: FIRST_CONNECTOR_ID }
}

/** It gets everything but a secret key that anybody knows: that is made when the owner opens the link. */
export async function goLive(shared: Shared, t: Tx, id: bigint, given: GoingLive) {
  const { ctx } = shared
  const { file, state } = await step(t, id, 'goLive')
  await needDocuments(t, id)
  const { accountNumber: walletNumber, bankCode, connector } = await numberAt(ctx, t.cell, given.wallet)
  const apiKey = `MK_${ctx.environment === 'live' ? 'PROD' : 'TEST'}_${t.cell}${randomCharacters(8)}`
  const contractCode = newContractCode(t.cell)
  await openMerchant(shared, t, id, {
    name: file.name,
    email: file.email,
    apiKey,
    secretKey: newSecretKey(),
    contractCode,
    walletNumber,
    walletBankCode: bankCode,
    walletConnector: connector,
    transferOtp: true,
    features: [],
    allowedAddresses: given.addresses,
    requestsPerSecond: given.requestsPerSecond ?? REQUESTS_PER_SECOND,
    walletKobo: 0n,
  })
  for (const feature of given.features) await grant(t, id, { feature, granted: true, by: given.by, why: given.why })
  await createLink(ctx, t, id, 'FIRST_KEY', given.by)
  return { file, state, apiKey, contractCode, walletNumber }
}

const newContractCode = (cell: CellId): string => cell + randomDigits(8)
const CODES_TRIED = 20
export async function giveContract(t: Tx, merchantId: bigint, name: string): Promise<string> {
  for (let tried = 0; tried < CODES_TRIED; tried += 1) {
    const code = newContractCode(t.cell)
    if (await addContract(t, merchantId, code, name)) return code
  }
  return fail('UNAVAILABLE', {}, 'no free contract code')
}

const NAMED: ReadonlySet<string> = new Set(['LIVE', 'SUSPENDED'])
/** What payers see from now on. What was issued or printed under the old name stays. Answers the old one. */
export async function rename(ctx: Ctx, t: Tx, merchant: Merchant, name: string): Promise<string> {
  const { id } = merchant
  const file = (await sql.lock(t, id)) ?? unknown(t.cell, id)
  if (!NAMED.has(file.status)) fail('MERCHANT_STATE', { state: file.status })
  await sql.setName(t, id, name)
  const [mailId] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  await queueMail(t, mailId, merchant, {
    subject: `${file.name} is now ${name}`,
    text: `The operator of the gateway has changed your name from ${file.name} to ${name}. Customers see the new one from now on.\n\nIf you did not ask for it, contact support.`,
  })
  return file.name
}

export async function suspend(t: Tx, id: bigint) {
  const { file, state } = await step(t, id, 'suspend')
  await sql.setSuspended(t, id, true)
  return { file, state }
}

export async function resume(t: Tx, id: bigint) {
  const { file, state } = await step(t, id, 'resume')
  await sql.setSuspended(t, id, false)
  return { file, state }
}

const underWayOf = onePerProcess(({ features }) =>
  sql.underWayStatement(features.flatMap(({ unfinished = [] }) => unfinished)),
)
/** What keeps a merchant from being closed, in words; nothing does when it is empty. */
async function listUnfinished(shared: Shared, read: Read, id: bigint): Promise<string[]> {
  const accounts = await sql.accounts(read, id)
  const holds = await balances(
    read,
    accounts.map((account) => account.id),
  )
  const since = await sql.suspendedAt(read, id)
  const soon = since === null || read.now.getTime() - since.getTime() < CLOSE_AFTER_SECONDS * 1000
  return [
    ...accounts
      .filter((account) => holds(account.id) !== 0n)
      .map((account) => `${account.kind} ${nairaText(holds(account.id))}`),
    ...(await sql.underWay(read, underWayOf(shared), id)).map(({ object, count }) => `${object} under way: ${count}`),
    ...(soon ? [`suspended for less than ${CLOSE_AFTER_SECONDS} seconds`] : []),
  ]
}
export async function needEmpty(shared: Shared, read: Read, id: bigint): Promise<void> {
  const left = await listUnfinished(shared, read, id)
  if (left.length > 0) fail('MERCHANT_NOT_EMPTY', { what: left.slice(0, 10).join('; ') })
}

export async function close(shared: Shared, t: Tx, id: bigint) {
  const { file, state } = await step(t, id, 'close')
  await needEmpty(shared, t, id)
  return { file, state }
}
