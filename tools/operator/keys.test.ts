// A rotation of the master key and of the bank's key as the operator does it, in the files of a running
// gateway: what was made before is still good after the old version is gone, and what must be refused is
// refused by name.
import { createHmac } from 'node:crypto'
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cellsText, readConfig } from '../../apps/gateway/src/config.ts'
import { engineTx } from '../../apps/gateway/src/core/cells/cells.ts'
import { resealTable, type SealedTable } from '../../apps/gateway/src/core/keys/reseal.ts'
import { queuePersonMail } from '../../apps/gateway/src/features/access/people/known/people-mails.ts'
import { openGateway } from '../../apps/gateway/src/gateway.ts'
import { open, seal } from '../../apps/gateway/src/kit/crypto.ts'
import { notice, tell } from '../../apps/gateway/test/bank/notices.ts'
import { limited } from '../../apps/gateway/test/features/access/keys.ts'
import { given, logIn, tokenOf, use, verdict } from '../../apps/gateway/test/features/access/secret-keys.ts'
import { newWallet } from '../../apps/gateway/test/features/collections/customer-wallets.ts'
import { reserve } from '../../apps/gateway/test/features/collections/reserved-accounts.ts'
import { newMerchant } from '../../apps/gateway/test/features/payouts/disbursements.ts'
import { created, codeOf as paycodeOf, redeem } from '../../apps/gateway/test/features/payouts/paycodes.ts'
import { run as settle, statementOf } from '../../apps/gateway/test/features/settlements/settlements.ts'
import { type Harness, initialise, paid, type TestMerchant, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { Browser, enrol, newPerson } from '../../apps/gateway/test/people/people.ts'
import { sealFaults } from '../../packages/cli/src/settlements/proof.ts'
import { bankKeyOf, masterKeyOf } from '../sandbox/seed.ts'
import { run, SEALED } from './keys.ts'

const key = (of: string): string => createHmac('sha256', 'keys test').update(of).digest('base64')
const M1 = masterKeyOf('harness')
const [M2, OTHER, B1, B2] = [key('m2'), key('other'), bankKeyOf('harness'), key('b2')]
const folder = mkdtempSync(join(tmpdir(), 'cowrie-keys-'))
const [MASTER, BANK] = [join(folder, 'master'), join(folder, 'bank')]
const put = (file: string, text: string): void => {
  writeFileSync(`${file}.next`, text)
  renameSync(`${file}.next`, file)
}
put(MASTER, `1:${M1}\n`)
put(BANK, `1:${B1}\n`)

const harness = useHarness({
  settles: true,
  settings: async () => ({
    ...{ MASTER_KEY: '', BANK_KEY: '', MASTER_KEYS_FILE: MASTER, BANK_KEYS_FILE: BANK, KEYS_SECONDS: '1' },
  }),
})

const envOf = (h: Harness, more: Record<string, string>) => ({
  ...{ ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells), ...more },
})
const command = async (h: Harness, ...words: string[]): Promise<{ code: number; text: string }> => {
  const lines: string[] = []
  const code = await run(words, envOf(h, { MASTER_KEYS_FILE: MASTER }), (text) => lines.push(text))
  return { code, text: lines.join('\n') }
}
/** What a process says that is started with other keys on the same cells; null when it starts. */
async function refusalOf(h: Harness, masters: string): Promise<string | null> {
  const more = { MASTER_KEYS: masters, BANK_KEY: B1, BANK_URL: h.simulatorUrl, PUBLIC_URL: h.apiUrl }
  const config = readConfig(envOf(h, { ...more, SMTP_URL: 'smtp://127.0.0.1:1', LOG_LEVEL: 'fatal', CONNECTIONS: '2' }))
  try {
    await (await openGateway(config, 'test')).close()
    return null
  } catch (error) {
    return (error as Error).message
  }
}
const versions = (h: Harness): string => h.gateway.ctx.keys.versions.map(({ version }) => version).join()

