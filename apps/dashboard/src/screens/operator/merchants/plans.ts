// What can be done about a merchant, by the state it is in. The gateway decides; what it would refuse for the
// state is said beforehand.
import type * as contract from '@cowrie/contract/access/merchant-acts'
import type { inviteOwner, replaceOwner } from '@cowrie/contract/access/team'
import { chosenOf } from '../../../parts/choice.tsx'
import { optionsOf, type Plan, sends, type Values } from '../kit/acting.tsx'
import { type DocumentRow, FEATURE_WORDS, type Merchant, PAPER_STATES, PAPERS, STATES } from './words.ts'

const lines = (text = ''): string[] => text.split(/[\s,]+/).filter((one) => one !== '')
/** A sentence where the state does not allow it. */
const unless = ({ state }: Merchant, ...allowed: readonly Merchant['state'][]): string | null =>
  allowed.includes(state)
    ? null
    : `it is ${STATES[state][1].toLowerCase()}; only what is ${allowed.map((one) => STATES[one][1].toLowerCase()).join(' or ')} can be.`
const applied = ({ application, cell }: Merchant) => ({ input: () => ({ application }), place: { cell } })
const place = ({ apiKey }: Merchant) => ({ merchant: apiKey ?? '' })

const NETWORKS = {
  name: 'addresses',
  label: 'Networks',
  kind: 'area',
  hint: 'One on each line, such as 102.89.23.0/24. Requests from elsewhere are refused.',
} as const

export function onboardingPlans(merchant: Merchant): Plan[] {
  const { input, place: at } = applied(merchant)
  const missing = merchant.documents.filter(({ required, state }) => required && state !== 'ACCEPTED')
  const notLive =
    unless(merchant, 'IN_REVIEW') ??
    (missing.length > 0 ? `${missing.map(({ kind }) => PAPERS[kind]).join(', ')}: not accepted yet.` : null)
  return [
    {
      word: 'Let in',
      title: 'Sandbox access given',
      says: 'Note that it got access to the sandbox.',
      permission: 'operator.merchants.write',
      reason: 'optional',
      not: unless(merchant, 'APPLIED'),
      done: 'It is in the sandbox.',
      send: sends<typeof contract.letIntoSandbox>('merchants.sandbox', at, input),
    },
    {
      word: 'Begin',
      title: 'Begin the review',
      says: 'Its papers are looked at from now on.',
      permission: 'operator.merchants.write',
      reason: 'optional',
      not: unless(merchant, 'APPLIED', 'IN_SANDBOX'),
      done: 'It is in review.',
      send: sends<typeof contract.reviewMerchant>('merchants.review', at, input),
    },
    {
      word: 'Go live',
      title: 'Let it go live',
      says: 'It gets a key, a contract, a wallet and its accounts. Its owner gets the keys by a one-time link.',
      permission: 'operator.merchants.live',
      two: 'always',
      not: notLive,
      done: 'It is live.',
      fields: [
        NETWORKS,
        { name: 'rate', label: 'Requests a second', kind: 'number', optional: true, hint: '50 if not given.' },
        { name: 'features', label: 'Features', kind: 'checks', optional: true, options: optionsOf(FEATURE_WORDS) },
      ],
      send: sends<typeof contract.goLive>('merchants.golive', at, (values) => liveInput(merchant, values)),
    },
    {
      word: 'Turn down',
      title: 'Turn the application down',
      says: 'For good: a later application is another one.',
      permission: 'operator.merchants.live',
      bad: true,
      not: unless(merchant, 'APPLIED', 'IN_SANDBOX', 'IN_REVIEW'),
      done: 'The application is turned down.',
      send: sends<typeof contract.rejectMerchant>('merchants.reject', at, input),
    },
  ]
}
const liveInput = ({ application }: Merchant, values: Values) => ({
  application,
  addresses: lines(values['addresses']),
  ...(values['rate'] ? { requestsPerSecond: Number(values['rate']) } : {}),
  features: chosenOf(values, 'features') as Merchant['features'][number]['feature'][],
})

export const documentPlan = (merchant: Merchant, row: DocumentRow): Plan => ({
  word: 'Record',
  title: PAPERS[row.kind],
  says: 'The file is kept elsewhere; here is what became of it, and its digest.',
  permission: 'operator.merchants.write',
  reason: 'optional',
  not: unless(merchant, 'APPLIED', 'IN_SANDBOX', 'IN_REVIEW', 'LIVE', 'SUSPENDED'),
  done: `${PAPERS[row.kind]}: recorded.`,
  fields: [
    {
      name: 'state',
      label: 'State',
      kind: 'choice',
      initial: row.state,
      options: Object.entries(PAPER_STATES).map(([value, [, word]]) => ({ value, word })),
    },
    { name: 'note', label: 'Note', optional: true, maxLength: 500, ...(row.note ? { initial: row.note } : {}) },
    {
      name: 'digest',
      label: 'SHA-256 of the file',
      optional: true,
      hint: '64 hexadecimal digits.',
      ...(row.digest ? { initial: row.digest } : {}),
    },
  ],
  send: sends<typeof contract.recordDocument>('merchants.document', { cell: merchant.cell }, (values) => ({
    application: merchant.application,
    kind: row.kind,
    state: values['state'] as DocumentRow['state'],
    ...(values['note'] ? { note: values['note'] } : {}),
    ...(values['digest'] ? { digest: values['digest'].toLowerCase() } : {}),
  })),
})

