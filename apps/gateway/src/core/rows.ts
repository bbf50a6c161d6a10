// Generated from apps/gateway/migrations by `npm run generate`; do not edit. The rows of each table, as the
// gateway's driver gives them. A text column is narrowed to the values that a constraint of it lists.
// 1ff612dd00df81731d39c47589d9d31389d2808a9859f353acf18cd1a6d54f55

export type Rows = {
  accounts: {
    id: bigint
    merchant_id: bigint
    kind: string
    currency: string
    balance_kobo: bigint | null
    movements: bigint
    moved_at: Date
    moved_id: bigint
  }
  agenda: {
    id: bigint
    kind: string
    merchant_id: bigint
    subject: bigint
    due_at: Date
    lease_until: Date | null
    attempts: number
  }
  api_keys: {
    id: bigint
    merchant_id: bigint
    number: number
    api_key: string
    secret_digest: Buffer
    name: string
    scope: 'READ' | 'COLLECTIONS' | 'PAYOUTS' | 'AGENT'
    contracts: string[] | null
    addresses: string[] | null
    created_at: Date
    created_by: string
    ended_at: Date | null
    ended_by: string | null
    approved_by: string | null
  }
  approvals: {
    id: bigint
    merchant_id: bigint
    concerns: string | null
    side: 'merchant' | 'operator'
    act: string
    input: string
    digest: Buffer
    status: 'WAITING' | 'EXECUTED' | 'REJECTED' | 'EXPIRED'
    version: number
    requester_kind: 'person' | 'key' | 'command' | 'timer'
    requester_id: bigint | null
    requester_name: string
    requester_role: string | null
    reason: string
    request_proof: string | null
    created_at: Date
    expires_at: Date
    decider_kind: string | null
    decider_id: bigint | null
    decider_name: string | null
    decided_at: Date | null
    decision_reason: string | null
    decision_proof: string | null
    requester_makers: string[] | null
  }
  approved_postings: {
    transfer_id: bigint
    merchant_id: bigint
    approval_id: bigint
  }
  authorizations: {
    subject: bigint
    merchant_id: bigint
    digest: Buffer
    expires_at: Date
    tries: number
    codes: number
    used_at: Date | null
  }
  bank_numbers: {
    account_number: string
    bank_code: string
    connector: number
    valid_until: Date | null
    taken_at: Date | null
    withdrawn_at: Date | null
  }
  bank_orders: {
    id: bigint
    merchant_id: bigint
    purpose: 'REFUND' | 'SETTLEMENT'
    subject: bigint
    status: 'AWAITING' | 'SENT' | 'PAID' | 'FAILED' | 'REVERSED'
    version: number
    kobo: bigint
    bank_code: string | null
    account_number: string | null
    account_name: string | null
    narration: string
    session_id: string | null
    connector: number
    questions: number
    question_at: Date | null
    description: string
    created_at: Date
    completed_at: Date | null
    charge_reference: string | null
  }
  bank_sessions: {
    bank_reference: string
    merchant_id: bigint
    transfer_id: bigint
  }
  batches: {
    id: bigint
    merchant_id: bigint
    reference: string
    transaction_reference: string
    place: bigint
    title: string
    narration: string
    source_account: string
    status: 'PENDING_AUTHORIZATION' | 'OTP_EMAIL_DISPATCH_FAILED' | 'AWAITING_PROCESSING' | 'COMPLETED' | 'EXPIRED'
    version: number
    two_fa: boolean
    rows: number
    open_rows: number
    kobo: bigint
    fee_kobo: bigint
    notify_percent: number | null
    told_percent: number
    created_at: Date
    needs_person: boolean
  }
  bill_references: {
    merchant_id: bigint
    reference: string
    bill_id: bigint
  }
  bills: {
    id: bigint
    merchant_id: bigint
    reference: string
    transaction_reference: string
    status: 'IN_PROGRESS' | 'SUCCESS' | 'FAILED'
    version: number
    kobo: bigint
    commission_kobo: bigint
    product_code: string
    product_name: string
    biller_code: string
    biller_name: string
    customer_id: string
    token: string | null
    description: string
    session_id: string
    connector: number
    questions: number
    question_at: Date | null
    created_at: Date
    completed_at: Date | null
  }
  books_results: {
    day: Date
    invariant: string
    state: 'RUNNING' | 'DONE' | 'UNFINISHED'
    steps: number
    position: string[] | null
    violations: bigint
    examples: string[]
    ms: bigint
    checked_at: Date
  }
  books_runs: {
    day: Date
    started_at: Date | null
    finished_at: Date | null
  }
  brandings: {
    merchant_id: bigint
    colour: string | null
    support_email: string | null
    support_phone: string | null
    logo: Buffer | null
    logo_type: 'png' | 'jpeg' | null
    logo_digest: string | null
    changed_at: Date
  }
  capability_routes: {
    id: bigint
    capability: 'numbers' | 'card' | 'mandate' | 'identity'
    connectors: string[]
    valid_from: Date
    created_at: Date
  }
  card_attempts: {
    charge_id: bigint
    merchant_id: bigint
    card_digest: Buffer
    address_digest: Buffer | null
    paid: boolean
    made_at: Date
  }
  card_charges: {
    id: bigint
    merchant_id: bigint
    transaction_id: bigint
    reference: string
    status: 'SENT' | 'OTP' | 'CHALLENGE' | 'INPUT' | 'APPROVED' | 'DECLINED' | 'REVERSING' | 'REVERSED'
    version: number
    channel: 'API' | 'CHECKOUT' | 'TOKEN'
    kobo: bigint
    bin: string | null
    last4: string | null
    exp_month: string | null
    exp_year: string | null
    scheme: string | null
    bank_code: string | null
    bank_name: string | null
    country_code: string | null
    token: string | null
    keep_card: boolean
    code: string | null
    message: string | null
    never_reached: boolean
    otp_id: string | null
    codes_sent: number
    codes_wrong: number
    challenge_id: string | null
    challenge_page: string | null
    challenge_acs: string | null
    return_token: string
    connector: number
    waits_until: Date | null
    created_at: Date
    closed_at: Date | null
    quoted_fee_kobo: bigint | null
    quoted_schedule_id: bigint | null
    protocol: number
    input_id: string | null
    input_kind: 'PIN' | 'PHONE' | 'BIRTHDAY' | 'ADDRESS' | null
    input_wrong: boolean
    connector_page: boolean
    asking_ended_at: Date | null
  }
  card_disputes: {
    connector: number
    reference: string
    merchant_id: bigint
    transaction_id: bigint
    charge_reference: string
    kobo: bigint
    state: 'OPENED' | 'ANSWERED' | 'WON' | 'LOST' | 'CLOSED'
    reason_code: string | null
    reason: string | null
    due_at: Date | null
    said_at: Date
    reported_at: Date
    changed_at: Date
  }
  card_tokens: {
    token: string
    merchant_id: bigint
    charge_id: bigint
    customer_email: string
    issuer_reference: string
    bin: string
    last4: string
    exp_month: string
    exp_year: string
    scheme: string
    bank_code: string | null
    bank_name: string | null
    country_code: string | null
    created_at: Date
    connector: number
  }
  cell_intake: {
    single: boolean
    state: 'NEW' | 'OPEN' | 'DRAINING' | 'CLOSED'
    since: Date | null
  }
  challenges: {
    digest: Buffer
    purpose: 'register' | 'log-in' | 'step-up' | 'act' | 'oidc'
    person_id: bigint | null
    expires_at: Date
  }
  code_guards: {
    merchant_id: bigint
    wrong_at: Date[]
    locked_at: Date | null
  }
  connectors: {
    id: number
    name: string
  }
  contracts: {
    code: string
    merchant_id: bigint
    name: string
  }
  corrections_undone: {
    correction_id: bigint
    transfer_id: bigint
    merchant_id: bigint
    break_id: bigint
  }
  credit_reversals: {
    reversal_reference: string
    bank_reference: string
    merchant_id: bigint
    transaction_id: bigint | null
    transfer_id: bigint | null
    outcome: 'COUNTED' | 'SUSPENDED' | 'TOPPED_UP' | 'REASSIGNED'
    kobo: bigint
    fee_kobo: bigint
    reason: string
    taken_at: Date
    heard_at: Date
  }
  customer_wallets: {
    id: bigint
    merchant_id: bigint
    reference: string
    name: string
    customer_name: string
    customer_email: string
    birth_date: Date | null
    bvn_sealed: string
    bvn_digest: Buffer
    bvn_tail: string
    fee_owner: bigint | null
    account_number: string
    top_up_number: string
    bank_code: string
    created_at: Date
  }
  debits: {
    id: bigint
    merchant_id: bigint
    mandate_id: bigint
    kobo: bigint
    narration: string
    session_id: string
    connector: number
    message: string
    sent_at: Date | null
    questions: number
    question_at: Date | null
  }
  deliveries: {
    merchant_id: bigint
    event_id: bigint
    endpoint_id: bigint
    number: bigint
    object_id: bigint
    state: 'PENDING' | 'DELIVERED' | 'GIVEN_UP'
    attempts: number
    tries: number
    round: number
    due_at: Date
  }
  delivery_attempts: {
    event_id: bigint
    endpoint_id: bigint
    attempt: number
    merchant_id: bigint
    at: Date
    url: string
    status: number | null
    duration_ms: number
    error: string | null
    answer: string | null
  }
  departed_months: {
    month: number
    past_id: bigint
    past_day: Date
    manifest: string
    attempts_forgotten: boolean
    bodies: string
    left_at: Date
  }
  departed_numbers: {
    month: number
    merchant_id: bigint
    transfers: bigint
    singles: bigint
    batches: bigint
    invoices: bigint
    events: bigint
  }
  departed_settlements: {
    month: number
    settlement_id: bigint
    merchant_id: bigint
    lines: bigint
    kobo: bigint
    amount_kobo: bigint
    fee_kobo: bigint
  }
  destinations: {
    id: bigint
    merchant_id: bigint
    kind: 'SETTLEMENT_RULE' | 'SUB_ACCOUNT' | 'SUB_ACCOUNT_BANK'
    subject: bigint
    bank_code: string
    account_number: string
    account_name: string
    added_by: string
    added_at: Date
    in_force_from: Date
    needs_person: boolean
    confirmed_by: string | null
    confirmed_at: Date | null
    digest: Buffer | null
    mailed_at: Date | null
    stopped_by: string | null
    stopped_at: Date | null
  }
  devices: {
    person_id: bigint
    digest: Buffer
    name: string
    first_seen: Date
    last_seen: Date
    trusted: boolean
  }
  disbursement_days: {
    merchant_id: bigint
    day: Date
    kobo: bigint
    alone_kobo: bigint
  }
  disbursement_settings: {
    merchant_id: bigint
    approved: boolean
    per_transfer_kobo: bigint
    per_day_kobo: bigint
    low_balance_kobo: bigint | null
    approval_url: string | null
    approval_above_kobo: bigint | null
    above_day_kobo: bigint | null
    above_new_kobo: bigint | null
  }
  disbursements: {
    id: bigint
    merchant_id: bigint
    reference: string
    transaction_reference: string
    place: bigint
    single_place: bigint | null
    batch_id: bigint | null
    batch_row: number | null
    status: 'AWAITING_PROCESSING' | 'PENDING' | 'PENDING_AUTHORIZATION' | 'PENDING_BATCH_AUTHORIZATION' | 'OTP_EMAIL_DISPATCH_FAILED' | 'SUCCESS' | 'FAILED' | 'REVERSED' | 'EXPIRED'
    version: number
    kobo: bigint
    fee_kobo: bigint
    held: boolean
    narration: string
    source_account: string
    bank_code: string
    account_number: string
    account_name: string | null
    given_name: string | null
    name_score: number | null
    two_fa: boolean
    sender_info: string | null
    description: string
    session_id: string | null
    connector: number
    questions: number
    question_at: Date | null
    created_at: Date
    completed_at: Date | null
    wallet_id: bigint | null
    fee_owner: bigint | null
    approval: 'ASKED' | 'GIVEN' | 'REFUSED' | 'PERSON' | null
    fee_schedule_id: bigint | null
  }
  endpoints: {
    id: bigint
    merchant_id: bigint
    url: string
    activities: string[]
    event_types: string[]
    description: string
    status: 'ENABLED' | 'DISABLED' | 'REMOVED'
    version: number
    disabled_reason: 'GONE' | 'FAILING' | 'BY_MERCHANT' | null
    answered: boolean
    failing_since: Date | null
    window_from: Date | null
    window_tries: number
    window_failures: number
    rest_until: Date | null
    rests: number
    created_at: Date
  }
  entries: {
    account_id: bigint | null
    transfer_id: bigint | null
    kobo: bigint | null
  }
  erasures: {
    id: bigint
    merchant_id: bigint
    digest: Buffer
    counts: string
    at: Date
  }
  event_counters: {
    merchant_id: bigint
    last_number: bigint
  }
  event_numbers: {
    merchant_id: bigint
    number: bigint
    event_id: bigint
  }
  event_shapes: {
    id: number
    shape: string
  }
  event_traces: {
    event_id: bigint
    merchant_id: bigint
    traceparent: string
  }
  events: {
    id: bigint
    merchant_id: bigint
    object_id: bigint
    at: Date
    object_version: number
    shape: number | null
    type: string
    object: string
    body: string
  }
  export_pieces: {
    export_id: bigint
    attempt: number
    number: number
    merchant_id: bigint
    bytes: Buffer
  }
  exports: {
    id: bigint
    merchant_id: bigint
    asked_by: string
    query: string
    masked: boolean
    file_name: string
    rows_expected: bigint
    created_at: Date
    expires_at: Date
    attempt: number
    lease_until: Date | null
    rows_written: bigint
    bytes: bigint
    pieces: number | null
    ready_at: Date | null
    failed_at: Date | null
  }
  feature_grants: {
    id: bigint
    merchant_id: bigint
    feature: 'TRANSFERS' | 'SUB_ACCOUNTS' | 'WALLETS' | 'BILLS' | 'VERIFICATION' | 'INSTANT_SETTLEMENT' | 'PAYCODE'
    granted: boolean
    granted_by: string
    reason: string
    granted_at: Date
  }
  fee_schedules: {
    id: bigint
    merchant_id: bigint
    basis_points: bigint
    cap_kobo: bigint
    valid_from: Date
    method: 'ANY' | 'ACCOUNT_TRANSFER' | 'USSD' | 'CARD' | 'DIRECT_DEBIT' | 'PAYOUT' | 'REFUND' | 'VERIFICATION'
    flat_kobo: bigint
    bearer: string
    created_at: Date | null
  }
  former_holders: {
    account_number: string
    bank_code: string
    merchant_id: bigint
    transaction_id: bigint
    opened_at: Date
    expires_at: Date
    unpaid: boolean
  }
  former_passwords: {
    person_id: bigint
    number: number
    digest: string
  }
  holidays: {
    day: Date
    name: string
  }
  house_bookings: {
    kind: string
    session_id: string
    kobo: bigint
    transfer_id: bigint
    booked_at: Date
    connector: number
    acquirer: number | null
    other_side: bigint | null
  }
  inbound_credits: {
    bank_reference: string
    merchant_id: bigint
    transaction_id: bigint | null
    transfer_id: bigint
    outcome: 'COUNTED' | 'SUSPENDED' | 'TOPPED_UP'
    kobo: bigint
    account_number: string
    bank_code: string
    sender_name: string
    sender_account_number: string
    sender_bank_code: string
    received_at: Date
  }
  invitations: {
    id: bigint
    email: string
    name: string
    merchant_cell: string | null
    member_of: bigint | null
    role: string
    resets: boolean
    digest: Buffer
    invited_by: string
    created_at: Date
    expires_at: Date
    used_at: Date | null
    opens_at: Date | null
  }
  invoice_counters: {
    merchant_id: bigint
    invoices: bigint
  }
  invoices: {
    id: bigint
    merchant_id: bigint
    reference: string
    place: bigint
    created_by: string
    split_shown: string
    reserved_id: bigint | null
    account_number: string | null
    bank_code: string | null
    account_name: string | null
    cancelled_at: Date | null
    created_at: Date
    lines: string
    vat_kobo: bigint | null
    customer_address: string | null
    merchant_address: string | null
    tax_number: string | null
  }
  key_links: {
    id: bigint
    merchant_id: bigint
    purpose: 'FIRST_KEY' | 'LOST_KEY'
    digest: Buffer | null
    expires_at: Date
    mailed_at: Date | null
    used_at: Date | null
    ended_at: Date | null
    created_by: string
    created_at: Date
    kept_keys: string[]
  }
  limit_profiles: {
    id: bigint
    merchant_id: bigint
    code: string
    name: string
    single_kobo: bigint
    day_payments: number
    day_kobo: bigint
    created_at: Date
    changed_at: Date
  }
  limit_uses: {
    reserved_id: bigint
    merchant_id: bigint
    day: Date
    payments: number
    kobo: bigint
  }
  mails: {
    id: bigint
    merchant_id: bigint
    recipient: string
    subject: string
    text: string
    created_at: Date
    sent_at: Date | null
    refused_at: Date | null
    sheet: string | null
  }
  mandates: {
    id: bigint
    merchant_id: bigint
    code: string
    reference: string
    contract_code: string
    status: 'INITIATED' | 'ACTIVE' | 'FAILED' | 'EXPIRED' | 'CANCELLED'
    version: number
    customer_name: string
    customer_email: string
    customer_phone: string
    customer_address: string
    account_number: string
    bank_code: string
    account_name: string
    description: string
    starts_at: Date
    ends_at: Date
    kobo: bigint | null
    debit_kobo: bigint | null
    debited_kobo: bigint
    auto_renew: boolean
    customer_cancels: boolean
    authorize_by: Date
    authorization_message: string | null
    authorization_link: string | null
    cancel_asked_at: Date | null
    connector: number
    created_at: Date
  }
  master_keys: {
    version: number
    fingerprint: string
    lasting: string | null
    statement_key_id: string
    statement_key: string
    known_at: Date
    present_at: Date | null
    retired_at: Date | null
  }
  memberships: {
    id: bigint
    person_id: bigint
    merchant_cell: string | null
    member_of: bigint | null
    role: string
    created_at: Date
    created_by: string
    ended_at: Date | null
    managed: boolean
    approves_from: Date | null
  }
  merchant_documents: {
    id: bigint
    merchant_id: bigint
    kind: string
    state: 'MISSING' | 'RECEIVED' | 'ACCEPTED' | 'REFUSED'
    note: string | null
    digest: string | null
    recorded_by: string
    recorded_at: Date
  }
  merchant_files: {
    id: bigint
    merchant_id: bigint
    status: 'APPLIED' | 'IN_SANDBOX' | 'IN_REVIEW' | 'LIVE' | 'SUSPENDED' | 'CLOSED' | 'REJECTED'
    version: number
    name: string
    email: string
    registration_number: string | null
    address: string | null
    website: string | null
    contact: string | null
    expected_monthly_naira: bigint | null
    created_by: string
    created_at: Date
  }
  merchant_limits: {
    id: bigint
    merchant_id: bigint
    kind: 'COLLECTIONS' | 'PAYOUTS'
    per_payment_kobo: bigint | null
    per_day_kobo: bigint | null
    valid_from: Date
  }
  merchant_revision: {
    single: boolean
    revision: bigint
  }
  merchants: {
    id: bigint
    name: string
    email: string
    api_key: string
    secret_sealed: string
    secret_digest: Buffer
    credential: number
    next_secret_sealed: string | null
    next_secret_digest: Buffer | null
    overlap_until: Date | null
    allowed_addresses: string[]
    requests_per_second: number
    wallet_number: string
    wallet_bank_code: string
    transfer_otp: boolean
    new_sub_account_wait_hours: number
    created_at: Date
    suspended: boolean
    people_addresses: string[]
  }
  migrations: {
    name: string
    sha256: string
    applied_at: Date
    breaking: boolean
  }
  month_changes: {
    month: number
  }
  month_tables: {
    name: string
    options: string
    uniques: string[]
  }
  months: {
    month: number
    attempts_forgotten: boolean
    bodies: 'KEPT' | 'LEAVING' | 'GONE'
  }
  number_orders: {
    reference: string
    connector: number
    count: number
    ordered_at: Date
    done_at: Date | null
  }
  number_ranges: {
    id: number
    bank_code: string
    first_serial: bigint
    last_serial: bigint
    cell: string
    purpose: 'PAYMENT' | 'RESERVED'
    next_serial: bigint
    cycles: number
  }
  oidc_links: {
    person_id: bigint
    issuer: string
    subject: string
    created_at: Date
  }
  outbox: {
    id: bigint
    event_id: bigint
    merchant_id: bigint
  }
  page_openings: {
    transaction_id: bigint
    merchant_id: bigint
    origin: string
    path: string
    by_page: boolean
    opened_at: Date
  }
  page_settings: {
    merchant_id: bigint
    origins: string[]
    page_splits: boolean
    changed_at: Date
  }
  passkeys: {
    id: bigint
    person_id: bigint
    credential_id: Buffer
    public_key: Buffer
    counter: bigint
    name: string
    transports: string[]
    created_at: Date
    used_at: Date | null
    ended_at: Date | null
  }
  paycode_guards: {
    agent_id: string
    wrong_at: Date[]
  }
  paycodes: {
    id: bigint
    merchant_id: bigint
    reference: string
    paycode_reference: string
    status: 'PENDING' | 'COMPLETED' | 'EXPIRED' | 'CANCELLED'
    version: number
    kobo: bigint
    fee_kobo: bigint
    beneficiary_name: string
    code_sealed: string | null
    code_digest: Buffer
    code_tail: string
    expires_at: Date
    created_by: string
    modified_by: string
    created_at: Date
    ended_at: Date | null
    session_id: string | null
    agent_id: string | null
    fee_schedule_id: bigint | null
  }
  payees: {
    merchant_id: bigint
    bank_code: string
    account_number: string
    first_at: Date
    alone_kobo: bigint
    confirmed_at: Date | null
  }
  payment_link_uses: {
    link_id: bigint
    number: bigint
    merchant_id: bigint
    transaction_id: bigint
  }
  payment_links: {
    id: bigint
    merchant_id: bigint
    code: string
    contract_code: string
    title: string
    description: string
    kobo: bigint | null
    min_kobo: bigint | null
    max_kobo: bigint | null
    single_use: boolean
    methods: string
    redirect_url: string | null
    expires_at: Date | null
    paused_at: Date | null
    transactions: bigint
    created_by: string
    created_at: Date
    changed_at: Date
  }
  payment_policies: {
    id: bigint
    merchant_id: bigint
    less: 'COMPLETE' | 'TOP_UP' | 'RETURN' | 'HOLD'
    more: 'COMPLETE' | 'RETURN' | 'HOLD'
    extra: 'RETURN' | 'HOLD'
    tolerance_kobo: bigint
    barred_payers: string
    valid_from: Date
  }
  payment_references: {
    merchant_id: bigint
    payment_reference: string
    transaction_id: bigint
  }
  payout_details: {
    session_id: string
    merchant_id: bigint
    connector: number
    network_reference: string | null
    fee_kobo: bigint | null
    reported_at: Date
  }
  payout_references: {
    merchant_id: bigint
    reference: string
    disbursement_id: bigint
  }
  payout_routes: {
    id: bigint
    bank_code: string | null
    above_kobo: bigint
    connectors: string[]
    valid_from: Date
    created_at: Date
  }
  people: {
    id: bigint
    email: string
    name: string
    password_digest: string | null
    totp_sealed: string | null
    totp_last_step: bigint | null
    totp_next_sealed: string | null
    has_passkey: boolean
    created_at: Date
    wrong_factors: number
  }
  people_mails: {
    id: bigint
    recipient: string
    subject: string
    text_sealed: string
    created_at: Date
    try_at: Date
    sent_at: Date | null
    refused_at: Date | null
  }
  receipt_settings: {
    merchant_id: bigint
    payments: boolean
    refunds: boolean
    payouts: boolean
    looked_at: bigint
  }
  receipts: {
    event_id: bigint
    merchant_id: bigint
    created_at: Date
    sent_at: Date | null
    refused_at: Date | null
  }
  receivable_moves: {
    id: bigint
    merchant_id: bigint
    number: bigint
    account_id: bigint
    kobo: bigint
    owed_kobo: bigint
    reversal_reference: string | null
    at: Date
    later_share: boolean
    break_id: bigint | null
  }
  recon_breaks: {
    id: bigint
    merchant_id: bigint
    class: string
    status: 'OPEN' | 'RESOLVED'
    version: number
    kind: string
    session_id: string
    day: Date
    bank_kobo: bigint | null
    our_kobo: bigint | null
    says: string
    done: string | null
    opened_at: Date
    resolved_at: Date | null
    assigned_to: string | null
    approval_id: bigint | null
    connector: number
    place: number
  }
  recovery_codes: {
    person_id: bigint
    digest: Buffer
    used_at: Date | null
  }
  refunds: {
    id: bigint
    merchant_id: bigint
    reference: string
    refund_reference: string
    transaction_id: bigint
    transaction_reference: string
    status: 'PENDING' | 'COMPLETED' | 'FAILED'
    version: number
    kobo: bigint
    fee_kobo: bigint
    type: 'FULL_REFUND' | 'PARTIAL_REFUND'
    strategy: 'MERCHANT_WALLET' | 'ORIGINAL_PAYMENT_SOURCE'
    reason: string
    customer_note: string
    bank_code: string | null
    account_number: string | null
    account_name: string | null
    elsewhere: boolean
    authorize_by: Date | null
    comment: string
    created_at: Date
    completed_at: Date | null
    charge_reference: string | null
    masked_pan: string | null
    approval: 'ASKED' | 'GIVEN' | 'REFUSED' | 'PERSON' | null
    fee_schedule_id: bigint | null
  }
  request_log: {
    id: bigint
    merchant_id: bigint
    at: Date
    method: string
    path: string
    route: string
    status: number
    ms: number
    key: string | null
    request_id: string
    caller: string
    code: string | null
  }
  requests: {
    merchant_id: bigint
    key: string
    method: string
    path: string
    fields: string
    status: number | null
    answer: string | null
    created_at: Date
    completed_at: Date | null
  }
  reserved_accounts: {
    id: bigint
    merchant_id: bigint
    reference: string
    reservation_reference: string
    type: 'GENERAL' | 'INVOICE'
    status: 'RESERVED' | 'DEALLOCATED'
    version: number
    serial: string
    name: string
    contract_code: string
    customer_email: string
    customer_name: string
    bvn_sealed: string | null
    bvn_digest: Buffer | null
    bvn_tail: string | null
    nin_sealed: string | null
    nin_digest: Buffer | null
    nin_tail: string | null
    split: string | null
    split_shown: string
    split_code: string
    restricted: boolean
    allowed_bvns_sealed: string | null
    allowed_bvns: Buffer[]
    allowed_accounts: string
    allowed_names: string[]
    invoice_id: bigint | null
    created_at: Date
    limit_profile_id: bigint | null
  }
  returned_lines: {
    settlement_id: bigint
    transfer_id: bigint
    account_id: bigint
    merchant_id: bigint
  }
  rollup_horizon: {
    single: boolean
    upto_xid: bigint
  }
  rollups: {
    account_id: bigint
    kobo: bigint
  }
  sandbox_clock: {
    single: boolean
    offset_ms: bigint
  }
  saved_views: {
    merchant_id: bigint
    owner_id: bigint
    list: string
    title: string
    filter: string
    saved_by_id: bigint
    saved_by: string
    saved_at: Date
  }
  search_blocks: {
    merchant_id: bigint
    number: number
    after_at: Date
    after_id: bigint
    last_at: Date
    last_id: bigint
    sealed: boolean
    rows: number
  }
  search_parts: {
    merchant_id: bigint
    number: number
    status: string
    rows: number
    amounts: string[]
    ids: string[]
    places: number[]
    paid_kobo: bigint | null
  }
  search_values: {
    merchant_id: bigint
    kind: 'email' | 'name'
    key: bigint
    number: number
    rows: number
    paid_rows: number | null
    paid_kobo: bigint | null
  }
  security_events: {
    id: bigint
    merchant_id: bigint
    concerns: string | null
    at: Date
    kind: string
    severity: number
    person: string | null
    actor_kind: 'person' | 'key' | 'command' | 'timer' | 'nobody'
    actor_side: 'merchant' | 'operator'
    actor_name: string
    address: string | null
    request_id: string | null
    details: string | null
  }
  security_outbox: {
    event_id: bigint
    sink: 'MAIL' | 'FILE' | 'POST'
    merchant_id: bigint
    at: Date
    try_at: Date
  }
  sessions: {
    id: bigint
    person_id: bigint
    membership_id: bigint
    side: 'merchant' | 'operator'
    digest: Buffer
    half: boolean
    created_at: Date
    used_at: Date
    proved_at: Date | null
    ends_at: Date
    device: string
    address: string
    ended_at: Date | null
  }
  settings: {
    name: string
    value: string
  }
  settlement_heads: {
    merchant_id: bigint
    number: bigint
    hash: string
  }
  settlement_holds: {
    merchant_id: bigint
    reason: string
    since: Date
  }
  settlement_horizon: {
    single: boolean
    upto_xid: bigint
    run_at: Date | null
  }
  settlement_lines: {
    transfer_id: bigint
    account_id: bigint
    merchant_id: bigint
    object_id: bigint
    at: Date
    kobo: bigint
    amount_kobo: bigint
    fee_kobo: bigint
    settlement_id: bigint | null
    object: string
    shares: string | null
  }
  settlement_rules: {
    id: bigint
    merchant_id: bigint
    destination: 'WALLET' | 'BANK'
    schedule: 'SAME_DAY' | 'INSTANT' | 'T_PLUS_1'
    bank_code: string | null
    account_number: string | null
    account_name: string | null
    valid_from: Date
  }
  settlements: {
    id: bigint
    merchant_id: bigint
    number: bigint
    reference: string
    sub_account_id: bigint | null
    status: 'PAYING' | 'COMPLETED' | 'RETURNED'
    version: number
    kobo: bigint
    amount_kobo: bigint
    fee_kobo: bigint
    shares_kobo: bigint
    lines: number
    transactions: number
    from_at: Date
    to_at: Date
    destination: 'WALLET' | 'BANK'
    bank_code: string
    account_number: string
    account_name: string
    previous_hash: string
    hash: string
    signature: string
    key_id: string
    created_at: Date
    completed_at: Date | null
  }
  state_changes: {
    object_id: bigint
    merchant_id: bigint
    transfer_id: bigint | null
    at: Date
    version: number
    object: string
    action: string
    from_state: string
    to_state: string
  }
  statement_booked: {
    day: Date | null
    reading: number | null
    line: number | null
    kind: string | null
    direction: string | null
    session_id: string | null
    of_session_id: string | null
    kobo: bigint | null
    booked_at: Date | null
    bank_code: string | null
    account_number: string | null
    sender_name: string | null
    sender_account_number: string | null
    sender_bank_code: string | null
    says: string | null
    connector: number | null
    acquirer: string | null
    day_only: boolean | null
  }
  statement_days: {
    day: Date
    reading: number
    after: string | null
    lines: number
    in_kobo: bigint
    out_kobo: bigint
    said_lines: number | null
    said_in_kobo: bigint | null
    said_out_kobo: bigint | null
    own_lines: number
    own_in_kobo: bigint
    own_out_kobo: bigint
    opening_kobo: bigint | null
    closing_kobo: bigint | null
    read_at: Date | null
    matched_at: Date | null
    connector: number
  }
  statement_lines: {
    day: Date
    reading: number
    line: number
    kind: string
    direction: 'IN' | 'OUT'
    session_id: string
    of_session_id: string | null
    kobo: bigint
    booked_at: Date
    bank_code: string | null
    account_number: string | null
    sender_name: string | null
    sender_account_number: string | null
    sender_bank_code: string | null
    says: string
    connector: number
    acquirer: string | null
    day_only: boolean
  }
  stranger_counts: {
    key: string
    open: number
  }
  stranger_payments: {
    transaction_id: bigint
    merchant_id: bigint
    keys: string[]
    puzzle: Buffer | null
    expires_at: Date
  }
  sub_account_banks: {
    id: bigint
    sub_account_id: bigint
    merchant_id: bigint
    bank_code: string
    account_number: string
    account_name: string
    effective_at: Date
    created_at: Date
  }
  sub_accounts: {
    id: bigint
    merchant_id: bigint
    code: string
    bank_code: string
    account_number: string
    account_name: string
    email: string
    default_split: bigint
    created_at: Date
    changed_at: Date
    deleted_at: Date | null
    settled_from: Date | null
    default_split_rest: number
  }
  suspense_items: {
    id: bigint
    merchant_id: bigint
    transaction_id: bigint | null
    bank_reference: string
    status: 'HELD' | 'RETURNING' | 'RETURNED' | 'REASSIGNED'
    version: number
    kobo: bigint
    reason: string
    owner: string
    decide_by: Date
    attempts: number
    refusal: string | null
    return_session_id: string | null
    connector: number
    created_at: Date
    closed_at: Date | null
    reassign_transfer_id: bigint | null
  }
  trail: {
    merchant_id: bigint
    number: bigint
    at: Date
    actor_kind: 'person' | 'key' | 'command' | 'timer'
    actor_side: 'merchant' | 'operator'
    actor_id: bigint | null
    actor_name: string
    actor_role: string | null
    what: string
    reason: string
    before: string | null
    after: string | null
    address: string | null
    request_id: string | null
    approval_id: bigint | null
    concerns: string | null
    previous: Buffer
    hash: Buffer
  }
  trail_heads: {
    merchant_id: bigint
    number: bigint
    hash: Buffer
  }
  trail_signatures: {
    number: bigint
    at: Date
    document: string
    published_at: Date | null
  }
  transactions: {
    id: bigint
    merchant_id: bigint
    kobo: bigint
    paid_kobo: bigint
    fee_kobo: bigint
    tolerance_kobo: bigint
    created_at: Date
    expires_at: Date
    email_key: bigint
    name_key: bigint
    closed_at: Date | null
    version: number
    flagged: boolean
    on_page: boolean
    reference: string
    payment_reference: string
    contract_code: string
    status: 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
    customer_name: string
    customer_email: string
    description: string
    methods: string
    payment_method: string | null
    redirect_url: string | null
    meta_data: string
    split: string | null
    product_type: 'RESERVED_ACCOUNT' | 'INVOICE' | 'DIRECT_DEBIT' | 'API_NOTIFICATION' | null
    product_reference: string | null
    quoted_fee_kobo: bigint | null
    quoted_schedule_id: bigint | null
  }
  transfer_blocks: {
    merchant_id: bigint
    number: bigint
    first_id: bigint
    last_id: bigint
    amounts: string[]
    places: number[]
  }
  transfer_counters: {
    merchant_id: bigint
    transfers: bigint
    singles: bigint
    batches: bigint
    last_at: Date
  }
  transfers: {
    id: bigint
    merchant_id: bigint
    object_id: bigint
    fee_schedule_id: bigint | null
    xid: bigint
    at: Date
    kind: string
    object: string
    accounts: string[]
    amounts: string[]
  }
  verifications: {
    id: bigint
    merchant_id: bigint
    product: 'BVN_DETAILS' | 'BVN_ACCOUNT' | 'NIN_DETAILS'
    outcome: 'ANSWERED' | 'NOT_FOUND'
    subject_digest: Buffer
    consent_reference: string | null
    matches: string | null
    fee_kobo: bigint
    created_at: Date
  }
  view_grants: {
    id: bigint
    merchant_id: bigint
    person_id: bigint
    role: string
    created_at: Date
    expires_at: Date
    ended_at: Date | null
    views: number
  }
  virtual_accounts: {
    account_number: string
    bank_code: string
    merchant_id: bigint
    transaction_id: bigint | null
    reserved_id: bigint | null
    opened_at: Date
    expires_at: Date
    on_page: boolean
    connector: number
  }
  wallet_movements: {
    account_id: bigint
    number: bigint
    line_id: bigint
    merchant_id: bigint
    transfer_id: bigint
    kobo: bigint
    balance_kobo: bigint
    at: Date
  }
}

