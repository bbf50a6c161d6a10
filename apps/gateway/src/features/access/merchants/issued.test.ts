// The number of a merchant's wallet where no bank has numbers of our ranges: of a bank that issues its own,
// ordered when the second person says yes.
import { describe, expect, test } from 'vitest'
import { accountId } from '#core/ledger/chart.ts'
import { noticeV2 } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, rejectAs } from '#test/features/access/acts.ts'
import { bola, LIVE, refusal, reviewed, sade, wentLive } from '#test/features/access/merchants.ts'
import {
  answering,
  creditAt,
  creditBy,
  heldAt,
  ISSUER,
  kept,
  payTo,
  useIssuingBank,
} from '#test/features/bank/issuing-bank.ts'
import { notificationsOf } from '#test/features/wallets/wallets.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, type TestMerchant } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { until } from '#test/kit/waiting.ts'

const { harness, bank } = useIssuingBank()
const CELL = '01'

/** Somebody whom one person wants to let live. */
async function asked(h: Harness): Promise<string> {
  const { application } = await reviewed(h, CELL)
  const { outcome, reference } = await doAct(h, bola, 'merchants.golive', { input: { application, ...LIVE } })
  expect(outcome).toBe('WAITING')
  return String(reference)
}
const walletKobo = async (h: Harness, id: bigint): Promise<bigint> => {
  const [row] = await h.sql(CELL, 'select balance_kobo::text as kobo from accounts where id = $1', [
    accountId(id, 'WALLET'),
  ])
  return BigInt(row.kobo)
}

describe('whoever goes live', () => {
  test('has a number of the bank, under its name; money there is in its wallet, and in our books at that bank', async () => {
    const h = harness()
    const live = await wentLive(h)
    expect(live.walletNumber).toMatch(/^99\d{8}$/)
    const { walletNumber: accountNumber } = live
    const [atFirst, atSecond] = [await heldAt(h, 'bank'), await heldAt(h, 'second')]
    const { sessionId, beneficiaryName } = await payTo(bank(), accountNumber, '2500.00')
    expect(beneficiaryName).toBe('Jos Potteries')
    expect(await walletKobo(h, live.id)).toBe(250_000n)
    expect([(await heldAt(h, 'bank')) - atFirst, (await heldAt(h, 'second')) - atSecond]).toEqual([0n, 250_000n])
    const whose = { id: live.id, cell: CELL } as TestMerchant
    expect((await notificationsOf(h, whose, 'ACCOUNT_ACTIVITY')).map(({ eventData }) => eventData)).toMatchObject([
      { accountNumber, amount: 2_500, reference: sessionId },
    ])
    // Another bank has no say about it.
    expect(await creditBy(h, accountNumber, '900.00', {}, h.config.keys.bank[0].key)).toBe('SUSPENDED')
    expect(await walletKobo(h, live.id)).toBe(250_000n)
  })
  test('and whoever waits for the second person, or is refused by it, costs no number', async () => {
    const h = harness()
    const before = await kept(h)
    const reference = await asked(h)
    await rejectAs(h, sade, reference)
    expect((await kept(h)) - before).toBe(0)
  })
})

describe('once', () => {
  test('approved by ten at once: one number, and one merchant', async () => {
    const h = harness()
    const before = await kept(h)
    const reference = await asked(h)
    const others = Array.from({ length: 10 }, () => actorOf('operator', 'operations'))
    const ends = await Promise.all(others.map((one) => refusal(approveAs(h, one, reference))))
    expect(ends.filter((end) => end === 'done')).toHaveLength(1)
    expect((await kept(h)) - before).toBe(1)
  })
  test('a process that dies after the bank has issued leaves the approval waiting, and the next one gets the same number', async () => {
    const h = harness()
    const before = await kept(h)
    const reference = await asked(h)
    await dyingAt(
      h,
      'merchants',
      async () => expect(await refusal(approveAs(h, sade, reference))).not.toBe('done'),
      'killed',
    )
    expect((await kept(h)) - before).toBe(1)
    const issued = await h.sql(CELL, `select account_number from bank_numbers where taken_at = 'infinity'`)
    const made = (await approveAs(h, sade, reference)).reply.reply
    expect((await kept(h)) - before).toBe(1)
    expect(issued).toContainEqual({ account_number: made.walletNumber })
  })
  test('a top-up that is reported 20 times at once, to two processes, counts once', async () => {
    const h = harness()
    const live = await wentLive(h)
    const api = await openSecondApi(h)
    try {
      const money = noticeV2(live.walletNumber, '70.00', { bankCode: ISSUER })
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          at % 2 ? creditAt(h, api, money) : creditBy(h, money.accountNumber, '70.00', money),
        ),
      )
      expect(outcomes.toSorted()).toEqual(['COUNTED', ...Array.from({ length: 19 }, () => 'REPEATED')])
      expect(await walletKobo(h, live.id)).toBe(7_000n)
    } finally {
      await api.close()
    }
  })
})

test('while the bank is away nobody goes live with a number that nobody can pay: refused for now, and the approval waits', async () => {
  const h = harness()
  const reference = await asked(h)
  await bank().stop()
  expect(await refusal(approveAs(h, sade, reference))).toBe('UNAVAILABLE')
  await bank().start()
  await answering(h)
  const made = await until('it is back', async () => {
    const done = await approveAs(h, sade, reference).catch(() => null)
    if (done === null) await advance(h, 6)
    return done?.reply.reply
  })
  expect(made.walletNumber).toMatch(/^99\d{8}$/)
})

test('where no bank is paid to, a merchant goes live all the same: it has a number of our ranges', async () => {
  const h = harness()
  const api = await openSecondApi(h, { connectors: [] } as never)
  try {
    await api.gateway.ctx.connectors.all[0].ready()
    const alone: Harness = { ...h, gateway: api.gateway }
    expect((await wentLive(alone)).walletNumber).toMatch(/^01\d{8}$/)
  } finally {
    await api.close()
  }
})
