// Card data is never stored. Canary cards go through every call that takes one, at a real api process that
// logs everything and has faults planted in its database; then every byte that was written is searched: the
// tables of gateway and simulator, the write-ahead log, the log of the process, and every answer.

import { SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { hasCheckDigit } from '@cowrie/contract/kit/check-digit'
import { expect, test } from 'vitest'
import { CHARGE, chargeBody, OTP, otpBody, SECURE } from '#test/features/collections/cards.ts'
import { startApi } from '#test/kit/api-process.ts'
import { dump, writeAheadFile, writeAheadLog } from '#test/kit/data-at-rest.ts'
import { INIT, initBody, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

/** A number that is in no other test: sixteen digits with a right check digit. */
function canaryNumber(prefix: string): string {
  const body =
    prefix +
    String(Math.floor(Math.random() * 1e15))
      .padStart(15, '0')
      .slice(0, 15 - prefix.length)
  for (let digit = 0; ; digit += 1) if (hasCheckDigit(`${body}${digit}`)) return `${body}${digit}`
}

const LOG = 'write-ahead log'

test('card number, CVV, PIN and OTP are in no table, no log, no answer and not in the write-ahead log', async () => {
  const h = harness()
  const { main } = h.merchants
  const begun = await writeAheadFile(h.databases['01'])
  const api = await startApi(h, 'trace')
  const numbers = [canaryNumber('411111'), canaryNumber('506099'), canaryNumber('400000')]
  const [cvv, pin, otp] = ['8642', '975319', '864209']
  const marker = unique('canary')
  const answers: string[] = []
  const send = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<any> => {
    const answer = await fetch(api.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await answer.text()
    answers.push(text)
    return JSON.parse(text)
  }
  const basic = Buffer.from(`${main.apiKey}:${main.secretKey}`).toString('base64')
  const login = await send('/api/v1/auth/login', '', { authorization: `Basic ${basic}` })
  answers.length = 0
  const bearer = { authorization: `Bearer ${login.responseBody.accessToken}` }
  const transaction = async (): Promise<string> =>
    (await send(INIT, initBody(main, { customerName: marker }), bearer)).responseBody.transactionReference
  const canary = (number: string, over = {}) => ({ number, cvv, pin, expiryMonth: '11', expiryYear: '2031', ...over })

  for (const number of numbers) {
    for (const spelt of [number, number.replace(/(\d{4})(?=\d)/g, '$1 '), `${number.slice(0, -1)}x`]) {
      const reference = await transaction()
      await send(CHARGE, chargeBody(reference, canary(spelt)), bearer)
      await send(CHARGE, chargeBody(reference, canary(spelt)), { ...bearer, 'idempotency-key': unique('key') })
    }
    await send(CHARGE, chargeBody(await transaction(), canary(number, { pin: `${pin}x` })), bearer)
    await send(CHARGE, chargeBody(number, canary(number)), bearer)
    await send(CHARGE, `{"card":{"number":"${number}","cvv":"${cvv}"`, bearer)
    await send(SECURE, { ...chargeBody(await transaction(), canary(number)), apiKey: main.apiKey }, bearer)
  }
  // A code that is wrong, and the right one of the sandbox.
  const waiting = await transaction()
  const charged = await send(CHARGE, chargeBody(waiting, SANDBOX_CARDS.otp), bearer)
  const keyed = { ...bearer, 'idempotency-key': unique('key') }
  await send(OTP, otpBody(waiting, charged.responseBody.otpData.id, otp), keyed)
  // A database that fails under a charge and quotes the row it was about.
  const reference = await transaction()
  await h.sql(
    '01',
    `create function planted() returns trigger language plpgsql as $$ begin raise exception 'row % failed', new using detail = new::text; end $$`,
  )
  await h.sql('01', 'create trigger planted before insert on card_charges for each row execute function planted()')
  try {
    const failed = await send(CHARGE, chargeBody(reference, canary(numbers[0] as string)), bearer)
    expect(failed.problem.code).toBe('INTERNAL')
  } finally {
    await h.sql('01', 'drop function planted() cascade')
  }
  const written = await api.stop()

  const simulatorUrl = h.databases['01'].replace(/_01$/, '_simulator')
  const log = await writeAheadLog(h.databases['01'], begun)
  const places: Record<string, string> = {
    answers: answers.join('\n'),
    log: written,
    'database 01': await dump(h.databases['01']),
    'database 02': await dump(h.databases['02']),
    'database of the simulator': await dump(simulatorUrl),
    ...Object.fromEntries(log.map((text, part) => [`${LOG} ${part}`, text])),
  }
  expect(
    log.some((text) => text.includes(marker)),
    'the search finds what is there',
  ).toBe(true)
  expect(places['database 01']).toContain(numbers[0]?.slice(-4))
  for (const [place, text] of Object.entries(places)) {
    for (const number of numbers) {
      expect(text.includes(number), `a card number in ${place}`).toBe(false)
      expect(text.includes(number.slice(0, 12)), `twelve digits of a card number in ${place}`).toBe(false)
      expect(text.includes(number.slice(6)), `the end of a card number in ${place}`).toBe(false)
      expect(text.includes(number.replace(/(\d{4})(?=\d)/g, '$1 ')), `a spaced number in ${place}`).toBe(false)
    }
    if (place.startsWith(LOG)) continue // short digits are in every binary; the numbers above are not
    for (const [what, secret] of Object.entries({ cvv, pin, otp }))
      expect(new RegExp(`(?<![0-9a-fA-F-])${secret}(?![0-9a-fA-F-])`).test(text), `${what} in ${place}`).toBe(false)
  }
})
