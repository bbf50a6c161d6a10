// The tables of an adapter, in a schema of its own. Forward only: a migration that was released is never
// edited.

// Orders. The constraints say what the code promises: what is barred was never forwarded, and never will be.
const orders = (schema: string): string => `
create table ${schema}.orders (
  session_id text primary key check (session_id ~ '^[0-9]{30}$'),
  state text not null check (state in ('ACCEPTED', 'FORWARDED', 'KNOWN', 'BARRED')),
  digest text,
  contents jsonb,
  reference text unique,
  bank_reference text,
  status text check (status in ('PENDING', 'SUCCESS', 'FAILED', 'REVERSED')),
  code text check (length(code) = 2),
  accepted_at timestamptz,
  forwarded_at timestamptz,
  known_at timestamptz,
  barred_at timestamptz,
  settled_by text,
  contradicted_by text,
  constraint forwarded_has_a_moment check ((state in ('FORWARDED', 'KNOWN')) = (forwarded_at is not null)),
  constraint received_is_whole check ((digest is null) = (reference is null) and (digest is null) = (accepted_at is null)),
  constraint forwarded_was_received check (forwarded_at is null or digest is not null),
  constraint known_has_a_status check ((state = 'KNOWN') = (status is not null and code is not null and known_at is not null)),
  constraint barred_was_never_forwarded check ((state = 'BARRED') = (barred_at is not null) and (barred_at is null or forwarded_at is null)),
  constraint final_keeps_no_contents check (contents is null or (barred_at is null and coalesce(status, 'PENDING') = 'PENDING'))
);
comment on table ${schema}.orders is 'Payouts that the gateway ordered. Contents are kept until the outcome is final, the digest for ever';
create index orders_to_forward on ${schema}.orders (accepted_at) where state = 'ACCEPTED';
create index orders_open on ${schema}.orders (forwarded_at) where state = 'FORWARDED' or status = 'PENDING';
create index orders_by_bank_reference on ${schema}.orders (bank_reference) where bank_reference is not null;
`

// Notices to the gateway. One that was accepted keeps its key, so that the same one is never made again, and
// loses its body.
const notices = (schema: string): string => `
create table ${schema}.notices (
  id bigint generated always as identity primary key,
  key text not null unique,
  reference text not null,
  path text not null,
  body text,
  digest text not null,
  made_at timestamptz not null,
  due_at timestamptz not null,
  leased_until timestamptz,
  attempts int not null default 0,
  last_status int,
  accepted_at timestamptz,
  constraint accepted_keeps_no_body check ((accepted_at is null) = (body is not null))
);
comment on table ${schema}.notices is 'What the gateway is still to be notified of, and the keys of what it was notified of';
create index notices_due on ${schema}.notices (due_at, id) where accepted_at is null;
create index notices_in_order on ${schema}.notices (reference, id) where accepted_at is null;
`

// Account numbers that the bank issued. The constraints say what the code promises: no number twice, and none
// with two owners.
const numbers = (schema: string): string => `
create table ${schema}.number_orders (
  reference text primary key,
  count int not null check (count > 0),
  digest text not null,
  account_name text,
  made_at timestamptz not null,
  filled_at timestamptz,
  constraint filled_keeps_no_name check ((filled_at is null) = (account_name is not null))
);
comment on table ${schema}.number_orders is 'Account numbers that the gateway ordered. The name is kept until the last of them is made, the digest for ever';
create index number_orders_left on ${schema}.number_orders (made_at) where filled_at is null;
create table ${schema}.numbers (
  id bigint generated always as identity primary key,
  bank_code text not null,
  account_number text not null check (account_number ~ '^[0-9]{10}$'),
  valid_until timestamptz,
  made_at timestamptz not null,
  reference text references ${schema}.number_orders,
  place int check (place > 0),
  spare boolean not null,
  constraint never_the_same_number_twice unique (bank_code, account_number),
  constraint one_number_for_a_place unique (reference, place),
  constraint an_owner_has_places check ((reference is null) = (place is null)),
  constraint spare_has_no_owner check (not spare or reference is null)
);
comment on table ${schema}.numbers is 'Account numbers that the bank issued, for good. Without an owner and not spare: wasted';
create index numbers_spare on ${schema}.numbers (id) where spare;
`

// What somebody says that the bank has booked. Nothing of it is kept but the identifier: the rest is asked of
// the bank.
const claims = (schema: string): string => `
create table ${schema}.claims (
  id text primary key,
  state text not null check (state in ('WAITING', 'CONFIRMED', 'GIVEN_UP')),
  made_at timestamptz not null,
  due_at timestamptz not null,
  leased_until timestamptz,
  attempts int not null default 0,
  settled_at timestamptz,
  constraint settled_has_a_moment check ((state = 'WAITING') = (settled_at is null))
);
comment on table ${schema}.claims is 'Identifiers that webhooks named, until the bank itself has confirmed them';
create index claims_due on ${schema}.claims (due_at) where state = 'WAITING';
`

