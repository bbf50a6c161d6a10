// Banks by the bank's name for them. Providus knows banks by the six digits of the instant payment network
// and reports senders mostly by a name, the gateway knows them by their code. What does not match exactly one
// bank is left out, never guessed.
import { BANKS } from '@cowrie/contract/bank/banks'

export const OWN_BANK = '101'

const byCode = new Map(BANKS.map((bank) => [bank.code, bank]))
const codesByNip = new Map(
  BANKS.flatMap(({ code, nipBankCode }) => (nipBankCode === null ? [] : [[nipBankCode, code]])),
)

/** Null: the network does not have this bank. */
export const nipCodeOf = (bankCode: string): string | null => byCode.get(bankCode)?.nipBankCode ?? null

const plain = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, ' ')
    .replace(/\b(?:PLC|LIMITED|LTD|NIGERIA|NIG|OF|THE|FOR)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Names as messages of the network have them, where they are not those of the table. */
const ALIASES: Readonly<Record<string, string>> = {
  UBA: '033',
  GTB: '058',
  GTBANK: '058',
  'GUARANTY TRUST BANK': '058',
  FCMB: '214',
  'FIRST BANK': '011',
  FBN: '011',
  PROVIDUS: OWN_BANK,
}

type Known = { readonly bankCode: string; readonly bankName: string }

const codesByName = (() => {
  const codes = new Map<string, string | null>(Object.entries(ALIASES).map(([name, code]) => [plain(name), code]))
  for (const { code, name } of BANKS)
    codes.set(plain(name), codes.has(plain(name)) && codes.get(plain(name)) !== code ? null : code)
  return codes
})()

const ofName = (name: string, list: readonly Known[]): string | null => {
  const wanted = plain(name)
  if (wanted === '') return null
  const listed = list.filter(({ bankName }) => plain(bankName) === wanted)
  const [only] = listed
  if (only === undefined) return codesByName.get(wanted) ?? null
  return listed.length === 1 ? (codesByNip.get(only.bankCode) ?? null) : null
}

/** The code of a sender's bank, from its six digits of the network, its name in the bank's own list, or its
 *  name in ours. The bank publishes codes of three digits, too, without saying whose they are: they are not
 *  used. */
export function senderBankOf(code: string, name: string, list: readonly Known[]): string | null {
  const coded = /^\d{6}$/.test(code) ? (codesByNip.get(code) ?? null) : null
  const named = ofName(name, list)
  return coded !== null && named !== null && coded !== named ? null : (coded ?? named)
}
