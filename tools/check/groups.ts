// The test files in groups, each with what it is about: a change of a page runs no test of the gateway, and a
// change of one connector no page of the dashboard. A file belongs to the group that names the longest part
// of its path.
import type { PackageName } from './stages.ts'
import {
  CONTRACT,
  feature,
  features,
  inGateway,
  MIGRATIONS,
  OTHER_CLIENTS,
  PROCESSES,
  rooms,
  SDK,
  SITE_PAGES,
  STACK,
  WHOLE_GATEWAY,
} from './subjects.ts'

export type Group = {
  readonly name: string
  /** Folders and files with its tests. */
  readonly tests: readonly string[]
  readonly needs?: readonly PackageName[]
  /** Settings of the full form. */
  readonly full?: Readonly<Record<string, string>>
  /** Its share of the stage on two cores. */
  readonly seconds: number
  /** Its own tests are too. */
  readonly subjects: readonly string[] | 'always'
}

/** Every group runs when one of these changes. */
export const OF_ALL_TESTS = ['vitest.config.ts', 'apps/gateway/test/kit/postgres.ts']

const DESIGN = 'packages/design'
const BROWSER = ['trials/stories/browser.ts', 'trials/stories/payer.ts', 'trials/stories/in-page-shop.ts']
/** The checkout on a shop's own page. */
const IN_PAGE = [...BROWSER, 'apps/checkout/in-page', 'packages/checkout', feature('in-page')]
const GUIDE_TOOLS = ['account', 'commands', 'exceptions', 'programs', 'shell'].map(
  (name) => `trials/stories/guides/${name}.ts`,
)
const EXAM = ['packages/connector-exam', `${CONTRACT}/src/bank`]
const KIT = ['packages/connector-kit/src', 'packages/connector-kit/test']
const CONTRACT_SOURCE = `${CONTRACT}/src`
const PEOPLE = [...features('people', 'auth', 'persons', 'second-person'), ...inGateway('core/acts')]
const connector = (name: string, seconds: number, full: Readonly<Record<string, string>> = {}): Group => ({
  name,
  tests: [`connectors/${name}`],
  needs: ['postgresql'],
  full,
  seconds,
  subjects: [`connectors/${name}`, ...KIT, ...EXAM, 'tools/postgres'],
})

