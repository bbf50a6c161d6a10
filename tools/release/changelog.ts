// The changelog and the manifests of a release, as pure functions over their texts.

const UNRELEASED = '## [Unreleased]'

/** What stands below the heading of a version, or of what is not released yet. */
export function notesOf(changelog: string, heading: string): string {
  const from = changelog.indexOf(`\n${heading}`)
  if (from < 0) throw new Error(`CHANGELOG.md has no heading ${heading}`)
  const start = changelog.indexOf('\n', from + 1) + 1
  const next = changelog.indexOf('\n## [', start)
  return changelog.slice(start, next < 0 ? undefined : next).trim()
}

/** What was unreleased becomes a version of that day; above it there is room for what comes next. */
export function released(changelog: string, version: string, day: string): string {
  if (changelog.includes(`\n## [${version}]`)) throw new Error(`CHANGELOG.md has ${version} already`)
  if (notesOf(changelog, UNRELEASED) === '') throw new Error('CHANGELOG.md has nothing below [Unreleased]')
  return changelog.replace(`\n${UNRELEASED}\n`, `\n${UNRELEASED}\n\n## [${version}] - ${day}\n`)
}

type Part = readonly number[]
const partsOf = (version: string): Part => {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []
  if (parts.length === 0) throw new Error(`"${version}" is not a version; write it like 1.4.0`)
  return parts.map(Number)
}
/** A version is never given twice, and never goes down. */
export function refuseOlder(version: string, last: string | null): void {
  const [next, before] = [partsOf(version), last === null ? null : partsOf(last)]
  const at = before ? next.findIndex((part, i) => part !== before[i]) : 0
  if (before && (at < 0 || (next[at] ?? 0) < (before[at] ?? 0))) throw new Error(`${version} is not newer than ${last}`)
}

/** A package.json, or the lock file, with the version for the package itself and for every one of ours that
 *  it names. */
export function withVersion(manifest: string, before: string, version: string): string {
  const ours = (value: unknown, name: string): boolean =>
    value === before && (name === 'version' || name.startsWith('@cowrie/'))
  const isOurs = (object: object, path: string): boolean =>
    path === '' ||
    path === 'packages.' ||
    /^packages\.(?:apps|connectors|packages)\//.test(path) ||
    !('version' in object)
  const walk = (value: unknown, path: string): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        ours(inner, name) && isOurs(value, path) ? version : walk(inner, path === '' ? name : `${path}.${name}`),
      ]),
    )
  }
  return `${JSON.stringify(walk(JSON.parse(manifest), ''), null, 2)}\n`
}
