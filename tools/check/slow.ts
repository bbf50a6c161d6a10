// What the short check leaves to .ci/run.
import { feature } from './subjects.ts'

/** Files that take a third of a minute and more: the short check runs one of them only when it has itself
 *  changed. */
export const SLOW: readonly string[] = [
  'apps/gateway/src/core/cells/numbers.test.ts',
  `${feature('disbursements')}/batches-many.test.ts`,
  `${feature('disbursements')}/histories.test.ts`,
  `${feature('reserved-accounts')}/races.test.ts`,
  'apps/gateway/src/gateway-exam.test.ts',
  'apps/gateway/src/live.test.ts',
  'apps/gateway/src/outside/webhooks.receivers.test.ts',
  'connectors/paystack/exam.test.ts',
  'connectors/paystack/refunds.test.ts',
  'connectors/providus/credits.test.ts',
  'connectors/providus/killed.test.ts',
  'connectors/providus/payouts.test.ts',
  'packages/cli/src/exam/exam.test.ts',
  'packages/connector-exam/src/exam.test.ts',
  'packages/connector-exam/src/main.test.ts',
  'packages/connector-exam/src/plants.test.ts',
  'packages/connector-exam/src/plants-elsewhere.test.ts',
  'packages/connector-kit/src/killed.test.ts',
  'tools/build/build.test.ts',
  'tools/operator/months/leave.test.ts',
]
