-- People list a merchant's reserved accounts, the newest first (docs/decisions/0060-proof-in-the-browser.md).

create index reserved_accounts_newest on reserved_accounts (merchant_id, id) where status = 'RESERVED';
