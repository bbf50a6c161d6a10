// /metrics in the text of Prometheus: what is open in the database, and what this process has counted.
import type { Claims } from '../claims/claims.ts'
import { checkSchema, type Store } from '../database/database.ts'
import type { Meter } from '../kit/meter.ts'
import type { Log } from '../log/log.ts'
import type { Numbers } from '../numbers/numbers.ts'
import { noticeRows } from '../outbox/outbox.sql.ts'
import { metricRows } from './metrics.sql.ts'

type Parts = Store & {
  readonly meter: Meter
  readonly numbers?: Numbers
  readonly claims?: Pick<Claims, 'waiting'>
  /** Where the bank takes cards. */
  readonly cards?: unknown
  readonly log: Log
}
type Sample = readonly [labels: string, value: number]

function family(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): readonly string[] {
  const whole = `cowrie_connector_${name}`
  const lines = samples.map(([labels, value]) => `${whole}${labels === '' ? '' : `{${labels}}`} ${value}`)
  return [`# HELP ${whole} ${help}`, `# TYPE ${whole} ${type}`, ...lines]
}

export function createMetrics(parts: Parts): () => Promise<string> {
  const { pool, clock, meter, numbers, claims, cards, log } = parts
  const schema = checkSchema(parts.schema)
  const orders = metricRows(schema)
  const notices = noticeRows(schema)

  const ageOf = (moment: Date | null): number =>
    moment === null ? 0 : Math.max(0, Math.round((clock.now().getTime() - moment.getTime()) / 1000))

  const stored = async (): Promise<readonly string[]> => {
    const open = await orders.orders(pool)
    const waiting = await notices.waiting(pool)
    const stock = await numbers?.stock()
    const claimed = await claims?.waiting()
    const charges = cards === undefined ? undefined : await orders.charges(pool)
    return [
      ...family(
        'orders_open',
        'gauge',
        'Payouts without an outcome: accepted, marked as forwarded, or taken by the bank.',
        open.map(({ state, count }) => [`state="${state}"`, count]),
      ),
      ...family(
        'orders_oldest_seconds',
        'gauge',
        'How long the oldest of them waits.',
        open.map(({ state, oldest }) => [`state="${state}"`, ageOf(oldest)]),
      ),
      ...family('notices_waiting', 'gauge', 'Notices that the gateway has not accepted.', [['', waiting.count]]),
      ...family('notices_oldest_seconds', 'gauge', 'How long the oldest of them waits.', [['', ageOf(waiting.oldest)]]),
      ...(charges === undefined
        ? []
        : [
            ...family(
              'charges_open',
              'gauge',
              'Card charges without an end: sent, taken by the acquirer, waiting for the payer, or being returned.',
              charges.map(({ state, count }) => [`state="${state}"`, count]),
            ),
            ...family(
              'charges_oldest_seconds',
              'gauge',
              'How long the oldest of them waits.',
              charges.map(({ state, oldest }) => [`state="${state}"`, ageOf(oldest)]),
            ),
          ]),
      ...(claimed === undefined
        ? []
        : [
            ...family('claims_waiting', 'gauge', 'Credits that the bank has not confirmed.', [['', claimed.count]]),
            ...family('claims_oldest_seconds', 'gauge', 'How long the oldest of them waits.', [
              ['', ageOf(claimed.oldest)],
            ]),
          ]),
      ...(stock === undefined
        ? []
        : [
            ...family('numbers_spare', 'gauge', 'Account numbers that nobody has ordered yet.', [['', stock.spare]]),
            ...family('numbers_missing', 'gauge', 'Account numbers that are ordered and not made yet.', [
              ['', stock.missing],
            ]),
          ]),
    ]
  }

  return async () => {
    const counted = [
      ...family(
        'bank_calls_total',
        'counter',
        'Calls to the bank since the process started, by what they were for and what came of them.',
        [...meter.calls()],
      ),
      ...family('orders_ended_total', 'counter', 'Outcomes of payouts that this process recorded.', [...meter.ends()]),
    ]
    try {
      const lines = [...family('database_up', 'gauge', 'Whether the database answers.', [['', 1]]), ...(await stored())]
      return `${[...lines, ...counted].join('\n')}\n`
    } catch (error) {
      log.warn({ error }, 'the database did not answer for metrics')
      return `${[...family('database_up', 'gauge', 'Whether the database answers.', [['', 0]]), ...counted].join('\n')}\n`
    }
  }
}
