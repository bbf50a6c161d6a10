// Faults for the invariants of receipts.
type Scene = { readonly main: bigint; readonly other: bigint; readonly event: bigint }
type Plant = readonly [what: string, sql: (scene: Scene) => string]

const looked = (merchant: bigint, upTo: number): string =>
  `insert into receipt_settings values (${merchant}, true, true, true, ${upTo}) on conflict (merchant_id) do update set looked_at = ${upTo};`
const receipt = (event: bigint, merchant: bigint, sent: 'at' | 'null'): string =>
  `insert into receipts (event_id, merchant_id, created_at, sent_at) select id, ${merchant}, at, ${sent} from events where id = ${event}`

export const RECEIPT_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  "a receipt is of a merchant's event that was looked at": [
    ['nobody has looked', (s) => looked(s.main, 0) + receipt(s.event, s.main, 'at')],
    ['it is of another merchant', (s) => looked(s.other, 1_000_000) + receipt(s.event, s.other, 'at')],
    [
      'it is of an event that never was',
      (s) => `${looked(s.main, 1_000_000)} insert into receipts values (1, ${s.main}, '2026-05-02', '2026-05-02')`,
    ],
  ],
  'a receipt that was neither sent nor refused has its timer': [
    ['it is gone', (s) => looked(s.main, 1_000_000) + receipt(s.event, s.main, 'null')],
  ],
}
