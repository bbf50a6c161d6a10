// What the patterns of the contract mean, in words: as a note for the reference, and as what a refusal says.
// No message shows a regular expression.

type Words = { readonly note: string; readonly must: string }

const WORDS: Readonly<Record<string, Words>> = {
  '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$': {
    note: 'printable ASCII, no space at either end',
    must: 'must be printable ASCII characters, without a space at either end',
  },
  '^[^\\u0000-\\u001f\\u007f]*$': { note: 'no control characters', must: 'must not contain control characters' },
  '^[^\\s@\\u0000-\\u001f]+@[^\\s@\\u0000-\\u001f]+$': { note: 'an e-mail address', must: 'must be an e-mail address' },
  '^https?://[^\\s\\u0000-\\u001f]+$': { note: 'an http or https address', must: 'must be an http or https address' },
  '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s\\u0000-\\u001f]+$': {
    note: 'an address of the web, or of an application by its own scheme',
    must: 'must be a web address, or one with the scheme of an application',
  },
  '^-?\\d+\\.\\d\\d$': { note: 'two decimals', must: 'must be a number with two decimals' },
  '^-?\\d{1,15}\\.\\d{2}$': { note: 'two decimals', must: 'must be a number with two decimals' },
  '^\\d+\\.\\d\\d$': { note: 'two decimals', must: 'must be a number with two decimals' },
  '^(\\d{2}|\\d{4})$': { note: 'two or four digits', must: 'must be two or four digits' },
  '^(?:\\d{2}-[A-Za-z]{3}-\\d{4}|\\d{4}-\\d{2}-\\d{2})$': {
    note: 'a day, like `14-Mar-1991`',
    must: 'must be a day, like 14-Mar-1991',
  },
  '^\\+?\\d{7,15}$': { note: 'a telephone number', must: 'must be a telephone number' },
  '^\\+?[0-9][0-9 ()-]{5,22}[0-9]$': { note: 'a telephone number', must: 'must be a telephone number' },
  '^(?:19|20)\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$': {
    note: 'a day, like `1991-03-14`',
    must: 'must be a day, like 1991-03-14',
  },
  '^#[0-9a-fA-F]{6}$': { note: 'a colour, like `#2f3fa8`', must: 'must be a colour of six hexadecimal digits' },
  '^data:image/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$': {
    note: 'a PNG or JPEG as a data address',
    must: 'must be a PNG or JPEG picture as a data address in base64',
  },
  '^\\d{1,6}(?:\\.\\d{1,3})?$': {
    note: 'at most three decimals',
    must: 'must be a number with at most three decimals',
  },
  '^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f]*$': {
    note: 'lines of text without control characters',
    must: 'must not contain control characters other than line breaks',
  },
  '^[A-Za-z0-9 ./-]*$': {
    note: 'letters, digits, spaces, full stops, slashes and hyphens',
    must: 'must be letters, digits, spaces, full stops, slashes and hyphens only',
  },
  '^[!-~]{1,60}$': {
    note: '1 to 60 characters without spaces',
    must: 'must be 1 to 60 characters without spaces',
  },
  '^[0-9*xX]{4,20}$': {
    note: '4 to 20 digits, hidden ones as `*` or `x`',
    must: 'must be 4 to 20 digits, hidden ones as stars or x',
  },
  '^[0-9a-f]{64}$': { note: '64 hexadecimal digits', must: 'must be 64 hexadecimal digits in lower case' },
  '[^\\s]': { note: 'not blank', must: 'must not be blank' },
  '^(?:[1-9]\\d{0,2}|1000)$': { note: '1 to 1000', must: 'must be a whole number from 1 to 1000' },
  '^[1-5](?:xx|\\d\\d)$': {
    note: 'a status, or a class like `4xx`',
    must: 'must be an HTTP status, like 404, or a class of them, like 4xx',
  },
  '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$': { note: 'a UUID', must: 'must be a UUID in lower case' },
  '^https?://[a-z0-9.-]+(?::[0-9]{1,5})?$': {
    note: 'an origin, like `https://shop.example`',
    must: 'must be http or https with a host name, and a port if it needs one',
  },
  '^CWDD\\|\\d{2}[0-9A-HJKMNP-TV-Z]{26}$': { note: 'a mandate code', must: 'must be a mandate code' },
}

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven']
const numberWord = (digits: string): string => NUMBERS[Number(digits)] ?? digits

function digitsWords(pattern: string): Words | null {
  const digits = /^\^\\d\{(\d+)(?:,(\d+))?\}\$$/.exec(pattern)
  const [, least, most] = digits ?? []
  if (least === undefined) return null
  return most === undefined
    ? { note: `${least} digits`, must: `must be ${numberWord(least)} digits` }
    : { note: `${least} to ${most} digits`, must: `must be ${numberWord(least)} to ${numberWord(most)} digits` }
}

/** Null for a pattern that nobody has put into words; a test holds that no route asks for one. */
export const patternWords = (pattern: string): Words | null => WORDS[pattern] ?? digitsWords(pattern)
