// A page of Markdown as what the site is built from: prose in which nothing is code by accident, and blocks
// that are tabs.
import { fenceOf } from './fences.ts'

/** What stays as it is: blocks, code in a line, and what can be opened. Comments go. */
const PART =
  /(^```[^\n]*\n[\s\S]*?^```$)|(`[^`\n]+`|^<\/?details[^>\n]*>$|^<summary>[^\n]*<\/summary>$|^<div data-try="[\w.]+"><\/div>$)|(<!--[\s\S]*?-->)/gm

/** In prose `{` and `<` are signs; for MDX they begin code. */
const plain = (text: string): string => text.replace(/[{}<]/g, (sign) => `\\${sign}`)

export const escaped = (markdown: string): string => {
  let done = ''
  let from = 0
  for (const hit of markdown.matchAll(PART)) {
    done += plain(markdown.slice(from, hit.index)) + (hit[3] === undefined ? hit[0] : '')
    from = hit.index + hit[0].length
  }
  return done + plain(markdown.slice(from))
}

const GROUP = /(?:^```[^\n]* tab=[^\n]*\n[\s\S]*?^```$\n*)+/gm
const ONE = /^```([^\n]*)\n([\s\S]*?)^```$/gm

/** What a reader chose on one page is chosen on the next. */
const tabs = (group: string): string => {
  const items = [...group.matchAll(ONE)].map(([, info = '', text = '']) => {
    const { language, tab } = fenceOf(info, text)
    return `<TabItem label="${tab}">\n\n\`\`\`${language}\n${text}\`\`\`\n\n</TabItem>`
  })
  return `<Tabs syncKey="language">\n${items.join('\n')}\n</Tabs>\n\n`
}

const TABS = "import { Tabs, TabItem } from '@astrojs/starlight/components'\n\n"

export function mdxOf({ title, description, body }: { title: string; description: string; body: string }): string {
  const text = escaped(body)
    .replace(GROUP, tabs)
    .replace(/^```(\w+) [^\n]*$/gm, '```$1')
  const matter = `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\n---\n\n`
  return `${matter}${text.includes('<Tabs') ? TABS : ''}${text}`
}
