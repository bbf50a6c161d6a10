// The table is spread together from the files of this folder, and a spread overwrites without a word.
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERRORS } from './errors.ts'

test('every code stands in one file, and every file is in the table', async () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const parts = files.filter((name) => name.endsWith('.ts') && !/^(errors\.|kit)/.test(name))
  expect(parts.length).toBeGreaterThan(10)
  const codes: string[] = []
  for (const file of parts)
    for (const part of Object.values(await import(`./${file}`))) codes.push(...Object.keys(part as object))
  expect(codes.toSorted()).toEqual(Object.keys(ERRORS).toSorted())
})
