// Is the name that was given the name that the bank holds? Words are compared, not letters: both names are
// cleaned, their words paired, and what stays unpaired on either side costs. Money goes out on this, so a
// doubt is a MISMATCH. The rule, its figures and a hundred judged pairs stand in docs/name-match.md.

/** A score from here on is a MATCH. */
export const MATCH_FROM = 80
/** Longer texts are no names. */
const MAX_LENGTH = 200
/** More words than this are compared as a whole only, so that the work stays small. */
const MAX_WORDS = 20
/** Where banks cut. Only the held name is read so: the given one could be filled up to this length. */
const CUT_AT = 30

/** Lost when nothing of the held name is found, and when nothing of the given one is. The given name is the
 *  one a cheat can fill. */
const MISSING = 40
const EXTRA = 60
const COST = { same: 0, joined: 2, cut: 4, slip: 6, initial: 6 }
/** What must be paired at least: two words, or one and two initials. */
const ENOUGH = 2
/** The most for names of which one part speaks against a match, however much of the rest agrees. */
const DOUBT = 60

export type NameMatch = { score: number; verdict: 'MATCH' | 'MISMATCH' }

type Kind = 'name' | 'initial' | 'number' | 'trade' | 'form' | 'title' | 'foreign'
type Word = { text: string; key: string; kind: Kind; cut: boolean }

const WEIGHT: Record<Kind, number> = { name: 1, foreign: 1, initial: 0.5, number: 0.5, trade: 0.25, form: 0, title: 0 }

const list = (words: string): readonly string[] => words.trim().split(/\s+/)

const TITLES = new Set(
  list(`
    MR MRS MS MISS MASTER MADAM DR DOCTOR PROF PROFESSOR ENGR ENGINEER BARR BARRISTER ARC ARCH SURV PHARM ESQ
    CHIEF OTUNBA PRINCE PRINCESS SIR LADY HON HONOURABLE SEN SENATOR CAPT JP
    ALHAJI ALHAJA ALH HAJIA HAJIYA HAJ MALLAM MALAM SHEIKH
    REV REVD REVEREND FR PASTOR PST EVANG EVANGELIST APOSTLE DEACON DEACONESS ELDER BRO SIS`),
)
/** Legal form and small words: they say nothing about who it is. */
const FORMS = new Set(list('LIMITED PLC NIGERIA COMPANY INC LLC AND THE OF'))
/** Words that many businesses share. */
const TRADES = new Set(
  list(`
    ENTERPRISES VENTURES GLOBAL SERVICES STORES TRADING INVESTMENT INTERNATIONAL RESOURCES CONCEPTS SOLUTIONS GROUP HOLDINGS
    INDUSTRIES BUSINESS`),
)
/** Printed behind the name by banks. */
const ACCOUNT_WORDS = new Set(list('SAVINGS SAVING CURRENT ACCOUNT ACCT DOMICILIARY SALARY NGN'))

/** One name, several spellings. Doubled letters are folded before, so they need no entry. */
const SPELLINGS = [
  'MOHAMMED MUHAMMED MUHAMMAD MOHAMMAD MUHD MOHD',
  'SULEIMAN SULAIMAN SULAYMAN SULAIMON SULEMAN',
  'ABUBAKAR ABUBAKR ABUBAKAH',
  'ABDULRAHMAN ABDULRAHAMAN ABDURRAHMAN ABDULRAHMON',
  'ABDULRAHEEM ABDULRAHIM',
  'IBRAHIM IBRAHEEM',
  'YUSUF YUSUPH YOUSUF',
  'USMAN UTHMAN OSMAN',
  'UMAR UMARU OMAR',
  'AHMED AHMAD AHAMED',
  'HUSSAINI HUSSEINI HUSSAIN HUSSEIN',
  'ISMAIL ISMAILA ISMAEEL',
  'AISHA AISHAT AISHATU',
  'FATIMA FATIMAT FATIMAH',
  'KHADIJA KHADIJAT KHADIJAH',
  'HALIMA HALIMAT HALIMAH',
  'AMINA AMINAT AMINAH',
  'ZAINAB ZAYNAB',
  'MARYAM MARIAM',
  'CHIDINMA CHIDIMMA',
  'SEGUN SHEGUN',
  'SOLA SHOLA',
  'SADE SHADE',
  'FOLASADE FOLASHADE',
  'OLUSEGUN OLUSHEGUN',
  'LIMITED LTD',
  'NIGERIA NIG',
  'COMPANY CO',
  'ENTERPRISES ENTERPRISE ENT',
  'VENTURES VENTURE',
  'SERVICES SERVICE',
  'STORES STORE',
  'INVESTMENT INVESTMENTS',
  'INTERNATIONAL INTL',
]

