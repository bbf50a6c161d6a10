// The blocks of README, run as they stand in a sandbox as a reader has it, with its addresses in their
// places; the commands in its sentences; its table of options; and the recording that it shows.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMPILED, fileOf } from '../../../tools/compiled.ts'
import { formOf, played, RECORDING } from '../../../tools/docs/recording.ts'
import { type Sandbox, startSandbox } from '../browser.ts'
import { accountOf, type Became } from './account.ts'
import { wrongCommands } from './commands.ts'
import { OF_README } from './exceptions.ts'
import { ROOT } from './programs.ts'
import { blockOf, doneTo, filledIn, isDone, shell } from './shell.ts'

const PAGE = 'README.md'
const LIMIT_MS = 240_000
const TEXT = readFileSync(join(ROOT, PAGE), 'utf8')
const MAIN = fileOf('cowrie', `${ROOT}packages/cli/src/main.ts`)
const COWRIE = `${process.execPath} ${MAIN}`

let sandbox: Sandbox
let env: Record<string, string>
/** Where the reader has started the sandbox: its keys are in `.cowrie/`. */
const folder = mkdtempSync(join(tmpdir(), 'cowrie-readme-'))
beforeAll(async () => {
  // Its options: --json, --ephemeral, --port and --seed.
  sandbox = await startSandbox()
  mkdirSync(join(folder, '.cowrie'))
  writeFileSync(join(folder, '.cowrie/handle.json'), JSON.stringify(sandbox.handle))
  env = { HOME: folder }
}, LIMIT_MS)
afterAll(async () => {
  await sandbox?.stop()
  rmSync(folder, { recursive: true })
}, LIMIT_MS)

const here = (text: string): string =>
  text
    .replaceAll('http://127.0.0.1:4000', sandbox.handle.apiUrl)
    .replaceAll('http://127.0.0.1:4100', sandbox.handle.simulatorUrl)
    .replaceAll('npx cowrie', COWRIE)
const BY_HAND = 'key() {'
const byHand = (): string => here(blockOf(PAGE, BY_HAND))

/** The bank took the transfer, and the last word is the state of the payment. */
const isPaid = (code: number | null, said: string): boolean =>
  code === 0 && /"status":"ACCEPTED"[^\n]*\n?(?:PAID|PENDING)$/.test(said.trim())

describe('the blocks', () => {
  test(
    'npx cowrie pay 5000: PAID',
    async () => {
      const block = blockOf(PAGE, 'npx cowrie pay')
      const { code, said } = await shell(here(block), env, folder)
      expect(code, said).toBe(0)
      expect(said).toMatch(/^PAID {2}₦5,000\.00 of ₦5,000\.00 /m)
      isDone(PAGE, block)
    },
    LIMIT_MS,
  )

  test(
    'the same by hand: the last word is PAID, or PENDING where the machine is slow; then the clock is moved',
    async () => {
      const { code, said } = await shell(byHand(), env, folder)
      expect(isPaid(code, said), said).toBe(true)
      isDone(PAGE, blockOf(PAGE, BY_HAND))
      const clock = blockOf(PAGE, 'curl -s $API/sandbox/clock/advance')
      const moved = await shell(`${byHand()}\n${here(clock)}`, env, folder)
      expect(moved.code, moved.said).toBe(0)
      expect(moved.said).toMatch(/"requestSuccessful":\s*true/)
      isDone(PAGE, clock)
    },
    LIMIT_MS,
  )

  test.each([
    ['another path', 'transactions/init-transaction', 'transactions/init-transactoin'],
    ['another field', '"contractCode"', '"contractcode"'],
    ['a step that is left out', '| field accountNumber)', '| field accountNo)'],
  ])(
    'planted: %s is found',
    async (_name, from, to) => {
      const { code, said } = await shell(filledIn(byHand(), { [from]: to }), env, folder)
      expect(isPaid(code, said), said).toBe(false)
    },
    LIMIT_MS,
  )

  test('each is run, or excepted with a reason; planted: one that nobody runs is found', () => {
    const became = ({ text }: { text: string }): Became => (doneTo(PAGE, text) === 'run' ? 'run' : null)
    const account = (text: string) => accountOf(new Map([[PAGE, text]]), became, OF_README)
    expect(account(TEXT)).toMatchObject({ faults: [], run: 3 })
    expect(account(`${TEXT}\n\`\`\`sh\nnpx cowrie gone\n\`\`\`\n`).faults).toEqual([
      `${PAGE}: the block "npx cowrie gone" is run by no test, and not excepted`,
    ])
  })
})

describe('the commands in its sentences', () => {
  const said = (text: string): string =>
    [...text.matchAll(/`(npx cowrie [^`]*)`/g)].map(([, command]) => command).join('\n')

  test(
    'exist, with these options; planted: another is found',
    async () => {
      expect(said(TEXT).split('\n').length).toBeGreaterThanOrEqual(6)
      expect(await wrongCommands(said(TEXT), env)).toEqual([])
      expect(await wrongCommands('npx cowrie sample handler', env)).not.toEqual([])
    },
    LIMIT_MS,
  )

  test.each([
    ['npx cowrie samples handler', /handler/],
    ['npx cowrie scenario run late-payment', /late/i],
  ])(
    '%s is run',
    async (command, says) => {
      expect(TEXT).toContain(`\`${command}\``)
      const { code, said: answer } = await shell(here(command), env, folder)
      expect(code, answer).toBe(0)
      expect(answer).toMatch(says)
    },
    LIMIT_MS,
  )

  test(
    'the table has the options of the sandbox, all but the one that the sentence above has',
    async () => {
      const { said: help } = await shell(`${process.execPath} tools/sandbox/sandbox.ts --help`, env)
      const known = [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, name = '']) => name)
      const shown = [...TEXT.matchAll(/^\| `(--[\w-]+)/gm)].map(([, name = '']) => name)
      expect(new Set([...shown, '--reset'])).toEqual(new Set(known))
      expect(TEXT).toContain('`npx cowrie sandbox --reset`')
    },
    LIMIT_MS,
  )
})

describe('the recording', () => {
  test(
    'has the form of a run of today; planted: another word is found',
    () => {
      const run = (words: readonly string[]): string =>
        execFileSync(process.execPath, [MAIN, ...words], {
          cwd: folder,
          env: { ...COMPILED, ...env },
          encoding: 'utf8',
        })
      const today = formOf(played(run))
      const recorded = readFileSync(join(ROOT, RECORDING), 'utf8')
      expect(formOf(recorded)).toBe(today)
      expect(formOf(recorded.replace('asks for', 'wants'))).not.toBe(today)
    },
    LIMIT_MS,
  )
})