type Made = Awaited<ReturnType<typeof make>>
/** One of everything that is sealed, or made with a derived key. */
async function make(h: Harness, merchant: TestMerchant) {
  const { ctx } = h.gateway
  const old = await limited(h, merchant, { name: 'Shop server', scope: 'READ' })
  const next = await given(h, merchant, merchant.secretKey)
  await reserve(h, merchant, {
    ...{ bvn: '22222222222', nin: '12345678902', restrictPaymentSource: true },
    allowedPaymentSources: { bvns: ['22222222224'] },
  })
  await newWallet(h, merchant)
  const { paycodeReference } = await created(h, merchant)
  const email = 'ngozi@keys.example'
  await newPerson(h, 'owner', { merchant, email })
  const browser = new Browser(h, 'merchant')
  await browser.logIn(email)
  const { recoveryCodes } = await enrol(browser)
  await engineTx(ctx, '01', async (t) => {
    await queuePersonMail(ctx, t, 7n, { to: email, subject: 'Later', text: 'a link' })
    await t.query({ name: 'keys_test_person', text: 'update people set totp_next_sealed = totp_sealed' }, [])
    const answer = seal(ctx.keys, '{"it":"was"}', `request/${merchant.id}/kept`)
    const text = `insert into requests (merchant_id, key, method, path, fields, status, answer, created_at) values ($1, 'kept', 'POST', '/', '{}', 200, $2, $3)`
    await t.query({ name: 'keys_test_request', text }, [merchant.id, answer, t.now])
  })
  const { checkoutUrl } = await initialise(h, merchant)
  await paid(h, merchant)
  const [settled] = await settle(h, merchant)
  const token = await tokenOf(h, merchant, next.secretKey)
  const code = await paycodeOf(h, merchant, paycodeReference)
  return { old, next, code, email, recoveryCodes, checkoutUrl, reference: settled?.settlementReference ?? '', token }
}

/** Everything of it is still good. */
async function expectGood(h: Harness, merchant: TestMerchant, made: Made): Promise<void> {
  expect(verdict(await logIn(h, merchant, made.next.secretKey))).toBe('200')
  expect(verdict(await logIn(h, made.old, made.old.secretKey)), 'a limited key').toBe('200')
  expect((await fetch(made.checkoutUrl)).status, 'the address of a hosted page').toBe(200)
  const statement = await statementOf(h, merchant, made.reference)
  const known = (await h.call('GET', '/api/v1/settlement-key')).json.responseBody
  expect(sealFaults(statement, known), 'a statement').toEqual([])
  const browser = new Browser(h, 'merchant')
  await browser.logIn(made.email)
  const answer = await browser.post('log-in/code', { code: made.recoveryCodes.pop() })
  expect([answer.status, answer.code], 'a recovery code').toEqual([200, ''])
}

/** Every record of every table, opened with what the process has now. */
async function recordsOf(h: Harness, { table, columns }: SealedTable): Promise<string[]> {
  const rows = await h.sql('01', `select * from ${table}`)
  return rows.flatMap((row) =>
    Object.entries(columns).flatMap(([column, contextOf]) => {
      const sealed: string | null = row[column]
      const ids = { ...row, id: row.id, merchant_id: row.merchant_id }
      return sealed?.startsWith('v1.') ? [`${column} ${open(h.gateway.ctx.keys, sealed, contextOf(ids))}`] : []
    }),
  )
}

test('every column that holds something sealed is declared by its feature', async () => {
  const rows = await harness().sql(
    '01',
    `select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like '%sealed' and data_type = 'text'`,
  )
  const declared = SEALED.flatMap(({ table, columns }) => Object.keys(columns).map((column) => `${table}.${column}`))
  const found = rows.map(({ name }): string => String(name))
  expect(declared.toSorted()).toEqual([...found, 'requests.answer'].toSorted())
})

