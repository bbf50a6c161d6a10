// The mapping of the tiny bank's cards: what an integrator writes.
import type { CardMapping, CardSaid } from '@cowrie/connector-kit'
import { nairaText } from '@cowrie/contract/kit/money'
import type { Call } from './tiny-mapping.ts'

const unknown = (why: string): CardSaid => ({ kind: 'unknown', why })

const CODES: Readonly<Record<string, CardSaid>> = {
  K00: { kind: 'approved' },
  K01: { kind: 'pending' },
  K05: { kind: 'declined', code: '05' },
  K10: { kind: 'asks', input: 'PIN' },
  K11: { kind: 'asks', input: 'OTP' },
  K25: { kind: 'idle' },
  K30: { kind: 'reversing' },
  K31: { kind: 'reversed' },
  K51: { kind: 'declined', code: '51' },
}

/** `looks`: before anything is returned the acquirer is asked what was. */
export function createCardMapping(call: Call, looks = true): CardMapping {
  const say = async (path: string, message: unknown, signal: AbortSignal): Promise<CardSaid> => {
    const { status, json } = await call(message === null ? 'GET' : 'POST', `/charges${path}`, message, signal)
    if (status !== 200) return unknown(`answered ${status}`)
    const code = String(json['code'])
    if (code === 'K20') return { kind: 'challenge', pageUrl: String(json['page']) }
    return CODES[code] ?? unknown('a code that the table does not have')
  }
  const ask: CardMapping['ask'] = ({ reference }, { signal }) => say(`/${reference}`, null, signal)
  return {
    pin: 'ASKED',
    ask,
    charge: async (order, { signal }) => {
      const { reference, kobo } = order
      return say('', { reference, amount: nairaText(kobo), ...('card' in order ? { card: order.card } : {}) }, signal)
    },
    input: async (typed, { signal }) =>
      say(`/${typed.reference}/inputs`, { value: 'value' in typed ? typed.value : typed.address }, signal),
    reverse: async (kept, limits) => {
      const said = looks ? await ask(kept, limits) : { kind: 'approved' as const }
      return said.kind === 'approved' ? say(`/${kept.reference}/refunds`, {}, limits.signal) : said
    },
  }
}
