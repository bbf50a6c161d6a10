// The reference of the site, a page for each group of operations: what it does, the call in four languages,
// what is answered, every field and every refusal. All from the contract and its recorded examples.
import { ROUTES } from '../../packages/contract/src/index.ts'
import type { Auth, Route } from '../../packages/contract/src/kit/spec.ts'
import { EXAMPLES, type Example } from '../../packages/contract/src/reference/examples.ts'
import {
  exampleAnswer,
  featureWords,
  listErrors,
  permissionWords,
  takesIdempotencyKey,
} from '../../packages/contract/src/reference/openapi.ts'
import { WORDS } from '../../packages/contract/src/reference/schemas.ts'
import { describeTag, listGuides } from '../../packages/contract/src/reference/tags.ts'
import { fence, replyTable, requestTable } from '../docs/markdown.ts'
import { CLIENTS, LOG_IN_CURL, snippetsOf, tabbed } from './snippets.ts'
import { type Call, callOf, isTried, placeOf } from './try.ts'

export type Written = {
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly body: string
}

/** What a bank calls has a page of its own, with the signature that a merchant never needs. */
export const MERCHANT_ROUTES: readonly Route[] = ROUTES.filter(({ auth }) => auth !== 'bank')

const AUTH: Readonly<Record<Auth, string>> = {
  basic: 'API key and secret key (Basic)',
  bearer: 'the token of a log-in (Bearer)',
  bank: 'signed by the bank',
  none: 'nothing',
}

export const exampleOf = ({ id }: Route): Example => {
  const example = EXAMPLES[id]
  if (example === undefined) throw new Error(`${id} has no example`)
  return example
}

/** Not searched: what is looked for is what an operation does, and its examples. */
const details = (summary: string, text: string): string =>
  `<details data-pagefind-ignore>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

function replyOf(route: Route): readonly string[] {
  const example = exampleOf(route)
  if (example.reply === undefined) return ['Answers without `responseBody`.']
  const text =
    typeof example.reply === 'string' && route.file !== undefined
      ? fence('csv', example.reply.trim())
      : fence('json', JSON.stringify(exampleAnswer(route, example), null, 2))
  return ['The answer:', text]
}

/** The schema of an answer without fields of its own makes an empty table. */
const hasRows = (table: string): boolean => table.split('\n').length > 2

function operation(route: Route): string {
  const facts = [
    `Needs ${AUTH[route.auth]}.`,
    takesIdempotencyKey(route) ? 'Takes an [Idempotency-Key](/guides/integrate/idempotency/).' : '',
    permissionWords(route) ?? '',
    featureWords(route) ?? '',
    route.sandbox ? 'Sandbox only.' : '',
  ]
  const query = route.query ? requestTable(route.query, WORDS.query(route)) : ''
  const body = route.body ? requestTable(route.body, WORDS.request(route)) : ''
  const reply = replyTable(route.reply, WORDS.reply(route))
  const own = route.errors
  const codes = (list: readonly string[]): string => list.map((code) => `\`${code}\``).join(', ')
  return [
    `## ${route.summary}`,
    `\`${route.method} ${route.path}\``,
    ...(route.description ? [sentence(route.description)] : []),
    facts.filter((fact) => fact !== '').join(' '),
    tabbed(snippetsOf(route, exampleOf(route))),
    ...(isTried(route) ? [placeOf(route)] : []),
    ...replyOf(route),
    ...(hasRows(query) ? [details('Query', query)] : []),
    ...(hasRows(body) ? [details('Fields of the request', body)] : []),
    ...(hasRows(reply) ? [details('Fields of responseBody', reply)] : []),
    ...(own.length > 0
      ? [
          `[Errors](/reference/errors/): ${codes(own)}, and [those of every call](/reference/overview/#errors-of-every-call).`,
        ]
      : []),
  ].join('\n\n')
}

/** What the form of an operation sends. */
export function callFor(id: string): Call {
  const route = MERCHANT_ROUTES.find((one) => one.id === id)
  if (route === undefined) throw new Error(`there is no operation ${id}`)
  return callOf(route, exampleOf(route))
}

const slugOf = (group: string): string => `reference/${group.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`

/** What explains the group in prose. */
const guideLines = (group: string): readonly string[] => {
  const links = listGuides(group).map(({ title, path }) => `[${title}](/guides/${path}/)`)
  return links.length === 0 ? [] : [`Guides: ${links.join(', ')}.`]
}

export const groupPages = (): readonly Written[] =>
  [...Map.groupBy(MERCHANT_ROUTES, ({ group }) => group)].map(([group, routes]) => ({
    slug: slugOf(group),
    title: group,
    description: describeTag(group).description,
    body: [...guideLines(group), ...routes.map(operation)].join('\n\n'),
  }))

/** What an operation can answer because of how it is called, whatever it does. */
const commonErrors = (): readonly string[] =>
  [
    ...new Set(MERCHANT_ROUTES.flatMap((route) => listErrors(route).filter((code) => !route.errors.includes(code)))),
  ].toSorted()

/** The words that every page of the reference takes for granted. */
export function overviewPage(): Written {
  const groups = groupPages()
  const links = groups.map(({ slug, title, description }) => `- [${title}](/${slug}/): ${description}`)
  return {
    slug: 'reference/overview',
    title: 'How to read the reference',
    description: 'Addresses, log-in, amounts, times, and what every answer looks like.',
    body: `Every page shows each operation with a request that was sent to a running gateway, and its answer. Switch the language once; the choice is kept.

**Try it** under an operation sends its request to a sandbox on your own machine (\`npx cowrie sandbox\`) and shows the answer. The page sends to no other address, and forgets the keys with the tab. Operations below \`/sandbox/\` are for programs only.

In a shell, the examples use \`$COWRIE_URL\`, \`$COWRIE_API_KEY\`, \`$COWRIE_SECRET_KEY\` and a token, which lasts an hour:

${fence('sh', LOG_IN_CURL.trim())}

In code, \`cowrie\` is a client; it logs in for you:

${tabbed(CLIENTS)}

- **Answers** have one envelope: \`requestSuccessful\`, \`responseMessage\`, \`responseCode\`, and \`responseBody\`. A refusal has \`problem\` with a stable \`code\`, a \`hint\`, a link and the \`requestId\`: see [errors](/guides/integrate/errors/). The clients give you \`responseBody\` alone, and throw refusals.
- **Amounts** are naira: JSON numbers with at most two decimals, \`1500\` or \`1500.50\`, in any notation: \`1.5E3\` is 1500, and what a binary float leaves (\`110.00000000000001\`) is 110. A third decimal is refused. The clients take and give text with two decimals, \`'1500.00'\`, so that no kobo is lost to a float.
- **Times** without an offset are West Africa Time. Those that end in \`Z\` or \`+0000\` are UTC.
- **References** of the gateway contain \`|\`; in an address write \`%7C\`. The clients do that for you.

## Errors of every call

Each operation lists the errors of its own. Beside these, a call of its kind can be refused as ${commonErrors()
      .map((code) => `\`${code}\``)
      .join(', ')}. [The table](/reference/errors/) says what to do about each.

## Operations

${links.join('\n')}
`,
  }
}
