// How a programme ends, and what it says of that: its exit code is what a stage of the check goes by.
import { existsSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { CannotRun, type Programme, runBounded } from './bounded.ts'

type Run = Programme<Record<string, number>>['run']
let said: MockInstance<typeof console.log>
beforeEach(() => {
  said = vi.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterEach(() => said.mockRestore())
const lines = (): string[] => said.mock.calls.map(([line]) => String(line))
const ended = (run: Run) => runBounded({ name: 'drill', options: { kills: 3 }, run })

describe('a programme', () => {
  test.each<[string, number, Run, string[]]>([
    ['with nothing wrong passes', 0, async () => ({ says: 'three kills', wrong: [] }), ['three kills', 'drill: PASS']],
    [
      'with something wrong fails, and says all of it after its figures',
      1,
      async () => ({ says: 'three kills', wrong: ['one is lost', 'one is twice'] }),
      ['three kills', 'one is lost\none is twice', 'drill: FAIL'],
    ],
    ['that has said so itself passes', 0, async () => true, ['drill: PASS']],
    ['that has no report fails', 1, async () => null, ['drill: FAIL']],
    [
      'that this machine cannot run is neither',
      3,
      async () => {
        throw new CannotRun('no namespaces')
      },
      ['drill: SKIPPED, nothing was tried: no namespaces'],
    ],
  ])('%s: %i', async (_, code, run, last) => {
    expect(await ended(run)).toBe(code)
    expect(lines()[0]).toBe('drill: --kills 3')
    expect(lines().filter((line) => !line.startsWith('Files of this run'))).toEqual(['drill: --kills 3', ...last])
  })

  test('that breaks has no result: 2, not 1', async () => {
    const run: Run = async () => {
      throw new Error('the machine is on fire')
    }
    expect(await ended(run)).toBe(2)
    expect(lines().join('\n')).toContain('drill: BROKEN, no result: Error: the machine is on fire')
  })

  test('releases what it holds, the last first, and its folder if it passed', async () => {
    const released: string[] = []
    let folder = ''
    const code = await ended(async (_options, dir, held) => {
      folder = dir
      held.defer(() => void released.push('first'))
      held.defer(() => void released.push('second'))
      return { says: '', wrong: [] }
    })
    expect([code, released, existsSync(folder)]).toEqual([0, ['second', 'first'], false])
  })
})