// Card charges. Nothing of a card is in a row but what an answer shows: no number, no PIN, no code, nothing
// that a payer typed. A row is made in the commit that marks it as forwarded, because the card is not kept:
// what was recorded and not forwarded could never be forwarded later.
const charges = (schema: string): string => `
create table ${schema}.charges (
  reference text primary key check (reference ~ '^[A-Za-z0-9.=-]{1,60}$'),
  state text not null check (state in ('FORWARDED', 'KNOWN', 'BARRED')),
  kobo bigint check (kobo > 0),
  status text check (status in ('PENDING', 'ASKED', 'CHALLENGE', 'APPROVED', 'DECLINED', 'REVERSED')),
  code text not null default '' check (length(code) <= 4),
  bank_reference text,
  scheme text not null default '',
  bank_code text not null default '',
  bank_name text not null default '',
  country_code text not null default '',
  card_reference text,
  asked_id text,
  asked_kind text check (asked_kind in ('PIN', 'OTP', 'PHONE', 'BIRTHDAY', 'ADDRESS')),
  asked_until timestamptz,
  asked_wrong boolean not null default false,
  tries int not null default 0,
  page_url text,
  changes int not null default 0,
  busy_until timestamptz,
  forwarded_at timestamptz,
  known_at timestamptz,
  barred_at timestamptz,
  reversal_at timestamptz,
  returned_at timestamptz,
  contradicted_by text,
  constraint barred_was_never_forwarded check ((state = 'BARRED') = (forwarded_at is null) and (state = 'BARRED') = (barred_at is not null)),
  constraint forwarded_has_an_amount check (forwarded_at is null or kobo is not null),
  constraint known_has_a_status check ((state = 'KNOWN') = (status is not null) and (state = 'KNOWN') = (known_at is not null)),
  constraint asked_is_whole check ((asked_kind is not null) = (coalesce(status, '') = 'ASKED')),
  constraint page_is_whole check ((page_url is not null) = (coalesce(status, '') = 'CHALLENGE')),
  constraint the_payer_has_a_name_for_it check ((asked_id is not null) = (coalesce(status, '') in ('ASKED', 'CHALLENGE'))),
  constraint only_what_is_reversed_is_returned check (returned_at is null or reversal_at is not null)
);
comment on table ${schema}.charges is 'Card charges: how far each has got, and what its card may be called. No card data';
create index charges_open on ${schema}.charges (forwarded_at)
  where state = 'FORWARDED' or status in ('PENDING', 'ASKED', 'CHALLENGE') or (status = 'APPROVED' and reversal_at is not null);
`

// Refunds to cards are orders like payouts, and promise the same.
const cardRefunds = (schema: string): string => `
create table ${schema}.card_refunds (like ${schema}.orders including all);
comment on table ${schema}.card_refunds is 'Refunds to cards that the gateway ordered. Contents are kept until the outcome is final, the digest for ever';
create index card_refunds_of_charge on ${schema}.card_refunds ((contents ->> 'chargeReference')) where contents is not null;
`

// What a bank says of an order beside its outcome, and the version of the protocol in which it was ordered.
// What was refused before it was forwarded is barred, with the code of the refusal.
const details = (schema: string): string =>
  ['orders', 'card_refunds']
    .map(
      (table) => `
alter table ${schema}.${table}
  add column network_reference text check (length(network_reference) between 1 and 60),
  add column fee_kobo bigint check (fee_kobo >= 0),
  add column protocol smallint not null default 1;
`,
    )
    .join('')

const wordsByHand = (schema: string): string => `
create table ${schema}.words_by_hand (
  session_id text primary key references ${schema}.orders,
  status text not null check (status in ('SUCCESS', 'FAILED')),
  said_by text not null check (said_by <> ''),
  said_at timestamptz not null
);
comment on table ${schema}.words_by_hand is 'What one person has said of a payout that its bank says nothing about; another has to say the same';
`

// Cards that are typed on the acquirer's page: what may be kept of one is learnt from the acquirer.
const cardPages = (schema: string): string => `
alter table ${schema}.charges
  add column on_page boolean not null default false,
  add column known jsonb,
  add constraint known_is_short check (known is null or (on_page and known ->> 'first6' ~ '^\\d{6}$' and known ->> 'last4' ~ '^\\d{4}$'));
comment on table ${schema}.charges is 'Card charges: how far each has got, and what its card may be called: first six and last four digits at most';
`

// A bank's file of a day may show a credit without the account that was paid; the gateway finds the cell of
// the credit by it.
const numbersOfCredits = (schema: string): string => `
alter table ${schema}.notices add column number_id bigint references ${schema}.numbers;
`

// What the lines of a day are was decided when its statement was first given, and stays: later readings, and
// those of other cells, get the same. Nothing of the file is kept but the names that its lines have with us.
// The amount of an order tells it from its charges, when its contents are long erased.
const statements = (schema: string): string => `
create table ${schema}.statements (
  day date primary key,
  digest text not null,
  names jsonb not null,
  given_at timestamptz not null
);
comment on table ${schema}.statements is 'What the lines of files of statements were named when each was first given, and the digest of the file';
alter table ${schema}.orders add column kobo bigint check (kobo >= 0);
alter table ${schema}.card_refunds add column kobo bigint check (kobo >= 0);
create index orders_by_network_reference on ${schema}.orders (network_reference) where network_reference is not null;
alter table ${schema}.claims add column absent_at timestamptz;
alter table ${schema}.number_orders add column due_at timestamptz, add column attempts int not null default 0;
`

/** In their order; the number is the place in the list. */
export const migrations = (schema: string): readonly string[] => [
  orders(schema),
  notices(schema),
  numbers(schema),
  claims(schema),
  charges(schema),
  cardRefunds(schema),
  wordsByHand(schema),
  details(schema),
  cardPages(schema),
  numbersOfCredits(schema),
  statements(schema),
]

export const database = (schema: string) => ({
  /** Two processes that start together would both find nothing. Held until the end of the database
   *  transaction. */
  turn: `select pg_advisory_xact_lock(hashtextextended('connector-kit ${schema}', 0))`,
  prepare: `
create schema if not exists ${schema};
create table if not exists ${schema}.migrations (number int primary key, digest text not null, applied_at timestamptz not null)`,
  applied: `select number, digest from ${schema}.migrations order by number`,
  note: `insert into ${schema}.migrations (number, digest, applied_at) values ($1, $2, $3)`,
  ready: `select count(*)::int as applied from ${schema}.migrations`,
})
