// A gateway whose master key only two tokens open together, and whose audit trail a third key on a token
// signs: it starts, is paid, gets a new key while it runs, and loses its tokens without losing anything else.
// The tokens are SoftHSM2's, reached by PKCS #11 as those of hardware are.
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { cellsText } from '../../apps/gateway/src/config.ts'
import { type Document, isSigned } from '../../apps/gateway/src/core/acts/heads.ts'
import { createOpening } from '../../apps/gateway/src/core/keys/opening.ts'
import { signHeads } from '../../apps/gateway/src/features/access/trail-signing/trail-signing.ts'
import { unwrapKey } from '../../apps/gateway/src/kit/custody.ts'
import { createCustodian, createDocumentSigner } from '../../apps/gateway/src/outside/custody.ts'
import { createFeed } from '../../apps/gateway/src/outside/feed.ts'
import { sharedOf } from '../../apps/gateway/test/features/access/acts.ts'
import { type Api, startApi } from '../../apps/gateway/test/kit/api-process.ts'
import { advance, type Harness, paid, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { run as audit } from '../../tools/operator/audit.ts'
import { run as keysCommand } from '../../tools/operator/keys.ts'
import { lacks } from '../../tools/programs.ts'
import { createTokens } from './custodians/tokens.ts'

const missing = ['softhsm2-util', 'pkcs11-tool'].filter(lacks)
const folder = mkdtempSync(join(tmpdir(), 'cowrie-tokens-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const MASTER = join(folder, 'master')
const put = (text: string): void => {
  writeFileSync(`${MASTER}.next`, text)
  renameSync(`${MASTER}.next`, MASTER)
}

describe.skipIf(missing.length > 0)('with tokens of SoftHSM2', () => {
  const tokens = missing.length > 0 ? null : createTokens(folder)
  const held = tokens as NonNullable<typeof tokens>
  const SAFE = join(folder, 'safe')
  const env: Record<string, string> = { PATH: process.env['PATH'] ?? '' }
  const command = async (...words: string[]): Promise<{ code: number; text: string }> => {
    const lines: string[] = []
    const code = await keysCommand(words, env, (text) => lines.push(text))
    return { code, text: lines.join('\n') }
  }
  /** A new key, wrapped for the two, and a copy of it for the safe. */
  const newKey = async (): Promise<[string, string]> => {
    const { code, text } = await command('new', '--for', 'amina,bola', '--for', 'safe')
    expect(code, text).toBe(0)
    return text.split('\n') as [string, string]
  }
  const copies: string[] = []

  const harness = useHarness({
    settings: async () => {
      if (tokens === null) return {}
      for (const name of ['amina', 'bola', 'signer']) tokens.make(name)
      for (const name of ['amina', 'bola']) tokens.addKey(name, '01', 'rsa:3072')
      tokens.addKey('signer', '02', 'EC:edwards25519')
      tokens.addKey('signer', '03', 'EC:prime256v1')
      writeFileSync(SAFE, Buffer.alloc(32, 5).toString('base64'))
      const named = ['amina', 'bola'].map((name) => `${name}=${tokens.address(name, '01')}`)
      const CUSTODIANS = [...named, `safe=file:${SAFE}`].join(',')
      Object.assign(env, tokens.env, { CUSTODIANS, HEADS_KEY: tokens.address('signer', '02') })
      const [wrapped, copy] = await newKey()
      copies.push(copy)
      put(`1:${wrapped}\n`)
      return { ...env, MASTER_KEY: '', MASTER_KEYS_FILE: MASTER, KEYS_SECONDS: '1' }
    },
  })
  const settings = (more: Record<string, string> = {}) => ({
    ...{ ...env, MASTER_KEY: '', MASTER_KEYS_FILE: MASTER, KEYS_SECONDS: '1', ...more },
  })
  const start = (h: Harness, more: Record<string, string> = {}): Promise<Api> =>
    startApi(h, 'info', { settings: settings(more) })
  const refusal = async (h: Harness, more: Record<string, string> = {}): Promise<string> =>
    start(h, more).then(
      (api) => api.stop().then(() => 'it started'),
      (error: Error) => error.message,
    )
  const versions = (h: Harness): string => h.gateway.ctx.keys.versions.map(({ version }) => version).join()
  /** A merchant logs in at that process and sees a payment of before. */
  async function sees(h: Harness, { url }: Api, reference: string, door = url): Promise<string> {
    const { apiKey, secretKey } = h.merchants.main
    const authorization = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
    const logged = await fetch(`${door}/api/v1/auth/login`, { method: 'POST', headers: { authorization } })
    const { responseBody } = (await logged.json()) as { responseBody: { accessToken: string } }
    const query = new URLSearchParams({ transactionReference: reference }).toString()
    const shown = await fetch(`${url}/api/v2/merchant/transactions/query?${query}`, {
      headers: { authorization: `Bearer ${responseBody.accessToken}` },
    })
    const answer = (await shown.json()) as { responseBody?: { paymentStatus: string } }
    return answer.responseBody?.paymentStatus ?? `status ${shown.status}`
  }
  const pay = async (h: Harness): Promise<string> => (await paid(h, h.merchants.main)).transactionReference

  test('it starts with both tokens and is paid; with either alone, or a wrong PIN, it does not start and says whose', async () => {
    const h = harness()
    expect(readFileSync(MASTER, 'utf8')).toMatch(/^1:w1\.amina\+bola\./)
    const reference = await pay(h)
    const api = await start(h)
    expect(await sees(h, api, reference)).toBe('PAID')
    const log = await api.stop()
    expect(log).not.toContain(h.gateway.ctx.keys.present.sealing.toString('base64'))
    for (const [name, other] of [
      ['amina', 'bola'],
      ['bola', 'amina'],
    ] as const) {
      held.takePin(name)
      const said = await refusal(h)
      expect(said).toContain(
        `Cannot start: MASTER_KEYS_FILE: version 1 does not open: of the custodians, ${name}: the PIN file`,
      )
      expect(said).not.toContain(other)
      held.putPin(name)
    }
    held.putPin('bola', '000000')
    expect(await refusal(h)).toMatch(/bola: token bola: pkcs11-tool: ended with code 1: .*CKR_PIN_INCORRECT/)
    held.putPin('bola')
    expect((await command('custodians')).text).toBe(
      ['amina', 'bola', 'safe'].map((name) => `${name}: opens what it wrapped`).join('\n'),
    )
  })

  test('a key is wrapped anew for others, and shown to nobody', async () => {
    const h = harness()
    const before = readFileSync(MASTER, 'utf8').trim().slice(2)
    const lines: string[] = []
    expect(
      await keysCommand(
        ['wrap', '--for', 'bola,safe'],
        env,
        (one) => lines.push(one),
        () => before,
      ),
    ).toBe(0)
    expect(lines).toEqual([expect.stringMatching(/^w1\.bola\+safe\./)])
    const custodians = h.config.custodians.map((one) => createCustodian(one, h.config.programs))
    expect(await unwrapKey(custodians, lines[0] as string)).toBe(await unwrapKey(custodians, before))
    const refused: string[] = []
    expect(
      await keysCommand(
        ['wrap', '--for', 'nobody'],
        env,
        (one) => refused.push(one),
        () => before,
      ),
    ).toBe(2)
    expect(refused.join()).toContain('CUSTODIANS does not name nobody.')
  })

  test('a wrong PIN is tried once, so that a token does not lock itself', async () => {
    held.putPin('bola', '000000')
    const place = { kind: 'pkcs11', token: 'bola', id: '01', hash: 'sha1' } as const
    const more = { module: '/usr/lib/softhsm/libsofthsm2.so', pinFile: join(folder, 'bola.pin') }
    const bola = createCustodian({ name: 'bola', place: { ...place, ...more } }, env)
    const wrapped = await bola.wrap(Buffer.alloc(32, 1))
    await expect(bola.unwrap(wrapped)).rejects.toThrow('CKR_PIN_INCORRECT')
    await expect(bola.unwrap(wrapped)).rejects.toThrow('its PIN was refused, and is not tried again')
    held.putPin('bola')
    expect(await bola.unwrap(wrapped)).toEqual(Buffer.alloc(32, 1))
  })

  test('a new master key while it runs: made wrapped, known, in use, the old one retired; payments go on', async () => {
    const h = harness()
    const old = readFileSync(MASTER, 'utf8').trim()
    const before = await pay(h)
    const api = await start(h)
    const [wrapped, copy] = await newKey()
    copies.push(copy)
    put(`${old}\n2:${wrapped}\n`)
    await h.until('version 2 is known', async () => versions(h) === '1,2', 10_000)
    await pay(h)
    put(`2:${wrapped}\n${old}\n`)
    await h.until('version 2 seals', async () => versions(h) === '2,1', 10_000)
    const during = await pay(h)
    env['CELLS'] = cellsText(h.config.cells)
    Object.assign(env, { ENVIRONMENT: 'sandbox', MASTER_KEYS_FILE: MASTER })
    // A token that the new version signed.
    const believed = async () => (await sees(h, api, during, h.apiUrl)) === 'PAID'
    await h.until('the other process knows it too', believed, 10_000)
    expect((await command('reseal')).text).toMatch(/opens what it sealed: 0 records/)
    expect(await command('retire', '1', '--now')).toMatchObject({ code: 0 })
    put(`2:${wrapped}\n`)
    await h.until('version 1 is gone', async () => versions(h) === '2', 10_000)
    expect([await sees(h, api, before), await sees(h, api, await pay(h))]).toEqual(['PAID', 'PAID'])
    const alone = 'versions 2; the first one seals'
    await h.until('the other process has version 2 alone', async () => api.said().includes(alone), 10_000)
    await api.stop()
  })

  test('the tokens are lost: what runs goes on, nothing new starts or is taken, and the copy in the safe opens all of it', async () => {
    const h = harness()
    const present = readFileSync(MASTER, 'utf8')
    const before = await pay(h)
    held.pull()
    const during = await pay(h)
    const lost = `of the custodians, amina: token amina: pkcs11-tool: ended with code 1: No slot with token named "amina" found; bola: `
    expect(await refusal(h)).toContain(`Cannot start: MASTER_KEYS_FILE: version 2 does not open: ${lost}`)
    expect((await command('custodians')).text).toMatch(/^amina: token amina: .*No slot.*\nbola: .*\nsafe: opens what/)
    const lines: string[] = []
    const line = (message: string) => lines.push(message)
    const opening = createOpening(h.config.custodians.map((one) => createCustodian(one, h.config.programs)))
    held.putBack()
    await opening.begin(h.config)
    held.pull()
    await opening.check({ info: line, error: line } as never)
    expect(lines).toEqual(['keys would not open at a restart; those in use stay'])
    // A version that cannot be opened now is not taken, and the one from before stays.
    put(`${present.trim()}\n3:${present.trim().slice(2)}A\n`)
    await expect(h.config.rereadKeys?.(() => Promise.reject(new Error('lost')))).rejects.toThrow('does not open: lost')
    expect(versions(h)).toBe('2')
    // The copy in the safe needs no token.
    put(`2:${copies[1]}\n`)
    const api = await start(h)
    expect([await sees(h, api, before), await sees(h, api, during)]).toEqual(['PAID', 'PAID'])
    await api.stop()
    put(present)
    held.putBack()
    const again = await start(h)
    expect(await sees(h, again, await pay(h))).toBe('PAID')
    await again.stop()
  })

  test.each(['02', '03'])(
    'heads are signed by key %s on a token, which no process and no database holds',
    async (id) => {
      const h = harness()
      env['HEADS_KEY'] = held.address('signer', id)
      const path = join(folder, `heads-${id}`)
      const place = { kind: 'pkcs11', token: 'signer', id, hash: 'sha1', pinFile: join(folder, 'signer.pin') } as const
      const headsSigner = createDocumentSigner({ ...place, module: '/usr/lib/softhsm/libsofthsm2.so' }, env)
      const ctx = { ...sharedOf(h).ctx, feed: createFeed({ folder: path, receiver: null }), headsSigner }
      await advance(h, 3_601)
      const { n: signedBefore } = (await h.sql('01', 'select count(*)::int as n from trail_signatures'))[0]
      held.pull()
      await expect(signHeads(ctx, '01')).rejects.toThrow('token signer: pkcs11-tool: ended with code 1: No slot')
      held.putBack()
      expect((await h.sql('01', 'select count(*)::int as n from trail_signatures'))[0].n).toBe(signedBefore)
      await signHeads(ctx, '01')
      const { code, text } = await command('heads-key')
      expect(code).toBe(0)
      const [file = ''] = readdirSync(path)
      const document = JSON.parse(readFileSync(join(path, file), 'utf8')) as Document
      expect(isSigned(document, [text])).toBe(true)
      expect(isSigned({ ...document, count: document.count + 1 }, [text])).toBe(false)
      const pem = join(folder, `${id}.pem`)
      writeFileSync(pem, text)
      const said: string[] = []
      const words = ['verify', '--heads', path, '--key', pem]
      const cells = { CELLS: cellsText(h.config.cells), ENVIRONMENT: 'sandbox' }
      expect(await audit(words, cells, (one) => said.push(one)), said.join('\n')).toBe(0)
    },
  )
})
