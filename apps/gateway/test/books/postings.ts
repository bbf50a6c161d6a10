// Statements that corrupt postings: what the plants of several features have in common.

/** A second posting like the one an object has. */
export const again = (object: bigint, kind: string): string => `
  insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
    select 1, merchant_id, kind, object, object_id, at, accounts, amounts from transfers where object_id = ${object} and kind = '${kind}'`
export const entries = (set: string, object: bigint, kind: string, more: string): string =>
  `update entries e set ${set} from transfers f where f.id = e.transfer_id and f.object_id = ${object} and f.kind = '${kind}' and ${more}`
