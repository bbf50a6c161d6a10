-- Mails to customers have a daily limit per recipient and per merchant; both are counted when an invoice is made.
create index mails_by_recipient on mails (merchant_id, lower(recipient), created_at);
create index mails_by_day on mails (merchant_id, created_at);
