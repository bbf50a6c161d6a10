// Who holds an account: every ten-digit number at a known bank has a name that never changes, because it
// follows from the number itself. Numbers that end in 404 do not exist, so a merchant can test that case too.
import { createHash } from 'node:crypto'
import { findBank } from '@cowrie/contract/bank/banks'
import { nuban } from '@cowrie/contract/bank/nuban'

const FIRST_NAMES = [
  ...['Adaeze', 'Chinedu', 'Ngozi', 'Emeka', 'Ifeoma', 'Obinna', 'Chiamaka', 'Uche', 'Nneka', 'Kelechi', 'Amarachi'],
  ...['Adebayo', 'Folake', 'Olumide', 'Yetunde', 'Babatunde', 'Titilayo', 'Femi', 'Bukola', 'Segun', 'Ronke', 'Tunde'],
  ...['Aisha', 'Musa', 'Hauwa', 'Ibrahim', 'Zainab', 'Yusuf', 'Fatima', 'Sani', 'Halima', 'Umar', 'Maryam', 'Garba'],
  ...[
    'Ebiere',
    'Tamuno',
    'Efe',
    'Oghene',
    'Osaro',
    'Itohan',
    'Ekaette',
    'Idara',
    'Terna',
    'Mimidoo',
    'Ene',
    'Ojochide',
  ],
]
const LAST_NAMES = [
  ...['Okonkwo', 'Eze', 'Nwosu', 'Okafor', 'Igwe', 'Onyeka', 'Chukwu', 'Obi', 'Anyanwu', 'Ugwu', 'Nnamdi', 'Azikiwe'],
  ...['Adeyemi', 'Ogunleye', 'Afolabi', 'Balogun', 'Oyelaran', 'Adewale', 'Fashola', 'Akinola', 'Olatunji', 'Alabi'],
  ...['Bello', 'Abubakar', 'Danjuma', 'Lawal', 'Suleiman', 'Yakubu', 'Aliyu', 'Shehu', 'Mohammed', 'Tanko', 'Bala'],
  ...[
    'Briggs',
    'Amadi',
    'Dokubo',
    'Edet',
    'Bassey',
    'Osagie',
    'Igbinedion',
    'Oviawe',
    'Tyover',
    'Agbo',
    'Audu',
    'Ekpo',
  ],
]

const numberFrom = (text: string, at: number): number => createHash('sha256').update(text).digest().readUInt32BE(at)
const pick = (list: readonly string[], number: number): string => list[number % list.length] as string

/** First, middle and last name; the middle one is empty for every second person. */
export const nameFrom = (seed: string): readonly [first: string, middle: string, last: string] => [
  pick(FIRST_NAMES, numberFrom(seed, 0)),
  numberFrom(seed, 8) % 2 === 0 ? pick(FIRST_NAMES, numberFrom(seed, 12)) : '',
  pick(LAST_NAMES, numberFrom(seed, 4)),
]

export const isMissing = (accountNumber: string): boolean => accountNumber.endsWith('404')

/** Accounts that have been closed since their holder paid from them, so that money cannot be returned to
 *  them. */
export const refusesReturns = (accountNumber: string): boolean => accountNumber.endsWith('0009')

/** Null when the bank is unknown or the account does not exist. */
export function accountName(bankCode: string, accountNumber: string): string | null {
  if (findBank(bankCode) === undefined || isMissing(accountNumber)) return null
  return nameFrom(`${bankCode}/${accountNumber}`)
    .filter((name) => name !== '')
    .join(' ')
}

/** The account a sender pays from when the caller names none: the same one for the same bank and name. */
export function customerAccount(bankCode: string, name: string | null): string {
  const seed = `${bankCode}/${name ?? ''}`
  for (let turn = 0; ; turn += 1) {
    const serial = String(numberFrom(`${seed}/${turn}`, 0) % 1_000_000_000).padStart(9, '0')
    const accountNumber = nuban(bankCode, serial)
    if (!isMissing(accountNumber) && !refusesReturns(accountNumber)) return accountNumber
  }
}
