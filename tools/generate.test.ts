import { describe, expect, test } from 'vitest'
import { generated, stale } from './generate.ts'

const pages = Object.entries(generated()).filter(([path]) => path.endsWith('.md'))

describe('generated files', () => {
  test('what is committed is what the contract gives', () => {
    expect(stale()).toEqual([])
  })

  test.each(pages)('%s has no empty table and no hole in its text', (_path, content) => {
    expect(content).not.toMatch(/undefined|NaN|\[object|\n\|(?:---\|)+\n\n/)
    expect(content).toMatch(/[^\n]\n$/)
  })

  test.each(pages)('%s: every row of a table has as many cells as its head', (_path, content) => {
    for (const table of content.split('\n\n').filter((part) => part.startsWith('|'))) {
      const cells = table
        .trim()
        .split('\n')
        .map((line) => line.replaceAll('\\|', '').split('|').length)
      expect([...new Set(cells)]).toEqual([cells[0]])
    }
  })
})
