/** Every digit from the right, each second one doubled, cross-summed: a multiple of ten. */
export function hasCheckDigit(number: string): boolean {
  let sum = 0
  for (let at = 0; at < number.length; at += 1) {
    const digit = Number(number[number.length - 1 - at])
    sum += at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}
