// Every series that api and worker serve. docs/operate/metrics.md is made of this list, and alarms may name
// nothing else.
import { counter, gauge, histogram } from './metrics.ts'

const cell = ['cell'] as const

// ---- the process
export const BUILD = gauge({
  name: 'cowrie_build_info',
  help: 'Always 1; which version this is, and whether it is an api or a worker',
  of: 'both',
  labels: ['version', 'role'],
})
export const READY = gauge({ name: 'cowrie_ready', help: '1 if /ready says yes', of: 'both' })
export const CELL_READY = gauge({
  name: 'cowrie_cell_ready',
  help: '1 if this process can use the cell: database, schema, roles, keys and clock are as they should be',
  of: 'both',
  labels: cell,
})
export const CLOCK_OFFSET = gauge({
  name: 'cowrie_clock_offset_seconds',
  help: "How far this process' clock is ahead of the database's",
  of: 'both',
  labels: cell,
})
export const POOL = gauge({
  name: 'cowrie_pool_connections',
  help: 'Connections to the database by pool (engine, hot, app): in use, idle; and requests that wait for one',
  of: 'both',
  labels: ['cell', 'pool', 'state'],
})
export const CPU = gauge({ name: 'cowrie_process_cpu_seconds', help: 'Processor time since the start', of: 'both' })
export const MEMORY = gauge({ name: 'cowrie_process_memory_bytes', help: 'Memory that is resident', of: 'both' })
export const EVENT_LOOP = gauge({
  name: 'cowrie_event_loop_delay_seconds',
  help: 'How late the event loop was since the last look: at 99 of 100 moments no later than this',
  of: 'both',
})

