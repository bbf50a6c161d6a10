// A hundred judged pairs, which docs/name-match.md shows with their scores, and the properties that no pair
// may break. `npx vitest run packages/contract/src/payouts/name-match.test.ts -u` writes the table of the
// document anew.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MATCH_FROM, matchNames } from './name-match.ts'

const YES = 'MATCH'
const NO = 'MISMATCH'
type Row = readonly [given: string, held: string, verdict: 'MATCH' | 'MISMATCH', why: string]

const MUST: readonly Row[] = [
  // how it is written
  ['ADA NNEKA OBI', 'ADA NNEKA OBI', YES, 'the same'],
  ['ada nneka obi', 'ADA NNEKA OBI', YES, 'case'],
  ['Ada  Nneka   Obi', 'ADA NNEKA OBI', YES, 'spaces'],
  ['Ada Obi.', 'OBI, ADA', YES, 'punctuation'],
  ['OBI ADA NNEKA', 'ADA NNEKA OBI', YES, 'surname first'],
  ['Ọmọ́wùnmí Adébáyọ̀', 'ADEBAYO OMOWUNMI', YES, 'Yoruba marks'],
  ['Ngọzị Ụzọ', 'UZO NGOZI', YES, 'Igbo dots'],
  ['Ɗahiru Ɓala', 'DAHIRU BALA', YES, 'Hausa hooks'],
  ['Ｃｈｉｄｉ Okafor', 'CHIDI OKAFOR', YES, 'wide letters'],
  ['Chi\u200bdi Oka\u00adfor', 'CHIDI OKAFOR', YES, 'characters without width'],
  ["Ma'aruf Bello", 'MAARUF BELLO', YES, 'apostrophe'],
  ['Ma´aruf Bello', 'MA’ARUF BELLO', YES, 'accent as apostrophe'],
  ['Obinna Nnamdi', 'OBINA NAMDI', YES, 'doubled letters'],
  // titles and what banks print
  ['Mrs Ada Obi', 'OBI ADA', YES, 'title'],
  ['Ada Obi', 'OBI ADA (MRS)', YES, 'title behind'],
  ['Alhaji Dr. Musa Bello', 'Engr Musa Bello', YES, 'other titles'],
  ['Prince Emeka Eze', 'EZE EMEKA', YES, 'title that can be a name'],
  ['Ada Obi', 'OBI ADA - SAVINGS', YES, 'kind of account'],
  ['Ada Obi', 'OBI ADA CURRENT A/C', YES, 'kind of account'],
  ['Oluwafunmilayo Ogunleye Christiana', 'OLUWAFUNMILAYO OGUNLEYE CHRIST', YES, 'cut at 30'],
  ['Oluwafunmilayo Adebayo Ogunleye Grace', 'OLUWAFUNMILAYO ADEBAYO OGUNLEY', YES, 'cut at 30, a word lost'],
  // more or fewer words
  ['Ada Obi', 'ADA NNEKA OBI', YES, 'middle name left out'],
  ['Ada Obi', 'OBI ADA NNEKA CHIOMA', YES, 'two middle names left out'],
  ['Ada Nneka Obi', 'OBI ADA', YES, 'middle name not held'],
  ['Ada Nneka Chioma Obi', 'OBI NNEKA ADA', YES, 'one name of four not held'],
  ['Tolu Adebayo', 'ADEBAYO-OGUNLEYE TOLU', YES, 'half of a double surname'],
  ['Tolu Adebayo Ogunleye', 'ADEBAYO-OGUNLEYE TOLU', YES, 'hyphen or space'],
  ['Ada Obi', 'ADA OBI 2', YES, 'number of the account'],
  // joined words
  ['Abdul-Rahman Musa', 'ABDULRAHMAN MUSA', YES, 'hyphen or joined'],
  ['Abdulrahman Musa', 'MUSA ABDUL RAHMAN', YES, 'joined or apart'],
  // initials
  ['Ada N. Obi', 'ADA NNEKA OBI', YES, 'middle initial'],
  ['Ada Nneka Obi', 'OBI ADA N', YES, 'middle initial held'],
  ['A. N. Obi', 'ADA NNEKA OBI', YES, 'two initials and the surname'],
  // spellings and slips
  ['Mohammed Sani', 'MUHAMMAD SANI', YES, 'spelling'],
  ['Muhammed Bello', 'BELLO MOHAMED', YES, 'spelling'],
  ['Sulaiman Garba', 'SULEIMAN GARBA', YES, 'spelling'],
  ['Aishat Lawal', 'LAWAL AISHA', YES, 'spelling'],
  ['Chukwuemeka Okafro', 'OKAFOR CHUKWUEMEKA', YES, 'two letters swapped'],
  ['Chukuemeka Okafor', 'OKAFOR CHUKWUEMEKA', YES, 'letter left out'],
  ['Chukwuemeka Okonjkwo', 'OKONKWO CHUKWUEMEKA', YES, 'letter put in'],
  ['Chukwuemeka Okinkwo', 'OKONKWO CHUKWUEMEKA', YES, 'key beside'],
  ['Chukwuemeka Okinkwo', 'OKONKWO CHUKWUEMEKA JOHN', YES, 'key beside, middle name left out'],
  // businesses
  ['Adire Stores Ltd', 'ADIRE STORES LIMITED', YES, 'legal form'],
  ['Adire Stores', 'ADIRE STORES NIG LTD', YES, 'legal form left out'],
  ['Ade & Sons Ent', 'ADE AND SONS ENTERPRISES', YES, 'short forms'],
  ['Mama Nkechi Foods', 'MAMA NKECHI FOODS GLOBAL VENTURES', YES, 'trade words left out'],
]

