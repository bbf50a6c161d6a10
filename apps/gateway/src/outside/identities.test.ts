// The register's port against the real simulator, and against a server that speaks nonsense.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { KEY, useBank } from '../../../simulator/test/bank.ts'
import { createBank } from './bank.ts'

const bank = useBank()

test('yes with what the register says; no for a wrong key or another form; no number in any word or log', async () => {
  const port = createBank(bank.url(), KEY)
  const number = '98765432102'
  expect(await port.lookUpIdentity({ kind: 'BVN', number })).toEqual({
    kind: 'yes',
    value: { kind: 'BVN', exists: true, barred: false },
  })
  expect(await port.lookUpIdentity({ kind: 'NIN', number: '98765432101' })).toMatchObject({ value: { exists: false } })
  expect(await port.lookUpIdentity({ kind: 'NIN', number: '98765430000' })).toMatchObject({ value: { barred: true } })
  const answers = [
    await port.lookUpIdentity({ kind: 'BVN', number: `${number}0` }),
    await port.lookUpIdentity({ kind: 'PIN' as 'NIN', number }),
    await createBank(bank.url(), 'another key').lookUpIdentity({ kind: 'BVN', number }),
  ]
  expect(answers).toMatchObject([{ status: 400 }, { status: 400 }, { status: 401 }])
  expect(JSON.stringify(answers) + bank.logged.join('\n')).not.toContain('9876543')
})

test('unknown when the answer is not of the protocol or about the other register, and when there is none', async () => {
  let said = ''
  const server = createServer((_request, response) => response.end(said)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const port = createBank(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, KEY)
    for (said of [
      'nonsense',
      'null',
      '{"kind":"BVN","exists":"yes","barred":false}',
      '{"kind":"BVN","exists":true}',
      '{"kind":"NIN","exists":true,"barred":false}',
    ])
      expect(await port.lookUpIdentity({ kind: 'BVN', number: '22222222222' }), said).toMatchObject({ kind: 'unknown' })
  } finally {
    server.closeAllConnections()
    server.close()
  }
  const away = createBank('http://127.0.0.1:1', KEY)
  expect(await away.lookUpIdentity({ kind: 'BVN', number: '22222222222' })).toMatchObject({ kind: 'unknown' })
})
