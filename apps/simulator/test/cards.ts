// The gateway's calls to the issuer, and what the issuer's books say.
import { BANK_PATHS, type CardAnswer, type RawCard } from '@cowrie/contract/bank/connector'
import { SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import type { Bank, Json, Reply } from './bank.ts'

/** A right check digit, and none of the public cards. */
export const FOREIGN_CARD: RawCard = {
  number: '5399838383838381',
  expiryMonth: '12',
  expiryYear: '2035',
  cvv: '987',
}

export function cardCalls(bank: Bank) {
  let charges = 0
  const answered = async (reply: Promise<Reply>): Promise<CardAnswer> => {
    const { status, json } = await reply
    if (status !== 200) throw new Error(`the issuer answered ${status}: ${JSON.stringify(json)}`)
    return json as CardAnswer
  }
  const body = (more: Json): Json => ({
    chargeReference: newReference(),
    amount: '2200.00',
    merchantName: 'Adire Stores',
    returnUrl: 'http://127.0.0.1:4000/back?token=7',
    card: SANDBOX_CARDS.plain,
    ...more,
  })
  const newReference = (): string => {
    charges += 1
    return `CHARGE${charges}`
  }
  const send = (more: Json = {}): Promise<Reply> => bank.signed('POST', BANK_PATHS.cardAuthorisations, body(more))
  const sendOtp = (charge: CardAnswer, otp = '123456'): Promise<Reply> =>
    bank.signed('POST', BANK_PATHS.cardOtps, {
      chargeReference: charge.chargeReference,
      otpId: charge.otp?.id ?? 'none',
      otp,
    })
  const sendInquiry = (chargeReference: string): Promise<Reply> =>
    bank.signed('POST', BANK_PATHS.cardInquiries, { chargeReference })
  return {
    newReference,
    send,
    sendOtp,
    sendInquiry,
    authorise: (more: Json = {}): Promise<CardAnswer> => answered(send(more)),
    confirm: (charge: CardAnswer, otp?: string): Promise<CardAnswer> => answered(sendOtp(charge, otp)),
    inquire: (chargeReference: string): Promise<CardAnswer> => answered(sendInquiry(chargeReference)),
    reverse: (chargeReference: string): Promise<CardAnswer> =>
      answered(bank.signed('POST', BANK_PATHS.cardReversals, { chargeReference })),
    booked: async (reference: string): Promise<Json | undefined> => {
      const { json } = await bank.call('GET', `/api/cards/charges?reference=${reference}`)
      return (json as unknown as Json[])[0]
    },
  }
}