const MUST_NOT: readonly Row[] = [
  // other people
  ['Ada Obi', 'CHIDI OBI', NO, 'same surname only'],
  ['Ada Obi', 'ADA EZE', NO, 'same first name only'],
  ['Ada Nneka Obi', 'CHIOMA NNEKA EZE', NO, 'same middle name only'],
  ['Ada Nneka Obi', 'ADA NGOZI OBI', NO, 'other middle name'],
  ['Ada Nneka Chioma Obi', 'ADA NNEKA CHIDI OBI', NO, 'one name of four differs'],
  ['Mr Ada Obi', 'MR MUSA BELLO', NO, 'title in common'],
  ['Mr Ada', 'MR ADA NNEKA OBI', NO, 'title and first name'],
  ['Ada N. Obi', 'ADA CHIOMA OBI', NO, 'initial of another name'],
  ['Ada N. Obi', 'ADA C. OBI', NO, 'other initial'],
  // too little
  ['Obi', 'ADA OBI', NO, 'one word'],
  ['Ada', 'ADA NNEKA OBI', NO, 'one word'],
  ['Ada Nneka Obi', 'OBI', NO, 'one word held'],
  ['A', 'ADA OBI', NO, 'one initial'],
  ['A. Obi', 'ADA OBI', NO, 'initial and surname'],
  ['Ada O.', 'ADA OBI', NO, 'first name and initial'],
  ['A. N. O.', 'ADA NNEKA OBI', NO, 'initials only'],
  ['A. N. O. C.', 'ADA NNEKA OBI CHIOMA', NO, 'initials only'],
  ['', 'ADA OBI', NO, 'empty'],
  ['-- ..', 'ADA OBI', NO, 'empty after cleaning'],
  ['ADA OBI', '', NO, 'bank holds none'],
  ['Mr', 'MRS', NO, 'titles only'],
  ['Chukwuemeka', 'CHUKUEMEKA', NO, 'one word with a slip'],
  // similar names
  ['Ada Obi', 'ADAOBI', NO, 'two names are not one'],
  ['Femi Ajayi', 'KEMI AJAYI', NO, 'first letter'],
  ['Amina Bello', 'AMINU BELLO', NO, 'last letter'],
  ['Tunde Adeyemi', 'TUNDE ADEYEMO', NO, 'last letter'],
  ['Adebayo Ogunleye', 'ADEDAYO OGUNLEYE', NO, 'letter not beside'],
  ['Adeola Ogunleye', 'ADEBOLA OGUNLEYE', NO, 'stem: Ola, Bola'],
  ['Oluwaseun Ajayi', 'OLUWASEGUN AJAYI', NO, 'stem: Seun, Segun'],
  ['Oluwatobi Ajayi', 'OLUWATONI AJAYI', NO, 'stem: Tobi, Toni'],
  ['Olamide Ajayi', 'OLUMIDE AJAYI', NO, 'letter not beside'],
  ['Kelvin Okoro', 'KEVIN OKORO', NO, 'short word'],
  ['Chukuemeka Okinkwo', 'OKONKWO CHUKWUEMEKA', NO, 'two slips'],
  ['Oluwafunmilayo Ogunleye Christiana', 'OLUWAFUNMILAYO OGUNLEYE CHRIS', NO, '29 letters: not cut'],
  // tricks
  ['Ada Obi Nneka Chidi Ngozi', 'ADA OBI', NO, 'many names given'],
  ['Ada Obi Nneka Chidi Ngozi', 'ADA NNEKA OBI', NO, 'many names given'],
  ['Ada Nneka Chioma Obi', 'ADA OBI', NO, 'twice as many names given'],
  ['Ada                         Ob', 'ADA OBI', NO, 'filled up to 30'],
  ['A B C D E F G H I J K L M N Obi', 'ADA NNEKA OBI', NO, 'many initials given'],
  ['\u0410da Obi', 'ADA OBI', NO, 'Cyrillic A'],
  ['Ada \u041ebi', 'ADA NNEKA OBI', NO, 'Cyrillic O'],
  // businesses
  ['Zenith Global Ventures Ltd', 'SUNRISE GLOBAL VENTURES LTD', NO, 'shared trade words'],
  ['Adire Stores', 'ADIRE VENTURES', NO, 'one word and another trade'],
  ['Mama Nkechi Foods Ltd', 'MAMA NKECHI FABRICS LTD', NO, 'other business'],
  ['Mr Clean Services', 'DR CLEAN SERVICES', NO, 'title is the name'],
  ['Studio 54 Lagos', 'STUDIO 24 LAGOS', NO, 'other number'],
]