test('both keys are rotated while the gateway runs: nothing is refused, nothing is lost, and the old one can go', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { naira: 10_000 })
  const made = await make(h, merchant)
  const before = await Promise.all(SEALED.map((sealed) => recordsOf(h, sealed)))
  expect(
    before.every((records) => records.length > 0),
    'each table has something',
  ).toBe(true)
  const credit = (signing?: object) => tell(h, notice(merchant.walletNumber, '10.00'), signing)

  expect(verdict(await credit({ key: B2 }))).toBe('401 SIGNATURE_INVALID')
  put(BANK, `2:${B2},1:${B1}`)
  await h.until('the bank may sign with either', async () => h.gateway.ctx.connectors.all[0].keys().length === 2, 5_000)
  expect(verdict(await credit({ key: B2 }))).not.toMatch('SIGNATURE')
  expect(verdict(await credit())).not.toMatch('SIGNATURE')
  // The bank does not know the new key yet: we go on signing with the one it takes.
  expect((await h.gateway.ctx.bank.nameEnquiry({ bankCode: '058', accountNumber: '0123456789' })).kind).toBe('yes')
  expect(versions(h)).toBe('1')

  put(MASTER, `1:${M1},2:half`)
  await expect(
    h.config.rereadKeys?.(async (text) => text),
    'a file that is not whole changes nothing',
  ).rejects.toThrow('MASTER_KEYS_FILE: version 2 must be')
  put(MASTER, `1:${M1},2:${M2}`)
  await h.until('version 2 is known', async () => versions(h) === '1,2', 5_000)
  expect((await command(h, 'retire', '1', '--now')).text).toBe('Version 1 is the present one.')
  put(MASTER, `2:${M2},1:${M1}`)
  await h.until('version 2 seals', async () => versions(h) === '2,1', 5_000)
  expect(await use(h, made.token), 'a token of the version before').toBe('200')
  await expectGood(h, merchant, made)
  expect(await refusalOf(h, `2:${M2}`)).toMatch(
    /^version 1 of the master key \(fingerprint [0-9a-f]{8}\) is in use in cell 01/,
  )
  expect((await command(h, 'retire', '1', '--now')).text).toMatch(
    /has records of version 1\. Run `cowrie run keys reseal`/,
  )

  // Killed after one table: whole slices are done, the rest is as it was, and another run does it.
  await resealTable(h.gateway.ctx, '01', SEALED[0] as SealedTable)
  const resealed = await command(h, 'reseal')
  expect([resealed.code, resealed.text]).toEqual([
    0,
    expect.stringMatching(/version 1 .* opens what it sealed: 0 records/),
  ])
  const after = await Promise.all(SEALED.map((sealed) => recordsOf(h, sealed)))
  for (const [at, records] of before.entries()) expect(after[at]).toEqual(expect.arrayContaining(records))
  expect((await command(h, 'retire', '1')).text).toMatch(/^Tokens of version 1 may be good until /)
  const stale = seal(oldOnly(h), merchant.secretKey, merchant.apiKey)
  expect((await command(h, 'retire', '1', '--now')).code).toBe(0)
  await expect(
    h.sql('01', 'update merchants set secret_sealed = $1 where id = $2', [stale, merchant.id]),
    'the database refuses what a retired version sealed',
  ).rejects.toThrow('sealed with a version of the master key that is retired')

  put(MASTER, `2:${M2}`)
  put(BANK, `1:${B1}`)
  await h.until('version 1 is gone', async () => versions(h) === '2', 5_000)
  expect(await use(h, made.token), 'its tokens went with it').toBe('401 TOKEN_INVALID')
  await expectGood(h, merchant, made)
  expect((await redeem(h, made.code)).status, 'a paycode is found').toBe(200)
  expect(verdict(await credit({ key: B2 }))).toBe('401 SIGNATURE_INVALID')
  expect((await h.sql('01', `select what, after from trail where what = 'masterKeys.retire'`)).length).toBe(1)

  expect(await refusalOf(h, `2:${M2}`)).toBeNull()
  expect(await refusalOf(h, `2:${OTHER}`)).toMatch(/^cell 01 was set up with another version 2 of MASTER_KEYS \(/)
  expect(await refusalOf(h, `3:${M2}`)).toMatch(/as version 3 as version 2; correct the number$/)
  expect(await refusalOf(h, `1:${M1},2:${M2}`)).toBe(
    'version 1 of the master key is retired in cell 01 and cannot be the present one',
  )
})

/** The keys of a process that never read the new version. */
function oldOnly(h: Harness) {
  const { keys } = h.gateway.ctx
  const present = keys.versions.at(-1) ?? keys.present
  return { ...keys, present }
}
