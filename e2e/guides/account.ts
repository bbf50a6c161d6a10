// Every block of code in some pages, and what became of it.
import { type Fence, fencesOf } from '../../tools/site/fences.ts'
import { EXCEPTIONS, type Exception } from './exceptions.ts'

type Block = Fence & { readonly page: string }
export type Account = {
  readonly blocks: number
  readonly run: number
  readonly excepted: number
  /** Cut from a file that this machine cannot run. */
  readonly absent: number
  /** What is wrong, as lines to read. */
  readonly faults: readonly string[]
}

const exceptionOf = ({ page, text }: Block): Exception | undefined =>
  EXCEPTIONS.find((one) => one.page.test(page) && text.startsWith(one.begins))

export function accountOf(
  pages: ReadonlyMap<string, string>,
  executed: ReadonlySet<string>,
  notRunnable: ReadonlySet<string>,
): Account {
  const blocks = [...pages].flatMap(([page, text]) => fencesOf(text).map((fence): Block => ({ page, ...fence })))
  const bare = blocks.filter(({ file }) => file === null)
  const excepted = bare.filter((block) => exceptionOf(block) !== undefined)
  const run = blocks.filter(({ file }) => file !== null && executed.has(file))
  const absent = blocks.filter(({ file }) => file !== null && !executed.has(file) && notRunnable.has(file))
  const used = new Set(excepted.map(exceptionOf))
  const lost = blocks.filter((block) => ![...excepted, ...run, ...absent].includes(block))
  return {
    blocks: blocks.length,
    run: run.length,
    excepted: excepted.length,
    absent: absent.length,
    faults: [
      ...lost.map(({ page, file, text }) =>
        file === null
          ? `${page}: the block "${text.split('\n')[0]}" is cut from no file, and not excepted`
          : `${page}: ${file} was not run`,
      ),
      ...EXCEPTIONS.filter((one) => !used.has(one)).map(({ begins }) => `no block begins with "${begins}"`),
    ],
  }
}
