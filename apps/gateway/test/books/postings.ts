// Statements that corrupt postings: what the plants of several features have in common.

/** A second posting like the one an object has. */
export const again = (object: bigint, kind: string): string => `
  insert into transfers (id, merchant_id, kind, object, object_id, at) select 1, merchant_id, kind, object, object_id, at
    from transfers where object_id = ${object} and kind = '${kind}';
  insert into entries (account_id, transfer_id, kobo) select e.account_id, 1, e.kobo from entries e join transfers f on f.id = e.transfer_id
    where f.object_id = ${object} and f.kind = '${kind}' and f.id <> 1`
export const entries = (set: string, object: bigint, kind: string, more: string): string =>
  `update entries e set ${set} from transfers f where f.id = e.transfer_id and f.object_id = ${object} and f.kind = '${kind}' and ${more}`
