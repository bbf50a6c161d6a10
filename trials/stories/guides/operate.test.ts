// The blocks of code on the pages about tools and operating. Going live is walked as its page says, on a
// cluster and a machine user's folder of its own, with stand-ins for bank and mail; settings are given to the
// programs they are for; commands are asked whether they exist. At the end every block of the whole site is
// accounted for, and the count is printed.
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../apps/gateway/src/config.ts'
import { makeCertificate } from '../../../apps/gateway/test/kit/certificates.ts'
import { freePort } from '../../../tools/ports.ts'
import { chooseBinaries, unprivilegedUser } from '../../../tools/postgres/binaries.ts'
import { lacks } from '../../../tools/programs.ts'
import { bankKeyOf } from '../../../tools/sandbox/seed.ts'
import { fencesOf } from '../../../tools/site/fences.ts'
import { SOURCES } from '../../../tools/site/pages.ts'
import { exampleOf, groupPages, MERCHANT_ROUTES, overviewPage } from '../../../tools/site/reference.ts'
import { CLIENTS, LOG_IN_CURL, snippetsOf } from '../../../tools/site/snippets.ts'
import { type Sandbox, startSandbox } from '../browser.ts'
import { type Bank, startBank } from '../live/bank.ts'
import { type Mails, startMails } from '../live/mails.ts'
import { accountOf, type Became, type Block } from './account.ts'
import { wrongCommands } from './commands.ts'
import { lackedBy, ROOT } from './programs.ts'
import { background, blockOf, type Done, doneTo, filledIn, isDone, shell } from './shell.ts'

const LIMIT_MS = 240_000
const LIVE = 'docs/operate/going-live.md'
const KEY = bankKeyOf('operate')

const home = mkdtempSync(join(tmpdir(), 'cowrie-operate-'))
const running: { stop(): Promise<void> }[] = []
let env: Record<string, string>
let ports: { database: number; api: number; operator: number }
let bank: Bank
let mails: Mails
let sandbox: Sandbox

/** PostgreSQL refuses to run as root: then its programs run as somebody else, who may read nothing of
 *  ours. */
const user = process.getuid?.() === 0 ? unprivilegedUser() : null
const binaries = chooseBinaries(user, null, true)
const serverProgram = (name: string): string =>
  [
    ...(user ? [`setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups`] : []),
    ...(binaries.lib ? [`env LD_LIBRARY_PATH=${binaries.lib}`] : []),
    join(binaries.bin, name),
  ].join(' ')

beforeAll(async () => {
  chmodSync(home, 0o755)
  ports = { database: await freePort(), api: await freePort(), operator: await freePort() }
  const certificate = makeCertificate({ name: 'localhost' })
  writeFileSync(join(home, 'authority.pem'), certificate.authority)
  const charge = { date: '2026-01-01', amount: '50.00', sessionId: '0'.repeat(30) }
  bank = await startBank({ key: KEY, charge, accountName: 'NOBODY' }, certificate)
  mails = await startMails(certificate)
  running.push(bank, mails)
  sandbox = await startSandbox()
  running.push(sandbox)
  env = { HOME: home, PORT: String(ports.api), NODE_EXTRA_CA_CERTS: join(home, 'authority.pem') }
}, LIMIT_MS)
afterAll(async () => {
  for (const one of running.toReversed()) await one.stop()
  if (existsSync(join(home, 'postgres/postmaster.pid')))
    await shell(`${serverProgram('pg_ctl')} -D ~/postgres -m fast -w stop`, env)
  rmSync(home, { recursive: true, force: true })
}, LIMIT_MS)

type Step = {
  readonly places?: Readonly<Record<string, string>>
  readonly says?: RegExp
  readonly cwd?: string
  readonly before?: string
}
/** Runs a block to its good end. */
async function runs(page: string, begins: string, step: Step = {}): Promise<string> {
  const block = blockOf(page, begins)
  const text = filledIn(block, step.places ?? {})
  const { code, said } = await shell(`${step.before ?? ''}\n${text}`, env, step.cwd)
  expect(code, said).toBe(0)
  expect(said).toMatch(step.says ?? /(?:)/)
  isDone(page, block)
  return said
}
const WITH_SETTINGS = 'set -a; . ~/live/live.env; set +a'
const asked = () => ({
  '5433': String(ports.database),
  ...(user ? { '--auth-local=peer': '--auth-local=trust' } : {}),
})

