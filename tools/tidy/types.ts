// What the compiler would let pass.
import { hits, isGateway, isShipped, OUTSIDE, type Rule, sources } from './files.ts'
import { blank, scan } from './scan.ts'

const KOBO_AS_NUMBER = /\b(?:Number|parseFloat|parseInt)\s*\([^)]*?kobo/gi
const KOBO_IS_NUMBER = /\b\w*kobo\s*[?!]?\s*:\s*number\b/gi
export const kobo: Rule = (tree) =>
  sources(tree)
    .filter(({ path }) => path !== 'packages/contract/src/kit/money.ts')
    .flatMap((file) => [
      ...hits(file, scan(file).code, KOBO_AS_NUMBER, 'kobo', () => 'kobo becomes a number only in money.ts'),
      ...hits(file, scan(file).code, KOBO_IS_NUMBER, 'kobo', (hit) => `${hit}; kobo is a bigint`),
    ])

const IMPORTS = /^import\b[\s\S]*?\bfrom\b[^\n]*/gm
/** `as const` adds nothing, and what is caught has no type of its own. */
const CAST = /\bas\s+(?!const\b|Error\b|Parameters<)\S+/g
const PARSED = /\.json\s*\(|:(?!\s*unknown\b)\s*[\w<>[\]., |]+?=\s*(?:await\s+)?JSON\.parse\b/g
/** What comes from outside is `unknown` until a schema has checked it. */
export const cast: Rule = (tree) =>
  tree
    .filter(({ path }) => isGateway(path) && path.startsWith(OUTSIDE))
    .flatMap((file) => {
      const code = scan(file).code.replace(IMPORTS, blank)
      const says = (hit: string) => `${hit}: an answer from outside is checked by a schema, never cast`
      return [...hits(file, code, CAST, 'cast', says), ...hits(file, code, PARSED, 'cast', says)]
    })

/** It fits everything, so the compiler checks nothing: a move without its posting would pass. */
const AS_NEVER = /\bas\s+never\b/g
export const never: Rule = (tree) =>
  tree
    .filter(({ path }) => isShipped(path))
    .flatMap((file) =>
      hits(file, scan(file).code, AS_NEVER, 'never', (hit) => `${hit} switches the compiler off; give it its type`),
    )

/** Why each may tell the compiler what it cannot see. */
const UNKNOWN_AS: Readonly<Record<string, string>> = {
  'apps/dashboard/src/api/webauthn.ts': "WebAuthn's own JSON, which the contract passes on unread",
  'apps/gateway/src/kit/validation/validate.ts':
    "typebox's compiled validator does not carry the type of its schema through a parameter",
  'apps/gateway/src/kit/http/http.ts': 'a decoration of fastify is null until a request comes',
  'apps/gateway/src/features/collections/invoices/pdf-sheet.ts':
    "pdfkit takes a font's bytes; its types know its name only",
  'apps/gateway/src/core/cells/logins.ts': 'pg does not publish what it negotiated with the server',
  'apps/gateway/src/core/cells/primary.ts':
    'pg does not publish the socket of a client, and its end() waits for the server',
  'apps/gateway/src/core/ledger/move.ts': 'the union over all moves of a machine is read as one plain row',
}
const AS_UNKNOWN = /\bas\s+unknown\s+as\b/g
export const asUnknown: Rule = (tree) =>
  tree
    .filter(({ path }) => isShipped(path) && !path.includes('/test/') && !(path in UNKNOWN_AS))
    .flatMap((file) =>
      hits(
        file,
        scan(file).code,
        AS_UNKNOWN,
        'as-unknown',
        (hit) => `${hit} is believed, not checked; its reason belongs in tidy`,
      ),
    )
