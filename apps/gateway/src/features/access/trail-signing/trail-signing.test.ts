// The audit trail, rewritten by whoever owns the database: found by heads that were signed before.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonical } from '#core/acts/digest.ts'
import { type Document, digestOfHeads, isSigned, toText, withoutHeads } from '#core/acts/heads.ts'
import { trailAfter } from '#core/acts/trail.ts'
import { readAll } from '#core/cells/cells.ts'
import { createSigner, sha256, toPublicKey } from '#kit/crypto.ts'
import { actorOf, doAct, sharedOf } from '#test/features/access/acts.ts'
import { noon } from '#test/features/settlements/reconciliation.ts'
import { advance, type Harness, unique, useHarness } from '#test/kit/harness.ts'
import { mailsTo, operatorIn } from '#test/people/people.ts'
import { run as audit } from '../../../../../../tools/operator/audit.ts'
import { cellsText } from '../../../config.ts'
import { createFeed } from '../../../outside/feed.ts'
import { signHeads } from './trail-signing.ts'

const harness = useHarness()
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cowrie-heads-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ctxOf = (h: Harness) => ({ ...sharedOf(h).ctx, feed: createFeed({ folder, receiver: null }) })
const publicKey = (h: Harness) => toPublicKey(h.gateway.ctx.keys.present.statements).publicKey
const write = (h: Harness, note: string) =>
  doAct(h, actorOf('operator', 'operations', 'ngozi@operator.example'), 'merchants.rate', {
    merchant: h.merchants.main,
    input: { requestsPerSecond: 50 },
    reason: note,
  })
const documents = (): Document[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('cowrie-trail-01-'))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Document)
async function verified(h: Harness, ...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const key = join(folder, 'key.pem')
  writeFileSync(key, publicKey(h))
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells) }
  const code = await audit(['verify', ...words, ...(words.length > 0 ? ['--key', key] : [])], env, (text) =>
    lines.push(text),
  )
  return { code, text: lines.join('\n') }
}

/** As the database's owner can: every line of a chain anew, with another name in it, and the head with it. */
async function rewrite(h: Harness, merchantId: bigint, name: string): Promise<void> {
  const rows = await readAll(h.gateway.ctx, '01', (r) => trailAfter(r, merchantId, 0n, 10_000))
  let previous: Buffer = Buffer.alloc(0)
  for (const row of rows) {
    const changed = {
      ...row,
      actor_name: row.actor_name === 'ngozi@operator.example' ? name : row.actor_name,
      previous,
    }
    const hash = sha256()
      .update(previous)
      .update(canonical({ ...changed, previous: null, hash: null }), 'utf8')
      .digest()
    await h.sql(
      '01',
      'update trail set actor_name = $3, previous = $4, hash = $5 where merchant_id = $1 and number = $2',
      [merchantId, row.number, changed.actor_name, previous, hash],
    )
    previous = hash
  }
  await h.sql('01', 'update trail_heads set hash = $2 where merchant_id = $1', [merchantId, previous])
}

test('signed every hour by the clock, once, each after the one before; with the key of no database', async () => {
  const h = harness()
  await noon(h) // both statements are of one day, which has one mail
  const operator = await operatorIn(h, 'admin', `${unique('admin')}@operator.example`)
  await write(h, unique('first'))
  await signHeads(ctxOf(h), '01')
  await signHeads(ctxOf(h), '01')
  expect(documents()).toHaveLength(1)
  await write(h, unique('second'))
  await advance(h, 3_601)
  await Promise.all([signHeads(ctxOf(h), '01'), signHeads(ctxOf(h), '01')])
  const [first, second, ...more] = documents() as [Document, Document]
  expect(more).toEqual([])
  expect([first.number, second.number, first.previous]).toEqual(['1', '2', ''])
  expect(second.previous).toMatch(/^[0-9a-f]{64}$/)
  expect([first, second].map((one) => isSigned(one, [publicKey(h)]))).toEqual([true, true])
  expect(isSigned(first, [toPublicKey(Buffer.alloc(32, 7)).publicKey])).toBe(false)
  expect(second.heads?.some(({ merchantId }) => merchantId === String(h.merchants.main.id))).toBe(true)
  // Once a day to those who administer.
  const mails = (await mailsTo(h, operator.email)).filter(({ subject }) =>
    subject.startsWith('Heads of the audit trail'),
  )
  expect(mails).toHaveLength(1)
  expect(mails[0]?.text).toContain(first.signature)
  expect(await verified(h, '--heads', folder)).toMatchObject({ code: 0 })
})

test('a chain that was rewritten with its head verifies by itself, and not against what was signed: file, log line or mail', async () => {
  const h = harness()
  const { id } = h.merchants.main
  await advance(h, 3_601)
  await write(h, unique('third'))
  await signHeads(ctxOf(h), '01')
  const logged = join(folder, 'log')
  writeFileSync(
    logged,
    documents()
      .map((one) =>
        JSON.stringify({ msg: 'heads of the audit trail, signed', detail: JSON.stringify(withoutHeads(one)) }),
      )
      .join('\n'),
  )
  expect(await verified(h, '--heads', logged)).toMatchObject({ code: 0 })
  await rewrite(h, id, 'somebody.else@operator.example')
  expect(await verified(h)).toMatchObject({ code: 0 })
  for (const path of [folder, logged]) {
    const found = await verified(h, '--heads', path)
    expect(found.code, path).toBe(1)
    expect(found.text).toContain(`merchant ${id}: REWRITTEN`)
  }
  // Whoever rewrites the stored statement too has no key for it, and the log has another digest.
  const stored = documents().at(-1) as Document
  const heads = stored.heads?.filter(({ merchantId }) => merchantId !== String(id)) ?? []
  const forged = { ...stored, heads, count: heads.length, digest: digestOfHeads(heads) }
  const byThem = { ...forged, signature: createSigner(Buffer.alloc(32, 7)).sign(toText(forged)) }
  await h.sql('01', 'update trail_signatures set document = $2 where number = $1', [
    stored.number,
    JSON.stringify(byThem),
  ])
  expect((await verified(h, '--heads', logged)).text).toContain('its heads are not those that were signed')
  writeFileSync(join(folder, 'cowrie-trail-01-forged.json'), JSON.stringify(byThem))
  expect((await verified(h, '--heads', folder)).text).toContain('NOT SIGNED by the key')
  rmSync(join(folder, 'cowrie-trail-01-forged.json'))
  await rewrite(h, id, 'ngozi@operator.example')
})
