// The statement of the account that payouts are debited from, as the file that its bank sends: each transfer
// under its session, and what came back, which no status query says.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { Statement } from '@cowrie/contract/bank/statement-connector'
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { Compile } from 'typebox/compile'
import { afterAll, expect, test } from 'vitest'
import { call } from '../../packages/connector-kit/test/gateway.ts'
import { caller, newOrder, useEasyPay } from './test/harness.ts'
import { startAdapter } from './test/processes.ts'

const { fake, env } = useEasyPay({ alone: true })
const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-nibss-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))
const DAY = '2026-11-18'
const PATH = `${BANK_PATHS.statement}?date=${DAY}`

test('a day is a statement once its file is there: transfers, one that came back, and charges, from balance to balance', async () => {
  const adapter = await startAdapter(env({ STATEMENTS_FOLDER: FOLDER }))
  try {
    const gateway = caller(() => adapter.url)
    const orders = [newOrder({ amount: '12500.05' }), newOrder({ amount: '100.00' }), newOrder()]
    await fake().next('order', 'mute')
    for (const order of orders) await gateway.order(order)
    await fake().sendBack(orders[1]?.sessionId ?? '')
    const said = await call(adapter.url, 'GET', CONNECTOR_PATHS.capabilities)
    expect(said?.json['capabilities']).toContain('statement')
    expect(await call(adapter.url, 'GET', PATH)).toMatchObject({ status: 503 })
    const text = await fake().print(DAY)
    expect(text).toMatch(/\d{5}\r\n\d/) // a session is broken over two lines there
    writeFileSync(join(FOLDER, `${DAY}.mt940`), text)
    const statement = (await call(adapter.url, 'GET', PATH))?.json
    expect(Compile(Statement).Check(statement)).toBe(true)
    const line = (kind: string, sessionId: string, amount: string) => ({ kind, sessionId, amount })
    const [one, two, three] = orders.map(({ sessionId }) => sessionId) as [string, string, string]
    expect(statement).toMatchObject({
      lines: [
        // The first was taken without an answer: its session is known from the order all the same.
        line('PAYOUT', one, '12500.05'),
        line('PAYOUT', two, '100.00'),
        line('PAYOUT', three, '12500.50'),
        line('PAYOUT_REVERSAL', two, '100.00'),
        line('FEE', `${DAY}/CHG2611181`, '30.00'),
        line('TAX', `${DAY}/CHG2611182`, '2.25'),
      ],
      ...{ openingBalance: '0.00', closingBalance: '-25032.80', amountIn: '100.00', next: null },
    })
    expect(await gateway.inquire(two)).toBe('SUCCESS')
  } finally {
    await adapter.kill()
  }
})
