// What is declared is published: a route that the index does not list would be served and stand in no reference.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROUTES } from './index.ts'

const isRoute = (value: unknown): value is { id: string } =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'method' in value &&
  'path' in value &&
  'reply' in value

test('every route of every file is in the index, once', async () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const declared = new Set<string>()
  for (const file of files) {
    const exported: Record<string, unknown> = await import(join(import.meta.dirname, file))
    for (const value of Object.values(exported).filter(isRoute)) declared.add(value.id)
  }
  const listed = ROUTES.map(({ id }) => id)
  expect([...declared].filter((id) => !listed.includes(id))).toEqual([])
  expect(new Set(ROUTES.map(({ method, path }) => `${method} ${path}`)).size).toBe(ROUTES.length)
})
