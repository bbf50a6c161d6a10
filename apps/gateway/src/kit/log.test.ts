import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type LogFields, logged } from './log.ts'

test('a line names what it is about: object, subject, reference and session of the bank', () => {
  const about = { object: 'disbursement', subject: 42n, reference: 'pay-1', sessionId: '999001' }
  expect(logged({ cell: '01', merchantId: 7n, ...about })).toEqual({
    cell: '01',
    merchantId: '7',
    ...about,
    subject: '42',
  })
})

test('a field that is not on the list does not reach the disk', () => {
  expect(logged({ reference: 'pay-1', body: 'secret', token: 'secret' } as LogFields)).toEqual({ reference: 'pay-1' })
})

test('what was flushed is written, though the process is killed in the next moment', () => {
  const script = `
    const { createLog } = await import(${JSON.stringify(new URL('./log.ts', import.meta.url).href)})
    const log = createLog('test', 'info')
    for (let n = 0; n < 60; n += 1) log.info('so many that a write is under way')
    log.info('a last word')
    await log.flush()
    process.kill(process.pid, 'SIGKILL')`
  const { stderr, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  expect([signal, stderr]).toEqual(['SIGKILL', expect.stringContaining('"msg":"a last word"')])
})
