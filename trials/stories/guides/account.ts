// Every block of code in some pages, and what became of it.
import { type Fence, fencesOf } from '../../../tools/site/fences.ts'
import { EXCEPTIONS, type Exception } from './exceptions.ts'

export type Block = Fence & { readonly page: string }
/** `absent`: this machine cannot run it. Null: nobody has. */
export type Became = 'run' | 'absent' | null
export type Account = {
  readonly blocks: number
  readonly run: number
  readonly excepted: number
  readonly absent: number
  /** What is wrong, as lines to read. */
  readonly faults: readonly string[]
}

export const blocksOf = (pages: ReadonlyMap<string, string>): readonly Block[] =>
  [...pages].flatMap(([page, text]) => fencesOf(text).map((fence): Block => ({ page, ...fence })))

const exceptionOf = ({ page, text }: Block, among: readonly Exception[]): Exception | undefined =>
  among.find((one) => one.page.test(page) && text.startsWith(one.begins))

const lostWords = ({ page, file, text }: Block): string =>
  file === null
    ? `${page}: the block "${text.split('\n')[0]}" is run by no test, and not excepted`
    : `${page}: ${file} was not run`

export function accountOf(
  pages: ReadonlyMap<string, string>,
  became: (block: Block) => Became,
  exceptions: readonly Exception[] = EXCEPTIONS,
): Account {
  const blocks = blocksOf(pages)
  const used = new Set<Exception>()
  const faults: string[] = []
  const count = { run: 0, excepted: 0, absent: 0 }
  for (const block of blocks) {
    const how = became(block)
    const exception = how === 'run' || block.file !== null ? undefined : exceptionOf(block, exceptions)
    if (exception) used.add(exception)
    if (how === 'run') count.run += 1
    else if (exception) count.excepted += 1
    else if (how === 'absent') count.absent += 1
    else faults.push(lostWords(block))
  }
  const unused = exceptions.filter((one) => !used.has(one))
  return {
    blocks: blocks.length,
    ...count,
    faults: [...faults, ...unused.map(({ begins }) => `no block that nobody runs begins with "${begins}"`)],
  }
}
