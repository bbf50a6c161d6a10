// camt.053, the statement of ISO 20022. Booked entries only: what is pending may still change.
import { bookedOn, koboOf, Unreadable } from './amounts.ts'
import type { BankFile, BankLine } from './bank-file.ts'
import { all, type Element, readXml, textAt } from './xml.ts'

function amountOf(from: Element): { readonly kobo: bigint; readonly credit: boolean } {
  const [amount] = all(from, 'Amt')
  const mark = textAt(from, 'CdtDbtInd')
  if (amount?.attributes['Ccy'] !== 'NGN') throw new Unreadable('An amount of a camt.053 file is not in naira')
  if (mark !== 'CRDT' && mark !== 'DBIT')
    throw new Unreadable('An amount of a camt.053 file is neither credit nor debit')
  return { kobo: koboOf(amount.text), credit: mark === 'CRDT' }
}

function balanceOf(statement: Element, code: string): bigint | null {
  const [balance] = all(statement, 'Bal').filter((one) => textAt(one, 'Tp', 'CdOrPrtry', 'Cd') === code)
  if (balance === undefined) return null
  const { kobo, credit } = amountOf(balance)
  return credit ? kobo : -kobo
}

/** `NOTPROVIDED` is how the standard writes that there is none. */
const REFERENCES = [
  ['NtryDtls', 'TxDtls', 'Refs', 'InstrId'],
  ['NtryDtls', 'TxDtls', 'Refs', 'EndToEndId'],
  ['AcctSvcrRef'],
  ['NtryRef'],
] as const
const referenceOf = (entry: Element): string =>
  REFERENCES.map((path) => textAt(entry, ...path)).find((text) => text !== '' && text !== 'NOTPROVIDED') ?? ''

function lineOf(entry: Element): BankLine {
  if (all(entry, 'NtryDtls', 'TxDtls').length > 1)
    throw new Unreadable(
      'An entry of a camt.053 file stands for several payments, of which it does not give the amounts apart',
    )
  const { kobo, credit } = amountOf(entry)
  const moment = textAt(entry, 'BookgDt', 'DtTm') || textAt(entry, 'BookgDt', 'Dt')
  return {
    direction: credit ? 'IN' : 'OUT',
    kobo,
    ...bookedOn(moment),
    reference: referenceOf(entry),
    text: textAt(entry, 'NtryDtls', 'TxDtls', 'RmtInf', 'Ustrd') || textAt(entry, 'AddtlNtryInf'),
    ...(textAt(entry, 'RvslInd') === 'true' ? { undoes: true } : {}),
  }
}

/** `BOOK` as it stood in the first versions, or as a code in the later ones. */
const isBooked = (entry: Element): boolean => (textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')) === 'BOOK'

export function readCamt053(text: string): BankFile {
  const [statement, more] = all(readXml(text), 'BkToCstmrStmt', 'Stmt')
  if (statement === undefined) throw new Unreadable('A file is not a camt.053 statement')
  if (more !== undefined) throw new Unreadable('A camt.053 file has several statements')
  return {
    account: textAt(statement, 'Acct', 'Id', 'Othr', 'Id') || textAt(statement, 'Acct', 'Id', 'IBAN'),
    opening: balanceOf(statement, 'OPBD'),
    closing: balanceOf(statement, 'CLBD'),
    lines: all(statement, 'Ntry').filter(isBooked).map(lineOf),
  }
}
