// Every column that can hold text about somebody is judged here, once: erased with its payer (and what it
// becomes), kept (and why), or not personal. The statements that erase are made of this list, and a test
// refuses a column that is on none of the three.

/** What the rows of a person are found by. */
export type Subject = 'transactions' | 'refunds' | 'mandates' | 'reserved' | 'wallets' | 'sessions' | 'tokens' | 'mails'

export const WORD = 'erased'
export const ADDRESS = 'erased@erased.invalid'

/** As the function `erased` of the database: the only value that it lets stand in place of one of an
 *  event. */
export const erased = (value: string): string =>
  value === '' ? value : value.startsWith('{') ? '{}' : value.includes('@') ? ADDRESS : WORD

type Erased = { readonly becomes: string }
type Kept = { readonly kept: string }
/** Erased by a way of its own, not by a statement that is made of this list. */
type Apart = { readonly apart: string }
export type Judged = Erased | Kept | Apart

export type Personal = {
  /** How the rows of a person are found: the column, and what stands in it. Without it no row of the table is
   *  looked for. */
  readonly by?: readonly [column: string, subject: Subject]
  /** What else is true of them. */
  readonly where?: string
  /** The rows are deleted. */
  readonly deleted?: true
  readonly columns: Readonly<Record<string, Judged>>
}

/** Nothing stays nothing, so that an erased row does not look as if more had been there. */
const unlessEmpty = (column: string, becomes: string): string =>
  `case when ${column} is null or ${column} = '' then ${column} else '${becomes}' end`
const word = (column: string): Readonly<Record<string, Erased>> => ({
  [column]: { becomes: unlessEmpty(column, WORD) },
})
const words = (...columns: string[]): Readonly<Record<string, Erased>> => Object.assign({}, ...columns.map(word))
const address = (column: string): Readonly<Record<string, Erased>> => ({
  [column]: { becomes: unlessEmpty(column, ADDRESS) },
})
const becomes = (sql: string): Erased => ({ becomes: sql })
const kept = (why: string, ...columns: string[]): Readonly<Record<string, Kept>> =>
  Object.fromEntries(columns.map((column) => [column, { kept: why }]))

const ACCOUNT = 'where money came from or went to is part of its record; refunds are sent there'
const PAYEE = 'of somebody who was paid, not of a payer: part of the record of the payout'
const TEAM = 'of somebody who works for a merchant or the operator, not of a payer; what they did is in the audit trail'
const SERVED =
  'whom the biller served, and with what: part of the record of what was bought; no name or address is there'
const REFERENCE = "the merchant's own name of it: found by it, never used again, and part of what settlements prove"
const CARD = 'a dispute about the charge names them; no card number is there'

/** A number of the register is replaced by one that nobody has, in the form in which the books expect it. */
const identity = (kind: 'bvn' | 'nin'): Readonly<Record<string, Erased>> => ({
  [`${kind}_sealed`]: becomes(`case when ${kind}_sealed is null then null else 'v1.' end`),
  [`${kind}_digest`]: becomes(`case when ${kind}_digest is null then null else decode(repeat('00', 32), 'hex') end`),
  [`${kind}_tail`]: becomes(`case when ${kind}_tail is null then null else '0000' end`),
})