describe('going live, as its page says', () => {
  test(
    'a cluster, roles and logins, the tables',
    async () => {
      if (lacks('psql')) throw new Error('psql is needed: apt-get install postgresql-client')
      if (user) {
        const name = (await shell(`id -nu ${user.uid}`, env)).said.trim()
        env = { ...env, PGUSER: name }
        mkdirSync(join(home, 'postgres'), { mode: 0o700 })
        chownSync(join(home, 'postgres'), user.uid, user.gid)
      }
      const programs = Object.fromEntries(
        ['initdb', 'pg_ctl'].map((name) => [`/usr/lib/postgresql/15/bin/${name}`, serverProgram(name)]),
      )
      await runs(LIVE, '/usr/lib/postgresql/15/bin/initdb', {
        places: { ...programs, ...asked() },
        says: /server started/,
      })
      const { '5433': database } = asked()
      const made = await runs(LIVE, 'umask 077 && mkdir ~/live', { places: { '5433': database } })
      expect(made.match(/^DO$/gm)).toHaveLength(5)
      expect(made).toMatch(/CREATE DATABASE\s+REVOKE\s+GRANT/)
      await runs(LIVE, 'here() { sed', { places: { '5433': database } })
      expect(existsSync(join(home, 'live/setup.sql'))).toBe(false)
      await runs(LIVE, '(set -a; . ~/live/owner.env; npx cowrie run migrate)', { says: /cell 01: 0001_cell\.sql, / })
    },
    LIMIT_MS,
  )

  test(
    'the settings, and that the gateway can start with them',
    async () => {
      await runs(LIVE, 'cat >> ~/live/live.env', {
        places: {
          "https://<the bank's address>": bank.url,
          '<the key that you share with the bank>': KEY,
          'smtps://<user>:<password>@<mail server>': mails.url,
          '4001': String(ports.operator),
        },
      })
      const said = await runs(LIVE, '(set -a; . ~/live/live.env; npx cowrie db check)')
      expect(said.match(/^ok /gm)).toHaveLength(3)
      expect(said).toContain('The gateway can start on these databases.')
    },
    LIMIT_MS,
  )

  test(
    'api and worker start, and answer; the first operator gets a link',
    async () => {
      const block = blockOf(LIVE, 'cd ~/cowrie && set -a && . ~/live/live.env && npx cowrie run api')
      const [api = '', worker = ''] = filledIn(block, { '~/cowrie': ROOT }).split('\n')
      running.push(await background(api, env, 'listening for operators'))
      running.push(await background(worker, env, 'working'))
      isDone(LIVE, block)
      await runs(LIVE, 'curl http://127.0.0.1:4000/health', {
        places: { '4000': String(ports.api) },
        says: /\{"ok":true\}/,
      })
      const operator = blockOf(LIVE, 'cd ~/cowrie && set -a && . ~/live/live.env\nnpx cowrie run operators')
      const { code, said } = await shell(filledIn(operator, { '~/cowrie': ROOT }), env)
      expect([code, said]).toEqual([0, expect.stringMatching(/https?:\/\/\S+/)])
      isDone(LIVE, operator)
      await runs(LIVE, 'npx cowrie run books', { before: WITH_SETTINGS })
    },
    LIMIT_MS,
  )

  test(
    'what live.md and keys.md add',
    async () => {
      const owner = /CELLS='01=(postgres:[^']+)'/.exec(readFileSync(join(home, 'live/owner.env'), 'utf8'))?.[1] ?? ''
      await runs('docs/live.md', "CELLS='01=postgres://<owner>", {
        places: { 'postgres://<owner>:<password>@db.example/cell_01?sslmode=verify-full': owner },
      })
      const roles = blockOf('docs/live.md', 'create role cowrie_app_login')
      const aside = ['app', 'engine'].map((name) => `alter role cowrie_${name}_login rename to was_${name};`).join(' ')
      writeFileSync(join(home, 'roles.sql'), `begin; ${aside}\n${filledIn(roles, { '…': 'secret' })}\nrollback;`)
      const psql = `psql -h ~/postgres -p ${ports.database} -v ON_ERROR_STOP=1 -f ~/roles.sql postgres`
      expect(await shell(psql, env)).toMatchObject({
        code: 0,
        said: expect.stringMatching(/CREATE ROLE\s+CREATE ROLE/),
      })
      isDone('docs/live.md', roles)
      const starts = blockOf('docs/live.md', 'npx cowrie run api')
      for (const line of starts.trim().split('\n'))
        expect(blockOf(LIVE, 'cd ~/cowrie && set -a && . ~/live/live.env && npx cowrie run api')).toContain(line)
      isDone('docs/live.md', starts, 'checked')
      await runs('docs/operate/keys.md', 'umask 077 && mkdir -p ~/live/keys')
      const settings = readFileSync(join(home, 'live/live.env'), 'utf8')
      expect(settings).not.toMatch(/^(?:MASTER|BANK)_KEY=/m)
      expect(
        (await shell(`${WITH_SETTINGS}; npx cowrie run keys status`, env)).code,
        'the keys are read from their files',
      ).toBe(0)
    },
    LIMIT_MS,
  )
})

