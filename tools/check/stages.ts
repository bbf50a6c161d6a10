// The stages of the whole check in their order. A stage runs when a file changed that it is about; one
// without subjects runs for every change. How to add one: CONTRIBUTING.md, "The two checks".
import { findProgramme, type Kind } from './programmes.ts'
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
  softhsm: { program: 'softhsm2-util', packages: ['softhsm2'] },
  opensc: { program: 'pkcs11-tool', packages: ['opensc'] },
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
/** The options of the short form, and what it takes, stand in the table of programmes. */
const programme = (kind: Kind, name: string): Pick<Stage, 'short' | 'seconds'> => ({
  short: npm(kind, `${name} --short`),
  seconds: findProgramme(kind, name)?.seconds ?? 0,
})
const trial = (name: string) => programme('trial', name)
const bench = (name: string) => programme('bench', name)
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
    short: `npx --no-install node ${CONFORMANCE} --exceptions trials/stories/conformance-exceptions.json`,
    counts: '^[0-9]+ passed, [0-9]+ failed',
    unless: { missing: CONFORMANCE },
    seconds: 45,
    subjects: [...WHOLE_GATEWAY, 'packages/design', 'apps/checkout', 'trials/stories/conformance-exceptions.json'],
  },
  // All kills in one, and every route: what a change of any feature has to stand.
  {
    name: 'nemesis',
    ...trial('nemesis'),
    full: npm('trial', 'nemesis --seconds 60'),
    subjects: [...WHOLE_GATEWAY, ...PROGRAMMES, 'trials/chaos/nemesis'],
  },
  {
    name: 'fuzz',
    ...trial('fuzz'),
    full: npm('trial', 'fuzz --requests 10000'),
    subjects: [...WHOLE_GATEWAY, ...PROGRAMMES, 'trials/chaos/fuzz'],
  },
  {
    name: 'kill',
    ...trial('payments'),
    full: npm('trial', 'payments --kills 20 --seconds 90 --rate 60'),
    subjects: [
      ...PROGRAMMES,
      ...PROCESSES,
      ...MONEY,
      ...features('transactions', 'credits', 'bank-numbers'),
      'trials/chaos/payments',
    ],
  },
  {
    name: 'kill-two-cells',
    short: npm('trial', 'payments --kills 6 --seconds 40 --cells 2 --rate 50'),
    onlyFull: true,
    seconds: 60,
    subjects: inGateway('core/cells'),
  },
  {
    name: 'webhooks',
    ...trial('webhooks'),
    needs: ['openssl'],
    subjects: [
      ...PROGRAMMES,
      ...features('webhooks', 'events'),
      ...inGateway('core/events.ts', 'outside/webhooks.ts', 'kit/permits.ts'),
      'trials/chaos/webhooks',
    ],
  },
  {
    name: 'webhooks-kill',
    ...trial('webhooks-kill'),
    needs: ['openssl'],
    subjects: [
      ...PROGRAMMES,
      ...features('webhooks', 'events'),
      ...inGateway('core/events.ts', 'core/agenda.ts', 'core/work-loop.ts', 'outside/webhooks.ts', 'worker.ts'),
      'trials/chaos/webhooks',
    ],
  },
  {
    name: 'payouts-kill',
    ...trial('payouts'),
    subjects: [
      ...PROGRAMMES,
      ...PAYOUTS,
      ...MONEY,
      ...inGateway('core/agenda.ts', 'core/work-loop.ts', 'core/routing', 'outside/bank.ts', 'outside/line.ts'),
      'apps/simulator/src/payouts',
      'trials/chaos/payouts',
    ],
  },
  {
    name: 'payouts-race',
    ...bench('payouts'),
    subjects: [...PROGRAMMES, ...PAYOUTS, ...MONEY, 'trials/bench/kit', 'trials/bench/payouts'],
  },
  {
    name: 'settlements-kill',
    ...trial('settlements'),
    subjects: [
      ...PROGRAMMES,
      ...features('settlements', 'bank-orders'),
      ...inGateway('core/ledger'),
      'trials/chaos/settlements',
    ],
  },
  {
    name: 'day',
    ...trial('day'),
    full: npm('trial', 'day --operations 400'),
    subjects: [
      ...PROGRAMMES,
      ...features('connector-routes', 'reconciliation', 'breaks', 'bank-numbers', 'bank-orders', 'cards'),
      ...inGateway('core/routing', 'outside/connectors.ts', 'outside/bank.ts', 'outside/meeting.ts'),
      'connectors',
      'packages/connector-kit',
      'trials/chaos/day',
    ],
  },
  {
    // The same histories every time; thousands of others are run before a release.
    name: 'histories',
    ...trial('histories'),
    subjects: [
      ...PROGRAMMES,
      ...MONEY,
      ...inGateway('core/routing', 'features/settlements', 'features/bank', 'features/wallets'),
      ...features('credits', 'held-money', 'payment-policy', 'transactions', 'reserved-accounts', 'refunds'),
      ...features('disbursements', 'sub-accounts'),
      'apps/simulator/src/statements',
      'apps/simulator/src/payouts',
      'trials/chaos/histories',
    ],
  },
  {
    // Each held off by another part of the gateway: people, keys, what leaves, what strangers reach.
    name: 'attacks',
    ...trial('attacks'),
    // Ten minutes beside an honest load, as without options, are for a machine that does nothing else.
    full: npm('trial', 'attacks --beside 30'),
    subjects: [
      ...PROGRAMMES,
      ...inGateway('core/acts', 'core/access', 'features/access', 'features/wallets'),
      ...features('settlements', 'sub-accounts', 'payment-links', 'transactions', 'checkout'),
      ...features('disbursements', 'refunds', 'paycodes', 'exports', 'webhooks'),
      'trials/chaos/attacks',
    ],
  },
  {
    name: 'rails',
    ...trial('rails'),
    full: npm('trial', 'rails --kills 10'),
    subjects: [
      'trials/chaos/kit',
      'trials/chaos/rails',
      'connectors/nibss-easypay',
      'connectors/providus',
      'packages/connector-kit/src',
      'packages/connector-kit/test',
    ],
  },
  // What an operator does, and what happens to one: a new version, new keys, a lost database, a lost primary.
  {
    name: 'rolling',
    ...trial('rolling'),
    needs: ['haproxy'],
    subjects: [...PROGRAMMES, ...PROCESSES, 'deploy/compose', 'deploy/systemd', 'trials/chaos/rolling', 'tools/build'],
  },
  {
    name: 'upgrade',
    ...trial('upgrade'),
    needs: ['haproxy'],
    subjects: [MIGRATIONS, 'tools/migrate.ts', 'trials/chaos/kit', 'trials/chaos/rolling', 'tools/build'],
  },
  {
    name: 'cells',
    ...trial('cells'),
    needs: ['haproxy'],
    subjects: [
      'trials/chaos/kit',
      'trials/chaos/rolling',
      feature('placement'),
      ...inGateway('core/cells', 'config.ts'),
    ],
  },
  {
    name: 'keys',
    ...trial('keys'),
    subjects: [
      'trials/chaos/kit',
      'trials/chaos/keys',
      'tools/operator/keys.ts',
      ...KEPT_KEYS,
      ...features('keys', 'auth'),
    ],
  },
  {
    name: 'restore',
    ...trial('restore'),
    full: npm('trial', 'restore'),
    needs: ['postgresql', 'pgbackrest'],
    subjects: [
      'trials/chaos/kit',
      'trials/chaos/restore',
      'tools/postgres',
      ...features('reconciliation', 'breaks'),
      ...inGateway('core/durability.ts'),
    ],
  },
  {
    name: 'page',
    ...trial('page'),
    needs: ['browser'],
    subjects: ['apps/checkout/in-page', 'apps/checkout/src/screens/framed.js', 'trials/chaos/page', feature('in-page')],
  },
  {
    // Needs the right to make network namespaces, which root has not got in every container.
    name: 'failover',
    ...trial('failover'),
    needs: ['postgresql', 'pg-auto-failover'],
    maySkip: true,
    subjects: [
      'trials/chaos/kit',
      'trials/chaos/failover',
      'tools/postgres',
      ...inGateway('core/cells/primary.ts', 'core/cells/cells.ts', 'core/durability.ts', 'core/readiness.ts'),
    ],
  },
  {
    // Everything at once for a minute; the hour is run before a release (docs/operate/soak.md).
    name: 'soak',
    ...trial('soak'),
    needs: ['haproxy'],
    subjects: [
      'trials/chaos/kit',
      'trials/chaos/soak',
      'trials/chaos/webhooks',
      ...PROCESSES,
      ...inGateway('core/cells', 'kit/metrics.ts'),
    ],
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
      'trials/stories/month',
      'vitest.month.config.ts',
    ],
  },
]

/** Programmes that no stage runs, and why. */
export const BY_HAND: Readonly<Record<string, string>> = {
  'trials/mutants': 'takes the tests of a feature for each fault, minutes each',
  ...Object.fromEntries(
    [
      'trials/bench/batch',
      'trials/bench/connectors',
      'trials/bench/growth',
      'trials/bench/hot',
      'trials/bench/payments',
      'trials/bench/reserved',
      'trials/bench/screens',
      'trials/bench/search',
      'trials/bench/settlements',
      'trials/bench/transfers',
      'trials/bench/webhooks',
    ].map((folder) => [folder, 'measures speed, and figures of two machines cannot be compared']),
  ),
}
