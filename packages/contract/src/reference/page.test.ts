import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../errors/errors.ts'
import { EVENTS, MACHINES, ROUTES } from '../index.ts'
import { referencePage } from './page.ts'

const sandbox = referencePage({
  apiUrl: 'http://127.0.0.1:4000',
  sandbox: true,
  simulatorUrl: 'http://127.0.0.1:4100',
})
const live = referencePage({ apiUrl: 'https://api.example', sandbox: false })
const idsOf = (html: string): readonly string[] => [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? '')

describe('referencePage', () => {
  test.each([
    ['sandbox', sandbox],
    ['live', live],
  ])('%s: the policy admits exactly its style, and nothing is loaded', (_name, page) => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(page.html)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(page.csp).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(page.html).not.toMatch(/<script|<img|<link|<iframe|\ssrc=|\sstyle=|url\(|@import/i)
  })

  test.each([
    ['sandbox', sandbox],
    ['live', live],
  ])('%s: ids are unique and every link within the page leads somewhere', (_name, page) => {
    const ids = idsOf(page.html)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const targets = [...page.html.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(targets.filter((target) => !ids.includes(target ?? ''))).toEqual([])
  })

  test('every error, event, machine and route has its place', () => {
    const ids = idsOf(sandbox.html)
    for (const code of Object.keys(ERRORS)) expect(ids).toContain(`error-${code}`)
    for (const event of EVENTS) expect(ids).toContain(`event-${event.type}`)
    for (const machine of MACHINES) expect(ids).toContain(`states-${machine.name}`)
    for (const route of ROUTES) expect(sandbox.html).toContain(`<span class="path">${route.path}</span>`)
  })

  test('live knows neither the calls of the sandbox nor the simulator', () => {
    expect(live.html).not.toMatch(/\/sandbox\/|\/api\/transfers/)
  })

  test('what it is given is escaped', () => {
    const page = referencePage({ apiUrl: 'http://x/"><script>', sandbox: true, simulatorUrl: '"><script>' })
    expect(page.html).not.toContain('<script')
  })
})