describe('commands', () => {
  const CHECKED: readonly (readonly [page: string, begins: string])[] = [
    ['docs/cli.md', 'npx cowrie sandbox'],
    ['docs/cli.md', 'npx cowrie exam'],
    ['docs/settlements.md', 'cowrie settlements verify'],
    ['docs/settlements.md', 'cowrie admin settlements preview'],
    [LIVE, 'export COWRIE_OPERATOR_URL='],
    [LIVE, 'npx cowrie admin operators invite'],
    [LIVE, 'npx cowrie admin operators list'],
    [LIVE, 'npx cowrie admin merchants apply'],
    [LIVE, 'npx cowrie admin approvals list'],
    [LIVE, 'npx cowrie admin fees set'],
    ['docs/live.md', 'npx cowrie run months export'],
    ['docs/live.md', 'npx cowrie run erase'],
    ['docs/reconciliation.md', 'cowrie admin breaks list'],
    ['docs/reconciliation.md', 'cowrie admin breaks show'],
    ['docs/reconciliation.md', 'cowrie admin breaks undo'],
    ['docs/reconciliation.md', 'cowrie run books --cover'],
  ]
  const withSettings = () => {
    const lines = readFileSync(join(home, 'live/live.env'), 'utf8').trim().split('\n')
    const pairs = lines.map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1).replace(/^'|'$/g, ''),
    ])
    return { ...env, ...Object.fromEntries(pairs) } as Record<string, string>
  }

  test.each(CHECKED)(
    '%s: those that begin with "%s" exist, with these options',
    async (page, begins) => {
      const block = blockOf(page, begins)
      expect(await wrongCommands(block, withSettings())).toEqual([])
      isDone(page, block, 'checked')
    },
    LIMIT_MS,
  )

  test.each([
    ['npx cowrie admin merchants documents X', 'it takes no documents'],
    ['npx cowrie merchants list', 'it takes no list'],
    ['npx cowrie admin fees set ANY --basis 120', 'there is no --basis'],
    ['npx cowrie admin accept now', 'it takes no now'],
    ['npx cowrie run months drop 202601', 'its help has no drop'],
    ['npx cowrie run month export', 'Allowed choices'],
    ['npm run month -- export', 'npm knows no month'],
    ['echo nothing', 'there is no command in it'],
  ])(
    'planted: %s is found',
    async (text, says) => {
      expect((await wrongCommands(text, withSettings())).join('\n')).toContain(says)
    },
    LIMIT_MS,
  )

  test(
    'those that only read are run on the live gateway above',
    async () => {
      for (const words of ['books --cover', 'audit verify', 'numbers', 'months'])
        expect([words, (await shell(`${WITH_SETTINGS}; npx cowrie run ${words}`, env)).code]).toEqual([words, 0])
    },
    LIMIT_MS,
  )

  test(
    'cli.md: an agent is given the command, and the exam is passed by the right handler',
    async () => {
      const agent = blockOf('docs/cli.md', '{ "mcpServers"')
      const { command, args } = JSON.parse(agent).mcpServers.cowrie
      expect(await wrongCommands([command, ...args].join(' '), env)).toEqual([])
      isDone('docs/cli.md', agent, 'checked')
      const exam = blockOf('docs/cli.md', 'COWRIE_SECRET_KEY=test node samples/handlers/right.mjs')
      const [handler = '', examine = ''] = filledIn(exam, { '3000': String(await freePort()) }).split('\n')
      const served = await background(handler, env, 'listening')
      const { code, said } = await shell(examine, env)
      await served.stop()
      expect(code, said).toBe(0)
      isDone('docs/cli.md', exam)
    },
    LIMIT_MS,
  )
})