export function lifePlans(merchant: Merchant): Plan[] {
  const none = () => ({})
  return [
    {
      word: 'Suspend',
      title: 'Suspend it',
      says: 'Every request is refused, money that arrives is returned, payouts and settlements are held. At once, by one person.',
      permission: 'operator.merchants.live',
      bad: true,
      not: unless(merchant, 'LIVE'),
      done: 'It is suspended.',
      send: sends<typeof contract.suspendMerchant>('merchants.suspend', place(merchant), none),
    },
    {
      word: 'Resume',
      title: 'End the suspension',
      says: 'Requests are honoured again, and what was held goes on.',
      permission: 'operator.merchants.live',
      two: 'always',
      not: unless(merchant, 'SUSPENDED'),
      done: 'It is live again.',
      send: sends<typeof contract.resumeMerchant>('merchants.resume', place(merchant), none),
    },
    {
      word: 'Close',
      title: 'Close it for good',
      says: 'Nothing may be left in it. It cannot be opened again.',
      permission: 'operator.merchants.live',
      two: 'always',
      bad: true,
      not: unless(merchant, 'SUSPENDED'),
      done: 'It is closed.',
      send: sends<typeof contract.closeMerchant>('merchants.close', place(merchant), none),
    },
  ]
}

function ownerPlans(merchant: Merchant): Plan[] {
  const at = place(merchant)
  const writes = { permission: 'operator.merchants.write', not: unless(merchant, 'LIVE', 'SUSPENDED') } as const
  return [
    {
      ...writes,
      word: 'Invite owner',
      title: 'Invite its first owner',
      says: 'By mail, to the dashboard. Where it has an owner, that owner invites.',
      two: 'sometimes',
      done: 'The owner is invited.',
      fields: [
        { name: 'name', label: 'Name', maxLength: 100 },
        { name: 'email', label: 'E-mail address', kind: 'email', initial: merchant.email },
      ],
      send: sends<typeof inviteOwner>('owners.invite', at, ({ name = '', email = '' }) => ({ name, email })),
    },
    {
      ...writes,
      word: 'Another owner',
      title: 'Another owner, where none can be reached',
      says: 'All owners are mailed. The link works after 72 hours, unless one of them ends the invitation.',
      two: 'always',
      bad: true,
      done: 'The owners and the new one are mailed.',
      fields: [
        { name: 'name', label: 'Name', maxLength: 100 },
        { name: 'email', label: 'E-mail address', kind: 'email' },
      ],
      send: sends<typeof replaceOwner>('owners.replace', at, ({ name = '', email = '' }) => ({ name, email })),
    },
    {
      ...writes,
      permission: 'operator.keys.reset',
      word: 'Reset key',
      title: 'A new secret key for its owner',
      says: 'By a one-time link. Using it ends the old key, and every limited key that is not named here.',
      two: 'always',
      bad: true,
      done: 'The link is mailed.',
      fields: [
        { name: 'keep', label: 'Limited keys that go on', kind: 'area', optional: true, hint: 'API keys, one a line.' },
      ],
      send: sends<typeof contract.resetKey>('keys.reset', at, ({ keep }) =>
        lines(keep).length > 0 ? { keep: lines(keep) } : {},
      ),
    },
  ]
}

export function settingPlans(merchant: Merchant): Plan[] {
  const at = place(merchant)
  const writes = { permission: 'operator.merchants.write', not: unless(merchant, 'LIVE', 'SUSPENDED') } as const
  return [
    {
      ...writes,
      word: 'Rename',
      title: 'Give it another name',
      says: 'Payers see it from then on, and its owner is mailed.',
      two: 'always',
      done: 'It has another name.',
      fields: [{ name: 'name', label: 'Name', initial: merchant.name, maxLength: 100 }],
      send: sends<typeof contract.renameMerchant>('merchants.rename', at, ({ name = '' }) => ({ name })),
    },
    {
      ...writes,
      word: 'Set networks',
      title: 'Networks of its requests',
      says: 'All of them, in place of those before. Wider ones need a second person.',
      two: 'sometimes',
      done: 'The networks are set.',
      fields: [{ ...NETWORKS, initial: merchant.addresses.join('\n') }],
      send: sends<typeof contract.setAddresses>('merchants.addresses', at, ({ addresses }) => ({
        addresses: lines(addresses),
      })),
    },
    {
      ...writes,
      word: 'Set rate',
      title: 'Requests a second',
      says: 'More are refused with 429.',
      done: 'The rate is set.',
      fields: [
        { name: 'rate', label: 'Requests a second', kind: 'number', initial: String(merchant.requestsPerSecond ?? 50) },
      ],
      send: sends<typeof contract.setRate>('merchants.rate', at, ({ rate }) => ({ requestsPerSecond: Number(rate) })),
    },
    {
      ...writes,
      word: 'Add contract',
      title: 'Another contract code',
      says: 'Payments can be kept apart by it.',
      reason: 'optional',
      done: 'It has another contract code.',
      fields: [{ name: 'name', label: 'Name of the contract', maxLength: 100 }],
      send: sends<typeof contract.addContract>('contracts.add', at, ({ name = '' }) => ({ name })),
    },
    ...ownerPlans(merchant),
  ]
}

export const featurePlan = (merchant: Merchant, { feature, on }: Merchant['features'][number]): Plan => ({
  word: on ? 'Withdraw' : 'Grant',
  title: `${on ? 'Withdraw' : 'Grant'}: ${FEATURE_WORDS[feature]}`,
  says: on ? 'Requests that need it are refused from then on.' : 'Requests that need it are honoured from then on.',
  permission: 'operator.features.grant',
  not: unless(merchant, 'LIVE', 'SUSPENDED'),
  done: on ? 'The feature is withdrawn.' : 'The feature is granted.',
  ...(on ? { bad: true as const } : { two: 'always' as const }),
  send: on
    ? sends<typeof contract.withdrawFeature>('features.withdraw', place(merchant), () => ({ feature }))
    : sends<typeof contract.grantFeature>('features.grant', place(merchant), () => ({ feature })),
})