export const PERSONAL: Readonly<Record<string, Personal>> = {
  transactions: {
    by: ['id', 'transactions'],
    columns: {
      ...word('customer_name'),
      ...address('customer_email'),
      name_key: becomes(`search_key(${unlessEmpty('customer_name', WORD)})`),
      email_key: becomes(`search_key(${unlessEmpty('customer_email', ADDRESS)})`),
      ...words('description', 'redirect_url'),
      meta_data: becomes(`'{}'`),
      ...kept(REFERENCE, 'payment_reference', 'product_reference'),
    },
  },
  payment_references: { columns: kept(REFERENCE, 'payment_reference') },
  invoices: {
    by: ['id', 'transactions'],
    columns: {
      ...words('account_name', 'customer_address'),
      lines: becomes(`'[]'`), // what was bought
      ...kept(REFERENCE, 'reference'),
    },
  },
  inbound_credits: {
    by: ['transaction_id', 'transactions'],
    columns: { ...words('sender_name'), ...kept(ACCOUNT, 'sender_account_number', 'sender_bank_code') },
  },
  statement_lines: {
    by: ['session_id', 'sessions'],
    where: `kind in ('CREDIT', 'RETURN', 'REVERSAL', 'PAYOUT', 'PAYOUT_REVERSAL', 'DEBIT')`,
    columns: {
      ...words('sender_name', 'says'),
      ...kept(ACCOUNT, 'account_number', 'sender_account_number', 'sender_bank_code'),
    },
  },
  refunds: {
    by: ['transaction_id', 'transactions'],
    columns: {
      ...words('account_name', 'reason', 'customer_note'),
      ...kept(ACCOUNT, 'account_number', 'bank_code'),
      ...kept(REFERENCE, 'refund_reference'),
      ...kept(CARD, 'masked_pan'),
    },
  },
  bank_orders: {
    by: ['subject', 'refunds'],
    where: `purpose = 'REFUND'`,
    columns: { ...words('account_name', 'narration'), ...kept(ACCOUNT, 'account_number', 'bank_code') },
  },
  card_charges: {
    by: ['transaction_id', 'transactions'],
    columns: { token: becomes('null'), ...kept(CARD, 'bin', 'last4', 'exp_month', 'exp_year') },
  },
  card_disputes: { by: ['transaction_id', 'transactions'], columns: words('reason') },
  card_tokens: {
    by: ['token', 'tokens'],
    deleted: true,
    columns: words('token', 'customer_email', 'issuer_reference', 'bin', 'last4', 'exp_month', 'exp_year'),
  },
  card_attempts: { columns: kept('keyed digests, deleted after an hour', 'card_digest', 'address_digest') },
  debits: { by: ['id', 'transactions'], columns: words('narration') },
  mandates: {
    by: ['id', 'mandates'],
    columns: {
      ...words('customer_name', 'customer_phone', 'customer_address', 'account_name', 'description'),
      ...words('authorization_message', 'authorization_link'),
      ...address('customer_email'),
      ...kept(ACCOUNT, 'account_number', 'bank_code'),
      ...kept(REFERENCE, 'reference'),
    },
  },
  reserved_accounts: {
    by: ['id', 'reserved'],
    columns: {
      ...words('name', 'customer_name'),
      ...address('customer_email'),
      ...identity('bvn'),
      ...identity('nin'),
      restricted: becomes('false'), // a restriction must allow somebody
      allowed_bvns_sealed: becomes('null::text'),
      allowed_bvns: becomes(`'{}'::bytea[]`),
      allowed_accounts: becomes(`'[]'`),
      allowed_names: becomes(`'{}'::text[]`),
      ...kept(REFERENCE, 'reference'),
    },
  },
  customer_wallets: {
    by: ['id', 'wallets'],
    columns: {
      ...words('name', 'customer_name'),
      ...address('customer_email'),
      birth_date: becomes('null::date'),
      ...identity('bvn'),
      ...kept(REFERENCE, 'reference'),
    },
  },
  mails: {
    by: ['id', 'mails'],
    columns: { ...address('recipient'), ...words('subject', 'text'), sheet: becomes('null::text') },
  },
  events: { columns: { body: { apart: 'each value of the person, where it stands (bodies.ts)' } } },
  delivery_attempts: { columns: { answer: { apart: 'deleted, for the events in which something was erased' } } },
  requests: {
    columns: {
      answer: { apart: 'each value of the person, where it stands (bodies.ts)' },
      ...kept('keyed digests, deleted with the key after some days', 'fields'),
    },
  },
  request_log: {
    columns: kept('of a machine or of somebody in a team, not of a payer; deleted after some days', 'caller', 'key'),
  },
  payment_policies: { columns: kept("the merchant's list of payers that it does not accept", 'barred_payers') },
  disbursements: {
    columns: kept(PAYEE, 'bank_code', 'account_number', 'account_name', 'given_name', 'narration', 'sender_info'),
  },
  batches: { columns: kept(PAYEE, 'title', 'narration') },
  verifications: {
    columns: {
      ...kept('a keyed digest: whose consent a question was asked with must be provable', 'subject_digest'),
      ...kept(REFERENCE, 'consent_reference'),
    },
  },
  bills: { columns: kept(SERVED, 'customer_id', 'token') },
  paycodes: { columns: { ...kept(PAYEE, 'beneficiary_name'), ...kept(REFERENCE, 'paycode_reference') } },
  people: { columns: kept(TEAM, 'email', 'name', 'password_digest', 'totp_sealed', 'totp_next_sealed') },
  memberships: { columns: kept(TEAM, 'created_by') },
  sessions: { columns: kept(TEAM, 'device', 'address', 'digest') },
  invitations: { columns: kept(TEAM, 'email', 'name', 'invited_by', 'digest') },
  recovery_codes: { columns: kept(TEAM, 'digest') },
  devices: { columns: kept(TEAM, 'name', 'digest') },
  people_mails: { columns: kept(TEAM, 'recipient', 'subject', 'text_sealed') },
  passkeys: { columns: kept(TEAM, 'credential_id', 'public_key', 'name') },
  oidc_links: { columns: kept(TEAM, 'subject') },
  erasures: {
    columns: kept('whoever knows the address can show that it was erased; nobody else can read it', 'digest'),
  },
  approvals: {
    columns: kept(
      TEAM,
      'requester_name',
      'decider_name',
      'input',
      'reason',
      'decision_reason',
      'request_proof',
      'decision_proof',
    ),
  },
  trail: { columns: kept(TEAM, 'actor_name', 'address', 'reason', 'before', 'after') },
  exports: {
    columns: { ...kept(TEAM, 'asked_by'), ...kept('what a file was asked for by; deleted after a week', 'query') },
  },
  export_pieces: { columns: kept('a file that somebody of the team asked for; deleted after a week', 'bytes') },
  saved_views: { columns: kept(TEAM, 'title', 'filter', 'saved_by') },
}

