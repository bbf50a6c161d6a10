// Verification over HTTP, against the simulator's registers: what is answered, what is charged, and what is
// left of a person.
import { describe, expect, test } from 'vitest'
import { behindFaultyBank, type Fate } from '#test/bank/faulty-bank.ts'
import { refusal } from '#test/features/collections/reserved-accounts.ts'
import {
  ACCOUNT,
  ADA,
  BVN_ACCOUNT,
  BVN_DETAILS,
  consent,
  NIN_DETAILS,
  recorded,
  verify,
  walletKobo,
} from '#test/features/collections/verification.ts'
import { dump } from '#test/kit/data-at-rest.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { seedMerchant } from '../../../../../../tools/sandbox/seed.ts'
import { joinMerchant } from '../../../join.ts'

const harness = useHarness()

const PATHS = [
  [BVN_DETAILS, ADA, 1_000],
  [BVN_ACCOUNT, ACCOUNT, 1_000],
  [NIN_DETAILS, { nin: '22222222222' }, 6_000],
] as const

/** A merchant with so much in its wallet. */
async function poor(h: Harness, kobo: bigint): Promise<TestMerchant> {
  const label = unique('m')
  const seeded = seedMerchant({
    seed: 'verification',
    cell: '01',
    label,
    name: 'Adire Stores',
    email: `${label}@test.example`,
    transferOtp: false,
    requestsPerSecond: 100_000,
  })
  return { ...seeded, cell: '01', id: await joinMerchant(h.gateway.ctx, '01', { ...seeded, walletKobo: kobo }) }
}
const charged = async (h: Harness, merchant: TestMerchant, work: () => Promise<unknown>): Promise<number> => {
  const before = await walletKobo(h, merchant)
  await work()
  return before - (await walletKobo(h, merchant))
}

describe('200: the register answers', () => {
  test('how details match, with its scores; they are recorded with the consent, and the fee is charged', async () => {
    const h = harness()
    const { main } = h.merchants
    const { consentReference } = consent()
    let answer: any
    const fee = await charged(h, main, async () => {
      answer = await verify(h, main, BVN_DETAILS, { ...ADA, name: 'OBI Ada', consentReference })
    })
    expect(answer.json.responseBody).toEqual({
      bvn: '*******2222',
      name: { matchStatus: 'PARTIAL_MATCH', matchPercentage: expect.any(Number) },
      dateOfBirth: 'FULL_MATCH',
      mobileNo: 'FULL_MATCH',
    })
    expect(fee).toBe(1_000)
    const [row, ...others] = await recorded(h, main, consentReference)
    expect(others).toEqual([])
    const { percentage } = JSON.parse(row.matches).name
    expect(percentage).toBe(answer.json.responseBody.name.matchPercentage)
    expect(percentage).toBeGreaterThan(50)
    expect(row).toMatchObject({ product: 'BVN_DETAILS', outcome: 'ANSWERED', fee: 1_000, digest: 32 })
  })

  test('whether an account is that of a person', async () => {
    const h = harness()
    const { main } = h.merchants
    for (const [accountNumber, matchStatus, matchPercentage] of [
      ['0123452222', 'FULL_MATCH', 100],
      ['0123450022', 'PARTIAL_MATCH', 60],
      ['0123450001', 'NO_MATCH', 0],
    ] as const) {
      const answer = await verify(h, main, BVN_ACCOUNT, { ...ACCOUNT, accountNumber })
      expect(answer.json.responseBody).toEqual({
        bvn: '*******2222',
        accountNumber,
        accountName: expect.stringMatching(/\w/),
        matchStatus,
        matchPercentage,
      })
    }
  })

  test('who has a national identity number; a day of birth is also read as 1991-03-14', async () => {
    const h = harness()
    const { main } = h.merchants
    const answer = await verify(h, main, NIN_DETAILS, { nin: '22222222222' })
    expect(answer.json.responseBody).toEqual({
      nin: '*******2222',
      lastName: 'Obi',
      firstName: 'Ada',
      middleName: 'Nneka',
      dateOfBirth: '1991-03-14',
      gender: 'FEMALE',
      mobileNumber: '08031234567',
    })
    const day = await verify(h, main, BVN_DETAILS, { ...ADA, dateOfBirth: '1991-03-14' })
    expect(day.json.responseBody.dateOfBirth).toBe('FULL_MATCH')
  })

  test.each(PATHS)(
    '%s: charged once under an Idempotency-Key, and the replay is the whole answer',
    async (path, body, fee) => {
      const h = harness()
      const { main } = h.merchants
      const key = { 'idempotency-key': unique('key') }
      const answers: any[] = []
      const cost = await charged(h, main, async () => {
        for (let turn = 0; turn < 3; turn += 1) answers.push(await h.as(main, 'POST', path, body, key))
      })
      expect(cost).toBe(fee)
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(answers[2].headers.get('idempotent-replayed')).toBe('true')
      const looked = await h.as(main, 'GET', `/api/v1/idempotency-keys/${key['idempotency-key']}`)
      expect(looked.json.responseBody.answer).toEqual(answers[0].json)
    },
  )

  test('nothing of the person is at rest, under a key neither', async () => {
    const h = harness()
    const { main } = h.merchants
    const nin = '98761234508'
    const key = { 'idempotency-key': unique('key') }
    const { responseBody } = (await h.as(main, 'POST', NIN_DETAILS, { nin }, key)).json
    const rows = await dump(h.databases['01'])
    expect(rows).toContain(key['idempotency-key'])
    for (const value of [nin, responseBody.mobileNumber, `"${responseBody.dateOfBirth}"`])
      expect(rows.includes(value), value).toBe(false)
  })
})

