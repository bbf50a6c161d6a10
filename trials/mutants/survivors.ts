// Faults that no test can see, each with its reason. They are known by their file and a part of what the
// programme prints: of the line, with the change in it.
type Survivor = { readonly file: string; readonly part: string; readonly why: string }

const SRC = 'apps/gateway/src/'
const [LEDGER, SETTLEMENTS, RECONCILIATION, RECEIVABLES] = [
  `${SRC}core/ledger`,
  `${SRC}features/settlements/settlements`,
  `${SRC}features/settlements/reconciliation`,
  `${SRC}features/wallets/receivables`,
]

/** What is done for nothing, where there is nothing to do: it writes nothing and answers the same. */
const IDLE = 'does work on an empty list, which writes nothing and answers the same'
const UNIQUE = 'orders ids, and no two of them are alike'
const SAME = 'both sides are equal where it differs, so either of them is the same answer'

export const SURVIVORS: readonly Survivor[] = [
  {
    file: `${LEDGER}/move.ts`,
    part: 'if (accounts [&& → ||] kobo) steps.push',
    why: 'the two are made together or not at all',
  },
  {
    file: `${LEDGER}/move.ts`,
    part: 'books: postings.length [> → >=] 0',
    why: 'a step of the statement that posts rows with a transfer, and there are none',
  },
  {
    file: `${LEDGER}/move.ts`,
    part: 'running: entries.running.length [> → >=] 0',
    why: 'a step of the statement that locks and changes accounts, and there are none',
  },
  {
    file: `${LEDGER}/ledger.ts`,
    part: ') [>= → >] 0',
    why: 'where nothing has moved there is nothing to lock',
  },
  {
    file: `${SETTLEMENTS}/settlements.ts`,
    part: 'at [< → <=] ids.length; at += TOGETHER',
    why: IDLE,
  },
  {
    file: `${SETTLEMENTS}/collecting.ts`,
    part: 'if (some.length === 0) return [false → true]',
    why: 'what is to be paid is read again, and nothing has changed it',
  },
  {
    file: `${SETTLEMENTS}/destinations.ts`,
    part: 'toSorted((a, b) => (a [< → <=] b',
    why: UNIQUE,
  },
  {
    file: `${SETTLEMENTS}/lines/calendar.ts`,
    part: 'back [< → <=] 60 &&',
    why: 'an end for a loop that ends within days: nobody has sixty holidays in a row',
  },
  {
    file: `${SETTLEMENTS}/lines/lines.ts`,
    part: '.upto [>= → >] newest',
    why: 'gathering is a transaction itself, so that the next look, five milliseconds later, is above it',
  },
  {
    file: `${RECONCILIATION}/reconciliation.ts`,
    part: '[if (found.length + missing.length === 0) return',
    why: IDLE,
  },
  {
    file: `${RECONCILIATION}/names.ts`,
    part: '[if (references.length === 0) return',
    why: IDLE,
  },
  {
    file: `${RECONCILIATION}/reading.ts`,
    part: 'if (before.reading [> → >=] 1)',
    why: 'of a first reading there are no refused lines to delete',
  },
  {
    file: `${RECEIVABLES}/receivables.ts`,
    part: 'wallet [< → <=] owed ? wallet : owed',
    why: SAME,
  },
]

export const explained = (file: string, what: string): string | null =>
  SURVIVORS.find((one) => one.file === file && what.includes(one.part))?.why ?? null
