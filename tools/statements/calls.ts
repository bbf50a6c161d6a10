// Which statements the gateway's code asks, and what each of its calls believes of the rows: read by the
// compiler (the programming interface of the `typescript` that is installed).
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CallExpression, Expression, FunctionLikeDeclaration, Node, SourceFile } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync'

const ROOT = join(import.meta.dirname, '..', '..')
const SOURCES = join(ROOT, 'apps/gateway/src/')

/** What a row's field is declared to be: `bases` as in `string` or `Date`, without null. */
export type Field = {
  readonly name: string
  readonly bases: readonly string[]
  readonly nullable: boolean
  readonly optional: boolean
}

/** A call that asks a statement. `statements` are the expressions it may be, in the words of the file; one
 *  that is `passed` is a parameter of the function that the call stands `inside`. */
export type Call = {
  readonly path: string
  readonly line: number
  readonly callee: string
  readonly statements: readonly string[]
  readonly passed: boolean
  readonly inside: string | null
  /** Null: it believes nothing of the rows. */
  readonly row: readonly Field[] | null
}

type Calling = { readonly file: SourceFile; readonly call: CallExpression; readonly statement: Expression }

const STATEMENT = 'Statement'

/** The calls of a file that are given a statement, and the one they are given. */
function callingOf(checker: Checker, file: SourceFile): Calling[] {
  const found: { readonly call: CallExpression; readonly argument: Expression }[] = []
  const visit = (node: Node): void => {
    if (is.isCallExpression(node)) for (const argument of node.arguments) found.push({ call: node, argument })
    node.forEachChild(visit)
  }
  file.forEachChild(visit)
  const candidates = found.filter(({ argument }) => !/^(?:\d|['"`[{]|async\b|\()/.test(argument.getText(file)))
  const types = checker.getTypeAtLocation(candidates.map(({ argument }) => argument))
  return candidates.flatMap(({ call, argument }, at) => {
    const type = types[at]
    if (type === undefined || KEEPS.test(call.expression.getText(file))) return []
    const isStatement =
      checker.typeToString(type) === STATEMENT || (isQuery(call, file) && isLikeStatement(checker, type))
    return isStatement ? [{ file, call, statement: argument }] : []
  })
}
/** Puts it into a map. */
const KEEPS = /\.set$/
const isQuery = (call: CallExpression, file: SourceFile): boolean =>
  /(?:^|\.)query$/.test(call.expression.getText(file))
const isLikeStatement = (checker: Checker, type: Type): boolean => {
  const names = type.isObjectType() ? checker.getPropertiesOfType(type).map(({ name }) => name) : []
  return names.length === 2 && names.includes('name') && names.includes('text')
}

/** The alternatives of an expression. */
function alternatives(file: SourceFile, expression: Expression): string[] {
  if (is.isParenthesizedExpression(expression)) return alternatives(file, expression.expression)
  if (is.isConditionalExpression(expression))
    return [expression.whenTrue, expression.whenFalse].flatMap((each) => alternatives(file, each))
  if (is.isElementAccessExpression(expression)) return [expression.expression.getText(file)]
  const local = is.isIdentifier(expression) ? localValue(file, expression.text, expression) : null
  if (local !== null) return alternatives(file, local)
  return [expression.getText(file)]
}

/** What a name was set to in the function around; not where that is a statement made there. */
function localValue(file: SourceFile, name: string, from: Node): Expression | null {
  const found: Expression[] = []
  const visit = (node: Node): void => {
    if (is.isVariableDeclaration(node) && node.initializer && node.name.getText(file) === name)
      found.push(node.initializer)
    node.forEachChild(visit)
  }
  for (const around of functionsAround(from)) if (around.body) visit(around.body)
  const [only] = found
  return only && !is.isObjectLiteralExpression(only) && found.length === 1 ? only : null
}

const isFunctionLike = (node: Node): node is FunctionLikeDeclaration =>
  is.isFunctionDeclaration(node) || is.isArrowFunction(node) || is.isFunctionExpression(node)

function nameOf(node: FunctionLikeDeclaration, file: SourceFile): string | null {
  if (is.isFunctionDeclaration(node)) return node.name?.text ?? null
  return is.isVariableDeclaration(node.parent) ? node.parent.name.getText(file) : null
}

/** The functions around a node, from the inside out. */
function* functionsAround(node: Node): Generator<FunctionLikeDeclaration> {
  for (let at: Node | undefined = node.parent; at !== undefined; at = at.parent) if (isFunctionLike(at)) yield at
}

/** The name of the function whose parameter the statement is; null where it is none. */
function passedTo({ file, statement }: Calling): string | null {
  if (!is.isIdentifier(statement)) return null
  for (const around of functionsAround(statement)) {
    if (!around.parameters.some(({ name }) => name.getText(file) === statement.text)) continue
    return nameOf(around, file) ?? ''
  }
  return null
}

/** The row of what a call answers: a promise of rows, of a row, or of a row or nothing. */
function rowType(checker: Checker, { call }: Calling): Type | null {
  const signature = checker.getResolvedSignature(call)
  let type = signature && checker.getReturnTypeOfSignature(signature)
  for (let deeper = true; type && deeper; ) {
    const some: readonly Type[] = type.isUnionType() ? (type.getTypes() ?? []).filter(isSomething) : [type]
    const [only] = some
    if (only === undefined || some.length > 1) return null
    type = only
    const name = only.getAliasSymbol()?.name ?? only.getSymbol()?.name ?? ''
    deeper = /^(?:Promise|Array|ReadonlyArray|Counted)$/.test(name)
    if (deeper && name === 'Counted') type = only.getAliasTypeArguments()[0]
    else if (deeper && only.isTypeReference()) type = checker.getTypeArguments(only)[0]
  }
  return type?.isObjectType() || type?.isIntersectionType() ? type : null
}
const isSomething = ({ flags }: Type): boolean => (flags & TypeFlags.Nullable) === 0

const FLAGS: readonly (readonly [number, string])[] = [
  [TypeFlags.AnyOrUnknown, 'unknown'],
  [TypeFlags.String | TypeFlags.StringLiteral | TypeFlags.TemplateLiteral, 'string'],
  [TypeFlags.Number | TypeFlags.NumberLiteral, 'number'],
  [TypeFlags.BigInt | TypeFlags.BigIntLiteral, 'bigint'],
  [TypeFlags.Boolean | TypeFlags.BooleanLiteral, 'boolean'],
]

function basesOf(checker: Checker, type: Type): string[] {
  const [, plain] = FLAGS.find(([flags]) => (type.flags & flags) !== 0) ?? []
  if (plain !== undefined) return [plain]
  // A union of some, or a text with a brand.
  if (type.isUnionType() || type.isIntersectionType()) {
    const bases = [...new Set((type.getTypes() ?? []).filter(isSomething).flatMap((one) => basesOf(checker, one)))]
    return type.isIntersectionType() ? bases.slice(0, 1) : bases
  }
  if (checker.isArrayType(type) && type.isTypeReference()) {
    const [element] = checker.getTypeArguments(type)
    return element ? basesOf(checker, element).map((base) => `${base}[]`) : ['unknown']
  }
  const name = type.getSymbol()?.name ?? ''
  return [name.startsWith('__') ? 'object' : name]
}

function fieldsOf(checker: Checker, row: Type): Field[] {
  const fields = checker.getPropertiesOfType(row)
  const types = checker.getTypeOfSymbol(fields)
  return fields.flatMap(({ name }, at) => {
    const type = types[at]
    if (type === undefined) return []
    const parts = type.isUnionType() ? (type.getTypes() ?? []) : [type]
    const has = (flag: number): boolean => parts.some(({ flags }) => (flags & flag) !== 0)
    const optional = has(TypeFlags.Undefined)
    return [{ name, bases: basesOf(checker, type).toSorted(), nullable: has(TypeFlags.Null), optional }]
  })
}

const placeOf = (file: SourceFile, call: CallExpression): Pick<Call, 'path' | 'line' | 'callee'> => ({
  path: relative(ROOT, file.fileName),
  line: file.text.slice(0, call.getStart(file)).split('\n').length,
  callee: call.expression.getText(file),
})

function read(checker: Checker, calling: Calling): Call {
  const { file, call, statement } = calling
  const passed = passedTo(calling)
  const [around] = [...functionsAround(call)].flatMap((one) => nameOf(one, file) ?? [])
  const row = rowType(checker, calling)
  return {
    ...placeOf(file, call),
    statements: passed === null ? alternatives(file, statement) : [],
    passed: passed !== null,
    inside: passed ?? around ?? null,
    row: row === null ? null : fieldsOf(checker, row),
  }
}

/** Makes the statement of a row that is inserted, out of its type. */
const INSERTS = join(SOURCES, 'core/insert-into.ts')
function insertsOf(checker: Checker, file: SourceFile): Call[] {
  const found: Call[] = []
  const visit = (node: Node): void => {
    node.forEachChild(visit)
    if (!is.isCallExpression(node) || node.expression.getText(file) !== 'insertInto') return
    const [table, , row, end] = node.arguments
    const type = row && checker.getTypeAtLocation(row)
    if (!table || !type) return
    const columns = checker.getPropertiesOfType(type).map(({ name }) => `'${name}'`)
    const statement = `(await import('${pathToFileURL(INSERTS).href}')).insertStatement`
    const asked = `${statement}(${table.getText(file)}, [${columns.join(', ')}], ${end?.getText(file) ?? "''"})`
    found.push({ ...placeOf(file, node), statements: [asked], passed: false, inside: null, row: null })
  }
  file.forEachChild(visit)
  return found
}

/** What a module declares at its top level and might be statements: names, by path. */
function declaredIn(file: SourceFile): string[] {
  return file.statements.flatMap((statement) =>
    is.isVariableStatement(statement) && !statement.getText(file).startsWith('declare')
      ? statement.declarationList.declarations.flatMap(({ name }) => (is.isIdentifier(name) ? [name.text] : []))
      : [],
  )
}

export type Asked = { readonly calls: readonly Call[]; readonly declared: Readonly<Record<string, readonly string[]>> }

/** Every call of the gateway that is given a statement, and what its modules declare. */
export function readCalls(): Asked {
  const api = new API({ cwd: ROOT })
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(ROOT, 'tsconfig.json')] })
    const [project] = snapshot.getProjects()
    if (project === undefined) throw new Error('no project')
    const { checker, program } = project
    const files = program
      .getSourceFileNames()
      .filter((name) => name.startsWith(SOURCES) && !name.endsWith('.test.ts'))
      .flatMap((name) => program.getSourceFile(name) ?? [])
      .filter(({ text }) => /\bStatement\b|\bquery\b|\btext:|\binsertInto\b/.test(text))
    const calls = files
      .filter(({ fileName }) => fileName !== INSERTS)
      .flatMap((file) => [
        ...callingOf(checker, file).map((calling) => read(checker, calling)),
        ...insertsOf(checker, file),
      ])
    return {
      calls,
      declared: Object.fromEntries(files.map((file) => [relative(ROOT, file.fileName), declaredIn(file)])),
    }
  } finally {
    api.close()
  }
}
