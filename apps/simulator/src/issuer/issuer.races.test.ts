import { SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { expect, test } from 'vitest'
import { useBank } from '../../test/bank.ts'
import { cardCalls, FOREIGN_CARD } from '../../test/cards.ts'

const bank = useBank()
const { authorise, confirm, inquire, reverse, booked, send, newReference } = cardCalls(bank)

const fifty = <T>(work: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 50 }, (_, turn) => work(turn)))

test('fifty identical authorisations at once are one charge: one answer, one card name, money taken once', async () => {
  const chargeReference = newReference()
  const answers = await fifty(() => authorise({ chargeReference }))
  expect(answers[0]).toMatchObject({ state: 'APPROVED' })
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await bank.query('select kind, kobo from card_money')).toEqual([{ kind: 'TAKEN', kobo: '220000' }])
  expect(await bank.query('select 1 from stored_cards')).toHaveLength(1)
})

test('fifty identical authorisations of an OTP card at once send one code', async () => {
  const chargeReference = newReference()
  const answers = await fifty(() => authorise({ chargeReference, card: SANDBOX_CARDS.otp }))
  expect(new Set(answers.map((answer) => answer.otp?.id)).size).toBe(1)
})

test('fifty right codes at once take the money once', async () => {
  const asked = await authorise({ card: SANDBOX_CARDS.otp })
  const answers = await fifty(() => confirm(asked))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await booked(asked.chargeReference)).toMatchObject({ state: 'APPROVED', taken: '2200.00', returned: '0.00' })
})

test('fifty wrong codes at once are worth three tries, not fifty, and none of them is lost', async () => {
  const asked = await authorise({ card: SANDBOX_CARDS.otp })
  const answers = await fifty(() => confirm(asked, '000000'))
  expect(answers.filter(({ state }) => state === 'OTP')).toHaveLength(2)
  expect(answers.filter(({ code }) => code === '75')).toHaveLength(48)
})

test('fifty reversals at once give the money back once', async () => {
  const { chargeReference } = await authorise()
  await fifty(() => reverse(chargeReference))
  expect(await booked(chargeReference)).toMatchObject({ state: 'REVERSED', taken: '2200.00', returned: '2200.00' })
})

test('reversal against authorisation: whoever comes first, the charge ends REVERSED and the issuer holds nothing', async () => {
  const ends = await fifty(async (turn) => {
    const chargeReference = newReference()
    if (turn % 5 === 0) await authorise({ chargeReference })
    if (turn % 5 === 1) await reverse(chargeReference)
    await Promise.all([authorise({ chargeReference }), reverse(chargeReference), authorise({ chargeReference })])
    return chargeReference
  })
  let taken = 0
  for (const reference of ends) {
    const charge = await booked(reference)
    expect(charge).toMatchObject({ state: 'REVERSED' })
    expect(charge?.['taken']).toBe(charge?.['returned'])
    if (charge?.['taken'] !== '0.00') taken += 1
  }
  // Both orders were there, by force at least ten times each.
  expect(taken).toBeGreaterThanOrEqual(10)
  expect(taken).toBeLessThanOrEqual(40)
})

test('reversal against the right code: the charge ends REVERSED and the issuer holds nothing', async () => {
  const charges = []
  for (let turn = 0; turn < 20; turn += 1) charges.push(await authorise({ card: SANDBOX_CARDS.otp }))
  await Promise.all(charges.flatMap((charge) => [confirm(charge), reverse(charge.chargeReference)]))
  for (const { chargeReference } of charges) {
    const charge = await booked(chargeReference)
    expect(charge).toMatchObject({ state: 'REVERSED' })
    expect(charge?.['taken']).toBe(charge?.['returned'])
  }
})

test('neither database nor log holds the number, cvv, pin or OTP of any card that was charged', async () => {
  const canary = { ...FOREIGN_CARD, cvv: '8642', pin: '9753' }
  const secrets = ['8642', '9753', '7531', '1234', '123', '123456', '864209']
  await authorise({ card: canary })
  await authorise({ card: { ...canary, pin: '1234' } })
  await authorise({ card: SANDBOX_CARDS.threeDs })
  await authorise({ card: { ...SANDBOX_CARDS.plain, pin: '7531' } })
  const asked = await authorise({ card: SANDBOX_CARDS.otp })
  await confirm(asked, '864209')
  await confirm(asked)
  const { cardReference } = await inquire(asked.chargeReference)
  await authorise({ card: undefined, cardReference })
  await expect(send({ amount: '3901.38', card: { ...canary, pin: '1234' } })).rejects.toThrow('fetch failed')
  expect((await send({ card: { ...canary, expiryYear: 'soon' } })).status).toBe(400)
  await fetch(`${bank.url()}/phone/${asked.otp?.id}`)

  const tables = await bank.query("select tablename from pg_tables where schemaname = 'public'")
  let dump = ''
  for (const { tablename } of tables) {
    const rows = await bank.query(`select t::text as row from "${String(tablename)}" t`)
    dump += rows.map(({ row }) => `${String(row)}\n`).join('')
  }
  // The dump is what it claims to be: it holds what may be kept.
  for (const kept of ['539983', '8381', '411111', '506099', '7093']) expect(dump).toContain(kept)
  // Instants go: their milliseconds would be a cvv once in a thousand.
  const text = (dump + bank.logged.join('')).replace(/\d\d:\d\d:\d\d\.\d+/g, '')
  const numbers = [canary, ...Object.values(SANDBOX_CARDS)].map(({ number }) => number)
  for (const number of numbers) {
    for (let at = 0; at + 7 <= number.length; at += 1) expect(text).not.toContain(number.slice(at, at + 7))
  }
  for (const secret of secrets) expect(text).not.toMatch(new RegExp(`\\b${secret}\\b`))
})
