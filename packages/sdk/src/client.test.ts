import type { getTransaction, initTransaction } from '@cowrie/contract/collections/transactions'
import { ROUTES as CONTRACT } from '@cowrie/contract/index'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { initiateTransfer } from '@cowrie/contract/payouts/disbursements'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { loggedIn, ok, type Responder, testNetwork } from '../test/network.ts'
import { createCowrie } from './client.ts'
import type { StatusRecord, TransactionsInitInput, TransfersInitiateInput } from './generated/types.ts'

const open = (respond: Responder = () => ok({})) => {
  const network = testNetwork(loggedIn(respond))
  return { ...network, cowrie: createCowrie(network.options) }
}

describe('methods', () => {
  test('there is one for each route that a merchant calls, and no other', () => {
    const { cowrie } = open()
    const methods = Object.entries(cowrie).flatMap(([group, all]) => Object.keys(all).map((name) => `${group}.${name}`))
    const routes = CONTRACT.filter(({ auth, id }) => auth !== 'bank' && id !== 'auth.login').map(({ id }) => id)
    expect(methods.toSorted()).toEqual(routes.toSorted())
  })

  test('types are those of the contract', () => {
    expectTypeOf<BodyOf<typeof initTransaction>>().toExtend<TransactionsInitInput>()
    expectTypeOf<TransfersInitiateInput>().toEqualTypeOf<BodyOf<typeof initiateTransfer>>()
    expectTypeOf<StatusRecord>().toExtend<ReplyOf<typeof getTransaction>>()
    expectTypeOf<StatusRecord['amountPaid']>().toEqualTypeOf<string>()
  })

  test('names of the path are encoded and leave the body; what is left of a GET is its query', async () => {
    const { cowrie, asked } = open()
    await cowrie.transactions.get({ transactionReference: 'CWRY|01|20260502141500|000812' })
    await cowrie.transactions.query({ paymentReference: 'order 7/8' })
    await cowrie.refunds.authorise({ refundReference: 'r/1', authorizationCode: '123456' })
    await cowrie.endpoints.disable({ endpointId: 'ep_1' })
    await cowrie.reservedAccounts.updateSplit({ accountReference: 'a', items: [{ subAccountCode: 's' }] })
    await cowrie.subAccounts.create([
      { currencyCode: 'NGN', bankCode: '058', accountNumber: '1', email: 'a@b', defaultSplitPercentage: 5 },
    ])
    expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/api/v2/transactions/CWRY%7C01%7C20260502141500%7C000812', null],
      ['GET', '/api/v2/merchant/transactions/query?paymentReference=order+7%2F8', null],
      ['POST', '/api/v1/refunds/r%2F1/authorize', { authorizationCode: '123456' }],
      ['POST', '/api/v1/webhook-endpoints/ep_1/disable', null],
      ['PUT', '/api/v1/bank-transfer/reserved-accounts/update-income-split-config/a', [{ subAccountCode: 's' }]],
      [
        'POST',
        '/api/v1/sub-accounts',
        [{ currencyCode: 'NGN', bankCode: '058', accountNumber: '1', email: 'a@b', defaultSplitPercentage: 5 }],
      ],
    ])
  })

  test.each(['', '.', '..', undefined])(
    'a name of the path that would lead elsewhere is refused: %j',
    async (reference) => {
      const { cowrie, asked } = open()
      await expect(cowrie.transactions.get({ transactionReference: reference as string })).rejects.toThrow(
        /transactions\.get needs transactionReference/,
      )
      expect(asked).toEqual([])
    },
  )

  test('a bigint is refused with the way to write it: kobo would be read as naira', async () => {
    const body = {
      transactionReference: 'x',
      refundReference: 'r',
      refundAmount: 5n as never,
      refundReason: 'a',
      customerNote: 'b',
    }
    await expect(open().cowrie.refunds.initiate(body)).rejects.toThrow(/refundAmount is a bigint.*naira\(5n\)/)
  })

  test('amounts that come as numbers are text, in lists too; what a merchant put into metaData stays', async () => {
    const item = { amount: 1500.1, fee: 22.5, payableAmount: 1500.1, metaData: { amount: 5 }, amountPaid: '1500.10' }
    const { cowrie } = open(() => ok({ content: [item], last: true, number: 0 }))
    const page = await cowrie.transactions.search()
    expect(page.content[0]).toEqual({
      amount: '1500.10',
      fee: '22.50',
      payableAmount: '1500.10',
      metaData: { amount: 5 },
      amountPaid: '1500.10',
    })
  })

  test('a file is text, and a success without a body is undefined', async () => {
    const { cowrie } = open(({ path }) => (path.endsWith('.csv') ? { body: 'a,b\n1,2\n' } : ok()))
    expect(await cowrie.settlements.statementCsv({ settlementReference: 'S' })).toBe('a,b\n1,2\n')
    expect(await cowrie.endpoints.remove({ endpointId: 'e' })).toBeUndefined()
  })
})

