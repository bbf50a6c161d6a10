import type { DocumentKind, MerchantState } from '@cowrie/contract/access/merchants'
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type FileRow = Pick<
  Rows['merchant_files'],
  | 'id'
  | 'version'
  | 'name'
  | 'email'
  | 'registration_number'
  | 'address'
  | 'website'
  | 'contact'
  | 'expected_monthly_naira'
  | 'created_at'
> & {
  status: MerchantState
  api_key: string | null
}
const COLUMNS = `f.id, f.status, f.version, f.name, f.email, f.registration_number, f.address, f.website, f.contact, f.expected_monthly_naira,
  f.created_at, m.api_key`
const FROM = 'merchant_files f left join merchants m on m.id = f.id'

export type NewFile = Omit<FileRow, 'version' | 'created_at' | 'api_key'> & { readonly by: string }
export const insert = (t: Tx, file: NewFile): Promise<unknown> =>
  insertInto('merchant_files', t, {
    id: file.id,
    merchant_id: file.id,
    status: file.status,
    name: file.name,
    email: file.email,
    registration_number: file.registration_number,
    address: file.address,
    website: file.website,
    contact: file.contact,
    expected_monthly_naira: file.expected_monthly_naira,
    created_by: file.by,
    created_at: t.now,
  })

const FIND: Statement = {
  name: 'merchant_files_find',
  text: `select ${COLUMNS} from ${FROM} where f.id = $1 and f.merchant_id = $1`,
}
export const find = async (read: Read, id: bigint): Promise<FileRow | null> =>
  (await read.query<FileRow>(FIND, [id]))[0] ?? null

const LOCK: Statement = {
  name: 'merchant_files_lock',
  text: `select ${COLUMNS} from ${FROM} where f.id = $1 and f.merchant_id = $1 for update of f`,
}
export const lock = async (t: Tx, id: bigint): Promise<FileRow | null> =>
  (await t.query<FileRow>(LOCK, [id]))[0] ?? null

const SET_SUSPENDED: Statement = {
  name: 'merchants_set_suspended',
  text: 'update merchants set suspended = $2 where id = $1',
}
export const setSuspended = (t: Tx, id: bigint, suspended: boolean): Promise<unknown> =>
  t.query(SET_SUSPENDED, [id, suspended])

const SET_NAME: Statement = {
  name: 'merchants_set_name',
  text: `with file as (update merchant_files set name = $2 where id = $1 and merchant_id = $1)
    update merchants set name = $2 where id = $1`,
}
export const setName = (t: Tx, id: bigint, name: string): Promise<unknown> => t.query(SET_NAME, [id, name])

const LIST: Statement = {
  name: 'merchant_files_list',
  text: `
-- all merchants: the operator looks through them
select ${COLUMNS} from ${FROM}
where f.id > $1 and ($2::text is null or f.status = $2)
  and ($3::text is null or position(lower($3) in lower(f.name)) > 0 or position(lower($3) in lower(f.email)) > 0)
order by f.id limit $4`,
}
export const list = (
  read: Read,
  asked: { after: bigint; state: string | null; search: string | null; most: number },
): Promise<FileRow[]> => read.query(LIST, [asked.after, asked.state, asked.search, asked.most])

const HISTORY: Statement = {
  name: 'merchant_files_history',
  text: `select action, from_state as "from", to_state as "to", at from state_changes
    where object_id = $1 and object = 'merchant' and merchant_id = $1 order by version`,
}
export const history = (
  read: Read,
  id: bigint,
): Promise<(Pick<Rows['state_changes'], 'action' | 'at'> & { from: MerchantState; to: MerchantState })[]> =>
  read.query(HISTORY, [id])

// ---- documents

export type DocumentState = 'MISSING' | 'RECEIVED' | 'ACCEPTED' | 'REFUSED'
export type DocumentRow = Pick<Rows['merchant_documents'], 'note' | 'digest' | 'recorded_by' | 'recorded_at'> & {
  kind: DocumentKind
  state: DocumentState
}
export const insertDocument = (
  t: Tx,
  id: bigint,
  merchantId: bigint,
  { kind, state, note, digest, recorded_by }: Omit<DocumentRow, 'recorded_at'>,
): Promise<unknown> =>
  insertInto('merchant_documents', t, {
    id,
    merchant_id: merchantId,
    kind,
    state,
    note,
    digest,
    recorded_by,
    recorded_at: t.now,
  })

