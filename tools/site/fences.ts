// The blocks of code in a page. A block of a guide names the file that it is cut from, below samples/guides:
//   ```ts file=payment/ask.ts#ask tab=TypeScript
// `npm run generate` writes the code into the page, so that a page can be read where it lies;
// trials/stories/guides runs the files. Marks in a file: `// #region ask` and `// #endregion`, or with `#` in
// place of `//`.

export const SAMPLES = 'samples/guides'

export type Fence = {
  readonly language: string
  /** Below samples/guides. */
  readonly file: string | null
  readonly region: string | null
  /** Blocks that follow each other and have this are shown one at a time. */
  readonly tab: string | null
  readonly text: string
}

const FENCE = /^```([^\n`]*)\n([\s\S]*?)^```$/gm

export function fenceOf(info: string, text: string): Fence {
  const [language = '', ...rest] = info.trim().split(/\s+/)
  const words = new Map(rest.map((one) => [one.split('=')[0] ?? '', one.split('=').slice(1).join('=')]))
  const [file = null, region = null] = words.get('file')?.split('#') ?? []
  return { language, file, region, tab: words.get('tab')?.replaceAll('_', ' ') ?? null, text }
}

export const fencesOf = (markdown: string): readonly Fence[] =>
  [...markdown.matchAll(FENCE)].map(([, info = '', text = '']) => fenceOf(info, text))

const MARK = /^[ \t]*(?:\/\/|#) #(?:end)?region\b.*\n?/gm

function dedent(text: string): string {
  const depths = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [/^ */.exec(line)?.[0].length ?? 0]))
  const depth = Math.min(...depths)
  return text
    .split('\n')
    .map((line) => line.slice(depth))
    .join('\n')
}

/** The part of a file between its marks, or all of it; without marks. */
export function cut(source: string, region: string | null, name: string): string {
  if (region === null) return `${source.replace(MARK, '').trim()}\n`
  const begin = new RegExp(`^[ \\t]*(?://|#) #region ${region}[ \\t]*\\n`, 'm').exec(source)
  if (begin === null) throw new Error(`${name} has no region ${region}`)
  const after = source.slice(begin.index + begin[0].length)
  let depth = 1
  for (const mark of after.matchAll(MARK)) {
    depth += mark[0].includes('#endregion') ? -1 : 1
    if (depth === 0) return `${dedent(after.slice(0, mark.index).replace(MARK, '')).trim()}\n`
  }
  throw new Error(`the region ${region} of ${name} does not end`)
}

/** The page with the code of its files in it. */
export const filled = (markdown: string, read: (file: string) => string): string =>
  markdown.replace(FENCE, (whole, info: string, text: string) => {
    const { file, region } = fenceOf(info, text)
    return file === null ? whole : `\`\`\`${info}\n${cut(read(file), region, file)}\`\`\``
  })