export const GROUPS: readonly Group[] = [
  {
    // Rules of the tree, its tables and its generated pages.
    name: 'repository',
    tests: ['tools/check', 'tools/tidy', 'tools/docs', 'tools/generate.test.ts', 'tools/release', 'tools/site'],
    seconds: 10,
    subjects: 'always',
  },
  {
    name: 'gateway',
    tests: ['apps/gateway', 'trials/stories/traces.test.ts', 'trials/stories/books.test.ts'],
    needs: ['postgresql', 'openssl'],
    seconds: 400,
    subjects: [
      'apps/gateway',
      'apps/checkout/src',
      'apps/simulator/src',
      'packages/connector-exam/src/kit',
      CONTRACT_SOURCE,
      DESIGN,
      'tools/operator',
      ...STACK,
    ],
  },
  {
    // Thousands of receivers, and limits of many seconds that pass by the clock.
    name: 'receivers',
    tests: ['apps/gateway/src/outside/webhooks.test.ts', 'apps/gateway/src/outside/webhooks.receivers.test.ts'],
    needs: ['openssl'],
    seconds: 12,
    subjects: [
      ...features('webhooks', 'events'),
      ...inGateway('outside/webhooks.ts', 'outside/references.ts', 'kit/permits.ts', 'kit/process.ts'),
      `${CONTRACT_SOURCE}/events`,
    ],
  },
  {
    name: 'numbers',
    tests: ['trials/stories/numbers.test.ts'],
    seconds: 6,
    subjects: [...inGateway('core/cells', 'kit/ids.ts', 'kit/clock.ts'), feature('bank-numbers'), MIGRATIONS],
  },
  {
    name: 'operator',
    tests: ['tools/operator', 'tools/schema', 'tools/statements', 'tools/postgres', 'tools/ports.test.ts'],
    needs: ['postgresql'],
    seconds: 34,
    subjects: [...WHOLE_GATEWAY, 'tools/operator', 'tools/schema', 'tools/statements', 'docs/reference/schema.sql'],
  },
  {
    name: 'contract',
    tests: [CONTRACT, DESIGN, 'trials/stories/examples.test.ts', 'trials/stories/first-mistakes.test.ts'],
    seconds: 10,
    subjects: [
      ...WHOLE_GATEWAY,
      CONTRACT,
      DESIGN,
      'trials/stories/examples',
      'trials/stories/mistakes.ts',
      'docs/name-match.md',
      'docs/reference/openapi.json',
    ],
  },
  {
    name: 'simulator',
    tests: ['apps/simulator'],
    seconds: 20,
    subjects: ['apps/simulator', ...rooms('bank', 'kit'), DESIGN],
  },
  {
    name: 'pages',
    tests: [
      'apps/checkout',
      'trials/stories/checkout.test.ts',
      'trials/stories/checkout-cards.test.ts',
      'trials/stories/checkout-views.test.ts',
      'trials/stories/in-page.test.ts',
      'trials/stories/card-page.test.ts',
      'trials/stories/sealed-cards.test.ts',
      'trials/stories/mandate-page.test.ts',
      'trials/stories/invoices.test.ts',
      'trials/stories/mails.test.ts',
      'trials/stories/limit-profiles.test.ts',
      'trials/stories/link-puzzle.test.ts',
    ],
    needs: ['browser'],
    seconds: 49,
    subjects: [
      'apps/checkout',
      'apps/simulator/src',
      'packages/connector-kit/src/cards',
      DESIGN,
      ...IN_PAGE,
      ...rooms('collections', 'kit'),
      ...features('checkout', 'cards', 'invoices', 'mails', 'receipts', 'branding', 'direct-debit', 'limit-profiles'),
      ...features('transactions', 'payments', 'ussd', 'payment-links'),
      'tools/in-page.ts',
      ...inGateway('kit/http'),
    ],
  },
  {
    // Our packages of the checkout, and other people's, which are installed from the registry of npm, once.
    name: 'page-packages',
    tests: ['trials/stories/page-packages.test.ts', 'trials/wrappers'],
    needs: ['browser'],
    seconds: 130,
    subjects: [
      ...IN_PAGE,
      'packages/react',
      'samples/guides/in-page',
      'tools/sdk',
      'docs/guides/move/from-monnify.md',
      'trials/wrappers',
    ],
  },
  {
    name: 'dashboard',
    tests: ['apps/dashboard', 'trials/stories/dashboard', 'trials/stories/dashboard.test.ts', 'tools/dashboard'],
    needs: ['browser'],
    // What it shows comes from routes of the whole contract, and from the features that only serve screens.
    seconds: 80,
    subjects: [
      'apps/dashboard',
      CONTRACT_SOURCE,
      DESIGN,
      'trials/stories/browser.ts',
      'trials/stories/dashboard',
      'tools/dashboard',
      ...features('board', 'dashboard', 'exports', 'figures', 'finding', 'hints', 'home', 'saved-views', 'viewing'),
      ...features('people', 'approvals', 'persons', 'second-person'),
    ],
  },
  {
    name: 'sign-in',
    tests: ['trials/stories/passkeys-and-oidc.test.ts', 'trials/stories/log-in-flood.test.ts'],
    needs: ['browser'],
    seconds: 10,
    subjects: [
      ...PEOPLE,
      ...inGateway('core/access', 'kit/crypto.ts', 'outside/oidc.ts'),
      `${CONTRACT_SOURCE}/access`,
      'trials/stories/flood',
    ],
  },
  {
    name: 'live',
    tests: ['trials/stories/live-story.test.ts', 'apps/gateway/src/live.test.ts'],
    needs: ['openssl'],
    seconds: 24,
    subjects: [
      ...PEOPLE,
      ...features('merchants', 'approvals', 'settlements', 'mails'),
      ...PROCESSES,
      ...inGateway('core/keys', 'outside/bank.ts', 'outside/connectors.ts', 'outside/meeting.ts'),
      'trials/stories/live',
      'packages/cli/src/admin',
      'tools/operator',
    ],
  },
  {
    // Tokens of SoftHSM2, through which every process starts.
    name: 'custodians',
    tests: ['trials/stories/custodians.test.ts'],
    needs: ['softhsm', 'opensc'],
    seconds: 25,
    subjects: [
      ...inGateway('core/keys', 'core/acts', 'kit/crypto.ts', 'kit/custody.ts', 'config.ts', 'gateway.ts'),
      ...inGateway('outside/custody.ts', 'outside/programs.ts'),
      feature('trail-signing'),
      ...['audit', 'custody', 'keys'].map((name) => `tools/operator/${name}.ts`),
      'trials/stories/custodians',
    ],
  },
  {
    name: 'alarms',
    tests: ['trials/stories/alarms.test.ts', 'trials/stories/failover-stuck.test.ts'],
    needs: ['prometheus'],
    seconds: 25,
    subjects: [
      'docs/operate/monitoring',
      'docs/operate/runbooks',
      'deploy',
      'trials/stories/alarms',
      ...inGateway('kit/metrics.ts', 'kit/series.ts', 'core/agenda.ts', 'core/work-loop.ts', 'core/books/sweeper.ts'),
      feature('work'),
    ],
  },
  {
    name: 'guides',
    tests: [
      'trials/stories/guides/guides.test.ts',
      'trials/stories/guides/handlers.test.ts',
      'trials/stories/guides/readme.test.ts',
      'tools/sandbox',
    ],
    needs: ['browser', 'php', 'python', 'flask', 'django'],
    seconds: 80,
    subjects: [
      'README.md',
      'docs/guides',
      'docs/recording.txt',
      'tools/docs/recording.ts',
      ...GUIDE_TOOLS,
      'clients/php/examples',
      'clients/python/examples',
      'packages/sdk/README.md',
      'packages/sdk/examples',
      'samples',
      ...OTHER_CLIENTS,
      ...SDK,
      'packages/cli/src',
      'tools/sandbox',
      'tools/site/fences.ts',
    ],
  },
  {
    name: 'operating',
    tests: ['trials/stories/guides/operate.test.ts'],
    needs: ['postgresql', 'openssl', 'haproxy', 'prometheus'],
    seconds: 35,
    subjects: [
      ...SITE_PAGES.filter((page) => page !== 'docs/reference'),
      'docs/reference/bank-connector.md',
      'deploy',
      ...inGateway('config.ts'),
      'packages/cli/src/programs',
      'tools/operator',
      ...GUIDE_TOOLS,
      'trials/stories/live',
    ],
  },
  {
    name: 'site',
    tests: ['trials/stories/guides/site.test.ts'],
    needs: ['browser'],
    seconds: 25,
    subjects: [
      ...SITE_PAGES,
      'README.md',
      'apps/docs',
      `${CONTRACT}/examples`,
      'tools/docs',
      'tools/sdk',
      'tools/site',
      'trials/stories/guides/site.ts',
      `${CONTRACT_SOURCE}/reference`,
    ],
  },
  {
    // Its calls in four languages, and "Try it".
    name: 'reference',
    tests: ['trials/stories/guides/reference.test.ts', 'trials/stories/guides/try.test.ts'],
    needs: ['browser', 'php', 'python'],
    seconds: 25,
    subjects: [
      'clients',
      `${CONTRACT}/examples`,
      `${CONTRACT_SOURCE}/reference`,
      'packages/sdk',
      'tools/sdk',
      'tools/site',
      'trials/stories/guides/site.ts',
      'trials/stories/guides/programs.ts',
    ],
  },
  {
    name: 'clients',
    tests: ['trials/stories/clients', 'trials/stories/sdk-shop.test.ts', 'packages/sdk', 'tools/sdk'],
    needs: ['php', 'python'],
    seconds: 13,
    subjects: [
      'clients',
      'clients/php/README.md',
      'clients/python/README.md',
      CONTRACT_SOURCE,
      'trials/stories/clients',
      'packages/sdk',
      'samples',
      'tools/sdk',
      ...features('auth', 'webhooks'),
    ],
  },
  {
    name: 'commands',
    tests: ['packages/cli', 'trials/stories/commands', 'trials/stories/cli.test.ts'],
    seconds: 45,
    subjects: [
      'packages/cli',
      ...SDK,
      ...rooms('access', 'errors', 'events', 'kit'),
      'trials/stories/commands',
      'trials/stories/cli.test.ts',
      'tools/sandbox',
    ],
  },
  {
    name: 'first-hour',
    tests: ['trials/stories/first-paid.test.ts', 'tools/package', 'tools/build', 'tools/helm'],
    seconds: 25,
    subjects: [
      'package.json',
      'packages/cli/src',
      'samples/handlers',
      'deploy',
      ...['build', 'helm', 'image', 'package', 'release', 'sandbox'].map((name) => `tools/${name}`),
      'tools/programs.ts',
      'tools/digest.ts',
      ...inGateway('api.ts', 'config.ts', 'worker.ts'),
    ],
  },
  {
    name: 'connector-kit',
    tests: ['packages/connector-kit'],
    full: { KIT_KILLS: '30' },
    seconds: 20,
    subjects: [...KIT, 'packages/connector-kit', `${CONTRACT_SOURCE}/bank`, 'tools/postgres'],
  },
  {
    name: 'exam',
    tests: ['packages/connector-exam', 'tools/exam', 'apps/gateway/src/gateway-exam.test.ts'],
    full: { EXAM_EVERY: '1' },
    seconds: 60,
    subjects: [
      ...EXAM,
      'apps/simulator/src',
      'tools/exam',
      'apps/gateway/src/gateway-exam.test.ts',
      ...inGateway('outside/bank.ts', 'outside/connectors.ts', 'core/routing'),
      ...features('bank-orders', 'connector-routes', 'disbursements', 'credits'),
    ],
  },
  connector('nibss-easypay', 20),
  connector('paystack', 50, { PAYSTACK_KILLS: '10' }),
  connector('providus', 55, { PROVIDUS_KILLS: '10' }),
  {
    // That the checks of the programmes can fail, and what all of them stand on.
    name: 'programmes',
    tests: [
      'trials/programmes.test.ts',
      'trials/bench/kit',
      'trials/chaos/kit',
      'trials/stories/attacks.test.ts',
      'trials/stories/day.test.ts',
      'trials/stories/histories.test.ts',
      'trials/stories/mutants.test.ts',
      'trials/stories/rails.test.ts',
      'trials/stories/soak.test.ts',
      'trials/stories/month-plants.test.ts',
    ],
    seconds: 15,
    subjects: [
      'trials/bench.ts',
      'trials/bench/kit',
      'trials/start.ts',
      'trials/trial.ts',
      'tools/check/programmes.ts',
      'trials/chaos',
      'trials/mutants',
      'trials/stories/month',
      'packages/connector-exam/src/gateway',
      MIGRATIONS,
    ],
  },
]
