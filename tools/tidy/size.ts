// How long a file, a function and the line of a comment may grow.
import { parseAst } from 'vite'
import { at, type Finding, isTest, type Rule, sources } from './files.ts'
import { type SourceFile, scan } from './scan.ts'

/** Written by tools/generate.ts, so their length is not a choice. */
const GENERATED = new Set([
  'apps/checkout/src/in-page.ts',
  'apps/gateway/src/core/rows.ts',
  'packages/contract/src/bank/banks.ts',
  'packages/sdk/src/generated/events.ts',
  'packages/sdk/src/generated/routes.ts',
  'packages/sdk/src/generated/types.ts',
])

/** What one feature needs stands in its folder. */
const APP = 'apps/gateway/src/app.ts'

export const length: Rule = (tree) =>
  sources(tree)
    .filter(({ path }) => !GENERATED.has(path))
    .flatMap((file) => {
      const { code } = scan(file)
      const lines = code.split('\n').filter((line) => line.trim() !== '').length
      const most = file.path === APP ? 120 : file.path.endsWith('.test.ts') ? 800 : 400
      return lines > most ? [at(file, 0, 'length', `${lines} lines of code, at most ${most}; split by operation`)] : []
    })

const COMMENT_COLUMNS_MAX = 110
/** The formatter wraps code and leaves comments alone; beside another file, a longer one is cut off. */
export const comments: Rule = (tree) =>
  sources(tree)
    .filter(({ path }) => !GENERATED.has(path))
    .flatMap((file) => {
      const code = scan(file).code.split('\n')
      return file.text.split('\n').flatMap((line, index) => {
        const isComment = /^\s*(?:\/\/|\/\*|\*[\s/])/.test(line) && code[index]?.trim() === ''
        const what = `${line.length} columns, at most ${COMMENT_COLUMNS_MAX}`
        return isComment && line.length > COMMENT_COLUMNS_MAX
          ? [{ path: file.path, line: index + 1, rule: 'comments', what }]
          : []
      })
    })

const FUNCTION_LINES_MAX = 70
type Node = { readonly type: string; readonly start: number; readonly end: number }
type Named = { readonly node: Node; readonly name: string }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
const isFunction = ({ type }: Node) =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
const children = (node: Node): Node[] =>
  Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]).filter(isNode))
const nameOf = (node: Node): string | undefined => {
  const named: Node & { id?: unknown; key?: unknown } = node
  const [name] = [named.id, named.key].flatMap((one) =>
    isNode(one) && 'name' in one && typeof one.name === 'string' ? [one.name] : [],
  )
  return name
}
/** The functions that lie directly in a node: not those inside of them. */
const outermost = (node: Node, name = 'a function'): Named[] =>
  children(node).flatMap((child) => {
    const called = nameOf(child) ?? name
    return isFunction(child) ? [{ node: child, name: called }] : outermost(child, called)
  })

const DECLARES = /^(?:VariableDeclaration|FunctionDeclaration|ReturnStatement|TSTypeAliasDeclaration)$/
/** It declares and returns and does nothing: a factory. What it declares is what is read, so those are
 *  counted. */
const isFactory = (node: Node & { readonly body?: unknown }): boolean =>
  isNode(node.body) &&
  (node.body.type !== 'BlockStatement' || children(node.body).every(({ type }) => DECLARES.test(type)))

/** The lines that a function asks its reader to hold at once; comments help to, and are not counted. */
function linesOf(file: SourceFile, node: Node): number {
  const { code } = scan(file)
  const span = (one: Node) =>
    code
      .slice(one.start, one.end)
      .split('\n')
      .filter((line) => line.trim() !== '').length
  const inside = isFactory(node) ? outermost(node).map((one) => span(one.node) - 1) : []
  return span(node) - inside.reduce((sum, lines) => sum + lines, 0)
}

/** The function around a script that runs in a browser is its file. */
const isScript = (program: Node, node: Node): boolean =>
  children(program).some((statement) => statement.type === 'ExpressionStatement' && calls(statement, node))
const calls = (statement: Node, node: Node): boolean =>
  children(statement).some(
    (call: Node & { readonly callee?: unknown }) =>
      call.type === 'CallExpression' &&
      (call.callee === node || (isNode(call.callee) && children(call.callee).includes(node))),
  )

export const functions: Rule = (tree) =>
  sources(tree)
    .filter(({ path }) => !isTest(path) && !path.includes('/test/'))
    .flatMap((file) => {
      const visit = ({ node, name }: Named): Finding[] => {
        const lines = linesOf(file, node)
        const what = `${name} has ${lines} lines, at most ${FUNCTION_LINES_MAX}; one function, one story`
        const here = lines > FUNCTION_LINES_MAX ? [at(file, node.start, 'function', what)] : []
        return [...here, ...outermost(node).flatMap(visit)]
      }
      const program = parseAst(file.text, {
        lang: file.path.endsWith('.tsx') ? 'tsx' : file.path.endsWith('.ts') ? 'ts' : 'js',
      })
      return outermost(program)
        .flatMap((one) => (isScript(program, one.node) ? outermost(one.node) : [one]))
        .flatMap(visit)
    })
