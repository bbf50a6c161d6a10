// What the fake can play, as it tells the exam: test cards by what they do, and Paystack's words with what
// they mean.
import { CARDS, OTP } from './books.ts'

const typed = { expiryMonth: '12', expiryYear: '2030', cvv: '408' }
const step = (kind: string, right: unknown, wrong?: string) => ({
  kind,
  right,
  ...(wrong === undefined ? {} : { wrong }),
})
const asking = (number: string, ...steps: readonly object[]) => ({ does: 'input', number, ...typed, steps })

const TEST_CARDS = [
  { does: 'approve', number: CARDS.plain, ...typed },
  { does: 'decline', number: CARDS.declined, ...typed, responseCode: '05' },
  { does: 'page', number: CARDS.page, ...typed },
  asking(CARDS.pinOtp, step('PIN', '1234'), step('OTP', OTP, '654321')),
  asking(CARDS.pin, step('PIN', '1111', '9999')),
  asking(CARDS.pinPhoneOtp, step('PIN', '0000'), step('PHONE', '08031239876'), step('OTP', OTP)),
  asking(CARDS.birthday, step('BIRTHDAY', '1987-06-05')),
  asking(CARDS.address, step('ADDRESS', { street: '1 Broad Street', city: 'Lagos', state: 'Lagos', zip: '100001' })),
]

/** What leaves a charge open, whoever is asked. */
const OPEN = ['pending', 'ongoing', 'processing', 'queued', 'abandoned', 'timeout']
const ASKS = { send_pin: 'INPUT', send_otp: 'OTP', send_phone: 'INPUT', send_birthday: 'INPUT', send_address: 'INPUT' }
const DECLINES = { 'Insufficient Funds': '51', Declined: '05', 'Incorrect PIN': '55', 'A text of nobody': '05' }

const CARD_CODES = [
  ...['charge', 'verify'].flatMap((on) => [
    { on, code: 'success', state: 'APPROVED', responseCode: '00' },
    ...OPEN.map((code) => ({ on, code, state: 'PENDING' })),
    ...Object.entries(DECLINES).map(([text, responseCode]) => ({
      ...{ on, code: 'failed', text, state: 'DECLINED', responseCode },
    })),
  ]),
  ...Object.entries(ASKS).map(([code, state]) => ({ on: 'charge', code, state })),
  { on: 'verify', code: 'reversal-pending', state: 'PENDING' },
  { on: 'verify', code: 'reversed', state: 'REVERSED' },
]

export const PLAYING = {
  webhooks: ['outcome', 'charge', 'forged'],
  codes: [],
  cards: TEST_CARDS,
  cardCodes: CARD_CODES,
}
