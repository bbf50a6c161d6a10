// The stages of the whole check in their order. A stage runs when a file changed that it is about; one
// without subjects runs for every change. How to add one: CONTRIBUTING.md, "The two checks".
import {
  CONTRACT,
  feature,
  features,
  inGateway,
  MIGRATIONS,
  MONEY,
  PROCESSES,
  PROGRAM,
  PROGRAMMES,
  WHOLE_GATEWAY,
} from './subjects.ts'

/** What a machine must have from Debian: a program that shows it is there, and the packages that bring it. */
export const PACKAGES = {
  browser: { program: 'chromium-headless-shell', packages: ['chromium-headless-shell', 'fonts-dejavu-core'] },
  postgresql: { program: 'pg_dump', packages: ['postgresql'] },
  openssl: { program: 'openssl', packages: ['openssl'] },
  php: { program: 'php', packages: ['php-cli', 'php-curl'] },
  python: { program: 'python3', packages: ['python3'] },
  // The guides have handlers for these; their programs are Debian's own, so that the Python they belong to is
  // too.
  flask: { program: '/usr/bin/flask', packages: ['python3-flask'] },
  django: { program: '/usr/bin/django-admin', packages: ['python3-django'] },
  haproxy: { program: 'haproxy', packages: ['haproxy'] },
  prometheus: { program: 'prometheus', packages: ['prometheus', 'prometheus-alertmanager'] },
  pgbackrest: { program: 'pgbackrest', packages: ['pgbackrest'] },
  'pg-auto-failover': {
    program: 'pg_autoctl',
    packages: ['pg-auto-failover-cli', 'postgresql-15-auto-failover', 'iproute2', 'procps'],
  },
} as const
export type PackageName = keyof typeof PACKAGES

export type Stage = {
  readonly name: string
  /** The command of the short form. */
  readonly short: string
  /** Where the size that it was made for is larger. */
  readonly full?: string
  /** Only `--full` runs it. */
  readonly onlyFull?: true
  /** Which line of its output has the counts of tests. */
  readonly counts?: string
  readonly needs?: readonly PackageName[]
  /** It may say that this machine cannot run it. */
  readonly maySkip?: true
  /** A file outside the tree; without it the stage is left out, and that is said. */
  readonly unless?: { readonly missing: string }
  /** What the short form took on two cores, for the estimate and for the limit. */
  readonly seconds: number
  readonly subjects: readonly string[] | 'always'
}

const npm = (script: string, options = ''): string =>
  options === '' ? `npm run --silent ${script}` : `npm run --silent ${script} -- ${options}`
const CONFORMANCE = process.env['COWRIE_CONFORMANCE'] ?? '../shared/conformance/run.mjs'
const PAYOUTS = features('disbursements', 'bank-orders', 'authorisation', 'wallets')
const KEPT_KEYS = inGateway('core/keys', 'kit/crypto.ts', 'core/signer.ts')

/** Run by .ci/run before anything is planned: nothing of the tree can be asked without it. */
export const INSTALL = { name: 'install', command: 'npm ci --no-audit --no-fund --loglevel=error', seconds: 25 }
/** The tests of the chosen groups (groups.ts), after all stages. */
export const TESTS = 'tests'