/** What an insert may leave out although it is never null: the database fills it in. */
export type Filled = {
  accounts: 'currency' | 'movements' | 'moved_at' | 'moved_id'
  agenda: 'id' | 'attempts'
  approvals: 'version'
  authorizations: 'tries' | 'codes'
  bank_orders: 'version' | 'connector' | 'questions'
  batches: 'version' | 'told_percent' | 'needs_person'
  bills: 'version' | 'connector' | 'questions'
  card_attempts: 'paid'
  card_charges: 'version' | 'keep_card' | 'never_reached' | 'codes_sent' | 'codes_wrong' | 'connector' | 'protocol' | 'input_wrong' | 'connector_page'
  card_tokens: 'connector'
  cell_intake: 'single'
  code_guards: 'wrong_at'
  debits: 'connector' | 'questions'
  deliveries: 'attempts' | 'tries' | 'round'
  disbursement_days: 'alone_kobo'
  disbursements: 'version' | 'connector' | 'questions'
  endpoints: 'status' | 'version' | 'answered' | 'window_tries' | 'window_failures' | 'rests'
  event_shapes: 'id'
  exports: 'attempt' | 'rows_written' | 'bytes'
  feature_grants: 'id'
  fee_schedules: 'method' | 'flat_kobo' | 'bearer'
  former_holders: 'unpaid'
  house_bookings: 'connector'
  invoices: 'lines'
  key_links: 'kept_keys'
  mandates: 'version' | 'debited_kobo' | 'connector'
  memberships: 'managed'
  merchant_files: 'version'
  merchant_revision: 'single'
  merchants: 'credential' | 'transfer_otp' | 'new_sub_account_wait_hours' | 'suspended' | 'people_addresses'
  migrations: 'breaking'
  months: 'attempts_forgotten' | 'bodies'
  number_ranges: 'id' | 'cycles'
  outbox: 'id'
  paycode_guards: 'wrong_at'
  paycodes: 'version'
  payment_links: 'transactions'
  people: 'has_passkey' | 'wrong_factors'
  receivable_moves: 'later_share'
  recon_breaks: 'status' | 'version' | 'connector' | 'place'
  refunds: 'version' | 'elsewhere'
  reserved_accounts: 'version' | 'split_shown' | 'restricted' | 'allowed_bvns' | 'allowed_accounts' | 'allowed_names'
  rollup_horizon: 'single'
  sandbox_clock: 'single'
  search_blocks: 'sealed' | 'rows'
  security_events: 'id'
  settlement_horizon: 'single'
  settlements: 'version'
  statement_days: 'reading' | 'lines' | 'in_kobo' | 'out_kobo' | 'own_lines' | 'own_in_kobo' | 'own_out_kobo' | 'connector'
  statement_lines: 'reading' | 'connector' | 'day_only'
  sub_accounts: 'default_split_rest'
  suspense_items: 'status' | 'version' | 'attempts' | 'connector'
  transactions: 'paid_kobo' | 'fee_kobo' | 'tolerance_kobo' | 'version' | 'flagged' | 'on_page'
  transfer_counters: 'transfers' | 'singles' | 'batches' | 'last_at'
  transfers: 'xid'
  view_grants: 'views'
  virtual_accounts: 'on_page' | 'connector'
}