describe('listings', () => {
  const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const found: T[] = []
    for await (const item of items) found.push(item)
    return found
  }
  const numbered =
    (by: string): Responder =>
    ({ path }) => {
      const number = Number(new URLSearchParams(path.split('?')[1]).get(by) ?? 0)
      return ok({ content: [{ reference: `${number}a` }, { reference: `${number}b` }], number, last: number === 2 })
    }

  test.each([
    ['page', (c: any) => c.refunds.list({ size: 2 })],
    ['pageNo', (c: any) => c.transfers.list({ pageSize: 2 })],
  ])('by %s: `for await` goes through all pages, `await` gives one', async (by, list) => {
    const { cowrie, asked } = open(numbered(by))
    expect((await all<any>(list(cowrie))).map(({ reference }) => reference)).toEqual([
      '0a',
      '0b',
      '1a',
      '1b',
      '2a',
      '2b',
    ])
    expect(asked.length).toBe(3)
    expect(asked[2]?.path).toMatch(new RegExp(`ize=2.*${by}=2$`))
    expect((await list(cowrie)).content.length).toBe(2)
    expect(asked.length).toBe(4)
  })

  test('who stops early asks for no more pages, and who begins later begins there', async () => {
    const { cowrie, asked } = open(numbered('page'))
    for await (const { reference } of cowrie.refunds.list({ page: 1 })) {
      expect(reference).toBe('1a')
      break
    }
    expect(asked.map(({ path }) => path)).toEqual(['/api/v1/refunds?page=1'])
  })

  test('by cursor, by nextPage and by number of event', async () => {
    const cursor = open(({ path }) =>
      path.includes('before=7') ? ok({ content: [2], next: null }) : ok({ content: [1], next: '7' }),
    )
    expect(await all(cursor.cowrie.paymentLinks.list())).toEqual([1, 2])
    const next = open(({ path }) => {
      if (!path.includes('page=')) return ok({ content: [1], nextPage: 1 })
      return path.includes('page=1')
        ? ok({ content: [2], nextPage: null })
        : { status: 404, body: 'beyond the last page' }
    })
    expect(await all(next.cowrie.bills.categories())).toEqual([1, 2])
    const feed = open(({ path }) =>
      ok({ events: path.includes('after=2') ? [] : [{ number: 1 }, { number: 2 }], lastNumber: 2 }),
    )
    expect(await all(feed.cowrie.events.list({ after: '0' }))).toEqual([{ number: 1 }, { number: 2 }])
  })

  test('a page that fails ends the loop with its error', async () => {
    const { cowrie } = open(({ path }) =>
      path.includes('page=1') ? { status: 404, body: 'x' } : ok({ content: [1], last: false }),
    )
    await expect(all(cowrie.refunds.list())).rejects.toThrow(/not an answer of the gateway/)
  })
})
