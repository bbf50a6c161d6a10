// What is said of answers and amounts.
import { nairaText } from '@cowrie/contract/kit/money'
import type { Answer } from '../forward.ts'
import type { Credit, Delivery, Exchange } from './case.ts'
import { type Credited, isRight } from './probe.ts'

/** These ask to be sent it again, and the gateway does. */
const LATER: ReadonlySet<number> = new Set([409, 425, 429, 503])
const REFUSAL: ReadonlySet<number> = new Set([400, 401, 403])

export const asksForLater = ({ status }: Answer): boolean => status !== null && LATER.has(status)

/** Whether an answer is one that was expected. */
export function isExpected({ expects }: Pick<Delivery, 'expects'>, answer: Answer): boolean {
  const { status } = answer
  if (expects === 'lost') return true
  if (status === null) return false
  if (expects === 'refused') return REFUSAL.has(status)
  if (status === 200) return true
  return (expects === 'taken or refused' && REFUSAL.has(status)) || (expects === 'taken or later' && LATER.has(status))
}

const EXPECTED: Readonly<Record<Delivery['expects'], string>> = {
  taken: '200',
  refused: '401',
  'taken or refused': '200 or 401',
  'taken or later': '200',
  lost: 'nothing',
}

const outcome = ({ delivery, answer }: Exchange): string => {
  if (delivery.expects === 'lost') return 'lost'
  return answer.status === null ? (answer.error ?? 'no answer') : String(answer.status)
}

/** `200, 401`; many of the same are counted: `200 (50 times)`. */
export function answersText(exchanges: readonly Exchange[]): string {
  const texts = exchanges.map(outcome)
  const counts = [...Map.groupBy(texts, (text) => text)]
  return counts.length < texts.length && texts.length > 3
    ? counts.map(([text, all]) => (all.length === 1 ? text : `${text} (${all.length} times)`)).join(', ')
    : texts.join(', ')
}

/** What is wrong with the answers, or null. */
export function answerFault(exchanges: readonly Exchange[]): string | null {
  const wrong = exchanges.find(({ delivery, answer }) => !isExpected(delivery, answer))
  if (!wrong) return null
  const expected = EXPECTED[wrong.delivery.expects]
  const { status } = wrong.answer
  if (status !== null && status > 200 && status < 300 && expected === '200') return 'only 200 counts'
  return `expected ${expected}${exchanges.length > 1 ? ' each' : ''}`
}

/** `₦3,000.00` */
export function nairaWords(amountKobo: bigint): string {
  const [whole = '', part = ''] = nairaText(amountKobo).split('.')
  return `₦${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}.${part}`
}

/** What is wrong with what was credited, or null; and what was said of it. */
export function creditText(said: readonly { readonly credit: Credit; readonly said: Credited }[]): {
  readonly text: string
  readonly fault: boolean
} {
  const wrong = said.find((one) => !isRight(one.said, one.credit)) ?? null
  const shown = wrong ?? said[0]
  if (!shown) return { text: '', fault: false }
  const words = 'kobo' in shown.said ? `credited ${nairaWords(shown.said.kobo)}` : shown.said.unknown
  if (!wrong) return { text: said.length > 1 ? `each ${words}` : words, fault: false }
  const expected = shown.credit.oneOf.map(nairaWords).join(' or ')
  const which = said.length > 1 ? `${shown.credit.reference} ` : ''
  return { text: `${which}${words}, expected ${expected}`, fault: true }
}
