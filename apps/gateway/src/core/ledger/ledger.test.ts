import fc from 'fast-check'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { Read } from '#kit/ctx.ts'
import { Failure } from '#kit/fail.ts'
import { type Harness, unique, useHarness } from '#test/kit/harness.ts'
import { seedMerchant } from '../../../../../tools/sandbox/seed.ts'
import { joinMerchant } from '../../join.ts'
import { cellById, engineTx, readAll, readAs, tx } from '../cells/cells.ts'
import { type AccountKind, accountId, HOUSE, keepsBalance } from './chart.ts'
import { balance, type Entry, type Posting, post, rollUp } from './ledger.ts'

const harness = useHarness()
const CELL = '01'

/** SUSPENSE is left out: what it holds must be explained by items; and CARD_RECEIVABLE, by charges. */
const KINDS = ['BANK', 'FEE_INCOME', 'PENDING', 'WALLET', 'PAYOUT_HOLD'] as const
const HOUSE_OWNED: ReadonlySet<AccountKind> = new Set(['BANK', 'FEE_INCOME'])
const account = (merchantId: bigint, kind: AccountKind): bigint =>
  accountId(HOUSE_OWNED.has(kind) ? HOUSE : merchantId, kind)

async function postings(h: Harness, merchantId: bigint, lists: readonly (readonly Entry[])[]): Promise<Posting[]> {
  const ids = await cellById(h.gateway.ctx, CELL).takeIds(lists.length)
  return lists.map((entries, at) => {
    const id = ids[at] as bigint
    return { id, merchantId, kind: 'TEST', object: 'test', objectId: id, entries }
  })
}
const move = (merchantId: bigint, from: AccountKind, to: AccountKind, kobo: bigint): Entry[] => [
  { account: account(merchantId, from), kobo: -kobo },
  { account: account(merchantId, to), kobo },
]
const postEntries = async (h: Harness, merchantId: bigint, ...lists: Entry[][]): Promise<void> => {
  const given = await postings(h, merchantId, lists)
  await engineTx(h.gateway.ctx, CELL, (t) => post(t, given))
}
const balanceOf = (h: Harness, id: bigint): Promise<bigint> => readAll(h.gateway.ctx, CELL, (r) => balance(r, id))
const sumOf = async (h: Harness, id: bigint): Promise<bigint> => {
  const [row] = await h.sql(CELL, 'select coalesce(sum(kobo), 0)::text as kobo from entries where account_id = $1', [
    id,
  ])
  return BigInt(row.kobo)
}
const codeOf = (outcome: PromiseSettledResult<unknown>): string =>
  outcome.status === 'fulfilled'
    ? 'done'
    : outcome.reason instanceof Failure
      ? outcome.reason.code
      : String(outcome.reason)
const tally = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  Object.fromEntries([...Map.groupBy(outcomes, codeOf)].map(([code, all]) => [code, all.length]))

/** A merchant of this test alone. */
const join = (h: Harness, walletKobo: bigint): Promise<bigint> =>
  joinMerchant(
    h.gateway.ctx,
    CELL,
    seedMerchant({
      seed: unique('ledger'),
      cell: CELL,
      label: 'one',
      name: 'One',
      email: 'one@test.example',
      transferOtp: false,
      walletKobo,
    }),
  )

