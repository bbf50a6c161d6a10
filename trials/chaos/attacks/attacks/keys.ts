// A key as a way around the person who made it.
import { type Attack, told, verdict } from '../attack.ts'
import { type Merchant, must, type Person, SINGLE, transfer, type World } from '../world.ts'

const waitingFor = async (person: Person, text: string): Promise<string> => {
  const listed = must(await person.view('approvals.list', { state: 'WAITING' }))
  // biome-ignore lint/suspicious/noExplicitAny: a row of a view
  const found = listed.body.content.find((row: any) => JSON.stringify(row.input).includes(text))
  return found?.reference ?? 'none'
}
const keyOf = async (world: World, person: Person, scope: string) => {
  const made = must(await person.act('keys.create', { name: 'mine', scope }))
  return { apiKey: made.body.reply.apiKey as string, call: world.callWith(made.body.reply) }
}
/** Sends with a key above the merchant's amount; answers the reference of what waits. */
async function asks(person: Person, call: Merchant['call'], merchant: Merchant, amount: number) {
  const order = transfer(merchant, amount)
  const sent = must(await call('POST', SINGLE, order))
  return { sent: told(sent), waiting: await waitingFor(person, order.reference) }
}

export const KEYS: readonly Attack[] = [
  {
    name: 'developers-key',
    finding: 'H3',
    tries: 'a developer, who may neither send money nor see payers, makes keys that do both',
    must: 'each waits for an owner, whom the developer and finance are not',
    run: async (world) => {
      const merchant = await world.merchant()
      const developer = await world.person('merchant', 'developer', merchant)
      const finance = await world.person('merchant', 'finance', merchant)
      const sends = await developer.call('POST', SINGLE, transfer(merchant, 1000))
      const made = await developer.act('keys.create', { name: 'ci', scope: 'PAYOUTS' })
      const reads = await developer.act('keys.create', { name: 'ci2', scope: 'READ' })
      const approve = (person: Person) => person.act('approvals.approve', { reference: made.body?.reference ?? 'none' })
      return verdict([
        ['sends money', told(sends), '403 PERMISSION_DENIED'],
        ['key of scope PAYOUTS', told(made), '200 WAITING'],
        ['key of scope READ', told(reads), '200 WAITING'],
        ['approves it', told(await approve(developer)), /^403/],
        ['finance approves it', told(await approve(finance)), /^403/],
      ])
    },
    plants: {
      'keys-of-any-scope': {
        file: 'apps/gateway/src/features/access/keys/keys.acts.ts',
        from: '!KEY_SCOPES[input.scope].every((permission) => by.may(permission))',
        to: 'KEY_SCOPES[input.scope].length === 0 && by.may(keysCreate.permission)',
      },
    },
  },
  {
    name: 'own-key-own-approval',
    finding: 'M4',
    tries: 'an owner sends above the amount for two people with a key of their own making, and approves it as a person',
    must: 'it waits, and only somebody else approves it',
    run: async (world) => {
      const merchant = await world.merchant(1_000_000, { approvalAbove: 100 })
      const [owner, finance] = [
        await world.person('merchant', 'owner', merchant),
        await world.person('merchant', 'finance', merchant),
      ]
      const { call } = await keyOf(world, owner, 'PAYOUTS')
      const { sent, waiting } = await asks(owner, call, merchant, 5000)
      const own = await owner.act('approvals.approve', { reference: waiting })
      const other = await finance.act('approvals.approve', { reference: waiting })
      return verdict([
        ['sends', sent, '200 PENDING_AUTHORIZATION'],
        ['approves as the person', told(own), '403 APPROVAL_OWN'],
        ['somebody else approves', told(other), '200 DONE'],
      ])
    },
    plants: {
      'makers-forgotten': {
        file: 'apps/gateway/src/core/acts/approvals.ts',
        from: 'requester_makers: by.makers ?? null',
        to: 'requester_makers: null',
      },
    },
  },
  {
    name: 'what-an-ended-key-asked',
    finding: 'L4',
    tries: 'what a key asked for is approved after the key was ended',
    must: 'it was rejected with the key, its money is free, and nobody approves it any more',
    run: async (world) => {
      const merchant = await world.merchant(1_000_000, { approvalAbove: 100 })
      const [owner, finance] = [
        await world.person('merchant', 'owner', merchant),
        await world.person('merchant', 'finance', merchant),
      ]
      const { apiKey, call } = await keyOf(world, owner, 'PAYOUTS')
      const { waiting } = await asks(owner, call, merchant, 5000)
      must(await owner.act('keys.end', { apiKey }))
      const left = must(await owner.view('approvals.list', { state: 'WAITING' }))
      const later = await finance.act('approvals.approve', { reference: waiting })
      return verdict([
        ['the ended key', told(await call('POST', SINGLE, transfer(merchant, 50))), /^401/],
        ['what waits after it', String(left.body.content.length), '0'],
        ['what it asked for', told(later), /^409/],
      ])
    },
    plants: {
      'keys-that-do-not-end': {
        file: 'apps/gateway/src/core/acts/run.ts',
        from: 'const rows = await lockAsked(t, merchantId, apiKey)',
        to: 'const rows = (await lockAsked(t, merchantId, apiKey)).slice(0, 0)',
      },
    },
  },
]