export const STAGES: readonly Stage[] = [
  { name: 'build', short: npm('build'), seconds: 9, subjects: 'always' },
  { name: 'types', short: npm('types'), seconds: 35, subjects: PROGRAM },
  { name: 'lint', short: npm('lint'), seconds: 35, subjects: 'always' },
  {
    name: 'docs',
    short: npm('docs:build'),
    seconds: 16,
    subjects: [
      'docs',
      'apps/docs',
      CONTRACT,
      'packages/design',
      'samples',
      'tools/docs',
      'tools/generate.ts',
      'tools/sdk',
      'tools/site',
    ],
  },
  { name: 'generated', short: 'npx --no-install node tools/generate.ts --check', seconds: 5, subjects: 'always' },
  // The quick ones first: whoever has broken something is told within minutes.
  {
    name: 'conformance',
    short: `npx --no-install node ${CONFORMANCE} --exceptions e2e/conformance-exceptions.json`,
    counts: '^[0-9]+ passed, [0-9]+ failed',
    unless: { missing: CONFORMANCE },
    seconds: 45,
    subjects: [...WHOLE_GATEWAY, 'packages/design', 'apps/checkout', 'e2e/conformance-exceptions.json'],
  },
  // All kills in one, and every route: what a change of any feature has to stand.
  {
    name: 'nemesis',
    short: npm('chaos:nemesis', '--seconds 20'),
    full: npm('chaos:nemesis', '--seconds 60'),
    seconds: 40,
    subjects: [...WHOLE_GATEWAY, ...PROGRAMMES, 'chaos/nemesis'],
  },
  {
    name: 'fuzz',
    short: npm('chaos:fuzz', '--requests 4000'),
    full: npm('chaos:fuzz', '--requests 10000'),
    seconds: 35,
    subjects: [...WHOLE_GATEWAY, ...PROGRAMMES, 'chaos/fuzz'],
  },
  {
    name: 'kill',
    short: npm('chaos', '--kills 7 --seconds 45 --rate 30 --cells 2'),
    full: npm('chaos', '--kills 20 --seconds 90 --rate 60'),
    seconds: 65,
    subjects: [
      ...PROGRAMMES,
      ...PROCESSES,
      ...MONEY,
      ...features('transactions', 'credits', 'bank-numbers'),
      'chaos/payments',
    ],
  },
  {
    name: 'kill-two-cells',
    short: npm('chaos', '--kills 6 --seconds 40 --cells 2 --rate 50'),
    onlyFull: true,
    seconds: 60,
    subjects: inGateway('core/cells'),
  },
  {
    name: 'webhooks',
    short: npm('chaos:webhooks', '--merchants 20 --hostile 8 --events 2000 --seconds 12'),
    needs: ['openssl'],
    seconds: 30,
    subjects: [
      ...PROGRAMMES,
      ...features('webhooks', 'events'),
      ...inGateway('core/events.ts', 'outside/webhooks.ts', 'kit/permits.ts'),
      'chaos/webhooks',
    ],
  },
  {
    name: 'webhooks-kill',
    short: npm('chaos:webhooks', '--merchants 20 --hostile 8 --events 2000 --seconds 12 --kills 5'),
    needs: ['openssl'],
    seconds: 35,
    subjects: [
      ...PROGRAMMES,
      ...features('webhooks', 'events'),
      ...inGateway('core/events.ts', 'core/agenda.ts', 'core/work-loop.ts', 'outside/webhooks.ts', 'worker.ts'),
      'chaos/webhooks',
    ],
  },
  {
    name: 'payouts-kill',
    short: npm('chaos:payouts', '--payouts 150 --kills 8 --seconds 15'),
    seconds: 35,
    subjects: [
      ...PROGRAMMES,
      ...PAYOUTS,
      ...MONEY,
      ...inGateway('core/agenda.ts', 'core/work-loop.ts', 'core/routing', 'outside/bank.ts', 'outside/line.ts'),
      'apps/simulator/src/payouts',
      'chaos/payouts',
    ],
  },
  {
    name: 'payouts-race',
    short: npm('bench:payouts', '--attempts 3000'),
    seconds: 25,
    subjects: [...PROGRAMMES, ...PAYOUTS, ...MONEY, 'bench/kit', 'bench/payouts'],
  },
  {
    name: 'settlements-kill',
    short: npm('chaos:settlements', '--kills 5 --payments 200 --merchants 100'),
    seconds: 35,
    subjects: [
      ...PROGRAMMES,
      ...features('settlements', 'bank-orders'),
      ...inGateway('core/ledger'),
      'chaos/settlements',
    ],
  },
  {
    name: 'day',
    short: npm('chaos:day', '--operations 300'),
    full: npm('chaos:day', '--operations 400'),
    seconds: 30,
    subjects: [
      ...PROGRAMMES,
      ...features('connector-routes', 'reconciliation', 'breaks', 'bank-numbers', 'bank-orders', 'cards'),
      ...inGateway('core/routing', 'outside/connectors.ts', 'outside/bank.ts', 'outside/meeting.ts'),
      'connectors',
      'packages/connector-kit',
      'chaos/day',
    ],
  },
  {
    name: 'rails',
    short: npm('chaos:rails', '--kills 6'),
    full: npm('chaos:rails', '--kills 10'),
    seconds: 35,
    subjects: [
      'chaos/kit',
      'chaos/rails',
      'connectors/nibss-easypay',
      'connectors/providus',
      'packages/connector-kit/src',
      'packages/connector-kit/test',
    ],
  },
  // What an operator does, and what happens to one: a new version, new keys, a lost database, a lost primary.
  {
    name: 'rolling',
    short: npm('chaos:rolling', '--restarts 1 --rate 20 --drain 3 --behind 60'),
    needs: ['haproxy'],
    seconds: 45,
    subjects: [...PROGRAMMES, ...PROCESSES, 'deploy/compose', 'deploy/systemd', 'chaos/rolling', 'tools/build'],
  },
  {
    name: 'upgrade',
    short: npm('chaos:upgrade', '--rate 10 --drain 2 --behind 60'),
    needs: ['haproxy'],
    seconds: 47,
    subjects: [MIGRATIONS, 'tools/migrate.ts', 'chaos/kit', 'chaos/rolling', 'tools/build'],
  },
  {
    name: 'cells',
    short: npm('chaos:cells', '--rate 10 --drain 2'),
    needs: ['haproxy'],
    seconds: 32,
    subjects: ['chaos/kit', 'chaos/rolling', feature('placement'), ...inGateway('core/cells', 'config.ts')],
  },
  {
    name: 'keys',
    short: npm('chaos:keys', '--rows 2000 --clients 4 --kills 1'),
    seconds: 35,
    subjects: ['chaos/kit', 'chaos/keys', 'tools/operator/keys.ts', ...KEPT_KEYS, ...features('keys', 'auth')],
  },
  {
    name: 'restore',
    short: npm('chaos:restore', '--payments 10 --payouts 4'),
    full: npm('chaos:restore'),
    needs: ['postgresql', 'pgbackrest'],
    seconds: 40,
    subjects: [
      'chaos/kit',
      'chaos/restore',
      'tools/postgres',
      ...features('reconciliation', 'breaks'),
      ...inGateway('core/durability.ts'),
    ],
  },
  {
    // Needs the right to make network namespaces, which root has not got in every container.
    name: 'failover',
    short: npm('chaos:failover', '--failovers 2 --rate 30 --refused 20'),
    needs: ['postgresql', 'pg-auto-failover'],
    maySkip: true,
    seconds: 80,
    subjects: [
      'chaos/kit',
      'chaos/failover',
      'tools/postgres',
      ...inGateway('core/cells/primary.ts', 'core/cells/cells.ts', 'core/durability.ts', 'core/readiness.ts'),
    ],
  },
  {
    // Everything at once for a minute; the hour is run before a release (docs/operate/soak.md).
    name: 'soak',
    short: npm('soak', '--minutes 1 --rate 2 --gap 6 --failovers 0 --seed 34'),
    needs: ['haproxy'],
    seconds: 88,
    subjects: ['chaos/kit', 'chaos/soak', 'chaos/webhooks', ...PROCESSES, ...inGateway('core/cells', 'kit/metrics.ts')],
  },
  {
    name: 'month',
    short: `env MONTH_OPERATIONS=600 ${npm('test:month')}`,
    full: `env MONTH_OPERATIONS=1500 ${npm('test:month')}`,
    counts: '^ *Tests ',
    seconds: 60,
    subjects: [
      ...MONEY,
      ...features('settlements', 'reconciliation', 'breaks', 'refunds', 'fees', 'bank-orders'),
      ...inGateway('core/books', 'core/cells/months.ts', 'core/cells/departure.ts', 'core/cells/month-keeper.ts'),
      'tools/operator/months',
      'tools/operator/months.ts',
      'e2e/month',
      'vitest.month.config.ts',
    ],
  },
]

/** Programmes that no stage runs, and why. */
export const BY_HAND: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'bench/batch',
    'bench/connectors',
    'bench/growth',
    'bench/hot',
    'bench/payments',
    'bench/reserved',
    'bench/screens',
    'bench/search',
    'bench/settlements',
    'bench/transfers',
    'bench/webhooks',
  ].map((folder) => [folder, 'measures speed, and figures of two machines cannot be compared']),
)
