import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const CHOOSE = `
import { freePort } from ${JSON.stringify(fileURLToPath(new URL('./ports.ts', import.meta.url)))}
const ports = []
for (let n = 0; n < 300; n += 1) ports.push(await freePort())
console.log(JSON.stringify(ports))
process.stdin.once('end', () => process.exit()).resume()
`

test('processes that choose at the same time never get the same port', async () => {
  const children = [1, 2, 3, 4].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', CHOOSE], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const ports = await Promise.all(
    children.map(async ({ stdout }) => {
      const [line] = await once(createInterface({ input: stdout }), 'line')
      return JSON.parse(String(line)) as number[]
    }),
  )
  for (const { stdin } of children) stdin.end()
  await Promise.all(children.map((child) => once(child, 'exit')))
  expect(new Set(ports.flat()).size).toBe(1_200)
})
