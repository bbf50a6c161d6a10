// Core's own tables, and all that are judged.
import { type Declarations, merged } from '../declarations.ts'
import { kept, type Personal, TEAM } from './judging.ts'

const CORE: Pick<Declarations, 'personal' | 'notPersonal'> = {
  personal: {
    events: { columns: { body: { apart: 'each value of the person, where it stands (bodies.ts)' } } },
    delivery_attempts: { columns: { answer: { apart: 'deleted, for the events in which something was erased' } } },
    requests: {
      columns: {
        answer: { apart: 'each value of the person, where it stands (bodies.ts)' },
        ...kept('keyed digests, deleted with the key after some days', 'fields'),
      },
    },
    payment_policies: { columns: kept("the merchant's list of payers that it does not accept", 'barred_payers') },
    approvals: {
      columns: kept(
        TEAM,
        'requester_name',
        'requester_makers',
        'decider_name',
        'input',
        'reason',
        'decision_reason',
        'request_proof',
        'decision_proof',
      ),
    },
    security_events: { columns: kept(TEAM, 'person', 'actor_name', 'address', 'details') },
    trail: { columns: kept(TEAM, 'actor_name', 'address', 'reason', 'before', 'after') },
  },
  notPersonal: {
    migrations: 'name sha256',
    month_tables: 'name options uniques',
    months: 'bodies',
    departed_months: 'bodies manifest',
    settings: 'name value',
    master_keys: 'fingerprint lasting statement_key_id statement_key',
    connectors: 'name',
    payout_routes: 'bank_code connectors',
    capability_routes: 'capability connectors',
    merchants: `name email api_key secret_sealed secret_digest next_secret_sealed next_secret_digest allowed_addresses people_addresses
      wallet_number wallet_bank_code`,
    contracts: 'code name',
    api_keys: 'api_key secret_digest name scope contracts addresses created_by approved_by ended_by',
    feature_grants: 'feature granted_by reason',
    fee_schedules: 'method bearer',
    merchant_limits: 'kind',
    payment_policies: 'less more extra',
    brandings: 'colour support_email support_phone logo logo_type logo_digest',
    accounts: 'kind currency',
    transfers: 'kind object',
    number_ranges: 'bank_code cell purpose',
    bank_numbers: 'account_number bank_code',
    virtual_accounts: 'account_number bank_code',
    former_holders: 'account_number bank_code',
    payout_details: 'session_id network_reference',
    settlement_heads: 'hash',
    statement_days: 'after',
    state_changes: 'object action from_state to_state',
    event_shapes: 'shape',
    events: 'type object',
    event_traces: 'traceparent',
    disbursement_settings: 'approval_url',
    endpoints: 'url activities event_types description status disabled_reason',
    deliveries: 'state',
    delivery_attempts: 'url error',
    agenda: 'kind',
    requests: 'key method path',
    approvals: 'concerns side act digest status requester_kind requester_role decider_kind',
    trail: 'actor_kind actor_side actor_role what request_id concerns previous hash',
    trail_heads: 'hash',
    security_events: 'concerns kind actor_kind actor_side request_id',
    security_outbox: 'sink',
  },
}

export type JudgedTables = {
  readonly personal: Readonly<Record<string, Personal>>
  /** Columns of text that say nothing about a payer: our own words, references, states; merchants and who
   *  shares their payments. */
  readonly notPersonal: Readonly<Record<string, string>>
}

/** What core and all features have judged, by table. */
export function judgedTables(features: readonly Declarations[]): JudgedTables {
  const all = [CORE, ...features]
  return {
    personal: merged(
      'what is personal in',
      all.map(({ personal = {} }) => personal),
    ),
    notPersonal: merged(
      'what is not personal in',
      all.map(({ notPersonal = {} }) => notPersonal),
    ),
  }
}
