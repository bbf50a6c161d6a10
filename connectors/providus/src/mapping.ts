// How the bank's answers map to what the kit understands.
import type { Asked, Balanced, Forwarded, Issued, Mapping, Named, Outgoing, Unknown } from '@cowrie/connector-kit'
import { type Clock, koboOf } from '@cowrie/connector-kit'
import { nairaText } from '@cowrie/contract/kit/money'
import { nipCodeOf, OWN_BANK } from './banks.ts'
import { meaningOf } from './codes.ts'
import type { Config } from './config.ts'
import { Made, NipAccount, OwnAccount, Status, Transferred, type Upstream } from './upstream.ts'

const unknown = (why: string): Unknown => ({ kind: 'unknown', why })
const NO_ANSWER = unknown('no answer, or one that is not as the bank publishes it')

/** The reference of the bank is shorter than a session: its institution is the same for all, so that it can
 *  be left out. */
export const referenceOf = (sessionId: string): string => `CW${sessionId.slice(6)}`

const isOwn = (order: Outgoing): boolean => order.destinationBankCode === OWN_BANK

/** A code is about this order only if the answer names it. The bank may add its session:
 *  `reference| session`. */
const names = (said: string | null | undefined, reference: string): boolean => said?.split('|')[0]?.trim() === reference
const sessionIn = (said: string | null | undefined): string | undefined => {
  const session = said?.trim() ?? ''
  return /^[!-~]{1,60}$/.test(session) ? session : undefined
}

function outcomeOf(code: string, bankReference: string | undefined): Asked {
  const meaning = meaningOf(code)
  const named = bankReference === undefined ? {} : { bankReference, networkReference: bankReference }
  switch (meaning.kind) {
    case 'success':
      return { kind: 'known', status: 'SUCCESS', code: '00', ...named }
    case 'failed':
      return { kind: 'known', status: 'FAILED', code: meaning.code, ...named }
    case 'pending':
      return { kind: 'accepted', ...named }
    case 'unknown':
      return meaning
  }
}

const same = (said: string | null | undefined, amount: string): boolean => {
  try {
    return said != null && koboOf(said) === koboOf(amount)
  } catch {
    return false
  }
}

/** What can be paid out, in whole kobo: the bank publishes balances with three decimals, and a part of a kobo
 *  cannot be paid. */
export function availableOf(text: string): string | null {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d{1,13})(?:\.(\d{1,10}))?$/.exec(text.trim()) ?? []
  if (whole === '') return null
  const kobo = BigInt(whole) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0'))
  const part = /[1-9]/.test(fraction.slice(2)) ? 1n : 0n
  return nairaText(sign === '-' ? -(kobo + part) : kobo)
}

type Calls = Pick<Required<Mapping>, 'forward' | 'ask' | 'name' | 'balances' | 'number'>

function createPayouts(config: Config, upstream: Upstream): Pick<Calls, 'forward' | 'ask'> {
  const common = ({ amount, narration, reference }: Outgoing) => ({
    ...{ transactionAmount: amount, currencyCode: 'NGN', narration, transactionReference: reference },
  })
  return {
    forward: async (order, { signal }): Promise<Forwarded> => {
      const beneficiaryBank = nipCodeOf(order.destinationBankCode)
      // Nothing is sent, so that this is certain.
      if (beneficiaryBank === null) return { kind: 'refused', code: '16' }
      const own = { creditAccount: order.destinationAccountNumber, debitAccount: config.debitAccount }
      const other = {
        beneficiaryAccountName: order.destinationAccountName,
        beneficiaryAccountNumber: order.destinationAccountNumber,
        beneficiaryBank,
        sourceAccountName: order.senderName,
      }
      const said = isOwn(order)
        ? await upstream.transfer('ProvidusFundTransfer', { ...common(order), ...own }, Transferred, signal)
        : await upstream.transfer('NIPFundTransfer', { ...common(order), ...other }, Transferred, signal)
      if (said === null) return NO_ANSWER
      if (!names(said.transactionReference, order.reference)) return unknown('an answer that names another order')
      return outcomeOf(said.responseCode, sessionIn(said.sessionId))
    },
    ask: async (order, { signal }): Promise<Asked> => {
      const path = isOwn(order) ? 'GetProvidusTransactionStatus' : 'GetNIPTransactionStatus'
      const said = await upstream.transfer(path, { transactionReference: order.reference }, Status, signal)
      if (said === null) return NO_ANSWER
      // "No such order", or a fault of the question: neither says anything about the money.
      if (!names(said.transactionReference, order.reference))
        return unknown('an answer that names no order, or another')
      const account = isOwn(order) ? said.creditAccount : said.recipientAccountNumber
      if (!same(said.amount, order.amount) || account !== order.destinationAccountNumber)
        return unknown('an answer with another amount or account than the order has')
      return outcomeOf(said.responseCode, sessionIn(said.transactionReference?.split('|')[1]))
    },
  }
}

