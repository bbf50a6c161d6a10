// The table of programmes is complete, and the two commands start what they are asked for.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMPARISON, PROGRAMMES } from '../tools/check/programmes.ts'
import { commandFor } from './start.ts'

const ALL = Object.values(PROGRAMMES).flat()
const ROOT = join(import.meta.dirname, '..')
const folders = (home: string): string[] =>
  readdirSync(join(ROOT, home), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`${home}/${entry.name}`] : [],
  )

describe('the table', () => {
  test.each(['trials/bench', 'trials/chaos'])('has a programme of every folder of %s but the kit', (home) => {
    const idle = folders(home).filter((folder) => !ALL.some(({ file }) => file.startsWith(`${folder}/`)))
    expect(idle).toEqual([`${home}/kit`])
  })

  test('names files that are there, each name once', () => {
    expect(ALL.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([])
    for (const programmes of Object.values(PROGRAMMES)) {
      const names = programmes.map(({ name }) => name)
      expect(names).toEqual([...new Set(names)])
    }
  })

  test.each(ALL.map((one) => [one.file, one] as const))('%s reads the options of its short form', (file, one) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    const options = [...(one.always ?? []), ...one.short].filter((word) => word.startsWith('--'))
    expect(options.length).toBeGreaterThan(0)
    for (const option of options) expect(text, option).toMatch(new RegExp(`\\b${option.slice(2)}\\b`))
  })
})

describe('the commands', () => {
  test('without a name: trial lists what it knows, bench compares with bare pgbench', () => {
    const listed = commandFor('trial', [])
    expect(listed).toMatchObject({ code: 0 })
    for (const { name } of PROGRAMMES.trial) expect('print' in listed && listed.print).toContain(`\n${name}\n`)
    expect(commandFor('bench', [], COMPARISON)).toEqual({ file: 'trials/bench/payments/run.ts', options: [] })
    expect(commandFor('bench', ['--rounds', '2'], COMPARISON)).toEqual({
      file: 'trials/bench/payments/run.ts',
      options: ['--rounds', '2'],
    })
    expect(commandFor('bench', ['--list'], COMPARISON)).toMatchObject({ code: 0 })
  })

  test('--short stands for the short form, and what is given beside it comes last, so that it wins', () => {
    expect(commandFor('trial', ['nemesis', '--short', '--seed', '7'])).toEqual({
      file: 'trials/chaos/nemesis/run.ts',
      options: ['--seconds', '20', '--seed', '7'],
    })
    expect(commandFor('trial', ['webhooks-kill'])).toMatchObject({ options: ['--kills', '50'] })
  })

  test.each(['hurricane', 'chaos:day'])('%s is no trial: 2, with the list', (name) => {
    expect(commandFor('trial', [name])).toMatchObject({ code: 2, print: expect.stringContaining(`no "${name}"`) })
  })
})