describe('post', () => {
  test('random postings never unbalance and never overdraw, and the balances are those of a plain model', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const cell = cellById(ctx, CELL)
    const legs = fc.record({
      from: fc.constantFrom(...KINDS),
      to: fc.constantFrom(...KINDS),
      kobo: fc.bigInt({ min: 0n, max: 3_000n }),
    })
    const call = fc.array(
      fc.record({
        legs: fc.array(legs, { minLength: 1, maxLength: 4 }),
        tilt: fc.oneof({ weight: 9, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: fc.bigInt(-2n, 2n) }),
      }),
      { minLength: 1, maxLength: 3 },
    )
    const met = { done: 0, INSUFFICIENT_FUNDS: 0, INTERNAL: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 5 }), async (calls) => {
        const merchantId = await join(h, 5_000n)
        const ids = KINDS.map((kind) => account(merchantId, kind))
        const model = new Map<bigint, bigint>()
        for (const id of ids) model.set(id, await balanceOf(h, id))
        for (const lists of calls) {
          const entryLists = lists.map(({ legs: all, tilt }) => {
            const sums = new Map<bigint, bigint>()
            const add = (id: bigint, kobo: bigint) => sums.set(id, (sums.get(id) ?? 0n) + kobo)
            for (const { from, to, kobo } of all) {
              add(account(merchantId, from), -kobo)
              add(account(merchantId, to), kobo)
            }
            const [first] = sums.keys()
            add(first as bigint, tilt)
            return [...sums].map(([id, kobo]) => ({ account: id, kobo }))
          })
          const wellFormed = entryLists.every(
            (entries) =>
              entries.reduce((sum, { kobo }) => sum + kobo, 0n) === 0n &&
              entries.filter((e) => e.kobo !== 0n).length >= 2,
          )
          const after = new Map(model)
          for (const entry of entryLists.flat()) after.set(entry.account, (after.get(entry.account) ?? 0n) + entry.kobo)
          const covered = ids.every((id) => !keepsBalance(id) || (after.get(id) as bigint) >= 0n)
          const given = await postings(h, merchantId, entryLists)
          const sent = cell.statements()
          const [outcome] = await Promise.allSettled([engineTx(ctx, CELL, (t) => post(t, given))])
          const expected = !wellFormed ? 'INTERNAL' : !covered ? 'INSUFFICIENT_FUNDS' : 'done'
          expect(codeOf(outcome)).toBe(expected)
          expect(cell.statements() - sent, 'of an unbalanced one nothing but the begin').toBe(wellFormed ? 2 : 1)
          met[expected] += 1
          if (expected === 'done') for (const [id, kobo] of after) model.set(id, kobo)
        }
        for (const [id, kobo] of model) expect(await balanceOf(h, id)).toBe(kobo)
      }),
      { numRuns: 50 },
    )
    expect(Math.min(...Object.values(met)), 'all three outcomes were met').toBeGreaterThan(5)
  })

  test.each<[string, (m: bigint) => Entry[]]>([
    [
      'entries that do not sum to zero',
      (m) => [...move(m, 'BANK', 'WALLET', 5n), { account: account(m, 'PENDING'), kobo: 1n }],
    ],
    ['a single entry', (m) => [{ account: account(m, 'WALLET'), kobo: 5n }]],
    ['no entry', () => []],
    ['entries of zero only', (m) => move(m, 'BANK', 'WALLET', 0n)],
    ['one account twice', (m) => [...move(m, 'BANK', 'WALLET', 5n), ...move(m, 'PENDING', 'WALLET', 5n)]],
  ])('refuses %s before the database', async (_, entries) => {
    const h = harness()
    const { id } = h.merchants.main
    const given = await postings(h, id, [entries(id)])
    const sent = cellById(h.gateway.ctx, CELL).statements()
    await expect(engineTx(h.gateway.ctx, CELL, (t) => post(t, given))).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(cellById(h.gateway.ctx, CELL).statements() - sent).toBe(1)
  })

  test('leaves out entries of zero', async () => {
    const h = harness()
    const { id } = h.merchants.main
    const [given] = await postings(h, id, [
      [...move(id, 'BANK', 'PENDING', 7n), { account: account(id, 'FEE_INCOME'), kobo: 0n }],
    ])
    await engineTx(h.gateway.ctx, CELL, (t) => post(t, [given as Posting]))
    expect(await h.sql(CELL, 'select kobo from entries where transfer_id = $1 order by kobo', [given?.id])).toEqual([
      { kobo: '-7' },
      { kobo: '7' },
    ])
  })

  test('refuses a wallet that does not exist, and writes nothing', async () => {
    const h = harness()
    const nobody = 999_999_999n
    const given = await postings(h, nobody, [move(nobody, 'BANK', 'WALLET', 5n)])
    await expect(engineTx(h.gateway.ctx, CELL, (t) => post(t, given))).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(await h.sql(CELL, 'select from transfers where id = $1', [given[0]?.id])).toEqual([])
  })

  test('a refused posting takes everything of its transaction with it', async () => {
    const h = harness()
    const merchantId = await join(h, 100n)
    const [first, second] = await postings(h, merchantId, [
      move(merchantId, 'WALLET', 'PAYOUT_HOLD', 60n),
      move(merchantId, 'WALLET', 'PAYOUT_HOLD', 60n),
    ])
    const work = engineTx(h.gateway.ctx, CELL, async (t) => {
      await post(t, [first as Posting])
      await post(t, [second as Posting])
    })
    await expect(work).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
    expect(await balanceOf(h, account(merchantId, 'WALLET'))).toBe(100n)
    expect(await balanceOf(h, account(merchantId, 'PAYOUT_HOLD'))).toBe(0n)
  })

  test('postings of one call are applied together: what comes in covers what goes out', async () => {
    const h = harness()
    const merchantId = await join(h, 0n)
    await postEntries(h, merchantId, move(merchantId, 'WALLET', 'BANK', 40n), move(merchantId, 'BANK', 'WALLET', 50n))
    expect(await balanceOf(h, account(merchantId, 'WALLET'))).toBe(10n)
  })

  test('for one merchant, under row-level security, it posts to the own accounts and to the house, not to others', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const merchantId = await join(h, 100n)
    const own = await postings(h, merchantId, [move(merchantId, 'WALLET', 'BANK', 30n)])
    await tx(ctx, CELL, merchantId, (t) => post(t, own))
    expect(await readAs(ctx, CELL, merchantId, (r) => balance(r, account(merchantId, 'WALLET')))).toBe(70n)
    const { other } = h.merchants
    const foreign = await postings(h, merchantId, [move(other.id, 'WALLET', 'BANK', 30n)])
    await expect(tx(ctx, CELL, merchantId, (t) => post(t, foreign))).rejects.toMatchObject({ code: '42501' })
  })
})

