// The mapping of the tiny bank: what an integrator writes.
import type { Asked, Clock, Forwarded, Mapping, StatementPage, StatementRow } from '@cowrie/connector-kit'
import * as kit from '@cowrie/connector-kit'
import { WEST_AFRICA_MS } from '@cowrie/contract/kit/durations'
import type { BankLine } from '../src/subject/upstream.ts'
import { CLIENT_SECRET } from './tiny-bank.ts'

const CODES: Readonly<Record<string, Asked>> = {
  T00: { kind: 'known', status: 'SUCCESS', code: '00' },
  T01: { kind: 'accepted' },
  T05: { kind: 'known', status: 'REVERSED', code: '05' },
  T07: { kind: 'known', status: 'FAILED', code: '07' },
  T61: { kind: 'known', status: 'FAILED', code: '61' },
}

export const outcomeOf = (code: unknown): Asked =>
  (typeof code === 'string' ? CODES[code] : undefined) ?? {
    kind: 'unknown',
    why: 'a code that the table does not have',
  }

type Answer = { readonly status: number; readonly json: Readonly<Record<string, unknown>> }
export type Call = (method: string, path: string, message: unknown, signal: AbortSignal) => Promise<Answer>

/** With a token; one that has expired is renewed once, because 401 says that nothing was taken. */
export function createCall(bankUrl: string, clock: Clock): Call {
  const tokens = kit.createTokens({
    clock,
    fetch: async () => {
      const response = await fetch(`${bankUrl}/token`, {
        method: 'POST',
        body: JSON.stringify({ password: CLIENT_SECRET }),
        signal: AbortSignal.timeout(2_000),
      })
      const { token } = (await response.json()) as { token: string }
      return { value: token, expiresAt: new Date(clock.now().getTime() + 600_000) }
    },
  })
  const once = async (token: string, ...[method, path, message, signal]: Parameters<Call>): Promise<Answer> => {
    const body = message === null ? {} : { body: JSON.stringify(message) }
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(bankUrl + path, { method, headers, signal, ...body })
    return { status: response.status, json: response.status === 401 ? {} : ((await response.json()) as Answer['json']) }
  }
  return async (...call) => {
    const token = await tokens.get()
    const answer = await once(token, ...call)
    if (answer.status !== 401) return answer
    tokens.drop(token)
    return once(await tokens.get(), ...call)
  }
}

const rowOf = ({ kind, kobo, at, reference, accountNumber }: BankLine): StatementRow => ({
  ...{ kind: kind as StatementRow['kind'], kobo: BigInt(kobo), bookedAt: new Date(at), sessionId: reference },
  ...{ ofSessionId: null, bankCode: accountNumber === null ? null : '999', accountNumber, sender: null, text: '' },
})

async function linesOf(
  call: Call,
  date: string,
  signal: AbortSignal,
  aheadMs: number,
): Promise<readonly BankLine[] | null> {
  const midnight = Date.parse(`${date}T00:00:00Z`) - aheadMs
  const span = `from=${new Date(midnight).toISOString()}&until=${new Date(midnight + 86_400_000).toISOString()}`
  const all: BankLine[] = []
  for (let page = 0; ; page += 1) {
    const { status, json } = await call('GET', `/statement?${span}&page=${page}`, null, signal)
    if (status !== 200 || !Array.isArray(json['lines'])) return null
    all.push(...(json['lines'] as BankLine[]))
    if (json['more'] !== true) return all
  }
}

export const createMapping = (call: Call, aheadMs = WEST_AFRICA_MS): Mapping => ({
  self: { bankCode: '999', bankName: 'Tiny bank', environment: 'TEST' },
  forward: async (order, { signal }): Promise<Forwarded> => {
    const { reference, amount, destinationBankCode: bank, destinationAccountNumber: account } = order
    const { status, json } = await call('POST', '/transfers', { reference, amount, bank, account }, signal)
    return status === 200 ? outcomeOf(json['code']) : { kind: 'unknown', why: `answered ${status}` }
  },
  ask: async ({ reference }, { signal }): Promise<Asked> => {
    const { status, json } = await call('GET', `/transfers/${reference}`, null, signal)
    return status === 200 ? outcomeOf(json['code']) : { kind: 'unknown', why: `answered ${status}` }
  },
  name: async ({ bankCode, accountNumber }, { signal }) => {
    const { status, json } = await call('GET', `/names/${bankCode}/${accountNumber}`, null, signal)
    if (status === 404 && json['code'] === 'T07') return { kind: 'absent' }
    const name = json['name']
    return status === 200 && typeof name === 'string'
      ? { kind: 'known', accountName: name }
      : { kind: 'unknown', why: `answered ${status}` }
  },
  statement: async (date, after, { signal }): Promise<StatementPage> => {
    const lines = await linesOf(call, date, signal, aheadMs)
    if (lines === null) return { kind: 'unknown', why: 'a page is missing' }
    return { kind: 'known', statement: kit.buildStatement(date, lines.map(rowOf))(after) }
  },
})
