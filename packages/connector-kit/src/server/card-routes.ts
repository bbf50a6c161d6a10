// What the gateway may ask about cards, and what it is answered. What a card or an input holds is in no
// answer, no log and no row.
import { CARD_REFUND_PATHS, CardRefundAnswer, CardRefundOrder } from '@cowrie/contract/bank/card-refund-connector'
import { CardInquiry, PayoutInquiry } from '@cowrie/contract/bank/connector'
import { CARD_PATHS_V2, CardAnswerV2, CardAuthorisationV2, CardInput } from '@cowrie/contract/bank/v2/cards'
import { parseNaira } from '@cowrie/contract/kit/money'
import { Compile } from 'typebox/compile'
import type { CardAnswered, Cards } from '../cards/cards.ts'
import type { RefundContents } from '../orders/contents.ts'
import type { Orders } from '../orders/orders.ts'
import { type Reply, refusal } from './door.ts'
import type { RouteParts, Routes } from './parts.ts'

const authorisations = Compile(CardAuthorisationV2)
const inputs = Compile(CardInput)
const inquiries = Compile(CardInquiry)
const answers = Compile(CardAnswerV2)
const refunds = Compile(CardRefundOrder)
const sessions = Compile(PayoutInquiry)
const refundAnswers = Compile(CardRefundAnswer)

/** What the table takes: a reference that it refuses could not be barred either. */
const REFERENCE = /^[A-Za-z0-9.=-]{1,60}$/

const MALFORMED = refusal(400, 'The message is not as the protocol has it')
const WRONG_ANSWER = refusal(500, 'The answer is not as the protocol has it')

function replyOf(said: CardAnswered): Reply {
  switch (said.kind) {
    case 'answer':
      return answers.Check(said.answer) ? { status: 200, body: said.answer } : WRONG_ANSWER
    case 'other charge':
      return refusal(409, 'This chargeReference was used for a different charge')
    case 'absent':
      return refusal(404, 'No such charge')
    case 'malformed':
      return MALFORMED
  }
}

function addCharges(routes: Routes, cards: Cards): void {
  routes.set(`POST ${CARD_PATHS_V2.authorisations}`, async ({ json }) =>
    authorisations.Check(json) && REFERENCE.test(json.chargeReference)
      ? replyOf(await cards.authorise(json))
      : MALFORMED,
  )
  routes.set(`POST ${CARD_PATHS_V2.inputs}`, async ({ json }) =>
    inputs.Check(json) ? replyOf(await cards.input(json)) : MALFORMED,
  )
  const byReference = (path: string, ask: (reference: string) => Promise<CardAnswered>) =>
    routes.set(`POST ${path}`, async ({ json }) =>
      inquiries.Check(json) && REFERENCE.test(json.chargeReference)
        ? replyOf(await ask(json.chargeReference))
        : MALFORMED,
    )
  byReference(CARD_PATHS_V2.inquiries, (reference) => cards.inquire(reference))
  byReference(CARD_PATHS_V2.reversals, (reference) => cards.reverse(reference))
}

function addRefunds(routes: Routes, kept: Orders<RefundContents>): void {
  const answer = ({ sessionId, status, responseCode, message }: CardRefundAnswer): Reply => {
    const body = { sessionId, status, responseCode, message }
    return refundAnswers.Check(body) ? { status: 200, body } : WRONG_ANSWER
  }
  routes.set(`POST ${CARD_REFUND_PATHS.refunds}`, async ({ json }) => {
    if (!refunds.Check(json) || (parseNaira(json.amount) ?? 0n) <= 0n) return MALFORMED
    const said = await kept.order(json)
    return said.kind === 'answer' ? answer(said.answer) : refusal(409, 'This sessionId was used for a different order')
  })
  const bySession = (path: string, ask: (sessionId: string) => Promise<CardRefundAnswer>) =>
    routes.set(`POST ${path}`, async ({ json }) =>
      sessions.Check(json) ? answer(await ask(json.sessionId)) : MALFORMED,
    )
  bySession(CARD_REFUND_PATHS.inquiries, (sessionId) => kept.inquire(sessionId))
  bySession(CARD_REFUND_PATHS.bars, (sessionId) => kept.bar(sessionId))
}

export function addCards(routes: Routes, { cards, cardRefunds }: RouteParts): void {
  if (cards !== undefined) addCharges(routes, cards)
  if (cardRefunds !== undefined) addRefunds(routes, cardRefunds)
}
