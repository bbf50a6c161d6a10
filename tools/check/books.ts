// How often the tests ask for the books. The check of a change asks at the end of a file only, and after each
// test of a file where that found something (tests.ts): a fifth of the processor time. Elsewhere it is after
// each test.
const SETTING = 'COWRIE_BOOKS'
const ONCE = 'once-a-file'

export const ONCE_A_FILE = process.env[SETTING] === ONCE
export const askBooks = (when: 'once a file' | 'after each test'): Readonly<Record<string, string>> => ({
  [SETTING]: when === 'once a file' ? ONCE : 'each-test',
})
