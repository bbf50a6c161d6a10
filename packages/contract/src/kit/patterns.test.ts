import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { ROUTES } from '../index.ts'
import { wantsSource } from './money.ts'
import { patternWords } from './patterns.ts'

type Node = TSchema & {
  pattern?: string
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  'x-wire'?: string
}
const patternsOf = (schema: Node | undefined): string[] => {
  if (!schema) return []
  // Amounts and percentages are refused with words of their own.
  const own = schema.pattern && (!wantsSource(schema) || schema['x-wire'] === 'integer') ? [schema.pattern] : []
  const inside = [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])]
  return [...own, ...inside.flatMap(patternsOf), ...patternsOf(schema.items)]
}

test.each(ROUTES)('$id: every pattern that a caller can miss has words without a regular expression', (route) => {
  for (const pattern of [...patternsOf(route.body as Node), ...patternsOf(route.query as Node)])
    expect(patternWords(pattern)?.must, pattern).toMatch(/^must [a-z0-9, -]+$/i)
})

test('digits are counted in words', () => {
  expect(patternWords('^\\d{10}$')?.must).toBe('must be ten digits')
  expect(patternWords('^\\d{4,6}$')?.must).toBe('must be four to six digits')
  expect(patternWords('^\\d{30}$')?.must).toBe('must be 30 digits')
  expect(patternWords('^x+$')).toBeNull()
})