/** Columns of text that say nothing about a payer: our own words, references, states; merchants and who
 *  shares their payments. */
export const NOT_PERSONAL: Readonly<Record<string, string>> = {
  migrations: 'name sha256',
  month_tables: 'name options uniques',
  months: 'bodies',
  departed_months: 'bodies manifest',
  settings: 'name value',
  master_keys: 'fingerprint lasting statement_key_id statement_key',
  connectors: 'name',
  cell_intake: 'state',
  payout_routes: 'bank_code connectors',
  capability_routes: 'capability connectors',
  house_bookings: 'kind session_id',
  merchants: `name email api_key secret_sealed secret_digest next_secret_sealed next_secret_digest allowed_addresses wallet_number
    wallet_bank_code`,
  merchant_files: 'status name email registration_number address website contact created_by',
  merchant_documents: 'kind state note digest recorded_by',
  key_links: 'purpose digest kept_keys created_by',
  contracts: 'code name',
  api_keys: 'api_key secret_digest name scope contracts addresses created_by ended_by',
  feature_grants: 'feature granted_by reason',
  fee_schedules: 'method bearer',
  merchant_limits: 'kind',
  payment_policies: 'less more extra',
  brandings: 'colour support_email support_phone logo logo_type logo_digest',
  sub_accounts: 'code bank_code account_number account_name email',
  sub_account_banks: 'bank_code account_number account_name',
  accounts: 'kind currency',
  transfers: 'kind object',
  receivable_moves: 'reversal_reference',
  books_results: 'invariant state position examples',
  transactions: 'reference contract_code status methods payment_method split product_type',
  number_ranges: 'bank_code cell purpose',
  bank_numbers: 'account_number bank_code',
  number_orders: 'reference',
  virtual_accounts: 'account_number bank_code',
  former_holders: 'account_number bank_code',
  reserved_accounts: 'reservation_reference type status serial contract_code split split_shown split_code',
  limit_profiles: 'code name',
  customer_wallets: 'account_number top_up_number bank_code',
  invoices: 'created_by split_shown account_number bank_code merchant_address tax_number',
  payment_links: 'code contract_code title description methods redirect_url created_by',
  inbound_credits: 'bank_reference outcome account_number bank_code',
  bank_sessions: 'bank_reference',
  credit_reversals: 'reversal_reference bank_reference outcome reason',
  suspense_items: 'bank_reference status reason owner refusal return_session_id',
  card_charges: `reference status channel scheme bank_code bank_name country_code code message otp_id input_id input_kind challenge_id challenge_page
    challenge_acs return_token`,
  card_disputes: 'reference charge_reference state reason_code',
  card_tokens: 'scheme bank_code bank_name country_code',
  mandates: 'code contract_code status',
  debits: 'session_id message',
  search_parts: 'status',
  search_values: 'kind',
  batches: 'reference transaction_reference source_account status',
  disbursements: 'reference transaction_reference status source_account description session_id approval',
  payout_references: 'reference',
  authorizations: 'digest',
  payout_details: 'session_id network_reference',
  bank_orders: 'purpose status session_id description charge_reference',
  refunds: 'reference transaction_reference status type strategy comment charge_reference approval',
  bills: `reference transaction_reference status product_code product_name biller_code biller_name description session_id`,
  bill_references: 'reference',
  paycodes: 'reference status code_sealed code_digest code_tail created_by modified_by session_id agent_id',
  paycode_guards: 'agent_id',
  settlement_rules: 'destination schedule bank_code account_number account_name',
  settlement_holds: 'reason',
  holidays: 'name',
  settlement_lines: 'object shares',
  settlements: 'reference status destination bank_code account_number account_name previous_hash hash signature key_id',
  settlement_heads: 'hash',
  statement_days: 'after',
  statement_lines: 'kind direction session_id of_session_id bank_code acquirer',
  recon_breaks: 'class status kind session_id says done assigned_to',
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
  request_log: 'method path route code',
  verifications: 'product outcome matches',
  erasures: 'counts',
  view_grants: 'role',
  approvals: 'concerns side act digest status requester_kind requester_role decider_kind',
  trail: 'actor_kind actor_side actor_role what request_id concerns previous hash',
  trail_heads: 'hash',
  exports: 'file_name',
  saved_views: 'list',
  memberships: 'merchant_cell role',
  sessions: 'side',
  invitations: 'merchant_cell role',
  passkeys: 'transports',
  challenges: 'digest purpose',
  oidc_links: 'issuer',
}
