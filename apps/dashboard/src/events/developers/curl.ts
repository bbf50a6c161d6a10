// A request of the log as a command. The log keeps no body, no query and no key; where they belong stands a
// name to fill in.
import type { RequestLine } from '@cowrie/contract/access/requests'

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Null: it was a person's, or nothing that a key can call. */
export function curlOf({ method, path, key }: RequestLine, origin: string): string | null {
  if (!/^\/(?:api|sandbox)\//.test(path) || (key?.includes('@') ?? false)) return null
  const keyPair = path.startsWith('/api/v1/auth/')
  return [
    `curl -X ${method} ${quoted(origin + path)}`,
    keyPair ? '-u "$API_KEY:$SECRET_KEY"' : '-H "Authorization: Bearer $ACCESS_TOKEN"',
    ...(method === 'GET' ? [] : ["-H 'Content-Type: application/json'", '-d @body.json']),
  ].join(' \\\n  ')
}
