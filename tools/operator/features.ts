// The operator's hand on access: what a merchant may use, who granted it and why.
//   npm run features -- list <apiKey>
//   npm run features -- grant <apiKey> <feature> <who> <why>       in force within five seconds
//   npm run features -- withdraw <apiKey> <feature> <who> <why>
// Reads CELLS and ENVIRONMENT like the gateway (operator.ts). Exit codes: 0 fine, 1 no such merchant, 2 wrong
// use.
import type { Merchant } from '../../apps/gateway/src/core/access/merchants.ts'
import { record } from '../../apps/gateway/src/core/acts/trail.ts'
import { engineTx, readAll } from '../../apps/gateway/src/core/cells/cells.ts'
import { grant, listAccess } from '../../apps/gateway/src/features/access/merchants/access.ts'
import type { Gateway } from '../../apps/gateway/src/gateway.ts'
import { CannotStart } from '../../apps/gateway/src/kit/process.ts'
import { FEATURE_NAMES, isFeature } from '../../packages/contract/src/kit/features.ts'
import { openForOperator } from './operator.ts'

const USAGE = `npm run features -- list <apiKey> | grant <apiKey> <feature> <who> <why> | withdraw <apiKey> <feature> <who> <why>

Features: ${FEATURE_NAMES.join(', ')}. A grant and its end are in force within five seconds, and kept with who, when and why.`

class WrongUse extends Error {}
class NoSuchMerchant extends Error {}
/** Who has the database's address needs no second person; the audit trail says that it was this command. */
const COMMAND = {
  kind: 'command',
  side: 'operator',
  personId: null,
  role: null,
  address: null,
  requestId: null,
} as const
type Print = (text: string) => void

async function merchantOf({ merchants }: Gateway, apiKey: string | undefined): Promise<Merchant> {
  if (apiKey === undefined) throw new WrongUse('The API key of a merchant is missing.')
  const merchant = await merchants.byApiKey(apiKey)
  if (!merchant) throw new NoSuchMerchant(`No merchant has the API key ${apiKey}.`)
  return merchant
}

async function list({ ctx }: Gateway, merchant: Merchant, print: Print): Promise<void> {
  print(`${merchant.name} (${merchant.apiKey})`)
  for (const { feature, on, says, last } of await readAll(ctx, merchant.cell, (r) => listAccess(r, merchant.id))) {
    const said = last
      ? `; ${last.granted ? 'granted' : 'withdrawn'} ${last.granted_at.toISOString()} by ${last.granted_by}: ${last.reason}`
      : ''
    print(`  ${on ? 'on ' : 'off'}  ${feature.padEnd(18)} ${says}${said}`)
  }
}

async function change(
  { ctx }: Gateway,
  merchant: Merchant,
  granted: boolean,
  [feature = '', by = '', ...words]: readonly string[],
  print: Print,
): Promise<void> {
  const why = words.join(' ')
  if (!isFeature(feature)) throw new WrongUse(`There is no feature "${feature}".`)
  if (by === '' || why === '') throw new WrongUse('Say who decided it, and why.')
  await engineTx(ctx, merchant.cell, async (t) => {
    await grant(t, merchant.id, { feature, granted, by, why })
    const what = granted ? 'features.grant' : 'features.withdraw'
    await record(t, { merchantId: merchant.id, by: { ...COMMAND, name: by }, what, reason: why, after: { feature } })
  })
  print(`${feature} ${granted ? 'is granted to' : 'is withdrawn from'} ${merchant.name}, by ${by}: ${why}`)
}

async function act(gateway: Gateway, [command, apiKey, ...rest]: readonly string[], print: Print): Promise<void> {
  const merchant = await merchantOf(gateway, apiKey)
  if (command === 'list') return list(gateway, merchant, print)
  return change(gateway, merchant, command === 'grant', rest, print)
}

/** Answers the exit code. */
export async function run(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  print: Print,
): Promise<0 | 1 | 2> {
  try {
    if (!['list', 'grant', 'withdraw'].includes(words[0] ?? '')) throw new WrongUse('Say what to do.')
    const gateway = await openForOperator(env)
    try {
      await act(gateway, words, print)
      return 0
    } finally {
      await gateway.close()
    }
  } catch (error) {
    if (error instanceof NoSuchMerchant) {
      print(error.message)
      return 1
    }
    if (!(error instanceof WrongUse || error instanceof CannotStart)) throw error
    print(`${error.message}\n\n${USAGE}`)
    return 2
  }
}

if (import.meta.main) process.exit(await run(process.argv.slice(2), process.env, (text) => console.log(text)))
