// Which invariants the nightly run asks in slices: those that say something of each row, or of rows with one
// key, of a large table, and find what they compare it with by an index. A slice is a range of the table's
// key; its rows stand for the table in the query, everything else is whole. The other invariants compare
// totals or both sides of a join, which no slice can: each is one statement that reads its tables whole,
// under a limit of time (docs/decisions/0024-books.md).
export type Slices = { readonly table: string; readonly keys: readonly string[] }

export const by = (table: string, ...keys: string[]): Slices => ({ table, keys })