describe('post, many at once', () => {
  test('20 simultaneous withdrawals from a wallet that covers 10: exactly 10 happen and 10 are refused', async () => {
    const h = harness()
    const { ctx } = h.gateway
    for (let round = 0; round < 3; round += 1) {
      const merchantId = await join(h, 1_000n)
      const given = await postings(h, merchantId, Array(20).fill(move(merchantId, 'WALLET', 'PAYOUT_HOLD', 100n)))
      const outcomes = await Promise.allSettled(
        given.map((one, at) =>
          at % 2 === 0 ? engineTx(ctx, CELL, (t) => post(t, [one])) : tx(ctx, CELL, merchantId, (t) => post(t, [one])),
        ),
      )
      expect(tally(outcomes)).toEqual({ done: 10, INSUFFICIENT_FUNDS: 10 })
      expect(await balanceOf(h, account(merchantId, 'WALLET'))).toBe(0n)
      expect(await balanceOf(h, account(merchantId, 'PAYOUT_HOLD'))).toBe(1_000n)
    }
  })

  test('200 opposite transfers between two wallets in parallel meet no deadlock, and none is tried twice', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const cell = cellById(ctx, CELL)
    const merchantId = await join(h, 100_000n)
    await postEntries(h, merchantId, move(merchantId, 'WALLET', 'PAYOUT_HOLD', 50_000n))
    const deadlocks = async () =>
      Number(
        (await h.sql(CELL, 'select deadlocks from pg_stat_database where datname = current_database()'))[0].deadlocks,
      )
    const before = await deadlocks()
    const given = await postings(
      h,
      merchantId,
      Array.from({ length: 200 }, (_, at) =>
        at % 2 === 0
          ? move(merchantId, 'WALLET', 'PAYOUT_HOLD', 100n)
          : move(merchantId, 'PAYOUT_HOLD', 'WALLET', 100n),
      ),
    )
    const sent = cell.statements()
    const outcomes = await Promise.allSettled(given.map((one) => engineTx(ctx, CELL, (t) => post(t, [one]))))
    expect(tally(outcomes)).toEqual({ done: 200 })
    // A transaction that was a deadlock's victim is begun again: two statements each means that there was
    // none.
    expect(cell.statements() - sent).toBe(400)
    expect((await deadlocks()) - before).toBe(0)
    expect(await balanceOf(h, account(merchantId, 'WALLET'))).toBe(50_000n)
  })
})

