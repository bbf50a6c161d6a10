// Who may import whom, and that nobody imports himself by a detour: files, and folders too.
import { posix } from 'node:path'
import {
  at,
  below,
  CHECKOUT,
  CLI,
  CONNECTOR_EXAM,
  CONNECTOR_KIT,
  CONNECTORS,
  CONTRACT,
  CORE,
  DASHBOARD,
  DESIGN,
  type Finding,
  GATEWAY,
  isPackage,
  isShipped,
  isTest,
  KIT,
  OUTSIDE,
  type Rule,
  SDK,
  show,
  sources,
} from './files.ts'
import { featureOf } from './rooms.ts'
import { type Import, importsOf, type SourceFile } from './scan.ts'

/** The agents' protocol is a pair of pipes, and no way to the gateway. */
const IN_THE_COMMAND = ['commander', '@modelcontextprotocol/server']
const IN_AN_ADAPTER = ['pg', 'typebox', 'undici']
const IN_THE_BROWSER = ['react', 'react-dom', '@tanstack', 'uqr', 'typebox', 'virtual:routes']

/** What is wrong with one import, or null. */
function misdirected(path: string, { from, target }: Import): string | null {
  const inTree = from.startsWith('.') || target !== from
  if (isTest(target)) return 'shipped code may not import tests'
  if (path.startsWith(CONTRACT))
    return below(target, CONTRACT) || isPackage(from, 'typebox', 'node:crypto')
      ? null
      : 'the contract knows only typebox'
  if (path.startsWith(DESIGN))
    return below(target, DESIGN, CONTRACT) || isPackage(from, 'node:fs') ? null : 'the design knows only the contract'
  if (path.startsWith(CHECKOUT))
    return below(target, CHECKOUT, DESIGN, CONTRACT) || isPackage(from, 'node:crypto', 'node:fs')
      ? null
      : 'checkout knows only the contract and the design'
  if (path.startsWith(DASHBOARD))
    return below(target, DASHBOARD, DESIGN, CONTRACT) || isPackage(from, ...IN_THE_BROWSER)
      ? null
      : 'the dashboard knows only the contract, the design and what it shows screens with'
  if (path.startsWith(CLI))
    return below(target, CLI, CONTRACT, DESIGN) || isPackage(from, ...IN_THE_COMMAND) || from.startsWith('node:')
      ? null
      : 'the command line meets the gateway by HTTP only'
  if (path.startsWith(SDK))
    return below(target, SDK) || (path.startsWith(`${SDK}examples/`) && from.startsWith('node:'))
      ? null
      : 'the SDK depends on nothing: what it knows of the contract is generated'
  if (path.startsWith(`${CONNECTOR_KIT}src/`))
    return below(target, `${CONNECTOR_KIT}src/`, CONTRACT) ||
      isPackage(from, ...IN_AN_ADAPTER) ||
      from.startsWith('node:')
      ? null
      : 'the connector kit knows only the contract, and meets the gateway by HTTP only'
  if (path.startsWith(CONNECTORS)) {
    const own = path.split('/').slice(0, 2).join('/')
    return below(target, `${own}/`, `${CONNECTOR_KIT}src/index.ts`, CONTRACT) ||
      isPackage(from, ...IN_AN_ADAPTER) ||
      from.startsWith('node:')
      ? null
      : 'an adapter knows only the kit and the contract, and meets the gateway by HTTP only'
  }
  if (path.startsWith(CONNECTOR_EXAM))
    return below(target, CONNECTOR_EXAM, CONTRACT) || isPackage(from, ...IN_AN_ADAPTER) || from.startsWith('node:')
      ? null
      : 'the exam knows only the contract, and meets an adapter by HTTP only'
  if (path.startsWith('apps/simulator/'))
    return below(target, 'apps/gateway/') ? 'the simulator and the gateway meet by HTTP only' : null
  if (!path.startsWith(GATEWAY) || !inTree) return null
  if (below(target, 'apps/simulator/')) return 'the gateway and the simulator meet by HTTP only'
  const [, wiring] = /^(app|feature-list|gateway|api|worker)\.ts$/.exec(path.slice(GATEWAY.length)) ?? []
  if (wiring !== undefined && featureOf(target) === undefined)
    return wiring === 'gateway' || !below(target, OUTSIDE) ? null : 'only gateway.ts wires outside'
  if (wiring === 'feature-list')
    return target.endsWith('.feature.ts') ? null : 'feature-list.ts knows the one value of a feature only'
  if (path.startsWith(KIT)) return below(target, KIT, CONTRACT) ? null : 'kit knows only kit and the contract'
  if (path.startsWith(CORE))
    return below(target, CORE, KIT, CONTRACT) ? null : 'core knows only kit, core and the contract'
  if (path.startsWith(OUTSIDE))
    return below(target, OUTSIDE, KIT, CONTRACT) ? null : 'outside knows only kit and the contract'
  const own = featureOf(path)
  const other = featureOf(target)
  if (other !== undefined && other !== own && /\.(?:sql|routes|due|books|feature)\.ts$/.test(target))
    return own === undefined
      ? 'only feature-list.ts names features'
      : "another feature's sql, routes, due, books and feature are its own"
  if (below(target, OUTSIDE)) return 'only gateway.ts wires outside'
  if (own === undefined) return null
  return other !== undefined || below(target, KIT, CORE, CONTRACT, CHECKOUT, DESIGN)
    ? null
    : 'a feature knows kit, core, the contract, checkout, the design and features'
}