const DOCUMENTS: Statement = {
  name: 'merchant_documents_last',
  text: `select distinct on (kind) kind, state, note, digest, recorded_by, recorded_at from merchant_documents
    where merchant_id = $1 order by kind, id desc`,
}
export const documents = (read: Read, merchantId: bigint): Promise<DocumentRow[]> => read.query(DOCUMENTS, [merchantId])

// ---- settings of one that is live

export type SettingsRow = Pick<Rows['merchants'], 'wallet_number' | 'allowed_addresses' | 'requests_per_second'> & {
  contracts: { code: string; name: string }[] | null
}
const SETTINGS: Statement = {
  name: 'merchants_settings',
  text: `select wallet_number, allowed_addresses, requests_per_second,
    (select json_agg(json_build_object('code', c.code, 'name', c.name) order by c.code) from contracts c where c.merchant_id = m.id) as contracts
    from merchants m where m.id = $1`,
}
export const settings = async (read: Read, id: bigint): Promise<SettingsRow | null> =>
  (await read.query<SettingsRow>(SETTINGS, [id]))[0] ?? null

const LOCK_SETTINGS: Statement = {
  name: 'merchants_lock_settings',
  text: 'select allowed_addresses, requests_per_second from merchants where id = $1 for update',
}
type LockedSettings = Pick<SettingsRow, 'allowed_addresses' | 'requests_per_second'>
export const lockSettings = async (t: Tx, id: bigint): Promise<LockedSettings | null> =>
  (await t.query<LockedSettings>(LOCK_SETTINGS, [id]))[0] ?? null

const SET_SETTINGS: Statement = {
  name: 'merchants_set_settings',
  text: 'update merchants set allowed_addresses = $2, requests_per_second = $3 where id = $1',
}
export const setSettings = (t: Tx, id: bigint, to: LockedSettings): Promise<unknown> =>
  t.query(SET_SETTINGS, [id, to.allowed_addresses, to.requests_per_second])

// ---- from where its people come in

type Addresses = Pick<Rows['merchants'], 'people_addresses'>
const PEOPLE: Statement = {
  name: 'merchants_people_addresses',
  text: 'select people_addresses from merchants where id = $1',
}
export const peopleAddresses = async (read: Read, id: bigint): Promise<readonly string[]> =>
  (await read.query<Addresses>(PEOPLE, [id]))[0]?.people_addresses ?? []

const SET_PEOPLE: Statement = {
  name: 'merchants_set_people_addresses',
  text: `
with before as (select id, people_addresses from merchants where id = $1 for update)
update merchants m set people_addresses = $2 from before where m.id = before.id returning before.people_addresses`,
}
/** Answers with those before. */
export const setPeopleAddresses = async (t: Tx, id: bigint, to: readonly string[]): Promise<readonly string[]> =>
  (await t.query<Addresses>(SET_PEOPLE, [id, to]))[0]?.people_addresses ?? []

// ---- what is left of one that is to be closed

const ACCOUNTS: Statement = { name: 'merchants_accounts', text: 'select id, kind from accounts where merchant_id = $1' }
/** Its own, its customers' and its sub accounts'. */
export const accounts = (read: Read, id: bigint): Promise<Pick<Rows['accounts'], 'id' | 'kind'>[]> =>
  read.query(ACCOUNTS, [id])

/** What is on its way, by what it is; the parts are those that features declare. */
export const underWayStatement = (parts: readonly string[]): Statement => ({
  name: 'merchants_under_way',
  text: `select object, count from (
${parts.join('\nunion all ')}
) o where count > 0 order by object`,
})
export const underWay = (read: Read, statement: Statement, id: bigint): Promise<{ object: string; count: bigint }[]> =>
  read.query(statement, [id])

const SUSPENDED_AT: Statement = {
  name: 'merchant_files_suspended_at',
  text: `select at from state_changes where object_id = $1 and object = 'merchant' and merchant_id = $1 and to_state = 'SUSPENDED'
    order by version desc limit 1`,
}
export const suspendedAt = async (read: Read, id: bigint): Promise<Date | null> =>
  (await read.query<Pick<Rows['state_changes'], 'at'>>(SUSPENDED_AT, [id]))[0]?.at ?? null