describe('400, and nothing is charged', () => {
  test('for a number that is none, or nobody’s; a question that was answered so is recorded', async () => {
    const h = harness()
    const { main } = h.merchants
    const bvn = [400, 'VERIFICATION_BVN_INVALID', 'Unable to process request. Invalid BVN provided']
    const nin = [400, 'VERIFICATION_NIN_NOT_FOUND', 'NIN not found. Please check and try again.']
    const cost = await charged(h, main, async () => {
      for (const number of ['123', '22222222221', '222222222222', '2222222222a']) {
        const { consentReference } = consent()
        expect(refusal(await verify(h, main, BVN_DETAILS, { ...ADA, bvn: number }))).toEqual(bvn)
        expect(refusal(await verify(h, main, BVN_ACCOUNT, { ...ACCOUNT, bvn: number }))).toEqual(bvn)
        expect(refusal(await verify(h, main, NIN_DETAILS, { nin: number, consentReference }))).toEqual(nin)
        const rows = await recorded(h, main, consentReference)
        expect(rows.map((row) => [row.outcome, row.fee])).toEqual(number === '22222222221' ? [['NOT_FOUND', 0]] : [])
      }
    })
    expect(cost).toBe(0)
  })

  test('for an account or a bank that is not there, a day that no calendar has, a number nobody can call', async () => {
    const h = harness()
    const { main } = h.merchants
    const cost = await charged(h, main, async () => {
      for (const [path, body, code] of [
        [BVN_ACCOUNT, { ...ACCOUNT, accountNumber: '0123450404' }, 'BANK_ACCOUNT_UNKNOWN'],
        [BVN_ACCOUNT, { ...ACCOUNT, bankCode: '999999' }, 'BANK_UNKNOWN'],
        [BVN_DETAILS, { ...ADA, dateOfBirth: '31-Feb-1991' }, 'FIELD_INVALID'],
        [BVN_DETAILS, { ...ADA, dateOfBirth: '14/03/1991' }, 'FIELD_INVALID'],
        [BVN_DETAILS, { ...ADA, mobileNo: 'mine' }, 'FIELD_INVALID'],
        [BVN_DETAILS, { ...ADA, name: undefined }, 'FIELD_MISSING'],
      ] as const)
        expect((await verify(h, main, path, body)).json.problem.code, JSON.stringify(body)).toBe(code)
    })
    expect(cost).toBe(0)
  })

  test('for a wallet that is short: the register is not asked', async () => {
    const h = harness()
    const merchant = await poor(h, 999n)
    const api = await behindFaultyBank(h, () => 'passes')
    try {
      const answer = await api.post(merchant, BVN_DETAILS, ADA)
      expect([answer.status, answer.json.problem.code]).toEqual([400, 'VERIFICATION_FUNDS'])
      expect(api.calls).toEqual([])
    } finally {
      await api.close()
    }
    expect(await walletKobo(h, merchant)).toBe(999)
  })
})

