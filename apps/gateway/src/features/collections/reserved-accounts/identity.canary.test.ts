// A person's number is stored nowhere in clear. Canary numbers go through every call that takes one, at a
// real api process that logs everything and has faults planted in its database; then every byte that was
// written is searched: the tables of gateway and simulator, the write-ahead log, the log of the process, and
// every answer but the one that repeats what it was sent.
import { createHmac, randomInt } from 'node:crypto'
import { creditNotice, SIGNATURE_HEADER, signedText, TIMESTAMP_HEADER } from '@cowrie/contract/bank/connector'
import { expect, test } from 'vitest'
import {
  BVN,
  DEALLOCATE,
  DETAIL,
  invoiceAccountBody,
  KYC,
  LINK,
  RESERVE,
  RESERVE_INVOICE,
  reservedBody,
  SOURCES,
  TRANSACTIONS,
} from '#test/features/collections/reserved-accounts.ts'
import { BVN_ACCOUNT, BVN_DETAILS, NIN_DETAILS } from '#test/features/collections/verification.ts'
import { startApi } from '#test/kit/api-process.ts'
import { dump, numbersIn, writeAheadFile, writeAheadLog } from '#test/kit/data-at-rest.ts'
import { unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

/** Eleven digits that are in no other test; the last one says whether the register knows them. */
const canary = (end: string): string =>
  `9${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}`.slice(0, 11 - end.length) + end

test('bvn and nin are in no table, no log, no kept answer, no error and not in the write-ahead log', async () => {
  const h = harness()
  const { main } = h.merchants
  const begun = await writeAheadFile(h.databases['01'])
  const api = await startApi(h, 'trace')
  const [answers, echoes]: [string[], string[]] = [[], []]
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<any> => {
    const text = await (
      await fetch(api.url + path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
    ).text()
    const echo = method === 'PUT' && path.includes('payment-source-filter') && text.includes('"requestSuccessful":true')
    ;(echo ? echoes : answers).push(text)
    return JSON.parse(text)
  }
  const basic = Buffer.from(`${main.apiKey}:${main.secretKey}`).toString('base64')
  const login = await send('POST', '/api/v1/auth/login', '', { authorization: `Basic ${basic}` })
  answers.length = 0
  const bearer = { authorization: `Bearer ${login.responseBody.accessToken}` }
  const marker = unique('canary')
  const numbers: string[] = []
  const newNumber = (end: string): string => {
    const number = canary(end)
    numbers.push(number)
    return number
  }
  const people = () => [
    { bvn: newNumber('2') },
    { nin: newNumber('4'), bvn: undefined },
    { bvn: newNumber('6'), nin: newNumber('8') },
    { bvn: newNumber('1') }, // nobody
    { nin: newNumber('3'), bvn: newNumber('2') },
    { bvn: newNumber('0000') }, // barred
    { bvn: `${newNumber('2')}0` }, // too long
    { bvn: [newNumber('2')] },
    { bvn: { number: newNumber('2') } },
    { bvn: Number(newNumber('2')) },
  ]
  const plain = (): Record<string, string> => bearer
  const keyed = (): Record<string, string> => ({ ...bearer, 'idempotency-key': unique('key') })

  const made: string[] = []
  for (const person of people())
    for (const way of [plain, keyed])
      for (const [path, body] of [
        [RESERVE, reservedBody(main, { customerName: marker, ...person })],
        [RESERVE_INVOICE, invoiceAccountBody(main, { customerName: marker, ...person })],
      ] as const) {
        const headers = way()
        const answer = await send('POST', path, body, headers)
        if (answer.requestSuccessful) made.push(body.accountReference)
        if (way === keyed) await send('POST', path, body, headers) // replayed
      }
  expect(made.length).toBeGreaterThanOrEqual(12)
  const reference = made[0] as string
  const bvns = () => [newNumber('2'), newNumber('3')]
  for (const way of [plain, keyed]) {
    const restricted = { restrictPaymentSource: true, allowedPaymentSource: { bvns: bvns() } }
    await send('POST', RESERVE, reservedBody(main, restricted), way())
    await send(
      'POST',
      RESERVE,
      reservedBody(main, { ...restricted, allowedPaymentSource: { bvns: [`${newNumber('2')}0`] } }),
      way(),
    )
    const filter = { restrictPaymentSource: true, allowedPaymentSources: { bvns: bvns(), accountNames: [marker] } }
    for (const turn of [filter, filter, { ...filter, allowedPaymentSources: { bvns: [`${newNumber('2')}x`] } }]) {
      const headers = way()
      await send('PUT', SOURCES(reference), turn, headers)
      await send('PUT', SOURCES(reference), turn, headers) // replayed, with a key
      await send('PUT', SOURCES(unique('nobody')), turn, keyed())
    }
    for (const person of people()) {
      await send('PUT', KYC(reference), person, way())
      await send('PUT', BVN(reference), { bvn: person.bvn }, way())
    }
    await send('PUT', BVN(reference), `{"bvn":"${newNumber('2')}"`, way())
    await send('PUT', LINK(reference), { getAllAvailableBanks: true, bvn: newNumber('2') }, way())
    await send('PUT', BVN(unique('nobody')), { bvn: newNumber('2') }, way())
  }
  // The registers are asked who somebody is; what they say of the person is not the number.
  for (const way of [plain, keyed])
    for (const end of ['2', '1', '0004']) {
      const details = { name: 'Ada Obi', dateOfBirth: '14-Mar-1991', mobileNo: '08031234567' }
      for (const [path, body] of [
        [BVN_DETAILS, { ...details, bvn: newNumber(end) }],
        [BVN_ACCOUNT, { bankCode: '058', accountNumber: '0123456789', bvn: newNumber(end) }],
        [NIN_DETAILS, { nin: newNumber(end) }],
        [NIN_DETAILS, { nin: `${newNumber(end)}0` }],
      ] as const) {
        const headers = way()
        await send('POST', path, body, headers)
        await send('POST', path, body, headers) // replayed, with a key
      }
    }
  // The bank tells whose account a transfer came from: to a restricted account, to one that is not, and to
  // nobody's.
  const free = await send('POST', RESERVE, reservedBody(main, { bvn: newNumber('2') }), bearer)
  const [numberOfFree, numberOfRestricted] = [
    free.responseBody.accounts[0],
    (await send('GET', DETAIL(reference), undefined, bearer)).responseBody.accounts[0],
  ]
  const outcomes: string[] = []
  for (const { accountNumber, bankCode } of [numberOfFree, numberOfRestricted, { ...numberOfFree, bankCode: '044' }])
    for (const senderBvn of [newNumber('2'), `${newNumber('2')}7`, [newNumber('2')]]) {
      const notice = JSON.stringify({
        sessionId: `000013${randomInt(1e12, 9e12)}${randomInt(1e11)}`.padEnd(30, '0').slice(0, 30),
        ...{ bankCode, accountNumber, amount: '250.00', senderName: 'SOMEBODY ELSE', senderBvn },
        ...{ senderAccountNumber: '2034457777', senderBankCode: '044', paidAt: new Date().toISOString() },
      })
      const timestamp = String(Math.floor(Date.now() / 1000))
      const text = signedText(timestamp, 'POST', creditNotice.path, notice)
      const signature = createHmac('sha256', h.config.keys.bank[0].key).update(text).digest('hex')
      const signed = { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: `v1=${signature}` }
      const answer = await send('POST', creditNotice.path, notice, signed)
      outcomes.push(answer.responseBody?.outcome ?? answer.problem.code)
    }
  expect(outcomes.filter((outcome) => outcome === 'COUNTED' || outcome === 'SUSPENDED').slice(0, 2)).toEqual([
    'COUNTED',
    'SUSPENDED',
  ])
  for (const one of made) {
    await send('GET', DETAIL(one), undefined, bearer)
    await send('GET', TRANSACTIONS({ accountReference: one }), undefined, bearer)
  }
  await send('DELETE', DEALLOCATE(made[1] as string), undefined, bearer)
  // A database that fails and quotes the row it was about.
  await h.sql(
    '01',
    `create function planted() returns trigger language plpgsql as $$ begin raise exception 'row % failed', new using detail = new::text; end $$`,
  )
  await h.sql(
    '01',
    'create trigger planted before insert or update on reserved_accounts for each row execute function planted()',
  )
  try {
    for (const way of [plain, keyed]) {
      const failed = await send('POST', RESERVE, reservedBody(main, { bvn: newNumber('2') }), way())
      expect(failed.problem.code).toBe('INTERNAL')
      const allowedPaymentSources = { bvns: [newNumber('2')] }
      await send('PUT', SOURCES(reference), { restrictPaymentSource: true, allowedPaymentSources }, way())
      await send('PUT', KYC(reference), { bvn: newNumber('2'), nin: newNumber('2') }, way())
    }
  } finally {
    await h.sql('01', 'drop function planted() cascade')
  }
  const written = await api.stop()

  const log = await writeAheadLog(h.databases['01'], begun)
  const places: Record<string, string> = {
    answers: answers.join('\n'),
    log: written,
    'database 01': await dump(h.databases['01']),
    'database 02': await dump(h.databases['02']),
    'database of the simulator': await dump(h.databases['01'].replace(/_01$/, '_simulator')),
    ...Object.fromEntries(log.map((text, part) => [`write-ahead log ${part}`, text])),
  }
  expect(places['log']).toContain('update-customer-bvn')
  expect(places['database 01'], 'the search finds what is there').toContain(marker)
  expect(log.some((text) => text.includes(marker))).toBe(true)
  expect(numbersIn(echoes.join(), numbers), 'the search finds numbers').not.toEqual([])
  const found = Object.entries(places).flatMap(([place, text]) =>
    numbersIn(text, numbers).map((number) => [place, number]),
  )
  expect(found).toEqual([])
}, 240_000) // two hundred calls, and a hundred numbers sought in all that they wrote