export const direction: Rule = (tree) =>
  tree
    .filter((file) => isShipped(file.path))
    .flatMap((file) =>
      importsOf(file).flatMap((found) => {
        const wrong = misdirected(file.path, found)
        return wrong === null ? [] : at(file, found.index, 'direction', `imports ${found.from}; ${wrong}`)
      }),
    )

/** The part of the gateway that a file is of: a feature, `core`, `kit`, `outside`, the tests' helpers, or the
 *  wiring. */
const partOf = (path: string): string | undefined =>
  featureOf(path) ?? /^apps\/gateway\/(?:src\/)?(?:(core|kit|outside|test)\/|[^/]+$)/.exec(path)?.[1]

/** `#kit/fail.ts` says where it leads, and stays true when a folder moves; `../../../kit/fail.ts` does
 *  neither. */
export const subpath: Rule = (tree) =>
  sources(tree)
    .filter(({ path }) => path.startsWith('apps/gateway/'))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ from, target }) => from.startsWith('.') && partOf(target) !== partOf(file.path))
        .filter(({ target }) => /^apps\/gateway\/(?:src\/(?:core|kit|features)|test)\//.test(target))
        .map(({ from, target, index }) => {
          const alias = target.replace(/^apps\/gateway\/(?:src\/)?/, '#')
          return at(file, index, 'subpath', `imports ${from}; write ${alias}`)
        }),
    )

/** Where a node of a graph of imports leads, and the import that leads there. */
type Ways = Map<string, { readonly file: SourceFile; readonly index: number }>
type Graph = Map<string, Ways>

/** Every circle that a walk over the graph comes upon, at the import that closes it. */
function circlesIn(graph: Graph, rule: string): Finding[] {
  const done = new Set<string>()
  const found: Finding[] = []
  const visit = (node: string, trail: readonly string[]) => {
    const way = [...trail, node]
    for (const [next, { file, index }] of graph.get(node) ?? []) {
      const since = way.indexOf(next)
      if (since >= 0) found.push(at(file, index, rule, [...way.slice(since), next].join(' → ')))
      else if (!done.has(next)) visit(next, way)
    }
    done.add(node)
  }
  for (const node of graph.keys()) if (!done.has(node)) visit(node, [])
  return found
}

/** The graph over what `nodeOf` makes of a path; null: no part of it. Nodes lead nowhere inside
 *  themselves. */
function graphOf(tree: readonly SourceFile[], nodeOf: (path: string) => string | null): Graph {
  const graph: Graph = new Map()
  const known = new Set(tree.map(({ path }) => path))
  for (const file of tree) {
    const node = nodeOf(file.path)
    if (node === null) continue
    const ways: Ways = graph.get(node) ?? new Map()
    graph.set(node, ways)
    for (const { target, index } of importsOf(file)) {
      const next = known.has(target) ? nodeOf(target) : null
      if (next === null || (next === node && target !== file.path) || ways.has(next)) continue
      ways.set(next, { file, index })
    }
  }
  return graph
}

export const noCircle: Rule = (tree) =>
  circlesIn(
    graphOf(sources(tree), (path) => path),
    'no-circle',
  )

/** Where a folder is a room with a subject. What lies at the top of a house composes, and no room knows
 *  it. */
const HOUSES = [
  `${GATEWAY}features/`,
  'packages/contract/src/',
  `${CONNECTOR_KIT}src/`,
  `${CONNECTOR_EXAM}src/`,
  'apps/simulator/src/',
]
const houseOf = (path: string) => HOUSES.find((house) => path.startsWith(house))
/** A room with all that is in it, a feature with all of its folders, and each folder alone: none may lead
 *  back to where it came from. */
const roomOf = (path: string): string | null => {
  const house = houseOf(path)
  const [room, inside] = path.slice(house?.length ?? 0).split('/')
  return house === undefined ? null : house + (inside === undefined ? '' : room)
}
const folderOf = (path: string): string | null => (houseOf(path) === undefined ? null : posix.dirname(path))

/** What knows each other in a ring can only be understood and changed together, whatever the folders say. */
export const folderCircle: Rule = (tree) => {
  const shipped = tree.filter(({ path }) => isShipped(path))
  const featurePathOf = (path: string): string | null => {
    const feature = featureOf(path)
    return feature === undefined ? null : `${GATEWAY}features/${feature}`
  }
  const found = [roomOf, featurePathOf, folderOf].flatMap((nodeOf) =>
    circlesIn(graphOf(shipped, nodeOf), 'folder-circle'),
  )
  return [...new Map(found.map((one) => [show(one), one])).values()]
}
