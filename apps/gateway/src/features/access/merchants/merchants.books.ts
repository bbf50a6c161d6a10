// The invariants of merchants: each is in the state that its file says, has what a live one has, and went
// live with its documents.
import { REQUIRED_DOCUMENTS } from '@cowrie/contract/access/merchants'
import type { Books } from '#core/books/invariants.ts'
import { accountIn, MERCHANT_KINDS } from '#core/ledger/chart.ts'
import { MAIL_KEY_LINK } from './links/key-links.ts'

const kinds = MERCHANT_KINDS.map((kind) => `(${accountIn('m.id', kind)}, '${kind}')`).join(', ')

// The exam is required since later: who went live before has none.
const PAPERS = REQUIRED_DOCUMENTS.filter((kind) => kind !== 'WEBHOOK_EXAM')
const INVARIANTS: Readonly<Record<string, string>> = {
  'a merchant has a file, is open exactly if that says so, and suspended exactly if that says so': `
    select coalesce(f.id, m.id) from merchant_files f full join merchants m on m.id = f.id
    where f.id is null
      or (m.id is not null) <> (f.status in ('LIVE', 'SUSPENDED', 'CLOSED'))
      or m.suspended <> (f.status in ('SUSPENDED', 'CLOSED'))`,
  'a merchant that is open has a key, a contract, a fee schedule and its accounts': `
    select m.id from merchants m
    where m.secret_sealed not like 'v1.%'
      or length(m.secret_digest) <> 32
      or not exists (select from contracts c where c.merchant_id = m.id)
      or not exists (select from fee_schedules f where f.merchant_id = m.id)
      or exists (
        select from (values ${kinds}) as k(id, kind)
        where not exists (select from accounts a where a.id = k.id and a.merchant_id = m.id and a.kind = k.kind)
      )`,
  'a merchant that applied went live with its papers accepted': `
    select s.object_id from state_changes s
    cross join (values ${PAPERS.map((kind) => `('${kind}')`).join(', ')}) as r(kind)
    where s.object = 'merchant' and s.action = 'goLive'
      and coalesce((
        select d.state from merchant_documents d
        where d.merchant_id = s.object_id and d.kind = r.kind and d.recorded_at <= s.at order by d.id desc limit 1
      ), 'MISSING') <> 'ACCEPTED'`,
  'a key link that was not mailed has its timer': `
    select k.id from key_links k
    where k.digest is null and k.used_at is null and k.ended_at is null
      and not exists (select from agenda a where a.kind = '${MAIL_KEY_LINK}' and a.subject = k.id)`,
}

export const merchantBooks: Books = { invariants: INVARIANTS }