function createNumber({ numbers, dynamicMinutes }: Config, upstream: Upstream, clock: Clock): Calls['number'] {
  return async (accountName, { signal }): Promise<Issued> => {
    const said =
      numbers === 'reserved'
        ? await upstream.collect('PiPCreateReservedAccountNumber', { account_name: accountName, bvn: '' }, Made, signal)
        : await upstream.collect('PiPCreateDynamicAccountNumber', { account_name: accountName }, Made, signal)
    if (said === null) return NO_ANSWER
    if (!said.requestSuccessful || said.responseCode !== '00' || said.account_number == null)
      return unknown(`no number was made: ${meaningOf(said.responseCode).kind}`)
    const until = new Date(clock.now().getTime() + dynamicMinutes * 60_000)
    return {
      ...{ kind: 'known', accountNumber: said.account_number, bankCode: OWN_BANK },
      validUntil: numbers === 'reserved' ? null : until.toISOString(),
    }
  }
}

export function createMapping(config: Config, upstream: Upstream, clock: Clock): Mapping {
  const own = (accountNumber: string, signal: AbortSignal) =>
    upstream.transfer('GetProvidusAccount', { accountNumber }, OwnAccount, signal)

  const nameAt = async (bankCode: string, accountNumber: string, signal: AbortSignal): Promise<Named> => {
    const beneficiaryBank = nipCodeOf(bankCode)
    if (beneficiaryBank === null) return unknown('a bank that the network does not have')
    const isHere = bankCode === OWN_BANK
    const said = isHere
      ? await own(accountNumber, signal)
      : await upstream.transfer('GetNIPAccount', { accountNumber, beneficiaryBank }, NipAccount, signal)
    if (said === null) return NO_ANSWER
    // The bank's own 01 is "account does not exist", the network's is "unknown".
    if (said.responseCode === (isHere ? '01' : '07')) return { kind: 'absent' }
    const accountName = said.accountName?.trim() ?? ''
    const known = said.responseCode === '00' && said.accountNumber === accountNumber && accountName !== ''
    return known ? { kind: 'known', accountName } : unknown('no name')
  }

  return {
    self: { bankCode: OWN_BANK, bankName: 'Providus Bank', environment: config.environment },
    reference: referenceOf,
    ...createPayouts(config, upstream),
    number: createNumber(config, upstream, clock),
    name: ({ bankCode, accountNumber }, { signal }) => nameAt(bankCode, accountNumber, signal),
    balances: async ({ signal }): Promise<Balanced> => {
      const accountNumber = config.debitAccount
      const said = await own(accountNumber, signal)
      if (said === null) return NO_ANSWER
      const available = availableOf(said.availableBalance ?? '')
      if (said.responseCode !== '00' || said.accountNumber !== accountNumber || available === null)
        return unknown('no balance')
      return {
        kind: 'known',
        accounts: [{ accountNumber, bankCode: OWN_BANK, available, at: clock.now().toISOString() }],
      }
    },
  }
}
