// Money received, by the bank's own word. A webhook names it, and nothing else of the webhook is used: its
// signature is the same for every message, so that whoever has seen one can write any other.
import { type Clock, koboOf, momentOf, type Notice, type Verified } from '@cowrie/connector-kit'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { nairaText } from '@cowrie/contract/kit/money'
import { OWN_BANK, senderBankOf } from './banks.ts'
import { Booked, type Upstream } from './upstream.ts'

const BANKS_FOR_MS = 24 * HOUR_MS
const BANKS_AGAIN_MS = 60_000

type List = readonly { readonly bankCode: string; readonly bankName: string }[]

/** The bank's own list of names, fetched once a day. Without it, ours will do. */
export function createBankList(upstream: Upstream, clock: Clock): (signal: AbortSignal) => Promise<List> {
  let list: List = []
  let again = 0
  return async (signal) => {
    const moment = clock.now().getTime()
    if (moment < again) return list
    again = moment + BANKS_AGAIN_MS
    const said = await upstream.banks(signal)
    if (said?.responseCode === '00') {
      list = said.banks
      again = moment + BANKS_FOR_MS
    }
    return list
  }
}

/** `null` and blanks are how the bank writes "not known". */
const text = (said: string | null | undefined): string => {
  const trimmed = said?.trim() ?? ''
  return trimmed.toLowerCase() === 'null' ? '' : trimmed
}

/** Null: not as the bank publishes it, so that it is not counted before a person has looked. */
export function noticeOf(booked: Booked, list: List): Notice | null {
  const { accountNumber, currency } = booked
  if (!/^\d{10}$/.test(accountNumber) || currency !== 'NGN') return null
  try {
    const kobo = koboOf(booked.transactionAmount)
    if (kobo <= 0n) return null
    const senderName = text(booked.sourceAccountName).slice(0, 200)
    const senderAccountNumber = text(booked.sourceAccountNumber)
    const senderBankCode = senderBankOf(text(booked.sourceBankCode), text(booked.sourceBankName), list)
    const narration = text(booked.tranRemarks).slice(0, 200)
    return {
      kind: 'creditV2',
      notice: {
        ...{ reference: booked.sessionId, bankCode: OWN_BANK, accountNumber, amount: nairaText(kobo) },
        ...(senderName === '' ? {} : { senderName }),
        ...(/^[0-9*xX]{4,20}$/.test(senderAccountNumber) ? { senderAccountNumber } : {}),
        ...(senderBankCode === null ? {} : { senderBankCode }),
        ...(narration === '' ? {} : { narration }),
        paidAt: momentOf(booked.tranDateTime).toISOString(),
      },
    }
  } catch {
    return null
  }
}

const SESSION = 'session:'
const SETTLEMENT = 'settlement:'
const IDENTIFIER = /^[!-~]{1,60}$/

export const claimOfSession = (session: string): string => SESSION + session

/** What a webhook names, as the kit keeps it. The session is the better name: the same transfer has one
 *  whatever the bank does with it. */
export function claimOf(sessionId: unknown, settlementId: unknown): string | null {
  if (typeof sessionId === 'string' && IDENTIFIER.test(sessionId)) return claimOfSession(sessionId)
  return typeof settlementId === 'string' && IDENTIFIER.test(settlementId) ? SETTLEMENT + settlementId : null
}

export function createVerify(upstream: Upstream, bankList: (signal: AbortSignal) => Promise<List>) {
  return async (claim: string, { signal }: { readonly signal: AbortSignal }): Promise<Verified> => {
    const bySession = claim.startsWith(SESSION)
    const id = claim.slice((bySession ? SESSION : SETTLEMENT).length)
    const asked = encodeURIComponent(id)
    const path = bySession
      ? `PiPverifyTransaction_sessionid?session_id=${asked}`
      : `PiPverifyTransaction_settlementid?settlement_id=${asked}`
    const booked = await upstream.collect(path, null, Booked, signal)
    if (booked === null) return { kind: 'unknown', why: 'no answer, or one that is not as the bank publishes it' }
    if (booked.sessionId === '' && booked.settlementId === '') return { kind: 'absent' }
    if ((bySession ? booked.sessionId : booked.settlementId) !== id || !IDENTIFIER.test(booked.sessionId))
      return { kind: 'unknown', why: 'an answer about something else' }
    const notice = noticeOf(booked, await bankList(signal))
    return notice === null ? { kind: 'unknown', why: 'a credit that cannot be read' } : { kind: 'known', notice }
  }
}
