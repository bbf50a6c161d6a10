// What a person sees when the sandbox is up, held against the guide that begins with it.
import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { handleOf } from './handle.ts'
import { environmentLines, welcome } from './welcome.ts'

const PORTS = { api: 4000, operator: 4001, guides: 4002, simulator: 4100, postgres: 4200, smtp: 4300 }
const handle = handleOf(PORTS, 'postgres://x', '7')
const said = stripVTControlCharacters(welcome(handle, { ms: 1, ephemeral: false }))
const GUIDE = new URL('../../docs/guides/start/accept-a-payment.md', import.meta.url)

test('the block to copy has every setting that the guide begins with, and each has a value', () => {
  const [, block = ''] = /```sh\n(export [\s\S]*?)```/.exec(readFileSync(GUIDE, 'utf8')) ?? []
  const namesIn = (lines: readonly string[]) => lines.map((line) => line.split('=')[0])
  const lines = environmentLines(handle)
  expect(namesIn(lines)).toEqual(namesIn(block.trim().split('\n')))
  expect(said).toContain(lines.map((line) => `     ${line}`).join('\n'))
  for (const line of lines) expect(line).toMatch(/^export COWRIE_[A-Z_]+=[\w.:/-]+$/)
  expect(lines).toContain(`export COWRIE_WALLET=${handle.merchants.main.walletAccountNumber}`)
})

test('it says where the guides and the mails are, and who pays out without a code', () => {
  for (const address of [handle.guidesUrl, handle.mailsUrl, handle.docsUrl, handle.dashboardUrl])
    expect(said).toContain(address)
  expect(said).toMatch(/payouts wait for a code by mail; those of the merchant direct do not/)
  expect(handle.merchants.main.transferOtp && !handle.merchants.direct.transferOtp).toBe(true)
})
