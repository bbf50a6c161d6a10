import { CHALLENGE_SECONDS, OTP_SECONDS, OTP_TRIES, SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { isApproval, RESPONSE_CODES } from '@cowrie/contract/collections/response-codes'
import { expect, test } from 'vitest'
import { useBank } from '../../test/bank.ts'
import { cardCalls, FOREIGN_CARD } from '../../test/cards.ts'

const bank = useBank()
const { authorise, confirm, inquire, reverse, booked, send, sendOtp, sendInquiry, newReference } = cardCalls(bank)
const { plain, otp, threeDs, failing } = SANDBOX_CARDS

test('plain: APPROVED with 00, a description of the card and a name for it; the books have taken the amount', async () => {
  const answer = await authorise()
  expect(answer).toEqual({
    chargeReference: answer.chargeReference,
    state: 'APPROVED',
    code: '00',
    message: 'Your bank approved the payment.',
    card: { scheme: 'Visa', bankCode: expect.any(String), bankName: expect.any(String), countryCode: 'NG' },
    cardReference: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect(await booked(answer.chargeReference)).toEqual({
    chargeReference: answer.chargeReference,
    state: 'APPROVED',
    amount: '2200.00',
    code: '00',
    last4: '1111',
    taken: '2200.00',
    returned: '0.00',
  })
})

test('failing: DECLINED with 05 though its check digit is wrong; another wrong check digit is declined with 14', async () => {
  expect(await authorise({ card: failing })).toMatchObject({ state: 'DECLINED', code: '05' })
  const wrong = await authorise({ card: { ...plain, number: '4111111111111112' } })
  expect(wrong).toMatchObject({ state: 'DECLINED', code: '14' })
  expect(wrong).not.toHaveProperty('cardReference')
  expect(await booked(wrong.chargeReference)).toMatchObject({ taken: '0.00' })
})

test('wrong details decline: cvv 05, pin 55, expired 54 from the first instant of the next month in Lagos', async () => {
  for (const card of [plain, otp, threeDs]) {
    expect(await authorise({ card: { ...card, cvv: '321' } })).toMatchObject({ state: 'DECLINED', code: '05' })
    expect(await authorise({ card: { ...card, pin: '4321' } })).toMatchObject({ state: 'DECLINED', code: '55' })
    expect(await authorise({ card: { ...card, expiryMonth: '01', expiryYear: '2024' } })).toMatchObject({ code: '54' })
  }
  const { pin: _pin, ...withoutPin } = plain
  expect(await authorise({ card: withoutPin })).toMatchObject({ state: 'APPROVED' })

  const end = Date.UTC(2030, 10, 1) - 3_600_000
  await bank.moveClock((end - Date.now()) / 1000 - 30)
  expect(await authorise()).toMatchObject({ state: 'APPROVED' })
  await bank.moveClock((end - Date.now()) / 1000 + 1)
  expect(await authorise()).toMatchObject({ state: 'DECLINED', code: '54' })
})

test('any other card with a right check digit pays like the plain one, with any cvv', async () => {
  expect(await authorise({ card: FOREIGN_CARD })).toMatchObject({ state: 'APPROVED', card: { scheme: 'Mastercard' } })
})

test('39NN.39 answers the code NN, for every code of the contract; only 00 and 11 take money', async () => {
  for (const code of Object.keys(RESPONSE_CODES)) {
    const answer = await authorise({ amount: `39${code}.39` })
    const state = isApproval(code) ? 'APPROVED' : 'DECLINED'
    expect(answer).toMatchObject({ state, code, message: RESPONSE_CODES[code]?.payer })
    const taken = code === '00' || code === '11' ? `39${code}.39` : '0.00'
    expect(await booked(answer.chargeReference), code).toMatchObject({ taken })
  }
  // 16 is not a code, and a neighbour of such an amount is an amount like any other.
  for (const amount of ['3916.39', '3951.40', '13951.39']) {
    expect(await authorise({ amount })).toMatchObject({ state: 'APPROVED', code: '00' })
  }
  expect(await authorise({ amount: '3951.39', card: failing })).toMatchObject({ code: '05' })
})

test('3901.38 and 3902.38: no answer; an inquiry finds APPROVED, or DECLINED with 51', async () => {
  for (const [amount, found] of [
    ['3901.38', { state: 'APPROVED', code: '00' }],
    ['3902.38', { state: 'DECLINED', code: '51' }],
  ] as const) {
    const chargeReference = newReference()
    await expect(send({ amount, chargeReference })).rejects.toThrow('fetch failed')
    expect(await inquire(chargeReference)).toMatchObject(found)
    expect(await authorise({ amount, chargeReference })).toMatchObject(found)
  }
})

test('3903.38: no answer, and the issuer never received it, however often it is asked', async () => {
  const chargeReference = newReference()
  for (let turn = 0; turn < 2; turn += 1) {
    await expect(send({ amount: '3903.38', chargeReference })).rejects.toThrow('fetch failed')
    expect((await sendInquiry(chargeReference)).status).toBe(404)
  }
  expect(await booked(chargeReference)).toBeUndefined()
})

test('3904.38: undecided for three seconds, then approved; a reversal meanwhile bars it', async () => {
  const [first, second] = [newReference(), newReference()]
  const started = performance.now()
  const slow = authorise({ amount: '3904.38', chargeReference: first })
  const barred = authorise({ amount: '3904.38', chargeReference: second })
  expect((await sendInquiry(first)).status).toBe(404)
  expect(await reverse(second)).toMatchObject({ state: 'REVERSED' })
  expect(await slow).toMatchObject({ state: 'APPROVED', code: '00' })
  expect(performance.now() - started).toBeGreaterThan(2_900)
  expect(await barred).toMatchObject({ state: 'REVERSED' })
  expect(await booked(second)).toMatchObject({ state: 'REVERSED', taken: '0.00' })
})

test('a simulator that stops while it waits cuts the call, decides nothing and logs no fault; charges survive', async () => {
  const [slow, kept] = [newReference(), await authorise()]
  const cut = send({ amount: '3904.38', chargeReference: slow }).catch((error: Error) => error.message)
  await expect.poll(() => sendInquiry(slow)).toMatchObject({ status: 404 })
  await bank.restart()
  expect(await cut).toBe('fetch failed')
  expect((await sendInquiry(slow)).status).toBe(404)
  expect(await inquire(kept.chargeReference)).toEqual(kept)
  expect(bank.logged.filter((line) => line.includes('failed'))).toEqual([])
})

test('otp: asks first, says the code of the sandbox, takes the money after the right one and no second time', async () => {
  const asked = await authorise({ card: otp })
  expect(asked).toMatchObject({
    state: 'OTP',
    code: '',
    message: 'Enter the code your bank sent you. In the sandbox it is 123456.',
    card: { scheme: 'Verve' },
    otp: { id: expect.stringMatching(/^[0-9a-z]+$/), triesLeft: OTP_TRIES, wrong: false },
  })
  const life = Date.parse(asked.otp?.expiresAt ?? '') - Date.now()
  expect(life).toBeGreaterThan((OTP_SECONDS - 60) * 1000)
  expect(life).toBeLessThanOrEqual(OTP_SECONDS * 1000)
  expect(asked).not.toHaveProperty('cardReference')
  expect(await booked(asked.chargeReference)).toMatchObject({ state: 'OTP', taken: '0.00' })

  const paid = await confirm(asked)
  expect(paid).toMatchObject({ state: 'APPROVED', code: '00', cardReference: expect.any(String) })
  expect(paid).not.toHaveProperty('otp')
  expect(await confirm(asked)).toEqual(paid)
  expect(await confirm(asked, '000000')).toEqual(paid)
  expect(await inquire(asked.chargeReference)).toEqual(paid)
  expect(await booked(asked.chargeReference)).toMatchObject({ taken: '2200.00', returned: '0.00' })
})

test('otp: a wrong code costs a try; the last one declines with 75 and the right code comes too late', async () => {
  const asked = await authorise({ card: otp })
  for (let left = OTP_TRIES - 1; left > 0; left -= 1) {
    const answer = await confirm(asked, '000000')
    expect(answer).toMatchObject({ state: 'OTP', otp: { id: asked.otp?.id, triesLeft: left, wrong: true } })
    expect(answer.message).toContain(`Attempts left: ${left}`)
  }
  expect(await confirm(asked, '000000')).toMatchObject({ state: 'DECLINED', code: '75' })
  expect(await confirm(asked)).toMatchObject({ state: 'DECLINED', code: '75' })
  expect(await booked(asked.chargeReference)).toMatchObject({ taken: '0.00' })
})

test('otp: 404 for a code of another charge, or of one that never asked', async () => {
  const asked = await authorise({ card: otp })
  const other = await authorise({ card: otp })
  expect((await sendOtp({ ...asked, chargeReference: other.chargeReference })).status).toBe(404)
  expect((await sendOtp(await authorise())).status).toBe(404)
  expect(await inquire(other.chargeReference)).toMatchObject({ state: 'OTP', otp: { triesLeft: OTP_TRIES } })
})

test('otp: the amount decides after the right code, timeouts included', async () => {
  const declined = await authorise({ card: otp, amount: '3951.39' })
  expect(declined).toMatchObject({ state: 'OTP' })
  expect(await confirm(declined)).toMatchObject({ state: 'DECLINED', code: '51' })

  const silent = await authorise({ card: otp, amount: '3901.38' })
  await expect(sendOtp(silent)).rejects.toThrow('fetch failed')
  expect(await inquire(silent.chargeReference)).toMatchObject({ state: 'APPROVED' })

  const lost = await authorise({ card: otp, amount: '3903.38' })
  await expect(sendOtp(lost)).rejects.toThrow('fetch failed')
  expect(await inquire(lost.chargeReference)).toMatchObject({ state: 'OTP', otp: { triesLeft: OTP_TRIES } })
})

test('an OTP or a challenge whose time is over is DECLINED with 68, by the clock, whoever looks first', async () => {
  const codes = [await authorise({ card: otp }), await authorise({ card: otp })]
  const challenge = await authorise({ card: threeDs })
  await bank.moveClock(OTP_SECONDS - 60)
  expect(await inquire(codes[0]?.chargeReference ?? '')).toMatchObject({ state: 'OTP' })
  await bank.moveClock(OTP_SECONDS)
  const late = { state: 'DECLINED', code: '68' }
  expect(await inquire(codes[0]?.chargeReference ?? '')).toMatchObject(late)
  expect(codes[1] && (await confirm(codes[1]))).toMatchObject(late)
  expect(await inquire(challenge.chargeReference)).toMatchObject({ state: 'CHALLENGE' })
  await bank.moveClock(CHALLENGE_SECONDS)
  expect(await inquire(challenge.chargeReference)).toMatchObject(late)
})

test('reversal: gives an approved charge back, ends any other, and bars a reference that is not known yet', async () => {
  const approved = await authorise()
  for (let turn = 0; turn < 2; turn += 1) {
    const answer = await reverse(approved.chargeReference)
    expect(answer).toMatchObject({ state: 'REVERSED', code: '' })
    expect(answer).not.toHaveProperty('cardReference')
  }
  expect(await booked(approved.chargeReference)).toMatchObject({ taken: '2200.00', returned: '2200.00' })
  expect(await authorise({ chargeReference: approved.chargeReference })).toMatchObject({ state: 'REVERSED' })

  const asked = await authorise({ card: otp })
  await reverse(asked.chargeReference)
  expect(await confirm(asked)).toMatchObject({ state: 'REVERSED' })
  expect(await booked(asked.chargeReference)).toMatchObject({ taken: '0.00', returned: '0.00' })

  const barred = newReference()
  expect(await reverse(barred)).toMatchObject({ state: 'REVERSED', chargeReference: barred })
  expect(await authorise({ chargeReference: barred })).toMatchObject({ state: 'REVERSED' })
  expect(await booked(barred)).toMatchObject({ amount: null, taken: '0.00' })
})

test('a stored card pays at once, also one that asked for a code; unknown 56, expired 54, code by amount', async () => {
  const asked = await authorise({ card: otp })
  const { cardReference } = await confirm(asked)
  const pay = (more = {}) => authorise({ card: undefined, cardReference, ...more })
  const again = await pay()
  expect(again).toMatchObject({ state: 'APPROVED', cardReference, card: { scheme: 'Verve' } })
  expect(await booked(again.chargeReference)).toMatchObject({ last4: '7093', taken: '2200.00' })
  expect(await pay({ amount: '3951.39' })).toMatchObject({ state: 'DECLINED', code: '51' })
  expect(await pay({ cardReference: 'f'.repeat(32) })).toMatchObject({ state: 'DECLINED', code: '56' })
  await bank.moveClock((Date.UTC(2030, 10, 1) - Date.now()) / 1000)
  expect(await pay()).toMatchObject({ state: 'DECLINED', code: '54' })
})

test('400 for what cannot be read, 409 for another amount under the same reference, 404 for an unknown one', async () => {
  for (const wrong of [
    ...[{ card: undefined }, { card: { ...plain, number: '41111' } }, { card: { ...plain, expiryMonth: '13' } }],
    ...[{ amount: '0.00' }, { amount: '1.005' }, { returnUrl: 'javascript:alert(1)' }, { chargeReference: 'a b' }],
  ]) {
    expect((await send(wrong)).status, JSON.stringify(Object.keys(wrong))).toBe(400)
  }
  const { chargeReference } = await authorise()
  expect((await send({ chargeReference, amount: '2200.01' })).status).toBe(409)
  expect((await sendInquiry('NEVERHEARDOF')).status).toBe(404)
})