describe('the order of locks', () => {
  test('a posting that waits for the lowest of its wallets holds none of the others', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const merchants = await Promise.all(Array.from({ length: 12 }, () => join(h, 1_000n)))
    const wallets = merchants.map((id) => account(id, 'WALLET')).sort((a, b) => (a < b ? -1 : 1))
    const [held, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holder = engineTx(ctx, CELL, async (t) => {
      await t.query({ name: 'test_hold_one', text: 'select from accounts where id = $1 for update' }, [wallets[0]])
      held.resolve()
      await gate.promise
    })
    await held.promise
    // The highest first, as a batch may name them; each merchant's posting is its own.
    const given = (
      await Promise.all(merchants.toReversed().map((id) => postings(h, id, [move(id, 'WALLET', 'PAYOUT_HOLD', 10n)])))
    ).flat()
    const posting = engineTx(ctx, CELL, (t) => post(t, given))
    await h.until(
      'it waits',
      async () =>
        (
          await h.sql(
            CELL,
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length > 0,
    )
    const free = await h.sql(CELL, 'select id from accounts where id = any($1) for update skip locked', [wallets])
    gate.resolve()
    await Promise.all([holder, posting])
    expect(free.length, 'wallets that nobody holds').toBe(11)
  })
})

describe('balance and rollUp', () => {
  const HOT = ['BANK', 'FEE_INCOME', 'PENDING'] as const
  const collect = (merchantId: bigint, kobo: bigint): Entry[] => [
    { account: account(merchantId, 'BANK'), kobo: -kobo },
    { account: account(merchantId, 'PENDING'), kobo: kobo - 1n },
    { account: account(merchantId, 'FEE_INCOME'), kobo: 1n },
  ]

  test('accounts that every payment touches keep no balance; wallets, holds and receivables do', async () => {
    const h = harness()
    const rows = await h.sql(CELL, 'select id, kind, balance_kobo from accounts')
    for (const { id, kind, balance_kobo } of rows)
      expect(balance_kobo === null, `${kind} ${id}`).toBe(
        !['WALLET', 'PAYOUT_HOLD', 'CLEARING', 'RECEIVABLE'].includes(kind),
      )
  })

  /** A transaction open anywhere in the cluster, also of another test's database, holds the horizon back for
   *  a while. */
  const foldAll = (h: Harness): Promise<true> =>
    h.until('everything is folded', async () => {
      await rollUp(h.gateway.ctx, CELL)
      const [row] = await h.sql(
        CELL,
        'select count(*)::int as above from transfers where xid >= (select upto_xid from rollup_horizon)',
      )
      return row.above === 0
    })

  test('a balance is the sum of its entries before, between and after roll-ups', async () => {
    const h = harness()
    const { id } = h.merchants.main
    for (let round = 0; round < 3; round += 1) {
      await postEntries(h, id, collect(id, 500n), collect(id, 300n))
      for (const kind of HOT) expect(await balanceOf(h, account(id, kind))).toBe(await sumOf(h, account(id, kind)))
      await foldAll(h)
      for (const kind of HOT) expect(await balanceOf(h, account(id, kind))).toBe(await sumOf(h, account(id, kind)))
    }
    expect(await rollUp(h.gateway.ctx, CELL), 'nothing is left to fold').toBe(0)
    const rolled = await h.sql(CELL, 'select kobo from rollups where account_id = $1', [account(id, 'PENDING')])
    expect(rolled, 'the roll-up alone is the balance').toEqual([
      { kobo: String(await sumOf(h, account(id, 'PENDING'))) },
    ])
  })

  test('in every snapshot taken while payments and two roll-ups run, a balance is the sum of its entries', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const { id } = h.merchants.main
    let busy = true
    let rolled = 0
    let looked = 0
    // On a busy machine sixty payments may be over before anybody has rolled up or looked.
    const paying = async () => {
      for (let at = 0; at < 60 || (at < 600 && Math.min(rolled, looked) === 0); at += 1)
        await postEntries(h, id, collect(id, BigInt(at + 2)))
    }
    const rolling = async () => {
      while (busy) rolled += await rollUp(ctx, CELL)
    }
    const client = new pg.Client({ connectionString: h.databases[CELL] })
    await client.connect()
    const looking = async () => {
      const read: Read = {
        cell: CELL,
        now: ctx.clock.now(),
        institution: ctx.institution,
        shapes: cellById(ctx, CELL).shapes,
        query: async (statement, values) => (await client.query(statement.text, values as unknown[])).rows as never,
      }
      while (busy) {
        await client.query('begin isolation level repeatable read read only')
        for (const kind of HOT) {
          const { rows } = await client.query(
            'select coalesce(sum(kobo), 0)::text as kobo from entries where account_id = $1',
            [account(id, kind)],
          )
          expect(String(await balance(read, account(id, kind)))).toBe(rows[0].kobo)
        }
        await client.query('commit')
        looked += 1
      }
    }
    const payments = Promise.all([paying(), paying(), paying()]).finally(() => {
      busy = false
    })
    await Promise.all([payments, rolling(), rolling(), looking()])
    await client.end()
    expect(Math.min(rolled, looked)).toBeGreaterThan(0)
    await foldAll(h)
    for (const kind of HOT) expect(await balanceOf(h, account(id, kind))).toBe(await sumOf(h, account(id, kind)))
  })

  test('entries of a transaction that is open during a roll-up are neither lost nor counted twice', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const { id } = h.merchants.main
    const pending = account(id, 'PENDING')
    const start = await balanceOf(h, pending)
    const [early, late] = await postings(h, id, [collect(id, 1_001n), collect(id, 101n)])
    const entered = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const open = engineTx(ctx, CELL, async (t) => {
      await post(t, [early as Posting])
      entered.resolve()
      await gate.promise
    })
    await entered.promise
    await engineTx(ctx, CELL, (t) => post(t, [late as Posting])) // a higher transaction id, committed first
    await rollUp(ctx, CELL)
    expect(await balanceOf(h, pending)).toBe(start + 100n)
    await rollUp(ctx, CELL)
    expect(await balanceOf(h, pending)).toBe(start + 100n)
    gate.resolve()
    await open
    expect(await balanceOf(h, pending)).toBe(start + 1_100n)
    await foldAll(h)
    expect(await balanceOf(h, pending)).toBe(start + 1_100n)
  })

  test('entries of a transaction that was open during a roll-up and rolled back are never counted', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const { id } = h.merchants.main
    const pending = account(id, 'PENDING')
    const start = await balanceOf(h, pending)
    const [given] = await postings(h, id, [collect(id, 1_001n)])
    const work = engineTx(ctx, CELL, async (t) => {
      await post(t, [given as Posting])
      await rollUp(ctx, CELL)
      throw new Failure('INTERNAL')
    })
    await expect(work).rejects.toMatchObject({ code: 'INTERNAL' })
    await rollUp(ctx, CELL)
    expect(await balanceOf(h, pending)).toBe(start)
  })

  test('an account that does not exist has no balance', async () => {
    await expect(balanceOf(harness(), accountId(999_999_999n, 'WALLET'))).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})

// Recipes: `post KIND account kobo …` must happen; `refuse CODE account kobo …` must not; `= account kobo …`
// is what the accounts have changed by since the start. The merchant is new, so its wallet starts at nothing.
const WORDS: Readonly<Record<string, AccountKind>> = {
  bank: 'BANK',
  fees: 'FEE_INCOME',
  pending: 'PENDING',
  wallet: 'WALLET',
  hold: 'PAYOUT_HOLD',
}
type Line = { verb: string; word: string; amounts: [AccountKind, bigint][] }
function parseRecipe(text: string): Line[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter(Boolean).map((line) => {
    const words = line.split(/\s+/)
    const verb = words.shift() as string
    const word = verb === '=' ? '' : (words.shift() as string)
    const amounts: [AccountKind, bigint][] = []
    for (let at = 0; at < words.length; at += 2) {
      const kind = WORDS[words[at] as string]
      if (!kind || !['post', 'refuse', '='].includes(verb)) throw new Error(`cannot read: ${line}`)
      amounts.push([kind, BigInt(words[at + 1] as string)])
    }
    return { verb, word, amounts }
  })
}

const RECIPES = {
  'a collection with its fee': `
    post COLLECTION bank -150000 pending 147750 fees 2250
    = bank -150000 pending 147750 fees 2250 wallet 0 hold 0`,
  'a collection is settled to the wallet and paid out': `
    post COLLECTION bank -150000 pending 147750 fees 2250
    post SETTLEMENT pending -147750 wallet 147750
    = pending 0 wallet 147750
    post HOLD wallet -100000 hold 100000
    = wallet 47750 hold 100000
    post PAYOUT hold -100000 bank 99000 fees 1000
    = bank -51000 pending 0 wallet 47750 hold 0 fees 3250`,
  'a payout that the bank refused comes back': `
    post FUNDING bank -5000 wallet 5000
    post HOLD wallet -5000 hold 5000
    refuse INSUFFICIENT_FUNDS wallet -1 hold 1
    post RELEASE hold -5000 wallet 5000
    = bank -5000 wallet 5000 hold 0`,
  'a wallet pays to its last kobo and not one further': `
    post FUNDING bank -1000 wallet 1000
    refuse INSUFFICIENT_FUNDS wallet -1001 hold 1001
    post HOLD wallet -999 hold 999
    refuse INSUFFICIENT_FUNDS wallet -2 hold 2
    post HOLD wallet -1 hold 1
    refuse INSUFFICIENT_FUNDS wallet -1 bank 1
    = wallet 0 hold 1000 bank -1000`,
  'a hold cannot be released twice': `
    post FUNDING bank -1000 wallet 1000
    post HOLD wallet -1000 hold 1000
    post RELEASE hold -1000 wallet 1000
    refuse INSUFFICIENT_FUNDS hold -1000 wallet 1000
    = wallet 1000 hold 0`,
  'what is not balanced is a fault of ours': `
    refuse INTERNAL bank -1000 wallet 999
    refuse INTERNAL wallet 5
    = bank 0 wallet 0`,
} as const

describe('recipes of the ledger', () => {
  test.each(Object.entries(RECIPES))('%s', async (_, recipe) => {
    const h = harness()
    const merchantId = await join(h, 0n)
    const start = new Map<AccountKind, bigint>()
    for (const kind of KINDS) start.set(kind, await balanceOf(h, account(merchantId, kind)))
    const changes = (kinds: readonly AccountKind[]) =>
      Promise.all(
        kinds.map(async (kind) => [kind, (await balanceOf(h, account(merchantId, kind))) - (start.get(kind) ?? 0n)]),
      )
    const attempt = async (kind: string, amounts: Line['amounts']): Promise<string> => {
      const entries = amounts.map(([of, kobo]) => ({ account: account(merchantId, of), kobo }))
      const [given] = await postings(h, merchantId, [entries])
      const work = engineTx(h.gateway.ctx, CELL, (t) => post(t, [{ ...(given as Posting), kind }]))
      return codeOf((await Promise.allSettled([work]))[0])
    }
    for (const { verb, word, amounts } of parseRecipe(recipe)) {
      const expected = { post: 'done', refuse: word, '=': amounts }[verb]
      const found = verb === '=' ? await changes(amounts.map(([kind]) => kind)) : await attempt(word, amounts)
      expect(found, `${verb} ${word}`).toEqual(expected)
    }
  })
})