/** Begin a great many names. What follows them tells people apart: Adebayo is not Adedayo, Oluwaseun not
 *  Oluwasegun. */
const STEMS = list('OLUWA CHUKWU ABDUL TEMI OGUN AKIN ADE OLU OLA AYO ABI IFE OMO OSA CHI NWA')

/** Latin letters that NFKD does not take apart: the hooks of Hausa, the open vowels, and a few of Europe. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ Ɓ: 'B', Ɗ: 'D', Ƙ: 'K', Ƴ: 'Y', Ŋ: 'N', Ɛ: 'E', Ɔ: 'O', Ǝ: 'E', Ə: 'E' },
  ...{ Æ: 'AE', Œ: 'OE', Ø: 'O', Ł: 'L', Đ: 'D' },
}

/** Neighbours in a row: the finger that falls beside. */
const KEYBOARD = 'QWERTYUIOP ASDFGHJKL ZXCVBNM'

const foldDoubled = (word: string): string => {
  const folded = word.replace(/([A-Z])\1+/g, '$1')
  return word.length < 4 || folded.length < 2 ? word : folded
}

const CANONICAL = new Map(
  SPELLINGS.flatMap((line) => {
    const all = list(line)
    return all.map((spelling): [string, string] => [foldDoubled(spelling), foldDoubled(all[0] ?? spelling)])
  }),
)

const keyOf = (word: string): string => {
  const folded = foldDoubled(word)
  return CANONICAL.get(folded) ?? folded
}

const keysOf = (words: ReadonlySet<string>): ReadonlySet<string> => new Set([...words].map(keyOf))
const [TITLE_KEYS, FORM_KEYS, TRADE_KEYS] = [keysOf(TITLES), keysOf(FORMS), keysOf(TRADES)]

function kindOf(word: string, key: string): Kind {
  if (!/^[A-Z0-9]+$/.test(word)) return 'foreign'
  if (/^[A-Z]$/.test(word)) return 'initial'
  if (!/[A-Z].*[A-Z]/.test(word)) return 'number'
  return TITLE_KEYS.has(key) ? 'title' : FORM_KEYS.has(key) ? 'form' : TRADE_KEYS.has(key) ? 'trade' : 'name'
}

/** Capitals without marks, in words. What has no width is gone before the text is split into words, so it
 *  neither splits nor hides. */
