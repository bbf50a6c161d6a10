// One of the operator's people who would be two.
import { Browser, enrol, PASSWORD } from '../../../../apps/gateway/test/people/people.ts'
import { type Attack, told, verdict } from '../attack.ts'
import { must, type Person, reference, type World } from '../world.ts'

const PEOPLE = 'apps/gateway/src/features/access/people'
const address = (word: string): string => `${word}-${reference()}@evil.example`
const tokenIn = (text: string | undefined): string => /#([0-9a-f]{64})/.exec(text ?? '')?.[1] ?? ''

/** A second admin has come once, so that two are needed from then on. */
async function admins(world: World, count: number): Promise<Person[]> {
  const all: Person[] = []
  for (let at = 0; at < count; at += 1) all.push(await world.person('operator', 'admin'))
  return all
}

/** Asked for by one, approved by the other. */
async function byTwo(one: Person, other: Person, id: string, input: object, of?: Parameters<Person['act']>[2]) {
  const asked = must(await one.act(id, input, of))
  return other.act('approvals.approve', { reference: asked.body.reference as string })
}

/** Whoever has the link of an invitation comes in with a password and an app of their own. */
async function comeIn(world: World, email: string): Promise<Browser> {
  const [mail] = await world.mailed(email, '#')
  const browser = new Browser(world, 'operator')
  const accepted = await browser.post('invitations/accept', { token: tokenIn(mail), password: PASSWORD })
  if (accepted.status !== 200) throw new Error(`not accepted: ${accepted.code}`)
  await browser.logIn(email)
  await enrol(browser)
  return browser
}

export const OPERATORS: readonly Attack[] = [
  {
    name: 'four-eyes-thinned',
    finding: 'H2',
    tries:
      'one admin of three ends the other two, then invites a puppet, makes a clerk admin and resets a password alone',
    must: 'each waits for a second person, and those who were ended are mailed',
    run: async (world) => {
      const [first, ...others] = (await admins(world, 3)) as [Person, Person, Person]
      for (const { email } of others) must(await first.act('operators.end', { email }))
      const clerk = await world.person('operator', 'operations')
      const puppet = { email: address('puppet'), name: 'P', role: 'admin' }
      const raised = await first.act('operators.changeRole', { email: clerk.email, role: 'admin' })
      const own = await first.act('approvals.approve', { reference: raised.body?.reference ?? 'none' })
      const mails = await world.mailed(others[1].email, 'was ended by')
      return verdict([
        ['invites a puppet', told(await first.act('operators.invite', puppet)), '200 WAITING'],
        ['makes a clerk admin', told(raised), '200 WAITING'],
        ['resets a password', told(await first.act('operators.reset', { email: clerk.email })), '200 WAITING'],
        ['approves that', told(own), '403 APPROVAL_OWN'],
        ['the ended one was mailed', String(mails.length > 0), 'true'],
      ])
    },
    plants: {
      'four-eyes-of-those-left': {
        file: `${PEOPLE}/known/persons.sql.ts`,
        from: "'select count(*)::int as count from memberships where member_of is null and managed'",
        to: '"select count(*)::int as count from memberships where member_of is null and role = \'admin\' and ended_at is null"',
      },
      'admins-untold': {
        file: `${PEOPLE}/known/four-eyes.ts`,
        from: 'for (const [at, to] of managers.entries()) await',
        to: 'for (const [at, to] of managers.slice(managers.length).entries()) await',
      },
    },
  },
  {
    name: 'puppet-approves',
    finding: 'H2',
    tries:
      'an admin whom two people invited by mail, with a password and an app of their own, approves within the first day',
    must: 'refused; all admins are told of the newcomer',
    run: async (world) => {
      const [ada, bola] = (await admins(world, 2)) as [Person, Person]
      const email = address('newcomer')
      must(await byTwo(ada, bola, 'operators.invite', { email, name: 'N', role: 'admin' }))
      const newcomer = await comeIn(world, email)
      const asked = must(await ada.act('operators.reset', { email: bola.email }))
      const approved = await newcomer.act('approvals.approve', { reference: asked.body.reference })
      const mails = await world.mailed(bola.email, `${email} is admin`)
      return verdict([
        ['approves', `${approved.status} ${approved.code}`, '403 APPROVER_NEW'],
        ['the others were mailed', String(mails.length > 0), 'true'],
      ])
    },
    plants: {
      'approves-at-once': {
        file: 'apps/gateway/src/core/acts/run.ts',
        from: '!approvesFrom || approvesFrom <= now',
        to: '!approvesFrom || approvesFrom > now',
      },
    },
  },
  {
    name: 'owner-of-another',
    finding: 'H1',
    tries: 'two of the role operations invite themselves as the first owner of a merchant that has one',
    must: 'refused, when it is asked or when it is approved',
    run: async (world) => {
      const merchant = await world.merchant()
      await world.person('merchant', 'owner', merchant)
      const [one, two] = [await world.person('operator', 'operations'), await world.person('operator', 'operations')]
      const asked = await one.act('owners.invite', { email: address('taker'), name: 'T' }, merchant)
      const waits = asked.body?.outcome === 'WAITING'
      const answer = waits ? await two.act('approvals.approve', { reference: asked.body.reference }) : asked
      return verdict([['owners.invite', told(answer), '409 OWNER_IN_FORCE']])
    },
    plants: {
      'owners-beside-owners': {
        file: `${PEOPLE}/team.ts`,
        from: "if (await sql.anyWithRoles(read, where, [TOP_ROLE.merchant])) fail('OWNER_IN_FORCE')",
        to: 'await sql.anyWithRoles(read, where, [TOP_ROLE.merchant])',
      },
    },
  },
  {
    name: 'owner-replaced-in-silence',
    finding: 'H1',
    tries: 'two of the role operations replace an owner who is there, and use the link at once',
    must: 'the owner and the address of the merchant are mailed, the link opens nothing for 72 hours, and the owner ends it',
    run: async (world) => {
      const merchant = await world.merchant()
      const owner = await world.person('merchant', 'owner', merchant)
      const [one, two] = [await world.person('operator', 'operations'), await world.person('operator', 'operations')]
      const email = address('heir')
      must(await byTwo(one, two, 'owners.replace', { email, name: 'H' }, merchant))
      const [mail] = await world.mailed(email, '#')
      const use = async () =>
        new Browser(world, 'merchant').post('invitations/accept', { token: tokenIn(mail), password: PASSWORD })
      const told2 = [await world.mailed(owner.email, email), await world.mailed(merchant.email, email)]
      const early = await use()
      must(await owner.act('team.end', { email }))
      await world.advance(73 * 3600)
      const late = await use()
      return verdict([
        ['mailed', told2.map((mails) => mails.length > 0).join(), 'true,true'],
        ['the link at once', `${early.status} ${early.code}`, '404 INVITATION_INVALID'],
        ['after 73 hours, ended by the owner', `${late.status} ${late.code}`, '404 INVITATION_INVALID'],
      ])
    },
    plants: {
      'heirs-at-once': {
        file: `${PEOPLE}/people.acts.ts`,
        from: 'const OBJECT_MS = 3 * DAY_MS',
        to: 'const OBJECT_MS = 0 * DAY_MS',
      },
    },
  },
]
