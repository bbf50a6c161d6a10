// Faults that are switched on for a share of the orders: of payouts, or of debits.

/** Shares of the orders, from 0 to 1, that go wrong in each way. */
export type Faults = {
  readonly seed: string
  readonly lost: number
  readonly late: number
  readonly doubled: number
  readonly reversed: number
}

const share = (value: unknown): number | null =>
  value === undefined ? 0 : typeof value === 'number' && value >= 0 && value <= 1 ? value : null

/** An empty object is null: it turns faults off. */
export function readFaults(
  fields: Readonly<Record<string, unknown>>,
): { readonly faults: Faults | null } | { readonly error: string } {
  if (Object.keys(fields).length === 0) return { faults: null }
  const { seed } = fields
  if (typeof seed !== 'string' && typeof seed !== 'number') return { error: 'seed must be a number or a string' }
  const strange = Object.keys(fields).find((name) => !['seed', 'lost', 'late', 'doubled', 'reversed'].includes(name))
  if (strange !== undefined) return { error: `${strange} is not a fault; use lost, late, doubled or reversed` }
  const [lost, late, doubled, back] = ['lost', 'late', 'doubled', 'reversed'].map((name) => share(fields[name]))
  if (lost == null || late == null || doubled == null || back == null)
    return { error: 'lost, late, doubled and reversed must be between 0 and 1' }
  if (lost + late + doubled + back > 1 + 1e-9)
    return { error: 'lost, late, doubled and reversed must not add up to more than 1' }
  return { faults: { seed: String(seed), lost, late, doubled, reversed: back } }
}
