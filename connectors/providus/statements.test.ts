// The statement of a day as the file that somebody took from the bank's portal: payouts by our reference,
// credits by the session in the narration, and one whose webhook was lost counts because the bank confirms
// it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { Statement } from '@cowrie/contract/bank/statement-connector'
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { Compile } from 'typebox/compile'
import { afterAll, expect, test } from 'vitest'
import { call } from '../../packages/connector-kit/test/gateway.ts'
import { newOrder } from '../../packages/connector-kit/test/samples.ts'
import { useBank } from './test/harness.ts'

const bank = useBank()
const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-providus-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))
const DAY = '2026-11-18'
const ENV = { STATEMENTS_FOLDER: FOLDER, STATEMENTS_DATES: 'dd/mm/yyyy' }
const statement = (url: string) => call(url, 'GET', `${BANK_PATHS.statement}?date=${DAY}`)
const print = async (): Promise<void> =>
  writeFileSync(join(FOLDER, `${DAY}.csv`), String((await bank.fake.post('/fake/print', { date: DAY }))['text']))

test('a day is a statement once its file is there, with what was never reported; the same again is the same', async () => {
  const { url } = await bank.adapter(ENV)
  const ordered = { reference: 'N-1', count: 2, accountName: 'Adire Stores' }
  const issued = (await call(url, 'POST', CONNECTOR_PATHS.numbers, ordered))?.json['numbers']
  const [one, two] = (issued as { accountNumber: string }[]).map(({ accountNumber }) => accountNumber)
  const payout = newOrder({ amount: '1500.05' })
  await call(url, 'POST', BANK_PATHS.payouts, payout)
  const reported = await bank.fake.credit({ kobo: '101550', accountNumber: one })
  await bank.fake.deliver(reported)
  const lost = await bank.fake.credit({ kobo: '70000', accountNumber: two })
  const strange = await bank.fake.credit({ kobo: '5000', sessionId: 'NOT-A-SESSION-1' })
  expect(await statement(url)).toMatchObject({ status: 503 })
  await print()
  const given = (await statement(url))?.json
  expect(Compile(Statement).Check(given)).toBe(true)
  const line = (kind: string, sessionId: unknown, amount: string, accountNumber: unknown) => ({
    ...{ kind, sessionId, amount, accountNumber },
  })
  const lines = [
    line('CREDIT', reported, '1015.50', one),
    line('CREDIT', lost, '700.00', two),
    line('OTHER', expect.any(String), '50.00', expect.any(String)),
    line('PAYOUT', payout.sessionId, '1500.05', null),
    line('FEE', `${DAY}/CHG202611181`, '10.00', expect.any(String)),
    line('TAX', `${DAY}/CHG202611182`, '0.75', expect.any(String)),
  ]
  expect(given).toMatchObject({ count: 6, lines })
  await expect.poll(() => bank.gateway.accepted().map(({ reference }) => reference)).toEqual([reported, lost])
  expect((await statement(url))?.json).toEqual(given)
  expect(strange).toBe('NOT-A-SESSION-1')
})

test('without a folder the connector says that it has no statements', async () => {
  const { url } = await bank.adapter()
  expect((await call(url, 'GET', CONNECTOR_PATHS.capabilities))?.json['capabilities']).not.toContain('statement')
  expect(await statement(url)).toMatchObject({ status: 501 })
})