// ---- requests
export const REQUESTS = counter({
  name: 'cowrie_http_requests_total',
  help: 'Requests by route, method and status',
  of: 'api',
  labels: ['method', 'route', 'status'],
})
export const REQUEST_SECONDS = histogram(
  {
    name: 'cowrie_http_request_seconds',
    help: 'From the head of a request to its answer',
    of: 'api',
    labels: ['method', 'route'],
  },
  [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
)
export const BATCHES = counter({
  name: 'cowrie_batches_total',
  help: 'Commits that requests shared (coalesced), by what they did',
  of: 'both',
  labels: ['batch'],
})
export const BATCH_ITEMS = counter({
  name: 'cowrie_batch_items_total',
  help: 'Requests in those commits',
  of: 'both',
  labels: ['batch'],
})
export const BATCH_WAIT = counter({
  name: 'cowrie_batch_wait_seconds_total',
  help: 'How long the first request of each of those commits waited for it to begin',
  of: 'both',
  labels: ['batch'],
})

// ---- the world outside
export const BANK_CALLS = counter({
  name: 'cowrie_bank_calls_total',
  help: 'Calls to the bank by path and outcome: yes, no, unknown',
  of: 'both',
  labels: ['path', 'outcome'],
})
export const BANK_SECONDS = counter({
  name: 'cowrie_bank_call_seconds_total',
  help: 'How long those calls took',
  of: 'both',
  labels: ['path'],
})
export const WEBHOOKS = counter({
  name: 'cowrie_webhook_attempts_total',
  help: 'Notifications posted, by answer: the first digit of its status, or none',
  of: 'both',
  labels: ['answer'],
})

// ---- people
export const SECURITY_EVENTS = counter({
  name: 'cowrie_security_events_total',
  help: 'Security events that this process has written, by kind (packages/contract/src/access/security.ts)',
  of: 'both',
  labels: ['kind'],
})

// ---- a worker's own
export const TRAIL_SIGNED_AGE = gauge({
  name: 'cowrie_trail_signed_age_seconds',
  help: 'How long ago the heads of the audit trail of the cell were signed',
  of: 'worker',
  labels: cell,
})
export const SECURITY_UNTOLD = gauge({
  name: 'cowrie_security_untold_seconds',
  help: 'How long the oldest security event has waited to be mailed or fed, by sink (MAIL, FILE, POST)',
  of: 'worker',
  labels: ['cell', 'sink'],
})
export const ROUND_AGE = gauge({
  name: 'cowrie_worker_round_age_seconds',
  help: 'How long ago this worker last went through the cell without a fault',
  of: 'worker',
  labels: cell,
})
export const TIMERS_DONE = counter({
  name: 'cowrie_timers_total',
  help: 'Timers that this worker has done, or tried and failed, by kind',
  of: 'worker',
  labels: ['kind', 'outcome'],
})

// ---- the cells, as a worker reads them every fifteen seconds; every worker says the same
export const FIGURES_AGE = gauge({
  name: 'cowrie_figures_age_seconds',
  help: 'How old the figures of the cell are that follow',
  of: 'worker',
  labels: cell,
})
export const TIMERS_DUE = gauge({
  name: 'cowrie_timers_due',
  help: 'Timers that are due, by kind; at most 10,000 are counted',
  of: 'worker',
  labels: ['cell', 'kind'],
})
export const TIMERS_OLDEST = gauge({
  name: 'cowrie_timers_oldest_seconds',
  help: 'How long the oldest timer has been due; 0 if none is',
  of: 'worker',
  labels: cell,
})
export const OUTBOX = gauge({
  name: 'cowrie_outbox_events',
  help: 'Events without a number; at most 10,000 are counted',
  of: 'worker',
  labels: cell,
})
export const OUTBOX_OLDEST = gauge({
  name: 'cowrie_outbox_oldest_seconds',
  help: 'How long the oldest of them has waited',
  of: 'worker',
  labels: cell,
})
export const DELIVERIES = gauge({
  name: 'cowrie_deliveries_due',
  help: 'Notifications that are due to endpoints that are not resting; at most 10,000 are counted',
  of: 'worker',
  labels: cell,
})
export const DELIVERIES_OLDEST = gauge({
  name: 'cowrie_deliveries_oldest_seconds',
  help: 'How long the oldest of them has been due',
  of: 'worker',
  labels: cell,
})
export const RESTING = gauge({
  name: 'cowrie_endpoints_resting',
  help: 'Endpoints that are paused because they fail',
  of: 'worker',
  labels: cell,
})
export const PAYOUTS_PENDING = gauge({
  name: 'cowrie_payouts_pending',
  help: 'Payouts, refunds and settlements that wait for the bank, by the hours they have waited: 1 (less than one), 24, more; at most 10,000 are counted',
  of: 'worker',
  labels: ['cell', 'hours'],
})
export const PAYOUTS_OLDEST = gauge({
  name: 'cowrie_payouts_oldest_seconds',
  help: 'How long the oldest of them has waited',
  of: 'worker',
  labels: cell,
})
export const SUSPENSE = gauge({
  name: 'cowrie_suspense_items',
  help: 'Credits in suspense that nobody has decided on',
  of: 'worker',
  labels: cell,
})
export const SUSPENSE_NAIRA = gauge({
  name: 'cowrie_suspense_naira',
  help: 'Their sum',
  of: 'worker',
  labels: cell,
})
export const BREAKS = gauge({
  name: 'cowrie_breaks_open',
  help: "Differences between the bank's books and ours that are open",
  of: 'worker',
  labels: cell,
})
export const RECEIVABLES = gauge({
  name: 'cowrie_receivables_merchants',
  help: 'Merchants that owe us something; read every ten minutes',
  of: 'worker',
  labels: cell,
})
export const RECEIVABLES_NAIRA = gauge({
  name: 'cowrie_receivables_naira',
  help: 'What they owe',
  of: 'worker',
  labels: cell,
})
export const RECEIVABLES_OLDEST = gauge({
  name: 'cowrie_receivables_oldest_seconds',
  help: 'How long the oldest of them has owed something',
  of: 'worker',
  labels: cell,
})
export const COVER = gauge({
  name: 'cowrie_cover_naira',
  help: "What banks hold beyond clients' money, below zero if it is less; read every ten minutes",
  of: 'worker',
  labels: cell,
})
export const ACQUIRER_OWES = gauge({
  name: 'cowrie_acquirer_owes_naira',
  help: 'What an acquirer owes us for card charges, below zero if it has paid more; read every ten minutes',
  of: 'worker',
  labels: ['cell', 'connector'],
})
export const ACQUIRER_SETTLED = gauge({
  name: 'cowrie_acquirer_settled_seconds',
  help: 'How long ago it last settled, or first charged a card; 0 if it has done neither',
  of: 'worker',
  labels: ['cell', 'connector'],
})
export const DISPUTES = gauge({
  name: 'cowrie_disputes_open',
  help: 'Disputes of card charges that are not over',
  of: 'worker',
  labels: cell,
})
export const DISPUTES_DUE = gauge({
  name: 'cowrie_disputes_due',
  help: 'Of them, those not answered whose answer is due within twelve hours, or was',
  of: 'worker',
  labels: cell,
})
export const CHARGES_UNANSWERED = gauge({
  name: 'cowrie_charges_unanswered',
  help: 'Card charges that their acquirer has said nothing about for a week: they are not asked about any more, and two people decide',
  of: 'worker',
  labels: cell,
})
export const SETTLEMENTS_PAYING = gauge({
  name: 'cowrie_settlements_paying',
  help: 'Settlements that are on their way to the bank',
  of: 'worker',
  labels: cell,
})
export const HORIZON_LAG = gauge({
  name: 'cowrie_horizon_lag_seconds',
  help: 'How far roll-ups and settlements are behind the ledger, because a database transaction stays open',
  of: 'worker',
  labels: ['cell', 'horizon'],
})
export const BOOKS_VIOLATED = gauge({
  name: 'cowrie_books_violated',
  help: 'Invariants that the last nightly check of the books found violated',
  of: 'worker',
  labels: cell,
})
export const BOOKS_AGE = gauge({
  name: 'cowrie_books_age_seconds',
  help: 'How long ago the last nightly check ended, or the cell was first started',
  of: 'worker',
  labels: cell,
})
export const NUMBERS_LEFT = gauge({
  name: 'cowrie_numbers_left_ratio',
  help: 'Account numbers that can be given now, as a share of all; read every hour',
  of: 'worker',
  labels: ['cell', 'purpose'],
})
