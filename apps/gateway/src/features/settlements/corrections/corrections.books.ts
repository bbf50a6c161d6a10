// The invariants of corrections, and of all postings that two people decide on.
import { acceptHeldMoney } from '@cowrie/contract/screens/suspense'
import type { Books } from '#core/books/invariants.ts'
import { isHere } from '#core/cells/departed.ts'
import { accountIn, bankAccountIn, cardReceivableIn, houseAccount } from '#core/ledger/chart.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  // Without a second person a merchant's own people accept only what its policy held, into its own wallet,
  // with their line in the trail.
  'a correction, and money given out of suspense, names an approval that was executed, or its merchant accepted it': `
    select f.id from transfers f
    left join approved_postings p on p.transfer_id = f.id
    left join approvals a on a.id = p.approval_id
    left join suspense_items s on s.id = f.object_id and s.merchant_id = f.merchant_id and s.owner = 'merchant'
    left join (
      select merchant_id, after::jsonb ->> 'id' as item from trail
      where what = '${acceptHeldMoney.id}' and approval_id is null
    ) l on l.merchant_id = s.merchant_id and l.item = s.id::text
    where f.kind in ('CORRECTION', 'CORRECTION_UNDO', 'SUSPENSE_REASSIGN')
      and a.status is distinct from 'EXECUTED'
      and (
        f.kind <> 'SUSPENSE_REASSIGN' or p.transfer_id is not null or l.item is null
        or ${accountIn('f.merchant_id', 'WALLET')} <> all(f.accounts)
      )`,
  'a posting that was approved is there, under its merchant': `
    select p.transfer_id from approved_postings p
    left join transfers f on f.id = p.transfer_id
    where f.merchant_id is distinct from p.merchant_id and ${isHere('p.transfer_id')}`,
  'a correction ended its break, under the same approval, and moved the bank, or what is on its way': `
    select f.id from transfers f
    left join recon_breaks b on b.id = f.object_id
    left join approved_postings p on p.transfer_id = f.id
    left join corrections_undone u on u.correction_id = f.id
    where f.kind = 'CORRECTION'
      and ((u.correction_id is null and (f.object, b.status, b.approval_id) is distinct from ('recon_break', 'RESOLVED', p.approval_id))
        or case when b.class = 'TRANSIT' then ${houseAccount('SWEEPS')} when b.kind like 'CARD_REFUND%' then ${cardReceivableIn('b.connector')}
          else ${bankAccountIn('b.connector')} end <> all(f.accounts))`,
  'what undid a correction is its mirror, for the same break': `
    select coalesce(u.transfer_id, g.id) from corrections_undone u
    full join (select * from transfers where kind = 'CORRECTION_UNDO') g on g.id = u.transfer_id
    left join transfers f on f.id = u.correction_id
    where u.transfer_id is null or ${isHere('u.correction_id')} and ${isHere('u.transfer_id')}
      and ((f.kind, f.merchant_id, f.object, f.object_id, f.accounts) is distinct from
          ('CORRECTION', g.merchant_id, g.object, g.object_id, g.accounts)
        or g.object_id is distinct from u.break_id
        or g.amounts is distinct from (select array_agg(-o.kobo order by o.place) from unnest(f.amounts) with ordinality as o(kobo, place)))`,
  'a break was corrected once': `
    select b.id from recon_breaks b
    left join (
      select p.approval_id, count(*) as postings from approved_postings p
      group by p.approval_id
    ) n on n.approval_id = b.approval_id
    where b.approval_id is not null and n.postings is distinct from 1`,
  'nothing but corrections is on our account of differences': `
    select f.id from transfers f
    where ${houseAccount('DIFFERENCES')} = any(f.accounts) and f.kind not in ('CORRECTION', 'CORRECTION_UNDO', 'CARRIED')`,
}

export const correctionBooks: Books = { invariants: INVARIANTS }
