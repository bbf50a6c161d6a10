// A bank that issues its own account numbers (SIMULATOR_ISSUES): the gateway orders them, payers pay to them,
// and the bank knows whose they are without asking. What comes to them is reported in version 2 of the
// notices.
import type { CreditNotice, ReversalNotice } from '@cowrie/contract/bank/connector'
import { CONNECTOR_PATHS, type NumbersAnswer, NumbersOrder } from '@cowrie/contract/bank/v2/connectors'
import { creditNoticeV2, reversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { type NumberNotice, numberNotice } from '@cowrie/contract/bank/v2/numbers'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Compile } from 'typebox/compile'
import type { Clock } from '../kit/clock.ts'
import { bodyText, parseFields, refuse } from '../kit/requests.ts'
import type { Enquiry, Gateway } from './gateway.ts'
import { holderOf, issueOnce, withdraw } from './numbers.sql.ts'

/** They look like no number of our ranges. */
const PREFIX = '99'
const numberOf = (serial: string): string => `${PREFIX}${serial.padStart(8, '0')}`
const orders = Compile(NumbersOrder)

export function bindNumbers(app: FastifyInstance, pool: pg.Pool, bankCode: string): void {
  app.post(CONNECTOR_PATHS.numbers, async (request, reply) => {
    const order = parseFields(bodyText(request))
    if (!orders.Check(order)) return refuse(reply, 400, 'the order of numbers is not one')
    const issued = await issueOnce(pool, order.reference, order.count, order.accountName)
    const numbers = issued.map(({ serial }) => ({ accountNumber: numberOf(serial), bankCode, validUntil: null }))
    return { reference: order.reference, numbers } satisfies NumbersAnswer
  })
}

type Talking = {
  readonly pool: pg.Pool
  readonly bankCode: string
  readonly post: (path: string, body: unknown) => Promise<boolean>
}

/** For tests: the bank withdraws a number that it has issued, and reports it. Nobody can pay to it from then
 *  on. */
export function bindWithdrawals(
  app: FastifyInstance,
  { pool, bankCode, clock, post }: Talking & { clock: Clock },
): void {
  app.post('/api/numbers/withdraw', async (request, reply) => {
    const accountNumber = String(parseFields(bodyText(request))?.['accountNumber'])
    const isOurs = /^99\d{8}$/.test(accountNumber)
    if (!isOurs || !(await withdraw(pool, BigInt(accountNumber.slice(PREFIX.length)))))
      return refuse(reply, 404, 'the bank has issued no such number')
    const notice = { accountNumber, bankCode, state: 'WITHDRAWN', at: clock.now().toISOString() } satisfies NumberNotice
    return { accountNumber, isTold: await post(numberNotice.path, notice) }
  })
}

/** The gateway as such a bank talks to it. */
export const issuing = (gateway: Gateway, { pool, bankCode, post }: Talking): Gateway => ({
  ...gateway,
  enquire: async (bank, accountNumber): Promise<Enquiry> => {
    const isOurs = bank === bankCode && accountNumber.startsWith(PREFIX)
    const accountName = isOurs ? await holderOf(pool, BigInt(accountNumber.slice(PREFIX.length))) : null
    if (accountName === null) return { outcome: 'no-such-account' }
    return { outcome: 'known', accountName, expiresAt: null, kobo: null }
  },
  credit: ({ sessionId, ...rest }: CreditNotice) => post(creditNoticeV2.path, { ...rest, reference: sessionId }),
  reversal: ({ sessionId, reversalSessionId, ...rest }: ReversalNotice) =>
    post(reversalNoticeV2.path, { ...rest, reference: sessionId, reversalReference: reversalSessionId }),
})
