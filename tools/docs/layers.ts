// The picture of the layers and rooms in ARCHITECTURE.md, from the imports of the code itself, tests left
// out.
import { ROOMS } from '../tidy/rooms.ts'
import { importsOf, type SourceFile } from '../tidy/scan.ts'

type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** The first that fits. Everything at the top of the gateway is wiring. */
const LAYERS: readonly (readonly [prefix: string, layer: string])[] = [
  ['packages/contract/', 'contract'],
  ['packages/cli/', 'cli'],
  ['packages/connector-exam/', 'connector-exam'],
  ['packages/connector-kit/', 'connector-kit'],
  ['packages/design/', 'design'],
  ['packages/sdk/', 'sdk'],
  ['apps/checkout/', 'checkout'],
  ['apps/dashboard/', 'dashboard'],
  ['apps/simulator/', 'simulator'],
  ['apps/gateway/src/kit/', 'kit'],
  ['apps/gateway/src/core/', 'core'],
  ['apps/gateway/src/outside/', 'outside'],
  ...Object.keys(ROOMS).map((room) => [`apps/gateway/src/features/${room}/`, room] as const),
  ['apps/gateway/src/', 'app'],
  ['tools/', 'tools'],
  ['trials/', 'trials'],
]
/** From the top of the house to its ground. */
const GATEWAY = ['app', ...Object.keys(ROOMS).reverse(), 'core', 'outside', 'kit']
const layerOf = (path: string): string | undefined => LAYERS.find(([prefix]) => path.startsWith(prefix))?.[1]

const isCode = (path: string): boolean =>
  /\.tsx?$/.test(path) && !/\.test\.ts$|^(?:apps|packages)\/[^/]+\/test\//.test(path)

export function layerGraph(tree: readonly SourceFile[]): Graph {
  const graph = new Map<string, Set<string>>(LAYERS.map(([, layer]) => [layer, new Set()]))
  for (const file of tree) {
    const layer = layerOf(file.path)
    if (layer === undefined || !isCode(file.path)) continue
    for (const { target } of importsOf(file)) {
      const used = layerOf(target)
      if (used !== undefined && used !== layer) graph.get(layer)?.add(used)
    }
  }
  return graph
}

/** Whether one leads to the other by at least one layer in between. */
function byDetour(graph: Graph, from: string, to: string): boolean {
  const seen = new Set([from])
  const next = [...(graph.get(from) ?? [])].filter((layer) => layer !== to)
  for (let layer = next.pop(); layer !== undefined; layer = next.pop()) {
    if (seen.has(layer)) continue
    seen.add(layer)
    if (graph.get(layer)?.has(to)) return true
    next.push(...(graph.get(layer) ?? []))
  }
  return false
}

/** Mermaid. An arrow that follows from others is left out. */
export function layersPicture(graph: Graph): string {
  const arrows = [...graph].flatMap(([from, used]) =>
    [...used].filter((to) => !byDetour(graph, from, to)).map((to) => `  ${from} --> ${to}\n`),
  )
  const box = `  subgraph gateway[apps/gateway]\n${GATEWAY.map((layer) => `    ${layer}\n`).join('')}  end\n`
  return `\`\`\`mermaid\nflowchart TD\n${box}${arrows.sort().join('')}\`\`\`\n`
}