test('many at once, in two processes: as many are answered as the wallet pays for', async () => {
  const h = harness()
  const merchant = await poor(h, 7_400n)
  const api = await openSecondApi(h)
  try {
    const token = await h.token(merchant)
    const send = async (url: string) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const answer = await fetch(url + BVN_DETAILS, { method: 'POST', headers, body: JSON.stringify(ADA) })
      const { problem } = (await answer.json()) as any
      return problem?.code ?? 'ANSWERED'
    }
    const ends = await Promise.all(Array.from({ length: 40 }, (_, at) => send(at % 2 ? h.apiUrl : api.url)))
    const tally = Object.fromEntries([...Map.groupBy(ends, (end) => end)].map(([end, all]) => [end, all.length]))
    expect(tally).toEqual({ ANSWERED: 7, VERIFICATION_FUNDS: 33 })
  } finally {
    await api.close()
  }
  expect(await walletKobo(h, merchant)).toBe(400)
})

describe('silence', () => {
  const asked = async (fates: readonly Fate[], path = BVN_DETAILS, body: object = ADA) => {
    const h = harness()
    const { main } = h.merchants
    let at = 0
    const api = await behindFaultyBank(h, () => fates[at++] ?? 'passes')
    try {
      let answer: any
      const cost = await charged(h, main, async () => {
        answer = await api.post(main, path, body)
      })
      return { status: answer.status, code: answer.json.problem?.code, cost, calls: api.calls.length }
    } finally {
      await api.close()
    }
  }

  test('200 and one fee when the second try is answered', async () => {
    expect(await asked(['loses its answer'])).toEqual({ status: 200, code: undefined, cost: 1_000, calls: 2 })
  })

  test('503 and no fee when nobody answers twice, or answers nonsense, or refuses the question', async () => {
    const nothing = { status: 503, code: 'UNAVAILABLE', cost: 0 }
    expect(await asked(['is lost', 'loses its answer'])).toEqual({ ...nothing, calls: 2 })
    const other = { answers: '{"reference":"another","matches":null}' }
    expect(await asked([other, { status: 500, answers: '' }])).toEqual({ ...nothing, calls: 2 })
    expect(await asked([{ status: 400, answers: 'no' }])).toEqual({ ...nothing, calls: 1 })
  })

  test('503 for a number that the simulator’s register gives no details of', async () => {
    const h = harness()
    const { main } = h.merchants
    const cost = await charged(h, main, async () => {
      for (const [path, body] of [
        [BVN_DETAILS, { ...ADA, bvn: '22222220004' }],
        [BVN_ACCOUNT, { ...ACCOUNT, bvn: '22222220004' }],
        [NIN_DETAILS, { nin: '22222220004' }],
      ] as const)
        expect((await verify(h, main, path, body)).status).toBe(503)
    })
    expect(cost).toBe(0)
  })

  test('a process that dies with the answer in hand charges nothing; the same key asks again, and is charged once', async () => {
    const h = harness()
    const { main } = h.merchants
    const key = { 'idempotency-key': unique('key') }
    const ask = () => h.as(main, 'POST', BVN_DETAILS, ADA, key)
    const cost = await charged(h, main, () =>
      dyingAt(h, 'verifications', async () => {
        expect((await ask()).status).toBe(500)
      }),
    )
    expect(cost).toBe(0)
    await h.sql('01', `update requests set created_at = created_at - interval '61 seconds' where key = $1`, [
      key['idempotency-key'],
    ])
    expect(
      await charged(h, main, async () => {
        expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
      }),
    ).toBe(1_000)
  })
})