describe('calls', () => {
  const keys = () => sandbox.handle.merchants.main
  test('a limited key; the first payment of a new merchant', async () => {
    const { apiKey, secretKey, contractCode } = keys()
    const API = `API=${sandbox.handle.apiUrl} API_KEY=${apiKey} SECRET_KEY=${secretKey}`
    const made = await runs('docs/secret-keys.md', 'curl -s "$API/api/v1/auth/keys"', { before: API })
    expect(made).toContain('"requestSuccessful":true')
    const first = {
      'https://pay.example': sandbox.handle.apiUrl,
      '<API key>:<secret key>': `${apiKey}:${secretKey}`,
      '<contract code>': contractCode,
    }
    const asked = filledIn(blockOf(LIVE, 'API=https://pay.example'), first)
    await runs(LIVE, 'API=https://pay.example', { places: first, cwd: home, says: /\/checkout\// })
    const again = filledIn(asked, { 'first-live': 'first-live-2' })
    await runs(LIVE, 'curl -s -G $API/api/v2/merchant', { before: again, cwd: home, says: /^PENDING$/m })
  })

  test('the signature of the bank connector’s page is what its own command prints', async () => {
    const page = 'docs/reference/bank-connector.md'
    const said = await runs(page, 'printf')
    const signed = blockOf(page, '1777731331.POST')
    const headers = blockOf(page, 'cowrie-timestamp')
    expect(blockOf(page, 'printf')).toContain(`'${signed.trim()}'`)
    expect(headers).toContain(`v1=${said.trim().split(' ').at(-1)}`)
    isDone(page, signed)
    isDone(page, headers)
  })
})

describe('settings of other programs', () => {
  /** A block for a program that is installed where the tests must all run. */
  function given(page: string, begins: string, program: string): string | null {
    const block = blockOf(page, begins)
    if (!lacks(program)) return block
    isDone(page, block, 'absent')
    return null
  }

  test('HAProxy takes those of restarts.md', async () => {
    const block = given('docs/operate/restarts.md', 'backend apis', 'haproxy')
    if (block === null) return
    const rest =
      'defaults\n  mode http\n  timeout connect 1s\n  timeout client 1s\n  timeout server 1s\nfrontend all\n  bind 127.0.0.1:1\n  default_backend apis\n'
    const check = async (text: string) => {
      writeFileSync(join(home, 'haproxy.cfg'), rest + text)
      return shell('haproxy -c -f ~/haproxy.cfg', env)
    }
    expect(await check(block)).toMatchObject({ code: 0 })
    expect((await check(block.replace('retry-on', 'retry-of'))).code).not.toBe(0)
    isDone('docs/operate/restarts.md', block, 'checked')
  })

  test('pgBackRest and PostgreSQL take those of backup.md', async () => {
    const block = given('docs/operate/backup.md', '[global]', 'pgbackrest')
    const archive = blockOf('docs/operate/backup.md', 'archive_mode = on')
    if (block === null) return isDone('docs/operate/backup.md', archive, 'absent')
    const check = async (text: string) => {
      writeFileSync(join(home, 'pgbackrest.conf'), filledIn(text, { '/backup': join(home, 'backup'), '=…': '=secret' }))
      return (await shell('pgbackrest --config=$HOME/pgbackrest.conf --log-level-file=off --stanza=cell_01 info', env))
        .said
    }
    expect(await check(block)).not.toMatch(/WARN|invalid|ERROR/)
    expect(await check(block.replace('start-fast', 'start-soon'))).toMatch(/invalid option 'start-soon'/)
    isDone('docs/operate/backup.md', block, 'checked')
    writeFileSync(join(home, 'archive.conf'), archive)
    for (const [name, value] of [
      ['archive_mode', 'on'],
      ['archive_command', 'pgbackrest --stanza=cell_01 archive-push %p'],
      ['archive_timeout', '60'],
    ] as const) {
      const program = `${binaries.lib ? `LD_LIBRARY_PATH=${binaries.lib} ` : ''}${join(binaries.bin, 'postgres')}`
      const { said } = await shell(`${program} -C ${name} -D ~/postgres -c config_file=${home}/archive.conf`, env)
      expect([name, said.trim().split('\n').at(-1)]).toEqual([name, value])
    }
    isDone('docs/operate/backup.md', archive, 'checked')
  })

  test('pg_autoctl knows the options of failover.md; the gateway takes its CELLS', async () => {
    const page = 'docs/operate/failover.md'
    const cells = blockOf(page, 'CELLS=')
    const { cells: read } = readConfig({
      ...{
        ENVIRONMENT: 'sandbox',
        CELLS: cells.trim().slice('CELLS='.length),
        MASTER_KEY: Buffer.alloc(32).toString('base64'),
      },
      ...{
        BANK_URL: 'http://127.0.0.1:1',
        BANK_KEY: KEY,
        SMTP_URL: 'smtp://127.0.0.1:1',
        PUBLIC_URL: 'http://127.0.0.1:1',
      },
    })
    expect(read.get('01')?.app).toContain('@a,b,c/cell_01')
    isDone(page, cells, 'checked')
    for (const begins of ['pg_autoctl create monitor', 'pg_autoctl create postgres']) {
      const block = given(page, begins, 'pg_autoctl')
      if (block === null) continue
      expect(await wrongCommands(block.split('\npg_autoctl -q')[0] ?? '', env)).toEqual([])
      isDone(page, block, 'checked')
    }
  })

  test('the chart has every value of kubernetes.md', () => {
    const block = blockOf('docs/operate/kubernetes.md', 'publicUrl:')
    const namesIn = (text: string): Set<string> => {
      const path: string[] = []
      return new Set(
        [...text.matchAll(/^( *)(\w+):/gm)].map(([, indent = '', name = '']) => {
          path.splice(indent.length / 2, path.length, name)
          return path.join('.')
        }),
      )
    }
    const known = namesIn(readFileSync(join(ROOT, 'deploy/helm/cowrie/values.yaml'), 'utf8'))
    expect([...namesIn(block)].filter((name) => !known.has(name))).toEqual([])
    expect(namesIn(block).size).toBe(9)
    isDone('docs/operate/kubernetes.md', block, 'checked')
  })

  test('systemd takes the units of install-debian.md, where it is installed', async () => {
    const page = readFileSync(join(ROOT, 'docs/operate/install-debian.md'), 'utf8')
    const units = ['cowrie-api@.service', 'cowrie-worker@.service', 'cowrie-migrate.service']
    for (const unit of units) expect(page).toContain(unit)
    if (!existsSync('/usr/bin/systemd-analyze')) return
    const files = units.map((unit) => join(ROOT, 'deploy/systemd', unit))
    const { said } = await shell(`systemd-analyze verify --man=no ${files.join(' ')} || true`, env)
    expect(
      said.split('\n').filter((line) => /deploy\/systemd.*(?:Unknown|Failed to parse|Invalid|ignoring)/.test(line)),
    ).toEqual([])
  })
})

// ---- the account of the whole site

const HOME_PAGE = 'apps/docs/home.mdx'
const REFERENCE = [overviewPage(), ...groupPages()]
const pages = (): ReadonlyMap<string, string> =>
  new Map([
    [HOME_PAGE, readFileSync(ROOT + HOME_PAGE, 'utf8')],
    ...SOURCES.map(({ file }) => [file, readFileSync(ROOT + file, 'utf8')] as const),
    ...REFERENCE.map(({ slug, body }) => [slug, body] as const),
  ])

/** Calls of the reference are run by reference.test.ts; their answers are played again by
 *  trials/stories/examples.test.ts. */
const calls = new Set([
  ...MERCHANT_ROUTES.flatMap((route) => snippetsOf(route, exampleOf(route)).map(({ text }) => text)),
  ...CLIENTS.map(({ text }) => text),
  LOG_IN_CURL,
])
function became({ page, file, language, text }: Block): Became {
  // Files of the guides are run by guides.test.ts, which fails for one that was not.
  if (file !== null) return lackedBy(file) === null ? 'run' : 'absent'
  if (!REFERENCE.some(({ slug }) => slug === page)) {
    const how = doneTo(page, text)
    return how === 'checked' ? 'run' : how
  }
  const isAnswer = language === 'json' || language === 'csv'
  return calls.has(text) || isAnswer ? 'run' : null
}

describe('every block of code on the site', () => {
  test('is run by a test, or excepted with a reason', () => {
    const { blocks, run, excepted, absent, faults } = accountOf(pages(), became)
    console.log(`blocks ${blocks}: run ${run}, excepted ${excepted} (each with a reason), skipped ${absent}`)
    const operating = SOURCES.filter(({ slug }) => !slug.startsWith('guides/')).map(({ file }) => file)
    const all = operating.flatMap((file) =>
      fencesOf(readFileSync(ROOT + file, 'utf8')).map(({ text }) => doneTo(file, text)),
    )
    const of = (how: Done): number => all.filter((one) => one === how).length
    console.log(
      `of these ${all.length} on the pages of tools, operating and tables: ${of('run')} executed, ${of('checked')} checked by the program they are for`,
    )
    expect(faults).toEqual([])
  })

  test('planted: one that nobody runs is found', () => {
    const more = new Map([...pages(), ['docs/operate/planted.md', '```sh\nrm -rf /\n```\n']])
    expect(accountOf(more, became).faults).toEqual([
      'docs/operate/planted.md: the block "rm -rf /" is run by no test, and not excepted',
    ])
  })
})