function split(text: string): string[] {
  const plain = text
    // NFKD would make a space of the acute accent that stands alone, and two words of Ma´aruf.
    .replace(/´/g, "'")
    .normalize('NFKD')
    .replace(/['`‘’‛ʼʻʹʾʿ′\p{M}\p{Cf}]/gu, '')
    .toUpperCase()
    .replace(/[ƁƊƘƳŊƐƆƎƏÆŒØŁĐ]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/\bA\/C\b/g, ' ACCOUNT ')
    .replace(/&/g, ' AND ')
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The words that count, in the order of their keys, so that the order in which they came cannot matter. */
function read(text: string, side: 'given' | 'held'): Word[] {
  const texts = split(text)
  while (texts.length > 1 && ACCOUNT_WORDS.has(texts.at(-1) ?? '')) texts.pop()
  const cut = side === 'held' && text.trim().length === CUT_AT
  const words = texts.map((word, at): Word => {
    const key = keyOf(word)
    return { text: word, key, kind: kindOf(word, key), cut: cut && at === texts.length - 1 }
  })
  const names = words.filter(({ kind }) => kind === 'name').length
  const trades = words.filter(({ kind }) => kind === 'trade').length
  // Beside a single word a title or a form may be all that tells two names apart: Mr Clean, Dr Clean.
  return words
    .filter(({ kind }) => !(kind === 'title' && names >= 2) && !(kind === 'form' && names >= 1 && names + trades >= 2))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
}

/**
 * Two neighbours swapped, or inside a long word one letter left out, put in, or taken from the key beside.
 * Not at the ends: Femi and Kemi, Amina and Aminu are brother and sister.
 */
function isSlip(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length < 5 || long.length > short.length + 1 || !/^[A-Z]+$/.test(short + long)) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  const [mine, next, theirs, after] = [short[at], short[at + 1], long[at], long[at + 1]]
  const even = short.length === long.length
  if (even && mine === after && next === theirs && short.slice(at + 2) === long.slice(at + 2)) return true

  const stem = STEMS.find((one) => short.startsWith(one) && long.startsWith(one)) ?? ''
  if (short.length < 6 || short.length - stem.length < 5) return false
  if (at === 0 || short.at(-1) !== long.at(-1)) return false
  if (!even) return short.slice(at) === long.slice(at + 1)
  const beside = KEYBOARD.includes(`${mine}${theirs}`) || KEYBOARD.includes(`${theirs}${mine}`)
  return beside && short.slice(at + 1) === long.slice(at + 1)
}

const isName = ({ kind }: Word): boolean => kind === 'name'
const isSame = (a: Word, b: Word): boolean => a.kind !== 'foreign' && a.kind === b.kind && a.key === b.key
const isCutOf = (a: Word, b: Word): boolean => a.cut && isName(a) && isName(b) && b.text.startsWith(a.text)
const isInitialOf = (a: Word, b: Word): boolean => a.kind === 'initial' && isName(b) && b.text.startsWith(a.text)

/** Surest ways first, so that an initial takes no word that has a better partner. */
const WAYS: readonly (readonly [keyof typeof COST, (a: Word, b: Word) => boolean])[] = [
  ['cut', (a, b) => isCutOf(b, a)],
  ['slip', (a, b) => isName(a) && isName(b) && isSlip(a.key, b.key)],
  ['initial', (a, b) => isInitialOf(a, b) || isInitialOf(b, a)],
]

/** What is not paired yet on either side, the weight of what is, and how it was paired. */
type Pairing = { given: Set<Word>; held: Set<Word>; weight: number; ways: (keyof typeof COST)[] }

function pair(all: Pairing, how: keyof typeof COST, fits: (a: Word, b: Word) => boolean): void {
  for (const a of all.given) {
    const b = [...all.held].find((word) => fits(a, word))
    if (b === undefined) continue
    all.given.delete(a)
    all.held.delete(b)
    all.weight += Math.min(WEIGHT[a.kind], WEIGHT[b.kind])
    all.ways.push(how)
  }
}

/** Abdul Rahman is Abdulrahman; it counts as the one word that it is on the other side. */
function join(all: Pairing, parts: Set<Word>, wholes: Set<Word>): void {
  const byKey = new Map([...wholes].filter(isName).map((word) => [word.key, word]))
  const names = [...parts].filter(isName)
  for (const [a, b] of names.flatMap((one) => names.map((other) => [one, other] as const))) {
    const whole = byKey.get(keyOf(a.text + b.text))
    if (a === b || whole === undefined || !wholes.has(whole) || !parts.has(a) || !parts.has(b)) continue
    parts.delete(a)
    parts.delete(b)
    wholes.delete(whole)
    all.weight += WEIGHT.name
    all.ways.push('joined')
  }
}

const weigh = (words: Iterable<Word>): number => [...words].reduce((sum, { kind }) => sum + WEIGHT[kind], 0)
const share = (part: Iterable<Word>, whole: Iterable<Word>): number => {
  const all = weigh(whole)
  return all === 0 ? 1 : weigh(part) / all
}

function compare(given: readonly Word[], held: readonly Word[]): number {
  const all: Pairing = { given: new Set(given), held: new Set(held), weight: 0, ways: [] }
  pair(all, 'same', isSame)
  join(all, all.given, all.held)
  join(all, all.held, all.given)
  for (const [how, fits] of WAYS) pair(all, how, fits)

  const cost = all.ways.reduce((sum, how) => sum + COST[how], 0)
  const score = 100 - EXTRA * share(all.given, given) - MISSING * share(all.held, held) - cost
  // Each side says something that the other does not: those are two people, or two businesses.
  const speaks = (words: Set<Word>) => [...words].some(({ kind }) => WEIGHT[kind] >= WEIGHT.initial)
  const contradict = speaks(all.given) && speaks(all.held)
  const slips = all.ways.filter((how) => how === 'slip').length
  const doubt = all.weight < ENOUGH || slips > 1 || contradict
  return Math.max(0, Math.round(doubt ? Math.min(score, DOUBT) : score))
}

function scoreOf(given: string, held: string): number {
  if (given.length > MAX_LENGTH || held.length > MAX_LENGTH) return 0
  const [a, b] = [read(given, 'given'), read(held, 'held')]
  const isReal = (word: Word) => word.kind !== 'initial' && word.kind !== 'number' && word.kind !== 'foreign'
  if (!a.some(isReal) || !b.some(isReal)) return 0
  if (a.length === b.length && a.every(({ key }, at) => key === b[at]?.key)) return 100
  return a.length > MAX_WORDS || b.length > MAX_WORDS ? 0 : compare(a, b)
}

/** Compares the name of a transfer's order with the name that the bank holds for the account. Not symmetric:
 *  see EXTRA. */
export function matchNames(given: string, held: string): NameMatch {
  const score = scoreOf(given, held)
  return { score, verdict: score >= MATCH_FROM ? 'MATCH' : 'MISMATCH' }
}
