-- Shares of payments that were split while their merchant owed something are collected whole (docs/decisions/0022-receivables.md).
-- Such a collection does not lessen what the merchant had to carry for the sub account.
alter table receivable_moves add column later_share boolean not null default false,
  add constraint receivable_moves_of_a_later_share check (not later_share or (kobo < 0 and account_id % 16 = 11));
