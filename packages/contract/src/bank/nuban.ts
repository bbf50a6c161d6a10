// Account numbers: nine digits of serial and a check digit over institution code and serial, weights 3, 7, 3.
// The institution code is "000" + a bank's three digits, or "9" + the five digits of other institutions.

export function checkDigit(bankCode: string, serial: string): number {
  const institution = bankCode.length === 3 ? `000${bankCode}` : bankCode.length === 5 ? `9${bankCode}` : bankCode
  const digits = institution + serial
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) sum += (digits.charCodeAt(i) - 48) * (i % 3 === 1 ? 7 : 3)
  return (10 - (sum % 10)) % 10
}

export const nuban = (bankCode: string, serial: string): string => `${serial}${checkDigit(bankCode, serial)}`

export const isNuban = (bankCode: string, accountNumber: string): boolean =>
  /^\d{10}$/.test(accountNumber) && checkDigit(bankCode, accountNumber.slice(0, 9)) === Number(accountNumber[9])