const BORDERLINE: readonly Row[] = [
  ['Adaobi Eze', 'ADA OBI EZE', YES, 'joined, the surname confirms'],
  ['Kemi Ade', 'KEMI ADE VENTURES', YES, 'a person or her business'],
  ['Kemi Ade Ventures', 'KEMI ADE ENTERPRISES', YES, 'trade words carry little'],
  ['Ada Obi', 'OBI ADA NNEKA CHIOMA JANE', NO, 'more left out than said'],
  ['A. N. Obi', 'OBI ADA NNEKA CHIOMA', NO, 'initials and a name left out'],
  ['Seun Ajayi', 'OLUWASEUN AJAYI', NO, 'short form: ask the bank'],
  ['Dangote', 'DANGOTE PLC', NO, 'one word is not enough'],
  ['Mr Obi', 'OBI', NO, 'title beside one word'],
]

const TABLE: readonly Row[] = [...MUST, ...MUST_NOT, ...BORDERLINE]

describe('the table', () => {
  test('holds a hundred different pairs, 45 or more that must match and as many that must not', () => {
    expect(new Set(TABLE.map(([given, held]) => `${given}|${held}`)).size).toBe(100)
    expect(MUST.filter(([, , verdict]) => verdict === YES).length).toBeGreaterThanOrEqual(45)
    expect(MUST_NOT.filter(([, , verdict]) => verdict === NO).length).toBeGreaterThanOrEqual(45)
  })

  test.each(TABLE)('%j for %j is a %s: %s', (given, held, verdict) => {
    expect(matchNames(given, held)).toMatchObject({ verdict })
  })
})

