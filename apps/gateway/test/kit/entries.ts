/** Entries are parts of their transfer and cannot be changed one by one. In databases of tests they can:
 *  planted faults are single entries. */
export const CHANGEABLE_ENTRIES = `
create function change_entry() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update transfers t set accounts = coalesce(kept.accounts, '{}'), amounts = coalesce(kept.amounts, '{}') from (
      select array_agg(e.account_id order by e.place) as accounts, array_agg(e.kobo order by e.place) as amounts
      from transfers f cross join lateral unnest(f.accounts, f.amounts) with ordinality as e(account_id, kobo, place)
      where f.id = old.transfer_id and e.account_id <> old.account_id
    ) kept where t.id = old.transfer_id;
  end if;
  if tg_op = 'DELETE' then return old; end if;
  update transfers set accounts = accounts || new.account_id, amounts = amounts || new.kobo where id = new.transfer_id;
  return new;
end $$;
create trigger change_entry instead of insert or update or delete on entries for each row execute function change_entry()`
