// The proof of a statement, computed again in the browser: its sums, its hash, its signature, and its place
// in the chain. The gateway is believed in nothing but its public key. The form that is hashed is the
// contract's own (docs/settlements.md).
import type { getStatement, listSettlements } from '@cowrie/contract/settlements/settlements'
import { canonicalText, NO_HASH, type StatementOf } from '@cowrie/contract/settlements/statement'
import { call, Refused } from '../../api/call.ts'
import { koboOfText } from '../../money.ts'

export type Sums = {
  readonly collected: bigint
  readonly corrected: bigint
  readonly fee: bigint
  readonly shares: bigint
  readonly net: bigint
}

const add = (amounts: readonly string[]): bigint => amounts.reduce((sum, one) => sum + koboOfText(one), 0n)

/** What the lines add up to. */
export function sumsOf({ lines }: StatementOf): Sums {
  const amounts = (isCollection: boolean) =>
    add(lines.filter(({ kind }) => (kind === 'COLLECTION') === isCollection).map(({ amount }) => amount))
  return {
    collected: amounts(true),
    corrected: amounts(false),
    fee: add(lines.map(({ fee }) => fee)),
    shares: add(lines.flatMap(({ shares }) => shares.map(({ amount }) => amount))),
    net: add(lines.map(({ net }) => net)),
  }
}

/** Whether every line is the sum of its parts, and the totals are the sums of the lines. */
export function addsUp(statement: StatementOf): boolean {
  const { lines, totals, beneficiaryType, beneficiaryCode } = statement
  const sums = sumsOf(statement)
  const lineFits = ({ amount, fee, net, shares }: StatementOf['lines'][number]): boolean => {
    const own = shares.filter(({ subAccountCode }) => subAccountCode === beneficiaryCode)
    const wanted =
      beneficiaryType === 'MERCHANT'
        ? koboOfText(amount) - koboOfText(fee) - add(shares.map((share) => share.amount))
        : add(own.map((share) => share.amount))
    return wanted === koboOfText(net)
  }
  const transactions = new Set(lines.map(({ transactionReference }) => transactionReference).filter(Boolean))
  return (
    lines.every(lineFits) &&
    totals.lines === lines.length &&
    totals.transactions === transactions.size &&
    koboOfText(totals.amount) === sums.collected + sums.corrected &&
    koboOfText(totals.fee) === sums.fee &&
    koboOfText(totals.shares) === sums.shares &&
    koboOfText(totals.net) === sums.net
  )
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
export const hashOf = async (statement: StatementOf): Promise<string> =>
  hex(await crypto.subtle.digest('SHA-256', bytesOf(canonicalText(statement))))

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

export type Key = {
  readonly keyId: string
  readonly publicKey: string
  readonly others: readonly Omit<Key, 'others'>[]
}
/** Public: no session is asked for. */
export async function settlementKey(): Promise<Key> {
  const answer = await fetch('/api/v1/settlement-key')
  return ((await answer.json()) as { readonly responseBody: Key }).responseBody
}

export type Verdict = 'right' | 'wrong' | 'another key' | 'cannot'
/** `cannot`: this browser has no Ed25519. */
export async function signatureOf({ hash, signature, keyId }: StatementOf, keys: Key): Promise<Verdict> {
  const key = [keys, ...keys.others].find((one) => one.keyId === keyId)
  if (!key) return 'another key'
  const spki = fromBase64(key.publicKey.replace(/-----[^-]+-----|\s/g, ''))
  const known = await crypto.subtle.importKey('spki', spki, 'Ed25519', false, ['verify']).catch(() => null)
  if (known === null) return 'cannot'
  const signed = await crypto.subtle.verify('Ed25519', known, fromBase64(signature), bytesOf(hash)).catch(() => false)
  return signed ? 'right' : 'wrong'
}

// ---- the chain

const statementAt = (settlementReference: string): Promise<StatementOf> =>
  call<typeof getStatement>('settlements.statement', { params: { settlementReference } })

const AT_ONCE = 100
/** References of settlements by number, below one; the list is read in pages, newest first, and has no
 *  gaps. */
async function* referencesBelow(number: number): AsyncGenerator<readonly [number: number, reference: string]> {
  const { totalElements } = await call<typeof listSettlements>('settlements.list', { query: { size: '1' } })
  for (let page = Math.floor((totalElements - number + 1) / AT_ONCE); ; page += 1) {
    const query = { page: String(page), size: String(AT_ONCE) }
    const { content, last } = await call<typeof listSettlements>('settlements.list', { query })
    for (const item of content) if (item.number < number) yield [item.number, item.settlementReference]
    if (last) return
  }
}

export type Chain =
  /** Everything from this number on was computed again, and follows. */
  | { readonly found: 'unbroken'; readonly from: number }
  | { readonly found: 'broken'; readonly at: number }
  /** Older statements have left the database with their months. */
  | { readonly found: 'left'; readonly at: number }

/** Follows the chain back from a statement, so far or to its beginning: each is hashed again and has to be
 *  what the next one names. */
export async function followChain(
  statement: StatementOf,
  most: number,
  onStep: (number: number) => boolean = () => true,
): Promise<Chain> {
  let [wanted, from, listed] = [statement.previousHash, statement.number, false]
  if (from > 1)
    for await (const [number, reference] of referencesBelow(statement.number)) {
      listed = true
      if (statement.number - number > most || !onStep(number)) break
      if (number !== from - 1) return { found: 'broken', at: from - 1 }
      const before = await statementAt(reference).catch((error: unknown) => {
        if (error instanceof Refused && error.code === 'SETTLEMENT_NOT_FOUND') return null
        throw error
      })
      if (before === null) return { found: 'left', at: number }
      if ((await hashOf(before)) !== wanted) return { found: 'broken', at: number }
      wanted = before.previousHash
      from = number
    }
  if (statement.number > 1 && !listed) return { found: 'broken', at: statement.number - 1 }
  return from === 1 && wanted !== NO_HASH ? { found: 'broken', at: 1 } : { found: 'unbroken', from }
}