describe('docs/name-match.md', () => {
  const path = join(import.meta.dirname, '../../../../docs/name-match.md')
  const document = readFileSync(path, 'utf8')
  const head = '| Given | Held | Score | Verdict | Why |\n|---|---|---|---|---|\n'

  /** What cannot be seen, or looks like another letter, is shown by its number. */
  const cell = (text: string) =>
    text === ''
      ? ''
      : `\`${text.replace(/[\p{Cf}\p{Script=Cyrillic}]/gu, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)}\``
  const linesOf = (rows: readonly Row[]) =>
    rows
      .map(([given, held, , why]) => {
        const { score, verdict } = matchNames(given, held)
        return `| ${cell(given)} | ${cell(held)} | ${score} | ${verdict} | ${why} |\n`
      })
      .join('')

  test('shows every pair with the score and the verdict of today', async () => {
    const prose = document.slice(0, document.indexOf('### Must match'))
    const tables = [
      ['Must match', MUST],
      ['Must not match', MUST_NOT],
      ['Borderline', BORDERLINE],
    ] as const
    const fresh = tables.map(([title, rows]) => `### ${title}\n\n${head}${linesOf(rows)}`).join('\n')
    await expect(prose + fresh).toMatchFileSnapshot(path)
  })

  test('names the threshold', () => {
    expect(document).toContain(`A score of ${MATCH_FROM} or more is a \`MATCH\``)
  })
})

/** No two share a letter too many; none is a title, a trade or a part of another. */
const UNRELATED = [
  ...['ADAEZE', 'BABATUNDE', 'CHIDIEBERE', 'DAMILOLA', 'EFOSA', 'FUNMILAYO', 'GARBA', 'HADIZA', 'IFEOMA', 'JAMILU'],
  ...['KOLAWOLE', 'LAWAL', 'MUSA', 'NKECHI', 'OKONKWO', 'PATIENCE', 'RASHEED', 'SIMISOLA', 'TERSOO', 'UDUAK'],
  ...['VICTORIA', 'WURAOLA', 'YAKUBU', 'ZUBAIRU', 'BASSEY', 'ETIM', 'GBENGA', 'HARUNA', 'OBI', 'EZE'],
]
const names = (minLength: number, maxLength = 5) =>
  fc.uniqueArray(fc.constantFrom(...UNRELATED), { minLength, maxLength })
const shuffled = (words: readonly string[]) =>
  fc.shuffledSubarray([...words], { minLength: words.length }).map((all) => all.join(' '))
/** Words, marks, titles, other scripts, broken halves of pairs: whatever a body can carry. */
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 250 }),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 250 }),
  fc
    .array(fc.constantFrom(...UNRELATED, 'MR', 'LTD', 'A', 'N.', '7', 'AND', 'Ж', '\u200b', 'STORES', '-', "'"), {
      maxLength: 40,
    })
    .map((all) => all.join(' ')),
)
/** A bank's cut is read off the length, so at exactly 30 the last word held is special. */
const notCut = (...texts: readonly string[]) => fc.pre(texts.every((text) => text.length !== 30))

