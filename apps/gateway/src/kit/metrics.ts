// Figures of this process in Prometheus' text format. Counting is an addition to a number that was looked up
// once; nothing is made on the way of a payment. Values of labels come from lists of ours (routes, paths of
// the protocol, kinds of timers), never from a caller.

export type Kind = 'counter' | 'gauge' | 'histogram'
export type Family = {
  readonly name: string
  readonly kind: Kind
  readonly help: string
  readonly labels: readonly string[]
  /** Which processes have it. */
  readonly of: 'api' | 'worker' | 'both'
  readonly lines: () => string[]
}
export type FamilySpec = Pick<Family, 'name' | 'help' | 'of'> & { readonly labels?: readonly string[] }

/** More than these are a fault of ours: a label that takes what callers send. The rest is counted
 *  together. */
const SERIES_MAX = 5_000
const REST = 'other'

const escaped = (value: string): string => value.replace(/[\\"\n]/g, (hit) => (hit === '\n' ? '\\n' : `\\${hit}`))
const labelText = (names: readonly string[], values: readonly string[]): string =>
  names.length === 0 ? '' : `{${names.map((name, at) => `${name}="${escaped(values[at] ?? '')}"`).join(',')}}`

const FAMILIES = new Map<string, Family>()
/** Every family there is, in the order in which they are written down. */
export const families = (): readonly Family[] => [...FAMILIES.values()]

/** One of each combination of labels, made when it is first asked for. */
function childrenOf<Child>(make: () => Child) {
  const children = new Map<string, { readonly values: readonly string[]; readonly child: Child }>()
  const of = (...values: readonly string[]): Child => {
    const key = values.length === 1 ? (values[0] as string) : values.join('\n')
    const known = children.get(key)
    if (known) return known.child
    if (children.size >= SERIES_MAX && values.some((value) => value !== REST)) return of(...values.map(() => REST))
    const child = make()
    children.set(key, { values, child })
    return child
  }
  return { children, of }
}

function declare<Child>(
  kind: Kind,
  said: FamilySpec,
  make: () => Child,
  linesOf: (name: string, labels: readonly string[], values: readonly string[], child: Child) => string[],
): (...values: readonly string[]) => Child {
  const { name, help, of, labels = [] } = said
  const { children, of: childOf } = childrenOf(make)
  const lines = (): string[] => [...children.values()].flatMap((one) => linesOf(name, labels, one.values, one.child))
  if (FAMILIES.has(name)) throw new Error(`the series ${name} is declared twice`)
  FAMILIES.set(name, { name, kind, help, labels, of, lines })
  return childOf
}

export type Count = { n: number }
const line = (name: string, labels: readonly string[], values: readonly string[], { n }: Count): string[] => [
  `${name}${labelText(labels, values)} ${n}`,
]
export const counter = (said: FamilySpec): ((...values: readonly string[]) => Count) =>
  declare('counter', said, () => ({ n: 0 }), line)
export const gauge = (said: FamilySpec): ((...values: readonly string[]) => Count) =>
  declare('gauge', said, () => ({ n: 0 }), line)

export type Spread = { observe(value: number): void }
/** Where each value falls among bounds, in ascending order. */
export function histogram(said: FamilySpec, bounds: readonly number[]): (...values: readonly string[]) => Spread {
  const make = () => {
    const counts = new Float64Array(bounds.length + 1)
    const total = { sum: 0 }
    const observe = (value: number): void => {
      let at = 0
      while (at < bounds.length && value > (bounds[at] as number)) at += 1
      counts[at] = (counts[at] as number) + 1
      total.sum += value
    }
    return { counts, total, observe }
  }
  return declare('histogram', said, make, (name, labels, values, { counts, total }) => {
    let below = 0
    const buckets = [...bounds.map(String), '+Inf'].map((bound, at) => {
      below += counts[at] as number
      return `${name}_bucket${labelText([...labels, 'le'], [...values, bound])} ${below}`
    })
    const own = labelText(labels, values)
    return [...buckets, `${name}_sum${own} ${total.sum}`, `${name}_count${own} ${below}`]
  })
}

/** What a process of a role serves. */
export const metricsText = (role: string): string =>
  families()
    .filter(({ of }) => of === 'both' || of === role)
    .map(({ name, kind, help, lines }) =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines(), ''].join('\n'),
    )
    .join('')
