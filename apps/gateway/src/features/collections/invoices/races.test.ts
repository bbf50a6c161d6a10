// Money, cancellation and expiry at the same moment: one wins, every answer is honest, and every kobo has one
// owner.
import { expect, test } from 'vitest'
import { engineTx } from '#core/cells/cells.ts'
import { expire } from '#features/collections/transactions/transactions.ts'
import { after, CREATE, cancel, invoice, invoiceBody, look } from '#test/features/collections/invoices.ts'
import { DEALLOCATE, reserveInvoice } from '#test/features/collections/reserved-accounts.ts'
import { type Harness, status, unique, useHarness } from '#test/kit/harness.ts'
import { scatter } from '#test/kit/waiting.ts'

const harness = useHarness()

/** The same numbers every time: a race that failed can be run again. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}
const shuffled = <T>(items: readonly T[], roll: (sides: number) => number): T[] =>
  items
    .map((item) => [roll(1_000_000), item] as const)
    .toSorted((a, b) => a[0] - b[0])
    .map(([, item]) => item)

/** What was counted of the transfers to an invoice, and what was not. */
async function moneyOf(h: Harness, transactionReference: string) {
  const rows = await h.sql(
    '01',
    `select c.outcome, sum(c.kobo)::int as kobo, count(*)::int as n from inbound_credits c join transactions t on t.id = c.transaction_id
     where t.reference = $1 group by 1`,
    [transactionReference],
  )
  const of = (outcome: string) => rows.find((row) => row.outcome === outcome) ?? { kobo: 0, n: 0 }
  return {
    counted: of('COUNTED').kobo,
    suspended: of('SUSPENDED').kobo,
    transfers: of('COUNTED').n + of('SUSPENDED').n,
  }
}

const RACES = 50
test(`${RACES} seeded races of credits, cancellation and expiry`, async () => {
  const h = harness()
  const { main } = h.merchants
  const { ctx } = h.gateway
  const seen = new Set<string>()
  for (let seed = 1; seed <= RACES; seed += 1) {
    const roll = dice(seed)
    const attached = roll(3) === 0
    const account = attached ? await reserveInvoice(h, main) : null
    const made = await invoice(h, main, account ? { accountReference: account.accountReference } : {})
    const [{ id }] = await h.sql('01', 'select id from invoices where reference = $1', [made.invoiceReference])
    const amounts = [2500, 1000, 1500, 3000].slice(0, 1 + roll(4))
    const answers: number[] = []
    // The timer finds the invoice only once its time is over: half of the races end it in the middle, some of
    // them early, so that every end is met on a slow machine too.
    const expires = roll(2) === 0
    // A transfer passes through the bank and takes longer than a cancellation: the dice make them meet.
    const later = (most = 200) => scatter(roll(most))
    const works = shuffled(
      [
        ...amounts.map((amount) => async () => void (await h.pay(made.accountNumber, amount))),
        async () => {
          await later()
          answers.push((await cancel(h, main, made.invoiceReference)).status)
        },
        async () => {
          await later()
          answers.push((await cancel(h, main, made.invoiceReference)).status)
        },
        async () => {
          if (!expires) return
          await later(40)
          await h.sql('01', 'update transactions set expires_at = created_at where id = $1', [id])
          await h.sql('01', 'update virtual_accounts set expires_at = opened_at where transaction_id = $1', [id])
          await engineTx(ctx, '01', (t) => expire(t, [BigInt(id)]))
        },
      ],
      roll,
    )
    await Promise.all(works.map((work) => work()))
    const end = await look(h, main, made.invoiceReference)
    const { paymentStatus, amountPaid } = await status(h, main, made.transactionReference)
    const { counted, suspended, transfers } = await moneyOf(h, made.transactionReference)
    const context = `seed ${seed}: ${end.invoiceStatus} ${paymentStatus} ${answers.join(' ')}`
    seen.add(end.invoiceStatus)
    // At most one cancellation was granted, and the invoice says so; a refusal is never a fault of ours.
    const granted = answers.filter((answer) => answer === 200).length
    expect(
      answers.every((answer) => answer === 200 || answer === 422),
      context,
    ).toBe(true)
    expect(granted, context).toBe(end.invoiceStatus === 'CANCELLED' ? 1 : 0)
    // Every transfer was taken, and every kobo is the merchant's or in suspense.
    expect(transfers, context).toBe(amounts.length)
    expect(counted + suspended, context).toBe(amounts.reduce((sum, amount) => sum + amount * 100, 0))
    expect(counted, context).toBe(Math.round(Number(amountPaid) * 100))
    expect(end.amountPaid * 100, context).toBe(counted)
    expect(counted >= 250_000, context).toBe(end.invoiceStatus === 'PAID')
  }
  expect([...seen].toSorted(), 'ways it ended').toEqual(['CANCELLED', 'EXPIRED', 'PAID'])
}, 240_000)

test('creating, deallocating and paying at once: an account that is given up takes nothing for an invoice that got it too late', async () => {
  const h = harness()
  const { main } = h.merchants
  for (let seed = 1; seed <= 10; seed += 1) {
    const { accountReference, accountNumber } = await reserveInvoice(h, main)
    const body = invoiceBody(h, main, {
      accountReference,
      invoiceReference: unique('race'),
      expiryDate: after(h, 3_600),
    })
    const works = shuffled(
      [
        () => h.as(main, 'POST', CREATE, body),
        () => h.as(main, 'DELETE', DEALLOCATE(accountReference)),
        () => h.pay(accountNumber, 2500),
      ],
      dice(seed),
    )
    for (const { status: code, text } of await Promise.all(works.map((work) => work())))
      expect(code, `seed ${seed}: ${text}`).toBeLessThan(500)
  }
})
