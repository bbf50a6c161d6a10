// What every rule of the tree needs: the kinds of file there are, and how a finding names its place.
import { blank, type SourceFile } from './scan.ts'

export type Finding = { readonly path: string; readonly line: number; readonly rule: string; readonly what: string }
export type Rule = (tree: readonly SourceFile[]) => Finding[]

export const show = (f: Finding): string => `${f.path}:${f.line} ${f.rule}: ${f.what}`

export const GATEWAY = 'apps/gateway/src/'
export const isSource = (path: string) => /\.(?:[cm]?[jt]s|tsx)$/.test(path)
export const isTest = (path: string) =>
  path.endsWith('.test.ts') ||
  /^(?:apps\/gateway|packages\/connector-(?:kit|exam)|connectors\/[^/]+)\/(?:test|fake)\//.test(path)
export const isWorkbench = (path: string) => /^(?:tools|trials|samples)\//.test(path)
export const isShipped = (path: string) =>
  isSource(path) && !isTest(path) && /^(?:apps|packages|connectors)\//.test(path)
export const isGateway = (path: string) => path.startsWith(GATEWAY) && isSource(path) && !isTest(path)
export const isMigration = (path: string) => /^apps\/gateway\/migrations\/.*\.sql$/.test(path)

export const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length
export const at = (file: SourceFile, index: number, rule: string, what: string): Finding => ({
  path: file.path,
  line: lineAt(file.text, index),
  rule,
  what,
})
export const hits = (
  file: SourceFile,
  text: string,
  pattern: RegExp,
  rule: string,
  what: (hit: string) => string,
): Finding[] => [...text.matchAll(pattern)].map((hit) => at(file, hit.index, rule, what(hit[0].trim())))
export const sources = (tree: readonly SourceFile[]) => tree.filter((file) => isSource(file.path))
/** SQL without its comments; positions stay. */
export const withoutComments = (sql: string) => sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, blank)

export const below = (target: string, ...homes: string[]) => homes.some((home) => target.startsWith(home))
export const isPackage = (from: string, ...names: string[]) =>
  names.some((name) => from === name || from.startsWith(`${name}/`))
export const CONTRACT = 'packages/contract/'
export const CHECKOUT = 'apps/checkout/'
export const DASHBOARD = 'apps/dashboard/'
export const CLI = 'packages/cli/'
export const CONNECTOR_KIT = 'packages/connector-kit/'
export const CONNECTOR_EXAM = 'packages/connector-exam/'
/** Adapters, a folder for each bank. */
export const CONNECTORS = 'connectors/'
export const DESIGN = 'packages/design/'
export const SDK = 'packages/sdk/'
export const [KIT, CORE, OUTSIDE] = [`${GATEWAY}kit/`, `${GATEWAY}core/`, `${GATEWAY}outside/`]
