import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { notesOf, refuseOlder, released, withVersion } from './changelog.ts'

const ROOT = new URL('../../', import.meta.url)
const real = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')
const PAGE = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n## [0.1.0] - 2026-01-02\n\n- Older.\n'

test('what was unreleased becomes the version, and nothing else moves', () => {
  const page = released(PAGE, '0.2.0', '2026-11-17')
  expect(page).toContain('## [Unreleased]\n\n## [0.2.0] - 2026-11-17\n\n### Added\n\n- One.\n\n## [0.1.0]')
  expect(notesOf(page, '## [0.2.0]')).toBe('### Added\n\n- One.')
  expect(() => released(page, '0.3.0', '2026-11-18')).toThrow('nothing below [Unreleased]')
  expect(() => released(PAGE, '0.1.0', '2026-11-17')).toThrow('has 0.1.0 already')
})

test('a version is newer than the last one, and a version', () => {
  for (const good of ['0.2.0', '0.10.0', '1.0.0']) expect(() => refuseOlder(good, '0.1.9')).not.toThrow()
  for (const bad of ['0.1.9', '0.1.8', '0.0.10']) expect(() => refuseOlder(bad, '0.1.9')).toThrow('is not newer')
  expect(() => refuseOlder('v1', null)).toThrow('is not a version')
  expect(() => refuseOlder('0.1.0', null)).not.toThrow()
})

test('versions of our packages change in every manifest and in the lock file, and no others', () => {
  const { version } = JSON.parse(real('package.json'))
  for (const path of ['package.json', 'packages/cli/package.json', 'apps/gateway/package.json', 'package-lock.json']) {
    const before = real(path)
    expect(withVersion(before, version, version), path).toBe(before)
    const lines = before.split('\n')
    const after = withVersion(before, version, '9.8.7').split('\n')
    const changed = lines.flatMap((line, i) => (line === after[i] ? [] : [line.trim()]))
    expect(changed.length, path).toBeGreaterThan(0)
    for (const line of changed)
      expect(line, path).toMatch(new RegExp(`^"(?:version|@cowrie/[a-z-]+)": "${version}",?$`))
  }
  const lock = JSON.parse(withVersion(real('package-lock.json'), version, '9.8.7')).packages
  const ours = Object.keys(lock).filter(
    (name) => /^(?:$|apps\/|connectors\/|packages\/)/.test(name) && !name.includes('node_modules'),
  )
  for (const name of ours) expect(lock[name].version, name).toBe('9.8.7')
})