describe('matchNames', () => {
  test('answers any two texts with a whole score from 0 to 100 and the verdict of the threshold', () => {
    fc.assert(
      fc.property(anything, anything, (given, held) => {
        const { score, verdict } = matchNames(given, held)
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true)
        expect(verdict).toBe(score >= MATCH_FROM ? YES : NO)
      }),
      { numRuns: 3_000 },
    )
  })

  test('a name is itself, 100, if one word of it has two Latin letters', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom(...UNRELATED, 'al', 'Ọ̀ṣọ́'), (rest, word) => {
        const name = `${word} ${rest}`
        fc.pre(name.length <= 200)
        expect(matchNames(name, name)).toEqual({ score: 100, verdict: YES })
      }),
      { numRuns: 2_000 },
    )
  })

  test('order, case and marks change nothing', () => {
    const marked = (text: string) =>
      text
        .toLowerCase()
        .replace(/[aeiou]/g, '$&\u0323\u0301')
        .normalize('NFC')
    const pairs = fc
      .tuple(names(1), names(1))
      .chain(([a, b]) => fc.tuple(fc.constant([a, b] as const), shuffled(a), shuffled(b)))
    fc.assert(
      fc.property(pairs, ([[a, b], otherA, otherB]) => {
        notCut(a.join(' '), b.join(' '), marked(otherA), otherB)
        expect(matchNames(marked(otherA), otherB)).toEqual(matchNames(a.join(' '), b.join(' ')))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a title, before or behind, on either side, changes nothing beside two words or more', () => {
    const titles = fc.constantFrom(
      'Mr',
      'MRS.',
      'miss',
      'Dr',
      'Prof.',
      'Chief',
      'Alhaji',
      'Hajia',
      'Engr',
      'Barr',
      'Rev',
      'Otunba',
    )
    fc.assert(
      fc.property(names(2), names(2), titles, titles, (a, b, one, other) => {
        const [given, held] = [a.join(' '), b.join(' ')]
        notCut(given, held, `${one} ${given}`, `${held} ${other}`)
        expect(matchNames(`${one} ${given}`, `${held} ${other}`)).toEqual(matchNames(given, held))
      }),
      { numRuns: 1_000 },
    )
  })

  test('one name of three may be missing, whichever, on either side', () => {
    fc.assert(
      fc.property(names(3, 3), fc.nat(2), (full, which) => {
        const fewer = full.filter((_, at) => at !== which).join(' ')
        expect(matchNames(fewer, full.join(' ')).verdict).toBe(YES)
        expect(matchNames(full.join(' '), fewer).verdict).toBe(YES)
      }),
    )
  })

  test('names that each have a word of their own do not match, whatever else they share', () => {
    const apart = fc.tuple(names(4, 10), fc.nat(3)).map(([words, shared]) => {
      const [common, own] = [words.slice(0, shared), words.slice(shared)]
      const half = Math.ceil(own.length / 2)
      return [common.concat(own.slice(0, half)), common.concat(own.slice(half))]
    })
    fc.assert(
      fc.property(apart, ([given = [], held = []]) => {
        fc.pre(held.some((word) => !given.includes(word)))
        notCut(given.join(' '), held.join(' '))
        expect(matchNames(given.join(' '), held.join(' ')).verdict).toBe(NO)
      }),
      { numRuns: 1_000 },
    )
  })

  test('is symmetric for as many words on both sides; otherwise words too many cost more when given than when held', () => {
    fc.assert(
      fc.property(names(1), names(1), (a, b) => {
        const [fewer, more] = a.length <= b.length ? [a.join(' '), b.join(' ')] : [b.join(' '), a.join(' ')]
        const [less, much] = [matchNames(more, fewer).score, matchNames(fewer, more).score]
        notCut(fewer, more)
        expect(a.length === b.length ? less === much : less <= much).toBe(true)
      }),
      { numRuns: 1_000 },
    )
    expect(matchNames('ADA OBI', 'ADA NNEKA CHIOMA OBI').verdict).toBe(YES)
    expect(matchNames('ADA NNEKA CHIOMA OBI', 'ADA OBI').verdict).toBe(NO)
  })

  test('names that are not held never raise the score when they are given too', () => {
    fc.assert(
      fc.property(names(1, 4), names(1, 4), names(1, 6), (a, b, more) => {
        const added = more.filter((word) => !a.includes(word) && !b.includes(word))
        const [given, held, padded] = [a.join(' '), b.join(' '), [...a, ...added].join(' ')]
        notCut(given, held, padded)
        expect(matchNames(padded, held).score).toBeLessThanOrEqual(matchNames(given, held).score)
      }),
      { numRuns: 1_000 },
    )
  })

  test('a text above 200 characters is not a name, and above 20 words only the same words match', () => {
    const long = 'ADA '.repeat(50)
    expect(matchNames(long, long).score).toBe(100)
    expect(matchNames(`${long}A`, `${long}A`).score).toBe(0)
    expect(matchNames('ADA OBI '.repeat(11), 'OBI ADA '.repeat(11)).score).toBe(100)
    expect(matchNames('ADA OBI '.repeat(11), `${'ADA OBI '.repeat(10)}ADA`).score).toBe(0)
  })
})
